package eos

import (
	"os"
	"strings"
	"testing"

	"railyard/generator/observed"
)

// FuzzObserve: any rows give a switch whose numbers are in range.
func FuzzObserve(f *testing.F) {
	for _, name := range []string{"eos-two-tier/tor3", "eos-all/core5.txt", "eos-segments/rack9.cfg", "eos-policy/train-leaf4.cfg"} {
		body, err := os.ReadFile("../../fixtures/running/audit/" + name)
		if err != nil {
			f.Fatal(err)
		}
		f.Add(string(body))
	}
	f.Fuzz(func(t *testing.T, body string) {
		sw := Observe(observed.Text{Head: body, Rows: seenRowsOf(body)})
		for i := range sw.Ports {
			p := &sw.Ports[i]
			if p.At < 1 || p.MTU.Bytes < 0 || p.SpeedGbps < 0 || p.VLAN < 0 || p.VLAN > 4094 {
				t.Errorf("%+v", p)
			}
			if p.Maps == nil {
				continue
			}
			for _, s := range p.Maps.DSCP {
				if s.To < -1 || s.To > 7 {
					t.Errorf("class %d", s.To)
				}
			}
			for _, s := range p.Maps.Queue {
				if s.To < -1 || s.To > 7 {
					t.Errorf("queue %d", s.To)
				}
			}
		}
	})
}

// seenRowsOf cuts a text by its indentation.
func seenRowsOf(body string) func(func(observed.Row) bool) {
	return func(yield func(observed.Row) bool) {
		number := observed.Line(0)
		var indents []int
		for line := range strings.Lines(body) {
			number++
			text := strings.TrimLeft(line, " ")
			indent := len(line) - len(text)
			text = strings.TrimRight(text, "\r\n ")
			if text == "" {
				continue
			}
			if text == "#" || text == "!" {
				if indent == 0 {
					indents = indents[:0]
				}
				continue
			}
			for len(indents) > 0 && indents[len(indents)-1] >= indent {
				indents = indents[:len(indents)-1]
			}
			if !yield(observed.Row{Number: number, Depth: len(indents), Text: text}) {
				return
			}
			indents = append(indents, indent)
		}
	}
}
