package comware

import (
	"fmt"
	"net/netip"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"railyard/generator/fabric"
)

// read is a configuration cut into its top-level sections: header → lines.
// One-liners of the system view are under "".
func read(text string) map[string][]string {
	sections := map[string][]string{}
	header := ""
	for _, line := range strings.Split(text, "\n") {
		switch {
		case line == "#":
			header = ""
		case line == "" || line == "return":
		case !strings.HasPrefix(line, " "):
			header = line
			sections[header] = []string{}
		default:
			sections[header] = append(sections[header], strings.TrimPrefix(line, " "))
		}
	}
	return sections
}

// numbers returns the numbers of every line that a pattern matches.
func numbers(lines []string, pattern string) [][]int {
	re := regexp.MustCompile("^" + pattern + "$")
	var out [][]int
	for _, line := range lines {
		if m := re.FindStringSubmatch(line); m != nil {
			var row []int
			for _, word := range m[1:] {
				n, err := strconv.Atoi(word)
				if err != nil {
					panic(err)
				}
				row = append(row, n)
			}
			out = append(out, row)
		}
	}
	return out
}

// alphaBands is the H3C RDMA table: first and last percentage of each alpha,
// 1/128 to 8.
var alphaBands = [][3]int{
	{-7, 0, 0}, {-6, 1, 1}, {-5, 2, 3}, {-4, 4, 5}, {-3, 6, 11}, {-2, 12, 20}, {-1, 21, 33}, {0, 34, 50}, {1, 51, 66}, {2, 67, 80}, {3, 81, 100},
}

func alphaOf(percent int) int {
	for _, b := range alphaBands {
		if percent >= b[1] && percent <= b[2] {
			return b[0]
		}
	}
	return 99
}

// TestIntentRoundTrip reads every lossless number back from the text.
func TestIntentRoundTrip(t *testing.T) {
	d := driver(t)
	each(t, func(t *testing.T, f *fabric.Fabric, sw *fabric.Switch, config, steps string) {
		text := read(config)
		for header, lines := range read(steps) { // blocks of ports without a documented name
			if strings.HasPrefix(header, "interface ") {
				text[header] = lines
			}
		}
		used := false
		for i := range sw.Ports {
			p := &sw.Ports[i]
			if p.Role == fabric.CellPort {
				continue
			}
			block, ok := text["interface "+d.PortName(f.ModelOf(sw), p)]
			if !ok {
				t.Errorf("no block for %s", p.Name)
				continue
			}
			checkPort(t, f, sw, p, block, text)
			used = used || p.Profile >= 0
		}
		if used {
			checkMaps(t, f.Lossless, text)
			checkWatchdog(t, f.Lossless, text[""])
		}
	})
}

func checkMaps(t *testing.T, l *fabric.Lossless, text map[string][]string) {
	t.Helper()
	// Factory tables of HPE 5950: DSCP div 8, and 2 0 1 3 4 5 6 7.
	var priority [64]int
	for v := range priority {
		priority[v] = v / 8
	}
	queue := []int{2, 0, 1, 3, 4, 5, 6, 7}
	for _, m := range numbers(text["qos map-table dscp-dot1p"], `import (\d+) export (\d+)`) {
		priority[m[0]] = m[1]
	}
	for _, m := range numbers(text["qos map-table dot1p-lp"], `import (\d+) export (\d+)`) {
		queue[m[0]] = m[1]
	}
	for v := range 64 {
		want := l.Default()
		for i := range l.Classes {
			if slices.Contains(l.Classes[i].DSCP, v) {
				want = &l.Classes[i]
			}
		}
		if priority[v] != want.Priority || queue[priority[v]] != want.Queue {
			t.Errorf("DSCP %d: priority %d, queue %d; class %s wants %d, %d", v, priority[v], queue[priority[v]], want.Name, want.Priority, want.Queue)
		}
	}
	for _, c := range l.Classes {
		shared := numbers(text[""], fmt.Sprintf(`buffer egress cell queue %d shared ratio (\d+)`, c.Queue))
		if got := len(shared) == 1 && shared[0][0] == 100; got != (c.Lossless || c.CNP) {
			t.Errorf("class %s: shared buffer %v", c.Name, shared)
		}
	}
	if !slices.Contains(text[""], "buffer apply") {
		t.Error("buffer settings are not applied")
	}
}

func checkWatchdog(t *testing.T, l *fabric.Lossless, lines []string) {
	t.Helper()
	unit := 10
	if slices.Contains(lines, "priority-flow-control deadlock precision high") {
		unit = 1
	}
	if slices.Contains(lines, "priority-flow-control deadlock precision low") {
		unit = 100
	}
	for _, c := range l.Classes {
		detect := numbers(lines, fmt.Sprintf(`priority-flow-control deadlock cos %d interval (\d+)`, c.Queue))
		restore := numbers(lines, fmt.Sprintf(`priority-flow-control deadlock auto-recover cos %d delay (\d+)`, c.Queue))
		if !c.Lossless || !l.Watchdog.Enabled {
			if len(detect)+len(restore) > 0 {
				t.Errorf("class %s: a watchdog nobody asked for", c.Name)
			}
			continue
		}
		if len(detect) != 1 || int64(detect[0][0]*unit) != l.Watchdog.Detect.Milliseconds() {
			t.Errorf("class %s: detection %v × %d ms, want %v", c.Name, detect, unit, l.Watchdog.Detect)
		}
		if len(restore) != 1 || int64(restore[0][0]*100) != l.Watchdog.Restore.Milliseconds() {
			t.Errorf("class %s: recovery %v × 100 ms, want %v", c.Name, restore, l.Watchdog.Restore)
		}
	}
	if got := slices.Contains(lines, "priority-flow-control deadlock auto-recover action discard"); got != (l.Watchdog.Action == "drop") {
		t.Errorf("discard: %v, action %q", got, l.Watchdog.Action)
	}
}

func checkPort(t *testing.T, f *fabric.Fabric, sw *fabric.Switch, p *fabric.Port, block []string, text map[string][]string) {
	t.Helper()
	has := func(line string) bool { return slices.Contains(block, line) }
	if has("shutdown") != (p.Link < 0) {
		t.Errorf("%s: shutdown %v, link %d", p.Name, has("shutdown"), p.Link)
	}
	if p.Link < 0 {
		want := "description unused"
		if p.Reserved {
			want = "description reserved"
		}
		if !has(want) {
			t.Errorf("%s: %q", p.Name, block)
		}
		return
	}
	if !has("description " + f.DeviceName(p.Peer) + ":" + f.PortName(p.Peer)) {
		t.Errorf("%s: peer %s is not described: %q", p.Name, f.PortName(p.Peer), block)
	}
	if p.Address.IsValid() && !has(fmt.Sprintf("ip address %s 255.255.255.254", p.Address.Addr())) {
		t.Errorf("%s: address %s is missing", p.Name, p.Address)
	}
	if p.VLAN >= 0 && (!has(fmt.Sprintf("port access vlan %d", f.VLANs[p.VLAN].ID)) || !has("stp edged-port")) {
		t.Errorf("%s: VLAN %d is missing", p.Name, f.VLANs[p.VLAN].ID)
	}
	if p.Profile < 0 {
		return
	}
	profile, cell := f.Lossless.Profiles[p.Profile], f.ModelOf(sw).CellBytes
	var priorities []string
	for _, c := range f.Lossless.Classes {
		if c.Lossless {
			priorities = append(priorities, strconv.Itoa(c.Priority))
			checkThresholds(t, p, profile, c, cell, block)
		}
		checkQueue(t, p, c, block)
	}
	if !has("priority-flow-control enable") || !has("priority-flow-control no-drop dot1p "+strings.Join(priorities, ",")) {
		t.Errorf("%s: PFC: %q", p.Name, block)
	}
	if !has("qos trust dscp") {
		t.Errorf("%s: DSCP is not trusted", p.Name)
	}
	if has("priority-flow-control deadlock enable") != f.Lossless.Watchdog.Enabled {
		t.Errorf("%s: watchdog", p.Name)
	}
	checkBand(t, f, p, profile, cell, block, text)
}

func checkThresholds(t *testing.T, p *fabric.Port, profile fabric.Profile, c fabric.Class, cell int, block []string) {
	t.Helper()
	headroom := numbers(block, fmt.Sprintf(`priority-flow-control dot1p %d headroom (\d+)`, c.Priority))
	switch {
	case cell == 0 && len(headroom) > 0:
		t.Errorf("%s: headroom in cells of unknown size", p.Name)
	case cell > 0 && (len(headroom) != 1 || headroom[0][0]*cell < profile.XoffBytes || (headroom[0][0]-1)*cell >= profile.XoffBytes):
		t.Errorf("%s: headroom %v cells of %d for %d bytes", p.Name, headroom, cell, profile.XoffBytes)
	}
	dynamic := numbers(block, fmt.Sprintf(`priority-flow-control dot1p %d ingress-buffer dynamic (\d+)`, c.Priority))
	if len(dynamic) != 1 || alphaOf(dynamic[0][0]) != profile.AlphaLog2 {
		t.Errorf("%s: dynamic %v for alpha 2^%d", p.Name, dynamic, profile.AlphaLog2)
	}
}

func checkQueue(t *testing.T, p *fabric.Port, c fabric.Class, block []string) {
	t.Helper()
	name := []string{"be", "af1", "af2", "af3", "af4", "ef", "cs6", "cs7"}[c.Queue]
	want := fmt.Sprintf("qos wfq %s group 1 byte-count %d", name, c.WeightPercent)
	if c.Strict {
		want = fmt.Sprintf("qos wfq %s group sp", name)
	}
	if !slices.Contains(block, want) || !slices.Contains(block, "qos wfq byte-count") {
		t.Errorf("%s: class %s: no %q", p.Name, c.Name, want)
	}
}

func checkBand(t *testing.T, f *fabric.Fabric, p *fabric.Port, profile fabric.Profile, cell int, block []string, text map[string][]string) {
	t.Helper()
	var table []string
	for _, line := range block {
		if name, ok := strings.CutPrefix(line, "qos wred apply "); ok {
			table = text["qos wred queue table "+name]
		}
	}
	if cell == 0 {
		if table != nil {
			t.Errorf("%s: limits in cells of unknown size", p.Name)
		}
		return
	}
	for _, c := range f.Lossless.Classes {
		rows := numbers(table, fmt.Sprintf(`queue %d drop-level (\d) low-limit (\d+) high-limit (\d+) discard-probability (\d+)`, c.Queue))
		marks := slices.Contains(table, fmt.Sprintf("queue %d ecn", c.Queue)) && slices.Contains(table, fmt.Sprintf("queue %d weighting-constant 0", c.Queue))
		if !c.ECN {
			if len(rows) > 0 || marks {
				t.Errorf("%s: class %s is marked", p.Name, c.Name)
			}
			continue
		}
		if len(rows) != 3 || !marks {
			t.Errorf("%s: class %s: %q", p.Name, c.Name, table)
			continue
		}
		for level, r := range rows {
			if r[0] != level || r[3] != profile.PmaxPercent ||
				r[1]*cell > profile.KminBytes || (r[1]+1)*cell <= profile.KminBytes ||
				r[2]*cell < profile.KmaxBytes || (r[2]-1)*cell >= profile.KmaxBytes {
				t.Errorf("%s: class %s: %v cells of %d for %d…%d bytes, %d %%", p.Name, c.Name, r, cell, profile.KminBytes, profile.KmaxBytes, profile.PmaxPercent)
			}
		}
	}
}

// TestRouting reads sessions, networks and policy back.
func TestRouting(t *testing.T) {
	each(t, func(t *testing.T, f *fabric.Fabric, sw *fabric.Switch, config, _ string) {
		text := read(config)
		lines, ok := text[fmt.Sprintf("bgp %d", sw.ASN)]
		if ok != (f.Underlay.BGP && sw.ASN != 0) {
			t.Fatalf("BGP section: %v", ok)
		}
		if !ok {
			return
		}
		has := func(format string, args ...any) {
			t.Helper()
			if line := fmt.Sprintf(format, args...); !slices.Contains(lines, line) {
				t.Errorf("no %q", line)
			}
		}
		has("router-id %s", sw.Loopback)
		has(" balance %d", f.Underlay.MaxPaths)
		has(" network %s 255.255.255.255", sw.Loopback)
		if slices.Contains(lines, " balance as-path-relax") != (f.Underlay.SpineASN == "unique") {
			t.Error("as-path-relax")
		}
		for _, v := range sw.VLANs {
			if f.VLANs[v].Gateway.IsValid() {
				has(" network %s 255.255.255.192", f.VLANs[v].Subnet.Addr())
			}
		}
		sessions := 0
		for _, p := range sw.Ports {
			if p.PeerASN == 0 {
				continue
			}
			sessions++
			has("peer %s as-number %d", p.PeerAddress, p.PeerASN)
			has(" peer %s enable", p.PeerAddress)
			filter := fmt.Sprintf(" peer %s as-path-acl 1 export", p.PeerAddress)
			if slices.Contains(lines, filter) != (sw.NoTransit && p.Role == fabric.UplinkPort) {
				t.Errorf("%s: export policy towards a %s", p.PeerAddress, p.Role)
			}
		}
		if got := strings.Count(strings.Join(lines, "\n"), " as-number "); got != sessions {
			t.Errorf("%d sessions, want %d", got, sessions)
		}
	})
}

// The announcements of a switch without transit: what Go's regexp makes of the
// lists, which use only ^ and $.
func TestOwnPaths(t *testing.T) {
	s := noTransit(t)
	for _, c := range []struct {
		sw   int
		path string
		want bool
	}{
		{0, "", true},                       // leaf: own networks
		{0, "4200001000", false},            // leaf: learned from a spine
		{1, "", true},                       // spine: own loopback
		{1, "4200010000", true},             // spine: its leaf
		{1, "4200000000 4200001001", false}, // spine: learned from a core
		{1, "42000100001", false},
	} {
		pass := false
		for _, p := range ownPaths(&s.Switches[c.sw]) {
			pass = pass || regexp.MustCompile(p).MatchString(c.path)
		}
		if pass != c.want {
			t.Errorf("switch %d announces %q upwards: %v", c.sw, c.path, pass)
		}
	}
}

// Two links between the same pair must describe each other.
func TestDescriptionsMeet(t *testing.T) {
	d := driver(t)
	f := leafSpine(t).done(d)
	for i := range f.Switches {
		for j := range f.Switches[i].Ports {
			p := &f.Switches[i].Ports[j]
			if p.Link < 0 || p.Peer.Kind != fabric.SwitchDevice {
				continue
			}
			back := f.Switches[p.Peer.Device].Ports[p.Peer.Port].Peer
			if got, want := describe(f, back), f.Switches[i].Name+":"+p.Name; got != want {
				t.Errorf("%s: %q", want, got)
			}
		}
	}
	odd := &fabric.Fabric{Switches: []fabric.Switch{{Name: "rack [7] <a>#?" + strings.Repeat("x", 90), Ports: []fabric.Port{{Cage: 1}}}}}
	if got := describe(odd, fabric.End{}); len(got) != 79 || !strings.HasPrefix(got, "rack_(7)_(a)--xxx") {
		t.Errorf("%q", got)
	}
}

func TestMask(t *testing.T) {
	for bits, want := range map[int]string{0: "0.0.0.0", 12: "255.240.0.0", 22: "255.255.252.0", 31: "255.255.255.254", 32: "255.255.255.255"} {
		if got := mask(bits); got != want {
			t.Errorf("/%d: %s", bits, got)
		}
	}
	if got := asNetwork(netip.MustParsePrefix("10.16.0.77/26")); got != (network{"10.16.0.64", "255.255.255.192"}) {
		t.Error(got)
	}
}
