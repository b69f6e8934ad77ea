package diff

import (
	"bytes"
	"fmt"
	"path/filepath"
	"strings"
	"testing"

	"golang.org/x/text/encoding/simplifiedchinese"
	"golang.org/x/text/encoding/unicode"

	"railyard/vendors/clitree"
)

// session is how a terminal of a system looks around a configuration.
type session struct {
	prompt, show string
	pagers       []string // what stands between two lines
	log          string   // what the console prints in between
	header       string   // what Oxidized or RANCID puts in front
	end          string   // the line that closes a printed configuration
}

var sessions = map[string]session{
	"comware": {"<leaf-u01-r0>", "display current-configuration", []string{"  ---- More ----\x1b[16D                \x1b[16D", "---- More ----\r              \r", "---- More ----\n"},
		"%Nov 30 10:00:00:123 2026 leaf-u01-r0 IFNET/3/PHY_UPDOWN: Physical state on the interface changed to up.\n", "# H3C Comware Software, Version 9.1.058, Ess 9320P01\n# Copyright (c) 2004-2023 New H3C Technologies Co., Ltd.\n# \n", "return"},
	"vrp": {"<leaf-u01-r0>", "display current-configuration", []string{"  ---- More ----\x1b[16D                \x1b[16D", "  ---- More ----[16D                [16D", "---- More ----\n"},
		"Nov 30 2026 10:00:00+08:00 leaf %%01IFNET/2/linkDown_active(l):CID=0x1;The interface status changes.\n", "# Huawei Versatile Routing Platform Software\n# VRP (R) software, Version 8.231 (CE8850 V300R023C00)\n", "return"},
	"eos": {"leaf-u01-r0#", "show running-config | no-more", []string{" --More-- \b\b\b\b\b\b\b\b\b\b          \b\b\b\b\b\b\b\b\b\b", "--More--\n"},
		"Nov 30 10:00:00 leaf-u01-r0 Lldp: %LLDP-5-NEIGHBOR_NEW: New neighbor\n", "!RANCID-CONTENT-TYPE: arista\n!\n! Arista DCS-7060X6-64PE\n! Total memory:           8164848 kB\n! Command: show running-config\n! Saved By: admin at 2026-01-01T00:00:00+00:00\n!\n", "end"},
	"rgos": {"leaf-u01-r0#", "show running-config", []string{" --More-- \b\b\b\b\b\b\b\b\b\b          \b\b\b\b\b\b\b\b\b\b"},
		"*Nov 30 10:00:00: %LINEPROTO-5-UPDOWN: Line protocol on Interface changed state to up.\n", "! \n!RANCID-CONTENT-TYPE: ruijie\n!\n", "end"},
	"zxros":   {"leaf-u01-r0#", "show running-config", []string{" --More--\b\b\b\b\b\b\b\b\b         \b\b\b\b\b\b\b\b\b"}, "", "", ""},
	"sonic":   {"admin@leaf-u01-r0:~$ ", "show runningconfiguration all", nil, "", "", ""},
	"cumulus": {"cumulus@leaf-u01-r0:mgmt:~$ ", "nv config show", nil, "", "", ""},
}

// goldensOf are configurations that the drivers wrote.
func goldensOf(t *testing.T, os string) []File {
	t.Helper()
	patterns := map[string]string{"sonic": "../sonic/testdata/*/*/config_db.json", "cumulus": "../cumulus/testdata/*[a-z0-9].yaml"}
	pattern := patterns[os]
	if pattern == "" {
		pattern = "../" + os + "/testdata/*.cfg"
	}
	names, err := filepath.Glob(pattern)
	if err != nil || len(names) == 0 {
		t.Fatalf("%s: no files", os)
	}
	var out []File
	for _, n := range names {
		if strings.Contains(n, "breakout.yaml") {
			continue
		}
		f, err := ReadFile(n, nil)
		if err != nil {
			t.Fatal(err)
		}
		out = append(out, f)
	}
	return out
}

// disguises are the ways in which a configuration gets into a file, by name.
func disguises(s session, text string) map[string]string {
	lines := strings.SplitAfter(text, "\n")
	between := func(every int, x string) string {
		var b strings.Builder
		for i, l := range lines {
			if b.WriteString(l); i%every == every-1 && i < len(lines)-2 {
				b.WriteString(x)
			}
		}
		return b.String()
	}
	closed := text
	if s.end != "" && !strings.HasSuffix(strings.TrimSpace(text), "\n"+s.end) {
		closed += s.end + "\n"
	}
	utf16, _ := unicode.UTF16(unicode.LittleEndian, unicode.UseBOM).NewEncoder().String(text)
	out := map[string]string{
		"CR LF": strings.ReplaceAll(text, "\n", "\r\n"), "CR CR LF": strings.ReplaceAll(text, "\n", "\r\r\n"), "CR": strings.ReplaceAll(text, "\n", "\r"),
		"byte order mark": "\ufeff" + text, "trailing blanks": strings.ReplaceAll(text, "\n", "  \n"), "blank lines": "\n\n" + text + "\n\n",
		"session":      "Last login: Mon Nov 30 10:00:00 2026\r\n" + strings.ReplaceAll(s.prompt+s.show+"\n"+closed+s.prompt, "\n", "\r\n"),
		"long session": s.prompt + "terminal length 0\n" + s.prompt + s.show + "\n" + closed + s.prompt + "quit\n",
	}
	if s.end != "" {
		out["UTF-16"] = utf16
	}
	for i, p := range s.pagers {
		out[fmt.Sprintf("pager %d", i)] = between(23, p)
	}
	if s.log != "" {
		out["console messages"] = between(40, s.log)
	}
	if s.header != "" {
		out["a tool's header"] = s.header + closed
	}
	return out
}

// TestCaptures: however a configuration came into a file, it is the same; and one
// value changed in it is exactly one difference.
func TestCaptures(t *testing.T) {
	e := engines(t)
	for os, s := range sessions {
		for _, f := range goldensOf(t, os) {
			text := string(f.Body)
			for name, run := range disguises(s, text) {
				if os == "cumulus" && name == "trailing blanks" {
					run = text
				}
				for _, scope := range []clitree.Scope{clitree.Owned, clitree.Full} {
					r, err := e.Pair(os, File{"run", []byte(run)}, f, Options{Options: clitree.Options{Scope: scope}})
					if err != nil || r.Switches[0].Status != Same {
						t.Errorf("%s as %s: %s %s %+v", f.Name, name, r.Switches[0].Status, r.Switches[0].Reason, r.Switches[0].Changes)
						break
					}
				}
			}
			edited := strings.Replace(text, "9216", "9000", 1)
			if edited == text {
				continue
			}
			for name, run := range disguises(s, edited) {
				r, err := e.Pair(os, File{"run", []byte(run)}, f, Options{})
				if err != nil || r.Switches[0].Status != Differs || len(r.Switches[0].Changes) != 1 || !strings.Contains(fmt.Sprint(r.Switches[0].Changes), "9216") {
					t.Errorf("%s edited, as %s: %s %s %+v", f.Name, name, r.Switches[0].Status, r.Switches[0].Reason, r.Switches[0].Changes)
				}
			}
		}
	}
}

// TestCutOff: of a text that breaks off nothing is taken for deleted. What has no
// closing line and breaks off between two settings cannot be told from a short one.
func TestCutOff(t *testing.T) {
	e := engines(t)
	for os, s := range sessions {
		if os == "zxros" {
			continue
		}
		for _, f := range goldensOf(t, os) {
			text := string(f.Body)
			if os != "sonic" && os != "cumulus" {
				text = s.prompt + s.show + "\n" + text
			}
			for _, part := range []int{20, 50, 80, 97} {
				run := text[:len(text)*part/100]
				r, err := e.Pair(os, File{"run", []byte(run)}, f, Options{})
				if err != nil {
					t.Fatal(err)
				}
				sw := r.Switches[0]
				if sw.Status != Unreadable && (os != "cumulus" || len(sw.Problems) == 0 && !strings.HasSuffix(run, "\n")) {
					t.Errorf("%s cut at %d%%: %s, problems %v", f.Name, part, sw.Status, sw.Problems)
				}
			}
		}
	}
}

// TestGBK: descriptions in Chinese, saved by a terminal that is set to GBK.
func TestGBK(t *testing.T) {
	e := engines(t)
	for os, text := range map[string]string{
		"comware": "#\nsysname a\n#\ninterface FourHundredGigE1/0/1\n port link-mode route\n description 到脊交换机01\n mtu 4200\n#\nreturn\n",
		"vrp":     "#\nsysname a\n#\ninterface 400GE1/0/1\n undo portswitch\n description 到脊交换机01\n mtu 4200\n#\nreturn\n",
	} {
		gbk, err := simplifiedchinese.GBK.NewEncoder().Bytes([]byte(text))
		if err != nil {
			t.Fatal(err)
		}
		if r, err := e.Pair(os, File{"run", gbk}, File{"want", []byte(text)}, Options{}); err != nil || r.Switches[0].Status != Same {
			t.Errorf("%s: %+v %v", os, r, err)
		}
		other := bytes.Replace(gbk, []byte("4200"), []byte("1500"), 1)
		if r, err := e.Pair(os, File{"run", other}, File{"want", []byte(text)}, Options{}); err != nil || len(r.Switches[0].Changes) != 1 || len(r.Switches[0].Changes[0].Add) != 1 {
			t.Errorf("%s: %+v %v", os, r, err)
		}
	}
}
