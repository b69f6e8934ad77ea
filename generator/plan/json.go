package plan

import (
	"bufio"
	"fmt"
	"io"
	"net/netip"
	"strconv"
	"unicode/utf8"

	"railyard/generator/cabling"
	"railyard/generator/fabric"
)

// JSON writes the plan as one JSON object, an element of a list a line, so that
// it can be compared as text too. The same fabric gives the same bytes.
func JSON(w io.Writer, f *fabric.Fabric) error {
	e := newEncoder(w)
	document(e, f)
	return e.close()
}

// document writes all keys of the plan.
func document(e *encoder, f *fabric.Fabric) {
	e.field("format_version", FormatVersion)
	e.field("name", f.Name)
	e.field("technology", f.Technology)
	e.field("roce", known(f.RoCE))
	e.field("topology", f.Topology)
	e.field("attachment", f.Attachment)
	e.field("counts", counts(f))
	e.field("oversubscription", oversubscriptionDoc{ratio(f.LeafOversubscription), ratio(f.SpineOversubscription)})
	list(e, "groups", len(f.Groups), func(i int) groupDoc { return groupOf(f, i) })
	list(e, "models", len(f.Models), func(i int) modelDoc { return modelOf(f, i) })
	list(e, "switches", len(f.Switches), func(i int) switchDoc { return switchOf(f, i) })
	e.lines("servers", len(f.Servers), func(b []byte, i int) []byte { return appendServer(b, f, &f.Servers[i]) })
	e.lines("links", len(f.Links), func(b []byte, i int) []byte { return appendLink(b, f, &f.Links[i]) })
	list(e, "vlans", len(f.VLANs), func(i int) vlanDoc { return vlanOf(f, i) })
	e.field("underlay", underlayOf(f))
	e.field("management", managementOf(f))
	e.field("lossless", losslessOf(f))
	e.field("infiniband", subnetOf(f))
	list(e, "choices", len(f.Choices), func(i int) choiceDoc { return choiceDoc(f.Choices[i]) })
	e.field("bill_of_materials", billDoc(cabling.Materials(f)))
	list(e, "findings", len(f.Findings), func(i int) findingDoc { return findingOf(&f.Findings[i]) })
}

// encoder writes an object key by key, as JSON or as YAML. It stops at the first
// error.
type encoder struct {
	w    *bufio.Writer
	yaml bool
	line []byte
	keys int
	err  error
}

func newEncoder(w io.Writer) *encoder { return &encoder{w: bufio.NewWriterSize(w, 256<<10)} }

func (e *encoder) write(b []byte) {
	if e.err == nil {
		_, e.err = e.w.Write(b)
	}
}

func (e *encoder) fail(err error) {
	if e.err == nil {
		e.err = err
	}
}

// block writes a piece of JSON as YAML.
func (e *encoder) block(body []byte) {
	if e.err != nil {
		return
	}
	text, err := block(body)
	if err != nil {
		e.fail(err)
	}
	e.write(text)
}

// head appends what stands before the value of a key in JSON.
func (e *encoder) head(b []byte, key string) []byte {
	if e.keys++; e.keys == 1 {
		b = append(b, '{')
	} else {
		b = append(b, ',')
	}
	return append(appendString(append(b, "\n  "...), key), ": "...)
}

func (e *encoder) field(key string, v any) {
	body, err := marshal(v)
	if err != nil {
		e.fail(err)
	}
	if e.yaml {
		e.block(fmt.Appendf(nil, "{%q: %s}", key, body))
		return
	}
	e.write(append(e.head(nil, key), body...))
}

// lines writes a list of n elements that element appends one by one, as JSON.
func (e *encoder) lines(key string, n int, element func(b []byte, i int) []byte) {
	switch {
	case e.yaml && n == 0:
		e.write([]byte(key + ": []\n"))
	case e.yaml:
		e.write([]byte(key + ":\n"))
		for i := 0; i < n && e.err == nil; {
			e.line = append(e.line[:0], '[')
			for end := min(i+yamlBatch, n); i < end; i++ {
				e.line = append(element(e.line, i), ',')
			}
			e.line[len(e.line)-1] = ']'
			e.block(e.line)
		}
	default:
		e.write(append(e.head(nil, key), '['))
		for i := 0; i < n && e.err == nil; i++ {
			e.line = e.line[:0]
			if i > 0 {
				e.line = append(e.line, ',')
			}
			e.line = element(append(e.line, "\n    "...), i)
			e.write(e.line)
		}
		if n > 0 {
			e.write([]byte("\n  "))
		}
		e.write([]byte("]"))
	}
}

// list writes a list of n elements.
func list[T any](e *encoder, key string, n int, element func(i int) T) {
	e.lines(key, n, func(b []byte, i int) []byte {
		body, err := marshal(element(i))
		if err != nil {
			e.fail(err)
		}
		return append(b, body...)
	})
}

func (e *encoder) close() error {
	if !e.yaml {
		e.write([]byte("\n}\n"))
	}
	if e.err != nil {
		return fmt.Errorf("plan: %w", e.err)
	}
	if err := e.w.Flush(); err != nil {
		return fmt.Errorf("plan: %w", err)
	}
	return nil
}

// There are hundreds of thousands of links and NICs. They are written by hand, to
// the byte as encoding/json writes linkOf and serverOf.

func appendLink(b []byte, f *fabric.Fabric, l *fabric.Link) []byte {
	b = appendEnd(append(b, `{"a":`...), f, l.A)
	b = appendEnd(append(b, `,"b":`...), f, l.B)
	b = strconv.AppendInt(append(b, `,"speed_gbps":`...), int64(l.SpeedGbps), 10)
	b = strconv.AppendFloat(append(b, `,"length_m":`...), l.LengthM, 'f', -1, 64)
	b = appendString(append(b, `,"kind":`...), string(l.Kind))
	b = appendString(append(b, `,"type":`...), l.CableType)
	b = strconv.AppendInt(append(b, `,"cable":`...), int64(l.Cable), 10)
	b = strconv.AppendInt(append(b, `,"plane":`...), int64(l.Plane), 10)
	if l.A.Kind == fabric.ServerDevice {
		rail := f.Servers[l.A.Device].Ports[l.A.Port].Rail
		b = strconv.AppendInt(append(b, `,"rail":`...), int64(rail), 10)
	}
	return append(b, '}')
}

func appendEnd(b []byte, f *fabric.Fabric, e fabric.End) []byte {
	b = appendString(append(b, `{"device":`...), f.DeviceName(e))
	b = appendString(append(b, `,"port":`...), f.PortName(e))
	if e.Kind == fabric.SwitchDevice {
		p := &f.Switches[e.Device].Ports[e.Port]
		b = strconv.AppendInt(append(b, `,"panel":"`...), int64(p.Cage), 10)
		if p.Split > 1 {
			b = strconv.AppendInt(append(b, '/'), int64(p.Lane), 10)
		}
		b = append(b, '"')
		b = appendPrefix(b, `,"address":"`, p.Address)
	}
	return append(b, '}')
}

func appendServer(b []byte, f *fabric.Fabric, s *fabric.Server) []byte {
	b = appendString(append(b, `{"name":`...), s.Name)
	if s.Group >= 0 {
		b = appendString(append(b, `,"group":`...), f.Groups[s.Group].Name)
	} else {
		b = append(b, `,"group":null`...)
	}
	if s.UFM {
		b = append(b, `,"ufm":true`...)
	}
	b = strconv.AppendInt(append(b, `,"unit":`...), int64(s.Unit)+1, 10)
	b = strconv.AppendInt(append(b, `,"slot":`...), int64(s.Slot), 10)
	b = append(b, `,"nics":[`...)
	for i := range s.Ports {
		p := &s.Ports[i]
		if i > 0 {
			b = append(b, ',')
		}
		b = appendString(append(b, `{"name":`...), p.Name)
		b = strconv.AppendInt(append(b, `,"rail":`...), int64(p.Rail), 10)
		b = strconv.AppendInt(append(b, `,"plane":`...), int64(p.Plane), 10)
		b = appendPrefix(b, `,"address":"`, p.Address)
		if p.Gateway.IsValid() {
			b = append(p.Gateway.AppendTo(append(b, `,"gateway":"`...)), '"')
		}
		if g := guid(p.GUID); g != nil {
			b = appendString(append(b, `,"guid":`...), *g)
		}
		if p.GUID.Placeholder {
			b = append(b, `,"guid_placeholder":true`...)
		}
		b = append(b, '}')
	}
	return append(b, `]}`...)
}

func appendPrefix(b []byte, key string, p netip.Prefix) []byte {
	if !p.IsValid() {
		return b
	}
	return append(p.AppendTo(append(b, key...)), '"')
}

// appendString quotes a string; what needs an escape is left to encoding/json.
func appendString(b []byte, s string) []byte {
	for i := range len(s) {
		if c := s[i]; c < ' ' || c == '"' || c == '\\' || c >= utf8.RuneSelf {
			quoted, _ := marshal(s) // a string always marshals
			return append(b, quoted...)
		}
	}
	b = append(b, '"')
	b = append(b, s...)
	return append(b, '"')
}
