// Package vendors is the table of network operating systems railyard can
// configure, and what it asks of each.
package vendors

import (
	"railyard/generator/fabric"
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
