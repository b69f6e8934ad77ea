package grammar

import (
	"strings"
	"testing"
)

// tiny has one of everything.
const tiny = `
os: tiny
file: tiny.cfg
syntax: {indent: 1, separator: "#"}
defined: {vlan: ["1"]}
words: {port: '{Ten|Hundred}GigE1/0/<1-64>[:<1-4>]'}
views:
- view: system
  rules:
  - {id: early, form: 'early', source: A, mark: doc}
  - {form: 'late', after: [early], source: A, mark: doc}
  - {form: 'vlan <1-4094=vlan>', enters: vlan, source: A, mark: doc}
  - {form: 'vlan batch <spans 1-4094=vlan>', source: A, mark: doc}
  - {form: 'uses vlan <1-4094@vlan>', source: A, mark: doc}
  - {form: 'mentions vlan <1-4094~vlan>', source: A, mark: doc}
  - {form: 'interface <port>', enters: port, source: A, mark: doc}
  - {form: 'interface Vlan<1-4094@vlan>', enters: port, source: A, mark: doc}
  - {form: 'split <many port> into {2|4} [now]', source: A, mark: doc}
  - {form: 'banner', until: EOF, source: A, mark: doc}
  - {form: 'end', last: true, source: A, mark: doc}
- view: vlan
  rules:
  - {form: 'name <name 1-5>', source: A, mark: field}
- view: port
  rules:
  - {id: mode, form: 'mode {route|bridge}', first: true, source: A, mark: doc}
  - {id: on, form: 'pfc on', needs: [mode], source: A, mark: doc}
  - {form: 'pfc lossless <csv 1-5>', needs: [on], source: A, mark: doc}
  - {form: 'time <0.01-60>', source: A, mark: doc}
  - {id: a, form: 'only-p', families: [P], excludes: [b], source: A, mark: doc}
  - {id: b, form: 'both', source: A, mark: doc}
  - {form: 'description <remark 1-20>', source: A, mark: inferred}
  - {form: 'address <ip> <mask> | <prefix>', source: A, mark: doc}
  - {form: 'map <list 0-7> to <0-7>', source: A, mark: doc}
never:
- {view: '*', form: 'router <rest>', line: router x, reason: other system, source: A}
- {view: port, form: 'mode bridge', line: mode bridge, reason: the default, source: A}
`

func parse(t testing.TB, text string) *Grammar {
	t.Helper()
	g, err := Parse([]byte(text))
	if err != nil {
		t.Fatal(err)
	}
	return g
}

func TestCheck(t *testing.T) {
	g := parse(t, tiny)
	for _, c := range []struct{ name, text, family, want string }{
		{"nothing", "", "", ""},
		{"fine", "early\nlate\nvlan 7\n name a\n#\ninterface TenGigE1/0/1:2\n mode route\n pfc on\n pfc lossless 3,4\n#\nend\n", "", ""},
		{"windows, blanks, empty lines", "early \r\n\r\n\nlate\n", "", ""},
		{"unknown word", "earli\n", "", `1 unknown unknown in this view`},
		{"below an unknown header", "interfac TenGigE1/0/1\n mode route\n x\n#\n y\n", "", "1 unknown unknown in this view; the 2 lines below it were not looked at|5 unknown unknown in this view"},
		{"other view", "pfc on\n", "", "1 view known only in view port"},
		{"other system", "router bgp 1\n", "", "1 never other system"},
		{"default", "interface TenGigE1/0/1\n mode bridge\n", "", "2 never the default"},
		{"other family", "interface TenGigE1/0/1\n only-p\n", "J", "2 family confirmed for P only, not for J"},
		{"family not known", "interface TenGigE1/0/1\n only-p\n", "", "2 family confirmed for P only, not for hardware of unknown family"},
		{"own family", "interface TenGigE1/0/1\n only-p\n", "P", ""},
		{"range", "vlan 4095\n", "", `1 range "4095" is not <1-4094>`},
		{"word range", "interface TenGigE1/0/65\n", "", `1 range "TenGigE1/0/65" is not <port>`},
		{"length", "vlan 2\n name abcdef\n", "", `2 range "abcdef" is not <name 1-5>`},
		{"signs", "interface TenGigE1/0/1\n description a[1]\n", "", `2 range "a[1]" is not <remark 1-20>`},
		{"list", "interface TenGigE1/0/1\n map 1 9 to 3\n", "", `2 range "9" is not <list 0-7>`},
		{"csv", "interface TenGigE1/0/1\n mode route\n pfc on\n pfc lossless 3,6\n", "", `4 range "3,6" is not <csv 1-5>`},
		{"decimals", "interface TenGigE1/0/1\n time 60.5\n", "", `2 range "60.5" is not <0.01-60>`},
		{"first", "interface TenGigE1/0/1\n time 1\n mode route\n", "", "3 order it must be the first line of its view"},
		{"needs", "interface TenGigE1/0/1\n pfc on\n mode route\n", "", `2 order it needs "mode {route|bridge}" before it|3 order it must be the first line of its view`},
		{"after", "late\nearly\n", "", `2 order it must stand before "late"`},
		{"after, absent", "late\n", "", ""},
		{"excludes", "interface TenGigE1/0/1\n both\n only-p\n", "P", `3 order it cannot stand beside "both"`},
		{"excludes the other way", "interface TenGigE1/0/1\n only-p\n both\n", "P", `3 order it cannot stand beside "only-p"`},
		{"each view anew", "interface TenGigE1/0/1\n both\ninterface TenGigE1/0/2\n only-p\n", "P", ""},
		{"behind the end", "end\nearly\n", "", "2 order it stands behind the end of the file"},
		{"name later", "uses vlan 7\nvlan 7\n", "", "1 order it needs vlan 7 before it"},
		{"name never", "uses vlan 7\n", "", "1 order it needs vlan 7, which the file does not define"},
		{"name from the start", "uses vlan 1\n", "", ""},
		{"name later is fine", "mentions vlan 7\nvlan 7\n", "", ""},
		{"name nowhere", "mentions vlan 7\n", "", "1 order it needs vlan 7, which the file does not define"},
		{"name in a word", "vlan batch 5 to 7 9\ninterface Vlan6\ninterface Vlan8\n", "", "3 order it needs vlan 8, which the file does not define"},
		{"indent", " early\n", "", "1 column the device prints it with no blank in front, not 1"},
		{"deep indent", "vlan 2\n   name a\n", "", "2 column the device prints it with one blank in front, not 3"},
		{"separator ends a view", "vlan 2\n#\n name a\n", "", "3 view known only in view vlan"},
		{"indented separator does not", "vlan 2\n #\n name a\n", "", ""},
		{"series", "split TenGigE1/0/1 HundredGigE1/0/3 to HundredGigE1/0/9 into 4 now\n", "", ""},
		{"series that ends in to", "split TenGigE1/0/1 to into 4\n", "", `1 unknown unknown in this view`},
		{"lists rise", "vlan batch 5 4\n", "", `1 unknown unknown in this view`},
		{"text", "banner\nanything at all\n#\nEOF\nearly\n", "", ""},
		{"text without end", "banner\nx\n", "", "2 order the file ends, but the text before is not closed by EOF"},
		{"literal sign", "interface TenGigE1/0/1\n address 10.0.0.1 255.255.255.254 | 10.0.0.0/31\n", "", ""},
	} {
		var got []string
		for _, d := range g.Check([]byte(c.text), c.family) {
			got = append(got, itoa(int64(d.Line))+" "+string(d.Kind)+" "+d.Reason)
		}
		if s := strings.Join(got, "|"); s != c.want {
			t.Errorf("%s: %s\nwant %s", c.name, s, c.want)
		}
	}
}

// The scanner is used again: what one file defines is not there for the next.
func TestFilesAreApart(t *testing.T) {
	g := parse(t, tiny)
	for range 3 {
		if d := g.Check([]byte("vlan 7\nuses vlan 7\nend\n"), ""); len(d) > 0 {
			t.Fatal(d)
		}
		if d := g.Check([]byte("uses vlan 7\n"), ""); len(d) != 1 {
			t.Fatal(d)
		}
	}
	body := []byte("erly\n")
	d := g.Scan(body, "")
	copy(body, "xxxx")
	if d[0].Text != "erly" {
		t.Errorf("the doubt holds on to the caller's bytes: %q", d[0].Text)
	}
}

func TestWords(t *testing.T) {
	b := &builder{g: &Grammar{}, words: map[string]string{"port": "{Ten|Hundred}GigE1/0/<1-64>[:<1-4>]"}}
	for _, c := range []struct{ form, yes, no string }{
		{"<1-15>", "1 15", "0 16 01 -1 +1 1.0 x 99999999999999999999"},
		{"<0.01-60>", "0.01 0.20 60 60.000 1.5", "0.001 60.001 0.0001 x .5 -1"},
		{"<ip>", "0.0.0.0 255.255.255.255 10.0.0.1", "256.0.0.1 10.0.0 10.0.0.0.1 10.0.0.01 10..0.1 10.0.0. ::1"},
		{"<prefix>", "10.0.0.0/31 0.0.0.0/0", "10.0.0.0 10.0.0.0/33 10.0.0.0/ 10.0.0/8"},
		{"<mask>", "255.255.255.254 255.0.0.0 0.0.0.0 255.255.255.255", "255.0.255.0 0.0.0.255 255.255.255.253 24"},
		{"<name 2-3>", "ab abc", "a abcd"},
		{"<csv 0-7>", "3 0,7 3,4,5", "8 3, ,3 3,8 3-4"},
		{"<port>", "TenGigE1/0/1 HundredGigE1/0/64:4", "GigE1/0/1 TenGigE1/0/0 TenGigE1/0/1:5 TenGigE1/0/1: TenGigE1/0/01 tenGigE1/0/1"},
		{"^<1-9>$", "^1$", "1 ^1 ^10$"},
		{"$h$<name>", "$h$6$x", "$h$ $6$x"},
		{`!\<if\>`, "!<if>", "<if> !if"},
	} {
		readings, err := b.form(c.form)
		if err != nil || len(readings) != 1 || len(readings[0]) != 1 {
			t.Fatalf("%s: %v %v", c.form, readings, err)
		}
		tok := readings[0][0]
		for _, w := range strings.Fields(c.yes) {
			if !tok.accepts(w) {
				t.Errorf("%s refuses %q", c.form, w)
			}
		}
		for _, w := range strings.Fields(c.no) {
			if tok.accepts(w) {
				t.Errorf("%s takes %q", c.form, w)
			}
		}
	}
}

func TestReadings(t *testing.T) {
	b := &builder{g: &Grammar{}}
	for form, want := range map[string]int{"a": 1, "a [b]": 2, "a {b|c d|e}": 3, "{a|b} [c [d]]": 6, "[{a|b}] c": 3, "x{1|2}y": 1} {
		if got, err := b.form(form); err != nil || len(got) != want {
			t.Errorf("%s: %d readings, %v, want %d", form, len(got), err, want)
		}
	}
}

// All faults of a grammar come at once, with the form they are in.
func TestParseErrors(t *testing.T) {
	for change, want := range map[string]string{
		"source: A, mark: doc}|mark: doc}":                                "has no source",
		"mark: field}|mark: hearsay}":                                     `mark "hearsay" is none of doc, field, inferred`,
		"enters: vlan,|enters: wlan,":                                     `enters "wlan", which is no view`,
		"needs: [mode]|needs: [mod]":                                      `needs "mod" is no rule's id`,
		"<csv 1-5>|<csv>":                                                 "needs a range",
		"<name 1-5>|<nam>":                                                "is no kind of word",
		"<1-4094=vlan>|<4094-1=vlan>":                                     `"4094-1" is no range`,
		"<many port>|<many prt>":                                          `"prt" is no kind of word`,
		"'early'|'early {a'":                                              "a bracket is not closed",
		"'early'|'early  x'":                                              "two blanks in a row",
		"'early'|'[a] [b] [c] [d] [e] [f] [g] [h] [i] [j]'":               "more than 512 readings",
		"view: vlan\n|view: port\n":                                       "a name of its own is needed",
		"reason: other system|reason: ''":                                 "line, reason and source are needed",
		"{view: port, form: 'mode bridge'|{view: no, form: 'mode bridge'": `view "no" is none`,
		"os: tiny|os: ''":                                                 "os, file, syntax.indent and views are needed",
		"first: true|frist: true":                                         "field frist not found",
	} {
		from, to, _ := strings.Cut(change, "|")
		text := strings.Replace(tiny, from, to, 1)
		if text == tiny {
			t.Fatalf("%q is not in the grammar", from)
		}
		if _, err := Parse([]byte(text)); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v, want %s", change, err, want)
		}
	}
	text := strings.NewReplacer("'early'", "'early {a'", "mark: field}", "mark: x}").Replace(tiny)
	if _, err := Parse([]byte(text)); err == nil || strings.Count(err.Error(), "\n") < 1 {
		t.Errorf("not all faults at once: %v", err)
	}
}

// Lines with secrets are shown without them.
func TestMasked(t *testing.T) {
	for line, want := range map[string]string{
		"username a privilege 15 secret sha512 $6$salt$hash": "username a privilege 15 secret ***",
		"pasword hash $h$6$salt$hash":                        "pasword hash ***",
		"local-user a passwd $1d$x y$z$":                     "local-user a passwd ***",
		"snmp-agent community read public":                   "snmp-agent community ***",
		"hostname leaf-1":                                    "hostname leaf-1",
		"password":                                           "password",
		"cost $5":                                            "cost $5",
	} {
		if got := masked(line); got != want {
			t.Errorf("%q becomes %q", line, got)
		}
	}
	g := parse(t, tiny)
	for _, d := range g.Check([]byte("interface TenGigE1/0/1\n description password hash $6$abc$def that is far too long\n"), "") {
		if strings.Contains(d.Text+d.Reason, "abc") {
			t.Errorf("%+v", d)
		}
	}
}

func FuzzParse(f *testing.F) {
	for _, form := range []string{"a [b {c|d}] <1-5>", "[[", "{|}", "<>", "<many port>", `\`, "x<1-2=y>", "{a b|c}<1-2>[x]"} {
		f.Add(form, "a b 3")
	}
	f.Fuzz(func(t *testing.T, form, line string) {
		b := &builder{g: &Grammar{}, words: map[string]string{"port": "GE<1-4>", "self": "<self>"}}
		readings, err := b.form(form)
		if err != nil {
			return
		}
		for _, r := range readings {
			for _, tok := range r {
				tok.accepts(line)
			}
		}
		_ = readable(form)
		_ = distance(strings.Fields(line), []string{form})
	})
}
