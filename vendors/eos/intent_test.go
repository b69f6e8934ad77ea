package eos

import (
	"fmt"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"railyard/generator/fabric"
)

// running is what a reader of the text learns of the lossless plan.
type running struct {
	dscp, cos map[int]int // code point → traffic class
	queue     [8]int      // traffic class → queue
	profiles  map[string]*runningProfile
	ports     map[string]string // interface → profile
	watchdog  map[string]string
}

type runningProfile struct {
	trust  string
	pfcOn  bool
	noDrop []int
	queues map[int]*runningQueue
}

type runningQueue struct {
	mode             string
	strict           bool
	weight           int
	kmin, kmax, pmax int
	unit             string
	instantaneous    bool
	hasECN           bool
}

var ecnLine = regexp.MustCompile(`^random-detect ecn minimum-threshold (\d+) (\w+) maximum-threshold (\d+) (\w+) max-mark-probability (\d+)( weight 0)?$`)

func number(t *testing.T, s string) int {
	t.Helper()
	n, err := strconv.Atoi(s)
	if err != nil {
		t.Fatalf("%q is not a number", s)
	}
	return n
}

// read parses a startup-config without any help from the driver.
func read(t *testing.T, cfg string) *running {
	t.Helper()
	r := &running{dscp: map[int]int{}, cos: map[int]int{}, profiles: map[string]*runningProfile{}, ports: map[string]string{}, watchdog: map[string]string{}}
	for i := range r.queue {
		r.queue[i] = i
	}
	var prof *runningProfile
	var q *runningQueue
	var intf string
	for _, line := range strings.Split(cfg, "\n") {
		w := strings.Fields(line)
		if len(w) == 0 || w[0] == "!" {
			continue
		}
		if !strings.HasPrefix(line, " ") {
			prof, q, intf = nil, nil, ""
		} else if !strings.HasPrefix(line, "      ") {
			q = nil
		}
		text := strings.Join(w, " ")
		switch {
		case strings.HasPrefix(text, "qos profile "):
			prof = &runningProfile{queues: map[int]*runningQueue{}}
			r.profiles[w[2]] = prof
		case w[0] == "interface":
			intf = w[1]
		case w[0] == "service-profile":
			r.ports[intf] = w[1]
		case strings.HasPrefix(text, "qos map dscp "), strings.HasPrefix(text, "qos map cos "):
			m := r.dscp
			if w[2] == "cos" {
				m = r.cos
			}
			for _, v := range w[3 : len(w)-3] {
				if _, twice := m[number(t, v)]; twice {
					t.Errorf("%s %s is mapped twice", w[2], v)
				}
				m[number(t, v)] = number(t, w[len(w)-1])
			}
		case strings.HasPrefix(text, "qos map traffic-class "):
			r.queue[number(t, w[3])] = number(t, w[6])
		case strings.HasPrefix(text, "priority-flow-control pause watchdog "):
			r.watchdog[w[len(w)-2]] = w[len(w)-1]
		case prof == nil:
		case strings.HasPrefix(text, "qos trust "):
			prof.trust = w[2]
		case text == "priority-flow-control on":
			prof.pfcOn = true
		case w[0] == "priority-flow-control":
			prof.noDrop = append(prof.noDrop, number(t, w[2]))
		case strings.HasSuffix(w[0], "tx-queue"):
			q = &runningQueue{mode: w[0], strict: true} // EOS's default
			prof.queues[number(t, w[1])] = q
		case text == "no priority":
			q.strict = false
		case strings.HasPrefix(text, "bandwidth percent "):
			q.weight = number(t, w[2])
		case w[0] == "random-detect":
			m := ecnLine.FindStringSubmatch(text)
			if m == nil || m[2] != m[4] {
				t.Fatalf("ECN line %q", text)
			}
			q.hasECN, q.kmin, q.unit, q.kmax, q.pmax, q.instantaneous = true, number(t, m[1]), m[2], number(t, m[3]), number(t, m[5]), m[6] != ""
		}
	}
	return r
}

// TestIntentSurvives reads every class, ECN and PFC number back and holds it
// against the fabric.
func TestIntentSurvives(t *testing.T) {
	for _, g := range goldens() {
		t.Run(g.name, func(t *testing.T) {
			sw := &g.f.Switches[g.sw]
			r := read(t, render(t, g.f, g.sw)[startupConfig])
			checkClassification(t, g.f.Lossless, r)
			for i := range sw.Ports {
				p := &sw.Ports[i]
				name := r.ports[p.Name]
				if p.Profile < 0 {
					if name != "" {
						t.Errorf("%s carries profile %s without a plan", p.Name, name)
					}
					continue
				}
				prof := r.profiles[name]
				if prof == nil {
					t.Errorf("%s: profile %q is not defined", p.Name, name)
					continue
				}
				checkProfile(t, g.f, p, prof, platformOf(g.f.ModelOf(sw)))
			}
			checkWatchdog(t, g.f.Lossless.Watchdog, r.watchdog)
		})
	}
}

func checkClassification(t *testing.T, l *fabric.Lossless, r *running) {
	t.Helper()
	if len(r.dscp) != 64 {
		t.Errorf("%d of 64 code points are mapped", len(r.dscp))
	}
	for d := range 64 {
		want := l.Default()
		for i := range l.Classes {
			if slices.Contains(l.Classes[i].DSCP, d) {
				want = &l.Classes[i]
			}
		}
		if r.dscp[d] != want.TrafficClass || r.queue[r.dscp[d]] != want.Queue {
			t.Errorf("DSCP %d goes to class %d, queue %d; %s wants %d and %d", d, r.dscp[d], r.queue[r.dscp[d]], want.Name, want.TrafficClass, want.Queue)
		}
	}
}

func checkProfile(t *testing.T, f *fabric.Fabric, p *fabric.Port, prof *runningProfile, plat platform) {
	t.Helper()
	plan := &f.Lossless.Profiles[p.Profile]
	var lossless []int
	for i := range f.Lossless.Classes {
		c := &f.Lossless.Classes[i]
		q := prof.queues[c.Queue]
		if q == nil || q.mode != plat.queue || q.strict != c.Strict || !c.Strict && q.weight != c.WeightPercent || q.hasECN != c.ECN {
			t.Errorf("%s, class %s: queue %+v", p.Name, c.Name, q)
			continue
		}
		if c.Lossless {
			lossless = append(lossless, c.Priority)
		}
		if !c.ECN {
			continue
		}
		if q.pmax != plan.PmaxPercent || q.instantaneous != plat.weight {
			t.Errorf("%s: marking %+v, plan %d%%", p.Name, q, plan.PmaxPercent)
		}
		switch q.unit {
		case "bytes":
			if q.kmin != plan.KminBytes || q.kmax != plan.KmaxBytes {
				t.Errorf("%s: band %d to %d bytes, plan %d to %d", p.Name, q.kmin, q.kmax, plan.KminBytes, plan.KmaxBytes)
			}
		case "kbytes":
			if q.kmin*1024 > plan.KminBytes || plan.KminBytes-q.kmin*1024 >= 1024 || q.kmax*1000 < plan.KmaxBytes || q.kmax*1000-plan.KmaxBytes >= 1000 {
				t.Errorf("%s: band %d to %d kbytes, plan %d to %d bytes", p.Name, q.kmin, q.kmax, plan.KminBytes, plan.KmaxBytes)
			}
		default:
			t.Errorf("%s: unit %q", p.Name, q.unit)
		}
	}
	slices.Sort(lossless)
	if prof.trust != "dscp" || !prof.pfcOn || !slices.Equal(prof.noDrop, lossless) {
		t.Errorf("%s: trust %s, PFC on %v, no-drop %v; plan %v", p.Name, prof.trust, prof.pfcOn, prof.noDrop, lossless)
	}
}

func checkWatchdog(t *testing.T, w fabric.Watchdog, got map[string]string) {
	t.Helper()
	seconds := func(key string) time.Duration {
		d, err := time.ParseDuration(got[key] + "s")
		if err != nil {
			t.Errorf("watchdog %s: %v", key, err)
		}
		return d
	}
	detect, restore, poll := seconds("timeout"), seconds("recovery-time"), seconds("polling-interval")
	if detect < w.Detect || detect-w.Detect >= 10*time.Millisecond || restore < w.Restore || restore-w.Restore >= 10*time.Millisecond {
		t.Errorf("watchdog %v, %v; plan %v, %v", detect, restore, w.Detect, w.Restore)
	}
	if poll > min(detect, restore)/2 || poll < 5*time.Millisecond {
		t.Errorf("EOS would replace the polling interval %v", poll)
	}
	if got["action"] != w.Action {
		t.Errorf("watchdog action %q, plan %q", got["action"], w.Action)
	}
}

// TestRoCEv1 classifies by CoS: there is no DSCP to trust.
func TestRoCEv1(t *testing.T) {
	f := single()
	f.RoCE = "v1"
	r := read(t, render(t, f, 0)[startupConfig])
	if len(r.dscp) != 0 || r.profiles["ROCE-400G-5M"].trust != "cos" {
		t.Errorf("DSCP is used: %v, trust %s", r.dscp, r.profiles["ROCE-400G-5M"].trust)
	}
	want := map[int]int{0: 0, 1: 0, 2: 0, 3: 3, 4: 0, 5: 0, 6: 6, 7: 7}
	if fmt.Sprint(r.cos) != fmt.Sprint(want) {
		t.Errorf("CoS map %v, want %v", r.cos, want)
	}
}

// TestSupportedOnly holds every line of every configuration against the
// support table: nothing is emitted that the table does not list, and nothing
// of it that is for steps-to-check.txt only.
func TestSupportedOnly(t *testing.T) {
	var allowed, stepsOnly []*regexp.Regexp
	argument := regexp.MustCompile(`<[a-z]+>`)
	for _, row := range Support() {
		if row.Source == "" || row.Name == "" || row.Level == Not && row.Commands != nil {
			t.Errorf("row %+v", row)
		}
		for _, c := range row.Commands {
			re := regexp.MustCompile("^" + argument.ReplaceAllString(regexp.QuoteMeta(c), `\S.*`) + "$")
			if row.Steps {
				stepsOnly = append(stepsOnly, re)
			} else {
				allowed = append(allowed, re)
			}
		}
	}
	matches := func(list []*regexp.Regexp, s string) bool {
		return slices.ContainsFunc(list, func(re *regexp.Regexp) bool { return re.MatchString(s) })
	}
	for _, g := range goldens() {
		for _, line := range strings.Split(render(t, g.f, g.sw)[startupConfig], "\n") {
			text := strings.TrimSpace(line)
			if text == "" || text == "end" || strings.HasPrefix(text, "!") {
				continue
			}
			if !matches(allowed, text) || matches(stepsOnly, text) {
				t.Errorf("%s: %q is not in the support table", g.name, text)
			}
		}
	}
}
