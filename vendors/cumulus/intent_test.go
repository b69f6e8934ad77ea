package cumulus

import (
	"fmt"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"gopkg.in/yaml.v3"

	"railyard/generator/fabric"
)

// commands writes a document as the nv set commands it stands for.
func commands(t testing.TB, body string) []string {
	t.Helper()
	var out []string
	var walk func(path string, n *yaml.Node)
	walk = func(path string, n *yaml.Node) {
		switch {
		case n.Kind == yaml.ScalarNode:
			out = append(out, path+" "+n.Value)
		case len(n.Content) == 0:
			out = append(out, path)
		}
		if n.Kind != yaml.MappingNode {
			return
		}
		for i := 0; i < len(n.Content); i += 2 {
			walk(strings.TrimPrefix(path+" "+n.Content[i].Value, " "), n.Content[i+1])
		}
	}
	walk("", document(t, body))
	return out
}

var kinds = map[string]string{
	"<port>": `swp\d+(s[0-7])?`, "<svi>": `vlan\d+`, "<vlan>": `\d{1,4}`, "<split>": `[248]x`, "<speed>": `\d+G`,
	"<number>": `\d+`, "<digit>": `[0-7]`, "<address>": `\d+\.\d+\.\d+\.\d+`, "<prefix>": `\d+\.\d+\.\d+\.\d+/\d+`,
	"<text>": `.+`, "<name>": `\S+`, "<profile>": `[a-z0-9-]+`, "<alpha>": `alpha_(1_)?\d+`,
	"<neighbor>": `(swp\d+(s[0-7])?|\d+\.\d+\.\d+\.\d+)`, "<community>": `\d+:\d+`, "<role>": `(system-admin|nvue-admin|nvue-monitor)`,
	"<permission>": `(all|ro)`, "<hash>": `(\*|\$\S+)`, "<key>": `[A-Za-z0-9+/=]+`, "<keytype>": `[a-z0-9-]+`,
}

var placeholder = regexp.MustCompile(`<[a-z]+>`)

// TestGrammar holds every key of every file against the support table of the
// release it is written for, and every row of the table against the files.
func TestGrammar(t *testing.T) {
	type rule struct {
		*regexp.Regexp
		Intent
		used bool
	}
	var rules []*rule
	for _, in := range Support() {
		if (in.Level == Not) != (len(in.Commands) == 0) && in.Name != "LLDP" || in.Source == "" && in.Level != Not {
			t.Errorf("support row %+v", in)
		}
		for _, c := range in.Commands {
			pattern := placeholder.ReplaceAllStringFunc(regexp.QuoteMeta(c), func(k string) string {
				if kinds[k] == "" {
					t.Fatalf("no kind %s in %q", k, c)
				}
				return kinds[k]
			})
			rules = append(rules, &rule{regexp.MustCompile("^" + pattern + "$"), in, false})
		}
	}
	all := goldens()
	for minor := oldestMinor; minor <= newestMinor; minor++ {
		r := fmt.Sprintf("5.%d", minor)
		all = append(all, golden{r, released(r), 0})
	}
	for _, g := range all {
		minor, _ := minorOf(g.f.Switches[g.sw].Release)
		files := render(t, g.f, g.sw)
		for _, c := range append(commands(t, files[startup]), optional(t, files[breakouts])...) {
			known := false
			for _, r := range rules {
				if minor >= r.Since && (r.Until == 0 || minor <= r.Until) && r.MatchString(c) {
					known, r.used = true, true
				}
			}
			if !known {
				t.Errorf("%s: %q is not in the support table for 5.%d", g.name, c, minor)
			}
		}
	}
	for _, r := range rules {
		if !r.used {
			t.Errorf("no file shows %s: %s", r.Name, r.Regexp)
		}
	}
}

func optional(t *testing.T, body string) []string {
	if body == "" {
		return nil
	}
	return commands(t, body)
}

// at reads one number below a path, -1 when it is not there.
func at(list []string, path string) int {
	for _, c := range list {
		if rest, ok := strings.CutPrefix(c, path+" "); ok {
			n := -1
			if _, err := fmt.Sscanf(rest, "%d", &n); err == nil {
				return n
			}
		}
	}
	return -1
}

func word(list []string, path string) string {
	for _, c := range list {
		if rest, ok := strings.CutPrefix(c, path+" "); ok {
			return rest
		}
	}
	return ""
}

// TestLosslessReadsBack reads every number of the plan out of the text.
func TestLosslessReadsBack(t *testing.T) {
	for _, g := range goldens() {
		if g.f.RoCE == "v1" {
			continue
		}
		t.Run(g.name, func(t *testing.T) {
			list := commands(t, render(t, g.f, g.sw)[startup])
			readClasses(t, g.f.Lossless, list)
			sw := &g.f.Switches[g.sw]
			for i := range sw.Ports {
				if p := &sw.Ports[i]; p.Profile >= 0 {
					readPort(t, g.f.Lossless, &g.f.Lossless.Profiles[p.Profile], p.Name, list)
				} else if slices.ContainsFunc(list, func(c string) bool { return strings.HasPrefix(c, "interface "+p.Name+" qos ") }) {
					t.Errorf("%s has QoS without a profile", p.Name)
				}
			}
			w := g.f.Lossless.Watchdog
			poll, polls := at(list, "qos pfc-watchdog polling-interval"), at(list, "qos pfc-watchdog robustness")
			if got := time.Duration(poll*polls) * time.Millisecond; got < w.Detect || got > w.Detect+time.Duration(polls)*time.Millisecond {
				t.Errorf("watchdog: %d polls of %d ms for %v", polls, poll, w.Detect)
			}
		})
	}
}

func readClasses(t *testing.T, l *fabric.Lossless, list []string) {
	named := map[int]int{}
	queue := map[int]int{}
	weights := 0
	for i := range l.Classes {
		c := &l.Classes[i]
		for _, d := range c.DSCP {
			named[d] = c.Priority
		}
		queue[c.Priority] = c.TrafficClass
		tc := fmt.Sprintf("qos egress-scheduler railyard traffic-class %d", c.TrafficClass)
		if got := word(list, tc+" mode"); got != map[bool]string{true: "strict", false: "dwrr"}[c.Strict] {
			t.Errorf("class %s: mode %s", c.Name, got)
		}
		if got := at(list, tc+" bw-percent"); !c.Strict && got != c.WeightPercent || c.Strict && got != -1 {
			t.Errorf("class %s: %d percent, want %d", c.Name, got, c.WeightPercent)
		}
		if c.Lossless {
			weights += c.WeightPercent
		}
	}
	for d := range 64 {
		want, ok := named[d]
		if !ok {
			want = l.Default().Priority
		}
		if got := at(list, fmt.Sprintf("qos mapping default-global dscp %d switch-priority", d)); got != want {
			t.Errorf("DSCP %d goes to %d, want %d", d, got, want)
		}
	}
	for p := range priorities {
		want, ok := queue[p]
		if !ok {
			want = l.Default().TrafficClass
		}
		if got := at(list, fmt.Sprintf("qos egress-queue-mapping default-global switch-priority %d traffic-class", p)); got != want {
			t.Errorf("priority %d goes to traffic class %d, want %d", p, got, want)
		}
	}
	if a, b := at(list, "qos traffic-pool default-lossless memory-percent"), at(list, "qos traffic-pool default-lossy memory-percent"); a != weights || a+b != 100 {
		t.Errorf("pools %d and %d", a, b)
	}
}

func readPort(t *testing.T, l *fabric.Lossless, prof *fabric.Profile, name string, list []string) {
	ecn := "qos congestion-control " + word(list, "interface "+name+" qos congestion-control profile")
	pfc := "qos pfc " + word(list, "interface "+name+" qos pfc profile")
	var paused, marked []int
	for p := range priorities {
		if slices.Contains(list, fmt.Sprintf("%s switch-priority %d", pfc, p)) {
			paused = append(paused, p)
		}
		tc := fmt.Sprintf("%s traffic-class %d", ecn, p)
		low, high, pmax := at(list, tc+" min-threshold"), at(list, tc+" max-threshold"), at(list, tc+" probability")
		if low < 0 && high < 0 && pmax < 0 {
			continue
		}
		marked = append(marked, p)
		if low != prof.KminBytes || high != prof.KmaxBytes || pmax != prof.PmaxPercent {
			t.Errorf("%s: ECN %d to %d at %d percent, want %d to %d at %d", name, low, high, pmax, prof.KminBytes, prof.KmaxBytes, prof.PmaxPercent)
		}
	}
	var wantPaused, wantMarked []int
	for i := range l.Classes {
		if l.Classes[i].Lossless {
			wantPaused = append(wantPaused, l.Classes[i].Priority)
		}
		if l.Classes[i].ECN {
			wantMarked = append(wantMarked, l.Classes[i].TrafficClass)
		}
	}
	slices.Sort(wantPaused)
	if !slices.Equal(paused, wantPaused) || !slices.Equal(marked, wantMarked) {
		t.Errorf("%s: pauses %v, marks %v; want %v, %v", name, paused, marked, wantPaused, wantMarked)
	}
	if got := at(list, pfc+" cable-length"); float64(got) < prof.LengthM || float64(got) >= prof.LengthM+1 {
		t.Errorf("%s: cable of %d m, want %g", name, got, prof.LengthM)
	}
	if word(list, "interface "+name+" qos egress-scheduler profile") != scheduler || word(list, "interface "+name+" qos pfc-watchdog state") != "enable" {
		t.Errorf("%s: scheduler or watchdog is missing", name)
	}
}

// TestRoutingReadsBack reads sessions, networks and ports out of the text.
func TestRoutingReadsBack(t *testing.T) {
	for _, g := range goldens() {
		list := commands(t, render(t, g.f, g.sw)[startup])
		sw := &g.f.Switches[g.sw]
		ip := "interface %s " + dialectOf(sw.Release).IP + " address %s"
		for i := range sw.Ports {
			p := &sw.Ports[i]
			var want []string
			if p.VLAN >= 0 {
				want = append(want, fmt.Sprintf("interface %s bridge domain br_default access %d", p.Name, g.f.VLANs[p.VLAN].ID))
			}
			if p.Address.IsValid() {
				want = append(want, fmt.Sprintf(ip, p.Name, p.Address))
			}
			if p.PeerASN != 0 {
				n, kind := p.PeerAddress.String(), "numbered"
				if p.Unnumbered() {
					n, kind = p.Name, "unnumbered"
				}
				want = append(want, fmt.Sprintf("vrf default router bgp neighbor %s remote-as %d", n, p.PeerASN), fmt.Sprintf("vrf default router bgp neighbor %s type %s", n, kind))
			}
			if p.Link < 0 && !slices.Contains(disabled(g.f.ModelOf(sw), sw), p.Cage) {
				want = append(want, "interface "+p.Name+" link state down")
			}
			for _, w := range want {
				if !slices.Contains(list, w) {
					t.Errorf("%s: no %q", g.name, w)
				}
			}
		}
		for _, i := range sw.VLANs {
			if v := &g.f.VLANs[i]; v.Gateway.IsValid() && (!slices.Contains(list, fmt.Sprintf(ip, fmt.Sprintf("vlan%d", v.ID), v.Gateway)) ||
				!slices.Contains(list, "vrf default router bgp address-family ipv4-unicast network "+v.Subnet.String())) {
				t.Errorf("%s: VLAN %d is not routed and announced", g.name, v.ID)
			}
		}
	}
}
