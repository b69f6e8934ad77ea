package cluster

import (
	"encoding/csv"
	"errors"
	"fmt"
	"io"
	"regexp"
	"strconv"
	"strings"
)

const (
	// mostGUIDBytes holds the GUIDs of the largest cluster: 200000 servers with
	// 8 ports would be 70 MB, which no real list is; 16 thousand servers need 6 MB.
	mostGUIDBytes = 64 << 20
	mostGUIDs     = 2_000_000
)

// guids reads infiniband.guids: lines of name,guid; a first line "name,guid"
// and lines that begin with # are skipped. The file is read as a stream.
func (l *loader) guids(file string) {
	f := l.open("infiniband.guids", file)
	if f == nil {
		return
	}
	defer f.Close()
	limited := &io.LimitedReader{R: f, N: mostGUIDBytes + 1}
	r := csv.NewReader(limited)
	r.Comment, r.FieldsPerRecord, r.TrimLeadingSpace, r.ReuseRecord = '#', -1, true, true
	t := &guidTable{l: l, file: l.beside(file), owner: map[uint64]string{}}
	l.c.GUIDs = map[string]uint64{}
	for first := true; ; first = false {
		record, err := r.Read()
		switch {
		case errors.Is(err, io.EOF):
			return
		case limited.N <= 0 || len(l.c.GUIDs) > mostGUIDs:
			l.fail("infiniband.guids", "list the GUIDs of this cluster only", "%s is larger than %d MiB or %d names", quote(file), mostGUIDBytes>>20, mostGUIDs)
			return
		case err != nil:
			t.csvError(err)
			return
		}
		if first {
			record[0] = strings.TrimPrefix(record[0], "\ufeff") // spreadsheets write one
		}
		if first && len(record) == 2 && strings.EqualFold(record[0], "name") {
			continue
		}
		line, column := r.FieldPos(0)
		t.add(record, line, column)
		if l.report.Full() {
			return // a file of another kind has nothing but such lines
		}
	}
}

type guidTable struct {
	l     *loader
	file  string
	owner map[uint64]string
}

func (t *guidTable) fail(line, column int, remedy, format string, args ...any) {
	t.l.report.Add(Problem{Position: Position{File: t.file, Line: line, Column: column}, Message: fmt.Sprintf(format, args...), Remedy: remedy})
}

func (t *guidTable) csvError(err error) {
	var parse *csv.ParseError
	if errors.As(err, &parse) {
		t.fail(parse.Line, parse.Column, "write lines like leaf-u01-r0,0x0002c90300a1b2c3", "not valid CSV: %v", parse.Err)
		return
	}
	t.l.fail("infiniband.guids", "", "cannot be read: %v", err)
}

func (t *guidTable) add(record []string, line, column int) {
	if len(record) != 2 {
		t.fail(line, column, "write name,guid", "%d fields in a line", len(record))
		return
	}
	name, text := strings.TrimSpace(record[0]), strings.TrimSpace(record[1])
	var guid GUID
	if err := guid.UnmarshalText([]byte(text)); err != nil {
		t.fail(line, column, "", "%s: %s is not a GUID; write it like 0x0002c90300a1b2c3", quote(name), quote(text))
		return
	}
	if message, remedy := t.l.guidName(name); message != "" {
		t.fail(line, column, remedy, "%s", message)
		return
	}
	name = strings.Clone(name)
	if _, twice := t.l.c.GUIDs[name]; twice {
		t.fail(line, column, "remove one of the two", "%s stands twice", quote(name))
		return
	}
	if other, twice := t.owner[uint64(guid)]; twice {
		t.fail(line, column, "GUIDs are unique: read them again from the devices", "%s has the GUID of %s", quote(name), quote(other))
		return
	}
	t.l.c.GUIDs[name], t.owner[uint64(guid)] = uint64(guid), name
}

var nicForm = regexp.MustCompile(`^([a-z0-9-]+)/nic([0-9]{1,3})(p[0-7])?$`)

// guidName checks that a name is that of a switch or of a NIC port of a server,
// today's or one of the reserve.
func (l *loader) guidName(name string) (message, remedy string) {
	const form = "name switches like leaf-u01-r0 and NIC ports like gpu-001/nic0"
	m := nicForm.FindStringSubmatch(name)
	if m == nil {
		if switchStart.MatchString(name) {
			return "", ""
		}
		return quote(name) + " is the name of neither a switch nor a NIC port", form
	}
	if strings.HasPrefix(m[1], "ufm-") || !l.usable("servers", "fabric.reserve") {
		return "", ""
	}
	g, _ := l.server(m[1])
	if g == nil {
		return fmt.Sprintf("%s: the cluster has no server %s", quote(name), quote(m[1])), "the servers are " + l.serverRanges()
	}
	if nic, _ := strconv.Atoi(m[2]); nic >= g.NICs {
		return fmt.Sprintf("%s: servers of group %s have nic0 to nic%d", quote(name), g.Name, g.NICs-1), ""
	}
	return "", ""
}
