package main

import (
	"bytes"
	"encoding/json"
	"io"
	"strings"
	"sync"
	"time"

	"github.com/spf13/cobra"
)

// logFormatFlag is --log-format, which holds for everything on stderr.
func logFormatFlag(root *cobra.Command) {
	format := enum{value: new(string), allowed: []string{"auto", "text", "json"}}
	*format.value = format.allowed[0]
	root.PersistentFlags().Var(format, "log-format", "what stderr holds; auto: text, but the progress of push as JSON where stderr is no terminal")
	// The error can only be a second registration of the same flag.
	_ = root.RegisterFlagCompletionFunc("log-format", cobra.FixedCompletions(format.allowed, cobra.ShellCompDirectiveNoFileComp))
}

// useLogFormat makes stderr what --log-format says.
func useLogFormat(cmd *cobra.Command) {
	if f := cmd.Flag("log-format"); f != nil && f.Value.String() == "json" {
		cmd.Root().SetErr(&jsonLines{w: cmd.ErrOrStderr()})
	}
}

// events is where push tells its progress, and whether as JSON.
func events(cmd *cobra.Command) (w io.Writer, structured bool) {
	w = cmd.ErrOrStderr()
	if j, ok := w.(*jsonLines); ok {
		return j.w, true
	}
	f := cmd.Flag("log-format")
	return w, f != nil && f.Value.String() == "auto" && !terminal(w)
}

// jsonLines writes each line of text as an object of time, level and message.
type jsonLines struct {
	w    io.Writer
	mu   sync.Mutex
	rest []byte // of a line that has no end yet
}

// Write takes text; what is behind the last line break waits for the next call.
func (j *jsonLines) Write(b []byte) (int, error) {
	j.mu.Lock()
	defer j.mu.Unlock()
	j.rest = append(j.rest, b...)
	for {
		line, rest, ok := bytes.Cut(j.rest, []byte("\n"))
		if !ok {
			return len(b), nil
		}
		j.rest = rest
		if len(bytes.TrimSpace(line)) == 0 {
			continue
		}
		level := "info"
		for _, l := range []string{"error", "warning"} {
			if strings.HasPrefix(string(line), l) {
				level = l
			}
		}
		if err := j.line(level, string(line)); err != nil {
			return len(b), err
		}
	}
}

func (j *jsonLines) line(level, message string) error {
	e := json.NewEncoder(j.w)
	e.SetEscapeHTML(false)
	return e.Encode(struct {
		Time    time.Time `json:"time"`
		Level   string    `json:"level"`
		Message string    `json:"message"`
	}{time.Now(), level, message})
}

// fail tells the error that ends a command, in one piece.
func fail(root *cobra.Command, message string) {
	w := root.ErrOrStderr()
	if j, ok := w.(*jsonLines); ok {
		_ = j.line("error", message) // there is nowhere left to say that it failed
		return
	}
	_, _ = io.WriteString(w, message+"\n")
}
