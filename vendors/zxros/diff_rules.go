package zxros

import "railyard/vendors/clitree"

// DiffRules are what ZXROS's lines mean, as far as they were seen: sections that
// repeat interfaces per feature, addressing and VLANs. Lines that no rule knows
// are compared as they stand.
func DiffRules() *clitree.Rules {
	const src = "public parsers with samples, a network console's fixtures"
	r := &clitree.Rules{Syntax: clitree.ZXROS(), Negation: "no", Leave: "exit", Begin: []string{"configure terminal"}, End: []string{"end"}}
	r.Lines = []clitree.Rule{
		{Match: "hostname ?", Undo: "no hostname", Rank: 1, Source: src},
		{Match: "switchvlan-configuration", As: "switchvlan", Fixed: true, Rank: 3, Source: src},
		{In: "switchvlan", Match: "vlan #", List: "comma", As: "vlan", Rank: 1, Source: src},
		{In: "vlan", Match: "name ~", Text: true, Undo: "no name", Source: src},
		{In: "switchvlan", Match: "interface *", As: "vlan port", Fixed: true, Rank: 2, Source: src},
		{In: "vlan port", Match: "switchport mode ?", Rank: 1, Source: src},
		{In: "vlan port", Match: "switchport access vlan ?", Undo: "no switchport access vlan", Rank: 2, Source: src},
		{In: "vlan port", Match: "switchport trunk vlan #", List: "comma", Undo: "no switchport trunk vlan $1", Rank: 2, Source: src},
		{Match: "interface vlan*", As: "interface", Rank: 4, Late: true, Source: src},
		{Match: "interface *", As: "interface", Fixed: true, Rank: 2, Source: src},
		{In: "interface", Match: "description ~", Text: true, Undo: "no description", Rank: 1, Source: src},
		{In: "interface", Match: "ip address ? ?", Undo: "no ip address", Unique: true, Rank: 2, Source: src},
		{In: "interface", Match: "shutdown", Rank: 9, Source: src},
	}
	r.Defaults = []clitree.Default{{In: "switchvlan", Line: "vlan 1", Source: src}}
	return r
}
