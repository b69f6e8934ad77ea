package sonic

import (
	"bytes"
	"encoding/json"
	"fmt"
	"maps"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"railyard/vendors/clitree"
)

// raw is a document as encoding/json reads it.
type raw map[string]map[string]map[string]any

func diffGoldens(t testing.TB) map[string]string {
	t.Helper()
	files, err := filepath.Glob("testdata/*/*/config_db.json")
	if err != nil || len(files) == 0 {
		t.Fatal("no goldens")
	}
	out := map[string]string{}
	for _, f := range files {
		b, err := os.ReadFile(f)
		if err != nil {
			t.Fatal(err)
		}
		out[f] = string(b)
	}
	return out
}

func rawOf(t testing.TB, text string) raw {
	t.Helper()
	var r raw
	if err := json.Unmarshal([]byte(text), &r); err != nil {
		t.Fatal(err)
	}
	return r
}

func (r raw) text() string {
	b, err := json.Marshal(r)
	if err != nil {
		panic(err)
	}
	return string(b)
}

func diffRead(t testing.TB, text string) *DiffConfig {
	t.Helper()
	c, problems := DiffRead([]byte(text))
	if p := clitree.Worst(problems, clitree.Fatal); p != nil {
		t.Fatalf("%+v\n%.300s", *p, text)
	}
	return c
}

// disguise is what a switch and its tools do to a document: fields it fills in,
// defaults, other ranges, older references, blanks, rows it makes itself.
func disguise(r *rand.Rand, doc raw) raw {
	maybe := func() bool { return r.IntN(2) == 0 }
	for name, row := range doc["PORT"] {
		if row["mtu"] == nil && maybe() {
			row["mtu"] = "9100"
		}
		if maybe() {
			row["autoneg"], row["tpid"], row["role"] = "off", "0x8100", "Ext"
		}
		if maybe() {
			row["dhcp_rate_limit"] = "300" // db_migrator's
		}
		if maybe() {
			row["speed"] = " " + row["speed"].(string)
		}
		if doc["PORT_QOS_MAP"] != nil && maybe() {
			if q := doc["PORT_QOS_MAP"][name]; q != nil && q["tc_to_pg_map"] != nil {
				q["tc_to_pg_map"] = "[TC_TO_PRIORITY_GROUP_MAP|" + q["tc_to_pg_map"].(string) + "]"
			}
		}
	}
	if maybe() {
		for _, row := range doc["BGP_NEIGHBOR"] { // as minigraphs have it
			row["keepalive"], row["holdtime"], row["rrclient"], row["nhopself"] = "60", "180", "0", "0"
			if row["admin_status"] == "up" {
				delete(row, "admin_status")
			}
		}
	}
	if maybe() {
		meta := doc["DEVICE_METADATA"]["localhost"]
		meta["mac"], meta["platform"], meta["synchronous_mode"] = "02:00:00:00:00:01", "x86_64-kvm_x86_64-r0", "enable"
		doc["VERSIONS"] = map[string]map[string]any{"DATABASE": {"VERSION": "version_4_0_3"}}
		doc["FEATURE"] = map[string]map[string]any{"bgp": {"state": "enabled"}}
	}
	for _, table := range []string{"BUFFER_QUEUE", "QUEUE", "BUFFER_PG"} {
		for key, row := range maps.Clone(doc[table]) {
			port, queues, _ := strings.Cut(key, "|")
			if low, high, ok := strings.Cut(queues, "-"); ok && maybe() {
				delete(doc[table], key)
				for q := low[0]; q <= high[0]; q++ {
					doc[table][port+"|"+string(q)] = maps.Clone(row)
				}
			}
		}
	}
	if maybe() && doc["BUFFER_PROFILE"] != nil {
		doc["BUFFER_PROFILE"]["pg_lossless_100000_300m_profile"] = map[string]any{"pool": "ingress_lossless_pool", "size": "1", "xoff": "2"}
	}
	return doc
}

func TestDiffIdentity(t *testing.T) {
	for name, text := range diffGoldens(t) {
		want := diffRead(t, text)
		for seed := range uint64(60) {
			r := rand.New(rand.NewPCG(seed, 1))
			run := disguise(r, rawOf(t, text)).text()
			if r.IntN(2) == 0 {
				run = "admin@leaf:~$ show runningconfiguration all\r\n" + strings.ReplaceAll(run, "},", "},\r\n") + "\r\nadmin@leaf:~$ "
			}
			if got := diffRead(t, run).Compare(want, clitree.Options{}); len(got) > 0 {
				t.Fatalf("%s seed %d: %v", name, seed, got)
			}
			if doc, notes, err := diffRead(t, run).Patch(want, clitree.Options{}); doc != nil || notes != nil || err != nil {
				t.Fatalf("%s seed %d: patch %s %q %v", name, seed, doc, notes, err)
			}
		}
	}
}

// The mode of routing counts even though the intent may leave it to the image: both
// rendering modes are as good, a split one takes the sessions away.
func TestDiffRoutingMode(t *testing.T) {
	for name, text := range diffGoldens(t) {
		want := diffRead(t, text)
		for _, mode := range []string{"", "unified", "separated", "split-unified", "split"} {
			doc := rawOf(t, text)
			meta := doc["DEVICE_METADATA"]["localhost"]
			planned, _ := meta[routingMode].(string)
			if meta[routingMode] = mode; mode == "" {
				delete(meta, routingMode)
			}
			same := mode == planned || planned == "" && (mode == "unified" || mode == "separated")
			if got := diffRead(t, doc.text()).Compare(want, clitree.Options{}); (len(got) == 0) != same {
				t.Errorf("%s in mode %q, planned %q: %v", name, mode, planned, got)
			}
		}
	}
}

// TestDiffMutations deletes, changes and adds every field and row in turn.
func TestDiffMutations(t *testing.T) {
	total, named := 0, 0
	check := func(name, table, key string, running raw, want *DiffConfig, remove, add []string) {
		total++
		got := diffRead(t, running.text()).Compare(want, clitree.Options{})
		if len(got) == 1 && slices.Equal(got[0].Path, []string{table, key}) && slices.Equal(got[0].Remove, remove) && slices.Equal(got[0].Add, add) {
			named++
			return
		}
		t.Errorf("%s: %s|%s remove %q add %q: got %v", name, table, key, remove, add, got)
	}
	line := func(f string, v any) []string {
		if list, ok := v.([]any); ok {
			var parts []string
			for _, x := range list {
				parts = append(parts, x.(string))
			}
			return []string{f + "=" + strings.Join(parts, ",")}
		}
		return []string{fmt.Sprintf("%s=%s", f, v)}
	}
	for name, text := range diffGoldens(t) {
		want, doc := diffRead(t, text), rawOf(t, text)
		delete(doc, "VERSIONS") // the switch's own, see pairs
		for table, rows := range doc {
			for key, row := range rows {
				m := rawOf(t, text)
				delete(m[table], key)
				all := []string{diffRowMark}
				if len(row) > 0 {
					all = nil
					for f, v := range row {
						all = append(all, line(f, v)...)
					}
					slices.Sort(all)
				}
				check(name, table, key, m, want, nil, all)
				for f, v := range row {
					m := rawOf(t, text)
					delete(m[table][key], f)
					if s, _ := v.(string); !hasDefault(diffDefaults[table], f, s) {
						check(name, table, key, m, want, nil, line(f, v))
					}
					m = rawOf(t, text)
					m[table][key][f] = "7x"
					check(name, table, key, m, want, []string{f + "=7x"}, line(f, v))
				}
				if known, _ := diffKnown(table); !known.open {
					m := rawOf(t, text)
					m[table][key]["spare"] = "7"
					check(name, table, key, m, want, []string{"spare=7"}, nil)
				}
			}
		}
	}
	t.Logf("%d of %d mutations named exactly", named, total)
}

// apply is "config apply-patch" as GCU documents it: RFC 6902, and it refuses
// buffer pools, single fields of buffer profiles but two, removal of the watchdog's
// global row and of Loopback0, and empty tables at the end.
func apply(t testing.TB, doc raw, patch []byte) (raw, error) {
	t.Helper()
	if patch == nil {
		return doc, nil
	}
	var ops []struct {
		Op, Path string
		Value    any
	}
	if err := json.Unmarshal(patch, &ops); err != nil {
		t.Fatal(err)
	}
	var root map[string]any
	b, _ := json.Marshal(doc)
	if err := json.Unmarshal(b, &root); err != nil {
		t.Fatal(err)
	}
	for _, op := range ops {
		parts := strings.Split(op.Path, "/")[1:]
		for i := range parts {
			parts[i] = strings.NewReplacer("~1", "/", "~0", "~").Replace(parts[i])
		}
		switch {
		case parts[0] == "BUFFER_POOL":
			return nil, fmt.Errorf("%s %s: refused", op.Op, op.Path)
		case parts[0] == "BUFFER_PROFILE" && len(parts) == 3 && (op.Op != "replace" || parts[2] != "dynamic_th" && parts[2] != "xoff"):
			return nil, fmt.Errorf("%s %s: refused", op.Op, op.Path)
		case op.Op == "remove" && (op.Path == "/PFC_WD/GLOBAL" || op.Path == "/LOOPBACK_INTERFACE/Loopback0"):
			return nil, fmt.Errorf("%s %s: refused", op.Op, op.Path)
		}
		at := root
		for _, p := range parts[:len(parts)-1] {
			next, ok := at[p].(map[string]any)
			if !ok {
				return nil, fmt.Errorf("%s %s: %s is not there", op.Op, op.Path, p)
			}
			at = next
		}
		last := parts[len(parts)-1]
		if _, have := at[last]; !have && op.Op != "add" {
			return nil, fmt.Errorf("%s %s: it is not there", op.Op, op.Path)
		}
		if op.Op == "remove" {
			delete(at, last)
		} else {
			at[last] = op.Value
		}
	}
	var out raw
	b, _ = json.Marshal(root)
	if err := json.Unmarshal(b, &out); err != nil {
		return nil, err
	}
	for name, rows := range out {
		if len(rows) == 0 {
			return nil, fmt.Errorf("table %s is empty", name)
		}
	}
	return out, nil
}

// checkPatch applies a patch and allows only what the notes leave to a reload.
func checkPatch(t *testing.T, name, running, intended string) {
	t.Helper()
	want := diffRead(t, intended)
	doc, notes, err := diffRead(t, running).Patch(want, clitree.Options{})
	if err != nil {
		t.Fatal(err)
	}
	after, err := apply(t, rawOf(t, running), doc)
	if err != nil {
		t.Errorf("%s: %v in\n%s", name, err, doc)
		return
	}
	for _, c := range diffRead(t, after.text()).Compare(want, clitree.Options{}) {
		id := c.Path[0] + "|" + c.Path[1]
		if !slices.ContainsFunc(notes, func(n string) bool { return strings.Contains(n, "not in the patch") && strings.Contains(n, id) }) {
			t.Errorf("%s: after the patch still %v", name, c)
		}
	}
}

func TestPatchBetweenSwitches(t *testing.T) {
	all := diffGoldens(t)
	for a, from := range all {
		for b, to := range all {
			checkPatch(t, a+" to "+b, from, to)
		}
	}
}

// TestPatchOfChanges removes and changes rows and fields at random, both ways.
func TestPatchOfChanges(t *testing.T) {
	for name, text := range diffGoldens(t) {
		for seed := range uint64(80) {
			r := rand.New(rand.NewPCG(seed, 5))
			doc := rawOf(t, text)
			tables := slices.Sorted(maps.Keys(doc))
			for range 1 + r.IntN(6) {
				table := tables[r.IntN(len(tables))]
				keys := slices.Sorted(maps.Keys(doc[table]))
				if len(keys) == 0 {
					continue
				}
				key := keys[r.IntN(len(keys))]
				fields := slices.Sorted(maps.Keys(doc[table][key]))
				switch {
				case r.IntN(4) == 0:
					delete(doc, table)
				case r.IntN(3) == 0 || len(fields) == 0:
					if delete(doc[table], key); len(doc[table]) == 0 {
						delete(doc, table)
					}
				case r.IntN(2) == 0:
					delete(doc[table][key], fields[r.IntN(len(fields))])
				default:
					doc[table][key][fields[r.IntN(len(fields))]] = "9"
				}
			}
			if len(doc) == 0 {
				continue
			}
			checkPatch(t, fmt.Sprint(name, " seed ", seed), doc.text(), text)
			checkPatch(t, fmt.Sprint(name, " seed ", seed, " back"), text, doc.text())
		}
	}
}

// TestDiffPatch fixes the documents of what a person does.
func TestDiffPatch(t *testing.T) {
	base := `{"PORT":{"Ethernet0":{"lanes":"1,2,3,4","speed":"400000","admin_status":"up"}},"WRED_PROFILE":{"E":{"green_min_threshold":"10","green_max_threshold":"20"}}`
	tests := []struct{ name, running, intended, patch, note string }{
		{"ECN thresholds raised: the maximum first", base + `}`, strings.Replace(base, `"10","green_max_threshold":"20"`, `"30","green_max_threshold":"40"`, 1) + `}`,
			`[{"op":"replace","path":"/WRED_PROFILE/E/green_max_threshold","value":"40"},{"op":"replace","path":"/WRED_PROFILE/E/green_min_threshold","value":"30"}]`, ""},
		{"ECN thresholds lowered: the minimum first", strings.Replace(base, `"10","green_max_threshold":"20"`, `"30","green_max_threshold":"40"`, 1) + `}`, base + `}`,
			`[{"op":"replace","path":"/WRED_PROFILE/E/green_min_threshold","value":"10"},{"op":"replace","path":"/WRED_PROFILE/E/green_max_threshold","value":"20"}]`, ""},
		{"the first row makes the table", base + `}`, base + `,"INTERFACE":{"Ethernet0":{},"Ethernet0|10.0.0.0/31":{}}}`,
			`[{"op":"add","path":"/INTERFACE","value":{"Ethernet0":{}}},{"op":"add","path":"/INTERFACE/Ethernet0|10.0.0.0~131","value":{}}]`, ""},
		{"the last row takes the table", base + `,"VLAN":{"Vlan100":{"vlanid":"100"}}}`, base + `}`, `[{"op":"remove","path":"/VLAN"}]`, ""},
		{"VLAN move", base + `,"VLAN":{"Vlan100":{"vlanid":"100"},"Vlan101":{"vlanid":"101"}},"VLAN_MEMBER":{"Vlan100|Ethernet0":{"tagging_mode":"untagged"}}}`,
			base + `,"VLAN":{"Vlan100":{"vlanid":"100"},"Vlan101":{"vlanid":"101"}},"VLAN_MEMBER":{"Vlan101|Ethernet0":{"tagging_mode":"untagged"}}}`,
			`[{"op":"remove","path":"/VLAN_MEMBER"},{"op":"add","path":"/VLAN_MEMBER","value":{"Vlan101|Ethernet0":{"tagging_mode":"untagged"}}}]`, ""},
		{"peer replaced", base + `,"BGP_NEIGHBOR":{"10.0.0.1":{"asn":"1"},"10.0.0.3":{"asn":"1"}}}`, base + `,"BGP_NEIGHBOR":{"10.0.0.1":{"asn":"2"},"10.0.0.3":{"asn":"1"}}}`,
			`[{"op":"replace","path":"/BGP_NEIGHBOR/10.0.0.1/asn","value":"2"}]`, ""},
		{"buffer pool", base + `,"BUFFER_POOL":{"p":{"type":"ingress","mode":"dynamic","size":"1"}}}`, base + `,"BUFFER_POOL":{"p":{"type":"ingress","mode":"dynamic","size":"2"}}}`,
			``, "needs config reload, not in the patch: BUFFER_POOL|p"},
		{"port broken out", base + `}`, strings.Replace(base, `"Ethernet0":{"lanes":"1,2,3,4","speed":"400000"`, `"Ethernet2":{"lanes":"3,4","speed":"200000","admin_status":"up"},"Ethernet0":{"lanes":"1,2","speed":"200000"`, 1) + `}`,
			`[{"op":"replace","path":"/PORT/Ethernet0/lanes","value":"1,2"},{"op":"replace","path":"/PORT/Ethernet0/speed","value":"200000"},{"op":"add","path":"/PORT/Ethernet2","value":{"admin_status":"up","lanes":"3,4","speed":"200000"}}]`,
			"needs config reload to take effect: PORT|Ethernet0 lanes"},
		{"other fields of a buffer profile go as a whole row", base + `,"BUFFER_PROFILE":{"p":{"pool":"a","size":"1","dynamic_th":"0"}}}`, base + `,"BUFFER_PROFILE":{"p":{"pool":"a","size":"2","dynamic_th":"0"}}}`,
			`[{"op":"add","path":"/BUFFER_PROFILE/p","value":{"dynamic_th":"0","pool":"a","size":"2"}}]`, ""},
	}
	for _, test := range tests {
		doc, notes, err := diffRead(t, test.running).Patch(diffRead(t, test.intended), clitree.Options{})
		if err != nil {
			t.Fatal(err)
		}
		var got bytes.Buffer
		if doc != nil {
			if err := json.Compact(&got, doc); err != nil {
				t.Fatal(err)
			}
		}
		if got.String() != test.patch {
			t.Errorf("%s: %s\nwant %s", test.name, got.String(), test.patch)
		}
		if test.note != "" && !strings.Contains(strings.Join(notes, "\n"), test.note) {
			t.Errorf("%s: notes %q", test.name, notes)
		}
		checkPatch(t, test.name, test.running, test.intended)
	}
}

// TestDiffIgnore: patterns reach tables, rows and fields, in the comparison and in
// the patch.
func TestDiffIgnore(t *testing.T) {
	run := diffRead(t, `{"PORT":{"Ethernet0":{"mtu":"9100","fec":"none"},"Ethernet4":{"mtu":"1500"}},"QUEUE":{"Ethernet0|3":{"scheduler":"a"}}}`)
	want := diffRead(t, `{"PORT":{"Ethernet0":{"mtu":"9216","fec":"rs"},"Ethernet4":{"mtu":"9216"}},"QUEUE":{"Ethernet0|3":{"scheduler":"b"}}}`)
	for pattern, left := range map[string]string{
		"nothing": "PORT|Ethernet0 fec=none mtu=9100, PORT|Ethernet4 mtu=1500, QUEUE|Ethernet0|3 scheduler=a",
		"PORT":    "QUEUE|Ethernet0|3 scheduler=a", "PORT / *": "QUEUE|Ethernet0|3 scheduler=a", "port|ethernet4": "PORT|Ethernet0 fec=none mtu=9100, QUEUE|Ethernet0|3 scheduler=a",
		"PORT / * / mtu=*": "PORT|Ethernet0 fec=none, QUEUE|Ethernet0|3 scheduler=a", "PORT / Ethernet0 / mtu": "PORT|Ethernet0 fec=none, PORT|Ethernet4 mtu=1500, QUEUE|Ethernet0|3 scheduler=a",
		"mtu=1500": "PORT|Ethernet0 fec=none mtu=9100, QUEUE|Ethernet0|3 scheduler=a", "* / scheduler=*": "PORT|Ethernet0 fec=none mtu=9100, PORT|Ethernet4 mtu=1500",
	} {
		o := clitree.Options{Ignore: []string{pattern}}
		var got []string
		for _, c := range run.Compare(want, o) {
			got = append(got, strings.Join(c.Path, "|")+" "+strings.Join(c.Remove, " "))
		}
		if s := strings.Join(got, ", "); s != left {
			t.Errorf("%q leaves %s\nwant %s", pattern, s, left)
		}
		doc, _, err := run.Patch(want, o)
		if err != nil || strings.Contains(string(doc), "/mtu") != strings.Contains(left, "mtu=") || strings.Contains(string(doc), "QUEUE") != strings.Contains(left, "QUEUE") {
			t.Errorf("%q: patch %s %v", pattern, doc, err)
		}
	}
}

func TestDiffRead(t *testing.T) {
	tests := []struct{ name, text, want string }{
		{"cut off", `{"PORT": {"Ethernet0": {"lanes": "1,2`, "fatal truncated"},
		{"cut off between rows", "{\"PORT\": {\"Ethernet0\": {}},\n", "fatal truncated"},
		{"another system", "hostname a\ninterface Ethernet1\n", "fatal wrong-system"},
		{"empty", "{}", "fatal empty"},
		{"a list", `{"PORT": ["a"]}`, "fatal wrong-system"},
		{"numbers", `{"PORT": {"Ethernet0": {"speed": 400000}}}`, "doubt partial"},
		{"banner", "Debian GNU/Linux\n{\"PORT\": {\"Ethernet0\": {}}}\n", "note preamble"},
		{"routing beside the tables", `{"PORT": {"Ethernet0": {}}, "bgpraw": "Building configuration...\n\n!\nrouter bgp 1\n!\nend\n"}`, ""},
		{"another text", `{"PORT": {"Ethernet0": {}}, "note": "x"}`, "doubt partial"},
		{"several ASICs", `{"localhost": {"PORT": {"Ethernet0": {"a": "b"}}}, "asic0": {"PORT": {"Ethernet0": {"a": "b"}}}}`, "fatal wrong-system"},
		{"BOM", "\ufeff{\"PORT\": {\"Ethernet0\": {}}}\n", ""},
	}
	for _, test := range tests {
		_, problems := DiffRead([]byte(test.text))
		var got []string
		for _, p := range problems {
			got = append(got, string(p.Severity)+" "+p.Code)
		}
		if strings.Join(got, ", ") != test.want {
			t.Errorf("%s: %v, want %s", test.name, problems, test.want)
		}
	}
}

// TestDiffFRR has one row per habit of vtysh's show running-config, as FRR 8.4 prints
// what it was given.
func TestDiffFRR(t *testing.T) {
	c, err := clitree.Compile(DiffFRR())
	if err != nil {
		t.Fatal(err)
	}
	const head = "Building configuration...\n\nCurrent configuration:\n!\nfrr version 8.4.4\nfrr defaults traditional\nhostname a\nno ip forwarding\nservice integrated-vtysh-config\n!\n"
	bgp := "router bgp 1\n no bgp ebgp-requires-policy\n no bgp default ipv4-unicast\n neighbor Ethernet0 interface remote-as 2\n neighbor 10.0.0.1 remote-as 2\n"
	tests := []struct{ name, running, intended, want string }{
		{"numbered community lists", "bgp community-list standard A seq 5 permit 1:1\nbgp community-list standard A seq 10 deny 2:2\n", "bgp community-list standard A permit 1:1\nbgp community-list standard A deny 2:2\n", ""},
		{"in another order", "bgp community-list standard A seq 5 deny 2:2\nbgp community-list standard A seq 10 permit 1:1\n", "bgp community-list standard A permit 1:1\nbgp community-list standard A deny 2:2\n",
			"[{[] [bgp community-list standard A deny 2:2 bgp community-list standard A permit 1:1] [bgp community-list standard A permit 1:1 bgp community-list standard A deny 2:2] true }]"},
		{"a capability that interfaces have", bgp + "exit\n", bgp + " neighbor Ethernet0 capability extended-nexthop\nexit\n", ""},
		{"and that was taken away", bgp + " no neighbor Ethernet0 capability extended-nexthop\nexit\n", bgp + " neighbor Ethernet0 capability extended-nexthop\nexit\n",
			"[{[router bgp 1] [no neighbor Ethernet0 capability extended-nexthop] [neighbor Ethernet0 capability extended-nexthop] false }]"},
		{"a neighbour's AS", bgp + "exit\n", strings.Replace(bgp, "interface remote-as 2", "interface remote-as 3", 1) + "exit\n",
			"[{[router bgp 1] [neighbor Ethernet0 interface remote-as 2] [neighbor Ethernet0 interface remote-as 3] false }]"},
		{"lines in another order", bgp + "exit\n", "router bgp 1\n neighbor 10.0.0.1 remote-as 2\n neighbor Ethernet0 interface remote-as 2\n no bgp default ipv4-unicast\n no bgp ebgp-requires-policy\n", ""},
	}
	for _, test := range tests {
		run, problems := clitree.Parse([]byte(head+test.running+"!\nend\n"), clitree.FRR())
		if p := clitree.Worst(problems, clitree.Doubt); p != nil {
			t.Fatal(p)
		}
		want, _ := clitree.Parse([]byte("hostname a\n!\n"+test.intended), clitree.FRR())
		got := ""
		if changes := c.Compare(run, want, clitree.Options{}); len(changes) > 0 {
			got = fmt.Sprint(changes)
		}
		if got != test.want {
			t.Errorf("%s: %s\nwant %s", test.name, got, test.want)
		}
	}
}

func FuzzDiffRead(f *testing.F) {
	f.Add([]byte(`{"PORT":{"Ethernet0":{"lanes":"1,2","x":["a","b"],"y":1}}}`))
	f.Add([]byte("$ x\n{\"A\":{\"b\\u00e9|1-3\":{\"c\":\"d\\\"\"}}}\n$ "))
	f.Fuzz(func(t *testing.T, text []byte) {
		c, problems := DiffRead(text)
		if len(c.tables) == 0 && clitree.Worst(problems, clitree.Fatal) == nil {
			t.Fatal("nothing read and nothing said")
		}
		if got := c.Compare(c, clitree.Options{Scope: clitree.Full}); len(got) > 0 {
			t.Fatalf("differs from itself: %v", got)
		}
	})
}
