package sonic

import (
	"os"
	"slices"
	"strconv"
	"strings"
	"testing"
	"testing/fstest"

	"railyard/generator/fabric"
)

// Every lane map owns each lane once, has no gaps beyond what the box has, and
// names every port once, whole and split.
func TestLaneMapsAreSound(t *testing.T) {
	d := newDriver(t)
	for model, p := range d.platforms {
		t.Run(model, func(t *testing.T) {
			if n := len(p.First); n != 32 && n != 64 && n != 128 {
				t.Errorf("%d cages", n)
			}
			if len(p.SKUs) == 0 || p.Source == "" || !slices.Contains([]string{"doc", "field", "inferred"}, p.Confidence) {
				t.Errorf("incomplete: %d HwSKUs, source %q, confidence %q", len(p.SKUs), p.Source, p.Confidence)
			}
			for split := 1; split <= p.Lanes && (split == 1 || !p.WholeOnly); split *= 2 {
				lanes, names, aliases := map[int]bool{}, map[string]bool{}, map[string]bool{}
				for cage := range p.First {
					for lane := 1; lane <= split; lane++ {
						r, ok := p.port(&fabric.Port{Cage: cage + 1, Lane: lane, Split: split})
						if !ok {
							t.Fatalf("cage %d lane %d of %d has no place", cage+1, lane, split)
						}
						for _, l := range r.lanes {
							if lanes[l] {
								t.Errorf("cage %d: lane %d comes twice", cage+1, l)
							}
							lanes[l] = true
						}
						if names[r.name] || r.alias != "" && aliases[r.alias] {
							t.Errorf("%s (%s) comes twice", r.name, r.alias)
						}
						names[r.name], aliases[r.alias] = true, true
					}
				}
				if len(lanes) != p.Lanes*len(p.First) {
					t.Errorf("split %d: %d lanes", split, len(lanes))
				}
			}
			if _, ok := p.port(&fabric.Port{Cage: len(p.First) + 1, Split: 1}); ok {
				t.Error("a cage beyond the panel has a place")
			}
		})
	}
}

// Rows of published port_config.ini and platform.json files.
func TestPublishedPorts(t *testing.T) {
	d := newDriver(t)
	for _, c := range []struct {
		source, model     string
		cage, lane, split int
		name, lanes       string
		alias             string
		index, subport    int
	}{
		{"Mellanox-SN5600-V256/port_config.ini", "nvidia-sn5600", 3, 2, 4, "Ethernet18", "18,19", "etp3b", 3, 2},
		{"Mellanox-SN5600-V256/port_config.ini", "nvidia-sn5600", 48, 1, 4, "Ethernet376", "376,377", "etp48a", 48, 1},
		{"x86_64-nvidia_sn5600-r0/platform.json", "nvidia-sn5600", 41, 0, 1, "Ethernet320", "320,321,322,323,324,325,326,327", "etp41", 41, 0},
		{"ACS-SN5400/port_config.ini", "nvidia-sn5400", 64, 0, 1, "Ethernet504", "504,505,506,507,508,509,510,511", "etp64", 64, 0},
		{"x86_64-mlnx_msn4700-r0/platform.json.a1", "nvidia-sn4700", 25, 0, 1, "Ethernet192", "192,193,194,195,196,197,198,199", "etp25", 25, 0},
		{"x86_64-mlnx_msn4600c-r0/platform.json", "nvidia-sn4600c", 33, 0, 1, "Ethernet128", "256,257,258,259", "etp33", 33, 0},
		{"x86_64-mlnx_msn3700-r0/platform.json", "nvidia-sn3700", 9, 0, 1, "Ethernet32", "32,33,34,35", "etp9", 9, 0},
		{"x86_64-nvidia_sn5640-r0/platform.json", "nvidia-sn5640", 37, 8, 8, "Ethernet295", "295", "etp37h", 37, 8},
		{"Arista-7060X6-64PE/port_config.ini", "arista-7060x6-64pe", 9, 0, 1, "Ethernet64", "89,90,91,92,93,94,95,96", "etp9", 9, 0},
		{"Arista-7060X6-64PE/port_config.ini", "arista-7060x6-64pe", 33, 0, 1, "Ethernet256", "273,274,275,276,277,278,279,280", "etp33", 33, 0},
		{"Arista-7060X6-32PE/port_config.ini", "arista-7060x6-32pe", 15, 0, 1, "Ethernet112", "489,490,491,492,493,494,495,496", "Ethernet15/1", 15, 0},
		{"Arista-7060DX5-64S/port_config.ini", "arista-7060dx5-64s", 34, 0, 1, "Ethernet264", "25,26,27,28,29,30,31,32", "Ethernet34/1", 34, 0},
		{"DellEMC-Z9664f-O64/port_config.ini", "dell-z9664f", 17, 0, 1, "Ethernet64", "141,142,143,144", "etp17", 17, 0},
		{"DellEMC-Z9332f-O32/port_config.ini", "dell-z9332f", 21, 0, 1, "Ethernet160", "225,226,227,228,229,230,231,232", "fourhundredGigE1/21", 21, 0},
		{"x86_64-dell_z9864f-r0/platform.json", "dell-z9864f", 4, 1, 2, "Ethernet24", "49,50,51,52", "etp4a", 4, 1},
		{"Nokia-IXR7220-H5-64O/port_config.ini", "nokia-ixr7220-h5-64o", 49, 0, 1, "Ethernet384", "281,282,283,284,285,286,287,288", "Ethernet49/1", 49, 0},
		{"Nokia-IXR7220-H4-64D/port_config.ini", "nokia-ixr7220-h4-64d", 47, 0, 1, "Ethernet184", "1,2,3,4,5,6,7,8", "fourhundredGigE1/47", 47, 0},
		{"Nokia-IXR7220-H5-64D/port_config.ini", "nokia-ixr7220-h5-64d", 5, 0, 1, "Ethernet16", "49,50,51,52,53,54,55,56", "fourhundredGigE1/5", 5, 0},
		{"x86_64-micas_m2-w6940-128qc-r0/platform.json", "ruijie-s6990-128qc", 47, 0, 1, "Ethernet185", "105,106,107,108", "Eth47", 46, 0},
		{"x86_64-micas_m2-w6940-128qc-r0/platform.json", "micas-m2-w6940-128qc", 65, 2, 2, "Ethernet259", "435,436", "Eth65/2", 64, 2},
		{"x86_64-micas_m2-w6930-64qc-r0/platform.json", "ruijie-s6980-64qc", 3, 0, 1, "Ethernet17", "49,50,51,52,53,54,55,56", "Eth3", 2, 0},
		{"x86_64-micas_m2-w6940-64oc-r0/platform.json", "ruijie-s6990-64oc", 12, 0, 1, "Ethernet89", "113,114,115,116,117,118,119,120", "Eth12", 11, 0},
		{"Accton-AS9817-64O-2x400G/port_config.ini", "edgecore-as9817-64o", 33, 2, 2, "Ethernet260", "5,6,7,8", "Eth33/2(Port33)", 33, 2},
	} {
		r, ok := d.platforms[c.model].port(&fabric.Port{Cage: c.cage, Lane: c.lane, Split: c.split})
		if !ok || r.name != c.name || joinInts(r.lanes) != c.lanes || r.alias != c.alias || r.index != c.index || r.subport != c.subport {
			t.Errorf("%s: cage %d %d/%d: got %+v, want %s %s %s index %d subport %d", c.source, c.cage, c.lane, c.split, r, c.name, c.lanes, c.alias, c.index, c.subport)
		}
	}
}

// The rules that were found to hold for every row of the published files.
func TestLaneRules(t *testing.T) {
	d := newDriver(t)
	for _, c := range []struct {
		model string
		first func(cage int) int
	}{
		{"nvidia-sn5600", func(p int) int { return 8 * (p - 1) }},
		{"nvidia-sn4700", func(p int) int { return 8 * (p - 1) }},
		{"ufispace-s9300-32d", func(p int) int { return 8*(p-1) + 1 }},
		{"arista-7060dx5-32", func(p int) int {
			if p <= 16 {
				return 8*(p-1) + 1
			}
			return 8*(p-1) + 257
		}},
		{"arista-7060x6-64pe", func(p int) int {
			g, i := (p-1)/4, (p-1)%4
			perm := []int{3, 1, 0, 2}
			if g == 0 || g == 8 {
				perm = []int{2, 0, 1, 3}
			}
			return 8*(4*g+perm[i]) + 1
		}},
		{"nexthop-nh-4010", func(p int) int { return 8*((p-1)^1) + 1 }},
		{"celestica-ds5000", func(p int) int { return 32*((p-1)/4) + []int{1, 17, 25, 9}[(p-1)%4] }},
		{"edgecore-as9736-64d", func(p int) int { return d.platforms["nokia-ixr7220-h4-64d"].First[p-1] + 1 }},
	} {
		for i, got := range d.platforms[c.model].First {
			if want := c.first(i + 1); got != want {
				t.Errorf("%s cage %d: first lane %d, want %d", c.model, i+1, got, want)
			}
		}
	}
}

func TestPortNameWithoutAPlace(t *testing.T) {
	d := newDriver(t)
	for _, c := range []struct {
		model string
		port  fabric.Port
		want  string
	}{
		{"h3c-s9827-128dh", fabric.Port{Cage: 5, Split: 1}, "5"},
		{"h3c-s9827-128dh", fabric.Port{Cage: 5, Lane: 2, Split: 2}, "5/2"},
		{"nvidia-sn5600", fabric.Port{Cage: 65, Split: 1}, "65"},
		{"nvidia-sn5600", fabric.Port{Cage: 2, Lane: 3, Split: 3}, "2/3"},
		{"nokia-ixr7220-h5-64d", fabric.Port{Cage: 2, Lane: 1, Split: 2}, "2/1"},
		{"nvidia-sn5600", fabric.Port{Cage: 2, Lane: 2, Split: 2}, "Ethernet12"},
	} {
		if got := d.PortName(&fabric.Model{ID: c.model}, &c.port); got != c.want {
			t.Errorf("%s %+v: %q, want %q", c.model, c.port, got, c.want)
		}
	}
}

func TestHwSKU(t *testing.T) {
	d := newDriver(t)
	build := func(model string, cages, speed, split, portSpeed int) (*fabric.Switch, *fabric.Model) {
		f := newFabric()
		m := f.model(model, "", cages, speed, 0, 0)
		sw := f.addSwitch("s", fabric.Leaf, m, 1, split, portSpeed, cages)
		for i := range f.Switches[sw].Ports {
			f.Switches[sw].Ports[i].Link = 0
		}
		return &f.Switches[sw], &f.Models[m]
	}
	for _, c := range []struct {
		model                         string
		cages, speed, split, portRate int
		want                          string
		exact                         bool
	}{
		{"arista-7060x6-64pe", 64, 800, 2, 400, "Arista-7060X6-64PE-O128S2", true},
		{"arista-7060x6-64pe", 64, 800, 4, 200, "Arista-7060X6-64PE-256x200G", true},
		{"arista-7060x6-64pe", 64, 800, 1, 800, "Arista-7060X6-64PE", true},
		{"arista-7060x6-64pe", 64, 800, 8, 100, "Arista-7060X6-64PE", false},
		{"nvidia-sn5600", 64, 800, 2, 400, "Mellanox-SN5600-O128", true},
		{"nvidia-sn5600", 64, 800, 1, 800, "ACS-SN5600", true},
		{"nvidia-sn5640", 64, 800, 4, 200, "Mellanox-SN5640-O128X2", false},
		{"dell-z9864f", 64, 800, 2, 400, "Dell-Z9864f-O64", true},
	} {
		sw, m := build(c.model, c.cages, c.speed, c.split, c.portRate)
		got, exact := d.platforms[c.model].sku(sw, m)
		if got.Name != c.want || exact != c.exact {
			t.Errorf("%s %dx%d: %s %v, want %s %v", c.model, c.split, c.portRate, got.Name, exact, c.want, c.exact)
		}
	}
}

const siteConfig = `## copied from a switch
# name      lanes          alias      index  speed   fec
Ethernet0   9,10,11,12     fhGE1/0/1  1      400000  rs
Ethernet4   13,14,15,16    fhGE1/0/2  2      400000  rs
Ethernet8   1,2            fhGE1/0/3  3      200000  rs
Ethernet10  3,4            fhGE1/0/4  3      200000  rs
Ethernet256 257            mgmt1      65     10000   none
`

func TestSiteLaneMap(t *testing.T) {
	overlay := fstest.MapFS{"sonic/ports/h3c-s9827-128dh/H3C-S9827/port_config.ini": {Data: []byte(siteConfig)}}
	d, err := New(overlay)
	if err != nil {
		t.Fatal(err)
	}
	p := d.platforms["h3c-s9827-128dh"]
	for _, c := range []struct {
		cage, lane, split int
		want              string
	}{
		{1, 0, 1, "Ethernet0 9,10,11,12 fhGE1/0/1 1 0"},
		{2, 2, 2, "Ethernet6 15,16  2 2"},           // another split than the file's: no alias
		{3, 2, 2, "Ethernet10 3,4 fhGE1/0/4 3 2"},   // the file's own rows
		{3, 0, 1, "Ethernet8 1,2,3,4  3 0"},         // a cage the file has split, run whole
		{4, 0, 1, ""}, {1, 1, 3, ""}, {1, 5, 4, ""}, // the service port is no cage
	} {
		r, ok := p.port(&fabric.Port{Cage: c.cage, Lane: c.lane, Split: c.split})
		got := ""
		if ok {
			got = strings.Join([]string{r.name, joinInts(r.lanes), r.alias, strconv.Itoa(r.index), strconv.Itoa(r.subport)}, " ")
		}
		if got != c.want {
			t.Errorf("cage %d %d/%d: %q, want %q", c.cage, c.lane, c.split, got, c.want)
		}
	}
	if p.SKUs[0].Name != "H3C-S9827" {
		t.Errorf("HwSKU %q", p.SKUs[0].Name)
	}
}

func TestSiteLaneMapErrors(t *testing.T) {
	for body, want := range map[string]string{
		"":                    "no ports",
		"Ethernet0 1,2 x 1\n": "no header line",
		"# name lanes alias index\nEthernet0 1,x a 1\n":      "lanes \"1,x\" are not numbers",
		"# name lanes alias index\neth0 1 a 1\n":             "is not EthernetN",
		"# name lanes alias index\nEthernet0 1 a\n":          "needs name, lanes and index",
		"# name lanes index\nEthernet0 1 1\nEthernet0 2 2\n": "Ethernet0 comes twice",
		"# name lanes index\nEthernet0 1 1\nEthernet4 1 2\n": "lane 1 belongs to both Ethernet0 and Ethernet4",
	} {
		overlay := fstest.MapFS{"sonic/ports/m/SKU/port_config.ini": {Data: []byte(body)}}
		if _, err := New(overlay); err == nil || !strings.Contains(err.Error(), want) || !strings.Contains(err.Error(), "sonic/ports/m/SKU/port_config.ini") {
			t.Errorf("%q: got %v, want %q with the file's name", body, err, want)
		}
	}
	two := fstest.MapFS{
		"sonic/ports/m/A/port_config.ini": {Data: []byte(siteConfig)},
		"sonic/ports/m/B/port_config.ini": {Data: []byte(siteConfig)},
	}
	if _, err := New(two); err == nil || !strings.Contains(err.Error(), "keep one HwSKU") {
		t.Errorf("two HwSKUs: %v", err)
	}
}

func FuzzPortConfig(f *testing.F) {
	f.Add(siteConfig)
	f.Add("# name lanes index\nEthernet0 1 1\n")
	f.Add("# lanes\n#name\nEthernet0")
	f.Fuzz(func(t *testing.T, body string) {
		p, err := parsePortConfig(body)
		if err != nil {
			return
		}
		for cage := range p.First {
			if r, ok := p.port(&fabric.Port{Cage: cage + 1, Split: 1}); ok && (r.name == "" || len(r.lanes) == 0) {
				t.Errorf("cage %d: %+v", cage+1, r)
			}
		}
	})
}

// A site's template takes the place of the embedded one, and an error in it
// names template, line and device.
func TestOverlayTemplate(t *testing.T) {
	f := unnumberedFabric()
	overlay := fstest.MapFS{"sonic/frr.conf.tmpl": {Data: []byte("! {{ .Hostname }} as {{ .ASN }}\n")}}
	d, err := New(overlay)
	if err != nil {
		t.Fatal(err)
	}
	if got := string(render(t, d, f.named(d), 0)["frr.conf"]); got != "! leaf-u01-r0 as 4200010000\n" {
		t.Errorf("got %q", got)
	}
	overlay["sonic/frr.conf.tmpl"].Data = []byte("line\n{{ .NoSuch }}\n")
	d, err = New(overlay)
	if err != nil {
		t.Fatal(err)
	}
	_, err = d.Render(f.Fabric, &f.Switches[0], nil)
	for _, want := range []string{"frr.conf.tmpl:2", "leaf-u01-r0", "NoSuch"} {
		if err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("got %v, want it to name %s", err, want)
		}
	}
	if _, err := New(fstest.MapFS{"sonic/frr.conf.tmpl": {Data: []byte("{{ if }}")}}); err == nil {
		t.Error("a template that does not parse is taken")
	}
	if _, err := New(os.DirFS(t.TempDir())); err != nil {
		t.Errorf("an empty overlay: %v", err)
	}
}
