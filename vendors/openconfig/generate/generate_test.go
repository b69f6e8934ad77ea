package main

import (
	"bytes"
	"encoding/json"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/openconfig/goyang/pkg/yang"
	"github.com/openconfig/ygot/ygot"
	"github.com/openconfig/ygot/ytypes"

	"railyard/vendors/openconfig/oc"
)

func missing(t *testing.T, why string) {
	t.Helper()
	if os.Getenv("RAILYARD_REQUIRE_TOOLS") == "1" {
		t.Fatal(why)
	}
	t.Skip(why)
}

func models(t *testing.T) string {
	t.Helper()
	dir := os.Getenv("RAILYARD_YANG_DIR")
	if dir == "" {
		missing(t, "RAILYARD_YANG_DIR is not set; it names the folder that holds openconfig/")
	}
	dir = filepath.Join(dir, "openconfig")
	if _, err := os.Stat(filepath.Join(dir, "release")); err != nil {
		missing(t, "no OpenConfig models under RAILYARD_YANG_DIR: "+err.Error())
	}
	return dir
}

// TestGeneratedIsCurrent makes the package anew: it must be what is committed,
// and must name no path of the machine that made it.
func TestGeneratedIsCurrent(t *testing.T) {
	dir := models(t)
	files, err := generate(dir)
	if err != nil {
		t.Fatalf("%.500s", err)
	}
	names := map[string]bool{}
	for _, f := range files {
		names[f.name] = true
		have, err := os.ReadFile(filepath.Join("..", "oc", f.name))
		if err != nil {
			t.Fatal(err)
		}
		if !bytes.Equal(have, f.body) {
			t.Errorf("oc/%s is not what the models give: run go generate ./vendors/openconfig", f.name)
		}
		if !strings.HasSuffix(f.name, ".go") {
			continue
		}
		if !regexp.MustCompile(`(?m)^// Code generated .* DO NOT EDIT\.$`).Match(f.body) {
			t.Errorf("%s is not marked as generated", f.name)
		}
		if bytes.Contains(f.body, []byte(dir)) || bytes.Contains(f.body, []byte(os.TempDir()+"/")) {
			t.Errorf("%s names a path of this machine", f.name)
		}
	}
	entries, err := os.ReadDir("../oc")
	if err != nil {
		t.Fatal(err)
	}
	for _, e := range entries {
		if !names[e.Name()] {
			t.Errorf("oc/%s does not come from the generator", e.Name())
		}
	}
}

// TestSlimSchema holds the slim schema against ygot's own on documents good and
// bad: what was dropped must not be missed.
func TestSlimSchema(t *testing.T) {
	code, err := structs(models(t))
	if err != nil {
		t.Fatalf("%.500s", err)
	}
	whole, err := compress(code.RawJSONSchema)
	if err != nil {
		t.Fatal(err)
	}
	full, err := ygot.GzipToSchema(whole)
	if err != nil {
		t.Fatal(err)
	}
	slimmed, err := oc.UnzipSchema()
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		name, document string
		good           bool
	}{
		{"interface", `{"openconfig-interfaces:interfaces":{"interface":[{"name":"a","config":{"name":"a","type":"iana-if-type:ethernetCsmacd","mtu":9230}}]}}`, true},
		{"number as a string", `{"openconfig-interfaces:interfaces":{"interface":[{"name":"a","config":{"name":"a","mtu":"9230"}}]}}`, false},
		{"unknown leaf", `{"openconfig-interfaces:interfaces":{"interface":[{"name":"a","config":{"name":"a","pfc":true}}]}}`, false},
		{"augmented leaf", `{"openconfig-interfaces:interfaces":{"interface":[{"name":"a","config":{"name":"a"},"openconfig-if-ethernet:ethernet":{"config":{"port-speed":"openconfig-if-ethernet:SPEED_400GB"}}}]}}`, true},
		{"no such identity", `{"openconfig-interfaces:interfaces":{"interface":[{"name":"a","config":{"name":"a"},"openconfig-if-ethernet:ethernet":{"config":{"port-speed":"openconfig-if-ethernet:SPEED_3GB"}}}]}}`, false},
		{"reference", `{"openconfig-qos:qos":{"queues":{"queue":[{"name":"q","config":{"name":"q","queue-id":3}}]},"forwarding-groups":{"forwarding-group":[{"name":"f","config":{"name":"f","output-queue":"q"}}]}}}`, true},
		{"dangling reference", `{"openconfig-qos:qos":{"forwarding-groups":{"forwarding-group":[{"name":"f","config":{"name":"f","output-queue":"q"}}]}}}`, false},
		{"range", `{"openconfig-qos:qos":{"classifiers":{"classifier":[{"name":"c","config":{"name":"c"},"terms":{"term":[{"id":"1","config":{"id":"1"},"conditions":{"ipv4":{"config":{"dscp-set":[64]}}}}]}}]}}}`, false},
		{"64 bits", `{"openconfig-qos:qos":{"queue-management-profiles":{"queue-management-profile":[{"name":"p","config":{"name":"p"},"wred":{"uniform":{"config":{"min-threshold":"18446744073709551615"}}}}]}}}`, true},
		{"pattern", `{"openconfig-routing-policy:routing-policy":{"defined-sets":{"prefix-sets":{"prefix-set":[{"name":"s","config":{"name":"s"},"prefixes":{"prefix":[{"ip-prefix":"10.0.0.0/8","masklength-range":"x","config":{"ip-prefix":"10.0.0.0/8","masklength-range":"x"}}]}}]}}}}`, false},
	} {
		t.Run(c.name, func(t *testing.T) {
			want, got := judge(full["Device"], c.document), judge(slimmed["Device"], c.document)
			if (want == nil) != c.good || (got == nil) != c.good {
				t.Errorf("good %v; the whole schema says %.300v, the slim one %.300v", c.good, want, got)
			}
		})
	}
}

// judge reads a document by a schema and validates it.
func judge(schema *yang.Entry, document string) error {
	var tree any
	if err := json.Unmarshal([]byte(document), &tree); err != nil {
		return err
	}
	dev := &oc.Device{}
	if err := ytypes.Unmarshal(schema, dev, tree); err != nil {
		return err
	}
	if errs := ytypes.Validate(schema, dev); errs != nil {
		return errs
	}
	return nil
}

func TestQualified(t *testing.T) {
	for in, want := range map[string]string{
		"/if:interfaces/interface/hold-time":         "/if:interfaces/if:interface/if:hold-time",
		"/if:interfaces/interface/vlan:routed/ip:v4": "/if:interfaces/if:interface/vlan:routed/ip:v4",
		"/acl:acl": "/acl:acl",
	} {
		if got := qualified(in); got != want {
			t.Errorf("%s: %s, want %s", in, got, want)
		}
	}
}

func TestRunNeedsTheModels(t *testing.T) {
	if err := run("", t.TempDir()); err == nil || !strings.Contains(err.Error(), "RAILYARD_YANG_DIR") {
		t.Error(err)
	}
	if err := run(t.TempDir(), t.TempDir()); err == nil || len(err.Error()) > 600 {
		t.Error("an empty folder is taken for the models")
	}
}
