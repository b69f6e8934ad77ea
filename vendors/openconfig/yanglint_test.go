package openconfig_test

import (
	"bytes"
	"context"
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"railyard/vendors/openconfig"
)

func missing(t testing.TB, why string) {
	t.Helper()
	if os.Getenv("RAILYARD_REQUIRE_TOOLS") == "1" {
		t.Fatal(why)
	}
	t.Skip(why)
}

// models is the folder of the OpenConfig models.
func models(t testing.TB) string {
	t.Helper()
	dir := os.Getenv("RAILYARD_YANG_DIR")
	if dir == "" {
		missing(t, "RAILYARD_YANG_DIR is not set; it names the folder that holds openconfig/")
	}
	dir = filepath.Join(dir, "openconfig")
	if _, err := os.Stat(filepath.Join(dir, "release", "models", "qos", "openconfig-qos.yang")); err != nil {
		missing(t, "no OpenConfig models under RAILYARD_YANG_DIR: "+err.Error())
	}
	return dir
}

// medFix takes one rule out of openconfig-bgp-policy: as written in v5.9.0 it
// refuses every statement that has actions and does not set a MED, an accept
// included, since an absent set-med makes both of its halves false.
const medFix = `module railyard-med {
  namespace "urn:railyard:med";
  prefix med;
  import openconfig-routing-policy { prefix rp; }
  import openconfig-bgp-policy { prefix bp; }
  deviation "/rp:routing-policy/rp:policy-definitions/rp:policy-definition/rp:statements/rp:statement/rp:actions/bp:bgp-actions/bp:config" {
    deviate delete {
      must "(set-med != 'IGP' and set-med-action) or(set-med = 'IGP' and set-med-action = 'SET')";
    }
  }
}
`

// document is one file for yanglint; it names the file when it complains.
type document struct {
	name string
	body []byte
}

// yanglint checks each document against the models, all of them implemented,
// and returns the errors it prints.
func yanglint(t testing.TB, dir string, documents ...document) (ok bool, said string) {
	t.Helper()
	tool, err := exec.LookPath("yanglint")
	if err != nil {
		missing(t, "yanglint is not installed (Debian package libyang-tools)")
	}
	temp := t.TempDir()
	fix := filepath.Join(temp, "railyard-med.yang")
	if err := os.WriteFile(fix, []byte(medFix), 0o600); err != nil {
		t.Fatal(err)
	}
	release := filepath.Join(dir, "release", "models")
	ietf := filepath.Join(dir, "third_party", "ietf")
	args := []string{"-i", "-i", "-p", release, "-p", ietf, "-t", "config"}
	for _, m := range []string{"interfaces/openconfig-interfaces", "interfaces/openconfig-if-ethernet", "interfaces/openconfig-if-ip",
		"vlan/openconfig-vlan", "lldp/openconfig-lldp", "qos/openconfig-qos", "network-instance/openconfig-network-instance",
		"policy/openconfig-routing-policy", "bgp/openconfig-bgp-policy"} {
		args = append(args, filepath.Join(release, filepath.FromSlash(m)+".yang"))
	}
	args = append(args, filepath.Join(ietf, "iana-if-type.yang"), fix)
	for _, d := range documents {
		file := filepath.Join(temp, d.name+".json")
		if err := os.WriteFile(file, d.body, 0o600); err != nil {
			t.Fatal(err)
		}
		args = append(args, file)
	}
	ctx, cancel := context.WithTimeout(context.Background(), 5*time.Minute)
	defer cancel()
	cmd := exec.CommandContext(ctx, tool, args...)
	var stderr bytes.Buffer
	cmd.Stderr = &stderr
	err = cmd.Run()
	if exit := (*exec.ExitError)(nil); err != nil && !errors.As(err, &exit) {
		t.Fatal(err)
	}
	var lines []string
	for line := range strings.Lines(stderr.String()) {
		if strings.Contains(line, "err ") || strings.Contains(line, "[E]") {
			lines = append(lines, line)
		}
	}
	return err == nil, strings.Join(lines, "")
}

func TestYanglintAcceptsRealFabrics(t *testing.T) {
	dir := models(t)
	for name, f := range roceFabrics(t) {
		t.Run(name, func(t *testing.T) {
			var documents []document
			for _, sw := range kinds(f) {
				for _, d := range []openconfig.Dialect{openconfig.Models(), openconfig.ForOS("eos"), openconfig.ForOS("sonic")} {
					// SONiC takes no interface type; the models' conditions ask for it.
					d.InterfaceType = true
					doc, _ := build(t, f, sw, d)
					documents = append(documents, document{sw.Name + "-" + d.OS, doc.JSON})
				}
			}
			if ok, said := yanglint(t, dir, documents...); !ok {
				t.Error(said)
			}
		})
	}
}

func TestYanglintAcceptsPolicies(t *testing.T) {
	f, sw := small()
	sw.NoTransit = true
	doc, _ := build(t, f, sw, openconfig.Models())
	if ok, said := yanglint(t, models(t), document{"leaf", doc.JSON}); !ok {
		t.Error(said)
	}
}

// What must be refused, so that an acceptance means something.
func TestYanglintRefuses(t *testing.T) {
	dir := models(t)
	f, sw := small()
	doc, _ := build(t, f, sw, openconfig.Models())
	for _, c := range []struct{ name, from, to, says string }{
		{"code point out of range", `"dscp-set": [
`, `"dscp-set": [
64,
`, "64"},
		{"queue that does not exist", `"output-queue": "queue-3"`, `"output-queue": "queue-5"`, "queue-5"},
		{"no such policy", `"CONNECTED-TO-BGP"
`, `"CONNECTED"
`, "CONNECTED"},
		{"number as a string", `"mtu": 9230`, `"mtu": "9230"`, "mtu"},
		{"64-bit number not as a string", `"min-threshold": "400000"`, `"min-threshold": 400000`, "min-threshold"},
		{"prefix too long", `"prefix-length": 31`, `"prefix-length": 33`, "33"},
		{"pause frames are not PFC", `"port-speed"`, `"enable-pfc": true, "port-speed"`, "enable-pfc"},
		{"identity of another module", `"iana-if-type:ethernetCsmacd"`, `"openconfig-interfaces:ethernetCsmacd"`, "ethernetCsmacd"},
	} {
		t.Run(c.name, func(t *testing.T) {
			bad := bytes.Replace(doc.JSON, []byte(c.from), []byte(c.to), 1)
			if bytes.Equal(bad, doc.JSON) {
				t.Fatalf("the document has no %q", c.from)
			}
			// The good one is there to show that each document is judged alone.
			if ok, said := yanglint(t, dir, document{"bad", bad}, document{"good", doc.JSON}); ok || !strings.Contains(said, c.says) {
				t.Errorf("accepted: %v, said %q", ok, said)
			}
		})
	}
}
