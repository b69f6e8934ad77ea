package lossless

import (
	"fmt"
	"math"
	"slices"

	"railyard/generator/fabric"
)

// Shares of the buffer that headroom may take before it is an error, and that
// must stay shared before it is a warning. railyard's thresholds, not a
// vendor's.
const (
	mostHeadroom = 0.9
	leastShared  = 0.4
)

// congestedGroups is how many priority groups of a switch are taken to be
// congested at once when a group's share of the buffer is computed.
const congestedGroups = 8

// balance is a buffer row with what the checks need to judge it.
type balance struct {
	*fabric.Buffer
	xon   int64       // part of the headroom that a shared pool cannot save
	ports map[int]int // ports by profile
	all   int         // ports
}

// buffers fills the buffer rows and judges them.
func (p *planner) buffers() {
	rows := p.balances()
	p.checkFit(rows)
	p.checkSharedPool(rows)
	p.checkMarking(rows)
}

// balances makes one row for all switches with the same model and mix of ports,
// in the order of the first such switch.
func (p *planner) balances() []balance {
	type kind struct {
		model int
		mix   string // ports by profile
	}
	l := p.f.Lossless
	classes := int64(p.losslessClasses())
	index := map[kind]int{}
	var rows []balance
	counts := make([]int, len(l.Profiles))
	for i := range p.f.Switches {
		sw := &p.f.Switches[i]
		clear(counts)
		for j := range sw.Ports {
			if pr := sw.Ports[j].Profile; pr >= 0 {
				counts[pr]++
			}
		}
		var size, xon int64
		for pr, n := range counts {
			size += int64(n) * int64(l.Profiles[pr].SizeBytes)
			xon += int64(n) * int64(l.Profiles[pr].SizeBytes-l.Profiles[pr].XoffBytes)
		}
		if size == 0 {
			continue
		}
		k := kind{sw.Model, fmt.Sprint(counts)}
		at, ok := index[k]
		if !ok {
			at = len(rows)
			index[k] = at
			l.Buffers = append(l.Buffers, fabric.Buffer{Model: sw.Model, HeadroomBytes: size * classes, TotalBytes: p.f.ModelOf(sw).BufferBytes})
			b := balance{xon: xon * classes, ports: map[int]int{}}
			for pr, n := range counts {
				if n > 0 {
					b.ports[pr] = n
					b.all += n
				}
			}
			rows = append(rows, b)
		}
		l.Buffers[at].Switches = append(l.Buffers[at].Switches, i)
	}
	for i := range rows {
		rows[i].Buffer = &l.Buffers[i]
	}
	return rows
}

func (p *planner) losslessClasses() int {
	n := 0
	for i := range p.f.Lossless.Classes {
		if p.f.Lossless.Classes[i].Lossless {
			n++
		}
	}
	return n
}

// checkFit holds need against buffer. Rows of one model and verdict share a
// finding, which quotes the tightest of them.
func (p *planner) checkFit(rows []balance) {
	for model := range p.f.Models {
		var errors, warnings, unknown []balance
		for _, b := range rows {
			if b.Model != model {
				continue
			}
			need, total := float64(b.HeadroomBytes), float64(b.TotalBytes)
			switch {
			case b.TotalBytes <= 0:
				unknown = append(unknown, b)
			case need > mostHeadroom*total:
				errors = append(errors, b)
			case total-need < leastShared*total:
				warnings = append(warnings, b)
			}
		}
		if len(errors) > 0 {
			p.tight(fabric.Error, "HEADROOM_EXCEEDS_BUFFER", mostHeadroom, errors)
		}
		if len(warnings) > 0 {
			p.tight(fabric.Warning, "BUFFER_SHARED_LOW", 1-leastShared, warnings)
		}
		if len(unknown) > 0 {
			p.find(fabric.Info, "BUFFER_UNKNOWN",
				fmt.Sprintf("the packet buffer of %s is not known: whether %s of headroom fit, and whether marking starts before pausing, was not checked", p.f.Models[model].ID, megabytes(most(unknown).HeadroomBytes)),
				"declare the switch's buffer (and cell) in the cluster file, from its data sheet",
				"SONiC buffer model: headroom is reserved out of the packet buffer", p.names(unknown))
		}
	}
}

func most(rows []balance) balance {
	return slices.MaxFunc(rows, func(a, b balance) int { return int(a.HeadroomBytes/1024 - b.HeadroomBytes/1024) })
}

func (p *planner) names(rows []balance) []string {
	var names []string
	for _, b := range rows {
		for _, s := range b.Switches {
			names = append(names, p.f.Switches[s].Name)
		}
	}
	return names
}

func (p *planner) tight(s fabric.Severity, code string, limit float64, rows []balance) {
	b := most(rows)
	classes := p.losslessClasses()
	percent := int(math.Round(100 * float64(b.HeadroomBytes) / float64(b.TotalBytes)))
	message := fmt.Sprintf("%s: %s of lossless headroom (%s x %s) take %d %% of the %s buffer",
		p.f.Models[b.Model].ID, megabytes(b.HeadroomBytes), plural(b.all, "port", "ports"), plural(classes, "lossless class", "lossless classes"), percent, megabytes(b.TotalBytes))
	if s == fabric.Error {
		message += fmt.Sprintf("; at most %d %% can be reserved", int(100*limit))
	} else {
		message += fmt.Sprintf("; only %s stay shared, and bursts are paused early", megabytes(b.TotalBytes-b.HeadroomBytes))
	}
	p.find(s, code, message, p.fitRemedy(b, classes, limit*float64(b.TotalBytes)),
		"SONiC buffer model: shared = total - sum of headroom; thresholds are railyard's", p.names(rows))
}

// fitRemedy names the smallest change of each kind that brings a row under the
// limit in bytes.
func (p *planner) fitRemedy(b balance, classes int, limit float64) string {
	var options []string
	if p.c.Lossless.Headroom > 0 {
		options = append(options, fmt.Sprintf("a lossless.headroom of at most %d bytes, or auto", (int(limit)-int(b.xon))/(b.all*classes)))
	} else if l, ok := p.fittingLength(b, classes, limit); ok {
		options = append(options, fmt.Sprintf("declare true cable lengths, where they are at most %s it fits", metres(l)))
	}
	if classes > 1 && float64(b.HeadroomBytes)*float64(classes-1)/float64(classes) <= limit {
		options = append(options, fmt.Sprintf("one lossless class fewer (%s)", megabytes(b.HeadroomBytes*int64(classes-1)/int64(classes))))
	}
	for _, ratio := range []int64{2, 3, 4, 5, 6, 8} {
		pool := (b.HeadroomBytes - b.xon) / ratio
		if float64(pool+b.xon) <= limit {
			options = append(options, fmt.Sprintf("a shared headroom pool of %s (%d:1), which stays lossless only while no more than one port in %d is paused at a time", megabytes(pool), ratio, ratio))
			break
		}
	}
	if len(options) == 0 {
		return "use a switch with a larger buffer or fewer ports"
	}
	return either(options)
}

// fittingLength is the longest usual cable length at which the row fits.
func (p *planner) fittingLength(b balance, classes int, limit float64) (float64, bool) {
	tables := publishedTables()
	longest := 0.0
	for pr := range b.ports {
		longest = max(longest, p.f.Lossless.Profiles[pr].LengthM)
	}
	for _, l := range []float64{1000, 500, 300, 200, 150, 100, 70, 50, 40, 30, 20, 10, 5, 3} {
		if l >= longest {
			continue
		}
		var need float64
		for pr, n := range b.ports {
			q := &p.f.Lossless.Profiles[pr]
			h := p.headroom(tables, portKind{model: q.Model, speed: q.SpeedGbps, length: min(l, q.LengthM)})
			need += float64(n * classes * h.size)
		}
		if need <= limit {
			return l, true
		}
	}
	return 0, false
}

// checkSharedPool says where the buffer profile that a SONiC platform ships
// reserves less than all ports together may need.
func (p *planner) checkSharedPool(rows []balance) {
	tables := publishedTables()
	for model := range p.f.Models {
		t := tableOf(tables, &p.f.Models[model])
		if t == nil || t.pool == 0 {
			continue
		}
		var over []balance
		for _, b := range rows {
			onSONiC := slices.ContainsFunc(b.Switches, func(s int) bool { return p.f.Switches[s].OS == "sonic" })
			if b.Model == model && b.HeadroomBytes > t.pool && onSONiC {
				over = append(over, b)
			}
		}
		if len(over) == 0 {
			continue
		}
		need := most(over).HeadroomBytes
		ratio := float64(need) / float64(t.pool)
		p.find(fabric.Info, "SHARED_HEADROOM_POOL",
			fmt.Sprintf("the buffer profile shipped for %s shares %s of headroom among ports that together need %s (%.1f:1): it stays lossless only while at most %d %% of them are paused at a time", t.name, megabytes(t.pool), megabytes(need), ratio, int(100/ratio)),
			"keep lengths true and lossless classes few; or reserve the full headroom in the switch's buffer pool",
			"SONiC sonic-buildimage, buffers_defaults of "+t.name+", ingress_lossless_pool xoff", p.names(over))
	}
}

// checkMarking holds each profile's Kmax against the point where PFC fires. A
// group of n congested ones settles at shared*alpha/(1+n*alpha); marking must be
// complete at half of that.
func (p *planner) checkMarking(rows []balance) {
	for model := range p.f.Models {
		var late []balance
		lowest, kmax := int64(math.MaxInt64), 0
		for _, b := range rows {
			if b.Model != model || b.TotalBytes <= b.HeadroomBytes {
				continue
			}
			isLate := false
			for pr := range b.ports {
				q := &p.f.Lossless.Profiles[pr]
				limit := groupShare(b.TotalBytes-b.HeadroomBytes, q.AlphaLog2) / 2
				if int64(q.KmaxBytes) > limit {
					isLate = true
					lowest, kmax = min(lowest, limit), max(kmax, q.KmaxBytes)
				}
			}
			if isLate {
				late = append(late, b)
			}
		}
		if len(late) == 0 {
			continue
		}
		p.find(fabric.Warning, "ECN_ABOVE_XOFF",
			fmt.Sprintf("%s: marking is complete only at %s, but with %d congested groups PFC fires at %s and marking should be complete at half of that: PFC acts before ECN", p.f.Models[model].ID, megabytes(int64(kmax)), congestedGroups, megabytes(2*lowest)),
			fmt.Sprintf("choose a marking profile with Kmax of at most %s, or free shared buffer", megabytes(lowest)),
			"dynamic threshold shared*alpha/(1+k*alpha) of SONiC's buffer model; the factor one half is railyard's", p.names(late))
	}
}

// groupShare is what one of the congested groups may hold of the shared buffer.
func groupShare(shared int64, alphaLog2 int) int64 {
	alpha := math.Exp2(float64(alphaLog2))
	return int64(float64(shared) * alpha / (1 + congestedGroups*alpha))
}
