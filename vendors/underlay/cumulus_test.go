package underlay

import (
	"bytes"
	"fmt"
	"maps"
	"net/netip"
	"slices"
	"strings"

	"gopkg.in/yaml.v3"
)

// nvue is what routing needs of an NVUE document. The sections router and vrf
// are read strictly: a key that stands here in no field is an error.
type nvue struct {
	Bridge struct {
		Domain map[string]struct {
			VLAN map[string]any `yaml:"vlan"`
		} `yaml:"domain"`
	} `yaml:"bridge"`
	Interface map[string]struct {
		Type   string    `yaml:"type"`
		VLAN   string    `yaml:"vlan"`
		IP     nvueIP    `yaml:"ip"`   // to 5.14
		IPv4   nvueIP    `yaml:"ipv4"` // from 5.15
		Bridge yaml.Node `yaml:"bridge"`
		Link   struct {
			State struct {
				Down yaml.Node `yaml:"down"`
			} `yaml:"state"`
		} `yaml:"link"`
	} `yaml:"interface"`
	Router yaml.Node            `yaml:"router"`
	VRF    map[string]yaml.Node `yaml:"vrf"`
}

type nvueIP struct {
	Address map[string]any `yaml:"address"`
}

func (a nvueIP) prefix() netip.Prefix {
	for k := range a.Address {
		if p, err := netip.ParsePrefix(k); err == nil {
			return p
		}
	}
	return netip.Prefix{}
}

// nvueOn is a feature's switch: enable: on until 5.14, state: enabled since.
type nvueOn struct {
	Enable string `yaml:"enable"`
	State  string `yaml:"state"`
}

func (o nvueOn) on() bool { return o.Enable == "on" || o.State == "enabled" }

type nvueRouter struct {
	BGP struct {
		nvueOn `yaml:",inline"`
		AS     string `yaml:"autonomous-system"`
		ID     string `yaml:"router-id"`
	} `yaml:"bgp"`
	Policy struct {
		CommunityList map[string]struct {
			Rule map[string]struct {
				Action    string         `yaml:"action"`
				Community map[string]any `yaml:"community"`
			} `yaml:"rule"`
		} `yaml:"community-list"`
		RouteMap map[string]struct {
			Rule map[string]struct {
				Action map[string]any `yaml:"action"`
				Match  struct {
					CommunityList string `yaml:"community-list"`
				} `yaml:"match"`
				Set struct {
					Community map[string]any `yaml:"community"`
				} `yaml:"set"`
			} `yaml:"rule"`
		} `yaml:"route-map"`
	} `yaml:"policy"`
}

type nvueVRF struct {
	Router struct {
		BGP struct {
			nvueOn        `yaml:",inline"`
			AddressFamily struct {
				IPv4 struct {
					nvueOn     `yaml:",inline"`
					Multipaths struct {
						EBGP int `yaml:"ebgp"`
					} `yaml:"multipaths"`
					Network map[string]any `yaml:"network"`
				} `yaml:"ipv4-unicast"`
			} `yaml:"address-family"`
			Neighbor map[string]struct {
				AddressFamily struct {
					IPv4 struct {
						Policy struct {
							Inbound, Outbound struct {
								RouteMap string `yaml:"route-map"`
							}
						} `yaml:"policy"`
					} `yaml:"ipv4-unicast"`
				} `yaml:"address-family"`
				RemoteAS string `yaml:"remote-as"`
				Type     string `yaml:"type"`
			} `yaml:"neighbor"`
			PathSelection struct {
				Multipath struct {
					IgnorePath string `yaml:"aspath-ignore"`
				} `yaml:"multipath"`
			} `yaml:"path-selection"`
		} `yaml:"bgp"`
	} `yaml:"router"`
}

// strictly decodes a section and refuses keys that v has no field for.
func strictly(n *yaml.Node, v any) error {
	text, err := yaml.Marshal(n)
	if err != nil {
		return err
	}
	d := yaml.NewDecoder(bytes.NewReader(text))
	d.KnownFields(true)
	return d.Decode(v)
}

// readCumulus reads a startup.yaml. What NVUE does by itself: sessions are in
// IPv4 unicast, unnumbered ones carry IPv4 over IPv6 next hops, switch ports have
// link-local addresses, forwarding is on.
func readCumulus(text []byte) (*device, error) {
	var steps []struct {
		Set nvue `yaml:"set"`
	}
	if err := yaml.Unmarshal(text, &steps); err != nil {
		return nil, err
	}
	if len(steps) != 1 {
		return nil, fmt.Errorf("%d steps, not one set", len(steps))
	}
	doc := &steps[0].Set
	d := &device{forwards: true, links: map[string]link{}}
	var r complaints
	for name, i := range doc.Interface {
		address := i.IP.prefix()
		if !address.IsValid() {
			address = i.IPv4.prefix()
		}
		_, known := doc.Bridge.Domain["br_default"].VLAN[i.VLAN]
		switch {
		case i.Type == "eth" || !i.Link.State.Down.IsZero():
		case i.Type == "loopback":
			d.loopback = address
		case i.Type == "svi" && !known:
			r.add("%s: vlan %q is not in the bridge", name, i.VLAN)
		case i.Type == "svi":
			d.stubs = append(d.stubs, address)
		case i.Type == "swp" && i.Bridge.IsZero():
			d.links[name] = link{address, true}
		case i.Type != "swp" || address.IsValid():
			r.add("%s: an address on a bridge port, or an unknown type %q", name, i.Type)
		}
	}
	slices.SortFunc(d.stubs, netip.Prefix.Compare)
	routing, err := doc.bgp()
	if err != nil {
		r.add("%w", err)
	}
	d.routing = routing
	return d, r.err()
}

func (doc *nvue) bgp() (string, error) {
	var router nvueRouter
	var vrf nvueVRF
	section := doc.VRF["default"]
	if err := strictly(&doc.Router, &router); err != nil {
		return "", err
	}
	if err := strictly(&section, &vrf); err != nil {
		return "", err
	}
	in := &vrf.Router.BGP
	if !router.BGP.on() || !in.on() || !in.AddressFamily.IPv4.on() {
		return "", fmt.Errorf("bgp or its address family is not enabled")
	}
	b := &bgp{asn: router.BGP.AS, routerID: router.BGP.ID, paths: in.AddressFamily.IPv4.Multipaths.EBGP, lists: router.policy()}
	switch in.PathSelection.Multipath.IgnorePath {
	case "on", "enabled":
		b.relax = true
	}
	b.networks = slices.Sorted(maps.Keys(in.AddressFamily.IPv4.Network))
	for _, id := range slices.Sorted(maps.Keys(in.Neighbor)) {
		n := in.Neighbor[id]
		p := b.peer(id)
		p.asn, p.enabled, p.in, p.out = n.RemoteAS, true, n.AddressFamily.IPv4.Policy.Inbound.RouteMap, n.AddressFamily.IPv4.Policy.Outbound.RouteMap
		p.iface, p.nextHop6 = n.Type == "unnumbered", n.Type == "unnumbered"
		for _, m := range []string{p.in, p.out} {
			if _, ok := router.Policy.RouteMap[m]; m != "" && !ok {
				return "", fmt.Errorf("route map %s is not defined", m)
			}
		}
	}
	return b.frr(), nil
}

// policy is the lists and route maps as NVUE hands them to FRR.
func (r *nvueRouter) policy() []string {
	var lines []string
	for _, name := range slices.Sorted(maps.Keys(r.Policy.CommunityList)) {
		rules := r.Policy.CommunityList[name].Rule
		for _, n := range slices.Sorted(maps.Keys(rules)) {
			communities := slices.Sorted(maps.Keys(rules[n].Community))
			lines = append(lines, fmt.Sprintf("bgp community-list standard %s seq %s %s %s", name, n, rules[n].Action, strings.Join(communities, " ")))
		}
	}
	for _, name := range slices.Sorted(maps.Keys(r.Policy.RouteMap)) {
		rules := r.Policy.RouteMap[name].Rule
		for _, n := range slices.Sorted(maps.Keys(rules)) {
			for action := range rules[n].Action {
				lines = append(lines, fmt.Sprintf("route-map %s %s %s", name, action, n))
			}
			if l := rules[n].Match.CommunityList; l != "" {
				lines = append(lines, " match community "+l)
			}
			if c := slices.Sorted(maps.Keys(rules[n].Set.Community)); len(c) > 0 {
				lines = append(lines, " set community "+strings.Join(c, " "))
			}
			lines = append(lines, "exit")
		}
	}
	return lines
}
