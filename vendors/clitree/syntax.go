package clitree

import "regexp"

// Syntax says how an operating system prints its configuration.
type Syntax struct {
	Name string // the OS as cluster files call it
	// Separator alone on a line at column 0 ends the section before it; indented
	// it means nothing. Lines that begin with it and go on are comments.
	Separator byte
	// Closer alone on a line ends the innermost section; "" for none.
	Closer string
	// End is the last line of a complete text.
	End string
	// OpenEnd: files without End are complete when they end with the separator.
	OpenEnd bool
	// Device are beginnings of lines that only a device's own output has.
	Device []string
	// Words are first words of top-level lines: what comes before the first of
	// them or the first separator is no configuration.
	Words []string
	// Texts are values that run over several lines.
	Texts []Text
	// Empty are lines that close a section and carry nothing.
	Empty []string
	// prompt matches a session's prompt at the start of a line, show the command
	// that prints a configuration and part what makes it the command for a part.
	prompt, show, part *regexp.Regexp
}

// Text is a value over several lines. Its node's text is all of it, lines joined
// by line feeds.
type Text struct {
	Start string // beginning of the line that opens it
	End   string // the line that ends it; "" : the delimiter that follows Start
}

// maxPrompt bounds the prompt's name, so that a long line is never taken for one.
const maxPrompt = 128

var (
	chinesePrompt = regexp.MustCompile(`^(?:(?:HRP|RBM)_[A-Z])?(?:<[^<> ]{1,128}>|\[[~*]?[^\[\] ]{1,128}\])`)
	chineseShow   = regexp.MustCompile(`^dis(?:p|pl|pla|play)?\s+(?:cu|sa|th)[a-z-]*`)
	chinesePart   = regexp.MustCompile(`^\s+(?:all\s*$|include-default\s*$|\|\s*no-more)|^\s*$`)
	ciscoPrompt   = regexp.MustCompile(`^[A-Za-z0-9][A-Za-z0-9._:/@-]{0,127}(?:\([^()]{1,64}\))?[>#]`)
	ciscoShow     = regexp.MustCompile(`^sh(?:o|ow)?\s+(?:ru|star)[a-z-]*`)
	ciscoPart     = regexp.MustCompile(`^\s+(?:all\s*$|\|\s*no-more)|^\s*$`)
)

// Comware is H3C's: system-view lines have one blank in front, views stand at
// column 0, their lines one blank deeper per level.
func Comware() *Syntax {
	return &Syntax{
		Name: "comware", Separator: '#', End: "return", Device: []string{"version "},
		Words: []string{"version", "mdc", "sysname", "clock", "interface", "vlan", "ip", "ipv6", "bgp", "ospf", "lldp", "stp", "qos", "buffer",
			"priority-flow-control", "irf", "line", "user-interface", "ssh", "ntp-service", "local-user", "grpc", "netconf", "snmp-agent", "info-center",
			"acl", "role", "domain", "user-group", "radius", "hwtacacs", "password-recovery", "scheduler", "undo", "dns", "public-key", "traffic",
			"route-policy", "link-aggregation", "jumboframe", "dhcp", "super", "header", "telemetry", "system-working-mode", "hardware-resource"},
		Texts:  []Text{{Start: "header legal "}, {Start: "header login "}, {Start: "header motd "}, {Start: "header shell "}, {Start: "header incoming "}},
		prompt: chinesePrompt, show: chineseShow, part: chinesePart,
	}
}

// VRP is Huawei's: views and system-view lines at column 0, one blank per level;
// older releases put one blank in front of everything.
func VRP() *Syntax {
	return &Syntax{
		Name: "vrp", Separator: '#', End: "return", OpenEnd: true, Device: []string{"!Software Version", "!Last configuration"},
		Words: []string{"sysname", "info-center", "clock", "device", "port", "drop-profile", "dcb", "qos", "diffserv", "dns", "ntp", "ntp-service",
			"vlan", "ip", "rsa", "dsa", "ecc", "aaa", "interface", "bgp", "ospf", "lldp", "grpc", "stelnet", "ssh", "user-interface", "snmp-agent",
			"stp", "acl", "route-policy", "traffic", "undo", "snetconf", "netconf", "ai-service", "load-balance", "rail-group", "license", "router",
			"system", "telnet", "ftp", "sftp", "pki", "ssl", "error-down", "cpu-defend", "set", "header", "bfd", "isis", "mpls", "xpl", "ipv6", "http", "version", "super"},
		Texts:  []Text{{Start: "header shell information "}, {Start: "header login information "}},
		Empty:  []string{"public-key-code end", "peer-public-key end"},
		prompt: chinesePrompt, show: chineseShow, part: chinesePart,
	}
}

// EOS is Arista's: three blanks per level.
func EOS() *Syntax {
	return &Syntax{
		Name: "eos", Separator: '!', End: "end", Device: []string{"! Command: show", "! Startup-config last modified"},
		Words: []string{"transceiver", "username", "service", "logging", "hostname", "ip", "ipv6", "qos", "spanning-tree", "vlan", "vrf", "management",
			"aaa", "interface", "ntp", "router", "route-map", "priority-flow-control", "mtu", "no", "platform", "class-map", "policy-map", "daemon",
			"enable", "boot", "snmp-server", "prompt", "terminal", "alias", "clock", "banner", "lldp", "switchport", "mlag", "errdisable", "hardware",
			"load-balance", "port-channel", "event-handler", "role", "radius-server", "tacacs-server", "dns", "sflow", "queue-monitor", "agent", "default",
			"peer-filter", "tcam", "monitor", "mac", "arp", "control-plane", "system", "schedule", "redundancy", "ptp", "email"},
		Texts:  []Text{{Start: "banner login", End: "EOF"}, {Start: "banner motd", End: "EOF"}, {Start: "comment", End: "EOF"}},
		prompt: ciscoPrompt, show: ciscoShow, part: ciscoPart,
	}
}

// FRR is FRRouting's vtysh text, as in frr.conf.
func FRR() *Syntax {
	return &Syntax{
		Name: "frr", Separator: '!', End: "end", OpenEnd: true,
		Words: []string{"frr", "hostname", "log", "service", "router", "interface", "ip", "ipv6", "route-map", "bgp", "no", "line", "agentx", "vrf",
			"password", "enable", "debug", "zebra", "bfd", "end"},
		Empty:  []string{"exit", "exit-address-family", "exit-vrf"},
		prompt: ciscoPrompt, show: ciscoShow, part: ciscoPart,
	}
}

// RGOS is Ruijie's: one blank per level.
func RGOS() *Syntax {
	s := Generic()
	s.Name, s.End, s.Device = "rgos", "end", []string{"Building configuration", "Current configuration"}
	return s
}

// ZXROS is ZTE's: two blanks per level, sections closed by a dollar sign.
func ZXROS() *Syntax {
	s := Generic()
	s.Name, s.Closer = "zxros", "$"
	return s
}

// Generic is any text where indentation makes sections and ! or # stand between
// them.
func Generic() *Syntax {
	return &Syntax{Name: "generic", Separator: '!', OpenEnd: true, prompt: ciscoPrompt, show: ciscoShow, part: ciscoPart}
}
