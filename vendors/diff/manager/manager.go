// Package manager compares the configuration of InfiniBand subnet managers by what
// it means: settings by name and value, partitions by their members, lists of GUIDs
// as numbers, commands as what they set.
//
// Sources, by the short names used here:
//
//	OSM    OpenSM 3.3.23: what it prints with -c, opensm(8), partition-config.txt, and
//	       how it reads opensm.conf and partitions.conf
//	UM     UFM Enterprise manuals 6.11 to 6.22, appendices
//	CM     NVIDIA Config Manager, UFM activities: what UFM answers about a partition
//	M7800  Teradata stacki's test of a Mellanox switch: what show running-config prints
package manager

import (
	"fmt"
	"path"
	"slices"
	"strings"
	"unicode/utf8"

	"railyard/vendors/clitree"
)

// File is one file, under the name it has below the manager's folder.
type File struct {
	Name string
	Body []byte
}

// Outcome is what a comparison found.
type Outcome struct {
	Changes []clitree.Change
	Steps   []string // what a person does about the changes
}

// kind is how the lines of a file are read.
type kind struct {
	// from are names of the running file: the intent's own, and where the manager
	// itself keeps it.
	from    []string
	compare func(c *comparison) error
	step    string // what makes the manager read it
}

const reread = "replace %s and let the subnet manager read it again (some settings need a restart)"

// kinds are the files that are compared. What else stands beside them is for people
// and for simulators.
var kinds = map[string]kind{
	"opensm.conf":              {nil, openSM, reread},
	"partitions.conf":          {nil, partitionFile, reread},
	"qos-policy.conf":          {nil, policy, reread},
	"root_guids.conf":          {nil, guidSet, reread},
	"root_guid.conf":           {nil, guidSet, reread},
	"cn_guids.conf":            {nil, guidSet, reread},
	"guid_routing_order.conf":  {nil, guidOrder, reread},
	"node-name-map":            {nil, nameMap, reread},
	"ib-node-name-map":         {nil, nameMap, reread},
	"opensm.conf.changes":      {[]string{"opensm.conf"}, someSettings, "set the keys of %s in opensm.conf and restart UFM"},
	"gv.cfg.changes":           {[]string{"gv.cfg"}, sections, "set the keys of %s in gv.cfg and restart UFM"},
	"partitions.conf.user_ext": {[]string{"partitions.conf"}, userPartitions, "copy %s to UFM and run sync_partitions_conf.sh, or send the REST requests"},
}

// Compare compares the files of OpenSM or UFM. An error means that a file cannot be
// read, or that the intent has nothing to compare.
func Compare(running, intended []File, o clitree.Options) (Outcome, error) {
	var out Outcome
	compared := 0
	for _, want := range intended {
		k, ok := kinds[path.Base(want.Name)]
		if ext := path.Ext(want.Name); !ok {
			if ext != ".conf" && ext != ".cfg" {
				continue
			}
			k = kind{nil, lineSet, reread}
		}
		compared++
		c := &comparison{o: o, ignore: clitree.Ignoring(o.Ignore), name: want.Name, want: string(want.Body)}
		run, ok := find(running, want.Name, k.from)
		if c.from = run.Name; !ok {
			if alsoREST(want.Name, running) {
				continue // UFM has the partitions over REST, see below
			}
			out.missing(c)
			out.step(k.step, want.Name)
			continue
		}
		if !utf8.Valid(run.Body) || slices.Contains(run.Body, 0) {
			return out, fmt.Errorf("%s is not text", run.Name)
		}
		c.run = string(run.Body)
		if err := k.compare(c); err != nil {
			return out, fmt.Errorf("%s: %w", run.Name, err)
		}
		if out.Changes = append(out.Changes, c.changes...); len(c.changes) > 0 {
			out.step(k.step, want.Name)
		}
	}
	rest, err := out.rest(running, intended, o)
	if err != nil {
		return out, err
	}
	if compared+rest == 0 {
		return out, fmt.Errorf("the intent has no file that can be compared")
	}
	return out, nil
}

func (out *Outcome) step(text, name string) {
	out.Steps = append(out.Steps, fmt.Sprintf(text, name))
}

func (out *Outcome) missing(c *comparison) {
	lines := 0
	for _, l := range strings.Split(c.want, "\n") {
		if l = strings.TrimSpace(l); l != "" && l[0] != '#' {
			lines++
		}
	}
	if what := fmt.Sprintf("(the whole file, %d lines)", lines); !c.ignore.Match([]string{c.name}, what) {
		out.Changes = append(out.Changes, clitree.Change{Path: []string{c.name}, Add: []string{what}, Note: "the file is missing"})
	}
}

// Takes tells whether a file may be one that Compare reads.
func Takes(name string) bool {
	base := path.Base(name)
	if _, ok := kinds[base]; ok {
		return true
	}
	ext := path.Ext(base)
	return ext == ".conf" || ext == ".cfg" || ext == ".json"
}

// find returns the running file for one of the intent, by its own name or another, in
// whatever folder people copied it to: of several the one whose folders agree most.
// Files of a subnet stay in that subnet's folder: p0/opensm.conf is not p1/opensm.conf.
func find(files []File, name string, others []string) (File, bool) {
	within := subnetOf(name)
	for _, base := range append([]string{path.Base(name)}, others...) {
		best, most := -1, 0
		wanted := strings.Split(path.Join(path.Dir(name), base), "/")
		for i, f := range files {
			have := strings.Split(f.Name, "/")
			n := 0
			for n < len(have) && n < len(wanted) && have[len(have)-1-n] == wanted[len(wanted)-1-n] {
				n++
			}
			if n > most && (within == "" || slices.Contains(have, within)) {
				best, most = i, n
			}
		}
		if best >= 0 {
			return files[best], true
		}
	}
	return File{}, false
}

// subnetOf is the folder of a subnet, "" where there is one subnet.
func subnetOf(name string) string {
	first, _, ok := strings.Cut(name, "/")
	if !ok || first == "conf" || first == "rest" {
		return ""
	}
	return first
}

// comparison is one file on both sides.
type comparison struct {
	o         clitree.Options
	ignore    clitree.Ignore
	name      string // of the intent
	from      string // of the running one
	run, want string
	changes   []clitree.Change
}

func (c *comparison) full() bool { return c.o.Scope == clitree.Full }

// add keeps a change of a section of the file, less what is to be ignored.
func (c *comparison) add(ch clitree.Change, section ...string) {
	ch.Path = append([]string{c.name}, section...)
	skip := func(l string) bool { return c.ignore.Match(ch.Path, l) }
	if !ch.Reordered {
		ch.Remove, ch.Add = slices.DeleteFunc(ch.Remove, skip), slices.DeleteFunc(ch.Add, skip)
	} else if c.ignore.Match(ch.Path, "") {
		return
	}
	if len(ch.Remove)+len(ch.Add) > 0 {
		c.changes = append(c.changes, ch)
	}
}

// without returns what of a is not in b, counting repeats.
func without(a, b []string) []string {
	count := map[string]int{}
	for _, x := range b {
		count[x]++
	}
	var out []string
	for _, x := range a {
		if count[x]--; count[x] < 0 {
			out = append(out, x)
		}
	}
	return out
}

// plainLines are the lines without comments and spare blanks.
func plainLines(text string) []string {
	var out []string
	for _, l := range strings.Split(text, "\n") {
		if i := strings.IndexByte(l, '#'); i >= 0 {
			l = l[:i]
		}
		if l = strings.Join(strings.Fields(l), " "); l != "" {
			out = append(out, l)
		}
	}
	return out
}

// lineSet compares a file of which only its lines are known.
func lineSet(c *comparison) error {
	a, b := plainLines(c.run), plainLines(c.want)
	c.add(clitree.Change{Remove: without(a, b), Add: without(b, a)})
	return nil
}
