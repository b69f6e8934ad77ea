package dialect_test

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	gpb "github.com/openconfig/gnmi/proto/gnmi"

	"railyard/generator/fabric"
	"railyard/vendors/gnmi"
	"railyard/vendors/gnmi/dialect"
	"railyard/vendors/gnmi/target"
	"railyard/vendors/openconfig/oc"
)

var differ = dialect.Differ{Compare: plainly}

func plainly(os string, running, intended []byte, _ []string) (dialect.Difference, error) {
	lines, patch, err := target.PlainDiff(os, running, intended)
	d := dialect.Difference{Patch: patch}
	for _, l := range lines {
		d.Changes = append(d.Changes, dialect.Change{Path: l.Path, Remove: l.Remove, Add: l.Add})
	}
	return d, err
}

// session is one device and the dialect it chose.
type session struct {
	t   *testing.T
	box *target.Target
	dev *gnmi.Device
	d   dialect.Dialect
	by  []dialect.Manual
}

func open(t *testing.T, c target.Config, in dialect.Intent) *session {
	t.Helper()
	box, err := target.Start(c)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(box.Stop)
	dev, err := gnmi.Dial(gnmi.Endpoint{Name: "leaf-1", Address: box.Addr(), Security: gnmi.Security{Plaintext: true},
		Timeouts: gnmi.Timeouts{Connect: 5 * time.Second}})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { dev.Close() })
	caps, err := dev.Capabilities(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	s := &session{t: t, box: box, dev: dev}
	in.Switch = "leaf-1"
	if s.d, s.by, err = dialect.Choose(caps, in, differ); err != nil {
		t.Fatal(err)
	}
	return s
}

func (s *session) read() []byte {
	s.t.Helper()
	b, err := s.d.Read(s.t.Context(), s.dev)
	if err != nil {
		s.t.Fatal(err)
	}
	return b
}

func (s *session) plan() *dialect.Plan {
	s.t.Helper()
	p, err := s.d.Plan(s.read())
	if err != nil {
		s.t.Fatal(err)
	}
	return p
}

func (s *session) send(p *dialect.Plan) {
	s.t.Helper()
	for _, r := range p.Requests {
		if err := s.dev.Set(s.t.Context(), r); err != nil {
			b, _ := gnmi.Text(r)
			s.t.Fatalf("%v\n%s", err, b)
		}
	}
}

// round pushes, checks that a second plan is empty, and goes back.
func (s *session) round() *dialect.Plan {
	s.t.Helper()
	was := string(s.box.Running())
	p := s.plan()
	s.send(p)
	if again := s.plan(); len(again.Requests) > 0 {
		s.t.Fatalf("a second push would send %v", again.Requests)
	}
	re, err := dialect.Reopen(s.d.Name(), osOf(s), p.Undo, nil, differ)
	if err != nil {
		s.t.Fatal(err)
	}
	now, err := re.Read(s.t.Context(), s.dev)
	if err != nil {
		s.t.Fatal(err)
	}
	back, err := re.Back(now, p.Undo)
	if err != nil {
		s.t.Fatal(err)
	}
	s.send(back)
	if got := string(s.box.Running()); !sameLines(got, was) {
		s.t.Fatalf("went back to\n%s\nwas\n%s", got, was)
	}
	now, _ = re.Read(s.t.Context(), s.dev)
	if rest, err := re.Back(now, p.Undo); err != nil || len(rest.Requests) > 0 {
		s.t.Fatalf("%v: still to go back: %v", err, rest.Requests)
	}
	return p
}

func osOf(s *session) string {
	if s.d.Name() == "openconfig" {
		return "vrp"
	}
	return ""
}

// sameLines ignores order, which a device is free to change.
func sameLines(a, b string) bool {
	x, y := strings.Split(a, "\n"), strings.Split(b, "\n")
	slices.Sort(x)
	slices.Sort(y)
	return slices.Equal(x, y)
}

func files(name, body string, more ...string) []fabric.File {
	list := []fabric.File{{Name: name, Body: []byte(body)}}
	for _, m := range more {
		list = append(list, fabric.File{Name: m})
	}
	return list
}

func TestEOS(t *testing.T) {
	running := "hostname a\nmanagement api gnmi\n   transport grpc default\n      vrf mgmt\nusername admin secret sha512 $6$old\nntp server vrf mgmt 10.0.0.1\ninterface Ethernet1/1\n   mtu 1500\n"
	intended := "hostname b\nmanagement api gnmi\n   transport grpc default\n      vrf other\nusername admin secret sha512 $6$new\ninterface Ethernet1/1\n   mtu 9214\n   service-profile ROCE\nrouter bgp 65001\n   neighbor 10.0.0.1 remote-as 65002\n   neighbor 10.0.0.1 password 7 0A1B2C\nend\n"
	s := open(t, target.Config{OS: "eos", Running: []byte(running)}, dialect.Intent{OS: "eos", Files: files("startup-config", intended, "steps-to-check.txt")})
	if s.d.Name() != "cli" || len(s.by) != 1 || s.by[0].File != "switches/leaf-1/steps-to-check.txt" {
		t.Fatalf("%v %+v", s.d, s.by)
	}
	p := s.round()
	if len(p.Requests) != 1 || len(p.Requests[0].Update) != 1 || p.Requests[0].Update[0].Path.Origin != "cli" || len(p.Requests[0].Update[0].Path.Elem) > 0 {
		t.Fatalf("requests: %v", p.Requests)
	}
	sent := p.Requests[0].Update[0].Val.GetAsciiVal()
	for _, want := range []string{"hostname b", "mtu 9214", "remote-as 65002", "no ntp server"} {
		if !strings.Contains(sent, want) {
			t.Errorf("%q is not sent:\n%s", want, sent)
		}
	}
	for _, never := range []string{"management", "vrf other", "username", "password", "0A1B2C", "$6$", "end"} {
		if strings.Contains(sent, never) {
			t.Errorf("%q is sent:\n%s", never, sent)
		}
	}
	manual := fmt.Sprint(p.Manual)
	for _, want := range []string{"2 lines that hold a secret", "vrf other"} {
		if !strings.Contains(manual, want) {
			t.Errorf("%q is not listed: %s", want, manual)
		}
	}
	if strings.Contains(manual+string(p.Undo), "$6$") {
		t.Error("a secret is listed or kept")
	}
	if !strings.Contains(fmt.Sprint(p.Notes), "write memory") {
		t.Errorf("notes: %v", p.Notes)
	}
}

func TestSONiC(t *testing.T) {
	running := `{"PORT":{"Ethernet0":{"lanes":"1,2","mtu":"1500","alias":"etp1"},"Ethernet8":{"lanes":"3"}},
	 "VLAN":{"Vlan100":{"vlanid":"100"}},"INTERFACE":{"Ethernet0":{},"Ethernet0|10.9.0.0/31":{},"Ethernet8":{}},
	 "BUFFER_POOL":{"p":{"size":"1"}},"BUFFER_PROFILE":{"x":{"pool":"p"}},"DEVICE_METADATA":{"localhost":{"hostname":"old","mac":"a"}},"OTHER":{"x":{}}}`
	intended := `{"PORT":{"Ethernet0":{"lanes":"1,2","mtu":"9216","alias":"etp1"},"Ethernet8":{"lanes":"3,4"},"Ethernet16":{"lanes":"5"}},
	 "VLAN":{},"INTERFACE":{"Ethernet0":{},"Ethernet0|10.1.0.0/31":{},"Ethernet8":{},"Ethernet16":{}},
	 "BUFFER_POOL":{"p":{"size":"2"}},"BUFFER_PROFILE":{"x":{"pool":"p","size":"7"}},"DEVICE_METADATA":{"localhost":{"hostname":"new","mac":"a"}},
	 "WRED_PROFILE":{"ECN/A":{"ecn":"ecn_all"}},"SCHEDULER":{"s":{"type":"DWRR"}},"QUEUE":{"Ethernet0|3":{"scheduler":"s","wred_profile":"ECN/A"}}}`
	s := open(t, target.Config{OS: "sonic", Running: []byte(running)}, dialect.Intent{OS: "sonic", Files: files("config_db.json", intended, "frr.conf")})
	if s.d.Name() != "sonic-db" || len(s.by) != 1 || !strings.HasSuffix(s.by[0].File, "frr.conf") {
		t.Fatalf("%v %+v", s.d, s.by)
	}
	p := s.round()
	var got []string
	for _, d := range p.Requests[0].Delete {
		got = append(got, "delete "+gnmi.PathString(d))
	}
	for _, u := range p.Requests[0].Replace {
		got = append(got, "replace "+gnmi.PathString(u.Path)+" "+string(u.Val.GetJsonIetfVal()))
	}
	for _, u := range p.Requests[0].Update {
		got = append(got, "update "+gnmi.PathString(u.Path)+" "+string(u.Val.GetJsonIetfVal()))
	}
	want := []string{
		"delete sonic-db:/CONFIG_DB/localhost/INTERFACE/Ethernet0|10.9.0.0~131",
		"delete sonic-db:/CONFIG_DB/localhost/VLAN", // its last row: the table cannot stay empty
		`replace sonic-db:/CONFIG_DB/localhost/PORT/Ethernet0 {"alias":"etp1","lanes":"1,2","mtu":"9216"}`,
		"update sonic-db:/CONFIG_DB/localhost/INTERFACE/Ethernet0|10.1.0.0~131 {}",
		`update sonic-db:/CONFIG_DB/localhost/QUEUE {"Ethernet0|3":{"scheduler":"s","wred_profile":"ECN/A"}}`, // a first row brings its table
		`update sonic-db:/CONFIG_DB/localhost/SCHEDULER {"s":{"type":"DWRR"}}`,
		`update sonic-db:/CONFIG_DB/localhost/WRED_PROFILE {"ECN/A":{"ecn":"ecn_all"}}`,
	}
	if !slices.Equal(got, want) || len(p.Requests) != 1 {
		t.Errorf("got\n%s\nwant\n%s", strings.Join(got, "\n"), strings.Join(want, "\n"))
	}
	manual := fmt.Sprint(p.Manual)
	for _, held := range []string{"BUFFER_POOL p", "BUFFER_PROFILE x", "DEVICE_METADATA localhost", "PORT Ethernet8", "PORT Ethernet16", "INTERFACE Ethernet16", "config reload"} {
		if !strings.Contains(manual, held) {
			t.Errorf("%s is not listed: %s", held, manual)
		}
	}
}

// TestSONiCLargeChange: many rows become several transactions, each of which
// the switch accepts by itself.
func TestSONiCLargeChange(t *testing.T) {
	type db = map[string]map[string]map[string]string
	run, want := db{"PORT": {}, "SCHEDULER": {"old": {"type": "DWRR"}}, "QUEUE": {}}, db{"PORT": {}, "SCHEDULER": {"new": {"type": "STRICT"}}, "QUEUE": {}}
	for i := range 64 {
		port := fmt.Sprintf("Ethernet%d", 8*i)
		run["PORT"][port] = map[string]string{"lanes": fmt.Sprint(i), "mtu": "1500"}
		want["PORT"][port] = map[string]string{"lanes": fmt.Sprint(i), "mtu": "9216"}
		for q := range 8 {
			key := fmt.Sprintf("%s|%d", port, q)
			run["QUEUE"][key] = map[string]string{"scheduler": "old"}
			want["QUEUE"][key] = map[string]string{"scheduler": "new"}
		}
	}
	a, _ := json.Marshal(run)
	b, _ := json.Marshal(want)
	s := open(t, target.Config{OS: "sonic", Running: a}, dialect.Intent{OS: "sonic", Files: files("config_db.json", string(b))})
	if p := s.round(); len(p.Requests) != 1+4+1 {
		t.Errorf("%d requests", len(p.Requests))
	}
}

const document = `{"openconfig-interfaces:interfaces":{"interface":[
 {"name":"Ethernet1","config":{"name":"Ethernet1","type":"iana-if-type:ethernetCsmacd","mtu":9214,"description":"spine-01:Ethernet8"},
  "openconfig-if-ethernet:ethernet":{"config":{"port-speed":"openconfig-if-ethernet:SPEED_400GB"}}},
 {"name":"Ethernet2","config":{"name":"Ethernet2","type":"iana-if-type:ethernetCsmacd","enabled":true}}]}}`

const before = `{"openconfig-interfaces:interfaces":{"interface":[
 {"name":"Ethernet1","config":{"name":"Ethernet1","type":"iana-if-type:ethernetCsmacd","mtu":1500,"description":"theirs"}},
 {"name":"Ethernet9","config":{"name":"Ethernet9","type":"iana-if-type:ethernetCsmacd"}}]}}`

func TestOpenConfig(t *testing.T) {
	doc := func() ([]byte, []dialect.Manual, error) {
		return []byte(document), []dialect.Manual{{What: "PFC"}}, nil
	}
	for _, os := range []string{"eos", "vrp", "comware"} {
		t.Run(os, func(t *testing.T) {
			box := "openconfig"
			if os == "vrp" {
				box = "vrp"
			}
			s := open(t, target.Config{OS: box, Running: []byte(before), Schema: oc.Schema, Models: []string{"openconfig-interfaces"}},
				dialect.Intent{OS: os, Files: files("startup-config", ""), Document: doc})
			if s.d == nil || s.d.Name() != "openconfig" || s.by[0].What != "PFC" {
				t.Fatalf("%v %+v", s.d, s.by)
			}
			p := s.round()
			if len(p.Requests) != 1 || len(p.Requests[0].Update) != 2 {
				t.Fatalf("requests: %v", p.Requests)
			}
			u := p.Requests[0].Update[0]
			path, plain := gnmi.PathString(u.Path), u.Val.GetJsonVal() != nil
			want := map[string]string{"eos": "openconfig:/interfaces/interface[name=Ethernet1]", "vrp": "/openconfig-interfaces:interfaces/interface[name=Ethernet1]", "comware": "/interfaces/interface[name=Ethernet1]"}
			if path != want[os] || plain != (os == "vrp") {
				t.Errorf("%s, plain JSON %v", path, plain)
			}
		})
	}
	s := open(t, target.Config{OS: "openconfig", Schema: oc.Schema}, dialect.Intent{OS: "comware", Files: files("startup.cfg", ""), Document: doc})
	if s.d != nil || !strings.Contains(fmt.Sprint(s.by), "does not list the models openconfig-interfaces") {
		t.Errorf("%v %v", s.d, s.by)
	}
}

// TestVRPLimit: VRP takes 1 MB at once (configuration guide, gRPC); more becomes
// several transactions, and an entry that cannot be cut is refused.
func TestVRPLimit(t *testing.T) {
	doc := func(entries, size int) []byte {
		var list []string
		for i := range entries {
			list = append(list, fmt.Sprintf(`{"name":"e%d","config":{"name":"e%d","description":"%s"}}`, i, i, strings.Repeat("x", size)))
		}
		return []byte(`{"openconfig-interfaces:interfaces":{"interface":[` + strings.Join(list, ",") + `]}}`)
	}
	plan := func(body []byte) (*dialect.Plan, error) {
		caps := &gnmi.Capabilities{Encodings: []gpb.Encoding{gpb.Encoding_JSON}, Models: []*gpb.ModelData{{Name: "openconfig-interfaces"}}}
		d, _, err := dialect.Choose(caps, dialect.Intent{OS: "vrp", Document: func() ([]byte, []dialect.Manual, error) { return body, nil, nil }}, differ)
		if err != nil {
			t.Fatal(err)
		}
		return d.Plan([]byte("{}"))
	}
	p, err := plan(doc(25, 100_000))
	if err != nil || len(p.Requests) != 3 {
		t.Fatalf("%v: %d requests", err, len(p.Requests))
	}
	for _, r := range p.Requests {
		if gnmi.Size(r) > 1_000_000 {
			t.Errorf("a request of %d bytes", gnmi.Size(r))
		}
	}
	if _, err := plan(doc(1, 1_000_001)); err == nil {
		t.Error("an entry over the limit was accepted")
	}
}

// TestTargetRefuses: what the schema forbids does not pass the test's own switch.
func TestTargetRefuses(t *testing.T) {
	for name, body := range map[string]string{
		"range":     `{"openconfig-interfaces:interfaces":{"interface":[{"name":"a","config":{"name":"a","mtu":70000}}]}}`,
		"unknown":   `{"openconfig-interfaces:interfaces":{"interface":[{"name":"a","config":{"name":"a","mttu":1}}]}}`,
		"two names": `{"openconfig-interfaces:interfaces":{"interface":[{"name":"a","config":{"name":"b"}}]}}`,
	} {
		t.Run(name, func(t *testing.T) {
			s := open(t, target.Config{OS: "openconfig", Schema: oc.Schema, Models: []string{"openconfig-interfaces"}},
				dialect.Intent{OS: "eos", Document: func() ([]byte, []dialect.Manual, error) { return []byte(body), nil, nil }})
			p := s.plan()
			if err := s.dev.Set(t.Context(), p.Requests[0]); err == nil {
				t.Fatalf("accepted: %s", s.box.Running())
			}
		})
	}
}

func TestNothingGoes(t *testing.T) {
	for os, file := range map[string]string{"vrp": "vrpcfg.cfg", "comware": "startup.cfg"} {
		d, by, err := dialect.Choose(&gnmi.Capabilities{Encodings: []gpb.Encoding{gpb.Encoding_JSON}}, dialect.Intent{Switch: "x", OS: os, Files: files(file, "")}, differ)
		if err != nil || d != nil || len(by) != 1 || by[0].File != "switches/x/"+file || len(by[0].Commands) == 0 {
			t.Errorf("%s: %v %+v %v", os, d, by, err)
		}
	}
}
