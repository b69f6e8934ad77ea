package sonic

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"reflect"
	"strings"
	"testing"
	"time"
)

// yangDir is the folder with the SONiC YANG models; the test is skipped without
// it, or fails when RAILYARD_REQUIRE_TOOLS says that nothing may be missing.
func yangDir(t *testing.T) string {
	t.Helper()
	dir := os.Getenv("RAILYARD_YANG_DIR")
	if dir == "" {
		missing(t, "RAILYARD_YANG_DIR is not set; it names the folder that holds sonic/*.yang")
	}
	dir = filepath.Join(dir, "sonic")
	if _, err := os.Stat(filepath.Join(dir, "sonic-port.yang")); err != nil {
		missing(t, "no SONiC models under RAILYARD_YANG_DIR: "+err.Error())
	}
	return dir
}

func missing(t *testing.T, why string) {
	t.Helper()
	if os.Getenv("RAILYARD_REQUIRE_TOOLS") == "1" {
		t.Fatal(why)
	}
	t.Skip(why)
}

// yanglint checks instance data against all models and returns what it says.
func yanglint(t *testing.T, dir string, instance []byte) (ok bool, said string) {
	t.Helper()
	tool, err := exec.LookPath("yanglint")
	if err != nil {
		missing(t, "yanglint is not installed (Debian package libyang-tools)")
	}
	file := filepath.Join(t.TempDir(), "instance.json")
	if err := os.WriteFile(file, instance, 0o600); err != nil {
		t.Fatal(err)
	}
	// Every module is named so that none is merely imported: conditions into
	// modules that are only imported are skipped.
	models, err := filepath.Glob(filepath.Join(dir, "*.yang"))
	if err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithTimeout(context.Background(), 2*time.Minute)
	defer cancel()
	args := append([]string{"-p", filepath.Join(dir, "ietf"), "-t", "config"}, models...)
	cmd := exec.CommandContext(ctx, tool, append(args, file)...)
	var stderr bytes.Buffer
	cmd.Stderr = &stderr
	err = cmd.Run()
	var lines []string
	for line := range strings.Lines(stderr.String()) {
		if strings.Contains(line, "err") {
			lines = append(lines, line)
		}
	}
	if exit := (*exec.ExitError)(nil); err != nil && !errors.As(err, &exit) {
		t.Fatal(err)
	}
	return err == nil, strings.Join(lines, "")
}

// The eight examples beside the models, one fault each, and what must be said.
var invalidExamples = map[string]string{
	"dynamic_th_range":         "dynamic_th: 9 is outside -8..7",
	"intf_prefix_without_intf": "the row INTERFACE|Ethernet8 is missing",
	"leafref_buffer_profile":   `"pg_lossless_missing" names no row of BUFFER_PROFILE`,
	"pfc_enable_range":         `pfc_enable: "3,8" is not a list of priorities`,
	"pfcwd_below_poll":         "detection_time 100 ms is below POLL_INTERVAL 200 ms",
	"vlan_member_routed":       "Ethernet0 is a routed interface",
	"vlanid_mismatch":          "vlanid 102 does not follow the name",
	"wred_min_gt_max":          "green_max_threshold 1000 is below green_min_threshold 1048576",
}

func TestExamplesBesideTheModels(t *testing.T) {
	dir := filepath.Join(yangDir(t), "examples")
	valid, err := os.ReadFile(filepath.Join(dir, "valid.config_db.json"))
	if err != nil {
		t.Fatal(err)
	}
	if err := Validate(valid); err != nil {
		t.Errorf("the valid example is refused:\n%v", err)
	}
	files, err := filepath.Glob(filepath.Join(dir, "invalid-*.config_db.json"))
	if err != nil || len(files) != len(invalidExamples) {
		t.Fatalf("%d invalid examples, want %d (%v)", len(files), len(invalidExamples), err)
	}
	for _, file := range files {
		name := strings.TrimSuffix(strings.TrimPrefix(filepath.Base(file), "invalid-"), ".config_db.json")
		t.Run(name, func(t *testing.T) {
			body, err := os.ReadFile(file)
			if err != nil {
				t.Fatal(err)
			}
			want, known := invalidExamples[name]
			if err := Validate(body); err == nil || !known || !strings.Contains(err.Error(), want) {
				t.Errorf("got %v, want an error with %q", err, want)
			}
		})
	}
}

// The mapping is held against instance data that somebody else made, and both
// valid and invalid data against yanglint.
func TestMappingOfTheExamples(t *testing.T) {
	models := yangDir(t)
	dir := filepath.Join(models, "examples")
	files, err := filepath.Glob(filepath.Join(dir, "*.config_db.json"))
	if err != nil || len(files) == 0 {
		t.Fatal("no examples", err)
	}
	for _, file := range files {
		name := strings.TrimSuffix(filepath.Base(file), ".config_db.json")
		t.Run(name, func(t *testing.T) {
			body, err := os.ReadFile(file)
			if err != nil {
				t.Fatal(err)
			}
			got, err := YANG(body)
			if err != nil {
				t.Fatal(err)
			}
			if ok, said := yanglint(t, models, got); ok != (name == "valid") {
				t.Errorf("yanglint: valid %v\n%s", ok, said)
			}
			if name != "valid" {
				return
			}
			want, err := os.ReadFile(filepath.Join(dir, "valid.yang.json"))
			if err != nil {
				t.Fatal(err)
			}
			if !reflect.DeepEqual(decoded(t, got), decoded(t, want)) {
				t.Error("the mapping differs from valid.yang.json")
			}
		})
	}
}

// decoded is JSON with the order of lists of rows forgotten.
func decoded(t *testing.T, body []byte) any {
	t.Helper()
	dec := json.NewDecoder(bytes.NewReader(body))
	dec.UseNumber()
	var v any
	if err := dec.Decode(&v); err != nil {
		t.Fatal(err)
	}
	return unordered(v)
}

func unordered(v any) any {
	switch v := v.(type) {
	case map[string]any:
		for k := range v {
			v[k] = unordered(v[k])
		}
	case []any:
		rows := map[string]any{}
		for _, e := range v {
			if _, isRow := e.(map[string]any); !isRow {
				return v
			}
			key, _ := json.Marshal(e)
			rows[string(key)] = unordered(e)
		}
		return rows
	}
	return v
}
