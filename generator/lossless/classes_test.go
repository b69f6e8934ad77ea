package lossless

import (
	"reflect"
	"testing"

	"railyard/generator/cluster"
	"railyard/generator/fabric"
)

func TestClassesOfOneFamily(t *testing.T) {
	c := declared(t)
	f := clos{leaves: 1, hosts: 8}.build(t, c)
	mustPlan(t, c, f)
	want := []fabric.Class{
		{Name: "default", WeightPercent: 50},
		{Name: "roce", DSCP: []int{26}, Priority: 3, TrafficClass: 3, Queue: 3, PriorityGroup: 3, Lossless: true, ECN: true, WeightPercent: 50},
		{Name: "cnp", DSCP: []int{48}, Priority: 6, TrafficClass: 6, Queue: 6, Strict: true, CNP: true},
		{Name: "control", DSCP: []int{56}, Priority: 7, TrafficClass: 7, Queue: 7, Strict: true},
	}
	if !reflect.DeepEqual(f.Lossless.Classes, want) {
		t.Errorf("classes\n%+v\nwant\n%+v", f.Lossless.Classes, want)
	}
	if d := f.Lossless.Default(); d == nil || d.Name != "default" {
		t.Errorf("default class %+v", d)
	}
}

func ascend(name string) cluster.ServerGroup {
	return cluster.ServerGroup{Name: name, Count: 8, GPU: "ascend-910b", GPUs: 8, NIC: "ascend-integrated-200", NICs: 8, NICSpeed: 200}
}

func nvidia(name string) cluster.ServerGroup {
	return cluster.ServerGroup{Name: name, Count: 8, GPU: "h100-80-sxm5", GPUs: 8, NIC: "cx7-400-vpi", NICs: 8, NICSpeed: 400, PCIe: cluster.PCIe{Gen: 5, Lanes: 16}}
}

// HCCL sends DSCP 33 on priority 4 unless told otherwise (Huawei CANN).
func TestClassesByFamily(t *testing.T) {
	set := func(v int) cluster.AutoPriority { return cluster.AutoPriority{Set: true, Value: v} }
	dscp := func(v int) cluster.AutoDSCP { return cluster.AutoDSCP{Set: true, Value: v} }
	type lossless struct {
		name   string
		dscp   []int
		prio   int
		weight int
	}
	for _, tc := range []struct {
		name     string
		groups   []cluster.ServerGroup
		priority cluster.AutoPriority
		dscp     cluster.AutoDSCP
		want     []lossless
		class    []string // of each group
		mismatch string   // group with CLASS_MISMATCH
	}{
		{"ascend alone", []cluster.ServerGroup{ascend("npu")}, cluster.AutoPriority{}, cluster.AutoDSCP{},
			[]lossless{{"roce", []int{33}, 4, 50}}, []string{"roce"}, ""},
		{"two families", []cluster.ServerGroup{nvidia("gpu"), ascend("npu")}, cluster.AutoPriority{}, cluster.AutoDSCP{},
			[]lossless{{"roce", []int{26}, 3, 33}, {"roce-ascend", []int{33}, 4, 33}}, []string{"roce", "roce-ascend"}, ""},
		{"two families on 4 share a class", []cluster.ServerGroup{nvidia("gpu"), ascend("npu")}, set(4), cluster.AutoDSCP{},
			[]lossless{{"roce", []int{26, 33}, 4, 50}}, []string{"roce", "roce"}, ""},
		{"nvidia can be reprogrammed", []cluster.ServerGroup{nvidia("gpu")}, set(5), dscp(42),
			[]lossless{{"roce", []int{42}, 5, 50}}, []string{"roce"}, ""},
		{"ascend on 3", []cluster.ServerGroup{ascend("npu")}, set(3), cluster.AutoDSCP{},
			[]lossless{{"roce", []int{33}, 3, 50}}, []string{"roce"}, "npu"},
		{"ascend with 26", []cluster.ServerGroup{ascend("npu")}, set(4), dscp(26),
			[]lossless{{"roce", []int{26}, 4, 50}}, []string{"roce"}, "npu"},
		{"two families, one code point", []cluster.ServerGroup{nvidia("gpu"), ascend("npu")}, cluster.AutoPriority{}, dscp(33),
			[]lossless{{"roce", []int{33}, 4, 50}}, []string{"roce", "roce"}, ""},
	} {
		t.Run(tc.name, func(t *testing.T) {
			c := declared(t, tc.groups...)
			c.Lossless.Priority, c.Lossless.DSCP = tc.priority, tc.dscp
			f := clos{leaves: 1, hosts: 8}.build(t, c)
			mustPlan(t, c, f)
			var got []lossless
			sum := 0
			for _, k := range f.Lossless.Classes {
				sum += k.WeightPercent
				if k.Lossless {
					got = append(got, lossless{k.Name, k.DSCP, k.Priority, k.WeightPercent})
				}
			}
			if !reflect.DeepEqual(got, tc.want) || sum != 100 {
				t.Errorf("lossless classes %+v (weights add up to %d), want %+v", got, sum, tc.want)
			}
			for i, g := range f.Groups {
				if name := f.Lossless.Classes[g.Class].Name; name != tc.class[i] {
					t.Errorf("group %s is in %s, want %s", g.Name, name, tc.class[i])
				}
			}
			x := finding(f, "CLASS_MISMATCH")
			if (x != nil) != (tc.mismatch != "") || x != nil && (x.Severity != fabric.Error || x.Objects[0] != tc.mismatch) {
				t.Errorf("CLASS_MISMATCH %+v, want one about %q", x, tc.mismatch)
			}
		})
	}
}

func TestUnknownHostsAreSaidToBeAssumed(t *testing.T) {
	c := declared(t, cluster.ServerGroup{Name: "gpu", Count: 1, NICs: 8, NICSpeed: 400})
	f := clos{leaves: 1, hosts: 8}.build(t, c)
	mustPlan(t, c, f)
	if x := finding(f, "HOST_CLASS_ASSUMED"); x == nil || x.Severity != fabric.Info {
		t.Errorf("findings %+v", f.Findings)
	}
}

// Control traffic moves out of the way of what the user fixed.
func TestControlClass(t *testing.T) {
	for _, tc := range []struct {
		priority, dscp int
		cnp            cluster.CNP
		want           *fabric.Class
	}{
		{3, 26, cluster.CNP{DSCP: 48, Priority: 7}, &fabric.Class{Name: "control", DSCP: []int{56}, Priority: 6, TrafficClass: 6, Queue: 6, Strict: true}},
		{3, 26, cluster.CNP{DSCP: 25, Priority: 6}, &fabric.Class{Name: "control", DSCP: []int{48, 56}, Priority: 7, TrafficClass: 7, Queue: 7, Strict: true}},
		{7, 26, cluster.CNP{DSCP: 48, Priority: 6}, &fabric.Class{Name: "control", DSCP: []int{56}, Priority: 5, TrafficClass: 5, Queue: 5, Strict: true}},
		{3, 56, cluster.CNP{DSCP: 48, Priority: 6}, nil},
	} {
		c := declared(t)
		c.Lossless.Priority, c.Lossless.DSCP, c.Lossless.CNP = cluster.AutoPriority{Set: true, Value: tc.priority}, cluster.AutoDSCP{Set: true, Value: tc.dscp}, tc.cnp
		f := clos{leaves: 1, hosts: 8}.build(t, c)
		mustPlan(t, c, f)
		var got *fabric.Class
		for i := range f.Lossless.Classes {
			if f.Lossless.Classes[i].Name == "control" {
				got = &f.Lossless.Classes[i]
			}
		}
		if !reflect.DeepEqual(got, tc.want) {
			t.Errorf("priority %d DSCP %d CNP %+v: control %+v, want %+v", tc.priority, tc.dscp, tc.cnp, got, tc.want)
		}
	}
}
