package cabling

import (
	"bytes"
	"encoding/csv"
	"errors"
	"flag"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/xuri/excelize/v2"

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

func records(t *testing.T, body []byte) (header []string, rows [][]string) {
	t.Helper()
	all, err := csv.NewReader(bytes.NewReader(body)).ReadAll()
	if err != nil {
		t.Fatal(err)
	}
	return all[0], all[1:]
}

func TestGolden(t *testing.T) {
	for name, f := range sample.All() {
		t.Run(name, func(t *testing.T) {
			golden(t, name+".cabling.csv", render(t, CSV, f))
			golden(t, name+".addressing.csv", render(t, Addressing, f))
		})
	}
}

func TestCableList(t *testing.T) {
	for name, f := range sample.All() {
		t.Run(name, func(t *testing.T) {
			header, rows := records(t, render(t, CSV, f))
			if got := strings.Join(header, ","); got != "label,cable,kind,a_device,a_port,a_panel,b_device,b_port,b_panel,speed_gbps,length_m,type,plane,rail" {
				t.Errorf("header %s", got)
			}
			if len(rows) != len(f.Links) {
				t.Fatalf("%d lines for %d links", len(rows), len(f.Links))
			}
			labels, cables := map[string]bool{}, map[string]bool{}
			for i, r := range rows {
				l := &f.Links[i]
				if labels[r[0]] {
					t.Errorf("label %s is used twice", r[0])
				}
				if len(r[0]) > 24 {
					t.Errorf("label %s is too long for a flag", r[0])
				}
				labels[r[0]], cables[r[1]] = true, true
				if r[0] != Label(f, l) || r[3] != f.DeviceName(l.A) || r[7] != f.PortName(l.B) || r[8] != Panel(f, l.B) {
					t.Errorf("line %d: %v", i+2, r)
				}
				if (r[2] == "host") != (r[13] != "") {
					t.Errorf("line %d: a %s link has rail %q", i+2, r[2], r[13])
				}
			}
			if want := f.Counts.HostCables + f.Counts.FabricCables; len(cables) != want {
				t.Errorf("%d cables, want %d", len(cables), want)
			}
		})
	}
}

// Labels stay when the cluster grows: they are made of the switch's name and
// panel port alone.
func TestLabels(t *testing.T) {
	f := sample.LeafSpine()
	for i, want := range map[int]string{0: "leaf-u01-r0:1/1", 1: "leaf-u01-r0:1/2", len(f.Links) - 1: "leaf-u02-r3:4/2"} {
		if got := Label(f, &f.Links[i]); got != want {
			t.Errorf("label of link %d is %s, want %s", i, got, want)
		}
	}
}

func TestAddressList(t *testing.T) {
	for name, f := range sample.All() {
		t.Run(name, func(t *testing.T) {
			_, rows := records(t, render(t, Addressing, f))
			seen := map[string]string{}
			for _, r := range rows {
				if seen[r[2]] != "" {
					t.Errorf("%s and %s both have %s", seen[r[2]], r[0], r[2])
				}
				seen[r[2]] = r[0]
			}
			if got := addresses(f).count; got != len(rows) {
				t.Errorf("announced %d lines, wrote %d", got, len(rows))
			}
		})
	}
	purposes := func(f *fabric.Fabric) map[string]int {
		_, rows := records(t, render(t, Addressing, f))
		n := map[string]int{}
		for _, r := range rows {
			n[r[10]]++
		}
		return n
	}
	for _, tc := range []struct {
		name string
		f    *fabric.Fabric
		want map[string]int
	}{
		// 8 leaves with 4 uplinks each and 2 spines; every link has two ends
		{"numbered links", sample.LeafSpine(), map[string]int{"loopback": 10, "management": 10, "gateway": 8, "link": 64, "host": 32}},
		{"unnumbered links have none", sample.Planes(), map[string]int{"loopback": 12, "management": 12, "gateway": 8, "host": 16}},
		{"routed hosts", sample.Routed(), map[string]int{"loopback": 4, "management": 4, "gateway": 4, "link": 8, "host": 4}},
		{"InfiniBand has only management", sample.InfiniBand(), map[string]int{"management": 6}},
		{"VLANs without gateways", sample.Single(), map[string]int{"management": 1, "host": 64}},
		{"cell ports have none", sample.DDC(), map[string]int{"management": 4, "gateway": 2, "host": 8}},
	} {
		if diff := cmp.Diff(tc.want, purposes(tc.f)); diff != "" {
			t.Errorf("%s: %s", tc.name, diff)
		}
	}
}

func TestHarmfulNames(t *testing.T) {
	f := sample.Routed()
	f.Links[0].CableType = "=HYPERLINK(\"http://x\",\"y\")"
	f.Links[1].CableType = "dac, \"red\"\nthick"
	f.Links[2].CableType = "@x"
	f.Links[3].CableType = " spaced "
	f.Servers[0].Name = "-gpu"
	f.Servers[1].Name = "gpu+1"
	_, rows := records(t, render(t, CSV, f))
	for i, want := range []string{"'=HYPERLINK(\"http://x\",\"y\")", "dac, \"red\"\nthick", "'@x", " spaced "} {
		if got := rows[i][11]; got != want {
			t.Errorf("type of link %d is %q, want %q", i, got, want)
		}
	}
	if rows[0][3] != "'-gpu" || rows[1][3] != "gpu+1" {
		t.Errorf("servers are %q and %q", rows[0][3], rows[1][3])
	}
	book := open(t, render(t, Workbook, f))
	for cell, want := range map[string]string{"L2": rows[0][11], "L3": rows[1][11], "L5": " spaced ", "D2": "'-gpu"} {
		if got, err := book.GetCellValue("Cables", cell); err != nil || got != want {
			t.Errorf("cell %s is %q (%v), want %q", cell, got, err, want)
		}
		if formula, err := book.GetCellFormula("Cables", cell); err != nil || formula != "" {
			t.Errorf("cell %s has formula %q (%v)", cell, formula, err)
		}
	}
}

func TestMaterials(t *testing.T) {
	for name, f := range sample.All() {
		t.Run(name, func(t *testing.T) {
			bill := Materials(f)
			switches, host, other := 0, 0, 0
			for _, s := range bill.Switches {
				switches += s.Count
			}
			for _, c := range bill.Cables {
				if c.Kind == fabric.HostLink {
					host += c.Count
				} else {
					other += c.Count
				}
			}
			if switches != len(f.Switches) || host != f.Counts.HostCables || other != f.Counts.FabricCables {
				t.Errorf("%d switches, %d host and %d fabric cables; counts are %+v", switches, host, other, f.Counts)
			}
		})
	}
	want := Bill{
		Switches: []SwitchItem{
			{Count: 8, Tier: "leaf", Model: "h3c-s9827-128dh", Vendor: "h3c", OS: "comware"},
			{Count: 2, Tier: "spine", Model: "h3c-s9827-128dh", Vendor: "h3c", OS: "comware"},
		},
		Cables: []CableItem{
			{Count: 32, Tier: "server-leaf", Kind: "host", SpeedGbps: 400, Links: 1, LengthM: 5, Type: "dac"},
			{Count: 32, Tier: "leaf-spine", Kind: "fabric", SpeedGbps: 400, Links: 1, LengthM: 30, Type: "aoc"},
		},
		Ports: []PortItem{
			{Tier: "leaf", Model: "h3c-s9827-128dh", SpeedGbps: 400, Used: 64, Reserved: 16, Spare: 16},
			{Tier: "spine", Model: "h3c-s9827-128dh", SpeedGbps: 400, Used: 32},
		},
	}
	if diff := cmp.Diff(want, Materials(sample.LeafSpine())); diff != "" {
		t.Error(diff)
	}
	gaps := sample.LeafSpine()
	for i := range gaps.Links {
		gaps.Links[i].Cable *= 1_000_000
	}
	if diff := cmp.Diff(want, Materials(gaps)); diff != "" {
		t.Error(diff)
	}
	twin := Materials(sample.InfiniBand()).Cables
	if len(twin) != 2 || twin[0].Links != 2 || twin[0].Count != 4 || twin[1].Count != 4 {
		t.Errorf("twin-port cables: %+v", twin)
	}
}

func TestRails(t *testing.T) {
	for want, rails := range map[string][]int{"": nil, "3": {3}, "0-7": {0, 1, 2, 3, 4, 5, 6, 7}, "0,2-3,7": {0, 2, 3, 7}} {
		if got := Rails(rails); got != want {
			t.Errorf("Rails(%v) = %s, want %s", rails, got, want)
		}
	}
}

func open(t *testing.T, body []byte) *excelize.File {
	t.Helper()
	book, err := excelize.OpenReader(bytes.NewReader(body))
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { book.Close() })
	return book
}

// The workbook says the same as the CSV files.
func TestWorkbook(t *testing.T) {
	for name, f := range sample.All() {
		t.Run(name, func(t *testing.T) {
			body := render(t, Workbook, f)
			if !bytes.Equal(body, render(t, Workbook, f)) {
				t.Error("two runs differ")
			}
			book := open(t, body)
			if got := book.GetSheetList(); !slices.Equal(got, []string{"Switches", "Cables", "Addresses", "Bill of materials"}) {
				t.Fatalf("sheets %v", got)
			}
			for sheet, write := range map[string]func(io.Writer, *fabric.Fabric) error{"Cables": CSV, "Addresses": Addressing} {
				header, want := records(t, render(t, write, f))
				got, err := book.GetRows(sheet)
				if err != nil {
					t.Fatal(err)
				}
				if len(got[0]) != len(header) {
					t.Errorf("%s: header %v", sheet, got[0])
				}
				for i := range got { // GetRows cuts empty cells at the end
					got[i] = append(got[i], make([]string, len(header)-len(got[i]))...)
				}
				if len(want) > 0 && !cmp.Equal(want, got[1:]) {
					t.Errorf("%s: %s", sheet, cmp.Diff(want, got[1:]))
				}
			}
			if rows, err := book.GetRows("Switches"); err != nil || len(rows) != len(f.Switches)+1 {
				t.Errorf("%d rows of switches: %v", len(rows), err)
			}
		})
	}
}

func TestWorkbookLooks(t *testing.T) {
	book := open(t, render(t, Workbook, sample.InfiniBand()))
	for _, sheet := range book.GetSheetList() {
		panes, err := book.GetPanes(sheet)
		if err != nil || !panes.Freeze || panes.YSplit != 1 {
			t.Errorf("%s: panes %+v %v", sheet, panes, err)
		}
		if width, err := book.GetColWidth(sheet, "A"); err != nil || width < 12 {
			t.Errorf("%s: first column is %v wide (%v)", sheet, width, err)
		}
	}
	filters := 0
	for _, n := range book.GetDefinedName() {
		if n.Name == "_xlnm._FilterDatabase" {
			filters++
		}
	}
	if filters != 4 {
		t.Errorf("%d filters: %v", filters, book.GetDefinedName())
	}
	props, err := book.GetDocProps()
	if err != nil || props.Title != "superpod" || props.Created != fixedTime || props.Modified != fixedTime {
		t.Errorf("properties %+v %v", props, err)
	}
	if got, _ := book.GetCellType("Cables", "J2"); got != excelize.CellTypeNumber && got != excelize.CellTypeUnset {
		t.Errorf("speed has type %v", got)
	}
	if got, _ := book.GetCellValue("Switches", "L2"); got != "0x0200000000000000 (placeholder)" {
		t.Errorf("GUID %q", got)
	}
}

// A list that is too long for a sheet goes on in the next.
func TestLongListsAreSplit(t *testing.T) {
	for _, refs := range []int{0, 30} {
		testLongLists(t, refs)
	}
}

func testLongLists(t *testing.T, refs int) {
	f := sample.Single()
	var b bytes.Buffer
	if err := writeWorkbook(&b, f.Name, []table{switches(f), cables(f)}, limits{rows: 31, refs: refs}); err != nil {
		t.Fatal(err)
	}
	book := open(t, b.Bytes())
	if got := book.GetSheetList(); !slices.Equal(got, []string{"Switches", "Cables", "Cables (2)", "Cables (3)"}) {
		t.Fatalf("sheets %v", got)
	}
	_, want := records(t, render(t, CSV, f))
	var got []string
	for sheet, most := range map[string]int{"Cables": 31, "Cables (2)": 31, "Cables (3)": 5} {
		rows, err := book.GetRows(sheet)
		if err != nil || len(rows) != most || rows[0][0] != "Label" {
			t.Errorf("%s has %d rows (%v), want %d", sheet, len(rows), err, most)
		}
		for _, r := range rows[1:] {
			got = append(got, r[0]+r[13]) // first and last column
		}
	}
	slices.Sort(got)
	var labels []string
	for _, r := range want {
		labels = append(labels, r[0]+r[13])
	}
	slices.Sort(labels)
	if !slices.Equal(got, labels) {
		t.Errorf("labels %v", got)
	}
}

// More than a block of text, so that several are put together.
func TestManyBlocks(t *testing.T) {
	f := sample.Build(sample.Shape{Name: "blocks", Technology: fabric.RoCE, Topology: fabric.LeafSpine, Units: 8, PerUnit: 32, Rails: 8, Uplinks: 32, Spines: 32})
	body := render(t, Workbook, f)
	if !bytes.Equal(body, render(t, Workbook, f)) {
		t.Error("two runs differ")
	}
	rows, err := open(t, body).GetRows("Cables")
	if err != nil || len(rows) != len(f.Links)+1 {
		t.Fatalf("%d rows: %v", len(rows), err)
	}
	_, want := records(t, render(t, CSV, f))
	for i, r := range rows[1:] {
		if r[0] != want[i][0] {
			t.Fatalf("row %d is %v", i+2, r)
		}
	}
}

func TestWriterErrors(t *testing.T) {
	f := sample.Build(sample.Shape{Name: "x", Technology: fabric.RoCE, Units: 8, PerUnit: 16, Rails: 8, Uplinks: 16, Spines: 16})
	for name, write := range map[string]func(io.Writer, *fabric.Fabric) error{"csv": CSV, "addressing": Addressing, "workbook": Workbook} {
		for _, after := range []int{0, 1000, 50_000} {
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
