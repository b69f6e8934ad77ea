package advise_test

import (
	"bytes"
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"

	"railyard/generator/advise"
	"railyard/generator/catalog"
	"railyard/generator/cluster"
	"railyard/generator/fabric"
	"railyard/generator/quantity"
)

// servers is a group as cluster.Load would leave it.
func servers(name, gpu, nic string, count, gpus int) cluster.ServerGroup {
	g := cluster.ServerGroup{Name: name, Count: count, Reserve: count, GPU: gpu, GPUs: gpus, NIC: nic, NICs: 8, NICSpeed: 400}
	if strings.Contains(nic, "100") {
		g.NICSpeed = 100
	}
	return g
}

// declare is a cluster and a design of it, both by hand, so that what a rule
// sees is what the test says.
func declare(t testing.TB, technology fabric.Technology, topology fabric.Topology, groups ...cluster.ServerGroup) (*cluster.Cluster, *fabric.Fabric) {
	t.Helper()
	cat, err := catalog.Load()
	if err != nil {
		t.Fatal(err)
	}
	one := quantity.Ratio{Down: 1, Up: 1}
	c := &cluster.Cluster{
		Name: "test", Catalog: cat, Servers: groups,
		Fabric: cluster.Fabric{Technology: string(technology), RoCE: "v2", Topology: "auto", Attachment: "rail", Planes: 1, Oversubscription: one, CoreOversubscription: one},
	}
	f := &fabric.Fabric{Name: "test", Technology: technology, Topology: topology, Planes: 1}
	if technology == fabric.RoCE {
		f.RoCE = "v2"
		f.Lossless = &fabric.Lossless{Deadlock: fabric.Deadlock{Checked: true, Free: true}}
	}
	return c, f
}

const (
	ib   = fabric.InfiniBand
	roce = fabric.RoCE
)

type ruleCase struct {
	name     string
	on       fabric.Technology // declared; RoCE unless said
	topology fabric.Topology
	groups   []cluster.ServerGroup
	findings []string
	opt      advise.Options
	want     string // technology by rule, "undecided"
	fired    string // rules that hold besides, in order
	firm     bool
	conflict string // ids, in order
}

func h100(n int) []cluster.ServerGroup {
	return []cluster.ServerGroup{servers("gpu", "h100-80-sxm5", "cx7-400-vpi", n/8, 8)}
}

func a100(n int) []cluster.ServerGroup {
	return []cluster.ServerGroup{servers("gpu", "a100-80-sxm4", "cx6-200-vpi", n/8, 8)}
}

func h20(n int) []cluster.ServerGroup {
	return []cluster.ServerGroup{servers("gpu", "h20-96-sxm5", "cx7-400-vpi", n/8, 8)}
}

// The rows follow the decision table: at least one where a rule decides (or
// warns), and the rows that show precedence and conflicts.
var ruleCases = []ruleCase{
	{name: "A1 domestic", groups: []cluster.ServerGroup{servers("npu", "mtt-s4000", "cx7-400-vpi", 32, 8)}, want: "roce by A1", fired: "W2 W3 C1", firm: true},
	{name: "A1 before A8", groups: []cluster.ServerGroup{servers("npu", "mtt-s4000", "cx7-400-vpi", 32, 8)},
		opt:  advise.Options{Budget: "sufficient", Team: "none", FastStart: "yes"},
		want: "roce by A1", fired: "A8 W2 W3 C1", firm: true, conflict: "K3"},
	{name: "A1 and A2 Ascend", groups: []cluster.ServerGroup{servers("npu", "ascend-910b", "ascend-integrated-200", 32, 8)}, want: "roce by A1", fired: "A2 W2 W3 C1", firm: true},
	{name: "A2 accelerator", groups: []cluster.ServerGroup{servers("gpu", "mi300x", "cx7-400-vpi", 64, 8)}, want: "roce by A2", fired: "W2 W3 C1", firm: true},
	{name: "A2 NIC", groups: []cluster.ServerGroup{servers("gpu", "h100-80-sxm5", "thor2-bcm57608", 64, 8)},
		opt:  advise.Options{Budget: "sufficient", Team: "none", FastStart: "yes"},
		want: "roce by A2", fired: "A8 W2 W3 C1", firm: true, conflict: "K3"},
	{name: "A2 unknown NIC keeps InfiniBand provisional", on: ib, groups: []cluster.ServerGroup{servers("gpu", "h100-80-sxm5", "", 64, 8)},
		opt:  advise.Options{Budget: "sufficient", Team: "none", FastStart: "yes", LargeModels: "no", MultiVendor: "no", ExistingEthernet: "no"},
		want: "infiniband by A8", fired: "C1"},
	{name: "A3 consumer", topology: fabric.SingleSwitch, groups: []cluster.ServerGroup{servers("ws", "rtx-4090", "cx6-100-vpi", 4, 8)}, want: "roce by A3", fired: "W2 C1", firm: true},
	{name: "A4 small and strict", topology: fabric.SingleSwitch, groups: h100(64), opt: advise.Options{Budget: "strict"}, want: "roce by A4", fired: "W2 C1", firm: true},
	{name: "A4 ends at the threshold", groups: h100(72), opt: advise.Options{Budget: "strict"}, want: "undecided", fired: "W2 W3 C1"},
	{name: "A4 threshold moved", groups: h100(72), opt: advise.Options{Budget: "strict", Thresholds: advise.Thresholds{FewDozen: 72, Hundreds: 73, Thousands: 2000, FewThousand: 4096}}, want: "roce by A4", fired: "W2 W3 C1", firm: true},
	{name: "A5 all four traits", on: ib, groups: h100(8192), opt: advise.Options{Budget: "sufficient", Team: "infiniband", LargeModels: "yes"}, want: "infiniband by A5", fired: "C1", firm: true},
	{name: "A5 lacks one trait", on: ib, groups: h100(8192), opt: advise.Options{Budget: "sufficient", Team: "infiniband", LargeModels: "no", MultiVendor: "no"}, want: "undecided", fired: "C1"},
	{name: "A5 before A9", on: ib, groups: h100(8192), opt: advise.Options{Budget: "sufficient", Team: "infiniband", LargeModels: "yes", MultiVendor: "yes"},
		want: "infiniband by A5", fired: "A9 C1", firm: true, conflict: "K3"},
	{name: "K2 budget decides for InfiniBand over A6", groups: a100(3200), opt: advise.Options{Budget: "sufficient", Team: "ethernet"},
		want: "infiniband by K2.IB", fired: "A6 C1", firm: true, conflict: "K1 K2 K3"},
	{name: "K2 budget decides for RoCE over the team", groups: h100(3200), opt: advise.Options{Budget: "balanced", Team: "infiniband"},
		want: "roce by K2.RoCE", fired: "W2 W3 C1", firm: true, conflict: "K2"},
	{name: "K2 team decides where the budget is not known", groups: h100(3200), opt: advise.Options{Team: "ethernet"},
		want: "roce by K2.RoCE", fired: "W2 W3 C1", conflict: "K2"},
	{name: "K2 team for InfiniBand", on: ib, groups: h100(2000), opt: advise.Options{Team: "infiniband"},
		want: "infiniband by K2.IB", fired: "C1", conflict: "K2"},
	{name: "K2 undecided prints both", groups: h100(4096), want: "undecided", fired: "W2 W3 C1", conflict: "K2"},
	{name: "A6 cost", groups: h20(1024), opt: advise.Options{Budget: "balanced"}, want: "roce by A6", fired: "W2 W3 C1", firm: true},
	{name: "A6 team", groups: h20(1024), opt: advise.Options{Budget: "sufficient", Team: "ethernet"}, want: "roce by A6", fired: "W2 W3 C1", firm: true},
	{name: "A6 and A7 for A100", groups: a100(512), opt: advise.Options{Budget: "balanced"}, want: "roce by A6", fired: "A7 W2 W3 C1", firm: true, conflict: "K1"},
	{name: "A6 has no overlap for H20", groups: h20(3200), opt: advise.Options{Budget: "strict"}, want: "roce by A6", fired: "W2 W3 C1", firm: true},
	{name: "A7 team", groups: h100(1024), opt: advise.Options{Team: "ethernet"}, want: "roce by A7", fired: "W2 W3 C1", firm: true},
	{name: "A7 budget", on: ib, groups: h100(1024), opt: advise.Options{Budget: "balanced"}, want: "roce by A7", fired: "W2 W3 C1", firm: true},
	{name: "A8 fast start", on: ib, groups: h100(1024), opt: advise.Options{Budget: "sufficient", Team: "none", FastStart: "yes"}, want: "infiniband by A8", fired: "C1", firm: true},
	{name: "A8 before A9", on: ib, groups: h100(1024), opt: advise.Options{Budget: "sufficient", Team: "none", FastStart: "yes", MultiVendor: "yes"},
		want: "infiniband by A8", fired: "A9 C1", firm: true, conflict: "K3"},
	{name: "A8 open leaves A9 provisional", groups: h100(1024), opt: advise.Options{Budget: "sufficient", Team: "none", MultiVendor: "yes"},
		want: "roce by A9", fired: "W2 W3 C1"},
	{name: "A9 several vendors", groups: h100(1024), opt: advise.Options{MultiVendor: "yes", FastStart: "no"}, want: "roce by A9", fired: "W2 W3 C1", firm: true},
	{name: "A10 large on RoCE", topology: fabric.ThreeTier, groups: h100(16384), opt: advise.Options{MultiVendor: "yes", FastStart: "no", LargeModels: "no"}, want: "roce by A9", fired: "A10 W2 W3 C1", firm: true},
	{name: "A10 not on InfiniBand", on: ib, groups: h100(16384), want: "undecided", fired: "C1"},
	{name: "W1 from the finding", groups: a100(128), findings: []string{"PCIE_BELOW_NIC"}, opt: advise.Options{Budget: "strict"}, want: "roce by A6", fired: "W1 W2 W3 C1", firm: true, conflict: "K1"},
	{name: "W3 not on DDC", topology: fabric.DDC, groups: h20(256), opt: advise.Options{Budget: "strict"}, want: "roce by A6", fired: "W2 C1", firm: true},
	{name: "W4 from the finding", groups: h20(256), findings: []string{"ROCE_V1_ROUTED"}, opt: advise.Options{Budget: "strict"}, want: "roce by A6", fired: "W2 W3 W4 C1", firm: true},
	{name: "K4 mixed accelerators", groups: append(h100(512), servers("old", "l40s", "cx7-400-vpi", 8, 8)), opt: advise.Options{Budget: "balanced"}, want: "roce by A7", fired: "W2 W3 C1", firm: true, conflict: "K4"},
	{name: "no accelerators", groups: []cluster.ServerGroup{servers("store", "", "cx7-400-vpi", 8, 0)}, want: "undecided", fired: "W2 W3 C1"},
}

func TestRules(t *testing.T) {
	decided := map[string]bool{}
	for _, row := range ruleCases {
		t.Run(row.name, func(t *testing.T) {
			if row.on == "" {
				row.on = roce
			}
			if row.topology == "" {
				row.topology = fabric.LeafSpine
			}
			c, f := declare(t, row.on, row.topology, row.groups...)
			for _, code := range row.findings {
				f.Findings = append(f.Findings, fabric.Finding{Severity: fabric.Warning, Code: code, Message: "found", Remedy: "mend"})
			}
			a, err := advise.Advise(c, f, row.opt)
			if err != nil {
				t.Fatal(err)
			}
			got := a.Verdict.Technology
			if a.Verdict.Rule != "" {
				got += " by " + a.Verdict.Rule
			}
			if got != row.want || a.Verdict.Firm != row.firm {
				t.Errorf("%s, firm %v; want %s, %v\n%+v", got, a.Verdict.Firm, row.want, row.firm, a.Verdict.WouldChange)
			}
			var fired, conflicts []string
			for _, r := range a.Rules {
				if r.State == advise.Fired {
					fired = append(fired, r.ID)
				}
				if r.State == advise.Fired || r.State == advise.Decides {
					decided[r.ID] = true
				}
			}
			for _, k := range a.Conflicts {
				if k.ID != "K5" { // nothing was designed here
					conflicts = append(conflicts, k.ID)
				}
				if k.Title == "" || len(k.Sides) < 2 || k.Resolution == "" {
					t.Errorf("a conflict hides something: %+v", k)
				}
			}
			if s := strings.Join(fired, " "); s != row.fired {
				t.Errorf("also hold: %s; want %s", s, row.fired)
			}
			if s := strings.Join(conflicts, " "); s != row.conflict {
				t.Errorf("conflicts: %s; want %s", s, row.conflict)
			}
			wellReasoned(t, a)
		})
	}
	for _, id := range strings.Fields("A1 A2 A3 A4 A5 K2.IB K2.RoCE A6 A7 A8 A9 A10 W1 W2 W3 W4 C1") {
		if !decided[id] {
			t.Errorf("no row makes rule %s hold", id)
		}
	}
}

// wellReasoned: every rule shows what it saw, and what is missing can be given.
func wellReasoned(t *testing.T, a *advise.Advice) {
	t.Helper()
	for _, r := range a.Rules {
		if r.Reason == "" || r.Source == "" || len(r.Inputs) == 0 {
			t.Errorf("%s has no reason, source or inputs", r.ID)
		}
		for _, in := range r.Inputs {
			if in.Holds == advise.Unknown && len(in.Missing) == 0 && r.ID != "A2" {
				t.Errorf("%s: %q is unknown, and nothing says how to answer it", r.ID, in.Condition)
			}
		}
	}
	for _, m := range a.Missing {
		if len(m.Rules) == 0 || m.How == "" {
			t.Errorf("missing without a way to give it: %+v", m)
		}
	}
	var text bytes.Buffer
	if err := a.Text(&text); err != nil {
		t.Fatal(err)
	}
	checkText(t, text.String())
}

// TestWouldChange: what is said to change the advice does so.
func TestWouldChange(t *testing.T) {
	seen := 0
	for _, row := range ruleCases {
		on := row.on
		if on == "" {
			on = roce
		}
		c, f := declare(t, on, fabric.LeafSpine, row.groups...)
		a, err := advise.Advise(c, f, row.opt)
		if err != nil {
			t.Fatal(err)
		}
		for _, change := range a.Verdict.WouldChange {
			opt := row.opt
			for _, answer := range change.Answers {
				flag, value, _ := strings.Cut(strings.TrimPrefix(answer, "--"), " ")
				*map[string]*string{"budget": &opt.Budget, "team": &opt.Team, "large-models": &opt.LargeModels, "multi-vendor": &opt.MultiVendor, "fast-start": &opt.FastStart, "existing-ethernet": &opt.ExistingEthernet}[flag] = value
			}
			b, err := advise.Advise(c, f, opt)
			if err != nil {
				t.Fatal(err)
			}
			if b.Verdict.Technology != change.Technology || b.Verdict.Rule != change.Rule || b.Verdict.Technology == a.Verdict.Technology {
				t.Errorf("%s: %v leads to %s by %s, not %s by %s", row.name, change.Answers, b.Verdict.Technology, b.Verdict.Rule, change.Technology, change.Rule)
			}
			seen++
		}
	}
	if seen < 10 {
		t.Errorf("only %d changes were tried", seen)
	}
}

func TestExistingEthernet(t *testing.T) {
	for value, want := range map[string]string{"yes": "use the Ethernet that is there", "no": "buy one switch", "": "if any"} {
		c, f := declare(t, roce, fabric.SingleSwitch, h100(32)...)
		a, err := advise.Advise(c, f, advise.Options{Budget: "strict", ExistingEthernet: value})
		if err != nil {
			t.Fatal(err)
		}
		if !strings.Contains(a.Verdict.Advice, want) {
			t.Errorf("existing %q: %s", value, a.Verdict.Advice)
		}
		asked := slices.ContainsFunc(a.Missing, func(m advise.Missing) bool { return m.Name == "existing-ethernet" })
		if asked != (value == "") {
			t.Errorf("existing %q: asked %v", value, asked)
		}
	}
}

func TestOptionErrors(t *testing.T) {
	c, f := declare(t, roce, fabric.LeafSpine, h100(64)...)
	_, err := advise.Advise(c, f, advise.Options{
		Budget: "huge", LargeModels: "maybe", OtherSwitch: "nvidia-sn5600",
		Thresholds: advise.Thresholds{FewDozen: 64, Hundreds: 65, Thousands: 5000, FewThousand: 4096},
	})
	if err == nil {
		t.Fatal("no error")
	}
	for _, want := range []string{`--budget: "huge"`, `--large-models: "maybe"`, "--other-switch: nvidia-sn5600 is of kind eth", "thresholds must be above zero and rise"} {
		if !strings.Contains(err.Error(), want) {
			t.Errorf("%q is not in: %v", want, err)
		}
	}
	if n := len(strings.Split(err.Error(), "\n")); n != 4 {
		t.Errorf("%d problems: %v", n, err)
	}
}

// TestAlternative checks which switch is put in, and what makes it impossible.
func TestAlternative(t *testing.T) {
	for _, row := range []struct {
		name      string
		on        fabric.Technology
		group     cluster.ServerGroup
		planes    int
		speed     quantity.Speed
		other     string
		pick, why string
	}{
		{"NDR", roce, h100(64)[0], 1, 400, "", "nvidia-qm9700", ""},
		{"HDR", roce, servers("gpu", "a100-80-sxm4", "cx6-200-vpi", 8, 8), 1, 200, "", "nvidia-qm8700", ""},
		{"HDR100", roce, servers("gpu", "a100-80-sxm4", "cx6-100-vpi", 8, 8), 1, 100, "", "nvidia-qm8700", ""},
		{"XDR", roce, servers("gpu", "b300-288-sxm", "cx8-800", 8, 8), 2, 400, "", "nvidia-q3400-ra", ""},
		{"NDR on two planes as asked", roce, servers("gpu", "b300-288-sxm", "cx8-800", 8, 8), 2, 400, "nvidia-qm9700", "nvidia-qm9700", ""},
		{"EDR only", roce, servers("gpu", "v100-sxm2", "cx5-100", 8, 8), 1, 100, "", "", "cx5-100 of group gpu speaks EDR"},
		{"no InfiniBand NIC", roce, servers("gpu", "h100-80-sxm5", "thor2-bcm57608", 8, 8), 1, 400, "", "", "has no InfiniBand mode"},
		{"RoCE-only accelerator", roce, servers("gpu", "mi300x", "cx7-400-vpi", 8, 8), 1, 400, "", "", "mi300x cannot use InfiniBand"},
		{"NIC not declared", roce, servers("gpu", "h100-80-sxm5", "", 8, 8), 1, 400, "", "", "not declared"},
		{"asked switch does not fit", roce, h100(64)[0], 1, 400, "nvidia-qm8700", "", "nvidia-qm8700 has no ports of 400G"},
		{"Ethernet 400G", ib, h100(64)[0], 1, 400, "", "nvidia-sn5400", ""},
		{"Ethernet 200G", ib, servers("gpu", "a100-80-sxm4", "cx6-200-vpi", 8, 8), 1, 200, "", "nvidia-sn3700", ""},
		{"Ethernet 100G", ib, servers("gpu", "a100-80-sxm4", "cx6-100-vpi", 8, 8), 1, 100, "", "nvidia-sn4600c", ""},
		{"Ethernet for XDR", ib, servers("gpu", "b300-288-sxm", "cx8-800", 8, 8), 1, 800, "", "nvidia-sn5600", ""},
		{"Ethernet as asked", ib, h100(64)[0], 1, 400, "h3c-s9825-64d", "h3c-s9825-64d", ""},
	} {
		t.Run(row.name, func(t *testing.T) {
			c, f := declare(t, row.on, fabric.LeafSpine, row.group)
			c.Fabric.Planes = row.planes
			c.Servers[0].NICSpeed = row.speed
			var tried *cluster.Cluster
			a, err := advise.Advise(c, f, advise.Options{OtherSwitch: row.other, Design: func(n *cluster.Cluster) (*fabric.Fabric, error) {
				tried = n
				return &fabric.Fabric{Technology: fabric.Technology(n.Fabric.Technology), Topology: fabric.LeafSpine}, nil
			}})
			if err != nil {
				t.Fatal(err)
			}
			d := a.Designs[1]
			if row.why != "" {
				if d.Possible || !strings.Contains(strings.Join(d.Why, "\n"), row.why) {
					t.Errorf("possible %v, why %q", d.Possible, d.Why)
				}
				return
			}
			if !d.Possible || d.Picks[0].Model != row.pick || tried.Switches.Spine.Spec.ID != row.pick || tried.Fabric.Technology == c.Fabric.Technology {
				t.Errorf("%+v", d)
			}
			// The bandwidth of a NIC stays what it was.
			if got, want := tried.Fabric.Planes*int(tried.Servers[0].NICSpeed), row.planes*int(row.speed); got != want {
				t.Errorf("%d Gb/s a NIC, was %d", got, want)
			}
			if tried.Switches.Leaf.Spec.Radix(int(tried.Servers[0].NICSpeed)) == 0 {
				t.Errorf("%s has no ports of %s", row.pick, tried.Servers[0].NICSpeed)
			}
			if c.Fabric.Planes != row.planes || c.Servers[0].NICSpeed != row.speed {
				t.Error("the declared cluster was changed")
			}
		})
	}
}

// TestCannotBuild: advice that the hardware cannot follow is a conflict, and
// the design's own reasons are repeated.
func TestCannotBuild(t *testing.T) {
	c, f := declare(t, ib, fabric.LeafSpine, h100(1024)...)
	fails := func(err error) func(*cluster.Cluster) (*fabric.Fabric, error) {
		return func(*cluster.Cluster) (*fabric.Fabric, error) { return nil, err }
	}
	for _, err := range []error{
		errors.New("out of ports"),
		cluster.Problems{c.Problem("fabric.spines", "out of ports", "use fewer")},
		fmt.Errorf("wrapped: %w", cluster.Problems{c.Problem("fabric.spines", "out of ports", "use fewer")}),
	} {
		a, e := advise.Advise(c, f, advise.Options{Budget: "balanced", Design: fails(err)})
		if e != nil {
			t.Fatal(e)
		}
		last := a.Conflicts[len(a.Conflicts)-1]
		if a.Verdict.Technology != "roce" || last.ID != "K5" || !strings.Contains(last.Sides[1], "out of ports") {
			t.Errorf("%s, %+v", a.Verdict.Technology, a.Conflicts)
		}
	}
}
