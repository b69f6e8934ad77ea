package audit

import (
	"bufio"
	"encoding/csv"
	"errors"
	"fmt"
	"io"
	"math"
	"strconv"
	"strings"

	"railyard/generator/observed"
)

// Cables is how long the cables are, in metres, by switch and port.
type Cables struct {
	lengths map[[2]string]float64
	pairs   [][2]cableEnd
}

type cableEnd struct{ sw, port string }

// length is the cable of a port; false when the list does not have it.
func (c *Cables) length(sw, port, alias string) (float64, bool) {
	if c == nil {
		return 0, false
	}
	for _, name := range []string{port, alias} {
		if m, ok := c.lengths[[2]string{strings.ToLower(sw), observed.PortKey(name)}]; ok && name != "" {
			return m, true
		}
	}
	return 0, false
}

// maxCables bounds a cable list.
const maxCables = 2_000_000

// ReadCables reads a cable list: railyard's cabling.csv, any table whose column
// names tell the two ends and the length, or lines "a,b,length" with a and b as
// SWITCH:PORT or SWITCH PORT. Commas, semicolons and tabs separate; lengths are
// metres unless they say cm, km or ft. Every wrong line is in the error.
func ReadCables(name string, r io.Reader) (*Cables, error) {
	head := bufio.NewReader(r)
	in := csv.NewReader(head)
	in.FieldsPerRecord, in.TrimLeadingSpace, in.ReuseRecord, in.Comment, in.LazyQuotes = -1, true, true, '#', true
	in.Comma = separator(head)
	out := &Cables{lengths: map[[2]string]float64{}}
	var problems []error
	c := columns{length: 2, scale: 1}
	for first := true; ; first = false {
		record, err := in.Read()
		if err == io.EOF {
			break
		}
		if err != nil {
			return nil, fmt.Errorf("%s: %w", name, err)
		}
		line, _ := in.FieldPos(0)
		if first && c.header(record) {
			continue
		}
		if err := out.add(&c, record); err != nil {
			problems = append(problems, fmt.Errorf("%s:%d: %w", name, line, err))
		}
		if len(out.lengths) > maxCables || len(problems) > 20 {
			problems = append(problems, fmt.Errorf("%s: too many lines or too many of them wrong; stopped at line %d", name, line))
			break
		}
	}
	if len(out.lengths) == 0 && len(problems) == 0 {
		problems = append(problems, fmt.Errorf("%s: no cables in it; lines are a,b,length, or the file is railyard's cabling.csv", name))
	}
	return out, errors.Join(problems...)
}

// separator is the one that the first line has most of.
func separator(r *bufio.Reader) rune {
	head, _ := r.Peek(4096)
	line, _, _ := strings.Cut(string(head), "\n")
	best := ','
	for _, c := range ";\t" {
		if strings.Count(line, string(c)) > strings.Count(line, string(best)) {
			best = c
		}
	}
	return best
}

// columns is where things stand in a record.
type columns struct {
	ends   [2]struct{ device, port int } // from 1; 0 where both stand in one column
	both   [2]int                        // from 1; 0: the first and second column
	length int
	scale  float64 // metres
	named  bool
}

// The words of column names, by what they mean.
var columnWords = map[string]string{
	"a": "a", "source": "a", "src": "a", "from": "a", "local": "a", "near": "a", "b": "b", "z": "b", "dest": "b", "destination": "b", "dst": "b", "to": "b", "remote": "b", "far": "b", "peer": "b",
	"device": "device", "switch": "device", "host": "device", "hostname": "device", "node": "device", "name": "device", "system": "device", "port": "port", "interface": "port", "intf": "port",
	"length": "length", "len": "length", "metres": "length", "meters": "length", "ft": "ft", "feet": "ft", "cm": "cm",
}

// header takes the first line for column names when it has them.
func (c *columns) header(record []string) bool {
	found := columns{scale: 1, length: -1}
	for i, name := range record {
		words := strings.FieldsFunc(strings.ToLower(strings.TrimPrefix(name, "\ufeff")), func(r rune) bool { return (r < 'a' || r > 'z') && (r < '0' || r > '9') })
		is := map[string]bool{}
		for _, w := range words {
			is[columnWords[w]] = true
		}
		switch {
		case is["length"]:
			if found.length = i; is["ft"] {
				found.scale = 0.3048
			} else if is["cm"] {
				found.scale = 0.01
			}
		case is["a"] || is["b"]:
			end := 0
			if is["b"] {
				end = 1
			}
			switch {
			case is["device"] && found.ends[end].device == 0:
				found.ends[end].device = i + 1
			case is["port"] && found.ends[end].port == 0:
				found.ends[end].port = i + 1
			case len(words) == 1:
				found.both[end] = i + 1
			}
		}
	}
	split := found.ends[0].device > 0 && found.ends[1].device > 0
	if found.length < 0 || !split && found.both[0] == 0 {
		return false
	}
	found.named = true
	*c = found
	return true
}

// metres reads a length: "5", "5m", "2.5 m", "300 cm", "10 ft".
func (c *columns) metres(s string) (float64, error) {
	number := strings.TrimRight(strings.TrimSpace(strings.ToLower(s)), " abcdefghijklmnopqrstuvwxyz")
	unit := strings.TrimSpace(strings.ToLower(s)[min(len(number), len(s)):])
	scale, ok := map[string]float64{"": c.scale, "m": 1, "metres": 1, "meters": 1, "cm": 0.01, "km": 1000, "ft": 0.3048, "feet": 0.3048}[unit]
	v, err := strconv.ParseFloat(strings.TrimSpace(number), 64)
	if v *= scale; err != nil || !ok || !(v >= 0 && v <= 100_000) {
		return 0, fmt.Errorf("%q is no length in metres", s)
	}
	return math.Round(v*1000) / 1000, nil
}

func (c *Cables) add(at *columns, record []string) error {
	field := func(i int) string {
		if i < 0 || i >= len(record) {
			return ""
		}
		return strings.TrimSpace(record[i])
	}
	metres, err := at.metres(field(at.length))
	if err != nil {
		return err
	}
	var pair [2]cableEnd
	for i, end := range at.ends {
		sw, port := field(end.device-1), field(end.port-1)
		if end.device == 0 {
			column := i
			if at.named {
				column = at.both[i] - 1
			}
			both, ok := field(column), false
			if sw, port, ok = strings.Cut(both, ":"); !ok {
				sw, port, ok = strings.Cut(both, " ")
			}
			if !ok {
				return fmt.Errorf("%q is no SWITCH:PORT", both)
			}
		}
		c.lengths[[2]string{strings.ToLower(strings.TrimSpace(sw)), observed.PortKey(port)}] = metres
		pair[i] = cableEnd{strings.TrimSpace(sw), port}
	}
	c.pairs = append(c.pairs, pair)
	return nil
}
