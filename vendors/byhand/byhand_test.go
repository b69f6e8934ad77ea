package byhand

import (
	"net/netip"
	"slices"
	"testing"

	"railyard/generator/fabric"
	"railyard/vendors/lab"
)

// What a person has to type must be there to the last number.
func TestWords(t *testing.T) {
	f := lab.Base(lab.Panel("acme", "box", "th5", 2, 400, "QSFP-DD"))
	f.VLANs = []fabric.VLAN{{ID: 100, Subnet: lab.Prefix("10.16.0.0/24"), Gateway: lab.Prefix("10.16.0.1/24")}}
	leaf := fabric.Switch{Name: "leaf", Role: fabric.Leaf, ASN: 4200010000, Loopback: lab.Addr("10.255.0.11"), VLANs: []int{0}, NoTransit: true}
	lab.Cage(&leaf, 1, 1, 400, fabric.UnusedPort)
	lab.Cage(&leaf, 2, 1, 400, fabric.UnusedPort)
	spine := fabric.Switch{Name: "spine", Role: fabric.Spine, ASN: 4200001000}
	lab.Cage(&spine, 1, 1, 400, fabric.UnusedPort)
	l, s := lab.AddSwitch(f, leaf), lab.AddSwitch(f, spine)
	lab.Host(f, l, 0, "gpu-001", 0, 0, 0)
	lab.Wire(f, l, 1, s, 0, 0, "10.240.0.0/31")
	name := func(_ *fabric.Model, p *fabric.Port) string { return "port" + string(rune('0'+p.Cage)) }
	for what, c := range map[string]struct{ got, want []string }{
		"lossless": {Lossless(f, &f.Switches[l]), []string{
			"class default: all other DSCP, priority 0, traffic class 0, queue 0, 20 percent",
			"class roce: DSCP 26, priority 3, traffic class 3, queue 3, 80 percent, PFC, ECN",
			"class cnp: DSCP 48, priority 6, traffic class 6, queue 6, strict priority",
			"class control: DSCP 56, priority 7, traffic class 7, queue 7, strict priority",
			"ports at 400G with 5 m: xoff 393192 bytes, xon 2032 bytes, alpha 2^-3; ECN from 400000 to 1600000 bytes, 20 percent at most",
			"PFC watchdog: detect after 200ms, restore after 400ms, drop"}},
		"routing": {Routing(f, &f.Switches[l], name), []string{
			"AS 4200010000, 2 equal-cost paths", "router id and announced network: 10.255.0.11", "announced network: 10.16.0.0/24",
			"routes learned from a higher switch must not be sent to another", "port2: neighbour 10.240.0.1, AS 4200001000"}},
		"management": {Management(f), []string{"management gateway: 192.168.100.1", "NTP server: 192.168.100.3", "NTP server: 192.168.100.2",
			"DNS server: 192.168.100.2", "syslog server: 192.168.100.4", "user admin, admin"}},
	} {
		if !slices.Equal(c.got, c.want) {
			t.Errorf("%s: %q", what, c.got)
		}
	}
	f.Underlay.BGP, f.Lossless = false, nil
	f.Management = fabric.Management{NTP: []netip.Addr{}}
	if a, b, c := Lossless(f, &f.Switches[l]), Routing(f, &f.Switches[l], name), Management(f); a != nil || b != nil || c != nil {
		t.Errorf("nothing to do by hand: %q %q %q", a, b, c)
	}
}
