package underlay

import (
	"bytes"
	"errors"
	"fmt"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"railyard/generator/fabric"
)

// budget is how long sessions and routes may take. They need a few seconds.
const budget = 60 * time.Second

// TestFabrics brings each fabric up, breaks two links so that a way around them
// would have to bounce, mends them, and kills a spine. At every step sessions,
// kernel routes with all their next hops, AS paths and traffic must be what the
// plan promises, no more and no less.
func TestFabrics(t *testing.T) {
	need(t)
	for _, tc := range []struct {
		name string
		wish
	}{
		{"sonic", small(sonicDell, sonicDell, "shared")},
		{"sonic unnumbered", small(sonicDell, sonicDell, "shared").unnumbered()},
		{"sonic no-transit", small(sonicDell, sonicDell, "unique")},
		{"sonic routed hosts", small(sonicDell, sonicDell, "shared").routed()},
		{"eos", small(eosArista, eosArista, "shared")},
		{"eos unnumbered no-transit routed hosts", small(eosArista, eosArista, "unique").unnumbered().routed()},
		{"vrp no-transit", small(vrpHuawei, vrpHuawei, "unique")},
		{"comware no-transit", small(h3c, h3c, "unique")},
		{"eos leaves sonic spines", small(eosArista, sonicDell, "shared")},
		{"vrp leaves comware spines", small(vrpHuawei, h3c, "shared")},
		{"cumulus", small(cumulus, cumulus, "shared")},
		{"cumulus unnumbered no-transit", small(cumulus, cumulus, "unique").unnumbered()},
		{"three tiers sonic", tall(sonicDell, "shared")},
		{"three tiers comware no-transit", tall(h3c, "unique")},
	} {
		t.Run(tc.name, func(t *testing.T) {
			t.Parallel()
			f, devices := build(t, tc.wish, nil)
			if !f.Lossless.Deadlock.Free || warned(f, valleys) {
				t.Fatal("the plan itself says that paths can bounce")
			}
			l := start(t, f, devices)
			l.holds("all up")
			cut := l.crosswise()
			l.link(false, cut...)
			l.holds("two leaves without a common spine")
			l.link(true, cut...)
			l.holds("links mended")
			l.kill("spine-01")
			l.holds("a spine dead")
		})
	}
}

// TestTransitBounces is the control of the tests above: without the policy and
// with an AS number for each spine, a third leaf carries what two leaves without
// a common spine have for each other. The plan says so before.
func TestTransitBounces(t *testing.T) {
	need(t)
	for _, os := range []string{sonicDell, eosArista} {
		t.Run(os, func(t *testing.T) {
			t.Parallel()
			w := small(os, os, "unique")
			w.overrides = "[{match: 'leaf-*', no_transit: false}]"
			f, devices := build(t, w, nil)
			if !warned(f, valleys) {
				t.Errorf("the plan does not say %s", valleys)
			}
			l := start(t, f, devices)
			l.settled("sessions", budget, func() (string, error) {
				seen, _, err := l.seen()
				return difference(l.sessions(), seen), err
			})
			l.link(false, l.crosswise()...)
			want := "10.16.1.0/24: leaf-u01-r0-1 > spine-02 > leaf-u03-r0-1 > spine-01 > leaf-u02-r0-1"
			l.settled("the bounce", budget, func() (string, error) {
				ways, err := l.forwarding()
				if slices.Contains(ways, want) {
					return "", err
				}
				return difference([]string{want}, ways), err
			})
			if _, paths, err := l.seen(); err != nil || len(paths) == 0 {
				t.Errorf("no AS path shows the bounce (%v)", err)
			}
		})
	}
}

// TestLossShows stops one spine from forwarding while its sessions stay up: every
// route looks right, and only packets can tell.
func TestLossShows(t *testing.T) {
	need(t)
	t.Parallel()
	f, devices := build(t, small(vrpHuawei, vrpHuawei, "shared"), nil)
	l := start(t, f, devices)
	l.holds("all up")
	for _, b := range l.boxes {
		if b.name != "spine-01" {
			continue
		}
		if err := b.ns.set(map[string]int{"ipv4/ip_forward": 0}); err != nil {
			t.Fatal(err)
		}
	}
	lost, err := l.unreachable()
	if want := regexp.MustCompile(`leaf-u01-r0-1: no answer from 10\.16\.1\.254 to 10\.16\.0\.254 on \d+ of 16 flows`); err != nil || !want.MatchString(lost) {
		t.Errorf("found %q, %v; want %s", lost, err, want)
	}
}

// TestFaultsShow spoils one thing in each of four rendered texts and wants to
// see just what each breaks, so that a pass above means something.
func TestFaultsShow(t *testing.T) {
	need(t)
	t.Parallel()
	faults := map[string][3]string{ // switch → file, right, wrong
		"leaf-u01-r0-1": {"startup-config", "neighbor 10.240.0.2 remote-as 4200001000", "neighbor 10.240.0.2 remote-as 4200001009"},
		"leaf-u02-r0-1": {"startup-config", "permit 10.17.1.0/24", "permit 10.17.9.0/24"},
		"leaf-u03-r0-1": {"startup-config", "maximum-paths 4 ecmp 4", "maximum-paths 2 ecmp 2"},
		"spine-02":      {"config_db.json", `"local_addr": "10.240.0.20"`, `"local_addr": "10.240.0.30"`},
	}
	f, devices := build(t, small(eosArista, sonicDell, "shared"), func(sw *fabric.Switch, files []fabric.File) {
		for i := range files {
			fault, ok := faults[sw.Name]
			if !ok || files[i].Name != fault[0] {
				continue
			}
			if n := bytes.Count(files[i].Body, []byte(fault[1])); n != 1 {
				t.Errorf("%s: %q stands in %s %d times", sw.Name, fault[1], fault[0], n)
			}
			files[i].Body = bytes.Replace(files[i].Body, []byte(fault[1]), []byte(fault[2]), 1)
		}
	})
	if t.Failed() {
		return
	}
	wantSessions := strings.Join([]string{
		"- leaf-u01-r0-1: session 10.240.0.2 is up with AS 4200001000, router 10.255.2.1",
		"+ leaf-u01-r0-1: session 10.240.0.2 is down",
		"- leaf-u03-r0-1: session 10.240.0.20 is up with AS 4200001000, router 10.255.2.2",
		"+ leaf-u03-r0-1: session 10.240.0.20 is down",
		"- spine-01: session 10.240.0.3 is up with AS 4200010000, router 10.255.1.1",
		"+ spine-01: session 10.240.0.3 is down",
		"- spine-02: session 10.240.0.21 is up with AS 4200010002, router 10.255.1.3",
	}, "\n")
	wantRoutes := []*regexp.Regexp{
		regexp.MustCompile(`(?m)^\+ leaf-u01-r0-1: 10\.16\.1\.0/24 via \S+ \S+ \S+$`),    // one of four lost
		regexp.MustCompile(`(?m)^- leaf-u01-r0-1: 10\.17\.1\.0/24 via \S+ \S+ \S+ \S+$`), // not announced
		regexp.MustCompile(`(?m)^\+ leaf-u03-r0-1: 10\.16\.0\.0/24 via \S+ \S+$`),        // half the paths
		regexp.MustCompile(`(?m)^\+ spine-02: 10\.16\.2\.0/24 via \S+$`),                 // one of two lost
		regexp.MustCompile(`(?m)^- spine-02: 10\.17\.1\.0/24 via \S+ \S+$`),              // not announced
	}
	l := start(t, f, devices)
	before := ""
	l.settled("the faults", budget, func() (string, error) {
		sessions, _, err := l.seen()
		routes, err2 := l.seenRoutes()
		found, broken := difference(l.sessions(), sessions), difference(l.routes(), routes)
		same := before == found+broken
		before = found + broken
		if !same || sortedLines(found) != sortedLines(wantSessions) {
			return before, errors.Join(err, err2)
		}
		for _, want := range wantRoutes {
			if !want.MatchString(broken) {
				return fmt.Sprintf("no line like %s in\n%s", want, broken), errors.Join(err, err2)
			}
		}
		return "", errors.Join(err, err2)
	})
}

func sortedLines(s string) string {
	lines := strings.Split(strings.TrimSpace(s), "\n")
	slices.Sort(lines)
	return strings.Join(lines, "\n")
}

// valleys is the finding of a plan whose paths can bounce.
const valleys = "VALLEY_ROUTES"

func warned(f *fabric.Fabric, code string) bool {
	return slices.ContainsFunc(f.Findings, func(x fabric.Finding) bool { return x.Code == code })
}

// crosswise are the links of two leaves of one spine-01 to a spine each, so that
// no spine has both: the only ways left between them bounce.
func (l *lab) crosswise() []int {
	var under []string
	for _, b := range l.boxes {
		if strings.HasPrefix(b.name, "leaf") && len(l.between(b.name, "spine-01")) > 0 {
			under = append(under, b.name)
		}
	}
	return slices.Concat(l.between(under[0], "spine-01"), l.between(under[1], "spine-02"))
}

// holds checks the running fabric against the plan, and that not even on the way
// there a path bounces.
func (l *lab) holds(when string) {
	l.Helper()
	l.settled(when+": sessions and routes", budget, func() (string, error) {
		sessions, bounces, err := l.seen()
		if len(bounces) > 0 {
			l.Fatalf("%s: paths that bounce:\n%s", when, strings.Join(bounces, "\n"))
		}
		if d := difference(l.sessions(), sessions); d != "" || err != nil {
			return d, err
		}
		routes, err := l.seenRoutes()
		return difference(l.routes(), routes), err
	})
	if ways, err := l.forwarding(); err != nil || len(ways) > 0 {
		l.Fatalf("%s: packets that bounce: %v\n%s", when, err, strings.Join(ways, "\n"))
	}
	l.settled(when+": traffic", budget, l.unreachable)
}
