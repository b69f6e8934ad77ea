package audit

import (
	"slices"
	"strconv"
	"sync"

	"railyard/generator/observed"
)

// place is what makes a finding the same one seen from another port.
type place struct {
	sw     int
	code   string
	line   observed.Line
	detail string
}

// note is a finding in the making.
type note struct {
	severity     observed.Severity
	code, aspect string
	at           observed.Line
	what         string // the message; names no switch and no port of this place
	detail       string // what is particular to this place
	remedy       string
	dscp         int // for the vendor's words: the code point it is about, 0 for none
}

func (j *judge) remarks() {
	for s, sw := range j.net.Switches {
		byName := map[string]int{}
		if len(sw.Remarks) > 0 {
			for i := range sw.Ports {
				byName[sw.Ports[i].Name] = i
			}
		}
		for _, r := range sw.Remarks {
			port, ok := byName[r.Port]
			if !ok || r.Port == "" {
				port = -1
			} else if sw.Ports[port].Down {
				continue
			} else if r.Severity == observed.Error {
				j.bad[s][port] = true
			}
			j.add(spot{s, port}, note{severity: r.Severity, code: r.Code, aspect: r.Aspect, at: r.Line, what: r.Text, remedy: r.Remedy})
		}
	}
}

// texts reports what was doubtful about files that were judged.
func (j *judge) texts() {
	for _, d := range j.net.Doubts {
		for s, sw := range j.net.Switches {
			if sw.Name != d.Switch {
				continue
			}
			n := note{severity: observed.Warning, code: "CONFIG_DOUBT", aspect: "file", at: max(1, d.Line), what: d.Reason, remedy: "save the configuration again and compare"}
			if d.Broken {
				n.severity, n.code = observed.Error, "CONFIG_TRUNCATED"
				n.what = "the configuration is not whole: " + d.Reason
			}
			j.add(spot{s, -1}, n)
		}
	}
}

// finish drops what only follows from something else, quotes the lines and sorts.
func (j *judge) finish(r *Report) {
	broken, lossy := map[string]bool{}, map[string]bool{}
	for s := range j.misqueued {
		broken[j.net.Switches[s].Name] = true
	}
	for _, f := range r.Findings {
		lossy[f.Switch] = lossy[f.Switch] || f.Code == "WATCHDOG_LOSSY_QUEUE"
		broken[f.Switch] = broken[f.Switch] || f.Code == "PFC_PRIORITY_DIFFERS"
	}
	r.Findings = slices.DeleteFunc(r.Findings, func(f Finding) bool {
		if f.Code == "WATCHDOG_MISSING" && f.Ports == 0 && lossy[f.Switch] {
			return true // it watches, but another queue
		}
		// With the class in the wrong queue, or another class paused, the watchdog
		// of the switch as a whole is off too.
		return broken[f.Switch] && f.Ports == 0 && (f.Code == "WATCHDOG_LOSSY_QUEUE" || f.Code == "WATCHDOG_MISSING")
	})
	for i := range r.Findings {
		f := &r.Findings[i]
		if f.Ports > 1 {
			f.Message = f.what + " (" + strconv.Itoa(f.Ports) + " ports)"
		}
	}
	j.words(r)
	r.sort()
	if j.net.Quote != nil {
		for i := range r.Findings {
			f := &r.Findings[i]
			f.Text = j.net.Quote(f.File, f.Line)
		}
	}
}

// words adds to remedies what they are in the system's own words.
func (j *judge) words(r *Report) {
	if j.net.Words == nil {
		return
	}
	for i := range r.Findings {
		f := &r.Findings[i]
		if text := j.net.Words(f.os, f.Code, f.Port, j.prio[f.Switch], f.dscp); text != "" {
			f.Remedy += ": " + text
		}
	}
}

// together runs questions at the same time and adds their answers in order.
func (f *whole) together(questions ...func(*whole)) {
	answers := make([][]answer, len(questions))
	var wait sync.WaitGroup
	for i, ask := range questions {
		wait.Go(func() {
			own := *f
			own.answers = &answers[i]
			ask(&own)
		})
	}
	wait.Wait()
	for _, list := range answers {
		for _, a := range list {
			f.add(a.s, a.n)
		}
	}
}

// answer is a finding that waits to be added.
type answer struct {
	s spot
	n note
}
