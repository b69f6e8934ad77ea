package audit

import (
	"bytes"
	"encoding/json"
	"fmt"
	"net/netip"
	"slices"
	"strings"
	"testing"
	"unicode/utf8"

	"railyard/generator/observed"
)

// sample is a switch with n routed ports, DSCP 26 lossless on priority 3, CNP on
// a strict queue 6. Port i of switch s faces port s of switch i.
func sample(s, n int) *observed.Switch {
	sw := &observed.Switch{Name: fmt.Sprintf("sw%02d", s), File: fmt.Sprintf("sw%02d.cfg", s), OS: "test"}
	m := &observed.Maps{Shared: true, DSCPAt: 10}
	for _, x := range []*[8]observed.Step{&m.Dot1p, &m.Queue, &m.Group, &m.Priority, &m.Pause} {
		observed.Identity(x)
	}
	m.DSCP[26] = observed.Step{To: 3, At: 11}
	m.DSCP[cnp] = observed.Step{To: 6, At: 12}
	band := &observed.ECN{Min: 100, Max: 400, Unit: "cells", Percent: 20, Active: true, At: 20}
	for i := range n {
		a, b := min(s, i), max(s, i)
		p := observed.Port{Name: fmt.Sprintf("port%d", i), At: observed.Line(100 + 10*i), SpeedGbps: 400, Trust: observed.TrustDSCP, Maps: m,
			MTU: observed.MTU{Bytes: 9216, At: observed.Line(101 + 10*i), IP: true},
			PFC: observed.PFC{On: true, OnAt: observed.Line(102 + 10*i), Priorities: observed.Set(0).With(3), At: observed.Line(103 + 10*i)}}
		p.Addresses = []netip.Prefix{netip.PrefixFrom(netip.AddrFrom4([4]byte{10, byte(a), byte(b), byte(bool2(s != a))}), 31)}
		p.Queues[3] = observed.Queue{ECN: band, ECNAt: observed.Line(104 + 10*i), Sched: observed.Weighted, Weight: 60, SchedAt: 30}
		p.Queues[6] = observed.Queue{Sched: observed.Strict, SchedAt: 31}
		p.Watch = observed.Watch{Known: true, Priorities: p.PFC.Priorities, At: observed.Line(105 + 10*i)}
		if i == s {
			p.Down = true
		}
		sw.Ports = append(sw.Ports, p)
	}
	sw.Watchdog = observed.Watchdog{Enabled: true, At: 5}
	return sw
}

func bool2(b bool) int { return b2i(b) }

func mesh(n int) *observed.Network {
	net := &observed.Network{}
	for s := range n {
		net.Switches = append(net.Switches, sample(s, n))
	}
	return net
}

func codes(r *Report) string {
	var out []string
	for _, f := range r.Findings {
		out = append(out, fmt.Sprintf("%s %s %s %d", f.Code, f.Switch, f.Port, f.Line))
	}
	return strings.Join(out, "; ")
}

func TestMeshIsClean(t *testing.T) {
	r := Judge(mesh(6), nil)
	if len(r.Findings) != 0 || len(r.Links) != 15 || r.Lossless != 6 {
		t.Errorf("%s, %d links", codes(r), len(r.Links))
	}
}

// TestJudgements changes one fact of a mesh of six.
func TestJudgements(t *testing.T) {
	own := func(sw *observed.Switch) *observed.Maps {
		m := *sw.Ports[0].Maps
		for i := range sw.Ports {
			sw.Ports[i].Maps = &m
		}
		return &m
	}
	tests := []struct {
		name   string
		change func(sw *observed.Switch)
		want   string
	}{
		{"wide defaults beside a narrow map", func(sw *observed.Switch) {
			m := own(sw)
			for d := 24; d < 32; d++ {
				m.DSCP[d] = observed.Step{To: 3}
			}
		}, "CLASS_WIDER sw02  10"},
		{"two code points more", func(sw *observed.Switch) { own(sw).DSCP[30] = observed.Step{To: 3, At: 13} }, "CLASS_WIDER sw02  13"},
		{"class lost", func(sw *observed.Switch) { own(sw).DSCP[26] = observed.Step{To: 1, At: 14} }, "CLASS_MISMATCH sw02  14"},
		{"group of another priority", func(sw *observed.Switch) { own(sw).Group[3] = observed.Step{To: 0, At: 15} }, "GROUP_LOSSY sw02  15"},
		{"a pause of another queue", func(sw *observed.Switch) { own(sw).Pause[3] = observed.Step{To: 1, At: 16} }, "QUEUE_MISMATCH sw02  16"},
		{"a port shut", func(sw *observed.Switch) { sw.Ports[4].Down, sw.Ports[4].PFC.On = true, false }, ""},
		{"a priority more on a link", func(sw *observed.Switch) { sw.Ports[4].PFC.Priorities = sw.Ports[4].PFC.Priorities.With(5) }, "PFC_PRIORITY_DIFFERS sw02 port4 143"},
		{"nothing anywhere", func(sw *observed.Switch) {
			for i := range sw.Ports {
				sw.Ports[i].PFC = observed.PFC{}
			}
		}, "PFC_ONE_END sw02  100"},
		{"global pause", func(sw *observed.Switch) { sw.Ports[4].PauseAll = 149 }, "FLOW_CONTROL sw02 port4 149"},
		{"watchdog nowhere", func(sw *observed.Switch) {
			for i := range sw.Ports {
				sw.Ports[i].Watch.Priorities = 0
			}
		}, "WATCHDOG_MISSING sw02  5"},
		{"band upside down", func(sw *observed.Switch) {
			sw.Ports[4].Queues[3].ECN = &observed.ECN{Min: 500, Max: 400, Unit: "cells", Active: true, At: 21}
		}, "ECN_BAND sw02 port4 21"},
		{"xoff in the other unit", func(sw *observed.Switch) {
			sw.Ports[4].Queues[3].ECN = &observed.ECN{Min: 500_000, Max: 900_000, Unit: "bytes", Active: true, At: 22}
			sw.Ports[4].Buffers = []observed.Buffer{{Priority: 3, Xoff: 125, XoffUnit: "kbytes", XoffAt: 23}}
		}, "ECN_ABOVE_XOFF sw02 port4 23"},
		{"units that cannot be compared", func(sw *observed.Switch) {
			sw.Ports[4].Buffers = []observed.Buffer{{Priority: 3, Xoff: 1, XoffUnit: "segments", XoffAt: 23}}
		}, "BUFFER_DIFFERS sw02 port4 23"},
		{"no length declared", func(sw *observed.Switch) {
			for i := range sw.Ports {
				sw.Ports[i].CableM, sw.Ports[i].CableAt = 40, 50
			}
			sw.Ports[4].CableM = 0
		}, "HEADROOM_NONE sw02 port4 140"},
		{"zero metres", func(sw *observed.Switch) { sw.Ports[4].NoCable, sw.Ports[4].CableAt = true, 51 }, "HEADROOM_NONE sw02 port4 51"},
		{"headroom below the wire", func(sw *observed.Switch) {
			sw.Ports[4].Buffers = []observed.Buffer{{Priority: 3, Headroom: 30000, Unit: "bytes", At: 52, LengthM: 300}}
		}, "HEADROOM_SHORT sw02 port4 52"},
	}
	for _, x := range tests {
		net := mesh(6)
		x.change(net.Switches[2])
		if got := codes(Judge(net, nil)); got != x.want {
			t.Errorf("%s: got %q, want %q", x.name, got, x.want)
		}
	}
}

// TestSeparateFabrics: two fabrics that are not wired to each other may differ.
func TestSeparateFabrics(t *testing.T) {
	net := mesh(4)
	for s := range 4 {
		sw := sample(s, 4)
		sw.Name, sw.File = "other-"+sw.Name, "other-"+sw.File
		m := *sw.Ports[0].Maps
		m.DSCP[26], m.DSCP[33] = observed.Step{}, observed.Step{To: 4, At: 11}
		for i := range sw.Ports {
			p := &sw.Ports[i]
			p.Maps, p.PFC.Priorities, p.Watch.Priorities = &m, observed.Set(0).With(4), observed.Set(0).With(4)
			p.Queues[3], p.Queues[4] = p.Queues[4], p.Queues[3]
			a := p.Addresses[0]
			b := a.Addr().As4()
			b[0] = 11
			p.Addresses[0] = netip.PrefixFrom(netip.AddrFrom4(b), 31)
		}
		net.Switches = append(net.Switches, sw)
	}
	slices.SortFunc(net.Switches, func(a, b *observed.Switch) int { return strings.Compare(a.Name, b.Name) })
	if r := Judge(net, nil); len(r.Findings) != 0 {
		t.Error(codes(r))
	}
}

// TestEvidence: subnets before LLDP before descriptions, never two links a port.
func TestEvidence(t *testing.T) {
	net := mesh(3)
	a, b, c := net.Switches[0], net.Switches[1], net.Switches[2]
	for _, sw := range net.Switches {
		sw.Ports = append(sw.Ports, sw.Ports[0], sw.Ports[0])
		for i := 3; i < 5; i++ {
			p := &sw.Ports[i]
			p.Name, p.Addresses, p.Down, p.At = fmt.Sprintf("port%d", i), nil, false, observed.Line(100+10*i)
		}
	}
	net.Neighbors = []observed.Neighbor{{Switch: "sw00", Port: "port3", Remote: "sw01", RemotePort: "port3"}, {Switch: "sw00", Port: "port1", Remote: "sw02", RemotePort: "port3"}}
	a.Ports[4].Description = "to SW02 port 4"
	c.Ports[4].Alias = "etp5"
	b.Ports[4].Description = "sw02:port3"
	c.Ports[3].Neighbor, c.Ports[3].NeighborPort = "sw01", "port4"
	a.Ports[3].Description = "sw02:port4"
	var got []string
	for _, l := range Judge(net, nil).Links {
		got = append(got, l.A.Switch+" "+l.A.Port+" "+l.B.Switch+" "+l.B.Port+" "+l.Evidence)
	}
	want := []string{"sw00 port1 sw01 port0 subnet", "sw00 port2 sw02 port0 subnet", "sw00 port3 sw01 port3 lldp", "sw00 port4 sw02 port4 description",
		"sw01 port2 sw02 port1 subnet", "sw01 port4 sw02 port3 description"}
	if !slices.Equal(got, want) {
		t.Errorf("got\n%s", strings.Join(got, "\n"))
	}
}

func TestCables(t *testing.T) {
	c, err := ReadCables("c.csv", strings.NewReader("label,cable,kind,a_device,a_port,a_panel,b_device,b_port,b_panel,speed_gbps,length_m,type,plane,rail\nx,0,fabric,leaf,FourHundredGigE1/0/1,1,spine,Ethernet1/1,1,400,30.5,smf,0,0\n"))
	if err != nil {
		t.Fatal(err)
	}
	for _, end := range [][2]string{{"leaf", "400GE1/0/1"}, {"SPINE", "Et1/1"}} {
		if m, ok := c.length(end[0], end[1], ""); !ok || m != 30.5 {
			t.Errorf("%v: %v %v", end, m, ok)
		}
	}
	c, err = ReadCables("c.csv", strings.NewReader("# own list\nleaf:400GE1/0/1:2, spine Ethernet8, 5m\n"))
	if m, ok := c.length("leaf", "FourHundredGigE1/0/1:2", ""); err != nil || !ok || m != 5 {
		t.Errorf("%v %v %v", m, ok, err)
	}
	for body, want := range map[string]string{
		"":                       "no cables",
		"a:1,b:2,long":           `c.csv:1: "long" is no length`,
		"a:1,b:2,5\nx,b:3,5":     `c.csv:2: "x" is no SWITCH:PORT`,
		"a:1,b:2,-4\na:2,b:1,-3": "c.csv:2",
		"a,b,length\n\"a:1,b,5":  "c.csv",
	} {
		if _, err := ReadCables("c.csv", strings.NewReader(body)); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%q: %v, want %s", body, err, want)
		}
	}
}

func FuzzReadCables(f *testing.F) {
	f.Add("a_device,a_port,b_device,b_port,length_m\nx,1,y,2,5\n")
	f.Add("a:1,b:2,5")
	f.Fuzz(func(t *testing.T, body string) {
		c, err := ReadCables("c", strings.NewReader(body))
		if err == nil && len(c.lengths) == 0 {
			t.Error("no cables and no error")
		}
	})
}

// TestText: findings that are alike are one paragraph, no line is too wide.
func TestText(t *testing.T) {
	net := mesh(20)
	for _, sw := range net.Switches[:12] {
		sw.Ports[19].MTU.Bytes = 1500
		sw.Name += strings.Repeat("-with-a-long-name", 4)
	}
	net.Unreadable = []observed.Unreadable{{Name: "bad", File: "bad.cfg", OS: "eos", Line: 7, Reason: strings.Repeat("a long reason ", 12)}}
	net.Quote = func(file string, line observed.Line) string { return strings.Repeat("mtu ", 60) }
	r := Judge(net, nil)
	var out bytes.Buffer
	if err := r.Text(&out); err != nil {
		t.Fatal(err)
	}
	text := out.String()
	for l := range strings.Lines(text) {
		if n := utf8.RuneCountInString(strings.TrimRight(l, "\n")); n > width {
			t.Errorf("%d columns: %s", n, l)
		}
	}
	for _, want := range []string{"20 switches judged", "bad.cfg:7: a long reason", "and 4 more on 4 switches", "190 links (190 by subnet)"} {
		if !strings.Contains(text, want) {
			t.Errorf("%q is not in\n%s", want, text)
		}
	}
	if n := strings.Count(text, "MTU_MISMATCH"); n != 1 {
		t.Errorf("MTU_MISMATCH stands %d times", n)
	}
	if !r.Trouble() || !r.AtLeast(observed.Error) {
		t.Error("trouble and errors expected")
	}
}

// TestJSON holds the parts that others rely on (design, section 8).
func TestJSON(t *testing.T) {
	net := mesh(2)
	net.Switches[1].Ports[0].PFC.On = false
	net.Switches[1].Ports[0].PFC.Priorities = 0
	net.Unreadable = []observed.Unreadable{{Name: "zz", File: "zz.cfg", Reason: "binary"}}
	var out bytes.Buffer
	if err := Judge(net, nil).JSON(&out); err != nil {
		t.Fatal(err)
	}
	var doc struct {
		FormatVersion string `json:"format_version"`
		Switches      []struct {
			Name, File, OS, Status string
			Model                  *struct {
				Priorities []int             `json:"lossless_priorities"`
				Trust      map[string]string `json:"trust"`
				DSCP       map[string]int    `json:"dscp_to_priority"`
				ECN        []map[string]any  `json:"ecn"`
				PFC        []string          `json:"pfc_ports"`
				Scheduler  map[string]string `json:"scheduler"`
				MTU        map[string]int    `json:"mtu"`
				Watchdog   map[string]any    `json:"watchdog"`
			}
		}
		Links    []map[string]any
		Findings []map[string]any
	}
	if err := json.Unmarshal(out.Bytes(), &doc); err != nil {
		t.Fatal(err)
	}
	m := doc.Switches[0].Model
	if doc.FormatVersion != "1.0" || len(doc.Switches) != 3 || doc.Switches[2].Status != "unreadable" || doc.Switches[2].Model != nil || doc.Switches[0].Status != "ok" {
		t.Errorf("%s", out.String())
	}
	if !slices.Equal(m.Priorities, []int{3}) || m.Trust["port1"] != "dscp" || m.DSCP["26"] != 3 || m.DSCP["48"] != 6 || m.Scheduler["6"] != "strict" || m.Scheduler["3"] != "dwrr 60" || m.MTU["port1"] != 9216 || !slices.Equal(m.PFC, []string{"port1"}) {
		t.Errorf("%+v", m)
	}
	if e := m.ECN[0]; e["queue"] != 3.0 || e["min"] != 100.0 || e["max"] != 400.0 || e["unit"] != "cells" || e["pmax_percent"] != 20.0 || e["active"] != true {
		t.Errorf("%+v", e)
	}
	if len(doc.Links) != 1 || doc.Links[0]["evidence"] != "subnet" {
		t.Errorf("%+v", doc.Links)
	}
	if len(doc.Findings) != 1 {
		t.Fatalf("%+v", doc.Findings)
	}
	for _, key := range []string{"severity", "code", "aspect", "switch", "port", "file", "line", "text", "message", "remedy"} {
		if _, ok := doc.Findings[0][key]; !ok {
			t.Errorf("a finding has no %s", key)
		}
	}
}

func TestDeterminism(t *testing.T) {
	var first string
	for range 20 {
		net := mesh(7)
		net.Switches[2].Ports[4].MTU.Bytes = 1500
		net.Switches[3].Ports[5].PFC.Priorities = observed.Set(0).With(4)
		net.Switches[6].Ports[1].Trust = observed.TrustNone
		var out bytes.Buffer
		if err := Judge(net, nil).JSON(&out); err != nil {
			t.Fatal(err)
		}
		if first == "" {
			first = out.String()
		}
		if out.String() != first {
			t.Fatal("two runs differ")
		}
	}
}

func TestSelect(t *testing.T) {
	net := mesh(4)
	net.Switches[0].Ports[2].MTU.Bytes, net.Switches[1].Ports[3].MTU.Bytes = 1500, 1500
	r := Judge(net, nil)
	if err := r.Select("sw00"); err != nil || len(r.Findings) != 1 || len(r.Links) != 3 {
		t.Errorf("%v %s %d", err, codes(r), len(r.Links))
	}
	if r.Select("[") == nil {
		t.Error("a broken pattern")
	}
}
