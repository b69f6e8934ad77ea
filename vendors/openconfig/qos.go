package openconfig

import (
	"cmp"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/openconfig/ygot/ygot"

	"railyard/generator/fabric"
	"railyard/vendors/openconfig/oc"
)

// Names of the objects there is one of.
const (
	classifierV4 = "RAILYARD-IPV4"
	classifierV6 = "RAILYARD-IPV6"
	scheduler    = "RAILYARD"
)

// codePoints is how many DSCP values there are (RFC 2474).
const codePoints = 64

// qos writes the class table once and binds it to every port the lossless plan
// covers.
func (b *builder) qos() {
	if !lossless(b.f, b.sw) {
		return
	}
	b.queues()
	if b.f.RoCE != "v1" {
		b.classifiers()
	}
	b.schedulers()
	for _, i := range b.usedProfiles() {
		b.marking(&b.f.Lossless.Profiles[i])
	}
	for i := range b.sw.Ports {
		if p := &b.sw.Ports[i]; live(p) && p.Profile >= 0 {
			b.bind(p)
		}
	}
}

func queueName(id int) string { return "queue-" + strconv.Itoa(id) }

// queues writes the queues and the class of traffic that leads to each.
func (b *builder) queues() {
	q := b.dev.GetOrCreateQos()
	for i := range b.f.Lossless.Classes {
		c := &b.f.Lossless.Classes[i]
		name := queueName(c.Queue)
		entry := q.GetOrCreateQueues().GetOrCreateQueue(name).GetOrCreateConfig()
		entry.Name, entry.QueueId = ygot.String(name), ygot.Uint8(uint8(c.Queue))
		group, err := q.GetOrCreateForwardingGroups().NewForwardingGroup(c.Name)
		if err != nil {
			b.must(fmt.Errorf("class %s appears twice", c.Name))
			continue
		}
		g := group.GetOrCreateConfig()
		g.Name, g.OutputQueue = ygot.String(c.Name), ygot.String(name)
	}
}

// dscps lists the code points of a class; the default class has all that no
// other class names.
func dscps(l *fabric.Lossless, c *fabric.Class) []uint8 {
	var out []uint8
	for v := range codePoints {
		named := slices.ContainsFunc(l.Classes, func(o fabric.Class) bool { return slices.Contains(o.DSCP, v) })
		if slices.Contains(c.DSCP, v) || len(c.DSCP) == 0 && !named {
			out = append(out, uint8(v))
		}
	}
	return out
}

// classifiers maps every code point to its class, for both versions of IP. A
// term of a class stands at the tenfold of its place in the table.
func (b *builder) classifiers() {
	all := b.dev.GetOrCreateQos().GetOrCreateClassifiers()
	v4 := all.GetOrCreateClassifier(classifierV4)
	v4.GetOrCreateConfig().Name = ygot.String(classifierV4)
	v4.Config.Type = oc.OpenconfigQos_Qos_Classifiers_Classifier_Config_Type_IPV4
	v6 := all.GetOrCreateClassifier(classifierV6)
	v6.GetOrCreateConfig().Name = ygot.String(classifierV6)
	v6.Config.Type = oc.OpenconfigQos_Qos_Classifiers_Classifier_Config_Type_IPV6
	for i := range b.f.Lossless.Classes {
		c := &b.f.Lossless.Classes[i]
		values := dscps(b.f.Lossless, c)
		if len(values) == 0 {
			continue
		}
		id := strconv.Itoa(10 * (i + 1))
		for _, classifier := range []*oc.OpenconfigQos_Qos_Classifiers_Classifier{v4, v6} {
			t := classifier.GetOrCreateTerms().GetOrCreateTerm(id)
			t.GetOrCreateConfig().Id = ygot.String(id)
			t.GetOrCreateActions().GetOrCreateConfig().TargetGroup = ygot.String(c.Name)
			if classifier == v4 {
				t.GetOrCreateConditions().GetOrCreateIpv4().GetOrCreateConfig().DscpSet = values
			} else {
				t.GetOrCreateConditions().GetOrCreateIpv6().GetOrCreateConfig().DscpSet = slices.Clone(values)
			}
		}
	}
}

// schedulers serves strict queues first, the highest queue before the others,
// then shares what is left by weight.
func (b *builder) schedulers() {
	policy := b.dev.GetOrCreateQos().GetOrCreateSchedulerPolicies().GetOrCreateSchedulerPolicy(scheduler)
	policy.GetOrCreateConfig().Name = ygot.String(scheduler)
	var strict, weighted []int
	weight := map[int]int{}
	for i := range b.f.Lossless.Classes {
		c := &b.f.Lossless.Classes[i]
		if c.Strict {
			strict = append(strict, c.Queue)
		} else {
			weighted = append(weighted, c.Queue)
			weight[c.Queue] += c.WeightPercent
		}
	}
	sequence := uint32(0)
	add := func(queues []int, priority oc.E_OpenconfigQos_Qos_SchedulerPolicies_SchedulerPolicy_Schedulers_Scheduler_Config_Priority) {
		sequence++
		s := policy.GetOrCreateSchedulers().GetOrCreateScheduler(sequence)
		s.GetOrCreateConfig().Sequence = ygot.Uint32(sequence)
		s.Config.Priority = priority
		for _, q := range queues {
			name := queueName(q)
			in := s.GetOrCreateInputs().GetOrCreateInput(name).GetOrCreateConfig()
			in.Id, in.Queue = ygot.String(name), ygot.String(name)
			in.InputType = oc.OpenconfigQos_Qos_SchedulerPolicies_SchedulerPolicy_Schedulers_Scheduler_Inputs_Input_Config_InputType_QUEUE
			if priority == 0 {
				in.Weight = ygot.Uint64(uint64(weight[q]))
			}
		}
	}
	slices.SortFunc(strict, func(a, b int) int { return cmp.Compare(b, a) })
	for _, q := range slices.Compact(strict) {
		add([]int{q}, oc.OpenconfigQos_Qos_SchedulerPolicies_SchedulerPolicy_Schedulers_Scheduler_Config_Priority_STRICT)
	}
	slices.Sort(weighted)
	if weighted = slices.Compact(weighted); len(weighted) > 0 {
		add(weighted, 0)
	}
	for _, q := range weighted {
		if slices.Contains(strict, q) {
			b.must(fmt.Errorf("queue %d holds a strict and a weighted class", q))
		}
	}
}

// usedProfiles lists the profiles of the switch's ports, rising.
func (b *builder) usedProfiles() []int {
	var used []int
	for i := range b.sw.Ports {
		if p := &b.sw.Ports[i]; live(p) && p.Profile >= 0 {
			used = append(used, p.Profile)
		}
	}
	slices.Sort(used)
	return slices.Compact(used)
}

// profileName is made of what tells profiles of one switch model apart, so that
// growth never renames one.
func profileName(p *fabric.Profile) string {
	length := strconv.FormatFloat(p.LengthM, 'f', -1, 64)
	return "ROCE-" + strconv.Itoa(p.SpeedGbps) + "G-" + strings.ReplaceAll(length, ".", "_") + "M"
}

// marking writes the ECN band of a profile, in bytes of the queue as it stands
// now (weight 0). Packets that cannot be marked are not dropped early: PFC keeps
// them.
func (b *builder) marking(p *fabric.Profile) {
	if !slices.ContainsFunc(b.f.Lossless.Classes, func(c fabric.Class) bool { return c.ECN }) {
		return
	}
	name := profileName(p)
	entry, err := b.dev.GetOrCreateQos().GetOrCreateQueueManagementProfiles().NewQueueManagementProfile(name)
	if err != nil {
		b.must(fmt.Errorf("two profiles are called %s", name))
		return
	}
	if p.KminBytes < 0 || p.KmaxBytes < 0 || p.PmaxPercent < 0 || p.PmaxPercent > 100 {
		b.must(fmt.Errorf("profile %s marks from %d to %d bytes with %d %%", name, p.KminBytes, p.KmaxBytes, p.PmaxPercent))
		return
	}
	entry.GetOrCreateConfig().Name = ygot.String(name)
	c := entry.GetOrCreateWred().GetOrCreateUniform().GetOrCreateConfig()
	c.EnableEcn, c.Drop, c.Weight = ygot.Bool(true), ygot.Bool(false), ygot.Uint32(0)
	c.MinThreshold, c.MaxThreshold = ygot.Uint64(uint64(p.KminBytes)), ygot.Uint64(uint64(p.KmaxBytes))
	c.MaxDropProbabilityPercent = ygot.Uint8(uint8(p.PmaxPercent))
}

// bind puts the class table on one port.
func (b *builder) bind(p *fabric.Port) {
	i := b.dev.GetOrCreateQos().GetOrCreateInterfaces().GetOrCreateInterface(p.Name)
	i.GetOrCreateConfig().InterfaceId = ygot.String(p.Name)
	if b.d.InterfaceRef {
		i.GetOrCreateInterfaceRef().GetOrCreateConfig().Interface = ygot.String(p.Name)
	}
	if b.f.RoCE != "v1" {
		in := i.GetOrCreateInput().GetOrCreateClassifiers()
		v4 := in.GetOrCreateClassifier(oc.OpenconfigQos_Qos_Interfaces_Interface_Input_Classifiers_Classifier_Config_Type_IPV4).GetOrCreateConfig()
		v4.Type, v4.Name = oc.OpenconfigQos_Qos_Interfaces_Interface_Input_Classifiers_Classifier_Config_Type_IPV4, ygot.String(classifierV4)
		v6 := in.GetOrCreateClassifier(oc.OpenconfigQos_Qos_Interfaces_Interface_Input_Classifiers_Classifier_Config_Type_IPV6).GetOrCreateConfig()
		v6.Type, v6.Name = oc.OpenconfigQos_Qos_Interfaces_Interface_Input_Classifiers_Classifier_Config_Type_IPV6, ygot.String(classifierV6)
	}
	out := i.GetOrCreateOutput()
	out.GetOrCreateSchedulerPolicy().GetOrCreateConfig().Name = ygot.String(scheduler)
	for k := range b.f.Lossless.Classes {
		c := &b.f.Lossless.Classes[k]
		if !c.ECN {
			continue
		}
		name := queueName(c.Queue)
		q := out.GetOrCreateQueues().GetOrCreateQueue(name).GetOrCreateConfig()
		q.Name = ygot.String(name)
		q.QueueManagementProfile = ygot.String(profileName(&b.f.Lossless.Profiles[p.Profile]))
	}
}
