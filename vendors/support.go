package vendors

import (
	"encoding/json"
	"fmt"
	"io"
	"strings"
	"text/tabwriter"

	"railyard/vendors/comware"
	"railyard/vendors/cumulus"
	"railyard/vendors/eos"
	"railyard/vendors/rgos"
	"railyard/vendors/sonic"
	"railyard/vendors/vrp"
	"railyard/vendors/zxros"
)

// SupportRow says how far one intent of the fabric reaches an OS.
type SupportRow struct {
	Intent string `json:"intent"`
	Level  string `json:"level"` // confirmed, partial or not
	Where  string `json:"where,omitempty"`
	Source string `json:"source,omitempty"`
	Note   string `json:"note,omitempty"`
}

// Support is the support table of an OS, in the order of its configuration. The
// error lists the OSes that have one.
func Support(os string) ([]SupportRow, error) {
	var rows []SupportRow
	commands := func(list []string) string { return strings.Join(list, "; ") }
	switch os {
	case "comware":
		for _, r := range comware.Support() {
			rows = append(rows, SupportRow{r.Intent, string(r.Level), "", r.Source, ""})
		}
	case "vrp":
		for _, r := range vrp.Support() {
			rows = append(rows, SupportRow{r.Intent, string(r.Status), r.Commands, r.Source, r.Note})
		}
	case "eos":
		for _, r := range eos.Support() {
			rows = append(rows, SupportRow{r.Name, string(r.Level), commands(r.Commands), r.Source, r.Note})
		}
	case "sonic":
		for _, r := range sonic.Support() {
			rows = append(rows, SupportRow{r.Intent, string(r.Level), r.Where, r.Source, r.Note})
		}
	case "cumulus":
		for _, r := range cumulus.Support() {
			rows = append(rows, SupportRow{r.Name, string(r.Level), commands(r.Commands), r.Source, r.Note})
		}
	case "rgos":
		for _, r := range rgos.Support() {
			rows = append(rows, SupportRow{r.Name, string(r.Level), commands(r.Commands), r.Source, r.Note})
		}
	case "zxros":
		for _, r := range zxros.Support() {
			rows = append(rows, SupportRow{r.Name, string(r.Level), commands(r.Commands), r.Source, r.Note})
		}
	default:
		return nil, fmt.Errorf("no driver for the OS %q; there are comware, cumulus, eos, rgos, sonic, vrp, zxros", os)
	}
	return rows, nil
}

// SupportText writes an OS's support table for people: intent, level, and below
// each row what is written, with its source and its limits.
func SupportText(w io.Writer, os string) error {
	rows, err := Support(os)
	if err != nil {
		return err
	}
	t := tabwriter.NewWriter(w, 0, 4, 2, ' ', 0)
	fmt.Fprintln(t, "LEVEL\tINTENT\tSOURCE\tNOTE")
	for _, r := range rows {
		fmt.Fprintf(t, "%s\t%s\t%s\t%s\n", r.Level, r.Intent, r.Source, r.Note)
	}
	return t.Flush()
}

// SupportJSON writes the table with the commands or tables behind each row.
func SupportJSON(w io.Writer, os string) error {
	rows, err := Support(os)
	if err != nil {
		return err
	}
	e := json.NewEncoder(w)
	e.SetIndent("", "  ")
	e.SetEscapeHTML(false)
	return e.Encode(struct {
		FormatVersion string       `json:"format_version"`
		OS            string       `json:"os"`
		Support       []SupportRow `json:"support"`
	}{"1.0", os, rows})
}
