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
	Run    string `json:"run"`
	Reason string `json:"reason,omitempty"` // why it ended early
	// Unfinished says that something stands open: --resume goes on, --rollback back.
	Unfinished bool     `json:"unfinished"`
	Switches   []Result `json:"switches"`
	Preview    *Preview `json:"-"` // of a dry run
}

// Result is where one switch stands.
type Result struct {
	Switch string `json:"switch"`
	// Status is same, done, unchanged, restored, reverted (it went back by itself),
	// uncertain (it reads as before, but never answered), changed, pending, unknown,
	// waiting (its turn did not come), by-hand or unreachable.
	Status  string `json:"status"`
	Message string `json:"message,omitempty"`
}

func (r *run) report(reason string) *Report {
	rep := &Report{Run: r.Run, Reason: reason, Switches: []Result{}}
	if r.journal != nil {
		rep.Run = r.journal.Run
	}
	for _, j := range r.jobs {
		res := Result{Switch: j.sw.Name, Status: j.status()}
		if j.err != nil {
			res.Message = j.reason()
		}
		switch res.Status {
		case "pending":
			res.Message = sentence(fmt.Sprintf("reverts by itself by %s unless confirmed (push --resume)", j.deadline.Local().Format(time.TimeOnly)), res.Message)
		case "changed":
			res.Message = sentence("stands changed: push --rollback brings it back", res.Message)
		case "uncertain":
			res.Message = sentence("reads as before, but never answered and may still carry the change out: look again with push --rollback or --resume", res.Message)
		case "unknown":
			res.Message = sentence("was sent a change and cannot be read: look at it, then push --rollback or --resume", res.Message)
		}
		rep.Switches = append(rep.Switches, res)
	}
	return rep
}

// sentence puts the reason behind where a switch stands.
func sentence(stands, reason string) string {
	if reason == "" {
		return stands
	}
	return stands + " (" + reason + ")"
}

// reason is a switch's error without its name, which stands beside it.
func (j *job) reason() string {
	return strings.ReplaceAll(strings.TrimPrefix(j.err.Error(), j.sw.Name+": "), "\n"+j.sw.Name+": ", "; ")
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
		switch {
		case j.unanswered:
			return "uncertain"
		case j.reverted:
			return "reverted"
		case j.touched:
			return "restored"
		}
		return "unchanged"
	case journal.Intended:
		if j.err == nil && j.kept {
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

// statuses in the order of the printed report, the worst last.
var statuses = []string{"done", "same", "by-hand", "restored", "reverted", "unchanged", "waiting", "unreachable", "pending", "uncertain", "changed", "unknown"}

// Text prints the switches that are not simply done or the same, those with the
// same fate together, then totals.
func (r *Report) Text(w io.Writer) error {
	var b strings.Builder
	var totals []string
	for _, status := range statuses {
		var reasons []string
		names := map[string][]string{}
		for _, s := range r.Switches {
			if s.Status != status {
				continue
			}
			if names[s.Message] == nil {
				reasons = append(reasons, s.Message)
			}
			names[s.Message] = append(names[s.Message], s.Switch)
		}
		if n := r.Count(status); n > 0 {
			totals = append(totals, fmt.Sprintf("%d %s", n, status))
		}
		for _, reason := range reasons {
			switch {
			case status == "done" || status == "same":
			case reason == "":
				fmt.Fprintf(&b, "%s: %s\n", status, list(names[reason]))
			default:
				fmt.Fprintf(&b, "%s: %s: %s\n", status, list(names[reason]), reason)
			}
		}
	}
	fmt.Fprintf(&b, "%s\n", strings.Join(totals, ", "))
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
