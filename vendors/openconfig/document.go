package openconfig

import (
	"errors"
	"fmt"

	"github.com/openconfig/ygot/ygot"

	"railyard/generator/fabric"
	"railyard/vendors/openconfig/oc"
)

// Document is one switch's intent in OpenConfig, valid by its models.
type Document struct {
	// Device is the root of the tree. Subtrees of it are what a Set replaces.
	Device *oc.Device
	// JSON is the whole tree by RFC 7951, names prefixed with their modules;
	// the same fabric gives the same bytes.
	JSON []byte
}

// Empty reports whether the dialect carries nothing of the switch.
func (d Document) Empty() bool { return d.Device == nil }

// Build writes what the dialect carries of a switch of f, whose ports must have
// been named. The gaps say what else the switch needs. Errors mean that the
// fabric holds values the models refuse; all of them are returned at once.
func Build(f *fabric.Fabric, sw *fabric.Switch, d Dialect) (Document, []Gap, error) {
	if f.Technology == fabric.InfiniBand {
		return Document{}, nil, fmt.Errorf("%s: OpenConfig has no models for InfiniBand", sw.Name)
	}
	gaps := gapsOf(f, sw, &d)
	if !d.carriesAny() {
		return Document{}, gaps, nil
	}
	b := &builder{f: f, sw: sw, d: &d, dev: &oc.Device{}}
	b.build()
	if err := errors.Join(b.problems...); err != nil {
		return Document{}, nil, fmt.Errorf("%s: OpenConfig: %w", sw.Name, err)
	}
	body, err := emit(b.dev)
	if err != nil {
		return Document{}, nil, fmt.Errorf("%s: OpenConfig: %w", sw.Name, err)
	}
	return Document{Device: b.dev, JSON: body}, gaps, nil
}

// emit refuses a tree that breaks the models or the rules the models only
// state in words.
func emit(dev *oc.Device) ([]byte, error) {
	if err := errors.Join(dev.Validate(), check(dev)); err != nil {
		return nil, shorten(err)
	}
	text, err := ygot.EmitJSON(dev, &ygot.EmitJSONConfig{
		Format: ygot.RFC7951, Indent: "  ", SkipValidation: true,
		RFC7951Config: &ygot.RFC7951JSONConfig{AppendModuleName: true},
	})
	if err != nil {
		return nil, shorten(err)
	}
	return append([]byte(text), '\n'), nil
}

// errorMost is how much of an error text is kept: ygot prints schemas.
const errorMost = 1000

func shorten(err error) error {
	if s := err.Error(); len(s) > errorMost {
		return errors.New(s[:errorMost] + "…")
	}
	return err
}

// builder fills one tree.
type builder struct {
	f        *fabric.Fabric
	sw       *fabric.Switch
	d        *Dialect
	dev      *oc.Device
	problems []error
}

func (b *builder) build() {
	if b.d.Carries(Interfaces) {
		b.interfaces()
	}
	if b.d.Carries(LLDP) {
		b.lldp()
	}
	if b.d.Carries(VLANs) {
		b.vlans()
	}
	if b.d.Carries(QoS) {
		b.qos()
	}
	if b.d.Carries(Routing) {
		b.routing()
	}
}

// must notes an error and goes on, so that all of them are seen.
func (b *builder) must(err error) {
	if err != nil {
		b.problems = append(b.problems, shorten(err))
	}
}

// instance is the network instance everything of the underlay lives in.
func (b *builder) instance() *oc.OpenconfigNetworkInstance_NetworkInstances_NetworkInstance {
	ni := b.dev.GetOrCreateNetworkInstances().GetOrCreateNetworkInstance(b.d.Instance)
	c := ni.GetOrCreateConfig()
	c.Name = ygot.String(b.d.Instance)
	c.Type = oc.OpenconfigNetworkInstanceTypes_NETWORK_INSTANCE_TYPE_DEFAULT_INSTANCE
	return ni
}
