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
// configuration with some numbers changed, and writes the targets file.
func network(t *testing.T, cluster string) (boxes map[string]*target.Target, targets string) {
	t.Helper()
	in, err := read(&cobra.Command{}, cluster, "")
	if err != nil {
		t.Fatal(err)
	}
	authority, err := target.NewAuthority()
	if err != nil {
		t.Fatal(err)
	}
	dir := t.TempDir()
	boxes = map[string]*target.Target{}
	var y bytes.Buffer
	fmt.Fprintf(&y, "tls-ca: ca.pem\ntls-server-name: switch.example\nusername: admin\npassword: {env: PUSH_TEST_PASSWORD}\ntargets:\n")
	old := strings.NewReplacer("mtu 9214", "mtu 1500", "400000 bytes", "100000 bytes", `"9216"`, `"9100"`, "1600000", "1500000")
	var mu sync.Mutex
	err = in.set.Render(t.Context(), in.fabric, in.secret, func(sw *fabric.Switch, files []fabric.File) error {
		server, err := authority.Server("switch.example", false, false)
		if err != nil {
			return err
		}
		box, err := target.Start(target.Config{Name: sw.Name, OS: sw.OS, Running: []byte(old.Replace(string(files[0].Body))),
			TLS: server, Username: "admin", Password: "pw-of-the-test", Commit: target.Honours})
		if err != nil {
			return err
		}
		t.Cleanup(box.Stop)
		mu.Lock()
		defer mu.Unlock()
		boxes[sw.Name] = box
		fmt.Fprintf(&y, "  - {name: %s, address: \"%s\"}\n", sw.Name, box.Addr())
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	targets = filepath.Join(dir, "targets.yaml")
	if err := errors.Join(os.WriteFile(targets, y.Bytes(), 0o600), os.WriteFile(filepath.Join(dir, "ca.pem"), authority.CA, 0o600)); err != nil {
		t.Fatal(err)
	}
	return boxes, targets
}

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
	t.Setenv("PUSH_TEST_PASSWORD", "pw-of-the-test")
	boxes, targets := network(t, cluster)
	journal := filepath.Join(t.TempDir(), "journal")
	args := []string{cluster, "--targets", targets, "--journal", journal}

	out, progress, err := runPush(append(args, "--dry-run")...)
	if err != nil {
		t.Fatal(err, progress)
	}
	for _, want := range []string{"wave 1 (canary): spine-01", "leaf-u01-r0 (1 switch, cli)", "(4 switches, sonic-db)", "minimum-threshold 400000", "sonic-db", "by hand on leaf-u01-r0"} {
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
	for _, secret := range []string{"pw-of-the-test", "$6$"} {
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
