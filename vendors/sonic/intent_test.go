package sonic

import (
	"bytes"
	"fmt"
	"os/exec"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"

	"railyard/generator/fabric"
)

// rendered is a parsed config_db.json with look-up by table, key and field.
type rendered struct {
	t   *testing.T
	doc document
}

func parsed(t *testing.T, body []byte) rendered {
	t.Helper()
	doc, err := parse(body)
	if err != nil {
		t.Fatal(err)
	}
	return rendered{t, doc}
}

func (r rendered) value(table, key, name string) string {
	for _, row := range r.doc.table(table).rows {
		if row.key == key {
			v, _ := row.get(name)
			return v
		}
	}
	return ""
}

func (r rendered) number(table, key, name string) int {
	r.t.Helper()
	n, err := strconv.Atoi(r.value(table, key, name))
	if err != nil {
		r.t.Errorf("%s|%s %s: %v", table, key, name, err)
	}
	return n
}

// Every class, ECN, PFC, headroom, watchdog and address number is read back
// from the files and held against the fabric.
func TestIntentComesBack(t *testing.T) {
	d := newDriver(t)
	for name, build := range goldens {
		t.Run(name, func(t *testing.T) {
			f := build().named(d)
			for i := range f.Switches {
				r := parsed(t, render(t, d, f, i)["config_db.json"])
				checkClasses(r, f.Lossless)
				for j := range f.Switches[i].Ports {
					checkPort(r, f, &f.Switches[i], &f.Switches[i].Ports[j])
				}
			}
		})
	}
}

func checkClasses(r rendered, l *fabric.Lossless) {
	for dscp := range 64 {
		want := l.Default()
		for i := range l.Classes {
			for _, d := range l.Classes[i].DSCP {
				if d == dscp {
					want = &l.Classes[i]
				}
			}
		}
		tc := r.value("DSCP_TO_TC_MAP", "ROCE", strconv.Itoa(dscp))
		if tc != strconv.Itoa(want.TrafficClass) {
			r.t.Errorf("DSCP %d goes to TC %s, want %d", dscp, tc, want.TrafficClass)
		}
		if q := r.number("TC_TO_QUEUE_MAP", "ROCE", tc); q != want.Queue {
			r.t.Errorf("DSCP %d ends in queue %d, want %d", dscp, q, want.Queue)
		}
		if pg := r.number("TC_TO_PRIORITY_GROUP_MAP", "ROCE", tc); pg != want.PriorityGroup {
			r.t.Errorf("DSCP %d ends in group %d, want %d", dscp, pg, want.PriorityGroup)
		}
		if want.Lossless {
			if q := r.number("MAP_PFC_PRIORITY_TO_QUEUE", "ROCE", strconv.Itoa(want.Priority)); q != want.Queue {
				r.t.Errorf("PFC priority %d pauses queue %d, want %d", want.Priority, q, want.Queue)
			}
		}
	}
}

func checkPort(r rendered, f *fabric.Fabric, sw *fabric.Switch, p *fabric.Port) {
	name, t := p.Name, r.t
	if got := r.number("PORT", name, "speed"); got != p.SpeedGbps*1000 {
		t.Errorf("%s: speed %d", name, got)
	}
	if got := r.number("PORT", name, "mtu"); got != f.Underlay.MTU {
		t.Errorf("%s: mtu %d", name, got)
	}
	if up := r.value("PORT", name, "admin_status") == "up"; up != (p.Link >= 0) {
		t.Errorf("%s: up %v", name, up)
	}
	if p.Link < 0 {
		for _, table := range []string{"PORT_QOS_MAP", "INTERFACE", "PFC_WD"} {
			if r.value(table, name, "") != "" || containsKey(r.doc.table(table), name) {
				t.Errorf("%s is not used but has a row in %s", name, table)
			}
		}
		if want := map[bool]string{true: "reserved", false: "unused"}[p.Reserved]; r.value("PORT", name, "description") != want {
			t.Errorf("%s: description %q", name, r.value("PORT", name, "description"))
		}
		return
	}
	if p.Address.IsValid() && !containsKey(r.doc.table("INTERFACE"), name+"|"+p.Address.String()) {
		t.Errorf("%s: address %s is missing", name, p.Address)
	}
	checkLosslessPort(r, f, p)
	if needsFRR(f, sw) {
		if containsKey(r.doc.table("BGP_NEIGHBOR"), p.PeerAddress.String()) {
			t.Errorf("%s: two writers for one session", name)
		}
		return
	}
	if p.PeerASN != 0 && r.value("BGP_NEIGHBOR", p.PeerAddress.String(), "asn") != fmt.Sprint(p.PeerASN) {
		t.Errorf("%s: session with %s AS %d is missing", name, p.PeerAddress, p.PeerASN)
	}
}

func containsKey(t table, key string) bool {
	for _, r := range t.rows {
		if r.key == key {
			return true
		}
	}
	return false
}

func checkLosslessPort(r rendered, f *fabric.Fabric, p *fabric.Port) {
	name, t, l := p.Name, r.t, f.Lossless
	profile := &l.Profiles[p.Profile]
	for i := range l.Classes {
		c := &l.Classes[i]
		queue := name + "|" + strconv.Itoa(c.Queue)
		sched := r.value("QUEUE", queue, "scheduler")
		switch {
		case c.Strict && r.value("SCHEDULER", sched, "type") != "STRICT":
			t.Errorf("%s: class %s is not strict", name, c.Name)
		case !c.Strict && r.number("SCHEDULER", sched, "weight") != c.WeightPercent:
			t.Errorf("%s: class %s has weight %s", name, c.Name, r.value("SCHEDULER", sched, "weight"))
		}
		mark := r.value("QUEUE", queue, "wred_profile")
		if c.ECN != (mark != "") {
			t.Errorf("%s: class %s marks with %q", name, c.Name, mark)
		}
		if c.ECN {
			for _, colour := range colours {
				got := [3]int{r.number("WRED_PROFILE", mark, colour+"_min_threshold"), r.number("WRED_PROFILE", mark, colour+"_max_threshold"), r.number("WRED_PROFILE", mark, colour+"_drop_probability")}
				if got != [3]int{profile.KminBytes, profile.KmaxBytes, profile.PmaxPercent} || r.value("WRED_PROFILE", mark, "wred_"+colour+"_enable") != "true" {
					t.Errorf("%s: %s band %v", name, colour, got)
				}
			}
		}
		if c.Lossless {
			checkLosslessClass(r, name, profile, c, &l.Watchdog)
		}
	}
}

func checkLosslessClass(r rendered, name string, profile *fabric.Profile, c *fabric.Class, dog *fabric.Watchdog) {
	t, prio := r.t, strconv.Itoa(c.Priority)
	if r.value("PORT_QOS_MAP", name, "pfc_enable") != prio || r.value("PORT_QOS_MAP", name, "pfcwd_sw_enable") != prio {
		t.Errorf("%s: PFC or watchdog not on priority %s", name, prio)
	}
	group := r.value("BUFFER_PG", name+"|"+prio, "profile")
	if r.number("BUFFER_PROFILE", group, "xoff") != profile.XoffBytes || r.number("BUFFER_PROFILE", group, "dynamic_th") != profile.AlphaLog2 {
		t.Errorf("%s: headroom %s is not the plan's %d", name, group, profile.XoffBytes)
	}
	if r.value("DEVICE_METADATA", "localhost", "buffer_model") == "dynamic" {
		if r.number("BUFFER_PROFILE", group, "size") != profile.SizeBytes || r.number("BUFFER_PROFILE", group, "xon") != profile.XonBytes {
			t.Errorf("%s: size or xon of %s", name, group)
		}
	}
	length, _ := strings.CutSuffix(r.value("CABLE_LENGTH", "AZURE", name), "m")
	if n, err := strconv.ParseFloat(length, 64); err != nil || n < profile.LengthM {
		t.Errorf("%s: cable length %q for %g m", name, length, profile.LengthM)
	}
	if r.value("PFC_WD", name, "action") != dog.Action || r.number("PFC_WD", name, "detection_time") != int(dog.Detect.Milliseconds()) ||
		r.number("PFC_WD", name, "restoration_time") != int(dog.Restore.Milliseconds()) {
		t.Errorf("%s: watchdog", name)
	}
}

// A disabled watchdog leaves no row, and says so for images that would follow
// pfc_enable.
func TestWatchdogOff(t *testing.T) {
	d, f := newDriver(t), leafSpineFabric()
	f.Lossless.Watchdog.Enabled = false
	body := render(t, d, f.named(d), 0)["config_db.json"]
	if bytes.Contains(body, []byte("PFC_WD")) || !bytes.Contains(body, []byte(`"pfcwd_sw_enable": ""`)) {
		t.Error("the watchdog is not off")
	}
}

func TestPoll(t *testing.T) {
	ms := time.Millisecond
	for _, c := range []struct {
		detect, restore time.Duration
		ports           int
		want            time.Duration
	}{ // pfcwd start_default: 1..32 ports 200, 33..64 400, 65..96 600, 97..128 800, at most 1000
		{5000 * ms, 5000 * ms, 32, 200 * ms}, {5000 * ms, 5000 * ms, 33, 400 * ms}, {5000 * ms, 5000 * ms, 96, 600 * ms},
		{5000 * ms, 5000 * ms, 128, 800 * ms}, {5000 * ms, 5000 * ms, 512, 1000 * ms},
		{200 * ms, 400 * ms, 128, 200 * ms}, {400 * ms, 150 * ms, 64, 150 * ms},
	} {
		if got := poll(&fabric.Watchdog{Detect: c.detect, Restore: c.restore}, c.ports); got != c.want {
			t.Errorf("%d ports, detect %v, restore %v: poll %v, want %v", c.ports, c.detect, c.restore, got, c.want)
		}
	}
}

// Cables of 10 and 30 m share the 40 m row of the table: the larger headroom
// is kept for both.
func TestCableLengthsThatMeet(t *testing.T) {
	d, f := newDriver(t), newFabric()
	m := f.model("dell-z9864f", "dell", 64, 800, 165_200_000, 254)
	short, long := f.profile(m, 800, 10, 700000, 0, 0), f.profile(m, 800, 30, 810000, 0, 0)
	sw := f.addSwitch("leaf", fabric.Leaf, m, 65000, 1, 800, 4)
	v := f.vlan(sw, 100, 0, "")
	f.server(sw, 0, v, short, "")
	f.server(sw, 1, v, long, "")
	r := parsed(t, render(t, d, f.named(d), sw)["config_db.json"])
	if x := r.number("BUFFER_PROFILE", "pg_lossless_800000_40m_profile", "xoff"); x != 810000 {
		t.Errorf("xoff %d", x)
	}
	if r.value("BUFFER_PG", "Ethernet0|3", "profile") != r.value("BUFFER_PG", "Ethernet8|3", "profile") {
		t.Error("two profiles")
	}
}

// Two lossless priorities make one group and queue range, as the buffer manager
// does it.
func TestTwoLosslessClasses(t *testing.T) {
	d, f := newDriver(t), leafSpineFabric()
	f.Lossless.Classes[0].WeightPercent = 20
	f.Lossless.Classes = append(f.Lossless.Classes, fabric.Class{
		Name: "roce-hccl", DSCP: []int{33}, Priority: 4, TrafficClass: 4, Queue: 4, PriorityGroup: 4, Lossless: true, ECN: true, WeightPercent: 20})
	r := parsed(t, render(t, d, f.named(d), 0)["config_db.json"])
	if r.value("PORT_QOS_MAP", "Ethernet0", "pfc_enable") != "3,4" || r.value("BUFFER_PG", "Ethernet0|3-4", "profile") == "" ||
		r.value("BUFFER_QUEUE", "Ethernet0|3-4", "profile") != "egress_lossless_profile" {
		t.Error("no range 3-4")
	}
}

// Growth within the panel changes only the rows of the ports that gain a peer,
// and pools stay as they are.
func TestGrowthLeavesTheRestAlone(t *testing.T) {
	d := newDriver(t)
	for _, build := range []func() *testFabric{leafSpineFabric, breakoutFabric, singleFabric} {
		small, grown := build(), build()
		free := 0
		for free < len(small.Switches[0].Ports) && small.Switches[0].Ports[free].Link >= 0 {
			free++
		}
		taken := grown.Switches[0].Ports[0]
		grown.server(0, free, taken.VLAN, taken.Profile, "")
		name := grown.named(d).Switches[0].Ports[free].Name
		a, b := parsed(t, render(t, d, small.named(d), 0)["config_db.json"]), parsed(t, render(t, d, grown.Fabric, 0)["config_db.json"])
		before := map[string]string{}
		for _, table := range a.doc {
			for _, row := range table.rows {
				before[table.name+"|"+row.key] = fmt.Sprint(row.fields)
			}
		}
		for _, table := range b.doc {
			for _, row := range table.rows {
				key := table.name + "|" + row.key
				if was, had := before[key]; (!had || was != fmt.Sprint(row.fields)) && !strings.Contains(key, name) && table.name != "CABLE_LENGTH" {
					t.Errorf("%s changed though only %s gained a server: %s", key, name, was)
				}
			}
		}
	}
}

func TestDeterministicAndConcurrent(t *testing.T) {
	d := newDriver(t)
	f := leafSpineFabric().named(d)
	want := render(t, d, f, 0)["config_db.json"]
	var wg sync.WaitGroup
	for range 8 {
		wg.Go(func() {
			for range 20 {
				files, err := d.Render(f, &f.Switches[0], nil)
				if err != nil || !bytes.Equal(files[0].Body, want) {
					t.Errorf("another document (%v)", err)
					return
				}
			}
		})
	}
	wg.Wait()
}

// The form: strings and lists of strings only, every level sorted, four spaces.
func TestForm(t *testing.T) {
	d := newDriver(t)
	line := regexp.MustCompile(`^( {4}| {8}| {12}| {16})("[^"]+": )?("[^"]*"|\{\}|[\[{]|[\]}]),?$`)
	for name, build := range goldens {
		f := build().named(d)
		body := render(t, d, f, 0)["config_db.json"]
		lines := strings.Split(strings.TrimSuffix(string(body), "\n"), "\n")
		for n, l := range lines[1 : len(lines)-1] {
			if !line.MatchString(l) {
				t.Errorf("%s line %d: %q", name, n+2, l)
			}
		}
		doc := parsed(t, body).doc
		if again := doc.encode(); !bytes.Equal(again, body) {
			t.Errorf("%s: parse and encode give another document: some level is not sorted", name)
		}
	}
}

// The routing daemon's own parser takes every frr.conf.
func TestFRRSyntax(t *testing.T) {
	tool, err := exec.LookPath("vtysh")
	if err != nil {
		missing(t, "vtysh is not installed (Debian package frr)")
	}
	files, err := filepath.Glob(filepath.Join("testdata", "*", "*", "frr.conf"))
	if err != nil || len(files) == 0 {
		t.Fatal("no frr.conf among the golden files", err)
	}
	for _, file := range files {
		if out, err := exec.Command(tool, "-C", "-f", file).CombinedOutput(); err != nil || len(bytes.TrimSpace(out)) > 0 {
			t.Errorf("%s: %v\n%s", file, err, out)
		}
	}
}

// The driver asks for frr.conf only where the built-in templates do not do.
func TestWhoOwnsTheRouting(t *testing.T) {
	d := newDriver(t)
	for _, c := range []struct {
		name   string
		change func(f *testFabric)
		frr    bool
	}{
		{"numbered", func(*testFabric) {}, false},
		{"no transit", func(f *testFabric) { f.Switches[0].NoTransit = true }, true},
		{"routed hosts", func(f *testFabric) {
			f.Switches[0].Ports[0].VLAN = -1
			f.Switches[0].Ports[0].Address = f.Switches[0].Ports[4].Address
			f.Switches[0].Ports[4].Address = f.Switches[0].Ports[5].Address
			f.Switches[0].Ports[5] = fabric.Port{Cage: 3, Lane: 2, Split: 2, SpeedGbps: 400, Link: -1, VLAN: -1, Profile: -1}
		}, true},
		{"no BGP", func(f *testFabric) { f.Underlay.BGP = false }, false},
	} {
		f := leafSpineFabric()
		c.change(f)
		files := render(t, d, f.named(d), 0)
		r := parsed(t, files["config_db.json"])
		mode := map[bool]string{true: "split-unified"}[c.frr] // else the image's own
		if _, got := files["frr.conf"]; got != c.frr || r.value("DEVICE_METADATA", "localhost", "docker_routing_config_mode") != mode {
			t.Errorf("%s: frr.conf %v, mode %s", c.name, got, r.value("DEVICE_METADATA", "localhost", "docker_routing_config_mode"))
		}
		if neighbours := len(r.doc.table("BGP_NEIGHBOR").rows); (neighbours > 0) != (!c.frr && f.Underlay.BGP) {
			t.Errorf("%s: %d rows of BGP_NEIGHBOR", c.name, neighbours)
		}
	}
}

// Speeds and lanes of portconfig.py's and minigraph.py's defaults.
func TestFEC(t *testing.T) {
	d := newDriver(t)
	for _, c := range []struct {
		model             string
		cage, speed, lane int
		fec               string
	}{
		{"nvidia-sn3700", 1, 200, 4, "rs"}, {"nvidia-sn4600c", 1, 100, 4, "rs"}, {"nvidia-sn4600c", 1, 40, 4, ""}, {"nvidia-sn5600", 1, 800, 8, "rs"},
	} {
		f := leafSpineFabric()
		f.Models[f.Switches[0].Model].ID = c.model
		f.Switches[0].Ports = []fabric.Port{{Cage: c.cage, Split: 1, SpeedGbps: c.speed, Link: -1, VLAN: -1, Profile: -1}}
		f.Lossless, f.VLANs, f.Switches[0].VLANs = nil, nil, nil
		r := parsed(t, render(t, d, f.named(d), 0)["config_db.json"])
		if got := r.value("PORT", "Ethernet0", "fec"); got != c.fec {
			t.Errorf("%s at %dG: fec %q, want %q", c.model, c.speed, got, c.fec)
		}
	}
}

func BenchmarkRender(b *testing.B) {
	d := newDriver(b)
	for _, c := range []struct {
		model              string
		split, speed, xoff int
	}{{"ruijie-s6990-128qc", 1, 400, 446024}, {"nvidia-sn5600", 4, 200, 131072}} {
		f := newFabric()
		cages := len(d.platforms[c.model].First)
		m := f.model(c.model, strings.SplitN(c.model, "-", 2)[0], cages, c.speed*c.split, 165_200_000, 254)
		p := f.profile(m, c.speed, 5, c.xoff, 19456, 0)
		sw := f.addSwitch("leaf", fabric.Leaf, m, 65000, c.split, c.speed, cages)
		v := f.vlan(sw, 100, 0, "10.16.0.1/24")
		for i := range f.Switches[sw].Ports {
			f.server(sw, i, v, p, "")
		}
		fab := f.named(d)
		b.Run(fmt.Sprintf("%dports", cages*c.split), func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				files, err := d.Render(fab, &fab.Switches[sw], nil)
				if err != nil {
					b.Fatal(err)
				}
				b.SetBytes(int64(len(files[0].Body)))
			}
		})
	}
}

func BenchmarkCheck(b *testing.B) {
	d := newDriver(b)
	f := leafSpineFabric().named(d)
	for b.Loop() {
		d.Check(f, &f.Switches[0])
	}
}
