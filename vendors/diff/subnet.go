package diff

import (
	"context"
	"errors"
	"path"
	"slices"
	"strings"

	"railyard/vendors/diff/manager"
)

// SubnetManager is the name under which the files of a subnet manager stand in a
// report, as the folder does that railyard writes them to.
const SubnetManager = "subnet-manager"

// Subnet makes an intent of what an InfiniBand fabric has files for. The files of
// OpenSM and UFM belong together; commands belong to the switch they are typed on.
func Subnet(system string, files []File) Intent {
	type part struct {
		Switch
		files []File
	}
	var parts []part
	for _, f := range files {
		if name, os := commandsOf(f.Name); os != "" {
			parts = append(parts, part{Switch{name, os}, []File{f}})
		}
	}
	if len(parts) == 0 {
		parts = []part{{Switch{SubnetManager, system}, files}}
	}
	var out Intent
	for _, p := range parts {
		out.Switches = append(out.Switches, p.Switch)
	}
	out.Render = func(_ context.Context, emit func(string, []File) error) error {
		for _, p := range parts {
			if err := emit(p.Name, p.files); err != nil {
				return err
			}
		}
		return nil
	}
	return out
}

// commandsOf tells which switch and system a file of commands is for; the name says
// where its GUIDs are made up.
func commandsOf(file string) (name, os string) {
	for ext, os := range map[string]string{".cli": "mlnx-os", ".nvue": "nvos"} {
		if name, ok := strings.CutSuffix(path.Base(file), ext); ok {
			return strings.TrimSuffix(name, ".PLACEHOLDER"), os
		}
	}
	return "", ""
}

// managerFiles is the engine of OpenSM and UFM.
type managerFiles struct{}

func (managerFiles) main() string { return "opensm.conf" }

func (managerFiles) knows([]byte) bool { return false }

func (managerFiles) compare(running, intended []File, o Options, _ bool) (outcome, error) {
	found, err := manager.Compare(managed(running), managed(intended), o.Options)
	out := outcome{changes: found.Changes}
	if o.Patch {
		out.patch.Notes = found.Steps
	}
	return out, err
}

func managed(files []File) []manager.File {
	out := make([]manager.File, len(files))
	for i, f := range files {
		out[i] = manager.File(f)
	}
	return out
}

// managerCommands is the engine of switches with a subnet manager of their own.
type managerCommands struct {
	system manager.Switch
	ext    string // of the file of commands
}

func (m managerCommands) main() string { return "running-config" }

func (m managerCommands) knows(body []byte) bool { return m.system.Knows(body) }

func (m managerCommands) compare(running, intended []File, o Options, _ bool) (outcome, error) {
	i := slices.IndexFunc(intended, func(f File) bool { return path.Ext(f.Name) == m.ext })
	if i < 0 && len(intended) == 1 {
		i = 0 // two files compared with each other
	}
	if i < 0 || len(running) == 0 {
		return outcome{}, errors.New("the intent has no commands")
	}
	found, patch, err := m.system.Compare(running[0].Body, intended[i].Body, o.Options)
	out := outcome{changes: found.Changes}
	if o.Patch && len(out.changes) > 0 {
		out.patch = Patch{File: "patch.cli", Body: patch, Notes: found.Steps}
	}
	return out, err
}
