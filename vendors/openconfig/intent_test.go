package openconfig_test

import (
	"fmt"
	"net/netip"
	"slices"
	"strconv"
	"testing"

	"github.com/openconfig/ygot/ygot"

	"railyard/generator/fabric"
	"railyard/vendors/openconfig"
	"railyard/vendors/openconfig/oc"
)

// TestIntentSurvives reads each document back without the builder's help and
// holds it against the fabric.
func TestIntentSurvives(t *testing.T) {
	for name, f := range roceFabrics(t) {
		t.Run(name, func(t *testing.T) {
			for _, sw := range kinds(f) {
				doc, _ := build(t, f, sw, openconfig.Models())
				dev := &oc.Device{}
				if err := oc.Unmarshal(doc.JSON, dev); err != nil {
					t.Fatal(err)
				}
				r := &reader{t, f, sw, dev}
				r.ports()
				r.vlans()
				r.bgp()
				r.qos()
				again, err := ygot.EmitJSON(dev, &ygot.EmitJSONConfig{Format: ygot.RFC7951, Indent: "  ", SkipValidation: true,
					RFC7951Config: &ygot.RFC7951JSONConfig{AppendModuleName: true}})
				if err != nil || again+"\n" != string(doc.JSON) {
					t.Errorf("%s: reading the JSON back and writing it gives something else (%v)", sw.Name, err)
				}
			}
		})
	}
}

type reader struct {
	*testing.T
	f   *fabric.Fabric
	sw  *fabric.Switch
	dev *oc.Device
}

func (r *reader) ports() {
	r.Helper()
	want := 0
	for i := range r.sw.Ports {
		p := &r.sw.Ports[i]
		if p.Role == fabric.CellPort {
			continue
		}
		want++
		i := r.dev.GetInterfaces().GetInterface(p.Name)
		used := p.Link >= 0 && p.Role != fabric.UnusedPort
		if i == nil || *i.Config.Enabled != used {
			r.Errorf("%s %s: %+v, used %v", r.sw.Name, p.Name, i, used)
			continue
		}
		if !used {
			continue
		}
		if got, ok := i.GetEthernet().Config.PortSpeed.ΛMap()["E_OpenconfigIfEthernet_ETHERNET_SPEED"][int64(i.Ethernet.Config.PortSpeed)]; !ok || got.Name != fmt.Sprintf("SPEED_%dGB", p.SpeedGbps) {
			r.Errorf("%s runs at %s, plan %d Gb/s", p.Name, got.Name, p.SpeedGbps)
		}
		if int(*i.Config.Mtu) != r.f.Underlay.MTU+14 {
			r.Errorf("%s passes %d bytes, plan %d of payload", p.Name, *i.Config.Mtu, r.f.Underlay.MTU)
		}
		vlan := i.GetEthernet().GetSwitchedVlan().GetConfig()
		if p.VLAN >= 0 && (vlan == nil || int(*vlan.AccessVlan) != r.f.VLANs[p.VLAN].ID) || p.VLAN < 0 && vlan != nil {
			r.Errorf("%s: VLAN %+v", p.Name, vlan)
		}
		var addresses []netip.Prefix
		for ip, a := range addressesOf(i) {
			addresses = append(addresses, netip.PrefixFrom(netip.MustParseAddr(ip), int(*a.Config.PrefixLength)))
		}
		if p.Address.IsValid() && !slices.Equal(addresses, []netip.Prefix{p.Address}) || !p.Address.IsValid() && len(addresses) > 0 {
			r.Errorf("%s has %v, plan %v", p.Name, addresses, p.Address)
		}
	}
	for _, v := range r.sw.VLANs {
		if r.f.VLANs[v].Gateway.IsValid() {
			want++
		}
	}
	if r.sw.Loopback.IsValid() {
		want++
		lo := r.dev.GetInterfaces().GetInterface("Loopback0").GetSubinterfaces().GetSubinterface(0).GetIpv4().GetAddresses().GetAddress(r.sw.Loopback.String())
		if lo == nil || *lo.Config.PrefixLength != 32 {
			r.Errorf("loopback %v: %+v", r.sw.Loopback, lo)
		}
	}
	got := 0
	if all := r.dev.GetInterfaces(); all != nil { // a switch with cell ports only has none
		got = len(all.Interface)
	}
	if got != want {
		r.Errorf("%s: %d interfaces, want %d", r.sw.Name, got, want)
	}
}

func (r *reader) vlans() {
	for _, v := range r.sw.VLANs {
		vlan := &r.f.VLANs[v]
		entry := r.dev.GetNetworkInstances().GetNetworkInstance("DEFAULT").GetVlans().GetVlan(uint16(vlan.ID))
		if entry == nil || *entry.Config.Name != vlan.Name {
			r.Errorf("VLAN %d: %+v", vlan.ID, entry)
		}
		if !vlan.Gateway.IsValid() {
			continue
		}
		routed := r.dev.GetInterfaces().GetInterface(fmt.Sprintf("Vlan%d", vlan.ID)).GetRoutedVlan()
		a := routed.GetIpv4().GetAddresses().GetAddress(vlan.Gateway.Addr().String())
		if a == nil || int(*a.Config.PrefixLength) != vlan.Gateway.Bits() || routed.Config.Vlan != oc.UnionUint16(vlan.ID) {
			r.Errorf("gateway of VLAN %d: %+v", vlan.ID, routed)
		}
	}
}

func (r *reader) bgp() {
	p := r.dev.GetNetworkInstances().GetNetworkInstance("DEFAULT").GetProtocols().GetProtocol(oc.OpenconfigPolicyTypes_INSTALL_PROTOCOL_TYPE_BGP, "DEFAULT")
	if !r.f.Underlay.BGP || r.sw.ASN == 0 {
		if p != nil {
			r.Errorf("%s speaks BGP without a plan", r.sw.Name)
		}
		return
	}
	if *p.Bgp.Global.Config.As != r.sw.ASN || *p.Bgp.Global.Config.RouterId != r.sw.Loopback.String() {
		r.Errorf("%s: %+v", r.sw.Name, p.Bgp.Global.Config)
	}
	if r.f.Underlay.MaxPaths > 1 && int(*p.Bgp.Global.UseMultiplePaths.Ebgp.Config.MaximumPaths) != r.f.Underlay.MaxPaths {
		r.Errorf("%s: paths %d, plan %d", r.sw.Name, *p.Bgp.Global.UseMultiplePaths.Ebgp.Config.MaximumPaths, r.f.Underlay.MaxPaths)
	}
	sessions := 0
	for i := range r.sw.Ports {
		port := &r.sw.Ports[i]
		if port.PeerASN == 0 || port.Link < 0 || port.Unnumbered() {
			continue
		}
		sessions++
		n := p.Bgp.GetNeighbors().GetNeighbor(port.PeerAddress.String())
		group := "DOWNLINKS"
		if port.Role == fabric.UplinkPort {
			group = "UPLINKS"
		}
		if n == nil || *n.Config.PeerAs != port.PeerASN || *n.Config.PeerGroup != group {
			r.Errorf("%s: session to %v: %+v", port.Name, port.PeerAddress, n)
		}
	}
	if got := len(p.Bgp.GetNeighbors().Neighbor); got != sessions {
		r.Errorf("%s: %d neighbors, want %d", r.sw.Name, got, sessions)
	}
	r.advertised()
}

// advertised holds the prefix sets against what the switch owns.
func (r *reader) advertised() {
	sets := r.dev.GetRoutingPolicy().GetDefinedSets().GetPrefixSets()
	permitted := func(a netip.Prefix) bool {
		for _, s := range sets.PrefixSet {
			for key := range s.Prefixes.Prefix {
				p := netip.MustParsePrefix(key.IpPrefix)
				low, high := p.Bits(), p.Bits()
				if key.MasklengthRange != "exact" {
					if _, err := fmt.Sscanf(key.MasklengthRange, "%d..%d", &low, &high); err != nil {
						r.Fatal(err)
					}
				}
				if p.Contains(a.Addr()) && a.Bits() >= low && a.Bits() <= high {
					return true
				}
			}
		}
		return false
	}
	if !permitted(netip.PrefixFrom(r.sw.Loopback, 32)) {
		r.Errorf("%s does not advertise its loopback", r.sw.Name)
	}
	for _, v := range r.sw.VLANs {
		if g := r.f.VLANs[v].Gateway; g.IsValid() && !permitted(g.Masked()) {
			r.Errorf("%s does not advertise %v", r.sw.Name, g.Masked())
		}
	}
	for i := range r.sw.Ports {
		p := &r.sw.Ports[i]
		if !p.Address.IsValid() || p.Link < 0 {
			continue
		}
		if host := p.Role == fabric.HostPort; permitted(p.Address.Masked()) != host {
			r.Errorf("%s: advertised %v, a host port %v", p.Address, !host, host)
		}
	}
}

func (r *reader) qos() {
	l := r.f.Lossless
	q := r.dev.GetQos()
	for i := range r.sw.Ports {
		p := &r.sw.Ports[i]
		bound := q.GetInterfaces().GetInterface(p.Name)
		covered := l != nil && p.Profile >= 0 && p.Link >= 0 && p.Role != fabric.CellPort
		if covered != (bound != nil) {
			r.Errorf("%s: covered by the plan %v, bound %v", p.Name, covered, bound != nil)
		}
		if !covered {
			continue
		}
		for k := range l.Classes {
			c := &l.Classes[k]
			b := bound.GetOutput().GetQueues().GetQueue("queue-" + strconv.Itoa(c.Queue))
			if c.ECN != (b != nil) {
				r.Errorf("%s, class %s: %+v", p.Name, c.Name, b)
			}
			if b == nil {
				continue
			}
			w := q.GetQueueManagementProfiles().GetQueueManagementProfile(*b.Config.QueueManagementProfile).GetWred().GetUniform().GetConfig()
			plan := &l.Profiles[p.Profile]
			if w == nil || int(*w.MinThreshold) != plan.KminBytes || int(*w.MaxThreshold) != plan.KmaxBytes || int(*w.MaxDropProbabilityPercent) != plan.PmaxPercent || !*w.EnableEcn || *w.Drop {
				r.Errorf("%s: marking %+v, plan %d to %d bytes, %d %%", p.Name, w, plan.KminBytes, plan.KmaxBytes, plan.PmaxPercent)
			}
		}
	}
	if q != nil && r.f.RoCE != "v1" {
		r.codePoints()
	}
	if q != nil {
		r.scheduling()
	}
}

// codePoints follows each DSCP value to its queue.
func (r *reader) codePoints() {
	l, q := r.f.Lossless, r.dev.GetQos()
	got := map[uint8]int{}
	for _, term := range q.GetClassifiers().GetClassifier("RAILYARD-IPV4").Terms.Term {
		queue := *q.GetForwardingGroups().GetForwardingGroup(*term.Actions.Config.TargetGroup).Config.OutputQueue
		for _, d := range term.Conditions.Ipv4.Config.DscpSet {
			if _, twice := got[d]; twice {
				r.Errorf("DSCP %d stands in two terms", d)
			}
			got[d] = int(*q.GetQueues().GetQueue(queue).Config.QueueId)
		}
	}
	if v6 := q.GetClassifiers().GetClassifier("RAILYARD-IPV6"); len(v6.Terms.Term) != len(q.GetClassifiers().GetClassifier("RAILYARD-IPV4").Terms.Term) {
		r.Error("the classifiers of IPv4 and IPv6 differ")
	}
	for d := range 64 {
		want := l.Default()
		for i := range l.Classes {
			if slices.Contains(l.Classes[i].DSCP, d) {
				want = &l.Classes[i]
			}
		}
		if queue, ok := got[uint8(d)]; !ok || queue != want.Queue {
			r.Errorf("DSCP %d goes to queue %d, %s wants %d", d, queue, want.Name, want.Queue)
		}
	}
}

func (r *reader) scheduling() {
	policy := r.dev.GetQos().GetSchedulerPolicies().GetSchedulerPolicy("RAILYARD")
	for i := range r.f.Lossless.Classes {
		c := &r.f.Lossless.Classes[i]
		found := false
		for _, s := range policy.Schedulers.Scheduler {
			in := s.Inputs.Input["queue-"+strconv.Itoa(c.Queue)]
			if in == nil {
				continue
			}
			found = true
			strict := s.Config.Priority == oc.OpenconfigQos_Qos_SchedulerPolicies_SchedulerPolicy_Schedulers_Scheduler_Config_Priority_STRICT
			if strict != c.Strict || !strict && int(*in.Config.Weight) < c.WeightPercent {
				r.Errorf("class %s is served as %+v", c.Name, in.Config)
			}
		}
		if !found {
			r.Errorf("class %s is not served", c.Name)
		}
	}
}

type address = oc.OpenconfigInterfaces_Interfaces_Interface_Subinterfaces_Subinterface_Ipv4_Addresses_Address

func addressesOf(i *oc.OpenconfigInterfaces_Interfaces_Interface) map[string]*address {
	if a := i.GetSubinterfaces().GetSubinterface(0).GetIpv4().GetAddresses(); a != nil {
		return a.Address
	}
	return nil
}
