package dialect

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"strings"

	gpb "github.com/openconfig/gnmi/proto/gnmi"

	"railyard/vendors/gnmi"
)

// originCLI is the only name EOS accepts for its command line, in spite of the
// specification's <nos>_cli (openconfig/ygnmi issue 173).
const originCLI = "cli"

// eos sends lines of the command line as one update, which EOS applies as one
// configuration session. It never replaces the whole configuration: what
// railyard does not know of, such as how the switch is managed, would be gone.
type eos struct {
	intended []byte
	file     string
	ignore   []string
	differ   Differ
}

func (*eos) Name() string { return originCLI }

// Read asks for the running configuration as text (EOS 4.29.2F and later).
func (*eos) Read(ctx context.Context, r Reader) ([]byte, error) {
	list, err := get(ctx, r, gnmi.Path(originCLI, "show running-config"), gpb.GetRequest_ALL, gpb.Encoding_ASCII)
	if err != nil {
		return nil, err
	}
	var text []byte
	for _, u := range list {
		switch v := u.GetVal().GetValue().(type) {
		case *gpb.TypedValue_AsciiVal:
			text = append(text, v.AsciiVal...)
		case *gpb.TypedValue_StringVal:
			text = append(text, v.StringVal...)
		default:
			return nil, errors.New("show running-config came back as something else than text")
		}
	}
	if len(bytes.TrimSpace(text)) == 0 {
		return nil, errors.New("show running-config came back empty: the login may lack the right to read it")
	}
	return text, nil
}

func (d *eos) Plan(running []byte) (*Plan, error) {
	now, _ := withoutSecrets(running)
	intended, secrets := withoutSecrets(d.intended)
	p, err := d.way(now, intended)
	if err != nil {
		return nil, err
	}
	p.Undo = now
	p.Host = d.Host(running)
	missing := 0
	for _, line := range secrets {
		if !bytes.Contains(running, []byte(line)) {
			missing++
		}
	}
	if missing > 0 {
		p.Manual = append(p.Manual, Manual{What: fmt.Sprintf("%d lines that hold a secret and that the device does not have in this form; secrets are not pushed", missing),
			File: d.file, Commands: []string{"configure", "(paste the lines with username … secret, password or key)"}})
	}
	if len(p.Requests) > 0 && !bytes.Contains(running, []byte("operation set persistence")) {
		p.Notes = append(p.Notes, "EOS keeps what gNMI sets in the running configuration only: save it with write memory (or configure operation set persistence)")
	}
	return p, nil
}

func (*eos) Host(running []byte) string {
	host := ""
	for line := range strings.Lines(string(running)) {
		if name, ok := strings.CutPrefix(line, "hostname "); ok {
			host = strings.TrimSpace(name)
		}
	}
	return host
}

func (d *eos) Back(now, undo []byte) (*Plan, error) {
	now, _ = withoutSecrets(now)
	return d.way(now, undo)
}

func (d *eos) way(from, to []byte) (*Plan, error) {
	diff, err := d.differ.Compare("eos", from, to, d.ignore)
	if err != nil {
		return nil, err
	}
	p := &Plan{}
	lines, kept := sendable(diff.Patch)
	if len(kept) > 0 {
		p.Manual = append(p.Manual, Manual{What: "lines about how the switch is managed, which could cut it off", File: d.file,
			Commands: append([]string{"configure"}, kept...)})
	}
	for _, r := range diff.Remarks {
		p.Manual = append(p.Manual, Manual{What: r, File: d.file})
	}
	if len(lines) == 0 {
		return p, nil
	}
	for _, c := range diff.Changes {
		if len(c.Path) == 0 || !lifeline(c.Path[0]) {
			p.Changes = append(p.Changes, c)
		}
	}
	p.Requests = []*gpb.SetRequest{{Update: []*gpb.Update{{Path: &gpb.Path{Origin: originCLI},
		Val: &gpb.TypedValue{Value: &gpb.TypedValue_AsciiVal{AsciiVal: strings.Join(lines, "\n") + "\n"}}}}}}
	return p, nil
}

// sendable takes out of a patch what belongs to the person at the keyboard
// (entering and leaving configuration mode, saving) and the sections by which
// the switch is reached.
func sendable(patch []byte) (lines, kept []string) {
	own := false
	for line := range strings.Lines(string(patch)) {
		line = strings.TrimRight(line, " \r\n")
		word := strings.TrimSpace(line)
		if word == "" || strings.HasPrefix(word, "!") {
			continue
		}
		if line == word { // top level
			switch word {
			case "configure", "configure terminal", "end", "write memory", "copy running-config startup-config", "commit", "abort":
				continue
			}
			own = lifeline(word)
		}
		if own {
			kept = append(kept, line)
		} else {
			lines = append(lines, line)
		}
	}
	return lines, kept
}

// lifeline reports whether a top-level line, or its section, decides whether
// the switch can still be reached and logged in to.
func lifeline(line string) bool {
	line = strings.ToLower(strings.TrimPrefix(line, "no "))
	line = strings.TrimPrefix(line, "default ")
	for _, p := range []string{"interface management", "management ", "username ", "aaa ", "enable ", "vrf instance mgmt", "vrf instance management", "ip route vrf ", "ipv6 route vrf ", "ip access-group", "system control-plane"} {
		if strings.HasPrefix(line, p) {
			return true
		}
	}
	return false
}

// withoutSecrets takes out every line with a secret and what stands under it.
func withoutSecrets(text []byte) (rest []byte, secrets []string) {
	under := -1
	for line := range strings.Lines(string(text)) {
		depth := len(line) - len(strings.TrimLeft(line, " "))
		if under >= 0 && depth > under && strings.TrimSpace(line) != "" {
			continue
		}
		under = -1
		if gnmi.HoldsSecret(line) {
			under = depth
			secrets = append(secrets, strings.TrimSpace(line))
			continue
		}
		rest = append(rest, line...)
	}
	return rest, secrets
}
