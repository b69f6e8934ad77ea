package rollout

import (
	"encoding/json"
	"fmt"
	"io"
	"strings"
	"time"
)

// Print returns what writes events as they come: a line each for people, or
// JSON, one object a line.
func Print(w io.Writer, structured bool) func(Event) {
	if structured {
		e := json.NewEncoder(w)
		e.SetEscapeHTML(false)
		return func(ev Event) { _ = e.Encode(ev) } // a log that cannot be written must not stop a push
	}
	return func(ev Event) {
		level := ""
		if ev.Level != "info" {
			level = ev.Level + ": "
		}
		name := ev.Switch
		if name != "" {
			name += ": "
		}
		fmt.Fprintf(w, "%s %-8s %s%s%s\n", ev.Time.Format(time.TimeOnly), ev.Phase, level, name, printable(strings.TrimPrefix(ev.Message, name)))
	}
}
