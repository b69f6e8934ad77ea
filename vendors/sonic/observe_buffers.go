package sonic

import (
	"math"
	"strconv"
	"strings"

	"railyard/generator/observed"
)

// buffers reads what each priority group has, and which queues drop.
func (o *seenObserver) buffers() {
	for i := range o.tables["BUFFER_PG"] {
		r := &o.tables["BUFFER_PG"][i]
		ref, at, ok := r.get("profile")
		if !ok {
			continue
		}
		b, known := o.profiles[ref]
		if !known {
			b = o.profile(ref)
			o.profiles[ref] = b
		}
		if b == nil {
			continue
		}
		o.each(r.key, func(p *observed.Port, rest string) {
			set := observed.Priorities(rest)
			for group := range 8 {
				if !set.Has(group) {
					continue
				}
				own := *b
				own.At, own.XoffAt = at, at
				own.Priority = group
				if p.Maps != nil && p.Maps.Priority[group].To >= 0 {
					own.Priority = int(p.Maps.Priority[group].To)
				}
				if own.Lossy && !p.PFC.Lossless().Has(own.Priority) {
					continue
				}
				p.Buffers = append(p.Buffers, own)
			}
		})
	}
	for i := range o.tables["BUFFER_QUEUE"] {
		r := &o.tables["BUFFER_QUEUE"][i]
		ref, at, _ := r.get("profile")
		lossy := strings.Contains(strings.ToLower(ref), "lossy")
		o.each(r.key, func(p *observed.Port, rest string) {
			set := observed.Priorities(rest)
			for q := range p.Queues {
				switch {
				case !set.Has(q) || ref == "":
				case lossy:
					p.Queues[q].Lossy = at
				default:
					p.Queues[q].Kept = true
				}
			}
		})
	}
}

// profile reads a buffer profile; nil for one the switch computes itself or
// makes at start.
func (o *seenObserver) profile(ref string) *observed.Buffer {
	r := o.find("BUFFER_PROFILE", ref)
	if r == nil {
		return nil
	}
	b := &observed.Buffer{Unit: "bytes", Of: strings.Clone(r.key), LengthM: seenLengthInName(r.key)}
	xoff, _, reserved := r.get("xoff")
	n, _ := observed.Number(xoff)
	b.Headroom = int64(n)
	kind, _, _ := r.get("headroom_type")
	if !reserved && kind != "dynamic" {
		b.Lossy = true
		return b
	}
	pool, _, _ := r.get("pool")
	if s, _, ok := r.get("static_th"); ok {
		n, _ := observed.Number(s)
		b.Xoff, b.XoffUnit = int64(n), "bytes"
	}
	if s, _, ok := r.get("dynamic_th"); ok {
		e, _ := strconv.Atoi(s)
		b.Dynamic = int32(e)
		b.Share = o.share(pool, s)
	}
	return b
}

// seenCongested is how many priority groups are taken to be seenCongested at once when
// the share of one is computed, as in the lossless plan.
const seenCongested = 8

// share is pool*alpha/(1+k*alpha), alpha = 2^n (SONiC buffer model).
func (o *seenObserver) share(pool, exponent string) int64 {
	size, _, _ := o.find("BUFFER_POOL", pool).get("size")
	n, ok := observed.Number(size)
	power, negative := strings.CutPrefix(exponent, "-")
	e, number := observed.Number(power)
	if !ok || !number || e > 16 {
		return 0
	}
	if negative {
		e = -e
	}
	alpha := math.Exp2(float64(e))
	return int64(float64(n) * alpha / (1 + seenCongested*alpha))
}

// lengthInName is the cable in "pg_lossless_400000_40m_profile", 0 without one.
func seenLengthInName(name string) float64 {
	rest, ok := strings.CutPrefix(name, "pg_lossless_")
	if !ok {
		return 0
	}
	for part := range strings.SplitSeq(rest, "_") {
		if n, ok := observed.Number(strings.TrimSuffix(part, "m")); ok && strings.HasSuffix(part, "m") {
			return float64(n)
		}
	}
	return 0
}

func (o *seenObserver) cables() {
	for i := range o.tables["CABLE_LENGTH"] {
		for _, f := range o.tables["CABLE_LENGTH"][i].fields {
			p := o.port(f.name)
			n, ok := observed.Number(strings.TrimSuffix(strings.TrimSpace(f.value), "m"))
			if p == nil || !ok {
				continue
			}
			p.CableM, p.CableAt, p.NoCable = float64(n), f.at, n == 0
		}
	}
}

// watchdog reads PFC_WD. A port is watched when it has a row and the priority is
// in pfcwd_sw_enable, which follows pfc_enable where it is absent (sonic-swss
// 2171). A switch that starts the watchdog by default needs no rows.
func (o *seenObserver) watchdog() {
	w := &o.sw.Watchdog
	rows := o.tables["PFC_WD"]
	status, _, _ := o.find("DEVICE_METADATA", "localhost").get("default_pfcwd_status")
	counters, countersAt, _ := o.find("FLEX_COUNTER_TABLE", "PFCWD").get("FLEX_COUNTER_STATUS")
	started := status == "enable" && len(rows) == 0
	w.Enabled = started
	for i := range o.sw.Ports {
		p := &o.sw.Ports[i]
		p.Watch.Known = true
		if started && i < len(o.wd) {
			p.Watch.Priorities, p.Watch.At = o.wd[i], o.wdAt[i]
		}
	}
	for i := range rows {
		r := &rows[i]
		if strings.EqualFold(r.key, "GLOBAL") {
			poll, _, _ := r.get("POLL_INTERVAL")
			w.PollMS = max(0, observed.Within(poll, 100000))
			continue
		}
		o.each(r.key, func(p *observed.Port, _ string) { o.watched(p, r) })
	}
	if counters == "disable" {
		for i := range o.sw.Ports {
			o.sw.Ports[i].Watch.Priorities, o.sw.Ports[i].Watch.At = 0, countersAt
		}
	}
	if low := min(w.DetectMS, w.RestoreMS); w.PollMS > 0 && low > 0 && low < w.PollMS {
		at := w.DetectAt
		if w.RestoreMS < w.DetectMS {
			at = o.restoreAt
		}
		o.remark(observed.Remark{Severity: observed.Warning, Code: "WATCHDOG_BELOW_POLL", Aspect: "watchdog", Line: at,
			Text: "a watchdog time is below the polling interval", Remedy: "use times of at least POLL_INTERVAL"})
	}
}

// times words a port's watchdog; ports share the string.
func (o *seenObserver) times(detect, restore, action string) string {
	key := [3]string{detect, restore, action}
	if key != o.timesOf {
		or := func(s string) string {
			if s == "" {
				return "the default"
			}
			return s
		}
		o.timesOf = [3]string{strings.Clone(detect), strings.Clone(restore), strings.Clone(action)}
		o.timesText = "detect " + or(detect) + ", restore " + or(restore) + ", " + or(action)
	}
	return o.timesText
}

func (o *seenObserver) watched(p *observed.Port, r *seenRow) {
	w := &o.sw.Watchdog
	at := o.index[p.Name] - 1
	p.Watch.Priorities, p.Watch.At = o.wd[at], o.wdAt[at]
	if p.Watch.At == 0 {
		p.Watch.At = r.at
	}
	detect, detectAt, _ := r.get("detection_time")
	restore, restoreAt, _ := r.get("restoration_time")
	action, _, _ := r.get("action")
	p.Watch.Times = o.times(detect, restore, action)
	if p.Watch.TimesAt = detectAt; detectAt == 0 {
		p.Watch.TimesAt = r.at
	}
	if !w.Enabled {
		w.Enabled, w.At = true, r.at
		w.Action, _ = r.copy("action")
	}
	if n := observed.Within(detect, 1000000); n > 0 && (w.DetectMS == 0 || n < w.DetectMS) {
		w.DetectMS, w.DetectAt = n, detectAt
	}
	if n := observed.Within(restore, 1000000); n > 0 && (w.RestoreMS == 0 || n < w.RestoreMS) {
		w.RestoreMS, o.restoreAt = n, restoreAt
	}
}
