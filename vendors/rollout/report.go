package rollout

import (
	"encoding/json"
	"fmt"
	"io"
	"strings"
	"time"

	"railyard/vendors/rollout/journal"
)

// Report says where everything stands at the end.
type Report struct {
	Run      string   `json:"run"`
	Reason   string   `json:"reason,omitempty"` // why it ended early
	Switches []Result `json:"switches"`
	Preview  *Preview `json:"-"` // of a dry run
}

// Result is where one switch stands.
type Result struct {
	Switch string `json:"switch"`
	// Status is same, done, unchanged, restored, changed, pending, unknown,
	// waiting (its turn did not come), by-hand or unreachable.
	Status  string `json:"status"`
	Message string `json:"message,omitempty"`
}

func (r *run) report(reason string) *Report {
	rep := &Report{Run: r.Run, Reason: reason, Switches: []Result{}}
	for _, j := range r.jobs {
		res := Result{Switch: j.sw.Name, Status: j.status()}
		if j.err != nil {
			res.Message = j.err.Error()
		}
		switch res.Status {
		case "pending":
			res.Message = strings.TrimSpace(fmt.Sprintf("reverts by itself at %s unless confirmed. %s", j.deadline.Format(time.TimeOnly), res.Message))
		case "changed":
			res.Message = strings.TrimSpace("stands changed: push --rollback brings it back. " + res.Message)
		case "unknown":
			res.Message = strings.TrimSpace("was sent a change and cannot be read: look at it, then push --rollback or --resume. " + res.Message)
		}
		rep.Switches = append(rep.Switches, res)
	}
	return rep
}

func (j *job) status() string {
	if !j.sent {
		switch {
		case j.err != nil && !j.started:
			return "unreachable"
		case j.err != nil:
			return "unchanged"
		case j.dialect == nil && j.caps != nil:
			return "by-hand"
		case j.plan == nil, j.pending():
			return "waiting"
		}
		return "same"
	}
	switch j.state {
	case journal.Before:
		if j.touched {
			return "restored"
		}
		return "unchanged"
	case journal.Intended:
		if j.err == nil && j.commit == "" {
			return "done"
		}
		if j.commit != "" {
			return "pending"
		}
		return "changed"
	case journal.Pending:
		return "pending"
	case journal.Unknown:
		return "unknown"
	}
	return "changed"
}

func (r *run) dryReport(p *Preview) *Report {
	rep := r.report("")
	rep.Preview = p
	return rep
}

// Count is the number of switches with a status.
func (r *Report) Count(status string) int {
	n := 0
	for _, s := range r.Switches {
		if s.Status == status {
			n++
		}
	}
	return n
}

// Text prints one line per switch that is not simply done or the same, then totals.
func (r *Report) Text(w io.Writer) error {
	var b strings.Builder
	var totals []string
	for _, status := range []string{"done", "same", "by-hand", "restored", "unchanged", "waiting", "unreachable", "pending", "changed", "unknown"} {
		n := r.Count(status)
		if n == 0 {
			continue
		}
		totals = append(totals, fmt.Sprintf("%d %s", n, status))
		var silent []string
		for _, s := range r.Switches {
			switch {
			case s.Status != status || status == "done" || status == "same":
			case s.Message == "":
				silent = append(silent, s.Switch)
			default:
				fmt.Fprintf(&b, "%s: %s: %s\n", status, s.Switch, s.Message)
			}
		}
		if len(silent) > 0 {
			fmt.Fprintf(&b, "%s: %s\n", status, list(silent))
		}
	}
	fmt.Fprintf(&b, "%s\n", strings.Join(totals, ", "))
	if r.Reason != "" {
		fmt.Fprintf(&b, "stopped: %s\n", r.Reason)
	}
	_, err := io.WriteString(w, printable(b.String()))
	return err
}

// JSON prints the report.
func (r *Report) JSON(w io.Writer) error {
	e := json.NewEncoder(w)
	e.SetIndent("", "  ")
	e.SetEscapeHTML(false)
	return e.Encode(struct {
		FormatVersion string `json:"format_version"`
		*Report
	}{"1.0", r})
}
