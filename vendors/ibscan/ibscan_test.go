package ibscan

import (
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"railyard/generator"
	"railyard/generator/cluster"
	"railyard/generator/fabric"
	"railyard/vendors/clitree"
)

// The records of testdata are what infiniband-diags 39 printed of c.yaml's
// topology.net on ibsim 0.10 under OpenSM 3.3.23.
func plan(t testing.TB) *fabric.Fabric {
	t.Helper()
	body, err := os.ReadFile("testdata/c.yaml")
	if err != nil {
		t.Fatal(err)
	}
	c, err := cluster.Load("c.yaml", strings.NewReader(string(body)), nil)
	if err != nil {
		t.Fatal(err)
	}
	f, err := generator.Design(c)
	if err != nil {
		t.Fatal(err)
	}
	return f
}

func record(t testing.TB, names ...string) []fabric.File {
	t.Helper()
	var files []fabric.File
	for _, n := range names {
		body, err := os.ReadFile(filepath.Join("testdata", n))
		if err != nil {
			t.Fatal(err)
		}
		files = append(files, fabric.File{Name: n, Body: body})
	}
	return files
}

var every = []string{"ibnetdiscover.txt", "ibswitches.txt", "pkeys.txt", "smpquery.txt"}

func texts(list []clitree.Change) []string {
	var out []string
	for _, c := range list {
		out = append(out, fmt.Sprintf("%s: -%q +%q", strings.Join(c.Path, " / "), c.Remove, c.Add))
	}
	return out
}

func TestIdentity(t *testing.T) {
	f := plan(t)
	for _, real := range []bool{false, true} {
		if real { // GUIDs given by the user: the simulator's are the plan's
			for i := range f.Switches {
				f.Switches[i].GUID.Placeholder = false
			}
			for i := range f.Servers {
				for j := range f.Servers[i].Ports {
					f.Servers[i].Ports[j].GUID.Placeholder = false
				}
			}
		}
		for _, names := range [][]string{every, {"ibnetdiscover.txt"}, {"ibswitches.txt"}, {"pkeys.txt", "ibnetdiscover.txt"}} {
			files := record(t, names...)
			for i := range files {
				if !Recognise(files[i].Body) {
					t.Errorf("%s is not recognised", files[i].Name)
				}
			}
			r := Compare(f, files)
			if len(r.Changes) > 0 {
				t.Errorf("%v: %q", names, texts(r.Changes))
			}
			want := 0
			if !real {
				want = 1 // that names decided
			}
			if len(r.Problems) != want {
				t.Errorf("%v: %v", names, r.Problems)
			}
		}
	}
}

// Each fault is named at its place, and nothing else is.
func TestFaults(t *testing.T) {
	f := plan(t)
	net := string(record(t, "ibnetdiscover.txt")[0].Body)
	keys := string(record(t, "pkeys.txt")[0].Body)
	sub := func(s, pattern, with string) string {
		re := regexp.MustCompile(pattern)
		if !re.MatchString(s) {
			t.Fatalf("no %q", pattern)
		}
		return re.ReplaceAllString(s, with)
	}
	section := func(s, desc string) string { // without a device
		return sub(sub(s, `vendid=.*\ndevid=.*\nsysimgguid=.*\n\w+guid=.*\n(?:Switch|Ca)\t.*"`+desc+`".*\n(?:\[.*\n)*\n?`, ""), `\[\d+\].*"`+desc+`".*\n`, "")
	}
	for _, c := range []struct {
		name, net, keys string
		want            []string
	}{
		{"cable gone", sub(sub(net, `(?m)^\[21\]\t"S-0200000100000003"\[11\].*\n`, ""), `(?m)^\[11\]\t"S-0200000100000002"\[21\].*\n`, ""), "",
			[]string{`leaf-u01-r4-7: -[] +["port 21 to spine-01 port 11"]`}},
		{"cable in another port of the spine", sub(sub(net, `(?m)^(\[21\]\t"S-0200000100000003")\[11\]`, "${1}[40]"), `(?m)^\[11\](\t"S-0200000100000002"\[21\].*)`, "[40]$1"), "",
			[]string{`leaf-u01-r4-7: -["port 21 to spine-01 port 40"] +["port 21 to spine-01 port 11"]`}},
		{"cable nobody planned", sub(sub(net, `(?m)^(\[1\]\t"H-0200000200000010".*\n)`, "${1}[20]\t\"S-0200000100000001\"[20]\t\t# \"leaf-u01-r0-3\" lid 2 4xHDR\n"), `(?m)^(\[1\]\t"H-0200000200000000".*\n)`, "${1}[20]\t\"S-0200000100000002\"[20]\t\t# \"leaf-u01-r4-7\" lid 3 4xHDR\n"), "",
			[]string{`leaf-u01-r0-3: -["port 20 to leaf-u01-r4-7 port 20"] +[]`}},
		{"half the speed", sub(sub(net, `(?m)^(\[21\]\t"S-0200000100000003"\[11\].*)4xHDR`, "${1}2xHDR"), `(?m)^(\[11\]\t"S-0200000100000002"\[21\].*)4xHDR`, "${1}2xHDR"), "",
			[]string{`leaf-u01-r4-7: -["port 21 at 2xHDR (100G)"] +["port 21 at 200G"]`}},
		{"a server's card gone", section(net, "gpu-002 nic5"), "", []string{`gpu-002: -[] +["nic5: it was not seen"]`}},
		{"a spine gone", section(net, "spine-02"), "", []string{`spine-02: -[] +["the switch itself: it was not seen"]`}},
		{"no LID", sub(net, `("spine-01".*) lid \d+`, "$1 lid 0"), "", []string{`spine-01: -["lid 0: no subnet manager has numbered it"] +[]`}},
		{"not active", net + "PortInfoRecord dump:\n\tRID\n\t\tEndPortLid..............1\n\t\tPortNum.................1\n\tPortInfo dump:\n\t\tLinkState:.......................Initialize\n", "",
			[]string{`gpu-001 nic0: -["port 1 is Initialize"] +["port 1 is Active"]`}},
		{"a key gone", net, strings.Replace(keys, "0xffff 0x8001 0x0002", "0xffff 0x0000 0x0002", 1), []string{`gpu-001 nic0: -[] +["pkey 0x0001 full"]`}},
		{"limited instead of full", net, strings.Replace(keys, "0xffff 0x8001 0x0002", "0xffff 0x0001 0x0002", 1), []string{`gpu-001 nic0: -["pkey 0x0001 limited"] +["pkey 0x0001 full"]`}},
		{"a key too many", net, strings.Replace(keys, "0xffff 0x8001 0x0002 0x0000", "0xffff 0x8001 0x0002 0x8077", 1), []string{`gpu-001 nic0: -["pkey 0x0077 full"] +[]`}},
	} {
		files := []fabric.File{{Name: "net", Body: []byte(c.net)}}
		if c.keys != "" {
			files = append(files, fabric.File{Name: "keys", Body: []byte(c.keys)})
		}
		got := texts(Compare(f, files).Changes)
		if !slices.Equal(got, c.want) {
			t.Errorf("%s: got %q\nwant %q", c.name, got, c.want)
		}
	}
}

// Two cables swapped between ports of one leaf, as a technician does it.
func TestSwappedCables(t *testing.T) {
	net := string(record(t, "ibnetdiscover.txt")[0].Body)
	for port, other := range map[string]string{"1": "2", "2": "1"} {
		// at the switch
		from := regexp.MustCompile(`(?m)^\[` + port + `\](\t"H-02000002000000[13]0"\[1\])`)
		if !from.MatchString(net) {
			t.Fatal("no such line")
		}
		net = from.ReplaceAllString(net, "[x"+other+"]$1")
	}
	net = strings.NewReplacer("[x1]", "[1]", "[x2]", "[2]").Replace(net)
	// and at the adapters
	net = strings.NewReplacer(`(200000200000011) 	"S-0200000100000002"[1]`, `(200000200000011) 	"S-0200000100000002"[2]`,
		`(200000200000031) 	"S-0200000100000002"[2]`, `(200000200000031) 	"S-0200000100000002"[1]`).Replace(net)
	got := texts(Compare(plan(t), []fabric.File{{Name: "net", Body: []byte(net)}}).Changes)
	want := []string{`leaf-u01-r4-7: -["port 1 to gpu-002 nic4" "port 2 to gpu-001 nic4"] +["port 1 to gpu-001 nic4" "port 2 to gpu-002 nic4"]`}
	if !slices.Equal(got, want) {
		t.Errorf("got %q\nwant %q", got, want)
	}
}

// GUIDs that the user gave decide over names, and a name on a wrong GUID is told.
func TestRealGUIDs(t *testing.T) {
	f := plan(t)
	for i := range f.Switches {
		f.Switches[i].GUID.Placeholder = false
	}
	net := string(record(t, "ibnetdiscover.txt")[0].Body)
	// As MLNX-OS and mlx5 describe themselves.
	own := strings.NewReplacer(`"leaf-u01-r0-3"`, `"MF0;leaf-u01-r0-3:MQM8700/U1"`, `"spine-01"`, `"MF0;spine-01:MQM8700/U1"`).Replace(net)
	if got := texts(Compare(f, []fabric.File{{Name: "net", Body: []byte(own)}}).Changes); len(got) > 0 {
		t.Errorf("descriptions of MLNX-OS: %q", got)
	}
	f.Switches[0].GUID.Value = 0x1070fd0300aa0001
	got := texts(Compare(f, []fabric.File{{Name: "net", Body: []byte(net)}}).Changes)
	want := []string{fmt.Sprintf(`%s: -["guid 0x0200000100000001"] +["guid 0x1070fd0300aa0001"]`, f.Switches[0].Name)}
	if !slices.Equal(got, want) {
		t.Errorf("got %q\nwant %q", got, want)
	}
}

func TestBadRecords(t *testing.T) {
	f := plan(t)
	net := record(t, "ibnetdiscover.txt")[0].Body
	for name, c := range map[string]struct {
		body []byte
		want string
	}{
		"binary":      {append([]byte("caguid=0x1\n"), 0, 1, 2), "bad:2: not text"},
		"cut in line": {net[:len(net)/2], "the last line has no end"},
		"cut off":     {[]byte(strings.Join(strings.Split(string(net), "\n")[:40], "\n") + "\n"), "have no section of their own"},
		"half a line": {[]byte("Switch\t40 \"S-0200000100000002\"\t\t# \"leaf\" lid 3\n[1]\t\"H-02000\n"), "bad:2: not a whole line of a port"},
		"no port":     {[]byte("   0: 0xffff 0x8001 0x0000\n"), "a key table without the port it is of"},
		"no LID":      {record(t, "pkeys.txt")[0].Body, "which port that is, no ibnetdiscover or NodeRecord says"},
	} {
		r := Compare(f, []fabric.File{{Name: "bad", Body: c.body}})
		if !slices.ContainsFunc(r.Problems, func(p clitree.Problem) bool { return strings.Contains(p.Text, c.want) }) {
			t.Errorf("%s: no %q in %v", name, c.want, r.Problems)
		}
	}
	if crlf := strings.ReplaceAll(string(net), "\n", "\r\n"); len(Compare(f, []fabric.File{{Name: "net", Body: []byte(crlf)}}).Changes) > 0 {
		t.Error("CRLF makes a difference")
	}
	for _, text := range []string{"hostname leaf-01\n!\nend\n", "{}", "", "Switch uptime is 3 days\n"} {
		if Recognise([]byte(text)) {
			t.Errorf("%q is taken for records", text)
		}
	}
}

func FuzzCompare(f *testing.F) {
	for _, n := range every {
		f.Add(record(f, n)[0].Body)
	}
	p := plan(f)
	f.Fuzz(func(t *testing.T, body []byte) {
		a, b := Compare(p, []fabric.File{{Name: "x", Body: body}}), Compare(p, []fabric.File{{Name: "x", Body: body}})
		if !slices.Equal(texts(a.Changes), texts(b.Changes)) {
			t.Error("two readings differ")
		}
	})
}
