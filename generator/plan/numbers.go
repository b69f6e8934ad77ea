package plan

import (
	"cmp"
	"fmt"
	"net/netip"
	"slices"
	"strconv"
	"strings"

	"railyard/generator/cabling"
	"railyard/generator/fabric"
)

// numbers is the section of addresses and ASNs.
func (p *page) numbers(f *fabric.Fabric) {
	type key struct {
		plane int
		role  fabric.Role
	}
	type tier struct {
		key
		asns                  []int
		loopbacks, management []netip.Addr
	}
	at := map[key]int{}
	var tiers []tier
	for i := range f.Switches {
		sw := &f.Switches[i]
		k := key{sw.Plane, sw.Role}
		n, ok := at[k]
		if !ok {
			n = len(tiers)
			at[k] = n
			tiers = append(tiers, tier{key: k})
		}
		t := &tiers[n]
		if sw.ASN > 0 {
			t.asns = append(t.asns, int(sw.ASN))
		}
		if sw.Loopback.IsValid() {
			t.loopbacks = append(t.loopbacks, sw.Loopback)
		}
		if sw.Management.IsValid() {
			t.management = append(t.management, sw.Management.Addr())
		}
	}
	var rows [][]string
	for _, t := range tiers {
		rows = append(rows, []string{planeOf(f, t.plane), string(t.role), extent(t.asns), addressSpan(t.loopbacks), addressSpan(t.management)})
	}
	if len(rows) == 0 {
		return
	}
	p.heading("numbers")
	p.table([]string{"PLANE", "TIER", "ASN", "LOOPBACK", "MANAGEMENT"}, rows)
	if f.Technology == fabric.RoCE {
		p.line("")
		for _, line := range underlayLines(f) {
			p.para(line)
		}
	}
}

func underlayLines(f *fabric.Fabric) []string {
	u := &f.Underlay
	var lines []string
	switch {
	case f.Counts.LeafSpineLinks == 0:
		lines = append(lines, "links between switches: none")
	case f.Topology == fabric.DDC:
		lines = append(lines, "links between switches: cells, without addresses")
	case !u.BGP:
		lines = append(lines, "links between switches: not routed")
	case u.Unnumbered:
		lines = append(lines, "links between switches: unnumbered, BGP over IPv6 link-local addresses")
	default:
		lines = append(lines, "links between switches: a /31 each from "+u.Links.String())
	}
	if u.BGP {
		lines = append(lines, fmt.Sprintf("BGP: spine ASN %s, up to %d equal paths", u.SpineASN, u.MaxPaths))
	}
	hosts := "hosts: a subnet per unit and rail"
	if u.HostMode == "routed" {
		hosts = "hosts: a /31 per NIC port"
	}
	if u.Rails.IsValid() {
		hosts += " from " + u.Rails.String()
	}
	return append(lines, hosts, fmt.Sprintf("MTU: %d on switch ports, %d on hosts", u.MTU, u.HostMTU))
}

// extent writes one number, or the lowest and highest with how many there are.
func extent(numbers []int) string {
	if len(numbers) == 0 {
		return ""
	}
	numbers = slices.Clone(numbers)
	slices.Sort(numbers)
	numbers = slices.Compact(numbers)
	if len(numbers) == 1 {
		return strconv.Itoa(numbers[0])
	}
	return fmt.Sprintf("%d-%d (%s)", numbers[0], numbers[len(numbers)-1], thousands(len(numbers)))
}

func addressSpan(list []netip.Addr) string {
	if len(list) == 0 {
		return ""
	}
	low, high := slices.MinFunc(list, netip.Addr.Compare), slices.MaxFunc(list, netip.Addr.Compare)
	if low == high {
		return low.String()
	}
	return low.String() + "-" + high.String()
}

// lossless is the section of classes, headroom and ECN.
func (p *page) lossless(f *fabric.Fabric) {
	l := f.Lossless
	if l == nil {
		return
	}
	p.heading("lossless")
	var rows [][]string
	for _, c := range l.Classes {
		dscp, treatment := "all others", fmt.Sprintf("%d%%", c.WeightPercent)
		if len(c.DSCP) > 0 {
			dscp = numberSpans(c.DSCP)
		}
		if c.Strict {
			treatment = "strict"
		}
		rows = append(rows, []string{c.Name, dscp, strconv.Itoa(c.Priority), strconv.Itoa(c.TrafficClass), strconv.Itoa(c.Queue),
			strconv.Itoa(c.PriorityGroup), yes(c.Lossless, "PFC"), yes(c.ECN, "ECN"), yes(c.CNP, "CNP"), treatment})
	}
	p.table([]string{"CLASS", "DSCP", ">PRIORITY", ">TC", ">QUEUE", ">GROUP", "PFC", "ECN", "CNP", ">SHARE"}, rows)
	p.profiles(f, l)
	p.buffers(f, l)
	p.line("")
	w := &l.Watchdog
	if w.Enabled {
		p.para(fmt.Sprintf("watchdog: detect %v, restore %v, action %s", w.Detect, w.Restore, w.Action))
	} else {
		p.para("watchdog: off")
	}
	if l.ECNProfile != "" {
		p.para("ECN profile " + l.ECNProfile + source(l.ECNSource))
	}
	p.deadlock("deadlock", &l.Deadlock)
}

func (p *page) deadlock(what string, d *fabric.Deadlock) {
	switch {
	case !d.Checked:
		p.para(what + ": not checked" + source(strings.TrimPrefix(d.Scope, "not checked: ")))
	case d.Free:
		p.para(what + ": none possible" + source(d.Scope))
	default:
		p.para(what + ": POSSIBLE along " + strings.Join(d.Cycle, " > ") + source(d.Scope))
	}
}

func source(s string) string {
	if s == "" {
		return ""
	}
	return " (" + s + ")"
}

func yes(b bool, text string) string {
	if b {
		return text
	}
	return ""
}

// profiles shows headroom and marking by model, speed and cable length, with the
// sources as numbered notes, since they are long and few.
func (p *page) profiles(f *fabric.Fabric, l *fabric.Lossless) {
	var rows [][]string
	var notes []string
	for _, x := range l.Profiles {
		n := slices.Index(notes, x.Source)
		if n < 0 {
			n = len(notes)
			notes = append(notes, x.Source)
		}
		rows = append(rows, []string{f.Models[x.Model].ID, speed(x.SpeedGbps), length(x.LengthM), size(int64(x.XoffBytes)), size(int64(x.XonBytes)),
			"2^" + strconv.Itoa(x.AlphaLog2), size(int64(x.KminBytes)), size(int64(x.KmaxBytes)), fmt.Sprintf("%d%%", x.PmaxPercent), fmt.Sprintf("[%d]", n+1)})
	}
	if len(rows) == 0 {
		return
	}
	p.line("")
	p.table([]string{"MODEL", ">SPEED", ">CABLE", ">XOFF", ">XON", ">ALPHA", ">KMIN", ">KMAX", ">PMAX", "SOURCE"}, rows)
	for i, n := range notes {
		p.hang(fmt.Sprintf("[%d]", i+1), n)
	}
}

func (p *page) buffers(f *fabric.Fabric, l *fabric.Lossless) {
	var rows [][]string
	for _, b := range l.Buffers {
		total, share := "unknown", ""
		if b.TotalBytes > 0 {
			total = size(b.TotalBytes)
			share = strconv.FormatFloat(100*float64(b.HeadroomBytes)/float64(b.TotalBytes), 'f', 1, 64) + "%"
		}
		var names []string
		for _, i := range b.Switches {
			names = append(names, f.Switches[i].Name)
		}
		rows = append(rows, []string{f.Models[b.Model].ID, size(b.HeadroomBytes), total, share, thousands(len(names)), fold(names)})
	}
	if len(rows) == 0 {
		return
	}
	p.line("")
	p.table([]string{"MODEL", ">HEADROOM", ">BUFFER", ">SHARE", ">SWITCHES", "NAMES"}, rows)
}

// size writes bytes with three digits or so, 1000 bytes to a KB as in cluster files.
func size(n int64) string {
	switch {
	case n == 0:
		return "0"
	case n%1_000_000 == 0 || n >= 10_000_000:
		return trim(float64(n)/1e6, 1) + "MB"
	case n >= 1000:
		return trim(float64(n)/1e3, 1) + "KB"
	}
	return strconv.FormatInt(n, 10) + "B"
}

func trim(v float64, decimals int) string {
	return strings.TrimSuffix(strconv.FormatFloat(v, 'f', decimals, 64), ".0")
}

func (p *page) materials(f *fabric.Fabric) {
	bill := cabling.Materials(f)
	if len(bill.Switches) == 0 {
		return
	}
	p.heading("bill of materials")
	var rows [][]string
	for _, s := range bill.Switches {
		rows = append(rows, []string{thousands(s.Count), "switch", string(s.Tier), s.Model, s.OS})
	}
	p.table([]string{">COUNT", "WHAT", "TIER", "MODEL", "OS"}, rows)
	rows = nil
	for _, c := range bill.Cables {
		carries := speed(c.SpeedGbps)
		if c.Links > 1 {
			carries = fmt.Sprintf("%dx%s", c.Links, carries)
		}
		rows = append(rows, []string{thousands(c.Count), "cable", c.Tier, carries, length(c.LengthM), cmp.Or(c.Type, "open")})
	}
	if len(rows) > 0 {
		p.line("")
	}
	p.table([]string{">COUNT", "WHAT", "TIER", ">CARRIES", ">LENGTH", "TYPE"}, rows)
	rows = nil
	for _, x := range bill.Ports {
		rows = append(rows, []string{string(x.Tier), x.Model, speed(x.SpeedGbps), thousands(x.Used), thousands(x.Reserved), thousands(x.Spare)})
	}
	p.line("")
	p.table([]string{"PORTS OF", "MODEL", ">SPEED", ">USED", ">RESERVED", ">SPARE"}, rows)
}
