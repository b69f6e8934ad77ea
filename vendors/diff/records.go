package diff

import (
	"slices"
	"strings"

	"railyard/generator/fabric"
	"railyard/vendors/ibscan"
)

// recordsName is what a report calls the fabric that InfiniBand's tools saw.
const recordsName = "fabric"

// records compares saved output of InfiniBand's tools with the plan and adds what
// comes out to a report. Where only such output was given, the subnet manager's own
// files are not missed.
func (s *Session) records(r *Report, plan *fabric.Fabric) {
	var files []fabric.File
	var names []string
	for _, o := range s.source.Others {
		f, err := o.open()
		if err != nil || !ibscan.Recognise(f.Body) {
			continue
		}
		files = append(files, fabric.File{Name: o.Name, Body: f.Body})
		names = append(names, o.Name)
	}
	if len(files) == 0 {
		return
	}
	found := ibscan.Compare(plan, files)
	out := Result{Name: recordsName, OS: "infiniband", File: strings.Join(names, " "), Problems: found.Problems}
	out.judge(outcome{changes: found.Changes, patch: Patch{Notes: []string{"nothing to type: cables, cards and the subnet manager are put right by hand"}}})
	r.Switches = slices.DeleteFunc(r.Switches, func(x Result) bool { return x.Status == Missing })
	r.Switches = append(r.Switches, out)
	r.Strange = slices.DeleteFunc(r.Strange, func(n string) bool { return slices.Contains(names, n) })
}
