package diff

import (
	"slices"
	"strings"

	"railyard/generator/fabric"
	"railyard/vendors/ibrecords"
)

// recordsName is what a report calls the fabric that InfiniBand's tools saw.
const recordsName = "fabric"

// records compares saved output of InfiniBand's tools with the plan and adds what
// comes out to a report. Where only such output was given, the subnet manager's own
// files are not missed.
func (s *Session) records(r *Report, plan *fabric.Fabric) {
	var files []ibrecords.File
	var names []string
	for _, o := range s.source.Others {
		f, err := o.open()
		if err != nil || ibrecords.Recognise(f.Body) == "" {
			continue
		}
		files = append(files, ibrecords.File{Name: o.Name, Body: f.Body})
		names = append(names, o.Name)
	}
	if len(files) == 0 {
		return
	}
	found := ibrecords.Compare(plan, files)
	for i := range found.Problems { // their texts begin with file and line
		found.Problems[i].Line = 0
	}
	out := Result{Name: recordsName, OS: "infiniband", File: strings.Join(names, " "), Problems: found.Problems}
	out.judge(outcome{changes: found.Changes, patch: Patch{Notes: []string{"nothing to type: cables, cards and the subnet manager are put right by hand"}}})
	r.Switches = slices.DeleteFunc(r.Switches, func(x Result) bool {
		return x.Status == Missing || x.Status == Extra && slices.Contains(names, x.File)
	})
	r.Switches = append(r.Switches, out)
	r.Strange = slices.DeleteFunc(r.Strange, func(n string) bool { return slices.Contains(names, n) })
}
