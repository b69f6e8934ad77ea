package vrp

import (
	"errors"
	"fmt"
	"io/fs"

	"railyard/generator/fabric"
	"railyard/templates"
)

// ConfigFile and StepsFile are the files of a switch: its startup configuration
// and what has to be done or confirmed by hand.
const (
	ConfigFile = "vrpcfg.cfg"
	StepsFile  = "steps-to-check.txt"
)

// Driver writes CloudEngine configurations. It may be used by many goroutines.
type Driver struct{ set *templates.Set }

// New parses the templates; overlay, which may be nil, holds a site's own vrp
// folder to lay over the embedded one.
func New(overlay fs.FS) (*Driver, error) {
	set, err := templates.Load("vrp", overlay, nil)
	if err != nil {
		return nil, err
	}
	return &Driver{set: set}, nil
}

// Name is the OS's name in cluster files.
func (d *Driver) Name() string { return "vrp" }

// Render returns vrpcfg.cfg in the form that the device prints and that "load
// configuration … replace" takes (CG Replacing the Configuration File: no quit,
// no return), and steps-to-check.txt. The configuration is marked secret when it
// holds a password hash.
func (d *Driver) Render(f *fabric.Fabric, sw *fabric.Switch, secrets fabric.Secrets) ([]fabric.File, error) {
	v, err := newView(f, sw, secrets)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", sw.Name, err)
	}
	if err := d.addLossless(v); err != nil {
		return nil, err
	}
	config, err := d.set.Execute(ConfigFile+".tmpl", sw.Name, v)
	if err != nil {
		return nil, err
	}
	proposals, err := d.proposals(v)
	if err != nil {
		return nil, err
	}
	text, err := d.set.Execute(StepsFile+".tmpl", sw.Name, stepsView{Name: sw.Name, Steps: stepsOf(v, proposals)})
	if err != nil {
		return nil, err
	}
	secret := false
	for _, u := range v.Users {
		secret = secret || u.Password != ""
	}
	return []fabric.File{
		{Name: ConfigFile, Body: config, Secret: secret},
		{Name: StepsFile, Body: text},
	}, nil
}

// addLossless renders the lossless lines once per kind of port and hands them to
// the ports.
func (d *Driver) addLossless(v *view) error {
	if v.plan == nil || !v.family.lossless() {
		return nil
	}
	system, err := d.set.Execute("lossless_system.tmpl", v.Name, v.plan)
	if err != nil {
		return err
	}
	v.LosslessSystem = string(system)
	type kind struct {
		profile int
		routed  bool
	}
	texts := map[kind]string{}
	for i := range v.Ports {
		p := &v.Ports[i]
		if p.profile < 0 {
			continue
		}
		k := kind{p.profile, p.Routed}
		text, ok := texts[k]
		if !ok {
			if text, err = d.portText(v, v.plan.port(p.profile, p.Routed)); err != nil {
				return err
			}
			texts[k] = text
		}
		p.Lossless = text
	}
	return nil
}

func (d *Driver) portText(v *view, p portPlan) (string, error) {
	text, err := d.set.Execute("lossless_port.tmpl", v.Name, p)
	return string(text), err
}

// proposal is the lossless side of a switch as one family would write it.
type proposal struct {
	family family
	system string
	ports  []string // one per kind of port
	names  []string // what kind each is
}

// proposals are written for switches whose family nobody has documented.
func (d *Driver) proposals(v *view) ([]proposal, error) {
	if v.fabric.Lossless == nil || v.family != familyUnknown {
		return nil, nil
	}
	var out []proposal
	var errs []error
	for _, fam := range []family{familyJ, familyP} {
		plan := planFor(v.fabric, v.sw, fam)
		system, err := d.set.Execute("lossless_system.tmpl", v.Name, plan)
		errs = append(errs, err)
		p := proposal{family: fam, system: string(system)}
		seen := map[string]bool{}
		for i := range v.Ports {
			port := &v.Ports[i]
			if port.profile < 0 {
				continue
			}
			prof := &v.fabric.Lossless.Profiles[port.profile]
			kind := fmt.Sprintf("%dG, %gm, ", prof.SpeedGbps, prof.LengthM) + map[bool]string{false: "switched", true: "routed"}[port.Routed]
			if seen[kind] {
				continue
			}
			seen[kind] = true
			text, err := d.portText(v, plan.port(port.profile, port.Routed))
			errs = append(errs, err)
			p.ports, p.names = append(p.ports, text), append(p.names, kind)
		}
		out = append(out, p)
	}
	return out, errors.Join(errs...)
}
