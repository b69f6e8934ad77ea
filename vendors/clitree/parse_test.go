package clitree

import (
	"bytes"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"golang.org/x/text/encoding/simplifiedchinese"
)

// outline prints a tree with one dot per level, for comparison.
func outline(n *Node) string {
	var b strings.Builder
	n.Walk(func(path []*Node, n *Node) {
		b.WriteString(strings.Repeat(".", len(path)) + n.Text + "\n")
	})
	return b.String()
}

func codes(list []Problem) string {
	var out []string
	for _, p := range list {
		out = append(out, string(p.Severity)+" "+p.Code)
	}
	return strings.Join(out, ", ")
}

const comwareText = "#\n sysname LEAF01\n#\n lldp global enable\n#\nvlan 10 to 11\n#\ninterface FourHundredGigE1/0/1\n port link-mode route\n ip address 10.0.0.0 255.255.255.254\n#\nbgp 65101\n peer 10.0.0.1 as-number 65000\n #\n address-family ipv4 unicast\n  balance 8\n  peer 10.0.0.1 enable\n#\nreturn\n"

const comwareTree = "sysname LEAF01\nlldp global enable\nvlan 10 to 11\ninterface FourHundredGigE1/0/1\n.port link-mode route\n.ip address 10.0.0.0 255.255.255.254\nbgp 65101\n.peer 10.0.0.1 as-number 65000\n.address-family ipv4 unicast\n..balance 8\n..peer 10.0.0.1 enable\n"

const eosText = "! Command: show running-config\n! device: leaf1 (DCS-7060X6-64PE, EOS-4.34.2F)\n!\nhostname leaf1\n!\nqos profile ROCE\n   qos trust dscp\n   !\n   uc-tx-queue 3\n      no priority\n!\ninterface Ethernet1/1\n   mtu 9214\n   comment\n   spare #1\n   EOF\n   no switchport\n!\nbanner login\n! keep out\ninterface of the king\nEOF\n!\nend\n"

const eosTree = "hostname leaf1\nqos profile ROCE\n.qos trust dscp\n.uc-tx-queue 3\n..no priority\ninterface Ethernet1/1\n.mtu 9214\n.comment\nspare #1\nEOF\n.no switchport\nbanner login\n! keep out\ninterface of the king\nEOF\n"

// TestParse holds the shapes of the systems and what people's captures add to
// them (h3c reference sections 6 and 11, huawei 2.2, 2.3 and 9, arista 4.1, ruijie-zte 2.3).
func TestParse(t *testing.T) {
	gbk, err := simplifiedchinese.GBK.NewEncoder().String("#\n sysname LEAF01\n#\ninterface HundredGigE1/0/1\n port link-mode route\n description 到骨干\n#\nreturn\n")
	if err != nil {
		t.Fatal(err)
	}
	pagerLine := "  ---- More ----\x1b[16D                \x1b[16D"
	tests := []struct {
		name     string
		syntax   *Syntax
		text     string
		want     string
		problems string
	}{
		{"comware", Comware(), comwareText, comwareTree, ""},
		{"comware, CR LF and BOM", Comware(), "\ufeff" + strings.ReplaceAll(comwareText, "\n", "\r\n"), comwareTree, ""},
		{"comware, echo and prompt", Comware(), "****\n* Copyright (c) 2004-2023 New H3C *\n****\nlogin: admin\n<LEAF01>screen-length disable\n% Screen-length configuration is disabled for current user.\n<LEAF01>display current-configuration\n" + comwareText + "<LEAF01>quit\n", comwareTree, "note preamble"},
		{"comware, banner without prompt", Comware(), "Press Y or ENTER to continue, N to exit.\n\nWelcome to the hall\n" + comwareText, comwareTree, "note preamble"},
		{"comware, pager wiped by the terminal", Comware(), strings.Replace(comwareText, "interface F", pagerLine+"interface F", 1), comwareTree, "note pager"},
		{"comware, pager wiped, indented line", Comware(), strings.Replace(comwareText, " ip address", pagerLine+" ip address", 1), comwareTree, "note pager"},
		{"comware, pager with backspaces", Comware(), strings.Replace(comwareText, " ip address", "---- More ----"+strings.Repeat("\b", 14)+strings.Repeat(" ", 14)+strings.Repeat("\b", 14)+" ip address", 1), comwareTree, "note pager"},
		{"comware, pager on a line of its own", Comware(), strings.Replace(comwareText, " ip address", "  ---- More ----\n ip address", 1), comwareTree, "note pager"},
		{"comware, escape byte lost", Comware(), strings.Replace(comwareText, " ip address", "  ---- More ----[16D                [16D ip address", 1), comwareTree, "note pager"},
		{"comware, syslog between", Comware(), strings.Replace(comwareText, "#\nbgp", "#\n%Jul 26 10:00:00:000 2023 LEAF01 SHELL/5/SHELL_LOGIN: admin logged in.\nbgp", 1), comwareTree, ""},
		{"comware, NUL and BEL", Comware(), strings.Replace(comwareText, "#\nbgp", "\x00#\a\nbgp", 1), comwareTree, ""},
		{"comware, trailing blanks", Comware(), strings.ReplaceAll(comwareText, "\n", "  \n"), comwareTree, ""},
		{"comware, brackets in a description", Comware(), "#\ninterface HundredGigE1/0/1\n port link-mode bridge\n description VER-NIC2-[TRUNK]\n#\nreturn\n", "interface HundredGigE1/0/1\n.port link-mode bridge\n.description VER-NIC2-[TRUNK]\n", ""},
		{"comware, GBK", Comware(), gbk, "sysname LEAF01\ninterface HundredGigE1/0/1\n.port link-mode route\n.description 到骨干\n", "note encoding"},
		{"comware, banner text", Comware(), "#\n sysname a\n#\n header legal %\nno entry\n interface Vlan-interface1\n%\n#\nreturn\n", "sysname a\nheader legal %\nno entry\ninterface Vlan-interface1\n%\n", ""},
		{"comware, cut off", Comware(), "#\n version 7.1.070, Release 6715\n#\n sysname a\n#\ninterface HundredGigE1/0/1\n port link-m", "version 7.1.070, Release 6715\nsysname a\ninterface HundredGigE1/0/1\n.port link-m\n", "fatal truncated"},
		{"comware, a fragment", Comware(), "interface HundredGigE1/0/1\n port link-mode route\n", "interface HundredGigE1/0/1\n.port link-mode route\n", "doubt truncated"},
		{"comware, a part was asked for", Comware(), "<a>display current-configuration interface\n#\ninterface HundredGigE1/0/1\n port link-mode route\n#\nreturn\n<a>", "interface HundredGigE1/0/1\n.port link-mode route\n", "doubt partial"},
		{"comware, refused", Comware(), "<a>display current-configuration\n               ^\n % Unrecognized command found at '^' position.\n<a>", "", "doubt refused, fatal truncated"},
		{"comware, text behind", Comware(), comwareText + "#\ninterface NULL0\n#\n", comwareTree, "doubt partial"},
		{"vrp, device output", VRP(), "2018-03-14 19:42:14.040 +01:00\n!Software Version V200R022C00SPC500\n!Last configuration was saved at 2018-03-14\n#\nsysname leaf1\n#\nai-service\n #\n ai-ecn\n  assign queue 4\n#\nreturn\n", "sysname leaf1\nai-service\n.ai-ecn\n..assign queue 4\n", ""},
		{"vrp, file form", VRP(), "#\nsysname leaf1\n#\nvlan batch 2 to 4 10\n#\n", "sysname leaf1\nvlan batch 2 to 4 10\n", ""},
		{"vrp, file form cut off", VRP(), "#\nsysname leaf1\n#\nvlan batch 2 to 4 10\n", "sysname leaf1\nvlan batch 2 to 4 10\n", "doubt truncated"},
		{"vrp, device output cut off at a separator", VRP(), "!Software Version V200R022C00SPC500\n#\nsysname leaf1\n#\n", "sysname leaf1\n", "fatal truncated"},
		{"vrp, older indentation", VRP(), "#\n sysname leaf1\n#\n vlan batch 10\n#\ninterface 100GE1/0/1\n  undo portswitch\n  mtu 9000\n#\nreturn\n", "sysname leaf1\nvlan batch 10\ninterface 100GE1/0/1\n.undo portswitch\n.mtu 9000\n", ""},
		{"vrp, public key", VRP(), "#\nrsa peer-public-key k encoding-type openssh\n public-key-code begin\n  ssh-rsa AAAA x\n public-key-code end\npeer-public-key end\n#\nsysname leaf1\n#\n", "rsa peer-public-key k encoding-type openssh\n.public-key-code begin\n..ssh-rsa AAAA x\nsysname leaf1\n", ""},
		{"eos", EOS(), eosText, eosTree, ""},
		{"eos, session", EOS(), "Last login: Mon Jul 3 from 10.0.0.1\nleaf1>enable\nleaf1#show running-config | no-more\n" + eosText + "leaf1#\n", eosTree, "note preamble"},
		{"eos, cut off", EOS(), strings.TrimSuffix(eosText, "end\n"), eosTree, "fatal truncated"},
		{"eos, refused", EOS(), "leaf1>show running-config\n% Invalid input (privileged mode required)\n", "", "doubt refused, fatal truncated"},
		{"zxros", ZXROS(), "!<if-intf>\ninterface xgei-0/1/1/2\n  no shutdown\n$\n!</if-intf>\nswitchvlan-configuration\n  vlan 101\n    name RAIL1\n  $\n  interface xgei-0/1/1/2\n    switchport access vlan 101\n  $\n$\n", "interface xgei-0/1/1/2\n.no shutdown\nswitchvlan-configuration\n.vlan 101\n..name RAIL1\n.interface xgei-0/1/1/2\n..switchport access vlan 101\n", ""},
		{"rgos", RGOS(), "Building configuration...\nCurrent configuration: 9048 bytes\n!\nvlan 100\ninterface Vlan 100\n ip address 92.89.100.1 255.255.255.0\nend\n", "vlan 100\ninterface Vlan 100\n.ip address 92.89.100.1 255.255.255.0\n", ""},
		{"wrong system", VRP(), comwareText, "", "fatal wrong-system"},
		{"wrong system, other direction", Comware(), "#\nsysname a\n#\nvlan batch 10\n#\ninterface 100GE1/0/1\n port default vlan 10\n#\nreturn\n", "", "fatal wrong-system"},
		{"nx-os is not eos", EOS(), "!Command: show running-config\nversion 9.3(5)\nhostname a\nfeature bgp\nfeature lldp\nvdc a id 1\ninterface Ethernet1/1\n  no switchport\n", "", "fatal wrong-system"},
		{"JSON", EOS(), "{\n \"PORT\": {}\n}\n", "", "fatal wrong-system"},
		{"flat", Comware(), "#\nsysname a\n#\ninterface HundredGigE1/0/1\nport link-mode bridge\nport access vlan 2\n#\ninterface HundredGigE1/0/2\nport link-mode bridge\nshutdown\n#\nreturn\n", "", "fatal flat"},
		{"empty", EOS(), "\n\n!\n", "", "doubt truncated, fatal empty"},
		{"binary", EOS(), strings.Repeat("\x01\x02PK\x03\x04", 40), "", "fatal binary"},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			root, problems := Parse([]byte(test.text), test.syntax)
			if got := codes(problems); got != test.problems {
				t.Errorf("problems %q, want %q: %v", got, test.problems, problems)
			}
			if got := outline(root); test.want != "" && got != test.want {
				t.Errorf("tree\n%s\nwant\n%s", got, test.want)
			}
		})
	}
}

// TestBanners: what a banner says is no configuration, and one that is never closed
// swallows nothing.
func TestBanners(t *testing.T) {
	const rest = "interface 100GE1/0/1\n description port A\n#\nbgp 1\n#\nreturn\n"
	tests := []struct{ name, text, problems string }{
		{"prose that looks like lines", "#\nheader login information %\n  interface fake\nreturn\n%\n#\n" + rest, ""},
		{"one line", "#\nheader login information \"keep out\"\n#\n" + rest, ""},
		{"one line without quotes, whose first letter ends another", "#\nheader login information Authorised access only\n#\n" + rest, ""},
		{"never closed", "#\nheader login information %\nkeep out\n#\n" + rest, "doubt unclosed"},
		{"the closing line in the middle", "#\nsysname a\n#\nreturn\n#\n" + rest, "doubt partial"},
		{"other commands behind it", "#\nsysname a\n#\n" + rest + "<a>display interface brief\nInterface  PHY\n100GE1/0/1 up\n<a>\n", "doubt preamble"},
	}
	for _, test := range tests {
		root, problems := Parse([]byte(test.text), VRP())
		if codes(problems) != test.problems {
			t.Errorf("%s: %v, want %s", test.name, problems, test.problems)
		}
		if test.problems == "" && (root.Find("bgp 1") == nil || root.Find("interface fake") != nil) {
			t.Errorf("%s: the rest is lost, or the banner read", test.name)
		}
	}
}

func TestLineNumbers(t *testing.T) {
	root, _ := Parse([]byte("banner\r\n\r\n"+strings.ReplaceAll(comwareText, "\n", "\r\n")), Comware())
	if n := root.Find("sysname LEAF01"); n == nil || n.Line != 4 {
		t.Errorf("sysname at %+v, want line 4", n)
	}
	if n := root.Find("bgp 65101").Find("address-family ipv4 unicast").Find("balance 8"); n == nil || n.Line != 18 {
		t.Errorf("balance at %+v, want line 18", n)
	}
}

func TestTooLarge(t *testing.T) {
	_, problems := Parse(bytes.Repeat([]byte("a\n"), MaxSize/2+1), EOS())
	if codes(problems) != "fatal too-large" {
		t.Errorf("problems %v", problems)
	}
}

// TestOwnFiles reads what the drivers write: nothing of it may be cleaned,
// doubted or lost.
func TestOwnFiles(t *testing.T) {
	for name, s := range map[string]*Syntax{"comware": Comware(), "vrp": VRP(), "eos": EOS()} {
		files, err := filepath.Glob(filepath.Join("..", name, "testdata", "*.cfg"))
		if err != nil || len(files) == 0 {
			t.Fatalf("%s: no files (%v)", name, err)
		}
		for _, file := range files {
			text, err := os.ReadFile(file)
			if err != nil {
				t.Fatal(err)
			}
			root, problems := Parse(text, s)
			if len(problems) > 0 {
				t.Errorf("%s: %v", file, problems)
			}
			nodes := 0
			root.Walk(func([]*Node, *Node) { nodes++ })
			lines := 0
			for _, l := range strings.Split(string(text), "\n") {
				l = strings.TrimSpace(l)
				if l != "" && l[0] != s.Separator && l != s.End && l != "public-key-code end" && l != "peer-public-key end" {
					lines++
				}
			}
			if nodes != lines {
				t.Errorf("%s: %d nodes of %d lines", file, nodes, lines)
			}
		}
	}
}

func FuzzParse(f *testing.F) {
	for _, seed := range []string{comwareText, eosText, "  ---- More ----\x1b[16D  \x1b[16Dx\n", "\xc4\xe3\n a\n\tb\n", "<a>dis cur\n#\n", "$\n$\n"} {
		f.Add([]byte(seed), uint8(0))
		f.Add([]byte(seed), uint8(2))
	}
	f.Fuzz(func(t *testing.T, text []byte, which uint8) {
		syntax := []func() *Syntax{Comware, VRP, EOS, FRR, RGOS, ZXROS, Generic}[which%7]()
		root, problems := Parse(text, syntax)
		count := bytes.Count(text, []byte("\n")) + 1
		if count == 1 {
			count += bytes.Count(text, []byte("\r"))
		}
		root.Walk(func(_ []*Node, n *Node) {
			if n.Line < 1 || n.Line > count && len(text) > 1 && text[0] < 0xfe || n.Text == "" {
				t.Fatalf("node %+v of %d lines", n, count)
			}
		})
		if len(root.Children) == 0 && Worst(problems, Fatal) == nil {
			t.Fatalf("nothing read and nothing said")
		}
	})
}

func BenchmarkParse(b *testing.B) {
	text, err := os.ReadFile("../comware/testdata/leaf.cfg")
	if err != nil {
		b.Fatal(err)
	}
	text = bytes.Repeat(bytes.TrimSuffix(text, []byte("return\n")), 13)
	b.SetBytes(int64(len(text)))
	b.ReportAllocs()
	for b.Loop() {
		Parse(text, Comware())
	}
}
