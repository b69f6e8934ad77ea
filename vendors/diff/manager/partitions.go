package manager

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"railyard/vendors/clitree"
)

// partition is one key of partitions.conf, from all its rules.
type partition struct {
	key     string
	names   []string
	flags   map[string]string
	groups  []string // lines that make multicast groups, in one form
	members []portMember
	lost    bool // a later ALL took members that stand before it
}

type portMember struct{ who, how string }

// flagNames are the properties of a partition in the order in which OpenSM tries a
// word that may be their beginning only; values are those that go without saying
// (OSM: 2048 bytes, 10 Gb/s, service level 0, link-local scope).
var flagNames = []struct{ name, value string }{
	{"mtu", "4"}, {"rate", "3"}, {"scope", "2"}, {"Q_Key", ""}, {"TClass", "0"}, {"sl", "0"}, {"FlowLabel", "0"}, {"ipoib", ""}, {"defmember", ""}, {"indx0", ""},
}

// groupWords are the members that stand for many.
var groupWords = []string{"ALL", "ALL_CAS", "ALL_SWITCHES", "ALL_ROUTERS"}

// partitions reads partitions.conf as OpenSM does. An error is what makes OpenSM drop
// the whole file.
func partitions(text string) (order []string, all map[string]*partition, err error) {
	all = map[string]*partition{}
	var at *partition
	deflt := "limited"
	for i, l := range strings.Split(text, "\n") {
		l, _, _ = strings.Cut(l, "#")
		for l = strings.TrimSpace(l); l != ""; l = strings.TrimSpace(l) {
			rule, rest, end := strings.Cut(l, ";")
			l = rest
			if at == nil {
				head, members, ok := strings.Cut(rule, ":")
				if !ok {
					return nil, nil, dropped(i, "no partition in it")
				}
				p, membership, err := header(head)
				if err != nil {
					return nil, nil, dropped(i, err.Error())
				}
				if all[p.key] == nil {
					all[p.key] = &partition{key: p.key, flags: map[string]string{}}
					order = append(order, p.key)
				}
				all[p.key].merge(p)
				at, deflt, rule = all[p.key], membership, members
			}
			if err := at.ports(rule, deflt); err != nil {
				return nil, nil, dropped(i, err.Error())
			}
			if end {
				at = nil
			}
		}
	}
	for _, p := range all {
		p.settle()
	}
	return order, all, nil
}

func dropped(line int, why string) error {
	return fmt.Errorf("line %d: %s; OpenSM drops such a file, and every port becomes a full member of the default partition", line+1, why)
}

// header reads what stands before the colon: name, key and properties.
func header(text string) (p *partition, membership string, err error) {
	parts := strings.Split(text, ",")
	name, key, hasKey := cutWord(parts[0])
	if !hasKey && name != "" && name[0] >= '0' && name[0] <= '9' {
		name, key, hasKey = "", name, true
	}
	p = &partition{key: "named " + name, flags: map[string]string{}}
	switch n, err := strconv.ParseUint(key, 0, 16); {
	case hasKey && err != nil:
		return nil, "", fmt.Errorf("%.40q is no partition key", key)
	case hasKey && n&0x7fff != 0: // 0 asks for any free key, as no key does
		p.key = fmt.Sprintf("0x%04x", n&0x7fff)
	case name == "Default":
		p.key = "0x7fff"
	}
	if name != "" {
		p.names = []string{name}
	}
	membership = "limited"
	for _, part := range parts[1:] {
		flag, value, _ := cutWord(part)
		for _, f := range flagNames {
			if flag == "" || !strings.HasPrefix(f.name, flag) {
				continue
			}
			switch value = number(value); {
			case f.name == "defmember":
				membership = membershipOf(value)
			case value != f.value || f.value == "":
				p.flags[f.name] = value
			}
			break
		}
	}
	return p, membership, nil
}

// cutWord cuts name=value and takes the blanks off.
func cutWord(s string) (name, value string, ok bool) {
	name, value, ok = strings.Cut(s, "=")
	return strings.TrimSpace(name), strings.TrimSpace(value), ok
}

// membershipOf: words may be shortened, and what is neither full nor both is limited
// (OSM).
func membershipOf(s string) string {
	for _, m := range []string{"full", "both"} {
		if s != "" && strings.HasPrefix(m, s) {
			return m
		}
	}
	return "limited"
}

func (p *partition) merge(q *partition) {
	for _, n := range q.names {
		if !slices.Contains(p.names, n) {
			p.names = append(p.names, n)
		}
	}
	for f, v := range q.flags {
		p.flags[f] = v
	}
}

// ports reads members, and lines that make a multicast group.
func (p *partition) ports(text, membership string) error {
	for text != "" {
		part, rest, _ := strings.Cut(text, ",")
		name, flag, flagged := cutWord(part)
		if name == "mgid" {
			words := strings.Split(text, ",")
			for i := range words {
				n, v, _ := cutWord(words[i])
				words[i] = n + "=" + strings.ToLower(number(v))
			}
			p.groups = append(p.groups, strings.Join(words, ","))
			return nil
		}
		text = rest
		m := portMember{how: membership}
		if flagged {
			m.how = membershipOf(flag)
		}
		switch {
		case name == "" || strings.HasPrefix("NONE", name):
			continue
		case strings.HasPrefix("SELF", name):
			m.who = "SELF"
		default:
			if i := slices.IndexFunc(groupWords, func(w string) bool { return strings.HasPrefix(w, name) }); i >= 0 {
				m.who = groupWords[i]
				break
			}
			n, err := strconv.ParseUint(name, 0, 64)
			if err != nil || n == 0 {
				return fmt.Errorf("%.40q is no port", name)
			}
			m.who = fmt.Sprintf("0x%016x", n)
		}
		p.members = append(p.members, m)
	}
	return nil
}

// settle leaves what counts: of assignments of one port the last, and nothing that
// stands before ALL. Members that a later group of another membership may take are
// marked, because which ports it stands for is not known here.
func (p *partition) settle() {
	last := map[string]int{}
	start := 0
	for i, m := range p.members {
		last[m.who] = i
		if m.who == "ALL" {
			start = i
		}
	}
	p.lost = start > 0
	var out []portMember
	after := "" // the nearest later group, of those whose membership differs
	how := ""
	for i := len(p.members) - 1; i >= start; i-- {
		m := p.members[i]
		if last[m.who] != i {
			continue
		}
		if group := strings.HasPrefix(m.who, "ALL"); group && m.who != "ALL" {
			after, how = m.who, m.how
		} else if !group && after != "" && m.how != how {
			m.how += " (but " + after + "=" + how + " follows)"
		}
		out = append(out, m)
	}
	slices.Reverse(out)
	p.members = out
}

// lines are the partition as it is compared.
func (p *partition) lines() []string {
	var out []string
	if p == nil {
		return nil
	}
	for _, n := range p.names {
		out = append(out, "name "+n)
	}
	for _, f := range flagNames {
		if v, ok := p.flags[f.name]; ok {
			out = append(out, strings.TrimSuffix(f.name+"="+v, "="))
		}
	}
	out = append(out, p.groups...)
	for _, m := range p.members {
		out = append(out, m.who+"="+m.how)
	}
	return out
}

func partitionFile(c *comparison) error { return c.partitions(true) }

// userPartitions compares the site's rules. In the file that UFM has merged them into
// stand UFM's own partitions too.
func userPartitions(c *comparison) error {
	return c.partitions(strings.HasSuffix(c.from, ".user_ext") || c.full())
}

func (c *comparison) partitions(strangers bool) error {
	wantOrder, want, err := partitions(c.want)
	if err != nil {
		return fmt.Errorf("the intended file: %w", err)
	}
	runOrder, run, err := partitions(c.run)
	if err != nil {
		return err
	}
	for _, key := range wantOrder {
		r, w := run[key], want[key]
		a, b := r.lines(), w.lines()
		ch := clitree.Change{Remove: without(a, b), Add: without(b, a)}
		switch {
		case r == nil:
			ch.Note = "the partition is missing"
		case r.lost && !w.lost:
			ch.Note = "a later ALL takes the members that stand before it"
		}
		c.add(ch, label(w))
	}
	for _, key := range runOrder {
		if want[key] == nil && strangers {
			c.add(clitree.Change{Remove: run[key].lines(), Note: "no partition of the plan"}, label(run[key]))
		}
	}
	return nil
}

// label names a partition: its first name and its key.
func label(p *partition) string {
	if len(p.names) == 0 {
		return p.key
	}
	if strings.HasPrefix(p.key, "named ") {
		return p.names[0]
	}
	return p.names[0] + "=" + p.key
}
