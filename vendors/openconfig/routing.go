package openconfig

import (
	"fmt"
	"net/netip"
	"slices"

	"github.com/openconfig/ygot/ygot"

	"railyard/generator/fabric"
	"railyard/vendors/openconfig/oc"
)

// The two sides of a switch, and the policies between them.
const (
	uplinks      = "UPLINKS"
	downlinks    = "DOWNLINKS"
	acceptAll    = "ACCEPT-ALL"
	fromUplinks  = "FROM-UPLINKS"
	toUplinks    = "TO-UPLINKS"
	ownRoutes    = "CONNECTED-TO-BGP"
	loopbacks    = "LOOPBACKS"
	railSubnets  = "RAILS"
	taggedRoutes = "FROM-UPLINKS"
)

// tag marks routes learned from above. It never leaves the switch.
const tag = "65000:1"

const (
	ipv4Unicast = oc.OpenconfigBgpTypes_AFI_SAFI_TYPE_IPV4_UNICAST
	bgpProtocol = oc.OpenconfigPolicyTypes_INSTALL_PROTOCOL_TYPE_BGP
	connected   = oc.OpenconfigPolicyTypes_INSTALL_PROTOCOL_TYPE_DIRECTLY_CONNECTED
	ipv4        = oc.OpenconfigTypes_ADDRESS_FAMILY_IPV4
)

type (
	bgp        = oc.OpenconfigNetworkInstance_NetworkInstances_NetworkInstance_Protocols_Protocol_Bgp
	statement  = oc.OpenconfigRoutingPolicy_RoutingPolicy_PolicyDefinitions_PolicyDefinition_Statements_Statement
	statements = oc.OpenconfigRoutingPolicy_RoutingPolicy_PolicyDefinitions_PolicyDefinition_Statements_Statement_OrderedMap
)

// routing writes the eBGP underlay.
func (b *builder) routing() {
	if !b.f.Underlay.BGP || b.sw.ASN == 0 {
		return
	}
	p := b.instance().GetOrCreateProtocols().GetOrCreateProtocol(bgpProtocol, b.d.Protocol)
	c := p.GetOrCreateConfig()
	c.Identifier, c.Name = bgpProtocol, ygot.String(b.d.Protocol)
	speaker := p.GetOrCreateBgp()
	b.global(speaker)
	b.neighbors(speaker)
	b.policies()
	if b.d.Connected != "" {
		b.advertise()
	}
}

func (b *builder) global(speaker *bgp) {
	g := speaker.GetOrCreateGlobal()
	g.GetOrCreateConfig().As = ygot.Uint32(b.sw.ASN)
	if b.sw.Loopback.IsValid() {
		g.Config.RouterId = ygot.String(b.sw.Loopback.String())
	}
	family := g.GetOrCreateAfiSafis().GetOrCreateAfiSafi(ipv4Unicast)
	family.GetOrCreateConfig().AfiSafiName, family.Config.Enabled = ipv4Unicast, ygot.Bool(true)
	paths := b.f.Underlay.MaxPaths
	if paths < 2 {
		return
	}
	if b.d.MultipathInFamily {
		m := family.GetOrCreateUseMultiplePaths()
		m.GetOrCreateConfig().Enabled = ygot.Bool(true)
		e := m.GetOrCreateEbgp().GetOrCreateConfig()
		e.MaximumPaths = ygot.Uint32(uint32(paths))
		if b.d.MultipleAS {
			e.AllowMultipleAs = ygot.Bool(true)
		}
		return
	}
	m := g.GetOrCreateUseMultiplePaths()
	m.GetOrCreateConfig().Enabled = ygot.Bool(true)
	e := m.GetOrCreateEbgp().GetOrCreateConfig()
	e.MaximumPaths = ygot.Uint32(uint32(paths))
	if b.d.MultipleAS {
		e.AllowMultipleAs = ygot.Bool(true)
	}
}

// neighbors writes the numbered sessions. Every group says what it lets through:
// the models' default is to reject.
func (b *builder) neighbors(speaker *bgp) {
	for i := range b.sw.Ports {
		p := &b.sw.Ports[i]
		if !live(p) || p.PeerASN == 0 || p.Unnumbered() {
			continue
		}
		group := downlinks
		if p.Role == fabric.UplinkPort {
			group = uplinks
		}
		b.group(speaker, group)
		n, err := speaker.GetOrCreateNeighbors().NewNeighbor(p.PeerAddress.String())
		if err != nil {
			b.must(fmt.Errorf("neighbor %s appears twice", p.PeerAddress))
			continue
		}
		c := n.GetOrCreateConfig()
		c.NeighborAddress, c.PeerAs, c.PeerGroup = ygot.String(p.PeerAddress.String()), ygot.Uint32(p.PeerASN), ygot.String(group)
		c.Enabled, c.Description = ygot.Bool(true), ygot.String(b.peer(p))
	}
}

func (b *builder) group(speaker *bgp, name string) {
	g := speaker.GetOrCreatePeerGroups().GetOrCreatePeerGroup(name)
	if g.Config != nil {
		return
	}
	g.GetOrCreateConfig().PeerGroupName = ygot.String(name)
	family := g.GetOrCreateAfiSafis().GetOrCreateAfiSafi(ipv4Unicast)
	family.GetOrCreateConfig().AfiSafiName, family.Config.Enabled = ipv4Unicast, ygot.Bool(true)
	in, out := acceptAll, acceptAll
	if b.sw.NoTransit && name == uplinks {
		in, out = fromUplinks, toUplinks
	}
	c := family.GetOrCreateApplyPolicy().GetOrCreateConfig()
	c.ImportPolicy, c.ExportPolicy = []string{in}, []string{out}
}

// policies writes what the groups use. Without transit, a route from above is
// tagged on its way in and refused on its way up.
func (b *builder) policies() {
	accept(b.statement(acceptAll, "10"))
	if !b.sw.NoTransit {
		return
	}
	set := b.dev.GetOrCreateRoutingPolicy().GetOrCreateDefinedSets().GetOrCreateBgpDefinedSets().
		GetOrCreateCommunitySets().GetOrCreateCommunitySet(taggedRoutes).GetOrCreateConfig()
	set.CommunitySetName = ygot.String(taggedRoutes)
	set.CommunityMember = append(set.CommunityMember, oc.UnionString(tag))

	in := b.statement(fromUplinks, "10")
	mark := in.GetOrCreateActions().GetOrCreateBgpActions().GetOrCreateSetCommunity()
	mark.GetOrCreateConfig().Method = oc.OpenconfigRoutingPolicy_RoutingPolicy_PolicyDefinitions_PolicyDefinition_Statements_Statement_Actions_BgpActions_SetCommunity_Config_Method_INLINE
	mark.Config.Options = oc.OpenconfigBgpPolicy_BgpSetCommunityOptionType_ADD
	inline := mark.GetOrCreateInline().GetOrCreateConfig()
	inline.Communities = append(inline.Communities, oc.UnionString(tag))
	accept(in)

	stop := b.statement(toUplinks, "10")
	match := stop.GetOrCreateConditions().GetOrCreateBgpConditions().GetOrCreateMatchCommunitySet().GetOrCreateConfig()
	match.CommunitySet = ygot.String(taggedRoutes)
	if b.d.SetOptions {
		match.MatchSetOptions = oc.OpenconfigPolicyTypes_MatchSetOptionsType_ANY
	}
	stop.GetOrCreateActions().GetOrCreateConfig().PolicyResult = oc.OpenconfigRoutingPolicy_PolicyResultType_REJECT_ROUTE
	accept(b.statement(toUplinks, "20"))
}

func accept(s *statement) {
	s.GetOrCreateActions().GetOrCreateConfig().PolicyResult = oc.OpenconfigRoutingPolicy_PolicyResultType_ACCEPT_ROUTE
}

// statement adds a statement at the end of a policy.
func (b *builder) statement(policy, name string) *statement {
	d := b.dev.GetOrCreateRoutingPolicy().GetOrCreatePolicyDefinitions().GetOrCreatePolicyDefinition(policy)
	d.GetOrCreateConfig().Name = ygot.String(policy)
	all := d.GetOrCreateStatements()
	if all.Statement == nil {
		all.Statement = &statements{}
	}
	s, err := all.Statement.AppendNew(name)
	if err != nil {
		b.must(fmt.Errorf("policy %s: %w", policy, err))
		s = &statement{}
	}
	s.GetOrCreateConfig().Name = ygot.String(name)
	return s
}

// advertise puts the loopback and the rail subnets of the switch into BGP: the
// VLANs' exactly, or any /31 out of the rail prefix where hosts are routed, so
// that a server that is added changes its port and nothing else.
func (b *builder) advertise() {
	var rails []netip.Prefix
	for _, i := range b.sw.VLANs {
		if v := &b.f.VLANs[i]; v.Gateway.IsValid() {
			rails = append(rails, v.Subnet)
		}
	}
	place := 0
	permit := func(set string, prefixes []netip.Prefix, length string) {
		place += 10
		for _, p := range prefixes {
			b.prefix(set, p, length)
		}
		s := b.statement(ownRoutes, fmt.Sprint(place))
		m := s.GetOrCreateConditions().GetOrCreateMatchPrefixSet().GetOrCreateConfig()
		m.PrefixSet = ygot.String(set)
		if b.d.SetOptions {
			m.MatchSetOptions = oc.OpenconfigPolicyTypes_MatchSetOptionsRestrictedType_ANY
		}
		accept(s)
	}
	if b.f.Underlay.Loopbacks.IsValid() {
		permit(loopbacks, []netip.Prefix{b.f.Underlay.Loopbacks}, "32..32")
	}
	switch {
	case len(rails) > 0:
		slices.SortFunc(rails, netip.Prefix.Compare)
		permit(railSubnets, slices.Compact(rails), "exact")
	case b.sw.Role == fabric.Leaf && b.f.Underlay.HostMode == "routed" && b.f.Underlay.Rails.IsValid():
		permit(railSubnets, []netip.Prefix{b.f.Underlay.Rails}, "31..31")
	}
	if place > 0 {
		b.redistribute()
	}
}

func (b *builder) prefix(set string, p netip.Prefix, length string) {
	s := b.dev.GetOrCreateRoutingPolicy().GetOrCreateDefinedSets().GetOrCreatePrefixSets().GetOrCreatePrefixSet(set)
	c := s.GetOrCreateConfig()
	c.Name, c.Mode = ygot.String(set), oc.OpenconfigRoutingPolicy_RoutingPolicy_DefinedSets_PrefixSets_PrefixSet_Config_Mode_IPV4
	entry := s.GetOrCreatePrefixes().GetOrCreatePrefix(p.String(), length).GetOrCreateConfig()
	entry.IpPrefix, entry.MasklengthRange = ygot.String(p.String()), ygot.String(length)
}

// redistribute connects the table of connected routes to BGP's.
func (b *builder) redistribute() {
	ni := b.instance()
	p := ni.GetOrCreateProtocols().GetOrCreateProtocol(connected, b.d.Connected).GetOrCreateConfig()
	p.Identifier, p.Name = connected, ygot.String(b.d.Connected)
	for _, protocol := range []oc.E_OpenconfigPolicyTypes_INSTALL_PROTOCOL_TYPE{bgpProtocol, connected} {
		t := ni.GetOrCreateTables().GetOrCreateTable(protocol, ipv4).GetOrCreateConfig()
		t.Protocol, t.AddressFamily = protocol, ipv4
	}
	c := ni.GetOrCreateTableConnections().GetOrCreateTableConnection(connected, bgpProtocol, ipv4).GetOrCreateConfig()
	c.SrcProtocol, c.DstProtocol, c.AddressFamily = connected, bgpProtocol, ipv4
	c.ImportPolicy = []string{ownRoutes}
	c.DefaultImportPolicy = oc.OpenconfigRoutingPolicy_DefaultPolicyType_REJECT_ROUTE
}
