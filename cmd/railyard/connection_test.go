package main

import (
	"bytes"
	"context"
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"railyard/vendors/gnmi/target"
)

// TestDiffLive compares a designed cluster of EOS leaves and SONiC spines with what
// they run, over TLS, and changes nothing.
func TestDiffLive(t *testing.T) {
	const cluster = "../../fixtures/clusters/mixed-arista-sonic-512.yaml"
	t.Setenv("RAILYARD_ADMIN_HASH", "$6$salt$"+strings.Repeat("a", 86))
	t.Setenv("PUSH_TEST_PASSWORD", testPassword)
	dir := t.TempDir()
	boxes, err := network(t.Context(), cluster, dir, os.Getenv)
	if err != nil {
		t.Fatal(err)
	}
	defer func() {
		for _, b := range boxes {
			b.Stop()
		}
	}()
	targets := filepath.Join(dir, "targets.yaml")
	diffOf := func(code int, args ...string) (stdout, stderr string) {
		t.Helper()
		var out, progress bytes.Buffer
		args = append([]string{"diff", cluster, "--targets", targets}, args...)
		if got := run(context.Background(), args, strings.NewReader(""), &out, &progress); got != code {
			t.Errorf("%q: exit code %d, want %d\n%s%.4000s", args, got, code, progress.String(), out.String())
		}
		for _, secret := range []string{testPassword, "$6$"} {
			if strings.Contains(out.String()+progress.String(), secret) {
				t.Errorf("%q: %s is shown", args, secret)
			}
		}
		return out.String(), progress.String()
	}

	text, _ := diffOf(1)
	for _, want := range []string{"leaf-u01-r[0-7] (8 switches, eos)", "spine-[01-04] (4 switches, sonic)", "      - mtu 1500\n      + mtu 9214\n", "12 switches, 0 same, 12 differ in 2 ways"} {
		if !strings.Contains(text, want) {
			t.Errorf("%q is missing from\n%s", want, text)
		}
	}
	// With the intent itself on one switch, and another gone, only the others differ.
	if out, progress, err := runPush(cluster, "--targets", targets, "--select", "leaf-u01-r3", "--yes", "--journal", filepath.Join(dir, "journal")); err != nil {
		t.Fatalf("%v\n%s\n%s", err, out, progress)
	}
	sets := len(boxes["leaf-u01-r3"].Calls("set"))
	boxes["leaf-u01-r4"].Stop()
	out, _ := diffOf(2, "--format", "json", "--select", "leaf-u01-r[3-5]", "--max-parallel", "2")
	var doc struct {
		Switches []struct{ Name, Status, Reason, File string }
	}
	if err := json.Unmarshal([]byte(out), &doc); err != nil || len(doc.Switches) != 3 {
		t.Fatalf("%v\n%s", err, out)
	}
	for i, want := range []string{"same", "unreachable", "differs"} {
		if s := doc.Switches[i]; s.Status != want || !strings.HasPrefix(s.File, "gnmi://127.0.0.1:") || (s.Reason == "") == (want == "unreachable") {
			t.Errorf("%+v, want %s", s, want)
		}
	}
	patches := filepath.Join(dir, "patches")
	diffOf(1, "--format", "patch", "-o", patches, "--select", "spine-*")
	if body, err := os.ReadFile(filepath.Join(patches, "spine-01", "patch.json")); err != nil || !strings.Contains(string(body), "9216") {
		t.Errorf("patch: %v\n%.400s", err, body)
	}
	for name, box := range boxes {
		if n := len(box.Calls("set")); n > 0 && (name != "leaf-u01-r3" || n != sets) {
			t.Errorf("%s got %d sets", name, n)
		}
	}
}

// TestDiffLiveTLS: whoever is not the switch gets no password.
func TestDiffLiveTLS(t *testing.T) {
	const cluster = "../../fixtures/clusters/mixed-arista-sonic-512.yaml"
	t.Setenv("RAILYARD_ADMIN_HASH", "$6$salt$"+strings.Repeat("a", 86))
	t.Setenv("PUSH_TEST_PASSWORD", testPassword)
	dir := t.TempDir()
	boxes, err := network(t.Context(), cluster, dir, os.Getenv)
	if err != nil {
		t.Fatal(err)
	}
	defer func() {
		for _, b := range boxes {
			b.Stop()
		}
	}()
	other, err := target.NewAuthority()
	if err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(dir, "ca.pem"), other.CA, 0o600); err != nil {
		t.Fatal(err)
	}
	var out, progress bytes.Buffer
	code := run(t.Context(), []string{"diff", cluster, "--targets", filepath.Join(dir, "targets.yaml")}, strings.NewReader(""), &out, &progress)
	if code != exitTrouble || !strings.Contains(out.String(), "unreachable: leaf-u01-r[0-7],spine-[01-04]: ") || !strings.Contains(out.String(), "is tls-ca the authority that signed the switch's certificate?") {
		t.Errorf("exit code %d\n%s%s", code, out.String(), progress.String())
	}
	for name, box := range boxes {
		if len(box.Calls("capabilities"))+len(box.Calls("get")) > 0 {
			t.Errorf("%s was asked", name)
		}
	}
}

// TestDiffSources: what runs is found in one place.
func TestDiffSources(t *testing.T) {
	const cluster = "../../fixtures/clusters/mixed-arista-sonic-512.yaml"
	for _, args := range [][]string{
		{cluster, "--targets", "t.yaml", "--running", "."}, {"--os", "eos", "a", "b", "--targets", "t.yaml"}, {"--targets", "t.yaml"},
		{cluster, "--targets", "no-such.yaml"}, {cluster, "--targets", "../../go.mod"},
	} {
		var out, progress bytes.Buffer
		if code := run(t.Context(), append([]string{"diff"}, args...), strings.NewReader(""), &out, &progress); code != exitTrouble || progress.Len() == 0 || out.Len() > 0 {
			t.Errorf("%q: exit code %d\n%s%s", args, code, out.String(), progress.String())
		}
	}
}
