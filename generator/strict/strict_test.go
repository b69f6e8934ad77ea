package strict_test

import (
	"errors"
	"fmt"
	"io"
	"net/netip"
	"reflect"
	"strings"
	"testing"
	"testing/iotest"
	"time"

	"railyard/generator/strict"
)

type level string

func (l *level) UnmarshalText(text []byte) error {
	if string(text) != "low" && string(text) != "high" {
		return fmt.Errorf("%q is neither low nor high", text)
	}
	*l = level(text)
	return nil
}

type inner struct {
	Word   string        `yaml:"word"`
	Wait   time.Duration `yaml:"wait"`
	Net    netip.Prefix  `yaml:"net"`
	Addr   netip.Addr    `yaml:"addr"`
	Level  level         `yaml:"level"`
	Matrix [][]int       `yaml:"matrix"`
}

type outer struct {
	Count  int               `yaml:"count"`
	Small  uint8             `yaml:"small"`
	Ratio  float64           `yaml:"ratio"`
	On     bool              `yaml:"on"`
	Maybe  *uint32           `yaml:"maybe"`
	Inner  inner             `yaml:"inner"`
	List   []inner           `yaml:"list"`
	Words  []string          `yaml:"words"`
	Labels map[string]string `yaml:"labels"`
	Secret struct {
		Env string `yaml:"env"`
	} `yaml:"secret" strict:"secret"`
	Ignored int `yaml:"-"`
	//lint:ignore U1000 the decoder must pass over it
	hidden int //nolint:unused // must not become a key
}

func decode(t testing.TB, text string, o strict.Options) (outer, strict.Positions, strict.Problems) {
	t.Helper()
	into := outer{Count: 7, Inner: inner{Word: "default"}}
	doc, problems := strict.Parse("f.yaml", strings.NewReader(text))
	if problems != nil {
		return into, nil, problems
	}
	at, report := doc.Decode(&into, o)
	return into, at, report.Problems()
}

func TestDecodeValues(t *testing.T) {
	got, at, problems := decode(t, `
small: 255
ratio: 1.5
on: true
maybe: 4294967295
inner: {wait: 1m30s, net: 10.0.0.0/8, addr: 192.0.2.1, level: high, matrix: [[1, 2], [3]]}
list:
  - word: a
  - {word: "b"}
words: [no, on, "5", 2:1]
labels: {x: y}
secret: {env: NAME}
`, strict.Options{})
	if len(problems) > 0 {
		t.Fatal(problems)
	}
	max := uint32(4294967295)
	want := outer{
		Count: 7, Small: 255, Ratio: 1.5, On: true, Maybe: &max,
		Inner: inner{Word: "default", Wait: 90 * time.Second, Net: netip.MustParsePrefix("10.0.0.0/8"),
			Addr: netip.MustParseAddr("192.0.2.1"), Level: "high", Matrix: [][]int{{1, 2}, {3}}},
		List: []inner{{Word: "a"}, {Word: "b"}}, Words: []string{"no", "on", "5", "2:1"}, Labels: map[string]string{"x": "y"},
	}
	want.Secret.Env = "NAME"
	if !reflect.DeepEqual(got, want) {
		t.Errorf("got  %+v\nwant %+v", got, want)
	}
	for path, where := range map[string]string{
		"small": "f.yaml:2:1", "inner.net": "f.yaml:6:22", "list[0]": "f.yaml:8:5", "list[1].word": "f.yaml:9:6",
		"words[2]": "f.yaml:10:17", "labels.x": "f.yaml:11:10", "inner.matrix[1][0]": "f.yaml:6:87",
	} {
		if got := at[path].String(); got != where {
			t.Errorf("%s stands at %s, want %s", path, got, where)
		}
	}
	if _, ok := at["count"]; ok {
		t.Error("a key that is not written has a position")
	}
}

func TestDecodeProblems(t *testing.T) {
	for _, tc := range []struct{ name, text, want string }{
		{"unknown key", "cuont: 1", "f.yaml:1:1: cuont: unknown key (did you mean count?)"},
		{"unknown key, other spelling", "inner: {WORD: x}", "f.yaml:1:9: inner.WORD: unknown key (did you mean word?)"},
		{"key of another section", "matrix: []", "f.yaml:1:1: matrix: unknown key (it belongs in inner or list[]; the keys here are count, small, ratio, on, maybe, inner, list, words, labels, secret)"},
		{"nothing near", "inner: {zzz: 1}", "f.yaml:1:9: inner.zzz: unknown key (the keys here are word, wait, net, addr, level, matrix)"},
		{"a tag of - is no key", "Ignored: 1", "f.yaml:1:1: Ignored: unknown key (the keys here are count, small, ratio, on, maybe, inner, list, words, labels, secret)"},
		{"twice", "count: 1\ncount: 2", "f.yaml:2:1: count: stands twice in this section, first in line 1 (remove one of the two)"},
		{"twice in a map", "labels: {a: b, a: c}", "f.yaml:1:16: labels.a: stands twice in this section, first in line 1 (remove one of the two)"},
		{"null", "count:", "f.yaml:1:1: count: has no value (give it a value, or remove the key)"},
		{"null section", "inner: ~", "f.yaml:1:1: inner: has no value (write a section with the keys word, wait, net, addr, level, matrix)"},
		{"null in list", "words: [a, null]", "f.yaml:1:12: words[1]: has no value (give it a value, or remove the key)"},
		{"number for text", "inner: {word: 5}", `f.yaml:1:9: inner.word: the number 5 stands where a text belongs (put it in quotes: "5")`},
		{"date for text", "inner: {word: 2026-01-01}", `f.yaml:1:9: inner.word: the date 2026-01-01 stands where a text belongs (put it in quotes: "2026-01-01")`},
		{"quoted number", `count: "5"`, `f.yaml:1:1: count: the text "5" stands where a number belongs (remove the quotes)`},
		{"fraction", "count: 5.5", "f.yaml:1:1: count: the number 5.5 stands where a whole number belongs (write it in plain digits)"},
		{"octal", "count: 010", "f.yaml:1:1: count: the number 010 starts with a zero, which some read as octal (write it without leading zeros)"},
		{"hexadecimal", "count: 0x10", "f.yaml:1:1: count: the number 0x10 stands where a whole number belongs (write it in plain digits)"},
		{"exponent", "count: 1e9", "f.yaml:1:1: count: the number 1e9 stands where a whole number belongs (write it in plain digits)"},
		{"too large", "count: 99999999999999999999", "f.yaml:1:1: count: the number 99999999999999999999 is out of range"},
		{"too large for its type", "small: 256", "f.yaml:1:1: small: the number 256 is out of range"},
		{"negative", "small: -1", "f.yaml:1:1: small: the number -1 is out of range"},
		{"YAML 1.1 boolean", "on: yes", `f.yaml:1:1: on: the text "yes" stands where true or false belongs (write true)`},
		{"infinity", "ratio: .inf", "f.yaml:1:1: ratio: the number .inf stands where a number belongs (write it in plain digits)"},
		{"duration without unit", "inner: {wait: 200}", "f.yaml:1:9: inner.wait: the number 200 is not a duration (write it like 200ms or 2s)"},
		{"duration zero", "inner: {wait: 0}", "f.yaml:1:9: inner.wait: the number 0 is not a duration (write it like 200ms or 2s)"},
		{"prefix", "inner: {net: 10.0.0.0}", `f.yaml:1:9: inner.net: the text "10.0.0.0" is not an IP prefix (write it like 10.16.0.0/12)`},
		{"empty address", `inner: {addr: ""}`, `f.yaml:1:9: inner.addr: the text "" is not an IP address (write it like 192.168.100.1)`},
		{"own type", "inner: {level: medium}", `f.yaml:1:9: inner.level: "medium" is neither low nor high`},
		{"list for number", "count: [1]", "f.yaml:1:1: count: a list stands where a single value belongs (write one value)"},
		{"section for list", "list: {word: a}", "f.yaml:1:1: list: a section stands where a list belongs (start each entry with -)"},
		{"text for list", "words: a", `f.yaml:1:1: words: the text "a" stands where a list belongs (write [a])`},
		{"list for section", "inner: []", "f.yaml:1:1: inner: a list stands where a section belongs (without - or [ ], write a section with the keys word, wait, net, addr, level, matrix)"},
		{"pointer", "maybe: x", `f.yaml:1:1: maybe: the text "x" stands where a number belongs`},
		{"tag", "count: !!int 5", "f.yaml:1:1: count: a YAML tag (!) is not supported (write the plain value)"},
		{"key that is a list", "? [a]\n: 1", "f.yaml:1:3: a key that is not a plain word (write key: value)"},
		{"merge key", "inner: {<<: {word: a}}", "f.yaml:1:9: inner: merge keys (<<) are not supported (write the keys out, or use an alias (*name) for a whole value)"},
		{"line break", `inner: {word: "a\nb"}`, "f.yaml:1:9: inner.word: holds a line break (write the value on one line, without | or >)"},
		{"escape", `inner: {word: "\e[2J"}`, "f.yaml:1:9: inner.word: holds the character U+001B, which does not print (remove it)"},
		{"text direction", `inner: {word: "a\u202eb"}`, "f.yaml:1:9: inner.word: holds the character U+202E, which does not print (remove it)"},
		{"secret in the open", "secret: hunter2", "f.yaml:1:1: secret: a value stands where a reference belongs (the value is not shown) (a secret never stands in the file: write {env: NAME} or {file: PATH}, and change the secret if the file was shared)"},
		{"secret as a key", "secret: {hunter2: x}", "f.yaml:1:10: secret.(not shown): unknown key (a secret never stands in the file: write {env: NAME} or {file: PATH})"},
		{"secret below", "secret: {env: 12345}", "f.yaml:1:10: secret.env: is not what belongs here (the value is not shown) (write {env: NAME} or {file: PATH}, the name of a variable or the path of a file that holds the secret)"},
	} {
		t.Run(tc.name, func(t *testing.T) {
			_, _, problems := decode(t, tc.text+"\n", strict.Options{})
			if got := problems.Error(); got != tc.want {
				t.Errorf("got  %s\nwant %s", got, tc.want)
			}
		})
	}
}

func TestDecodeKeepsWhatIsBad(t *testing.T) {
	got, _, problems := decode(t, "count: x\ninner: {word: 5, level: low}\nmaybe: -1\n", strict.Options{})
	if len(problems) != 3 {
		t.Errorf("%d problems, want all three: %v", len(problems), problems)
	}
	if got.Count != 7 || got.Inner.Word != "default" || got.Inner.Level != "low" || got.Maybe != nil {
		t.Errorf("got %+v: bad values must leave the default, good ones must arrive", got)
	}
}

func TestOptions(t *testing.T) {
	var seen []string
	_, _, problems := decode(t, "count: 9\nwords: [a, b]\ninner: {cuont: 1, wrod: x}\nlist:\n  - {word: x}\n", strict.Options{
		Check: func(owner reflect.Type, key string, value any) (string, string) {
			seen = append(seen, fmt.Sprintf("%s.%s=%v", owner.Name(), key, value))
			if key == "count" {
				return "9 is out of range", "use 1 to 8"
			}
			return "", ""
		},
		Required: func(owner reflect.Type, key string) (string, bool) { return "write it", key == "word" || key == "net" },
	})
	if want := "[outer.count=9 outer.words=a outer.words=b inner.word=x]"; fmt.Sprint(seen) != want {
		t.Errorf("checked %v, want %v", seen, want)
	}
	want := `f.yaml:1:1: count: 9 is out of range (use 1 to 8)
f.yaml:3:1: inner.net: is missing (write it)
f.yaml:3:9: inner.cuont: unknown key (it belongs in the top level; the keys here are word, wait, net, addr, level, matrix)
f.yaml:3:19: inner.wrod: unknown key (did you mean word?)
f.yaml:5:5: list[0].net: is missing (write it)`
	want = strings.Replace(want, "it belongs in the top level; ", "", 1) // cuont is nobody's key
	if got := problems.Error(); got != want {
		t.Errorf("got:\n%s\nwant:\n%s", got, want)
	}
}

func TestAliases(t *testing.T) {
	got, at, problems := decode(t, "inner: &x {word: a}\nlist: [*x, *x]\n", strict.Options{})
	if len(problems) > 0 || len(got.List) != 2 || got.List[1].Word != "a" {
		t.Errorf("got %+v, %v", got.List, problems)
	}
	if where := at["list[1].word"].String(); where != "f.yaml:1:12" {
		t.Errorf("list[1].word stands at %s, want where the anchor is", where)
	}
	for name, text := range map[string]string{
		"within itself": "inner: {matrix: &m [*m]}",
		"bomb":          "inner:\n  matrix:\n    - &a [" + strings.Repeat("1,", 1000) + "]\n" + strings.Repeat("    - *a\n", 1000),
	} {
		start := time.Now()
		_, _, problems := decode(t, text+"\n", strict.Options{})
		if len(problems) == 0 || time.Since(start) > time.Second {
			t.Errorf("%s: %d problems after %v", name, len(problems), time.Since(start))
		}
	}
}

func TestParse(t *testing.T) {
	for _, tc := range []struct{ name, text, want string }{
		{"empty", "", "f.yaml: is empty"},
		{"only comments", "# a\n\n# b\n", "f.yaml: is empty"},
		{"only null", "---\n~\n", "f.yaml: is empty"},
		{"two documents", "a: 1\n---\nb: 2\n", "f.yaml:2:1: a second YAML document starts here (one file describes one thing: remove the line --- or split the file)"},
		{"second document empty", "a: 1\n---\n", "f.yaml:2:1: a second YAML document starts here (one file describes one thing: remove the line --- or split the file)"},
		{"not UTF-8", "a: 1\nb: caf\xe9\n", "f.yaml:2:7: the byte 0xe9 is not UTF-8 text (save the file as UTF-8)"},
		{"after wide characters", "a: \"äö\x00\"", "f.yaml:1:7: a NUL byte: this is not a text file (give the YAML text)"},
		{"UTF-16", "\xff\xfea\x00", "f.yaml: is UTF-16 text (save it as UTF-8)"},
		{"mark in the middle", "a: 1\n\ufeffb: 2\n", "f.yaml:2:1: a byte order mark in the middle of the file (remove it)"},
		{"gzip", "\x1f\x8b\x08", "f.yaml: is compressed with gzip (unpack it first)"},
		{"control character", "a: \x07\n", "f.yaml:1:4: the control character U+0007 (remove it)"},
		{"tab", "a:\n\tb: 1\n", "f.yaml:2:1: not valid YAML: a tab in the indentation (indent with spaces)"},
		{"indentation", "a: 1\nb:\n  - c\n d: 2\n", "f.yaml:4:2: not valid YAML: the indentation fits nothing above (indent keys of one section alike)"},
		{"no space", "a: 1\nb:2\nc: 3\n", "f.yaml:2:1: not valid YAML: a line without a key (write key: value, with a space after the colon)"},
		{"reserved character", "a: @x\n", "f.yaml:1:1: not valid YAML: a text starts with a character that YAML reserves (put it in quotes)"},
		{"list left open", "x: 1\na: [1, 2\nb: 3\n", "f.yaml:2:1: not valid YAML: a list that opens with [ is not closed (close it with ])"},
		{"alias without anchor", "x: 1\na: *-r0\n", "f.yaml:2:4: an alias (*) without its anchor (&) (put a text that starts with * in quotes)"},
		{"broken second document", "a: 1\n---\nb: [\n", "f.yaml:4:1: not valid YAML: a value is missing (give it, or close the [ or { above)"},
	} {
		t.Run(tc.name, func(t *testing.T) {
			_, problems := strict.Parse("f.yaml", strings.NewReader(tc.text))
			if got := problems.Error(); got != tc.want {
				t.Errorf("got  %s\nwant %s", got, tc.want)
			}
		})
	}
	_, problems := strict.Parse("f.yaml", iotest.ErrReader(errors.New("disk on fire")))
	if got := problems.Error(); got != "f.yaml: cannot be read: disk on fire" {
		t.Error(got)
	}
	for _, good := range []string{"\ufeffa: 1\n", "a: 1\r\nb: 2\r\n", "---\na: 1\n...\n"} {
		if _, problems := strict.Parse("f.yaml", strings.NewReader(good)); problems != nil {
			t.Errorf("%q: %v", good, problems)
		}
	}
}

// endless repeats a text for ever and counts what is read.
type endless struct {
	text string
	read int
}

func (e *endless) Read(p []byte) (int, error) {
	for i := range p {
		p[i] = e.text[(e.read+i)%len(e.text)]
	}
	e.read += len(p)
	return len(p), nil
}

// TestHostileInput bounds time and reading on input made to be expensive.
func TestHostileInput(t *testing.T) {
	e := &endless{text: "a: b\n"}
	if _, problems := strict.Parse("f.yaml", e); problems == nil || e.read > 3*strict.MaxBytes {
		t.Errorf("endless input: %v after %d bytes", problems, e.read)
	}
	const most = strict.MaxBytes - 16
	fill := func(s string) io.Reader { return strings.NewReader("x:\n" + strings.Repeat(s, most/len(s))) }
	var anchors, keys strings.Builder
	for i := range 100_000 {
		fmt.Fprintf(&anchors, "k%d: &a%d 1\n", i, i)
		fmt.Fprintf(&keys, "bad%d: %d\n", i, i)
	}
	for name, r := range map[string]io.Reader{
		"brackets": fill("["), "dashes": fill("- "), "question marks": fill("? "), "colons": fill(":\n"), "comments": fill("#\n"),
		"commented entries": fill("- #\n"), "commas": fill(","), "lines": fill("\n"), "blanks": fill(" "), "text": fill(" y\n"), "quotes": fill(`"a" `),
		"anchors": strings.NewReader(anchors.String()), "unknown keys": strings.NewReader(keys.String()),
		"deep": strings.NewReader(strings.Repeat("{a: ", 9000) + "1" + strings.Repeat("}", 9000)),
	} {
		start := time.Now()
		doc, problems := strict.Parse("f.yaml", r)
		if problems == nil {
			var into outer
			_, report := doc.Decode(&into, strict.Options{})
			problems = report.Problems()
		}
		// The bound is loose, since other tests may have the processor.
		if took := time.Since(start); len(problems) == 0 || len(problems) > strict.MostProblems+1 || took > 5*time.Second {
			t.Errorf("%s: %d problems after %v", name, len(problems), took)
		}
	}
}

func TestReportCounts(t *testing.T) {
	var r strict.Report
	var part strict.Report
	for i := range 250 {
		part.Add(strict.Problem{Position: strict.Position{File: "f", Line: 250 - i, Column: 1}, Message: "m"})
	}
	r.Merge(&part)
	list := r.Problems()
	if len(list) != 101 || r.Len() != 250 || list[0].Position.Line != 151 {
		t.Fatalf("%d problems of %d, the first in line %d", len(list), r.Len(), list[0].Position.Line)
	}
	if got := list[100].Error(); got != "f: and 150 more problems (mend these first)" {
		t.Error(got)
	}
}

func TestNearest(t *testing.T) {
	keys := []string{"count", "nic_speed", "nic", "nics", "technology", "rails_per_leaf", "cx5-100", "cx7-400-vpi", "dgx-h100", "dgx-h200"}
	for word, want := range map[string]string{
		"cuont": "count", "nicSpeed": "nic_speed", "nic-speed": "nic_speed", "NIC": "nic", "cx7-400": "cx7-400-vpi", "dgx-h10": "dgx-h100",
		"tecnology": "technology", "rails": "rails_per_leaf", "mtu": "", "": "", "x": "", strings.Repeat("a", 10000): "",
	} {
		if got := strict.Nearest(word, keys); got != want {
			t.Errorf("Nearest(%.20q) = %q, want %q", word, got, want)
		}
	}
}

func FuzzDecode(f *testing.F) {
	for _, s := range []string{
		"count: 1\n", "list:\n  - {word: a, wait: 1s, net: 10.0.0.0/8, addr: 1.2.3.4, level: low, matrix: [[1]]}\n", "a: &a [*a]\n", "secret: {env: X}\n",
		"labels: {a: b}\nmaybe: 3\nratio: 1.5\non: true\n", "x: !!binary aGk=\n", "? a\n: b\n", "- a\n", "---\n...\n---\n", "<<: {a: b}\n", "a: |\n  x\n", "\"\\0\": 1\n", "a:\n\tb\n",
	} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, text string) {
		start := time.Now()
		_, at, problems := decode(t, text, strict.Options{})
		if took := time.Since(start); took > 5*time.Second {
			t.Errorf("%q took %v", text, took)
		}
		for _, p := range problems {
			if p.Message == "" || p.Position.File != "f.yaml" || strings.ContainsAny(p.Error(), "\n\x00\x1b") {
				t.Errorf("%q: problem %q", text, p.Error())
			}
		}
		for path, p := range at {
			if p.Line < 1 || p.Column < 1 {
				t.Errorf("%q: %s stands at %v", text, path, p)
			}
		}
	})
}
