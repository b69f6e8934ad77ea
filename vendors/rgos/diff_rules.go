package rgos

import "railyard/vendors/clitree"

// DiffRules are what RGOS's lines mean, as far as they were seen: the shape of a
// running configuration, interface names with a blank, addressing and VLANs. Lines
// that no rule knows are compared as they stand.
func DiffRules() *clitree.Rules {
	const src = "a public RGOS collection's samples, vendor course notes"
	r := &clitree.Rules{Syntax: clitree.RGOS(), Negation: "no", Leave: "exit", Begin: []string{"configure terminal"}, End: []string{"end"}}
	const port = "interface"
	r.Lines = []clitree.Rule{
		{Match: "version ~", Own: clitree.Never, Source: src},
		{Match: "hostname ?", Undo: "no hostname", Rank: 1, Source: src},
		{Match: "vlan #", List: "comma", As: "vlan", Rank: 2, Late: true, Source: src},
		{In: "vlan", Match: "name ~", Text: true, Undo: "no name", Source: src},
		{Match: "interface Mgmt *", As: port, Fixed: true, Own: clitree.Intended, Closed: true, Rank: 4, Source: src},
		{Match: "interface Vlan|VLAN *", As: port, Rank: 3, Late: true, Source: src},
		{Match: "interface Loopback|AggregatePort *", As: port, Rank: 3, Late: true, Source: src},
		{Match: "interface **", As: port, Fixed: true, Rank: 4, Source: src},
		{In: port, Match: "description ~", Text: true, Undo: "no description", Rank: 2, Source: src},
		{In: port, Match: "switchport", Written: true, Rank: 1, Source: src},
		{In: port, Match: "switchport mode ?", Undo: "no switchport mode", Default: func([]string) string { return "switchport mode access" }, Rank: 3, Source: src},
		{In: port, Match: "switchport access vlan ?", Undo: "no switchport access vlan", Default: func([]string) string { return "switchport access vlan 1" }, Rank: 3, Source: src},
		{In: port, Match: "ip address ? ?", Undo: "no ip address", Unique: true, Rank: 4, Source: src},
		{In: port, Match: "shutdown", Rank: 9, Source: src},
	}
	r.Defaults = []clitree.Default{{Line: "vlan 1", Source: src}}
	return r
}
