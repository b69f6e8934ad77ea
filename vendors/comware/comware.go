package comware

import (
	"io/fs"

	"railyard/generator/fabric"
	"railyard/templates"
)

// The two files of a switch.
const (
	configFile = "startup.cfg"
	stepsFile  = "steps-to-check.txt"
)

// Driver writes Comware configurations. It may be used by many goroutines at
// once.
type Driver struct{ templates *templates.Set }

// New loads the templates, with those of overlay (nil for none) laid over the
// embedded ones file by file. Errors name the template and line.
func New(overlay fs.FS) (*Driver, error) {
	set, err := templates.Load("comware", overlay, nil)
	if err != nil {
		return nil, err
	}
	return &Driver{templates: set}, nil
}

// Name is the network OS as cluster files call it.
func (d *Driver) Name() string { return "comware" }

// device is what the templates are written from: one switch in the switch's
// own terms.
type device struct {
	Sysname    string
	Management management
	VLANs      []vlan
	Loopback   string
	Ports      []port
	Lossless   *qos
	BGP        *bgp

	Steps steps
}

// vlan is one rail's VLAN; Gateway is nil where it is not routed.
type vlan struct {
	ID      int
	Name    string
	Gateway *network
}

// steps is what the second file is written from.
type steps struct {
	Splits    []split
	Ports     []port // blocks whose interface type is not documented
	Slow      []string
	Pool      int      // cells of headroom that must be backed
	DNS       []string // servers inside the management VPN instance
	Users     []manual
	Cells     bool
	Paths     int // equal-cost paths wanted
	HostMTU   int
	Watchdog  *watchdog
	DetectMS  int64
	RestoreMS int64
}

// Render returns startup.cfg and steps-to-check.txt. It fails where a secret
// cannot be fetched or a template does; errors never hold a secret.
func (d *Driver) Render(f *fabric.Fabric, sw *fabric.Switch, secrets fabric.Secrets) ([]fabric.File, error) {
	dev, err := d.device(f, sw, secrets)
	if err != nil {
		return nil, err
	}
	config, err := d.templates.Execute(configFile+".tmpl", sw.Name, dev)
	if err != nil {
		return nil, err
	}
	hand, err := d.templates.Execute(stepsFile+".tmpl", sw.Name, dev)
	if err != nil {
		return nil, err
	}
	return []fabric.File{
		{Name: configFile, Body: config, Secret: len(dev.Management.Users) > 0},
		{Name: stepsFile, Body: hand},
	}, nil
}

func (d *Driver) device(f *fabric.Fabric, sw *fabric.Switch, secrets fabric.Secrets) (*device, error) {
	s := look(f, sw)
	m, later, err := manage(f, sw, secrets)
	if err != nil {
		return nil, err
	}
	q := lossless(f, sw, &s)
	dev := &device{Sysname: sw.Name, Management: m, Lossless: q, BGP: routing(f, sw)}
	if sw.Loopback.Is4() {
		dev.Loopback = sw.Loopback.String()
	}
	for _, i := range sw.VLANs {
		v := vlan{ID: f.VLANs[i].ID, Name: f.VLANs[i].Name}
		if g := f.VLANs[i].Gateway; g.IsValid() && g.Addr().Is4() {
			v.Gateway = &network{g.Addr().String(), mask(g.Bits())}
		}
		dev.VLANs = append(dev.VLANs, v)
	}
	dev.Steps = steps{Splits: s.splits, Users: later, Cells: s.cells || cellSystem(f.ModelOf(sw))}
	if dev.Ports, dev.Steps.Ports, err = d.ports(f, sw, q); err != nil {
		return nil, err
	}
	for _, speed := range s.slow {
		t, _ := typeOf(speed)
		dev.Steps.Slow = append(dev.Steps.Slow, t.name)
	}
	if m.VRF != "" {
		dev.Management.DNS, dev.Steps.DNS = nil, m.DNS
	}
	if dev.BGP != nil && dev.BGP.Paths > widestSeen {
		dev.Steps.Paths = dev.BGP.Paths
	}
	if routes(f, sw) && f.Underlay.HostMTU > ordinaryMTU {
		dev.Steps.HostMTU = f.Underlay.HostMTU
	}
	if q != nil {
		dev.Steps.Pool, dev.Steps.Watchdog = s.pool, q.Watchdog
		dev.Steps.DetectMS = f.Lossless.Watchdog.Detect.Milliseconds()
		dev.Steps.RestoreMS = f.Lossless.Watchdog.Restore.Milliseconds()
	}
	return dev, nil
}

// widestSeen is the widest ECMP group seen in a real configuration of the
// family (FIELD: balance 8); wider ones depend on a system limit that takes a
// restart to change (H3C-CMD max-ecmp-num).
const widestSeen = 8

// ordinaryMTU is the IP MTU of an interface nobody configured.
const ordinaryMTU = 1500
