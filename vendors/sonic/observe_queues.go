package sonic

import (
	"slices"
	"strings"

	"railyard/generator/observed"
)

// queues reads scheduling and marking.
func (o *seenObserver) queues() {
	for i := range o.tables["QUEUE"] {
		r := &o.tables["QUEUE"][i]
		scheduler, schedulerAt, scheduled := r.get("scheduler")
		wred, wredAt, marked := r.get("wred_profile")
		o.each(r.key, func(p *observed.Port, rest string) {
			set := observed.Priorities(rest)
			for q := range p.Queues {
				if !set.Has(q) {
					continue
				}
				queue := &p.Queues[q]
				if queue.ECN == nil {
					queue.ECNAt = r.at
				}
				if scheduled {
					o.schedule(queue, scheduler, schedulerAt)
				}
				if marked {
					queue.ECN, queue.ECNAt = o.band(wred), wredAt
				}
			}
		})
	}
}

func (o *seenObserver) schedule(q *observed.Queue, ref string, at observed.Line) {
	r := o.find("SCHEDULER", ref)
	if r == nil {
		return
	}
	kind, _, _ := r.get("type")
	q.Sched, q.SchedAt = observed.Weighted, at
	if strings.EqualFold(kind, "STRICT") {
		q.Sched = observed.Strict
	}
	weight, _, _ := r.get("weight")
	n, _ := observed.Number(weight)
	q.Weight = int32(n)
}

// band reads a WRED profile. It marks packets of a colour whose WRED is on and
// that "ecn" names; untouched packets are green.
func (o *seenObserver) band(ref string) *observed.ECN {
	if e := o.bands[ref]; e != nil {
		return e
	}
	e := &observed.ECN{Unit: "bytes"}
	o.bands[ref] = e
	r := o.find("WRED_PROFILE", ref)
	if r == nil {
		e.Why = "the WRED profile " + strings.Trim(ref, "[]") + " is not in the file"
		return e
	}
	e.At = r.at
	ecn, ecnAt, _ := r.get("ecn")
	number := func(field string) int64 {
		s, _, _ := r.get(field)
		n, _ := observed.Number(s)
		return int64(n)
	}
	colours := strings.Split(strings.TrimPrefix(ecn, "ecn_"), "_")
	if ecn == "ecn_all" {
		colours = []string{"green", "yellow", "red"}
	}
	e.Min, e.Max, e.Percent = number("green_min_threshold"), number("green_max_threshold"), int(number("green_drop_probability"))
	if ecn == "" || ecn == "ecn_none" {
		e.Why = "the WRED profile has no ecn, so packets are dropped and not marked"
		if ecnAt > 0 {
			e.At = ecnAt
		}
		return e
	}
	if on, at, _ := r.get("wred_green_enable"); !slices.Contains(colours, "green") || on != "true" {
		e.Why = "green packets, which is all of them unless something recolours, are not marked: wred_green_enable is not true or ecn leaves green out"
		if at > 0 {
			e.At = at
		}
		return e
	}
	if _, at, ok := r.get("green_min_threshold"); ok {
		e.At = at
	}
	e.Active = true
	return e
}

// settings are the rows that hold for the whole switch, field by field. Names
// that a site chose freely are compared among switches all the same: those of
// one kind come from one template.
func (o *seenObserver) settings() {
	for _, t := range [...]struct{ table, aspect string }{
		{"BUFFER_POOL", "buffer"}, {"BUFFER_PROFILE", "buffer"}, {"SCHEDULER", "scheduler"}, {"WRED_PROFILE", "ecn"},
	} {
		for i := range o.tables[t.table] {
			r := &o.tables[t.table][i]
			for _, f := range r.fields {
				o.set(t.table+"|"+r.key, f, t.aspect)
			}
		}
	}
	if r := o.find("PFC_WD", "GLOBAL"); r != nil {
		for _, f := range r.fields {
			o.set("PFC_WD|GLOBAL", f, "watchdog")
		}
	}
	if r := o.find("FLEX_COUNTER_TABLE", "PFCWD"); r != nil {
		for _, f := range r.fields {
			o.set("FLEX_COUNTER_TABLE|PFCWD", f, "watchdog")
		}
	}
}

func (o *seenObserver) set(row string, f seenField, aspect string) {
	of := row
	if aspect == "watchdog" {
		of = "" // every switch should have it
	}
	if len(o.sw.Settings) == observed.MostSettings {
		return
	}
	o.sw.Settings = append(o.sw.Settings, observed.Setting{Name: row + " " + f.name, Value: strings.Clone(f.value), Of: of, Aspect: aspect, At: f.at})
}
