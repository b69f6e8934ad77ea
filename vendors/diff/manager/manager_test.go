package manager

import (
	"fmt"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"railyard/vendors/clitree"
)

// folder reads what a driver wrote, below its folder.
func folder(t testing.TB, dir string) []File {
	t.Helper()
	var out []File
	err := filepath.WalkDir(dir, func(p string, e os.DirEntry, err error) error {
		if err != nil || e.IsDir() {
			return err
		}
		body, err := os.ReadFile(p)
		rel, _ := filepath.Rel(dir, p)
		out = append(out, File{filepath.ToSlash(rel), body})
		return err
	})
	if err != nil || len(out) == 0 {
		t.Fatal(dir, err)
	}
	return out
}

var goldens = []string{"../../opensm/testdata/one-switch", "../../opensm/testdata/two-tier", "../../opensm/testdata/two-planes", "../../opensm/testdata/rail-only",
	"../../ufm/testdata/two-tier", "../../ufm/testdata/two-planes", "../../ufm/testdata/xdr"}

func text(changes []clitree.Change) string {
	var b strings.Builder
	for _, c := range changes {
		fmt.Fprintf(&b, "[%s] -[%s] +[%s]", strings.Join(c.Path, " / "), strings.Join(c.Remove, "; "), strings.Join(c.Add, "; "))
		if c.Reordered {
			b.WriteString(" reordered")
		}
		if c.Note != "" {
			b.WriteString(" (" + c.Note + ")")
		}
	}
	return b.String()
}

// disguise says the same in other words: comments, blanks, order where it says
// nothing, numbers in another base, words shortened, members on one line.
func disguise(r *rand.Rand, f File) File {
	lines := strings.Split(strings.TrimSpace(string(f.Body)), "\n")
	base := filepath.Base(f.Name)
	upper := func(l string) string {
		words := strings.Split(l, " ")
		for i, w := range words {
			if head, rest, ok := strings.Cut(w, "0x"); ok && r.IntN(2) == 0 {
				number, tail, _ := strings.Cut(rest, "=")
				if w = head + "0x" + strings.ToUpper(number); strings.Contains(rest, "=") {
					w += "=" + tail
				}
				words[i] = w
			}
		}
		return strings.Join(words, []string{" ", "\t", "  "}[r.IntN(3)])
	}
	switch {
	case strings.HasPrefix(base, "opensm.conf"), base == "root_guids.conf", base == "cn_guids.conf", base == "root_guid.conf":
		r.Shuffle(len(lines), func(i, j int) { lines[i], lines[j] = lines[j], lines[i] })
		if base == "opensm.conf" {
			lines = append(lines, "lash_start_vl 0", "lfts_file (null)", "qos_high_limit -1")
		}
	case base == "partitions.conf" || base == "partitions.conf.user_ext":
		whole := strings.Join(lines, "\n")
		if r.IntN(2) == 0 {
			whole = strings.NewReplacer("=limited", "=l", "=full", " = full", "rate=17", "rate=0x11", " :", ":", ";", " ;").Replace(whole)
		}
		if r.IntN(2) == 0 {
			whole = strings.NewReplacer(",\n    0x", ", 0x", ",\n    S", ",S").Replace(whole)
		}
		lines = strings.Split(whole, "\n")
	}
	var out []string
	for _, l := range lines {
		if strings.HasPrefix(l, "#") && r.IntN(2) == 0 || filepath.Ext(base) == ".json" || base == "gv.cfg.changes" || strings.HasSuffix(base, "name-map") {
			out = append(out, l)
			continue
		}
		out = append(out, upper(l))
		if r.IntN(5) == 0 {
			out = append(out, "", "# by hand")
		}
	}
	if filepath.Ext(base) == ".json" {
		return f
	}
	return File{"etc/copied/" + f.Name, []byte(strings.Join(out, "\n") + "\n")}
}

func TestIdentity(t *testing.T) {
	for _, dir := range goldens {
		want := folder(t, dir)
		for seed := range uint64(40) {
			r := rand.New(rand.NewPCG(seed, 3))
			var run []File
			for _, f := range want {
				run = append(run, disguise(r, f))
			}
			for _, scope := range []clitree.Scope{clitree.Owned, clitree.Full} {
				out, err := Compare(run, want, clitree.Options{Scope: scope})
				if err != nil || len(out.Changes) > 0 {
					t.Fatalf("%s seed %d: %v %s", dir, seed, err, text(out.Changes))
				}
			}
		}
	}
}

// TestMutations takes away every line that counts and changes every value of the
// lists, one at a time: the difference names exactly it.
func TestMutations(t *testing.T) {
	total, named := 0, 0
	for _, dir := range goldens {
		want := folder(t, dir)
		for i, f := range want {
			if _, ok := kinds[filepath.Base(f.Name)]; !ok {
				continue
			}
			base := filepath.Base(f.Name)
			lines := strings.Split(string(f.Body), "\n")
			for j, l := range lines {
				word := strings.Trim(strings.TrimSpace(l), ",; ")
				if word == "" || word[0] == '#' || word[0] == '[' || strings.HasSuffix(word, ":") || strings.HasSuffix(strings.TrimSpace(l), ";") {
					continue
				}
				run := slices.Clone(want)
				run[i].Body = []byte(strings.Join(slices.Delete(slices.Clone(lines), j, j+1), "\n"))
				out, err := Compare(run, want, clitree.Options{})
				if base == "opensm.conf" && silent(word) || word == "end-qos-ulps" && err != nil {
					continue
				}
				total++
				got := strings.ReplaceAll(text(out.Changes), `"`, "")
				key := strings.ReplaceAll(strings.Fields(strings.ReplaceAll(word, "=", " "))[0], `"`, "")
				if err != nil || len(out.Changes) != 1 || !strings.Contains(got, key) || !strings.Contains(got, f.Name) || len(out.Changes[0].Add) != 1 || len(out.Changes[0].Remove) != 0 {
					t.Errorf("%s %s without %q: %v %s", dir, f.Name, word, err, got)
					continue
				}
				named++
			}
		}
	}
	t.Logf("%d of %d mutations named exactly", named, total)
}

// silent lines are what OpenSM does without them.
func silent(line string) bool {
	_, defaults := settings(defaultText, nil)
	key, value, _ := strings.Cut(line, " ")
	d, ok := defaults[key]
	shape := strings.TrimPrefix(d.show, key+" ")
	return ok && settingValue(value, shape) == settingValue(shape, shape)
}

func TestCompare(t *testing.T) {
	const a, b = "0x1070fd0300000001", "0x1070fd0300000005"
	tests := []struct{ name, file, running, intended, want string }{
		{"key order and base", "opensm.conf", "log_flags 3\nguid 0X1070FD0300000001\n", "guid 0x1070fd0300000001\nlog_flags 0x03\n", ""},
		{"a default goes without saying", "opensm.conf", "sm_priority 14\n", "sm_priority 14\nlmc 0\nreassign_lids FALSE\n", ""},
		{"and one that is missing counts", "opensm.conf", "lmc 0\n", "sm_priority 14\n", "[opensm.conf] -[] +[sm_priority 14]"},
		{"only TRUE is true", "opensm.conf", "qos true\n", "qos TRUE\n", "[opensm.conf] -[qos true] +[qos TRUE]"},
		{"of two the last counts", "opensm.conf", "sm_priority 14\nsm_priority 1\n", "sm_priority 14\n", "[opensm.conf] -[sm_priority 1] +[sm_priority 14]"},
		{"null is nothing", "opensm.conf", "root_guid_file (null)\nlmc 0\n", "lmc 0\n", ""},
		{"quotes", "opensm.conf", "routing_engine \"ftree,updn\"\n", "routing_engine ftree,updn\n", ""},
		{"engines are tried in order", "opensm.conf", "routing_engine updn,ftree\n", "routing_engine ftree,updn\n", "[opensm.conf] -[routing_engine updn,ftree] +[routing_engine ftree,updn]"},
		{"members in any order", "partitions.conf", "P=0x8010:" + b + "," + strings.ToUpper(a[2:3]) + a + "=full" + "; ", "P=0x0010, defmember=limited : " + a + "=full, " + b + ";", "!"},
		{"the bit of full membership is no part of the key", "partitions.conf", "P=0x8010: " + b + "=limited, 0X1070FD0300000001=full;", "P=0x10, ipoib, defmember=limited : " + a + "=full,\n" + b + " ;", "[partitions.conf / P=0x0010] -[] +[ipoib]"},
		{"a membership", "partitions.conf", "P=0x10: " + a + "=full;", "P=0x10: " + a + ";", "[partitions.conf / P=0x0010] -[" + a + "=full] +[" + a + "=limited]"},
		{"a name", "partitions.conf", "Q=0x10: " + a + ";", "P=0x10: " + a + ";", "[partitions.conf / P=0x0010] -[name Q] +[name P]"},
		{"the last assignment counts", "partitions.conf", "Default=0x7fff: SELF=full, ALL=limited;", "Default=0x7fff: ALL=limited, SELF=full;", "[partitions.conf / Default=0x7fff] -[] +[SELF=full] (a later ALL takes the members that stand before it)"},
		{"rate and mtu that go without saying", "partitions.conf", "Default, ipoib: ALL;", "Default=0x7fff, ipoib, rate=3, mtu=4, sl=0 : ALL=limited ;", ""},
		{"two rules of one key", "partitions.conf", "P=0x10: " + a + "=full;\nP=0x10: " + b + ";", "P=0x10: " + b + "=limited, " + a + "=full;", ""},
		{"a stranger", "partitions.conf", "P=0x10: " + a + ";\nX=0x20: ALL;\n", "P=0x10: " + a + ";", "[partitions.conf / X=0x0020] -[name X; ALL=limited] +[] (no partition of the plan)"},
		{"typing errors become limited", "partitions.conf", "P=0x10: " + a + "=fulll;", "P=0x10: " + a + "=full;", "[partitions.conf / P=0x0010] -[" + a + "=limited] +[" + a + "=full]"},
		{"not a partition", "partitions.conf", "ALL=full;", "P=0x10: " + a + ";", "!"},
		{"groups", "partitions.conf", "P=0x10: mgid=FF12:401b::1,sl=1\n" + a + ";", "P=0x10: mgid=ff12:401b::1, sl=0x1\n" + a + ";", ""},
		{"GUIDs with and without 0x", "root_guids.conf", "b83fd20300000050\n0xB83FD20300000040 # spine\n", "0xb83fd20300000040\n0xb83fd20300000050\n", ""},
		{"a GUID", "root_guids.conf", "0xb83fd20300000040\n", "0xb83fd20300000040\n0xb83fd20300000050\n", "[root_guids.conf] -[] +[0xb83fd20300000050]"},
		{"routing order", "guid_routing_order.conf", "0x1\n0x3\n0x2\n0x4\n", "0x1\n0x2\n0x3\n0x4\n", "[guid_routing_order.conf] -[0x0000000000000003; 0x0000000000000002] +[0x0000000000000002; 0x0000000000000003] reordered"},
		{"no GUID", "root_guids.conf", "spine-01\n", "0x1\n", "!"},
		{"names", "node-name-map", "0X1070fd0300000001\t\"gpu-001 nic0\" # x\n", a + " \"gpu-001 nic0\"\n", ""},
		{"a name of another", "node-name-map", a + " \"gpu-002\"\n", a + " \"gpu-001\"\n", "[node-name-map] -[" + a + ` "gpu-002"] +[` + a + ` "gpu-001"]`},
		{"policy spacing", "qos-policy.conf", "qos-ulps\n  default: 0\n any , pkey 0x10:1\nend-qos-ulps\n", "qos-ulps\n default : 0\n any, pkey 0x0010 : 1\nend-qos-ulps\n", ""},
		{"policy order", "qos-policy.conf", "qos-ulps\nany, pkey 0x1 : 1\ndefault : 0\nend-qos-ulps\n", "qos-ulps\ndefault : 0\nany, pkey 0x1 : 1\nend-qos-ulps\n", "[qos-policy.conf] -[any, pkey 0x1 : 1; default : 0] +[default : 0; any, pkey 0x1 : 1] reordered"},
		{"UFM's whole file", "conf/opensm/opensm.conf.changes@opensm/opensm.conf", "sm_priority 15\nrouting_engine minhop\n", "# Keys\nrouting_engine ar_updn\n", "[conf/opensm/opensm.conf.changes] -[routing_engine minhop] +[routing_engine ar_updn]"},
		{"UFM's sections", "conf/gv.cfg.changes@gv.cfg", "[Server]\ndefault_membership = limited\n[MngNetwork]\ndefault_membership=full\n", "[MngNetwork]\ndefault_membership = limited\n", "[conf/gv.cfg.changes / MngNetwork] -[default_membership = full] +[default_membership = limited]"},
		{"UFM's merged partitions", "conf/partitions.conf.user_ext@opensm/partitions.conf", "management=0x7fff, ipoib, defmember=full : ALL=full;\nother=0x5: " + a + ";\nP=0x1: " + a + "=full;", "P=0x0001: " + a + "=full;", ""},
		{"another subnet", "p0/opensm.conf@p1/opensm.conf", "lmc 0\n", "lmc 0\n", "[p0/opensm.conf] -[] +[(the whole file, 1 lines)] (the file is missing)"},
		{"another program's file", "opensm.conf", "[main]\nkey=1\n", "sm_priority 14\n", "!"},
		{"not text", "opensm.conf", "lmc 0\x00\n", "lmc 0\n", "!"},
	}
	for _, test := range tests {
		name, from, ok := strings.Cut(test.file, "@")
		if !ok {
			from = name
		}
		out, err := Compare([]File{{from, []byte(test.running)}}, []File{{name, []byte(test.intended)}}, clitree.Options{})
		got := text(out.Changes)
		if err != nil {
			got = "!"
		}
		if got != test.want {
			t.Errorf("%s: %s (%v)\nwant %s", test.name, got, err, test.want)
		}
	}
}

// TestREST: UFM takes partitions over REST or as a file, and either will do.
func TestREST(t *testing.T) {
	want := folder(t, "../../ufm/testdata/two-tier")
	drop := func(files []File, end string) []File {
		return slices.DeleteFunc(slices.Clone(files), func(f File) bool { return strings.HasSuffix(f.Name, end) })
	}
	answer := `{"partition":"train-a","ip_over_ib":true,"index0":false,"guids":[` +
		`{"guid":"1070FD0300000205","membership":"full"},{"guid":"1070fd0300000001","membership":"full"},{"guid":"1070fd0300000005","membership":"full"},` +
		`{"guid":"1070fd0300000101","membership":"full"},{"guid":"1070fd0300000105","membership":"full"},{"guid":"1070fd0300000201","membership":"full"}]}`
	file := drop(drop(want, "0x0001.json"), "0x0002.json")
	over := append(drop(file, "user_ext"), File{"saved/pkey_0x1.json", []byte(answer)}, want[slices.IndexFunc(want, func(f File) bool { return strings.HasSuffix(f.Name, "0x0002.json") })])
	for name, run := range map[string][]File{"as a file": file, "over REST": over} {
		if out, err := Compare(run, want, clitree.Options{}); err != nil || len(out.Changes) > 0 {
			t.Errorf("%s: %v %s", name, err, text(out.Changes))
		}
	}
	over[len(over)-2].Body = []byte(strings.Replace(answer, `"1070fd0300000101","membership":"full"`, `"1070fd0300000101","membership":"limited"`, 1))
	out, err := Compare(over, want, clitree.Options{})
	if got, w := text(out.Changes), "[rest/partition-0x0001.json / 0x0001] -[0x1070fd0300000101=limited] +[0x1070fd0300000101=full]"; err != nil || got != w || len(out.Steps) != 1 {
		t.Errorf("%v %s %q\nwant %s", err, got, out.Steps, w)
	}
	none := drop(file, "user_ext")
	if out, err := Compare(none, want, clitree.Options{}); err != nil || len(out.Changes) != 1 || out.Changes[0].Note != "the file is missing" {
		t.Errorf("neither: %v %s", err, text(out.Changes))
	}
}

func TestIgnore(t *testing.T) {
	run, want := []File{{"opensm.conf", []byte("sm_priority 13\nlmc 1\n")}}, []File{{"opensm.conf", []byte("sm_priority 14\nlmc 0\n")}}
	for pattern, left := range map[string]int{"nothing": 1, "opensm.conf": 0, "sm_priority *": 1, "opensm.conf / *": 0} {
		out, err := Compare(run, want, clitree.Options{Ignore: []string{pattern}})
		if err != nil || len(out.Changes) != left || pattern == "sm_priority *" && text(out.Changes) != "[opensm.conf] -[lmc 1] +[lmc 0]" {
			t.Errorf("%q: %v %s", pattern, err, text(out.Changes))
		}
	}
}

// TestDefaults asks OpenSM itself what it does without a file.
func TestDefaults(t *testing.T) {
	if _, err := exec.LookPath("opensm"); err != nil {
		if os.Getenv("RAILYARD_REQUIRE_TOOLS") == "1" {
			t.Fatal("opensm is missing")
		}
		t.Skip("opensm is missing")
	}
	name := filepath.Join(t.TempDir(), "opensm.conf")
	if out, err := exec.Command("opensm", "-c", name).CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	body, err := os.ReadFile(name)
	if err != nil {
		t.Fatal(err)
	}
	intended := []File{{"opensm.conf", []byte("lmc 0\npartition_config_file /etc/opensm/partitions.conf\nqos_policy_file /etc/opensm/qos-policy.conf\nlog_file /var/log/opensm.log\n" +
		"dump_files_dir /var/log/\nper_module_logging_file /etc/opensm/per-module-logging.conf\nprefix_routes_file /etc/opensm/prefix-routes.conf\ntorus_config /etc/opensm/torus-2QoS.conf\n")}}
	out, err := Compare([]File{{"opensm.conf", body}}, intended, clitree.Options{Scope: clitree.Full})
	if err != nil || len(out.Changes) > 0 {
		t.Errorf("%v %s", err, text(out.Changes))
	}
}

func TestSwitches(t *testing.T) {
	body, err := os.ReadFile("../../mlnxos/testdata/two-tier/spine-01.cli")
	if err != nil {
		t.Fatal(err)
	}
	// As show running-config prints it: headings, indentation, other sections.
	shown := "switch-1 [standalone: master] (config) # show running-config\n##\n## Running database \"initial\"\n## Generated at 2026/11/30 10:00:00 +0000\n## Hostname: spine-01\n##\nno cli default prefix-modes enable\n" +
		"   interface ib 1/1 speed ndr force\n   ib partition Default pkey 0x7fff force\n"
	for _, l := range strings.Split(string(body), "\n") {
		if l = strings.TrimSuffix(l, " force"); l != "write memory" {
			shown += "   " + strings.ReplaceAll(strings.Replace(l, "10:70:fd:03", "10:70:FD:03", 1), "pkey 0x1", "pkey 0x8001") + "\n"
		}
	}
	shown += "switch-1 [standalone: master] (config) # \n"
	tests := []struct{ name, old, now, want, patch string }{
		{"as printed", "", "", "", ""},
		{"priority", "sm-priority 14", "sm-priority 1", "[] -[ib smnode spine-01 sm-priority 1] +[ib smnode spine-01 sm-priority 14]", "ib smnode spine-01 sm-priority 14\nwrite memory\n"},
		{"a membership", "00:00:00:01 type full", "00:00:00:01 type limited", "[] -[ib partition train-a member 10:70:fd:03:00:00:00:01 type limited] +[ib partition train-a member 10:70:fd:03:00:00:00:01 type full]", "ib partition train-a member 10:70:fd:03:00:00:00:01 type full\nwrite memory\n"},
		{"a member", "   ib partition train-a member 10:70:FD:03:00:00:00:01 type full\n", "", "[] -[] +[ib partition train-a member 10:70:fd:03:00:00:00:01 type full]", "ib partition train-a member 10:70:fd:03:00:00:00:01 type full\nwrite memory\n"},
		{"a stranger", "   ib sm\n", "   ib sm\n   ib partition x pkey 0x9\n   ib smnode third enable\n", "[] -[ib partition x pkey 0x0009; ib smnode third enable] +[]", ""},
		{"switched off", "   ib sm\n", "   no ib sm\n", "[] -[no ib sm] +[ib sm]", "ib sm\nwrite memory\n"},
	}
	for _, test := range tests {
		run := strings.Replace(shown, test.old, test.now, 1)
		if test.old != "" && run == shown {
			t.Fatalf("%s: nothing changed", test.name)
		}
		out, patch, err := MLNXOS.Compare([]byte(run), body, clitree.Options{})
		if got := text(out.Changes); err != nil || got != test.want || string(patch) != test.patch {
			t.Errorf("%s: %v %s %q\nwant %s %q", test.name, err, got, patch, test.want, test.patch)
		}
	}
	nv := "nv set ib sm state enabled\nnv set ib sm sm-priority 14\nnv config apply\n"
	if out, _, err := NVOS.Compare([]byte("- nv\nnv set ib sm sm-priority 14\nnv set ib sm sm-sl 0\nnv set ib sm state enabled\nnv set system hostname x\n"), []byte(nv), clitree.Options{}); err != nil || len(out.Changes) > 0 {
		t.Errorf("%v %s", err, text(out.Changes))
	}
	if out, patch, err := NVOS.Compare([]byte("nv set ib sm sm-priority 3\n"), []byte(nv), clitree.Options{}); err != nil || string(patch) != "nv set ib sm state enabled\nnv set ib sm sm-priority 14\nnv config apply\n" {
		t.Errorf("%v %s %q", err, text(out.Changes), patch)
	}
	if _, _, err := MLNXOS.Compare([]byte("hello\n"), body, clitree.Options{}); err == nil {
		t.Error("anything was taken for a configuration")
	}
}

func FuzzCompare(f *testing.F) {
	f.Add("opensm.conf", []byte("lmc 0\n"), []byte("lmc 1\n"))
	f.Add("partitions.conf", []byte("Default=0x7fff,ipoib:ALL=l,SELF;"), []byte("P: mgid=ff::1,sl=1\n0x1=both;1=full"))
	f.Add("partition-0x1.json", []byte(`{"guids":["1",{"guid":"2"}],"memberships":["full"]}`), []byte(`{"0x1":{"guids":[]}}`))
	f.Add("node-name-map", []byte("0x1 \"a"), []byte("x"))
	f.Add("qos-policy.conf", []byte("0x"), []byte("any,pkey 0x00:1"))
	f.Fuzz(func(t *testing.T, name string, a, b []byte) {
		for _, scope := range []clitree.Scope{clitree.Owned, clitree.Full} {
			o := clitree.Options{Scope: scope}
			_, _ = Compare([]File{{name, a}}, []File{{name, b}}, o)
			if out, err := Compare([]File{{name, a}}, []File{{name, a}}, o); err == nil && len(out.Changes) > 0 {
				t.Fatalf("differs from itself: %s", text(out.Changes))
			}
			for _, s := range []Switch{MLNXOS, NVOS} {
				_, _, _ = s.Compare(a, b, o)
				if out, _, err := s.Compare(a, a, o); err == nil && len(out.Changes) > 0 {
					t.Fatalf("differs from itself: %s", text(out.Changes))
				}
			}
		}
	})
}
