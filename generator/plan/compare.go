package plan

import (
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"slices"
	"strconv"
	"strings"

	"railyard/generator/cabling"
	"railyard/generator/fabric"
)

// Changes is what a fabric does to an older plan. Devices are matched by name,
// VLANs by plane, unit and rail, cables by the panel ports they are plugged into:
// another OS on the same switch moves no cable.
type Changes struct {
	FormatVersion string     `json:"format_version"`
	OldName       string     `json:"old_name"`
	Name          string     `json:"name"`
	Identical     bool       `json:"identical"`              // none of what is compared differs
	NothingMoves  bool       `json:"nothing_existing_moves"` // things are added at most
	Switches      Difference `json:"switches"`
	Servers       Difference `json:"servers"`
	VLANs         Difference `json:"vlans"`
	Cables        Recabling  `json:"cables"`
}

// Difference is what happens to one kind of object. All lists are sorted as in
// the plans.
type Difference struct {
	Added   []string `json:"added"`
	Removed []string `json:"removed"`
	Changed []Change `json:"changed"`
}

// Change is an object that stays and differs.
type Change struct {
	Name   string  `json:"name"`
	Fields []Field `json:"fields"`
}

// Field is one value that differs; "" stands for none.
type Field struct {
	Field string `json:"field"`
	Old   string `json:"old"`
	New   string `json:"new"`
}

// Recabling is what happens to the links.
type Recabling struct {
	Added   []Cable  `json:"added"`
	Removed []Cable  `json:"removed"`
	Moved   []Move   `json:"moved"`   // one end stays where it is
	Changed []Change `json:"changed"` // plugged as before, but of another length, speed, type or address
}

// Cable is a link by its ends: device and panel port, or NIC.
type Cable struct {
	A string `json:"a"`
	B string `json:"b"`
}

// String writes A to B.
func (c Cable) String() string { return c.A + " to " + c.B }

// Move is a link that is plugged elsewhere.
type Move struct {
	From Cable `json:"from"`
	To   Cable `json:"to"`
}

// Compare reads a plan that JSON wrote before and says what the fabric changes.
// It fails on what is not such a plan, or one of another major format version.
func Compare(old io.Reader, f *fabric.Fabric) (*Changes, error) {
	c := newComparison(f)
	if err := c.read(json.NewDecoder(old)); err != nil {
		if errors.Is(err, io.EOF) {
			err = io.ErrUnexpectedEOF
		}
		return nil, fmt.Errorf("old plan: %w", err)
	}
	return c.finish(), nil
}

// ledger matches the old objects of one kind with the new ones.
type ledger struct {
	names []string
	index map[string]int
	seen  []bool
	diff  Difference
}

func newLedger(n int, name func(i int) string) *ledger {
	l := &ledger{names: make([]string, n), index: make(map[string]int, n), seen: make([]bool, n),
		diff: Difference{[]string{}, []string{}, []Change{}}}
	for i := range n {
		l.names[i] = name(i)
		l.index[l.names[i]] = i
	}
	return l
}

// enter books an old object; fields says how it and the new one of that name differ.
func (l *ledger) enter(name string, fields func(i int) []Field) {
	i, ok := l.index[name]
	if !ok || l.seen[i] {
		l.diff.Removed = append(l.diff.Removed, name)
		return
	}
	l.seen[i] = true
	if f := fields(i); len(f) > 0 {
		l.diff.Changed = append(l.diff.Changed, Change{name, f})
	}
}

func (l *ledger) finish() Difference {
	for i, seen := range l.seen {
		if !seen {
			l.diff.Added = append(l.diff.Added, l.names[i])
		}
	}
	return l.diff
}

type comparison struct {
	f                        *fabric.Fabric
	out                      Changes
	switches, servers, vlans *ledger
	cables                   *recabler
}

func newComparison(f *fabric.Fabric) *comparison {
	return &comparison{f: f, out: Changes{FormatVersion: FormatVersion, Name: f.Name}, cables: newRecabler(f),
		switches: newLedger(len(f.Switches), func(i int) string { return f.Switches[i].Name }),
		servers:  newLedger(len(f.Servers), func(i int) string { return f.Servers[i].Name }),
		vlans: newLedger(len(f.VLANs), func(i int) string {
			v := &f.VLANs[i]
			return vlanName(v.Plane, v.Unit+1, v.Rail)
		})}
}

func vlanName(plane, unit, rail int) string {
	return fmt.Sprintf("plane %d unit %d rail %d", plane, unit, rail)
}

// read goes through the old plan once; it may be a hundred megabytes.
func (c *comparison) read(in *json.Decoder) error {
	if t, err := in.Token(); err != nil {
		return err
	} else if t != json.Delim('{') {
		return errors.New("not a plan")
	}
	missing := []string{"format_version", "switches", "servers", "links", "vlans"}
	for in.More() {
		t, err := in.Token()
		if err != nil {
			return err
		}
		key, _ := t.(string)
		if i := slices.Index(missing, key); i >= 0 {
			missing = slices.Delete(missing, i, i+1)
		}
		if err := c.section(in, key); err != nil {
			return err
		}
	}
	if _, err := in.Token(); err != nil {
		return err
	}
	if len(missing) > 0 {
		return fmt.Errorf("not a plan: no %s", strings.Join(missing, ", "))
	}
	return nil
}

func (c *comparison) section(in *json.Decoder, key string) error {
	switch key {
	case "format_version":
		var v string
		if err := in.Decode(&v); err != nil {
			return err
		}
		if major, _, _ := strings.Cut(v, "."); major != "1" {
			return fmt.Errorf("format_version %q is not one this railyard reads", v)
		}
		return nil
	case "name":
		return in.Decode(&c.out.OldName)
	case "switches":
		return each(in, func(d switchDoc) {
			c.switches.enter(d.Name, func(i int) []Field { return switchFields(d, switchOf(c.f, i)) })
		})
	case "servers":
		return each(in, func(d serverDoc) {
			c.servers.enter(d.Name, func(i int) []Field { return serverFields(d, serverOf(c.f, i)) })
		})
	case "vlans":
		return each(in, func(d vlanDoc) {
			c.vlans.enter(vlanName(d.Plane, d.Unit, d.Rail), func(i int) []Field { return vlanFields(d, vlanOf(c.f, i)) })
		})
	case "links":
		return each(in, c.cables.enter)
	}
	var skip json.RawMessage
	return in.Decode(&skip)
}

// each decodes the elements of a list one by one.
func each[T any](in *json.Decoder, use func(T)) error {
	if t, err := in.Token(); err != nil {
		return err
	} else if t != json.Delim('[') {
		return errors.New("not a plan: a list was expected")
	}
	for in.More() {
		var v T
		if err := in.Decode(&v); err != nil {
			return err
		}
		use(v)
	}
	_, err := in.Token()
	return err
}

func (c *comparison) finish() *Changes {
	o := &c.out
	o.Switches, o.Servers, o.VLANs, o.Cables = c.switches.finish(), c.servers.finish(), c.vlans.finish(), c.cables.finish()
	o.NothingMoves = len(o.Cables.Removed)+len(o.Cables.Moved)+len(o.Cables.Changed) == 0
	o.Identical = len(o.Cables.Added) == 0
	for _, d := range []*Difference{&o.Switches, &o.Servers, &o.VLANs} {
		o.NothingMoves = o.NothingMoves && len(d.Removed)+len(d.Changed) == 0
		o.Identical = o.Identical && len(d.Added) == 0
	}
	o.Identical = o.Identical && o.NothingMoves
	return o
}

// fieldList collects what differs.
type fieldList []Field

func (l *fieldList) add(name, old, new string) {
	if old != new {
		*l = append(*l, Field{name, old, new})
	}
}

func deref[T any](p *T) string {
	if p == nil {
		return ""
	}
	return fmt.Sprint(*p)
}

func switchFields(a, b switchDoc) []Field {
	var l fieldList
	l.add("role", a.Role, b.Role)
	l.add("model", a.Model, b.Model)
	l.add("os", a.OS, b.OS)
	l.add("unit", deref(a.Unit), deref(b.Unit))
	l.add("rails", cabling.Rails(a.Rails), cabling.Rails(b.Rails))
	l.add("plane", strconv.Itoa(a.Plane), strconv.Itoa(b.Plane))
	l.add("asn", deref(a.ASN), deref(b.ASN))
	l.add("loopback", deref(a.Loopback), deref(b.Loopback))
	l.add("management", deref(a.Management), deref(b.Management))
	l.add("guid", deref(a.GUID), deref(b.GUID))
	return l
}

func serverFields(a, b serverDoc) []Field {
	var l fieldList
	l.add("group", deref(a.Group), deref(b.Group))
	l.add("unit", strconv.Itoa(a.Unit), strconv.Itoa(b.Unit))
	l.add("slot", strconv.Itoa(a.Slot), strconv.Itoa(b.Slot))
	nics := func(d serverDoc) map[string]nicDoc {
		m := make(map[string]nicDoc, len(d.NICs))
		for _, n := range d.NICs {
			m[n.Name] = n
		}
		return m
	}
	was, is := nics(a), nics(b)
	for _, n := range a.NICs {
		now, ok := is[n.Name]
		if !ok {
			l.add(n.Name, "present", "")
			continue
		}
		l.add(n.Name+" address", deref(n.Address), deref(now.Address))
		l.add(n.Name+" gateway", deref(n.Gateway), deref(now.Gateway))
		l.add(n.Name+" guid", deref(n.GUID), deref(now.GUID))
	}
	for _, n := range b.NICs {
		if _, ok := was[n.Name]; !ok {
			l.add(n.Name, "", "present")
		}
	}
	return l
}

func vlanFields(a, b vlanDoc) []Field {
	var l fieldList
	l.add("id", strconv.Itoa(a.ID), strconv.Itoa(b.ID))
	l.add("subnet", deref(a.Subnet), deref(b.Subnet))
	l.add("gateway", deref(a.Gateway), deref(b.Gateway))
	return l
}

// recabler matches the old links with the new ones by their ends.
type recabler struct {
	f     *fabric.Fabric
	lower map[string]int // new link by its lower end
	upper map[string]int
	seen  []bool
	open  []Cable // old links that are not where they were
	diff  Recabling
}

func newRecabler(f *fabric.Fabric) *recabler {
	r := &recabler{f: f, lower: make(map[string]int, len(f.Links)), upper: make(map[string]int, len(f.Links)), seen: make([]bool, len(f.Links)),
		diff: Recabling{[]Cable{}, []Cable{}, []Move{}, []Change{}}}
	for i := range f.Links {
		c := r.cable(i)
		r.lower[c.A], r.upper[c.B] = i, i
	}
	return r
}

func (r *recabler) cable(i int) Cable {
	l := &r.f.Links[i]
	return Cable{r.place(l.A), r.place(l.B)}
}

func (r *recabler) place(e fabric.End) string {
	return r.f.DeviceName(e) + ":" + cmp.Or(cabling.Panel(r.f, e), r.f.PortName(e))
}

func (r *recabler) enter(d linkDoc) {
	c := Cable{d.A.Device + ":" + cmp.Or(d.A.Panel, d.A.Port), d.B.Device + ":" + cmp.Or(d.B.Panel, d.B.Port)}
	i, ok := r.lower[c.A]
	if j, both := r.upper[c.B]; !ok || !both || i != j || r.seen[i] {
		r.open = append(r.open, c)
		return
	}
	r.seen[i] = true
	now := linkOf(r.f, i)
	var l fieldList
	l.add("speed_gbps", strconv.Itoa(d.SpeedGbps), strconv.Itoa(now.SpeedGbps))
	l.add("length_m", deref(&d.LengthM), deref(&now.LengthM))
	l.add("type", d.Type, now.Type)
	l.add("a address", deref(d.A.Address), deref(now.A.Address))
	l.add("b address", deref(d.B.Address), deref(now.B.Address))
	if len(l) > 0 {
		r.diff.Changed = append(r.diff.Changed, Change{c.String(), l})
	}
}

// finish decides about the links that are not where they were: one whose lower
// end is plugged elsewhere has moved, or else one whose upper end is; the rest is
// gone.
func (r *recabler) finish() Recabling {
	for _, ends := range []struct {
		at  map[string]int
		end func(Cable) string
	}{{r.lower, func(c Cable) string { return c.A }}, {r.upper, func(c Cable) string { return c.B }}} {
		var rest []Cable
		for _, c := range r.open {
			if i, ok := ends.at[ends.end(c)]; ok && !r.seen[i] {
				r.seen[i] = true
				r.diff.Moved = append(r.diff.Moved, Move{c, r.cable(i)})
			} else {
				rest = append(rest, c)
			}
		}
		r.open = rest
	}
	r.diff.Removed = append(r.diff.Removed, r.open...)
	for i, seen := range r.seen {
		if !seen {
			r.diff.Added = append(r.diff.Added, r.cable(i))
		}
	}
	return r.diff
}
