package underlay

import (
	"errors"
	"fmt"
	"net/netip"
	"slices"
	"strconv"
	"strings"
)

// device is what one switch's files say about routing.
type device struct {
	forwards bool // IPv4 forwarding is on
	loopback netip.Prefix
	links    map[string]link // routed ports by the OS's own name
	stubs    []netip.Prefix  // gateway addresses of the rail VLANs that exist
	routing  string          // FRR configuration, ports under their Linux names
}

// link is one routed port that is up.
type link struct {
	address   netip.Prefix
	linkLocal bool // IPv6 link-local addresses are on
}

// linuxName is a port's name as a network device: at most 15 characters and no
// slash. What fits stays (Ethernet512), slashes and colons become dashes
// (400GE1-0-1), and longer words shrink to their capitals (FHGE1-0-1). The lab
// refuses two ports of a switch with the same name.
func linuxName(port string) string {
	port = strings.NewReplacer("/", "-", ":", "-").Replace(port)
	if len(port) <= 15 {
		return port
	}
	word := strings.IndexAny(port, "0123456789")
	capitals := strings.Map(func(r rune) rune {
		if r < 'A' || r > 'Z' {
			return -1
		}
		return r
	}, port[:word])
	return capitals + port[word:]
}

// bgp is a router bgp section in FRR's terms, whatever text it was read from.
type bgp struct {
	asn, routerID string
	relax         bool
	restart       bool     // graceful restart
	paths         int      // equal-cost paths
	networks      []string // prefixes
	redistribute  string   // route map of connected routes; "" for none
	lists         []string // lists and route maps, as FRR writes them
	peers         []*peer
}

// peer is one session.
type peer struct {
	id, asn       string
	iface         bool // id is a port
	in, out       string
	outPaths      string // as-path list of what is sent
	enabled       bool   // in IPv4 unicast
	nextHop6      bool
	noCommunities bool // the OS sends none unless told
}

func (b *bgp) peer(id string) *peer {
	if i := slices.IndexFunc(b.peers, func(p *peer) bool { return p.id == id }); i >= 0 {
		return b.peers[i]
	}
	p := &peer{id: id}
	b.peers = append(b.peers, p)
	return p
}

// frr writes the section. Everything whose default differs between systems is
// written out.
func (b *bgp) frr() string {
	var out strings.Builder
	say := func(format string, args ...any) { fmt.Fprintf(&out, format+"\n", args...) }
	for _, l := range b.lists {
		say("%s", l)
	}
	say("router bgp %s", b.asn)
	if b.routerID != "" {
		say(" bgp router-id %s", b.routerID)
	}
	say(" no bgp default ipv4-unicast")
	say(" no bgp ebgp-requires-policy")
	if b.relax {
		say(" bgp bestpath as-path multipath-relax")
	}
	if b.restart {
		say(" bgp graceful-restart")
	}
	for _, p := range b.peers {
		word := ""
		if p.iface {
			word = " interface"
		}
		say(" neighbor %s%s remote-as %s", p.id, word, p.asn)
		if p.nextHop6 {
			say(" neighbor %s capability extended-nexthop", p.id)
		} else if p.iface {
			say(" no neighbor %s capability extended-nexthop", p.id)
		}
	}
	say(" address-family ipv4 unicast")
	for _, n := range b.networks {
		say("  network %s", n)
	}
	if b.redistribute != "" {
		say("  redistribute connected route-map %s", b.redistribute)
	}
	for _, p := range b.peers {
		if p.enabled {
			p.policy(say)
		}
	}
	say("  maximum-paths %d", max(b.paths, 1))
	say(" exit-address-family\nexit")
	return out.String()
}

func (p *peer) policy(say func(string, ...any)) {
	say("  neighbor %s activate", p.id)
	if p.noCommunities {
		say("  no neighbor %s send-community all", p.id)
	}
	if p.in != "" {
		say("  neighbor %s route-map %s in", p.id, p.in)
	}
	if p.out != "" {
		say("  neighbor %s route-map %s out", p.id, p.out)
	}
	if p.outPaths != "" {
		say("  neighbor %s filter-list %s out", p.id, p.outPaths)
	}
}

// number is a positive decimal number, 0 for anything else.
func number(s string) int {
	n, err := strconv.Atoi(s)
	if err != nil || n < 0 {
		return 0
	}
	return n
}

// complaints collects what a reader does not understand.
type complaints struct{ list []error }

func (c *complaints) add(format string, args ...any) {
	c.list = append(c.list, fmt.Errorf(format, args...))
}

func (c *complaints) err() error { return errors.Join(c.list...) }
