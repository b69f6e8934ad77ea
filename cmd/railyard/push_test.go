package main

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"

	"github.com/spf13/cobra"

	"railyard/generator/fabric"
	"railyard/vendors/gnmi/target"
)

// network starts a switch for each of a cluster file's, running its own intended
// configuration with some numbers changed, and writes targets.yaml and the
// authority's ca.pem into a folder.
func network(ctx context.Context, cluster, dir string, getenv func(string) string) (boxes map[string]*target.Target, err error) {
	boxes = map[string]*target.Target{}
	in, err := read(&cobra.Command{}, cluster, "")
	if err != nil {
		return boxes, err
	}
	authority, err := target.NewAuthority()
	if err != nil {
		return boxes, err
	}
	var y bytes.Buffer
	fmt.Fprintf(&y, "tls-ca: ca.pem\ntls-server-name: switch.example\nusername: admin\npassword: {env: PUSH_TEST_PASSWORD}\ntargets:\n")
	old := strings.NewReplacer("mtu 9214", "mtu 1500", "400000 bytes", "100000 bytes", `"9216"`, `"9100"`, "1600000", "1500000")
	var mu sync.Mutex
	secret := func(s fabric.Secret) (string, error) { return getenv(s.Env), nil }
	err = in.set.Render(ctx, in.fabric, secret, func(sw *fabric.Switch, files []fabric.File) error {
		server, err := authority.Server("switch.example", false, false)
		if err != nil {
			return err
		}
		box, err := target.Start(target.Config{Name: sw.Name, OS: sw.OS, Running: []byte(old.Replace(string(files[0].Body))),
			TLS: server, Username: "admin", Password: testPassword, Commit: target.Honours, Sessions: []string{"10.0.0.1"}})
		if err != nil {
			return err
		}
		mu.Lock()
		defer mu.Unlock()
		boxes[sw.Name] = box
		fmt.Fprintf(&y, "  - {name: %s, address: \"%s\"}\n", sw.Name, box.Addr())
		return nil
	})
	return boxes, errors.Join(err, os.WriteFile(filepath.Join(dir, "targets.yaml"), y.Bytes(), 0o600), os.WriteFile(filepath.Join(dir, "ca.pem"), authority.CA, 0o600))
}

const testPassword = "pw-of-the-test"

func runPush(args ...string) (stdout, stderr string, err error) {
	cmd := newPush()
	cmd.SilenceUsage, cmd.SilenceErrors = true, true
	var out, progress bytes.Buffer
	cmd.SetArgs(args)
	cmd.SetIn(strings.NewReader(""))
	cmd.SetOut(&out)
	cmd.SetErr(&progress)
	err = cmd.ExecuteContext(context.Background())
	return out.String(), progress.String(), err
}

// TestPush pushes a designed cluster of EOS leaves and SONiC spines, as their
// drivers render them, over TLS.
func TestPush(t *testing.T) {
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
	journal := filepath.Join(t.TempDir(), "journal")
	args := []string{cluster, "--targets", targets, "--journal", journal}

	out, progress, err := runPush(append(args, "--dry-run")...)
	if err != nil {
		t.Fatal(err, progress)
	}
	for _, want := range []string{"wave 1 (canary): spine-01", "leaf-u01-r[0-7] (8 switches, cli)", "spine-[01-04] (4 switches, sonic-db)", "interface Ethernet33/1 and 31 more", "file: switches/NAME/steps-to-check.txt", "\"   mtu 9214\\n\"", "elem: {name: \"CONFIG_DB\"}", "minimum-threshold 400000", "sonic-db", "by hand on leaf-u01-r0"} {
		if !strings.Contains(out, want) {
			t.Errorf("%q is missing from the dry run:\n%.40000s", want, out)
		}
	}
	if _, _, err := runPush(args...); err == nil || !strings.Contains(err.Error(), "--yes") {
		t.Errorf("without a terminal: %v", err)
	}
	if out, progress, err = runPush(append(args, "--yes")...); err != nil {
		t.Fatalf("%v\n%s\n%s", err, out, progress)
	}
	if !strings.Contains(out, "12 done") {
		t.Error(out)
	}
	again, _, err := runPush(append(args, "--yes", "--format", "json")...)
	if err != nil || strings.Count(again, `"status": "same"`) != 12 {
		t.Errorf("the second push: %v\n%s", err, again)
	}
	for name, box := range boxes {
		if n := len(box.Calls("set")); n == 0 || strings.HasPrefix(name, "leaf") && n != 1 {
			t.Errorf("%s got %d sets", name, n)
		}
	}
	for _, secret := range []string{testPassword, "$6$"} {
		if strings.Contains(out+progress+again, secret) {
			t.Errorf("%s is shown", secret)
		}
	}
	boxes["leaf-u01-r3"].SetFaults(target.Fault{Call: "set", Do: target.Half})
	if _, _, err := runPush(append(args, "--rollback", "--yes")...); err != nil {
		var stands standsError
		if !errors.As(err, &stands) {
			t.Errorf("%v is not an error for exit code 3", err)
		}
	}
	boxes["leaf-u01-r3"].SetFaults()
	if out, progress, err := runPush(append(args, "--rollback", "--yes")...); err != nil {
		t.Fatalf("%v\n%s\n%s", err, out, progress)
	}
	if !strings.Contains(string(boxes["leaf-u01-r3"].Running()), "mtu 1500") {
		t.Error("leaf-u01-r3 was not brought back")
	}
}
