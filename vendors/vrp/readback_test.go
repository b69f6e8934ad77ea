package vrp

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"railyard/generator/fabric"
)

// readback is the lossless model of a configuration, read from its text alone.
type readback struct {
	blocks map[string][]string // view line → lines
	map64  [64]int             // DSCP → queue
	paused map[int]bool
}

func read(t *testing.T, config string) *readback {
	t.Helper()
	r := &readback{blocks: map[string][]string{}, paused: map[int]bool{3: true}} // 3 is on by default
	for i := range r.map64 {
		r.map64[i] = i / 8 // CG Default Settings for Priority Mapping
	}
	head := ""
	for line := range strings.Lines(config) {
		line = strings.TrimSuffix(line, "\n")
		if line == "#" {
			head = ""
			continue
		}
		if !strings.HasPrefix(line, " ") {
			head = line
			r.blocks[head] = nil
			continue
		}
		r.blocks[head] = append(r.blocks[head], strings.TrimSpace(line))
	}
	for _, line := range r.blocks["diffserv domain roce"] {
		var dscp int
		var phb, colour string
		if _, err := fmt.Sscanf(line, "ip-dscp-inbound %d phb %s %s", &dscp, &phb, &colour); err != nil {
			t.Fatal(line, err)
		}
		r.map64[dscp] = slices.Index(phbs[:], phb)
	}
	for _, line := range r.blocks["dcb pfc"] {
		words := strings.Fields(line)
		switch {
		case words[0] == "undo":
			r.paused[atoi(t, words[2])] = false
		case !strings.Contains(line, "deadlock"):
			for _, w := range words[1:] {
				r.paused[atoi(t, w)] = true
			}
		}
	}
	return r
}

func atoi(t *testing.T, s string) int {
	t.Helper()
	n, err := strconv.Atoi(s)
	if err != nil {
		t.Fatal(err)
	}
	return n
}

// Every number of the plan is found again in the text.
func TestReadBack(t *testing.T) {
	each(t, func(t *testing.T, _ string, f *fabric.Fabric, at int, config, _ string) {
		sw := &f.Switches[at]
		fam := familyOf(f.ModelOf(sw), "")
		if !fam.lossless() {
			return
		}
		r := read(t, config)
		checkClasses(t, f.Lossless, r)
		checkWatchdog(t, f.Lossless, r, fam)
		pool := 0
		layout := arrange(f.ModelOf(sw), sw.Ports)
		for i := range sw.Ports {
			lines := r.blocks["interface "+layout.names[i]]
			if sw.Ports[i].Profile < 0 {
				if slices.ContainsFunc(lines, func(l string) bool { return strings.HasPrefix(l, "dcb ") || strings.HasPrefix(l, "qos ") }) {
					t.Errorf("%s is not lossless but has %q", layout.names[i], lines)
				}
				continue
			}
			pool += checkPort(t, f, &sw.Ports[i], r, lines, fam)
		}
		checkPool(t, r, pool, fam)
	})
}

func checkClasses(t *testing.T, l *fabric.Lossless, r *readback) {
	t.Helper()
	want := [64]int{}
	for i := range want {
		want[i] = l.Default().Queue
	}
	for _, c := range l.Classes {
		for _, d := range c.DSCP {
			want[d] = c.Queue
		}
		if len(c.DSCP) > 0 && r.paused[c.Priority] != c.Lossless {
			t.Errorf("class %s: PFC on %d is %t", c.Name, c.Priority, r.paused[c.Priority])
		}
	}
	if r.map64 != want {
		t.Errorf("DSCP map %v, want %v", r.map64, want)
	}
	for prio, on := range r.paused {
		if on && !slices.ContainsFunc(l.Classes, func(c fabric.Class) bool { return c.Lossless && c.Priority == prio }) {
			t.Errorf("PFC is on for %d, which no class wants", prio)
		}
	}
}

func checkWatchdog(t *testing.T, l *fabric.Lossless, r *readback, fam family) {
	t.Helper()
	detect, restore, unit := 100, 100, 10
	for head := range r.blocks {
		fmt.Sscanf(head, "dcb pfc deadlock-detect timer %d", &detect)
		fmt.Sscanf(head, "dcb pfc deadlock-recovery timer %d", &restore)
		fmt.Sscanf(head, "dcb pfc deadlock-detect interval %d", &unit)
	}
	if fam == familyJ {
		detect, restore = 10*unit, 10*unit
		for _, line := range r.blocks["dcb pfc"] {
			var prio, n int
			if _, err := fmt.Sscanf(line, "priority %d deadlock-detect time %d", &prio, &n); err == nil {
				detect = n * unit
			}
			if _, err := fmt.Sscanf(line, "priority %d deadlock-recovery time %d", &prio, &n); err == nil {
				restore = n * unit
			}
		}
	}
	if d := time.Duration(detect) * time.Millisecond; d != l.Watchdog.Detect {
		t.Errorf("watchdog detects after %s, want %s", d, l.Watchdog.Detect)
	}
	if d := time.Duration(restore) * time.Millisecond; d != l.Watchdog.Restore {
		t.Errorf("watchdog restores after %s, want %s", d, l.Watchdog.Restore)
	}
}

// checkPort compares one interface with its profile; it returns the headroom of
// the port in KB.
func checkPort(t *testing.T, f *fabric.Fabric, p *fabric.Port, r *readback, lines []string, fam family) int {
	t.Helper()
	prof := &f.Lossless.Profiles[p.Profile]
	has := func(line string) bool { return slices.Contains(lines, line) }
	if !has("dcb pfc enable mode manual") || !has("trust upstream roce") || has("trust dscp") != (p.VLAN >= 0) {
		t.Errorf("%s: %q", p.Name, lines)
	}
	headroom := 0
	for _, c := range f.Lossless.Classes {
		var bound string
		weight, hdrm := 1, 0
		for _, line := range lines {
			fmt.Sscanf(line, fmt.Sprintf("qos queue %d wred", c.Queue)+" %s", &bound)
			fmt.Sscanf(line, fmt.Sprintf("qos queue %d drr weight", c.Queue)+" %d", &weight)
			fmt.Sscanf(line, fmt.Sprintf("dcb pfc buffer %d hdrm", c.Queue)+" %d kbytes", &hdrm)
		}
		if has(fmt.Sprintf("qos queue %d ecn", c.Queue)) != c.ECN || (bound != "") != c.ECN {
			t.Errorf("%s queue %d: ECN is not %t", p.Name, c.Queue, c.ECN)
		}
		if !c.Strict && weight != c.WeightPercent {
			t.Errorf("%s queue %d: weight %d, want %d", p.Name, c.Queue, weight, c.WeightPercent)
		}
		if c.ECN {
			var low, high, percent int
			fmt.Sscanf(r.blocks["drop-profile "+bound][0], "ecn buffer-size low-limit %d high-limit %d discard-percentage %d", &low, &high, &percent)
			if low != prof.KminBytes || high != prof.KmaxBytes || percent != prof.PmaxPercent {
				t.Errorf("%s: ECN %d to %d at %d, want %d to %d at %d", p.Name, low, high, percent, prof.KminBytes, prof.KmaxBytes, prof.PmaxPercent)
			}
		}
		if c.Lossless && fam == familyJ {
			if hdrm*1024 < prof.XoffBytes || (hdrm-1)*1024 >= prof.XoffBytes {
				t.Errorf("%s: headroom %d KB for %d bytes", p.Name, hdrm, prof.XoffBytes)
			}
			headroom += hdrm
		}
	}
	strict := slices.DeleteFunc(slices.Clone(lines), func(l string) bool { return !strings.HasPrefix(l, "qos drr ") })
	if !slices.Equal(strict, []string{"qos drr 0 to 5"}) {
		t.Errorf("%s: %q", p.Name, strict)
	}
	return headroom
}

func checkPool(t *testing.T, r *readback, ports int, fam family) {
	t.Helper()
	pool, mapped := 0, false
	for head := range r.blocks {
		fmt.Sscanf(head, "qos buffer headroom-pool size %d mbytes slot 1", &pool)
		mapped = mapped || head == "dcb pfc dscp-mapping enable slot 1"
	}
	if isJ := fam == familyJ; mapped != isJ || (pool > 0) != isJ || isJ && pool*1024 < ports {
		t.Errorf("family %s: pool %d MB for %d KB, PFC by DSCP %t", fam, pool, ports, mapped)
	}
}

func TestMappings(t *testing.T) {
	l := &fabric.Lossless{Classes: []fabric.Class{{Name: "default", Queue: 0}, {Name: "a", DSCP: []int{28, 33}, Queue: 4}, {Name: "b", DSCP: []int{36}, Queue: 4}}}
	got := map[int]mapping{}
	for _, m := range mappings(l) {
		got[m.DSCP] = m
	}
	for dscp, want := range map[int]string{28: "af4 green", 36: "af4 green", 34: "be green", 24: "be green"} {
		if m := got[dscp]; m.PHB+" "+m.Colour != want {
			t.Errorf("DSCP %d: %+v, want %s", dscp, m, want)
		}
	}
	for _, dscp := range []int{0, 7, 33} { // as the default map has them
		if m, ok := got[dscp]; ok {
			t.Errorf("DSCP %d is written: %+v", dscp, m)
		}
	}
}

func TestDRR(t *testing.T) {
	c := func(q int, strict bool) fabric.Class { return fabric.Class{Queue: q, Strict: strict} }
	for _, tt := range []struct {
		classes []fabric.Class
		want    string
		ok      bool
	}{
		{[]fabric.Class{c(0, false), c(3, false), c(6, true)}, "0 to 5", true}, // AIF: 6 and 7 strict
		{[]fabric.Class{c(0, false), c(5, true)}, "0 to 4", true},              // CG Congestion Management example
		{[]fabric.Class{c(0, false), c(6, false)}, "0 to 6", true},
		{[]fabric.Class{c(0, false), c(2, true)}, "", false}, // two ranges: no document
	} {
		if got, _, _, ok := drr(tt.classes); got != tt.want || ok != tt.ok {
			t.Errorf("drr(%v) = %q %t, want %q %t", tt.classes, got, ok, tt.want, tt.ok)
		}
	}
}

func TestBandNames(t *testing.T) {
	p := &plan{}
	a := &fabric.Profile{SpeedGbps: 400, KminBytes: 1, KmaxBytes: 4, PmaxPercent: 20}
	b := &fabric.Profile{SpeedGbps: 400, KminBytes: 2, KmaxBytes: 4, PmaxPercent: 20}
	c := &fabric.Profile{SpeedGbps: 40, KminBytes: 2, KmaxBytes: 4, PmaxPercent: 20}
	got := []string{p.band(a), p.band(b), p.band(a), p.band(c), p.band(b)}
	if want := []string{"ROCE_400G", "ROCE_400G_2", "ROCE_400G", "ROCE_40G", "ROCE_400G_2"}; !slices.Equal(got, want) {
		t.Errorf("%q, want %q", got, want)
	}
}
