package manager

import (
	"encoding/json"
	"fmt"
	"path"
	"slices"
	"strconv"
	"strings"

	"railyard/vendors/clitree"
)

// pkey is a partition as UFM's REST interface takes and gives it: members as two lists
// of one order, or each with its membership (CM).
type pkey struct {
	PKey        string   `json:"pkey"`
	IPoverIB    *bool    `json:"ip_over_ib"`
	GUIDs       []member `json:"guids"`
	Memberships []string `json:"memberships"`
}

type member struct{ GUID, Membership string }

// UnmarshalJSON takes a GUID by itself, or with its membership.
func (m *member) UnmarshalJSON(body []byte) error {
	if err := json.Unmarshal(body, &m.GUID); err == nil {
		return nil
	}
	var both struct {
		GUID       string `json:"guid"`
		Membership string `json:"membership"`
	}
	err := json.Unmarshal(body, &both)
	m.GUID, m.Membership = both.GUID, both.Membership
	return err
}

// lines are the partition as it is compared.
func (p *pkey) lines() ([]string, error) {
	if len(p.Memberships) > 0 && len(p.Memberships) != len(p.GUIDs) {
		return nil, fmt.Errorf("%d members, but %d memberships", len(p.GUIDs), len(p.Memberships))
	}
	var out []string
	if p.IPoverIB != nil {
		out = append(out, "ip_over_ib="+strconv.FormatBool(*p.IPoverIB))
	}
	for i, m := range p.GUIDs {
		g, ok := guid(m.GUID)
		if !ok {
			return nil, fmt.Errorf("%.40q is no GUID", m.GUID)
		}
		if len(p.Memberships) > 0 {
			m.Membership = p.Memberships[i]
		}
		if m.Membership == "" {
			m.Membership = "full" // UFM's default (UM)
		}
		out = append(out, g+"="+strings.ToLower(m.Membership))
	}
	return out, nil
}

// pkeysOf reads one partition, or several by their key; nil when it is neither.
func pkeysOf(f File) map[string]*pkey {
	out := map[string]*pkey{}
	var one pkey
	if err := json.Unmarshal(f.Body, &one); err == nil && len(one.GUIDs) > 0 {
		key := one.PKey
		if key == "" { // UFM's answer does not repeat it: the file's name says
			for _, w := range strings.FieldsFunc(path.Base(f.Name), func(r rune) bool { return r == '-' || r == '_' || r == '.' }) {
				if strings.HasPrefix(strings.ToLower(w), "0x") {
					key = w
				}
			}
		}
		out[keyOf(key)] = &one
		return out
	}
	var many map[string]*pkey
	if err := json.Unmarshal(f.Body, &many); err != nil {
		return nil
	}
	for key, p := range many {
		if p != nil {
			out[keyOf(key)] = p
		}
	}
	return out
}

// keyOf is a key without the bit of full membership.
func keyOf(s string) string {
	n, err := strconv.ParseUint(s, 0, 16)
	if err != nil {
		return s
	}
	return fmt.Sprintf("0x%04x", n&0x7fff)
}

func isREST(name string) bool { return path.Ext(name) == ".json" }

// answers are the partitions that UFM gave over REST, in the folder of a name.
func answers(running []File, name string) map[string]*pkey {
	out := map[string]*pkey{}
	subnet := subnetOf(name)
	for _, f := range running {
		if isREST(f.Name) && (subnet == "" || slices.Contains(strings.Split(f.Name, "/"), subnet)) {
			for key, p := range pkeysOf(f) {
				out[key] = p
			}
		}
	}
	return out
}

// alsoREST tells whether what a file of partitions says may be had over REST.
func alsoREST(name string, running []File) bool {
	return path.Base(name) == "partitions.conf.user_ext" && len(answers(running, name)) > 0
}

// rest compares the partitions that are set over REST, where there are answers: UFM
// takes them so or as a file.
func (out *Outcome) rest(running, intended []File, o clitree.Options) (compared int, err error) {
	for _, want := range intended {
		if !isREST(want.Name) {
			continue
		}
		got := answers(running, want.Name)
		if len(got) == 0 {
			continue // then the file counts
		}
		compared++
		c := &comparison{o: o, ignore: clitree.Ignoring(o.Ignore), name: want.Name}
		for key, w := range pkeysOf(want) {
			b, err := w.lines()
			if err != nil {
				return compared, fmt.Errorf("the intended %s: %w", want.Name, err)
			}
			var a []string
			ch := clitree.Change{Note: "the partition is missing"}
			if r := got[key]; r != nil {
				if a, err = r.lines(); err != nil {
					return compared, fmt.Errorf("partition %s: %w", key, err)
				}
				if r.IPoverIB == nil {
					b = slices.DeleteFunc(b, func(l string) bool { return strings.HasPrefix(l, "ip_over_ib=") })
				}
				ch.Note = ""
			}
			ch.Remove, ch.Add = without(a, b), without(b, a)
			c.add(ch, key)
		}
		if out.Changes = append(out.Changes, c.changes...); len(c.changes) > 0 {
			out.step("send the PUT request of %s (never POST it)", want.Name)
		}
	}
	return compared, nil
}
