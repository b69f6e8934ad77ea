package vrp

import (
	"fmt"
	"strconv"
	"strings"

	"railyard/generator/fabric"
)

// step is one thing to do or to confirm by hand.
type step struct {
	Title    string
	Why      []string
	Commands []string
}

type stepsView struct {
	Name  string
	Steps []step
}

// stepsOf lists the steps of a switch in the order in which they are done.
func stepsOf(v *view, proposals []proposal) []step {
	steps := cageSteps(v)
	steps = append(steps, step{
		Title:    "Create the host key for SSH (asks for its length)",
		Commands: []string{"system-view", "rsa local-key-pair create", "commit"},
	}, step{
		Title: "Load the configuration, look at the difference, try it, keep it",
		Why:   []string{"Copy the file to the switch first. Replacing drops every line that is not in it; a trial that is not confirmed is rolled back."},
		Commands: []string{"load configuration file " + ConfigFile + " replace", "display configuration candidate changes",
			"display configuration replace failed", "commit trial", "commit", "return", "save"},
	})
	if len(v.noLogin) > 0 {
		steps = append(steps, step{
			Title: "Set the passwords of " + strings.Join(v.noLogin, ", "),
			Why: []string{"No hash in this system's own form was given, and a foreign one would be taken for a clear password.",
				"The command asks for the password twice. Do it in the session that loads the file."},
			Commands: perUser(v.noLogin),
		})
	}
	if v.GRPC != "" {
		steps = append(steps, gnmiStep(v))
	}
	steps = append(steps, routingSteps(v)...)
	for i := range proposals {
		if i == 0 {
			steps = append(steps, intentStep(v))
		}
		steps = append(steps, proposalStep(&proposals[i]))
	}
	return append(steps, losslessSteps(v)...)
}

func perUser(names []string) []string {
	out := []string{"aaa"}
	for _, n := range names {
		out = append(out, " local-user "+n+" password")
	}
	return out
}

// cageSteps come first: they remove ports with their configuration, ask a
// question and have to be committed before the new ports can be configured.
func cageSteps(v *view) []step {
	l := &v.layout
	var out []step
	if len(l.modes)+len(l.splits) > 0 {
		s := step{Title: "Remake the ports before anything else (each line asks a question)",
			Why: []string{"The old ports and their configuration vanish, and a rollback does not bring them back.",
				"If the answer speaks of a reset, save and reset the slot before going on."}}
		for _, c := range l.modes {
			s.Commands = append(s.Commands, "port mode "+c.Type+" interface "+c.Ports)
		}
		for _, c := range l.splits {
			s.Commands = append(s.Commands, "port split dimension interface "+c.Ports+" split-type "+c.Type)
		}
		s.Commands = append(s.Commands, "commit")
		out = append(out, s)
	}
	if len(l.candidates) > 0 {
		s := step{Title: "Not confirmed: splits that no document lists for these ports",
			Why: []string{"Ask the device with a question mark after split-type; the interface names in the configuration depend on it."}}
		for _, c := range l.candidates {
			s.Commands = append(s.Commands, "port split dimension interface "+c.Ports+" split-type "+c.Type)
		}
		out = append(out, s)
	}
	return out
}

func gnmiStep(v *view) step {
	return step{
		Title: "Give the gNMI service a certificate and its own user",
		Why: []string{"The service is on, but serves nobody before it has a TLS policy. Load the certificate into the PKI domain first;",
			"names in capitals are yours. The vendor's example logs in with a user of service type http."},
		Commands: []string{"ssl policy POLICY", " pki-domain DOMAIN", "grpc", " grpc server", "  undo server enable", "  ssl-policy POLICY", "  ssl-verify peer",
			"  server enable", "aaa", " local-user USER password", " local-user USER service-type http", " local-user USER user-group manage-ug"},
	}
}

func routingSteps(v *view) []step {
	var out []step
	var peers []string
	for i := range v.sw.Ports {
		if p := &v.sw.Ports[i]; p.Unnumbered() {
			peers = append(peers, fmt.Sprintf("interface %s", v.layout.names[i]), " ipv6 enable", " ipv6 address auto link-local",
				"bgp "+strconv.FormatUint(uint64(v.sw.ASN), 10), " peer UNDERLAY unnumbered-interface "+v.layout.names[i])
		}
	}
	if len(peers) > 0 {
		out = append(out, step{Title: "Not confirmed: BGP without addresses",
			Why:      []string{"The two BGP commands are documented, the interface side is not. Addressed links need none of this."},
			Commands: append([]string{"bgp " + strconv.FormatUint(uint64(v.sw.ASN), 10), " group UNDERLAY unnumbered external"}, peers...)})
	}
	return out
}

// intentStep states the lossless plan in plain units.
func intentStep(v *view) step {
	l := v.fabric.Lossless
	s := step{Title: "The lossless plan of this switch, which its configuration does not hold",
		Why: []string{"No public document says which lossless commands this model or release speaks. Without them it drops RoCE under load."}}
	for i := range l.Classes {
		c := &l.Classes[i]
		s.Commands = append(s.Commands, classText(c))
	}
	seen := map[int]bool{}
	for i := range v.Ports {
		n := v.Ports[i].profile
		if n < 0 || seen[n] {
			continue
		}
		seen[n] = true
		p := &l.Profiles[n]
		s.Commands = append(s.Commands, fmt.Sprintf("%dG ports with %gm cable: headroom %d bytes, ECN %d to %d bytes at %d percent",
			p.SpeedGbps, p.LengthM, p.XoffBytes, p.KminBytes, p.KmaxBytes, p.PmaxPercent))
	}
	if w := &l.Watchdog; w.Enabled {
		s.Commands = append(s.Commands, fmt.Sprintf("watchdog: detect %s, restore %s, %s", w.Detect, w.Restore, w.Action))
	}
	return s
}

func classText(c *fabric.Class) string {
	dscp := "every other DSCP"
	if len(c.DSCP) > 0 {
		words := make([]string, len(c.DSCP))
		for i, d := range c.DSCP {
			words[i] = strconv.Itoa(d)
		}
		dscp = "DSCP " + strings.Join(words, ", ")
	}
	share := fmt.Sprintf("weight %d", c.WeightPercent)
	if c.Strict {
		share = "strict priority"
	}
	text := fmt.Sprintf("class %s: %s in queue %d, %s", c.Name, dscp, c.Queue, share)
	if c.Lossless {
		text += fmt.Sprintf(", PFC on priority %d", c.Priority)
	}
	if c.ECN {
		text += ", ECN"
	}
	return text
}

func proposalStep(p *proposal) step {
	s := step{Title: "Not confirmed: the same plan in the commands of family " + p.family.String(),
		Why: []string{"Try the first command of each block with a question mark. Use one family's commands, never both."}}
	s.Commands = append(s.Commands, lines(p.system)...)
	for i := range p.ports {
		s.Commands = append(s.Commands, "# each port with "+p.names[i])
		s.Commands = append(s.Commands, lines(p.ports[i])...)
	}
	return s
}

func lines(text string) []string {
	return strings.Split(strings.TrimPrefix(text, "\n"), "\n")
}

// losslessSteps are for switches that do get lossless lines.
func losslessSteps(v *view) []step {
	if v.plan == nil || !v.family.lossless() || v.plan.Priorities == "" {
		return nil
	}
	p := v.plan
	check := step{Title: "See that the switch took the lossless plan",
		Why:      []string{"The thresholds at which PFC fires are the device's own: no document says which buffer factor an alpha value stands for."},
		Commands: []string{"display dcb pfc-profile", "display dcb pfc", "display dcb pfc buffer", "display qos ecn threshold interface IF"}}
	if p.DropDefaultPriority {
		check.Why = append(check.Why, "PFC must be on for "+p.Priorities+" and off for 3, which is on by default.")
	}
	out := []step{check}
	if p.DRR == "" {
		s := step{Title: "Not confirmed: scheduling of queues that do not lie side by side",
			Why: []string{"All queues are left in strict priority. Wanted are:"}}
		for i := range v.fabric.Lossless.Classes {
			s.Commands = append(s.Commands, classText(&v.fabric.Lossless.Classes[i]))
		}
		out = append(out, s)
	}
	if ups := uplinks(v); len(ups) > 0 && v.sw.Role == fabric.Leaf {
		out = append(out, step{Title: "Choice: deadlock prevention by moving bounced packets to another queue",
			Why: []string{"The routes of this fabric do not bounce packets. If you add links that could, this needs a second lossless",
				"queue (B) with its own DSCP (D) on every switch, PFC on it, and the original DSCP (A)."},
			Commands: append([]string{"dcb pfc uplink group UPLINKS", " adjust original-dscp A to priority B dscp D"}, ups...)})
	}
	return out
}

func uplinks(v *view) []string {
	var out []string
	for i := range v.sw.Ports {
		if p := &v.sw.Ports[i]; p.Role == fabric.UplinkPort && p.Link >= 0 {
			out = append(out, " group-member interface "+v.layout.names[i])
		}
	}
	return out
}
