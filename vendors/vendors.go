// Package vendors is the table of network operating systems and subnet
// managers railyard can configure, and what it asks of each.
package vendors

import (
	"context"
	"fmt"
	"io/fs"
	"path"
	"runtime"
	"slices"
	"strings"
	"sync"

	"golang.org/x/sync/errgroup"

	"railyard/generator/fabric"
	"railyard/vendors/comware"
	"railyard/vendors/cumulus"
	"railyard/vendors/eos"
	"railyard/vendors/grammar"
	"railyard/vendors/mlnxos"
	"railyard/vendors/opensm"
	"railyard/vendors/rgos"
	"railyard/vendors/sonic"
	"railyard/vendors/ufm"
	"railyard/vendors/vrp"
	"railyard/vendors/ztp"
	"railyard/vendors/zxros"
)

// Driver turns the neutral fabric into one network OS's own files.
type Driver interface {
	// Name is the OS's name in cluster files: eos, sonic, …
	Name() string
	// PortName is what the OS calls a port.
	PortName(m *fabric.Model, p *fabric.Port) string
	// Check says what of the fabric's intent this OS cannot express on this
	// switch, or what railyard could not confirm. It must be cheap: it runs for
	// every switch of a plan. Findings of many switches with the same code and
	// message are merged, so a message must not name the switch.
	Check(f *fabric.Fabric, sw *fabric.Switch) []fabric.Finding
	// TakesHash reports whether the OS can load a password hash of this form. An
	// OS whose configuration holds no users takes any.
	TakesHash(hash string) bool
	// Render returns the switch's files. It is called for many switches at once.
	Render(f *fabric.Fabric, sw *fabric.Switch, secrets fabric.Secrets) ([]fabric.File, error)
}

// Manager writes the files of an InfiniBand subnet manager, one set per fabric.
type Manager interface {
	Name() string
	PortName(m *fabric.Model, p *fabric.Port) string
	Check(f *fabric.Fabric) []fabric.Finding
	Files(f *fabric.Fabric) ([]fabric.File, error)
}

// Set is every driver, ready to use.
type Set struct {
	drivers  []Driver
	managers []Manager
	overlay  fs.FS
	overlaid map[string]bool // OSes with templates of the site's own
	grammars map[string]func() (*grammar.Grammar, error)
}

// Load parses the templates of every driver. overlay holds a site's own
// templates, a folder per OS; it may be nil.
func Load(overlay fs.FS) (*Set, error) {
	if err := knownFolders(overlay); err != nil {
		return nil, err
	}
	s := &Set{overlay: overlay, grammars: map[string]func() (*grammar.Grammar, error){}}
	var err error
	if s.overlaid, err = overlaidFolders(overlay); err != nil {
		return nil, err
	}
	for _, load := range []func() (Driver, error){
		func() (Driver, error) { return comware.New(overlay) },
		func() (Driver, error) { return vrp.New(overlay) },
		func() (Driver, error) { return eos.New(overlay) },
		func() (Driver, error) { return sonic.New(overlay) },
		func() (Driver, error) { return cumulus.New(overlay) },
		func() (Driver, error) { return rgos.New(overlay) },
		func() (Driver, error) { return zxros.New(overlay) },
	} {
		d, err := load()
		if err != nil {
			return nil, err
		}
		s.drivers = append(s.drivers, d)
		if l, ok := d.(lined); ok {
			s.grammars[d.Name()] = sync.OnceValues(l.Grammar)
		}
	}
	for _, load := range []func() (Manager, error){
		func() (Manager, error) { return opensm.New(overlay) },
		func() (Manager, error) { return ufm.New(overlay) },
		func() (Manager, error) { return mlnxos.New(overlay) },
	} {
		m, err := load()
		if err != nil {
			return nil, err
		}
		s.managers = append(s.managers, m)
	}
	return s, nil
}

// Names lists the OSes with a driver, sorted.
func (s *Set) Names() []string {
	var names []string
	for _, d := range s.drivers {
		names = append(names, d.Name())
	}
	slices.Sort(names)
	return names
}

// Driver returns the driver of an OS, nil when there is none.
func (s *Set) Driver(os string) Driver {
	for _, d := range s.drivers {
		if d.Name() == os {
			return d
		}
	}
	return nil
}

// Manager returns a subnet manager, nil when there is none of that name.
func (s *Set) Manager(name string) Manager {
	for _, m := range s.managers {
		if m.Name() == name {
			return m
		}
	}
	return nil
}

// Boot writes what switches need to fetch their configuration by themselves from
// a server: the URL under which the output directory is served, "" for a
// placeholder that finds nobody.
func (s *Set) Boot(server string) (*ztp.Writer, error) { return ztp.New(s.overlay, server) }

// namer is whoever knows a switch's port names, nil when nobody does.
func (s *Set) namer(f *fabric.Fabric, sw *fabric.Switch) func(*fabric.Model, *fabric.Port) string {
	if f.Technology == fabric.InfiniBand {
		// Port numbers belong to the switch, whoever manages the subnet.
		return s.managers[0].PortName
	}
	if d := s.Driver(sw.OS); d != nil {
		return d.PortName
	}
	return nil
}

// NamePorts gives every switch port the name its own OS has for it. Ports of
// an OS without a driver keep their neutral cage/lane name.
func (s *Set) NamePorts(f *fabric.Fabric) {
	type key struct {
		os                       string
		model, cage, lane, split int
		speed                    int
	}
	names := map[key]string{}
	for i := range f.Switches {
		sw := &f.Switches[i]
		name := s.namer(f, sw)
		if name == nil {
			continue
		}
		for p := range sw.Ports {
			port := &sw.Ports[p]
			k := key{sw.OS, sw.Model, port.Cage, port.Lane, port.Split, port.SpeedGbps}
			if _, ok := names[k]; !ok {
				names[k] = name(f.ModelOf(sw), port)
			}
			port.Name = names[k]
		}
	}
}

// Check collects what drivers and managers have to say about the fabric.
// Findings that differ only in their objects become one.
func (s *Set) Check(f *fabric.Fabric) []fabric.Finding {
	var m merger
	if f.Technology == fabric.InfiniBand {
		if man := s.Manager(f.InfiniBand.Manager); man != nil {
			m.add(man.Check(f), "")
		} else {
			m.add([]fabric.Finding{noManager(f.InfiniBand.Manager)}, f.InfiniBand.Manager)
		}
		return m.list
	}
	for i := range f.Switches {
		sw := &f.Switches[i]
		if d := s.Driver(sw.OS); d != nil {
			m.add(d.Check(f, sw), sw.Name)
		} else {
			m.add([]fabric.Finding{s.noDriver(sw.OS)}, sw.Name)
		}
	}
	return m.list
}

// CheckUsers fetches every password hash once and says which users some OS of
// the fabric would have to go without. Errors name the reference, never the value.
func (s *Set) CheckUsers(f *fabric.Fabric, secrets fabric.Secrets) ([]fabric.Finding, error) {
	var m merger
	for i := range f.Management.Users {
		u := &f.Management.Users[i]
		if u.PasswordHash.IsZero() {
			continue
		}
		hash, err := secrets(u.PasswordHash)
		if err != nil {
			return nil, fmt.Errorf("password hash of user %s: %w", u.Name, err)
		}
		for k := range f.Switches {
			sw := &f.Switches[k]
			if d := s.Driver(sw.OS); d != nil && !d.TakesHash(strings.TrimSpace(hash)) {
				m.add([]fabric.Finding{{Severity: fabric.Warning, Code: "USER_LEFT_OUT",
					Message: fmt.Sprintf("the password hash of user %s is not in a form that %s can load, so the user is left out there", u.Name, sw.OS),
					Remedy:  "give a hash made by that OS, or create the user by hand (steps-to-check.txt) before you rely on remote logins"}}, sw.Name)
			}
		}
	}
	return m.list, nil
}

// NoDriver is the code of a finding that plan only warns of and generate refuses.
const NoDriver = "NO_DRIVER"

func (s *Set) noDriver(os string) fabric.Finding {
	return fabric.Finding{Severity: fabric.Warning, Code: NoDriver,
		Message: fmt.Sprintf("no driver for the network OS %q: the plan is complete, but no configuration can be generated", os),
		Remedy:  "set os to one of " + strings.Join(s.Names(), ", ") + " where the switch runs it"}
}

func noManager(name string) fabric.Finding {
	return fabric.Finding{Severity: fabric.Warning, Code: NoDriver,
		Message: fmt.Sprintf("no files can be generated for the subnet manager %q", name), Remedy: "set infiniband.subnet_manager to opensm, ufm or switch"}
}

// merger folds findings of many switches into one each.
type merger struct {
	list []fabric.Finding
	at   map[string]int
}

func (m *merger) add(list []fabric.Finding, object string) {
	if m.at == nil {
		m.at = map[string]int{}
	}
	for _, x := range list {
		if len(x.Objects) == 0 && object != "" {
			x.Objects = []string{object}
		}
		k := string(x.Severity) + "\x00" + x.Code + "\x00" + x.Message
		if i, ok := m.at[k]; ok {
			for _, o := range x.Objects {
				if n := len(m.list[i].Objects); n == 0 || m.list[i].Objects[n-1] != o {
					m.list[i].Objects = append(m.list[i].Objects, o)
				}
			}
			continue
		}
		m.at[k] = len(m.list)
		m.list = append(m.list, x)
	}
}

// Render renders every switch, several at once, and hands each one's files to
// emit, which must be safe for concurrent use. The first error stops the rest;
// so does ctx.
func (s *Set) Render(ctx context.Context, f *fabric.Fabric, secrets fabric.Secrets, emit func(*fabric.Switch, []fabric.File) error) error {
	work, ctx := errgroup.WithContext(ctx)
	work.SetLimit(runtime.GOMAXPROCS(0))
	for i := range f.Switches {
		sw := &f.Switches[i]
		d := s.Driver(sw.OS)
		if d == nil {
			continue
		}
		work.Go(func() error {
			if err := ctx.Err(); err != nil {
				return err
			}
			files, err := d.Render(f, sw, secrets)
			if err != nil {
				return err
			}
			return emit(sw, files)
		})
	}
	return work.Wait()
}

// knownFolders refuses a template folder that no OS would read, and a template
// beside the folders: a misplaced one would otherwise change nothing, silently.
func knownFolders(overlay fs.FS) error {
	if overlay == nil {
		return nil
	}
	entries, err := fs.ReadDir(overlay, ".")
	if err != nil {
		return err
	}
	known := []string{"comware", "cumulus", "eos", "mlnxos", "opensm", "rgos", "sonic", "ufm", "vrp", "zxros", "ztp"}
	for _, e := range entries {
		if e.IsDir() && !strings.HasPrefix(e.Name(), ".") && !slices.Contains(known, e.Name()) {
			return fmt.Errorf("templates: folder %s is no OS; known are %s", e.Name(), strings.Join(known, ", "))
		}
		if !e.IsDir() && path.Ext(e.Name()) == ".tmpl" {
			return fmt.Errorf("templates: %s lies beside the folders of the OSes and would not be read; put it into one of %s", e.Name(), strings.Join(known, ", "))
		}
	}
	return nil
}
