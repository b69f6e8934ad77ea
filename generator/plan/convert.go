package plan

import (
	"bytes"
	"encoding/json"
	"fmt"

	"railyard/generator/cabling"
	"railyard/generator/fabric"
)

// nonNil returns a list that is written as [] and not as null.
func nonNil[T any](list []T) []T {
	if list == nil {
		return []T{}
	}
	return list
}

// known returns nil for a zero value, which is written as null.
func known[T comparable](v T) *T {
	var zero T
	if v == zero {
		return nil
	}
	return &v
}

func textOf(v interface {
	IsValid() bool
	String() string
}) *string {
	if !v.IsValid() {
		return nil
	}
	return new(v.String())
}

func ratio(r fabric.Ratio) *string {
	if r.Down == 0 {
		return nil
	}
	return new(fmt.Sprintf("%d:%d", r.Down, r.Up))
}

func guid(g fabric.GUID) *string {
	if g.Value == 0 {
		return nil
	}
	return new(fmt.Sprintf("0x%016x", g.Value))
}

func counts(f *fabric.Fabric) countsDoc {
	c := &f.Counts
	return countsDoc{c.Servers, c.GPUs, c.Units, c.Rails, c.Planes, c.Leaf, c.Spine, c.Core,
		c.HostLinks, c.LeafSpineLinks, c.SpineCoreLinks, c.HostCables, c.FabricCables}
}

func groupOf(f *fabric.Fabric, i int) groupDoc {
	g := &f.Groups[i]
	d := groupDoc{Name: g.Name, Count: g.Count, Model: g.ServerModel, GPU: g.GPU, GPUsPerServer: g.GPUsPerServer, NIC: g.NIC, NICs: g.NICs,
		NICSpeedGbps: g.NICSpeed, RailsPerLeaf: g.RailsPerLeaf, ServersPerUnit: g.ServersPerUnit, FirstUnit: g.FirstUnit + 1, Units: g.Units,
		UplinksPerLeaf: g.UplinksPerLeaf, UplinkGbps: g.UplinkSpeed}
	if f.Lossless != nil && g.Class >= 0 && g.Class < len(f.Lossless.Classes) {
		d.Class = f.Lossless.Classes[g.Class].Name
	}
	return d
}

func modelOf(f *fabric.Fabric, i int) modelDoc {
	m := &f.Models[i]
	return modelDoc{m.ID, m.Vendor, m.ASIC, known(m.BufferBytes), known(m.CellBytes), len(m.Cages), m.Confidence}
}

func switchOf(f *fabric.Fabric, i int) switchDoc {
	sw := &f.Switches[i]
	d := switchDoc{Name: sw.Name, Role: string(sw.Role), Model: f.ModelOf(sw).ID, OS: sw.OS, Release: sw.Release, Rails: nonNil(sw.Rails),
		Plane: sw.Plane, ASN: known(sw.ASN), Loopback: textOf(sw.Loopback), Management: textOf(sw.Management), NoTransit: sw.NoTransit,
		GUID: guid(sw.GUID), GUIDPlaceholder: sw.GUID.Placeholder}
	if sw.Unit >= 0 {
		d.Unit = new(sw.Unit + 1)
	}
	return d
}

func serverOf(f *fabric.Fabric, i int) serverDoc {
	s := &f.Servers[i]
	d := serverDoc{Name: s.Name, UFM: s.UFM, Unit: s.Unit + 1, Slot: s.Slot, NICs: []nicDoc{}}
	if s.Group >= 0 {
		d.Group = new(f.Groups[s.Group].Name)
	}
	for j := range s.Ports {
		p := &s.Ports[j]
		d.NICs = append(d.NICs, nicDoc{Name: p.Name, Rail: p.Rail, Plane: p.Plane, Address: textOf(p.Address), Gateway: textOf(p.Gateway),
			GUID: guid(p.GUID), GUIDPlaceholder: p.GUID.Placeholder})
	}
	return d
}

func linkOf(f *fabric.Fabric, i int) linkDoc {
	l := &f.Links[i]
	d := linkDoc{A: endOf(f, l.A), B: endOf(f, l.B), SpeedGbps: l.SpeedGbps, LengthM: l.LengthM, Kind: string(l.Kind), Type: l.CableType,
		Cable: l.Cable, Plane: l.Plane}
	if l.A.Kind == fabric.ServerDevice {
		d.Rail = new(f.Servers[l.A.Device].Ports[l.A.Port].Rail)
	}
	return d
}

func endOf(f *fabric.Fabric, e fabric.End) endDoc {
	d := endDoc{Device: f.DeviceName(e), Port: f.PortName(e), Panel: cabling.Panel(f, e)}
	if e.Kind == fabric.SwitchDevice {
		d.Address = textOf(f.Switches[e.Device].Ports[e.Port].Address)
	}
	return d
}

func vlanOf(f *fabric.Fabric, i int) vlanDoc {
	v := &f.VLANs[i]
	d := vlanDoc{ID: v.ID, Name: v.Name, Rail: v.Rail, Unit: v.Unit + 1, Plane: v.Plane, Subnet: textOf(v.Subnet)}
	if v.Gateway.IsValid() {
		d.Gateway = textOf(v.Gateway.Addr())
	}
	return d
}

func underlayOf(f *fabric.Fabric) *underlayDoc {
	if f.Technology == fabric.InfiniBand {
		return nil
	}
	u := &f.Underlay
	return &underlayDoc{u.BGP, u.Unnumbered, textOf(u.Loopbacks), textOf(u.Rails), textOf(u.Links), u.MaxPaths, u.SpineASN, u.HostMode, u.MTU, u.HostMTU}
}

func managementOf(f *fabric.Fabric) managementDoc {
	return managementDoc{textOf(f.Management.Subnet), textOf(f.Management.Gateway), f.Management.VRF}
}

func losslessOf(f *fabric.Fabric) *losslessDoc {
	l := f.Lossless
	if l == nil && f.InfiniBand != nil {
		// Lossless by credits: of this section only the proof applies.
		d := &losslessDoc{Classes: []classDoc{}, Links: []profileDoc{}, Buffers: []bufferDoc{}}
		d.proof(&f.InfiniBand.Deadlock)
		return d
	}
	if l == nil {
		return nil
	}
	w := &l.Watchdog
	d := &losslessDoc{Classes: []classDoc{}, Links: []profileDoc{}, Buffers: []bufferDoc{}, ECNProfile: l.ECNProfile, ECNSource: l.ECNSource,
		Watchdog: watchdogDoc{w.Enabled, w.Detect.Milliseconds(), w.Restore.Milliseconds(), w.Action}}
	d.proof(&l.Deadlock)
	if c := firstLossless(f); c != nil {
		d.Priority = new(c.Priority)
		if len(c.DSCP) > 0 {
			d.DSCP = new(c.DSCP[0])
		}
	}
	for _, c := range l.Classes {
		d.Classes = append(d.Classes, classDoc{c.Name, nonNil(c.DSCP), c.Priority, c.TrafficClass, c.Queue, c.PriorityGroup, c.Lossless, c.ECN, c.Strict, c.WeightPercent, c.CNP})
	}
	for _, p := range l.Profiles {
		d.Links = append(d.Links, profileDoc{p.SpeedGbps, p.LengthM, f.Models[p.Model].ID, p.MTU, p.XoffBytes, p.XonBytes, p.SizeBytes, p.AlphaLog2,
			p.KminBytes, p.KmaxBytes, p.PmaxPercent, p.Headroom, p.Source})
	}
	for _, b := range l.Buffers {
		names := []string{}
		for _, i := range b.Switches {
			names = append(names, f.Switches[i].Name)
		}
		d.Buffers = append(d.Buffers, bufferDoc{f.Models[b.Model].ID, b.HeadroomBytes, known(b.TotalBytes), names})
	}
	return d
}

func (d *losslessDoc) proof(p *fabric.Deadlock) {
	d.Deadlock = deadlockDoc{p.Checked, p.Scope, nonNil(p.Cycle)}
	if p.Checked {
		d.DeadlockFree = new(p.Free)
	}
}

// firstLossless is the class that the first server group sends on, or else the
// first lossless one; nil without any.
func firstLossless(f *fabric.Fabric) *fabric.Class {
	classes := f.Lossless.Classes
	for i := range f.Groups {
		if c := f.Groups[i].Class; c >= 0 && c < len(classes) && classes[c].Lossless {
			return &classes[c]
		}
	}
	for i := range classes {
		if classes[i].Lossless {
			return &classes[i]
		}
	}
	return nil
}

func subnetOf(f *fabric.Fabric) *subnetDoc {
	s := f.InfiniBand
	if s == nil {
		return nil
	}
	d := &subnetDoc{s.Manager, s.Routing, s.UFMLinks, []partitionDoc{}}
	for _, p := range s.Partitions {
		doc := partitionDoc{p.Name, fmt.Sprintf("0x%04x", p.PKey), membership(p), []string{}}
		for _, i := range p.Members {
			doc.Members = append(doc.Members, f.Servers[i].Name)
		}
		d.Partitions = append(d.Partitions, doc)
	}
	return d
}

func membership(p fabric.Partition) string {
	if p.Full {
		return "full"
	}
	return "limited"
}

func findingOf(x *fabric.Finding) findingDoc {
	return findingDoc{string(x.Severity), x.Code, x.Message, x.Remedy, x.Source, nonNil(x.Objects)}
}

// marshal is json.Marshal without the escapes that only HTML needs.
func marshal(v any) ([]byte, error) {
	var b bytes.Buffer
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	if err := e.Encode(v); err != nil {
		return nil, err
	}
	return bytes.TrimSuffix(b.Bytes(), []byte("\n")), nil
}
