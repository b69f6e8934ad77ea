package plan

import (
	"bytes"
	"encoding/json"
	"errors"
	"flag"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/google/go-cmp/cmp"
	"gopkg.in/yaml.v3"

	"railyard/generator/cabling/sample"
	"railyard/generator/fabric"
)

var update = flag.Bool("update", false, "write the golden files anew")

var errInjected = errors.New("injected")

func golden(t *testing.T, name string, got []byte) {
	t.Helper()
	path := filepath.Join("testdata", name)
	if *update {
		if err := os.WriteFile(path, got, 0o644); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(string(want), string(got)); diff != "" {
		t.Errorf("%s differs (-want +got):\n%s", name, diff)
	}
}

func render(t *testing.T, write func(io.Writer, *fabric.Fabric) error, f *fabric.Fabric) []byte {
	t.Helper()
	var b bytes.Buffer
	if err := write(&b, f); err != nil {
		t.Fatal(err)
	}
	return b.Bytes()
}

func TestGolden(t *testing.T) {
	for name, f := range sample.All() {
		t.Run(name, func(t *testing.T) {
			golden(t, name+".json", render(t, JSON, f))
			golden(t, name+".txt", render(t, Text, f))
		})
	}
	golden(t, "routed.yaml", render(t, YAML, sample.Routed()))
}

// The keys that others rely on (design, section 6), with their values for one
// fabric.
func TestContract(t *testing.T) {
	var d map[string]any
	if err := json.Unmarshal(render(t, JSON, sample.LeafSpine()), &d); err != nil {
		t.Fatal(err)
	}
	at := func(path string) any {
		var v any = d
		for _, key := range strings.Split(path, ".") {
			switch x := v.(type) {
			case map[string]any:
				var ok bool
				if v, ok = x[key]; !ok {
					t.Fatalf("no %s in %s", key, path)
				}
			case []any:
				i := int(key[0] - '0')
				if i >= len(x) {
					t.Fatalf("%s: only %d elements", path, len(x))
				}
				v = x[i]
			}
		}
		return v
	}
	for path, want := range map[string]any{
		"format_version": "1.0", "name": "two-tier", "technology": "roce", "topology": "leaf-spine",
		"counts.servers": 8.0, "counts.gpus": 64.0, "counts.units": 2.0, "counts.rails": 4.0, "counts.planes": 1.0, "counts.leaf": 8.0,
		"counts.spine": 2.0, "counts.core": 0.0, "counts.host_links": 32.0, "counts.leaf_spine_links": 32.0, "counts.spine_core_links": 0.0,
		"counts.host_cables": 32.0, "counts.fabric_cables": 32.0,
		"oversubscription.leaf": "4:4", "oversubscription.spine": nil,
		"switches.0.name": "leaf-u01-r0", "switches.0.role": "leaf", "switches.0.model": "h3c-s9827-128dh", "switches.0.os": "comware",
		"switches.0.unit": 1.0, "switches.0.rails.0": 0.0, "switches.0.plane": 0.0, "switches.0.asn": 4200010000.0, "switches.0.loopback": "10.255.0.0",
		"switches.8.unit": nil, "switches.8.rails": []any{},
		"links.0.a.device": "gpu-001", "links.0.a.port": "nic0", "links.0.b.device": "leaf-u01-r0", "links.0.b.port": "FourHundredGigE1/0/1:1",
		"links.0.speed_gbps": 400.0, "links.0.length_m": 5.0, "links.0.kind": "host", "links.0.cable": 0.0,
		"vlans.0.id": 100.0, "vlans.0.rail": 0.0, "vlans.0.unit": 1.0, "vlans.0.subnet": "10.16.0.0/24", "vlans.0.gateway": "10.16.0.254",
		"lossless.priority": 3.0, "lossless.dscp": 26.0, "lossless.classes.1.name": "roce", "lossless.classes.1.dscp.0": 26.0,
		"lossless.links.0.speed_gbps": 400.0, "lossless.links.0.length_m": 5.0, "lossless.links.0.model": "h3c-s9827-128dh",
		"lossless.links.0.xoff_bytes": 152000.0, "lossless.links.0.xon_bytes": 18432.0, "lossless.links.0.kmin_bytes": 400000.0,
		"lossless.links.0.kmax_bytes": 1600000.0, "lossless.links.0.pmax_percent": 20.0, "lossless.links.0.source": "SONiC buffer model, 400G, 5 m",
		"lossless.buffers.0.model": "h3c-s9827-128dh", "lossless.buffers.0.headroom_bytes": 1264000.0, "lossless.buffers.0.total_bytes": 165000000.0,
		"lossless.deadlock_free": true,
		"findings.0.severity":    "info", "findings.0.code": "PORT_DATA_INFERRED", "findings.1.remedy": "set fabric.spines to 4",
		"findings.2.message": "hosts of group gpu send on priority 4, the plan protects 3", "findings.1.objects.1": "spine-02",
	} {
		if got := at(path); !cmp.Equal(got, want) {
			t.Errorf("%s is %v, want %v", path, got, want)
		}
	}
	if err := json.Unmarshal(render(t, JSON, sample.InfiniBand()), &d); err != nil {
		t.Fatal(err)
	}
	want := map[string]any{"priority": nil, "dscp": nil, "classes": []any{}, "links": []any{}, "buffers": []any{}, "deadlock_free": true}
	for key, want := range want { // nothing but the proof: credits need no plan
		if got := d["lossless"].(map[string]any)[key]; !cmp.Equal(got, want) {
			t.Errorf("lossless.%s of InfiniBand is %v, want %v", key, got, want)
		}
	}
}

// What is unknown is null, and says so.
func TestUnknowns(t *testing.T) {
	f := sample.LeafSpine()
	f.Models[0].BufferBytes, f.Models[0].CellBytes = 0, 0
	f.Lossless.Buffers[0].TotalBytes = 0
	f.Lossless.Deadlock = fabric.Deadlock{}
	f.Lossless.Classes = f.Lossless.Classes[:1]
	f.Groups[0].Class = -1
	body := string(render(t, JSON, f))
	for _, want := range []string{`"buffer_bytes":null`, `"total_bytes":null`, `"deadlock_free":null`, `"priority":null,"dscp":null`} {
		if !strings.Contains(body, want) {
			t.Errorf("no %s", want)
		}
	}
	text := string(render(t, Text, f))
	for _, want := range []string{"unknown", "deadlock: not checked"} {
		if !strings.Contains(text, want) {
			t.Errorf("no %q", want)
		}
	}
	f.Lossless.Deadlock = fabric.Deadlock{Checked: true, Cycle: []string{"leaf-a Eth1", "spine-b Eth2"}}
	if text := string(render(t, Text, f)); !strings.Contains(text, "deadlock: POSSIBLE along leaf-a Eth1 > spine-b Eth2") {
		t.Error(text)
	}
}

// The two families of hosts may send on two classes: the plan's priority is that
// of the first group.
func TestPriorityIsTheFirstGroups(t *testing.T) {
	f := sample.LeafSpine()
	f.Lossless.Classes = append(f.Lossless.Classes, fabric.Class{Name: "hccl", DSCP: []int{33}, Priority: 4, Lossless: true})
	f.Groups[0].Class = 3
	if body := string(render(t, JSON, f)); !strings.Contains(body, `"lossless": {"priority":4,"dscp":33,`) {
		t.Error(body)
	}
}

// Links and servers are written by hand: to the byte as encoding/json would.
func TestHandWritten(t *testing.T) {
	fabrics := sample.All()
	odd := sample.Routed()
	odd.Servers[0].Name = "gpu \"1\"\\ <&> \n\x7f é \xff"
	odd.Links[0].CableType, odd.Links[0].LengthM = "d\u2028c", 0.25
	odd.Switches[0].Ports[0].Name = "Ethernet1/1 ü"
	fabrics["odd"] = odd
	for name, f := range fabrics {
		for i := range f.Links {
			want, err := marshal(linkOf(f, i))
			if err != nil {
				t.Fatal(err)
			}
			if got := appendLink(nil, f, &f.Links[i]); !bytes.Equal(got, want) {
				t.Fatalf("%s: link %d\ngot  %s\nwant %s", name, i, got, want)
			}
		}
		for i := range f.Servers {
			want, err := marshal(serverOf(f, i))
			if err != nil {
				t.Fatal(err)
			}
			if got := appendServer(nil, f, &f.Servers[i]); !bytes.Equal(got, want) {
				t.Fatalf("%s: server %d\ngot  %s\nwant %s", name, i, got, want)
			}
		}
	}
}

func FuzzAppendString(f *testing.F) {
	for _, s := range []string{"", "leaf-01", "a\"b\\c\n", "é\u2028\xff\x00"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, s string) {
		want, err := marshal(s)
		if err != nil {
			t.Fatal(err)
		}
		if got := appendString(nil, s); !bytes.Equal(got, want) {
			t.Errorf("got %s, want %s", got, want)
		}
	})
}

// YAML and JSON are the same document.
func TestYAML(t *testing.T) {
	fabrics := sample.All()
	odd := sample.LeafSpine()
	odd.Name = "yes"
	odd.Findings[0].Message = "a: b # c\n- \"d\" \\ é {x}"
	odd.Switches[0].OS = "007"
	odd.Switches[1].OS = "1e3"
	odd.Switches[2].OS = "null"
	fabrics["odd"] = odd
	for name, f := range fabrics {
		var fromJSON, fromYAML any
		if err := json.Unmarshal(render(t, JSON, f), &fromJSON); err != nil {
			t.Fatal(err)
		}
		body := render(t, YAML, f)
		if err := yaml.Unmarshal(body, &fromYAML); err != nil {
			t.Fatalf("%s: %v\n%s", name, err, body)
		}
		again, err := json.Marshal(fromYAML)
		if err != nil {
			t.Fatal(err)
		}
		if err := json.Unmarshal(again, &fromYAML); err != nil {
			t.Fatal(err)
		}
		if diff := cmp.Diff(fromJSON, fromYAML); diff != "" {
			t.Errorf("%s: %s", name, diff)
		}
	}
}

// Text keeps to the width, has no blanks at line ends and no colour.
func TestTextForm(t *testing.T) {
	fabrics := sample.All()
	fabrics["big"] = sample.Build(sample.Shape{Name: "big", Technology: fabric.RoCE, Topology: fabric.ThreeTier, Planes: 2, Units: 16, PerUnit: 8, Rails: 8, Uplinks: 8, Spines: 8, BlockUnits: 1, Cores: 16})
	for name, f := range fabrics {
		for i, line := range strings.Split(string(render(t, Text, f)), "\n") {
			if n := utf8.RuneCountInString(line); n > lineWidth {
				t.Errorf("%s: line %d has %d columns: %s", name, i+1, n, line)
			}
			if strings.TrimRight(line, " ") != line || strings.ContainsAny(line, "\t\x1b") {
				t.Errorf("%s: line %d is untidy: %q", name, i+1, line)
			}
		}
	}
}

func TestFindings(t *testing.T) {
	list := sample.LeafSpine().Findings
	var b bytes.Buffer
	if err := Findings(&b, list); err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{"WARNING FEW_SPINES: 2 spines", "remedy: set fabric.spines to 4", "source: Juniper validated design", "concerns: spine-[01-02]"} {
		if !strings.Contains(b.String(), want) {
			t.Errorf("no %q in\n%s", want, b.String())
		}
	}
	b.Reset()
	if err := FindingsJSON(&b, list); err != nil {
		t.Fatal(err)
	}
	var d struct {
		FormatVersion string `json:"format_version"`
		Findings      []findingDoc
	}
	if err := json.Unmarshal(b.Bytes(), &d); err != nil || d.FormatVersion != "1.0" || len(d.Findings) != 3 || d.Findings[2].Code != "CLASS_MISMATCH" {
		t.Errorf("%v\n%s", err, b.String())
	}
	b.Reset()
	if err := FindingsJSON(&b, nil); err != nil || !strings.Contains(b.String(), `"findings": []`) {
		t.Errorf("%v %s", err, b.String())
	}
}

func TestFold(t *testing.T) {
	for _, tc := range []struct {
		names []string
		want  string
	}{
		{nil, ""},
		{[]string{"leaf-u01-r0-7"}, "leaf-u01-r0-7"},
		{[]string{"gpu-001", "gpu-002", "gpu-004"}, "gpu-[001-002,004]"},
		{[]string{"gpu-9", "gpu-10", "gpu-11"}, "gpu-9, gpu-[10-11]"},
		{[]string{"leaf-u01-r0", "leaf-u01-r1", "leaf-u02-r0", "leaf-u02-r1"}, "leaf-u[01-02]-r[0-1]"},
		// the last unit has one rail only
		{[]string{"leaf-u01-r0", "leaf-u01-r1", "leaf-u02-r0"}, "leaf-u01-r[0-1], leaf-u02-r0"},
		{[]string{"spine-01", "core-01", "spine-02"}, "spine-[01-02], core-01"},
		{[]string{"a", "a", "b"}, "a, b"},
		{[]string{"p0-leaf-u01-r0", "p1-leaf-u01-r0"}, "p[0-1]-leaf-u01-r0"},
		{[]string{"a", "b", "c", "d", "e", "f", "g", "h"}, "a, b, c, d, e and 3 more"},
		{[]string{"x99999999999999999999", "x99999999999999999998"}, "x[99999999999999999998,99999999999999999999]"},
	} {
		if got := fold(tc.names); got != tc.want {
			t.Errorf("fold(%v) = %s, want %s", tc.names, got, tc.want)
		}
	}
}

func TestNumberForms(t *testing.T) {
	for n, want := range map[int]string{0: "0", 999: "999", 1000: "1,000", 131072: "131,072", 1234567: "1,234,567"} {
		if got := thousands(n); got != want {
			t.Errorf("thousands(%d) = %s", n, got)
		}
	}
	for n, want := range map[int64]string{0: "0", 254: "254B", 18432: "18.4KB", 400_000: "400KB", 165_000_000: "165MB", 20_200_000: "20.2MB", 1_000_000: "1MB"} {
		if got := size(n); got != want {
			t.Errorf("size(%d) = %s, want %s", n, got, want)
		}
	}
	if got := numberSpans([]int{107, 100, 101, 101, 120}); got != "100-101,107,120" {
		t.Errorf("numberSpans = %s", got)
	}
}

func TestWriterErrors(t *testing.T) {
	f := sample.Build(sample.Shape{Name: "x", Technology: fabric.RoCE, Units: 8, PerUnit: 16, Rails: 8, Uplinks: 16, Spines: 16})
	for name, write := range map[string]func(io.Writer, *fabric.Fabric) error{"json": JSON, "yaml": YAML, "text": Text} {
		for _, after := range []int{0, 1000} {
			if err := write(&limited{after}, f); !errors.Is(err, errInjected) {
				t.Errorf("%s, failing after %d bytes: %v", name, after, err)
			}
		}
	}
}

// limited is a disk that is full after n bytes.
type limited struct{ n int }

func (l *limited) Write(p []byte) (int, error) {
	if len(p) > l.n {
		return 0, errInjected
	}
	l.n -= len(p)
	return len(p), nil
}
