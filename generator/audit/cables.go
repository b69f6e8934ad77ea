package audit

import (
	"encoding/csv"
	"errors"
	"fmt"
	"io"
	"strconv"
	"strings"

	"railyard/generator/observed"
)

// Cables is how long the cables are, in metres, by switch and port.
type Cables struct{ lengths map[[2]string]float64 }

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

// ReadCables reads a cable list: railyard's cabling.csv, or lines "a,b,length"
// with a and b as SWITCH:PORT or SWITCH PORT and the length in metres. Every
// wrong line is in the error.
func ReadCables(name string, r io.Reader) (*Cables, error) {
	in := csv.NewReader(r)
	in.FieldsPerRecord, in.TrimLeadingSpace, in.ReuseRecord, in.Comment = -1, true, true, '#'
	out := &Cables{lengths: map[[2]string]float64{}}
	var problems []error
	columns := map[string]int{}
	for {
		record, err := in.Read()
		if err == io.EOF {
			break
		}
		if err != nil {
			return nil, fmt.Errorf("%s: %w", name, err)
		}
		line, _ := in.FieldPos(0)
		if line == 1 && len(columns) == 0 && header(columns, record) {
			continue
		}
		if err := out.add(columns, record); err != nil {
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

// header takes the first line for column names when it has them.
func header(columns map[string]int, record []string) bool {
	for i, c := range record {
		columns[strings.ToLower(strings.TrimSpace(strings.TrimPrefix(c, "\ufeff")))] = i
	}
	_, long := columns["a_device"]
	_, short := columns["a"]
	if !long && !short {
		clear(columns)
	}
	return long || short
}

func (c *Cables) add(columns map[string]int, record []string) error {
	field := func(name string, otherwise int) string {
		at, ok := columns[name]
		if !ok {
			at = otherwise
		}
		if at < 0 || at >= len(record) {
			return ""
		}
		return strings.TrimSpace(record[at])
	}
	written := field("length_m", -1)
	if written == "" {
		written = field("length", 2)
	}
	metres, err := strconv.ParseFloat(strings.TrimSuffix(strings.TrimSpace(written), "m"), 64)
	if err != nil || metres < 0 || metres > 100_000 {
		return fmt.Errorf("%q is no length in metres", written)
	}
	ends := [][2]string{{field("a_device", -1), field("a_port", -1)}, {field("b_device", -1), field("b_port", -1)}}
	if ends[0][0] == "" {
		for i, e := range []string{field("a", 0), field("b", 1)} {
			sw, port, ok := strings.Cut(e, ":")
			if !ok {
				sw, port, ok = strings.Cut(e, " ")
			}
			if !ok {
				return fmt.Errorf("%q is no SWITCH:PORT", e)
			}
			ends[i] = [2]string{sw, port}
		}
	}
	for _, e := range ends {
		c.lengths[[2]string{strings.ToLower(e[0]), observed.PortKey(e[1])}] = metres
	}
	return nil
}
