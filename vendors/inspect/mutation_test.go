package inspect_test

import (
	"cmp"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"railyard/generator/audit"
)

// mutant is one line of one switch made wrong.
type mutant struct {
	kind    string // of line, with numbers and port names taken out
	where   string // host, uplink or switch
	what    string // deleted, or the new line
	line    int    // that is changed; of a deleted one, where it stood
	section int    // the line of its section's head
	end     int    // the last line of that section
	body    string
}

// losslessLine are the lines, by system, that decide about losslessness.
var losslessLine = map[string]*regexp.Regexp{
	"comware": regexp.MustCompile(`^ *(priority-flow-control|qos|queue \d|import|jumboframe) ?`),
	"vrp":     regexp.MustCompile(`^ *(dcb|qos|priority \d|ecn|color|diffserv|drop-profile|trust|mtu|ip-dscp-inbound|8021p-inbound)`),
	"eos":     regexp.MustCompile(`^ *(priority-flow-control|qos|service-profile|mtu|random-detect|bandwidth percent|no priority|priority strict|uc-tx-queue|tx-queue|no switchport)`),
	"cumulus": regexp.MustCompile(`.`),
	"sonic":   regexp.MustCompile(`.`),
}

var (
	number      = regexp.MustCompile(`\d+`)
	interfaceOf = regexp.MustCompile(`(?i)\b(Ethernet|swp|FourHundredGigE|TwoHundredGigE|EightHundredGigE|HundredGigE|\d+GE)[0-9/:s]*`)
)

// mutants changes and deletes each lossless line of a file, once for each kind of
// line on a host port, once on an uplink.
func mutants(system, body string) []mutant {
	lines := strings.Split(body, "\n")
	var out []mutant
	done := map[string]bool{}
	path := make([]string, 0, 16)
	heads := make([]int, 0, 16)
	for i, l := range lines {
		trimmed := strings.TrimLeft(l, " ")
		depth := len(l) - len(trimmed)
		if trimmed == "" || trimmed == "#" || trimmed == "!" || strings.HasPrefix(trimmed, "}") {
			continue
		}
		for len(path) > 0 && len(path[len(path)-1])-len(strings.TrimLeft(path[len(path)-1], " ")) >= depth {
			path, heads = path[:len(path)-1], heads[:len(heads)-1]
		}
		section := 0
		if len(heads) > 0 {
			section = heads[len(heads)-1]
		}
		context := strings.Join(path, " > ")
		path, heads = append(path, l), append(heads, i+1)
		if !losslessLine[system].MatchString(l) || !relevant(system, context, trimmed) {
			continue
		}
		where := "switch"
		if m := interfaceOf.FindString(context + " " + trimmed); m != "" {
			where = side(system, lines, m)
		}
		kind := interfaceOf.ReplaceAllString(strings.TrimSpace(context+" > "+trimmed), "PORT")
		kind = strings.Join(strings.Fields(kind), " ")
		key := where + " " + kind
		if where == "switch" {
			key = number.ReplaceAllString(kind, "N")
			if n := number.FindString(trimmed); n == "26" || n == "3" || n == "6" || n == "48" || n == "33" || n == "4" {
				key = kind
			}
		}
		if done[key] {
			continue
		}
		done[key] = true
		for _, change := range changes(trimmed) {
			next := slices.Clone(lines)
			m := mutant{kind: kind, where: where, line: i + 1, section: cmp.Or(section, i+1), end: sectionEnd(lines, cmp.Or(section, i+1)), what: change}
			if change == "" {
				m.what = "deleted"
				end := i + 1
				for end < len(lines) && system != "comware" && len(lines[end])-len(strings.TrimLeft(lines[end], " ")) > depth && !strings.HasPrefix(strings.TrimSpace(lines[end]), "!") {
					end++
				}
				if system == "sonic" && strings.HasSuffix(l, "{") {
					end++ // the closing brace
				}
				next = slices.Delete(next, i, end)
			} else {
				next[i] = strings.Repeat(" ", depth) + change
			}
			m.body = strings.Join(next, "\n")
			if system == "sonic" {
				m.body = regexp.MustCompile(`,(\s*\})`).ReplaceAllString(m.body, "$1")
			}
			out = append(out, m)
		}
	}
	return out
}

// sectionEnd is the last line that is deeper than a section's head.
func sectionEnd(lines []string, head int) int {
	indent := func(l string) int { return len(l) - len(strings.TrimLeft(l, " ")) }
	depth := indent(lines[head-1])
	for i := head; i < len(lines); i++ {
		if indent(lines[i]) <= depth {
			return i
		}
	}
	return len(lines)
}

// changes are a line's wrong forms; "" deletes it.
func changes(line string) []string {
	out := []string{""}
	for _, at := range number.FindAllStringIndex(line, -1) {
		if at[0] > 0 && !strings.ContainsAny(line[at[0]-1:at[0]], " \"'|-") || at[1] < len(line) && !strings.ContainsAny(line[at[1]:at[1]+1], " \"',:|-") || len(out) > 8 {
			continue // part of a name; or enough of them
		}
		n, err := strconv.Atoi(line[at[0]:at[1]])
		if err != nil {
			continue
		}
		others := []int{n ^ 1}
		if n >= 64 {
			others = []int{n * 8, n / 8}
		}
		for _, o := range others {
			out = append(out, line[:at[0]]+strconv.Itoa(o)+line[at[1]:])
		}
	}
	for _, w := range [][2]string{{"dscp", "dot1p"}, {"strict", "dwrr"}, {"STRICT", "DWRR"}, {"no-drop", "drop"}, {"l3", "l2"}, {"disable", "enable"}, {"true", "false"}, {"ecn_all", "ecn_none"}} {
		if strings.Contains(line, ": "+w[0]) || strings.HasSuffix(line, " "+w[0]) || strings.Contains(line, `"`+w[0]+`"`) {
			out = append(out, strings.Replace(line, w[0], w[1], 1))
		}
	}
	return out
}

var (
	sonicTables = regexp.MustCompile(`"(DSCP_TO_TC_MAP|TC_TO_QUEUE_MAP|TC_TO_PRIORITY_GROUP_MAP|MAP_PFC_PRIORITY_TO_QUEUE|PFC_PRIORITY_TO_PRIORITY_GROUP_MAP|PORT_QOS_MAP|QUEUE|SCHEDULER|WRED_PROFILE|BUFFER_PG|BUFFER_QUEUE|BUFFER_PROFILE|BUFFER_POOL|CABLE_LENGTH|PFC_WD)"`)
	sonicPort   = regexp.MustCompile(`"(mtu)"`)
)

func relevant(system, context, line string) bool {
	switch system {
	case "sonic":
		return sonicTables.MatchString(context) && !strings.Contains(line, "{") || strings.Contains(context, `"PORT"`) && sonicPort.MatchString(line) ||
			sonicTables.MatchString(context) && strings.Contains(line, "{") && strings.Contains(line, "Ethernet")
	case "cumulus":
		return strings.Contains(context, " qos:") || strings.HasPrefix(line, "mtu:")
	}
	return true
}

// side tells what a port leads to: servers or switches.
func side(system string, lines []string, port string) string {
	for i, l := range lines {
		t := strings.TrimSpace(l)
		if t != "interface "+port && t != port+":" && t != `"`+port+`": {` {
			continue
		}
		for _, n := range lines[i+1 : min(i+40, len(lines))] {
			if t := strings.TrimSpace(n); strings.Contains(t, "description") {
				if strings.Contains(t, "spine") || strings.Contains(t, "leaf") {
					return "uplink"
				}
				if strings.Contains(t, "gpu") {
					return "host"
				}
				break
			}
		}
	}
	return "other"
}

// verdict is what became of a mutant.
type verdict uint8

const (
	unnoticed verdict = iota
	noted             // something is said, at a line that is only affected
	inSection         // at another line of the same section
	exact             // an error or warning at the line, or at its section's
)

func (m *mutant) judge(t *testing.T, dir, file string, before map[string]bool) (verdict, []audit.Finding) {
	t.Helper()
	to := filepath.Join(dir, file)
	good, err := os.ReadFile(to)
	if err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(to, []byte(m.body), 0o644); err != nil {
		t.Fatal(err)
	}
	defer os.WriteFile(to, good, 0o644)
	_, r := judged(t, dir, "")
	best := unnoticed
	var fresh []audit.Finding
	for _, f := range r.Findings {
		if before[f.Code+f.Switch+f.Message] {
			continue
		}
		fresh = append(fresh, f)
		switch near := f.File == file && (int(f.Line) == m.line || int(f.Line) == m.section || m.what == "deleted" && f.Line > 0 && abs(int(f.Line)-m.line) <= 1); {
		case near && f.Remedy != "":
			best = max(best, exact)
		case f.File == file && int(f.Line) >= m.section && int(f.Line) <= m.end && f.Remedy != "":
			best = max(best, inSection)
		default:
			best = max(best, noted)
		}
	}
	return best, fresh
}

func abs(n int) int { return max(n, -n) }

// harmless are mutants that change nothing about losslessness, or nothing that a
// configuration alone can tell, with the reason.
var harmless = []struct {
	system string
	mutant *regexp.Regexp
	why    string
}{
	{"comware", regexp.MustCompile(`import (3 export 3|6 export 6|26 export 3|48 export 6)`), "the row says what the default does"},
	{"comware", regexp.MustCompile(`drop-level [1-7] .*: |drop-level 2 .*: deleted`), "limits of colours that nothing gives to RoCE"},
	{"comware", regexp.MustCompile(`weighting-constant 0: deleted`), "averaging, and the profile stays alike"},
	{"comware", regexp.MustCompile(`jumboframe`), "the default size differs by model and is not documented; a larger one loses nothing"},
	{"comware", regexp.MustCompile(`qos wfq byte-count: deleted|group 0 byte-count|byte-count 51`), "bandwidth stays within a twentieth"},
	{"vrp", regexp.MustCompile(`dcb pfc: deleted|priority 3: deleted`), "priority 3 is what a profile without a list pauses"},
	{"vrp", regexp.MustCompile(`mtu 72000|mtu 73712`), "a larger size loses nothing"},
	{"vrp", regexp.MustCompile(`weight 51`), "bandwidth stays within a twentieth"},
	{"vrp", regexp.MustCompile(`slot 0`), "slots are the chassis's matter"},
	{"vrp", regexp.MustCompile(`headroom-pool size 7`), "the pool follows the number of ports, which differs"},
	{"eos", regexp.MustCompile(`uc-tx-queue 6|priority strict|dscp (26|48|56) to traffic-class . *: deleted`), "the line says what the default does"},
	{"eos", regexp.MustCompile(`percent 51|weight 1$`), "bandwidth stays within a twentieth; averaging"},
	{"eos", regexp.MustCompile(`no switchport: deleted|mtu 73712`), "the address still makes it routed; a larger size loses nothing"},
	{"sonic", regexp.MustCompile(`PORT\|0|PORT\|4-7|"egress_lossy|ingress_lossy|"FLEX_COUNTER_TABLE": . > "QUEUE"`), "traffic that may be lost"},
	{"sonic", regexp.MustCompile(`CABLE_LENGTH.*deleted`), "groups with a profile of their own do not need it"},
	{"sonic", regexp.MustCompile(`pfc_to_queue_map": "ROCE",: deleted|dscp_to_tc_map": "ROCE",?: deleted|pfcwd_sw_enable": "3",: deleted`), "the same follows from the default or from the other binding"},
	{"sonic", regexp.MustCompile(`mtu`), "a larger size loses nothing, and the others are spare ports"},
	{"cumulus", regexp.MustCompile(`mtu`), "9216 is the default; a larger size loses nothing"},
	{"cumulus", regexp.MustCompile(`state: enable: deleted`), "a watchdog that is named is on"},
	{"cumulus", regexp.MustCompile(`egress-queue-mapping.*> '[036]'|dscp: > '(0|3|4|6|26|48)'`), "the row says what the default does"},
}

func (m *mutant) harmless(system string) bool {
	for _, h := range harmless {
		if h.system == system && h.mutant.MatchString(m.kind+": "+m.what) {
			return true
		}
	}
	return false
}

const fabricOf = `version: 1
name: mutation
fabric: {technology: roce, topology: leaf-spine, rails_per_leaf: 1}
servers:
  - {name: gpu, count: 24, model: dgx-h100, cable: {length: 5m}}
switches:
  leaf: {model: MODEL, os: OS}
  spine: {model: MODEL, os: OS, cable: {length: 30m}}
`

// fabricMixed has leaves and spines of two systems.
const fabricMixed = `version: 1
name: mutation-mixed
fabric: {technology: roce, topology: leaf-spine, rails_per_leaf: 1}
servers:
  - {name: gpu, count: 48, model: dgx-h100, cable: {length: 5m}}
switches:
  leaf: {model: arista-7060x6-64pe, os: eos}
  spine: {model: dell-z9864f, os: sonic, cable: {length: 30m}}
`

func fabricWith(model, system string) string {
	return strings.NewReplacer("MODEL", model, "OS", system).Replace(fabricOf)
}

// TestMutations makes every kind of lossless line of every system wrong, on a
// host port, an uplink and the switch, one at a time.
func TestMutations(t *testing.T) {
	if testing.Short() {
		t.Skip("about a thousand audits")
	}
	fabrics := []struct {
		name, system, text, file string
		least                    float64 // of the mutants that are noticed
	}{
		{"comware", "comware", fabricWith("h3c-s9827-128dh", "comware"), "leaf-u01-r0/startup.cfg", 0.85},
		{"vrp-p", "vrp", fabricP, "leaf-u01-r0/vrpcfg.cfg", 0.85},
		{"vrp-j", "vrp", fabricJ, "leaf-u01-r0/vrpcfg.cfg", 0.85},
		{"eos", "eos", fabricWith("arista-7060x6-64pe", "eos"), "leaf-u01-r0/startup-config", 0.85},
		{"sonic", "sonic", fabricWith("dell-z9864f", "sonic"), "leaf-u01-r0/config_db.json", 0.75},
		{"mixed, spine", "sonic", fabricMixed, "spine-01/config_db.json", 0.75},
		{"mixed, leaf", "eos", fabricMixed, "leaf-u01-r0/startup-config", 0.85},
		{"cumulus", "cumulus", fabricWith("nvidia-sn5600", "cumulus"), "leaf-u01-r0/startup.yaml", 0.6},
	}
	for _, f := range fabrics {
		t.Run(f.name, func(t *testing.T) {
			t.Parallel()
			files := ofText(t, f.text)
			if files[f.file] == "" {
				t.Fatalf("no %s in %v", f.file, slices.Sorted(maps.Keys(files))[:3])
			}
			dir := write(t, files)
			_, clean := judged(t, dir, "")
			before := map[string]bool{}
			for _, x := range clean.Findings {
				before[x.Code+x.Switch+x.Message] = true
			}
			for _, x := range serious(clean) {
				t.Errorf("the clean fabric: %+v", x)
			}
			counts := map[verdict]int{}
			idle := 0
			list := mutants(f.system, files[f.file])
			var missed []string
			for i := range list {
				m := &list[i]
				v, fresh := m.judge(t, dir, f.file, before)
				if v == unnoticed && m.harmless(f.system) {
					idle++
					continue
				}
				counts[v]++
				if v == unnoticed {
					t.Errorf("unnoticed on %s: %s: %s", m.where, m.kind, m.what)
				}
				if v < inSection {
					text := fmt.Sprintf("%d %s %s: %s", v, m.where, m.kind, m.what)
					for _, x := range fresh[:min(len(fresh), 2)] {
						text += fmt.Sprintf("\n        %s %s %s:%d %s (changed %d, section %d)", x.Severity, x.Code, x.File, x.Line, x.Message, m.line, m.section)
					}
					missed = append(missed, text)
				}
			}
			t.Logf("%s: %d mutants, %d at the line, %d in its section, %d elsewhere, %d unnoticed; %d change nothing", f.name, len(list), counts[exact], counts[inSection], counts[noted], counts[unnoticed], idle)
			if near := counts[exact] + counts[inSection]; float64(near) < f.least*float64(len(list)-idle) {
				t.Errorf("only %d of %d mutants are found at their line or section", near, len(list)-idle)
			}
			if os.Getenv("MUTANTS") != "" {
				t.Log(strings.Join(missed, "\n"))
			}
		})
	}
}
