package vrp

import (
	"slices"
	"testing"

	"railyard/generator/fabric"
)

// Names as documents and live switches print them.
func TestPortName(t *testing.T) {
	ce9860 := fabric.Model{ID: "huawei-ce9860-4c-ei", Cages: cages(32, 400)}
	ce6866 := fabric.Model{ID: "huawei-ce6866-48s8cq-p", Cages: cages(48, 25, 8, 100)}
	ce8875 := fabric.Model{ID: "huawei-ce8875-24bq8dq", Family: "custom", Cages: cages(24, 200, 8, 400)}
	xh9330 := fabric.Model{ID: "huawei-xh9330-128eo", Family: "custom", Cages: cages(128, 800)}
	ce9866, ce8851, ce8855 := ce9866(), ce8851(), ce8855()
	tests := []struct {
		want       string
		model      *fabric.Model
		cage, lane int
		split      int
		speed      int
		role       fabric.PortRole
		source     string
	}{
		{"400GE1/0/1", &ce9866, 1, 0, 1, 400, fabric.HostPort, "field: controller dump of a CE9866"},
		{"400GE1/0/36:2", &ce9866, 36, 2, 2, 200, fabric.HostPort, "field: the same dump, child at 200G"},
		{"400GE1/0/128", &ce9866, 128, 0, 1, 400, fabric.UnusedPort, "field: the same dump"},
		{"200GE1/0/9", &ce8875, 9, 0, 1, 200, fabric.HostPort, "field: LLDP capture of a RoCE leaf"},
		{"400GE1/0/1", &ce8875, 25, 0, 1, 400, fabric.UplinkPort, "numbers restart with each type"},
		{"800GE1/0/128:4", &xh9330, 128, 4, 4, 200, fabric.HostPort, "field: fault tool"},
		{"100GE1/0/1:4", &ce8851, 1, 4, 4, 25, fabric.HostPort, "CR port split, example"},
		{"100GE1/0/32", &ce8851, 32, 0, 1, 100, fabric.HostPort, "CR port mode: 100GE by default"},
		{"200GE1/0/1", &ce8851, 1, 0, 1, 200, fabric.HostPort, "CR port mode: the number becomes 200GE1/0/1"},
		{"100GE1/0/1", &ce8851, 1, 0, 1, 200, fabric.UnusedPort, "CR port mode: default where nothing is said"},
		{"400GE1/0/8", &ce8851, 40, 0, 1, 400, fabric.UplinkPort, "HW: 32 and 8 ports, numbered by type"},
		{"200GE1/0/2:1", &ce8851, 2, 1, 2, 100, fabric.HostPort, "CR port split: a 200GE port into two"},
		{"100GE1/0/33", &ce8855, 33, 0, 1, 100, fabric.UplinkPort, "CG Interface Split: numbered 33 to 36"},
		{"200GE1/0/36", &ce8855, 36, 0, 1, 200, fabric.UplinkPort, "CR port mode"},
		{"25GE1/0/48", &ce6866, 48, 0, 1, 25, fabric.HostPort, "CR port mode: interfaces 41 to 48"},
		{"100GE1/0/8", &ce6866, 56, 0, 1, 100, fabric.UplinkPort, "CR port mode: interfaces 5 to 8"},
		{"400GE1/1/1", &ce9860, 1, 0, 1, 400, fabric.HostPort, "field: split command on a CE9860"},
		{"400GE1/1/1:2", &ce9860, 1, 2, 2, 200, fabric.HostPort, "field: the same"},
	}
	d := driver(t)
	for _, tt := range tests {
		p := fabric.Port{Cage: tt.cage, Lane: tt.lane, Split: tt.split, SpeedGbps: tt.speed, Role: tt.role}
		if got := d.PortName(tt.model, &p); got != tt.want {
			t.Errorf("%s cage %d lane %d at %dG: %s, want %s (%s)", tt.model.ID, tt.cage, tt.lane, tt.speed, got, tt.want, tt.source)
		}
	}
}

func TestPreparedPanelAgrees(t *testing.T) {
	for _, m := range []fabric.Model{ce8851(), ce8855(), ce9866(), {ID: "huawei-ce6866-48s8cq-p", Cages: cages(48, 25, 8, 100)}} {
		plain, prepared := panelOf(&m), panelOf(&m)
		prepared.prepare()
		for _, c := range m.Cages {
			if a, b := plain.at(c.Number), prepared.at(c.Number); a != b {
				t.Errorf("%s cage %d: %v and %v", m.ID, c.Number, a, b)
			}
		}
	}
}

func TestArrange(t *testing.T) {
	ce9860 := fabric.Model{ID: "huawei-ce9860-4c-ei", Cages: cages(32, 400)}
	tests := []struct {
		name           string
		model          fabric.Model
		planned        []use
		modes, splits  []change
		candidates     []change
		clash, removed bool
	}{
		// CR port split: 24 items a line; gnetcli: a real list of every second port
		{name: "every second port", model: ce9866(), planned: []use{{2, 2, 200}, {4, 2, 200}, {6, 2, 200}},
			splits: []change{{"2*200GE", "400GE1/0/2 400GE1/0/4 400GE1/0/6"}}},
		// field CE8850: "100GE1/0/1 to 100GE1/0/6"; annet: pairs singly
		{name: "runs", model: ce8851(), planned: append(run(1, 6, 4, 25), run(8, 9, 4, 25)...),
			splits: []change{{"4*25GE", "100GE1/0/1 to 100GE1/0/6 100GE1/0/8 100GE1/0/9"}}},
		{name: "long list", model: ce9866(), planned: func() (u []use) {
			for c := 1; c <= 60; c += 2 {
				u = append(u, use{c, 2, 200})
			}
			return u
		}(), splits: []change{
			{"2*200GE", "400GE1/0/1 400GE1/0/3 400GE1/0/5 400GE1/0/7 400GE1/0/9 400GE1/0/11 400GE1/0/13 400GE1/0/15 400GE1/0/17 400GE1/0/19 400GE1/0/21 400GE1/0/23 400GE1/0/25 400GE1/0/27 400GE1/0/29 400GE1/0/31 400GE1/0/33 400GE1/0/35 400GE1/0/37 400GE1/0/39 400GE1/0/41 400GE1/0/43 400GE1/0/45 400GE1/0/47"},
			{"2*200GE", "400GE1/0/49 400GE1/0/51 400GE1/0/53 400GE1/0/55 400GE1/0/57 400GE1/0/59"}}},
		{name: "no document for 800G", model: fabric.Model{ID: "huawei-xh9330-128eo", Cages: cages(128, 800)}, planned: run(1, 1, 4, 200),
			candidates: []change{{"4*200GE", "800GE1/0/1"}}},
		// CR port mode: groups of two on the CE8851-P; the neighbour changes too
		{name: "pair switched", model: ce8851(), planned: []use{{3, 1, 200}},
			modes: []change{{"200GE", "100GE1/0/3 100GE1/0/4"}}},
		{name: "pair at odds", model: ce8851(), planned: []use{{3, 1, 200}, {4, 1, 100}}, clash: true,
			modes: []change{{"200GE", "100GE1/0/3"}}},
		// CR port mode: only 33 to 36 of the CE8855
		{name: "cannot switch", model: fabric.Model{ID: "huawei-ce8855-32cq4bq", Cages: cages(36, 200)}, planned: []use{{1, 1, 200}}, clash: true},
		// CG Interface Split: odd ports of groups of four, even ones vanish
		{name: "even port vanishes", model: ce8855(), planned: []use{{1, 4, 25}, {2, 1, 100}}, removed: true,
			splits: []change{{"4*25GE", "100GE1/0/1"}}},
		{name: "ranges stay on a card", model: ce9860, planned: run(7, 9, 2, 200),
			splits: []change{{"2*200GE", "400GE1/1/7 400GE1/1/8 400GE1/2/1"}}},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			ports := panelPorts(&tt.model, tt.planned)
			for i := range ports {
				for _, u := range tt.planned {
					if u.cage == ports[i].Cage {
						ports[i].Role = fabric.HostPort
					}
				}
			}
			l := arrange(&tt.model, ports)
			if !slices.Equal(l.modes, tt.modes) || !slices.Equal(l.splits, tt.splits) || !slices.Equal(l.candidates, tt.candidates) {
				t.Errorf("modes %v, splits %v, candidates %v", l.modes, l.splits, l.candidates)
			}
			if l.clashes != tt.clash || l.removed != tt.removed {
				t.Errorf("clash %t, removed %t", l.clashes, l.removed)
			}
		})
	}
}

func TestVanishedPortsHaveNoInterface(t *testing.T) {
	m := ce8855()
	l := arrange(&m, panelPorts(&m, []use{{1, 4, 25}}))
	ports := panelPorts(&m, []use{{1, 4, 25}})
	for i := range ports {
		gone := ports[i].Cage == 2 || ports[i].Cage == 4
		if (l.names[i] == "") != gone {
			t.Errorf("cage %d lane %d: name %q", ports[i].Cage, ports[i].Lane, l.names[i])
		}
	}
}

// An unused port of a switched group has its group's name (CR port mode).
func TestUnusedPortOfASwitchedGroup(t *testing.T) {
	m := ce8851()
	ports := panelPorts(&m, []use{{3, 1, 200}})
	ports[2].Role = fabric.HostPort
	if l := arrange(&m, ports); l.names[3] != "200GE1/0/4" || l.names[4] != "100GE1/0/5" {
		t.Errorf("names %q %q", l.names[3], l.names[4])
	}
}
