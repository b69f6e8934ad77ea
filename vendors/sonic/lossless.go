package sonic

import (
	"errors"
	"fmt"
	"slices"
	"strconv"

	"railyard/generator/fabric"
)

// writeLossless writes all QoS and buffer tables.
func (s *switchPlan) writeLossless(out *builder) error {
	l := s.f.Lossless
	plan, err := planClasses(l)
	if err != nil {
		return err
	}
	var watchErr error
	if l.Watchdog.Enabled {
		watchErr = checkWatchdogRange(&l.Watchdog)
	}
	b, err := planBuffers(s.platform, s.sku, s.model, s.fullHeadroom)
	if err := errors.Join(watchErr, err); err != nil {
		return err
	}
	w := &losslessWriter{s: s, out: out, plan: plan, buffers: b, toGroup: b.Style == nvidia}
	plan.write(out, l.Default(), w.toGroup)
	b.writePools(out, s.alpha())
	w.prepare()
	for i := range s.sw.Ports {
		if s.sw.Ports[i].Link >= 0 {
			w.port(i)
		}
	}
	w.finish()
	return nil
}

// headroom is what all lossless groups of the switch's linked ports may ask for
// at once, in bytes.
func (s *switchPlan) headroom() int64 {
	sum := int64(0)
	for i := range s.sw.Ports {
		if p := &s.sw.Ports[i]; p.Link >= 0 && p.Profile >= 0 {
			sum += int64(s.f.Lossless.Profiles[p.Profile].XoffBytes)
		}
	}
	return sum * int64(losslessClasses(s.f.Lossless))
}

// fullHeadroom is the same with every port of the panel in use, so that pools
// made from it stay as they are while the switch fills up: a pool cannot be
// changed without a reload.
func (s *switchPlan) fullHeadroom() int64 {
	most := map[int]int{} // by speed
	for i := range s.f.Lossless.Profiles {
		if p := &s.f.Lossless.Profiles[i]; p.Model == s.sw.Model {
			most[p.SpeedGbps] = max(most[p.SpeedGbps], p.XoffBytes)
		}
	}
	sum := int64(0)
	for i := range s.sw.Ports {
		sum += int64(most[s.sw.Ports[i].SpeedGbps])
	}
	return sum * int64(losslessClasses(s.f.Lossless))
}

func losslessClasses(l *fabric.Lossless) int {
	n := 0
	for i := range l.Classes {
		if l.Classes[i].Lossless {
			n++
		}
	}
	return n
}

// alpha is the threshold of the switch's first lossless port.
func (s *switchPlan) alpha() int {
	for i := range s.sw.Ports {
		if p := &s.sw.Ports[i]; p.Link >= 0 && p.Profile >= 0 {
			return s.f.Lossless.Profiles[p.Profile].AlphaLog2
		}
	}
	return 0
}

// losslessWriter writes the rows of ports. What many ports share is made once.
type losslessWriter struct {
	s       *switchPlan
	out     *builder
	plan    *classPlan
	buffers *buffers
	toGroup bool

	groups     map[int]group         // by index of Lossless.Profiles
	wreds      map[int]string        // row of WRED_PROFILE by the same
	made       map[sharedKey][]field // rows that many ports share
	queueSpans []queueProfile        // BUFFER_QUEUE of a port
	groupSpans []groupSpan           // BUFFER_PG of a port
	lossyPort  []field               // PORT_QOS_MAP of a port without lossless traffic
	fullPort   []field               // and of one with it
	watch      []field               // PFC_WD of a port; nil without a watchdog
	cables     []field               // CABLE_LENGTH
}

// groupSpan is a row of BUFFER_PG: lossless, or lossy.
type groupSpan struct {
	span
	key      string // "|3-4"
	lossless bool
}

func (w *losslessWriter) prepare() {
	l := w.s.f.Lossless
	w.groups, w.wreds, w.made = map[int]group{}, map[int]string{}, map[sharedKey][]field{}
	last := maxPriority - 1
	if w.buffers.Style == nvidia {
		last = 6 // as the shipped profiles; queue 7 is the switch's own
		for _, q := range w.plan.queues {
			last = max(last, q.queue)
		}
	}
	w.queueSpans = w.buffers.queueProfiles(w.plan.lossless, last)
	for _, r := range runs(w.plan.lossless) {
		w.groupSpans = append(w.groupSpans, groupSpan{r, "|" + r.String(), true})
	}
	for _, pg := range w.plan.groups {
		w.groupSpans = append(w.groupSpans, groupSpan{span{pg, pg}, "|" + strconv.Itoa(pg), false})
	}
	slices.SortFunc(w.groupSpans, func(a, b groupSpan) int { return a.low - b.low })
	watched := ""
	if l.Watchdog.Enabled {
		watched = w.plan.pfc
		w.watch = watchdog{l.Watchdog.Action, l.Watchdog.Detect, l.Watchdog.Restore}.fields()
	}
	w.lossyPort = portQoS{}.fields()
	w.fullPort = portQoS{pfc: w.plan.pfc, watch: watched, lossless: true, toGroup: w.toGroup}.fields()
	w.profiles()
}

// profiles makes the rows of BUFFER_PROFILE and WRED_PROFILE that the switch's
// ports use. Plan profiles that fall on one name, because cable lengths are
// rounded to the switch's table, become one with the larger headroom.
func (w *losslessWriter) profiles() {
	l := w.s.f.Lossless
	used := make([]bool, len(l.Profiles))
	for i := range w.s.sw.Ports {
		if p := &w.s.sw.Ports[i]; p.Link >= 0 && p.Profile >= 0 {
			used[p.Profile] = true
		}
	}
	marks, written := map[wred]string{}, map[wred]bool{}
	count := map[int]int{} // marking bands by speed
	largest := map[string]int{}
	for i := range l.Profiles {
		p := &l.Profiles[i]
		if p.Model != w.s.sw.Model {
			continue
		}
		m := wred{p.KminBytes, p.KmaxBytes, p.PmaxPercent}
		if marks[m] == "" {
			count[p.SpeedGbps]++
			marks[m] = wredName(p.SpeedGbps, count[p.SpeedGbps])
		}
		if !used[i] {
			continue
		}
		w.wreds[i] = marks[m]
		if !written[m] {
			written[m] = true
			w.out.add("WRED_PROFILE", marks[m], m)
		}
		g := w.buffers.group(p)
		w.groups[i] = g
		if best, ok := largest[g.name]; !ok || l.Profiles[best].XoffBytes < p.XoffBytes {
			largest[g.name] = i
		}
	}
	for i := range l.Profiles {
		if g, ok := w.groups[i]; ok && largest[g.name] == i {
			w.out.addFields("BUFFER_PROFILE", g.name, g.fields)
		}
	}
}

// wredName is ECN_400G, ECN_400G_2, … for the marking bands of ports with that
// speed, in the plan's order: a band that changes keeps its row, and the queues
// that name it stay as they are.
func wredName(speed, n int) string {
	if n == 1 {
		return fmt.Sprintf("ECN_%dG", speed)
	}
	return fmt.Sprintf("ECN_%dG_%d", speed, n)
}

func (w *losslessWriter) port(i int) {
	p, name := &w.s.sw.Ports[i], w.s.rows[i].name
	lossless := p.Profile >= 0 && len(w.plan.lossless) > 0
	qos, g := w.lossyPort, group{}
	if lossless {
		qos, g = w.fullPort, w.groups[p.Profile]
		w.cables = append(w.cables, str(name, strconv.Itoa(g.metres)+"m"))
		if w.watch != nil {
			w.out.addFields("PFC_WD", name, w.watch)
		}
	}
	w.out.addFields("PORT_QOS_MAP", name, qos)
	for _, pg := range w.groupSpans {
		switch {
		case !pg.lossless:
			w.out.addFields("BUFFER_PG", name+pg.key, w.profile("ingress_lossy_profile"))
		case lossless:
			w.out.addFields("BUFFER_PG", name+pg.key, w.profile(g.name))
		}
	}
	for _, q := range w.queueSpans {
		w.out.addFields("BUFFER_QUEUE", name+q.key, w.profile(q.profile))
	}
	for _, q := range w.plan.queues {
		mark := ""
		if q.ecn && p.Profile >= 0 {
			mark = w.wreds[p.Profile]
		}
		w.out.addFields("QUEUE", name+q.key, w.shared("scheduler", q.scheduler, mark))
	}
	if w.buffers.Style == nvidia {
		w.out.addFields("BUFFER_PORT_INGRESS_PROFILE_LIST", name, w.shared("profile_list", "ingress_lossless_profile,ingress_lossy_profile", ""))
		w.out.addFields("BUFFER_PORT_EGRESS_PROFILE_LIST", name, w.shared("profile_list", "egress_lossless_profile,egress_lossy_profile", ""))
	}
}

func (w *losslessWriter) profile(name string) []field { return w.shared("profile", name, "") }

// shared returns the one fields slice for these values.
func (w *losslessWriter) shared(name, value, mark string) []field {
	key := sharedKey{name, value, mark}
	fields := w.made[key]
	if fields == nil {
		fields = some(str(name, value), str("wred_profile", mark))
		w.made[key] = fields
	}
	return fields
}

type sharedKey struct{ name, value, mark string }

// finish writes what is once per switch but depends on the ports.
func (w *losslessWriter) finish() {
	w.out.addFields("PORT_QOS_MAP", "global", []field{str("dscp_to_tc_map", mapsName)})
	on := []field{str("FLEX_COUNTER_STATUS", "enable")}
	if len(w.cables) > 0 {
		w.out.addFields("CABLE_LENGTH", listName, w.cables)
		if w.watch != nil {
			dog := &w.s.f.Lossless.Watchdog
			w.out.addFields("PFC_WD", "GLOBAL", []field{num("POLL_INTERVAL", poll(dog, len(w.s.sw.Ports)).Milliseconds())})
			w.out.addFields("FLEX_COUNTER_TABLE", "PFCWD", on)
		}
	}
	w.out.addFields("FLEX_COUNTER_TABLE", "PG_WATERMARK", on)
	w.out.addFields("FLEX_COUNTER_TABLE", "QUEUE", on)
}
