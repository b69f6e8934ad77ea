package sonic

import (
	"errors"
	"fmt"
	"io/fs"
	"strconv"

	"railyard/generator/fabric"
	"railyard/templates"
)

// Driver writes SONiC's config_db.json, and frr.conf where the built-in BGP
// templates cannot express the plan. It is safe for concurrent use.
type Driver struct {
	platforms map[string]*platform
	texts     *templates.Set
	schema    schema
}

// New returns the driver. overlay holds a site's own files, laid over the
// embedded ones: templates under sonic/, and lane maps of switches under
// sonic/ports/MODEL/HWSKU/port_config.ini; nil for none.
func New(overlay fs.FS) (*Driver, error) {
	platforms, err := loadPlatforms()
	if err != nil {
		return nil, err
	}
	if overlay != nil {
		if err := sitePlatforms(overlay, platforms); err != nil {
			return nil, err
		}
	}
	texts, err := templates.Load("sonic", overlay, nil)
	if err != nil {
		return nil, err
	}
	return &Driver{platforms: platforms, texts: texts, schema: newSchema()}, nil
}

// Name is "sonic".
func (d *Driver) Name() string { return "sonic" }

// PortName is EthernetN as the model's lane map has it, or cage or cage/lane
// where the map does not place the port.
func (d *Driver) PortName(m *fabric.Model, p *fabric.Port) string {
	if pl := d.platforms[m.ID]; pl != nil {
		if r, ok := pl.port(p); ok {
			return r.name
		}
	}
	if p.Split > 1 {
		return strconv.Itoa(p.Cage) + "/" + strconv.Itoa(p.Lane)
	}
	return strconv.Itoa(p.Cage)
}

// Render returns config_db.json and, where needed, frr.conf. It fails rather
// than return a document that a switch would refuse: every rule of Validate is
// applied before. secrets is not used: CONFIG_DB holds no logins.
func (d *Driver) Render(f *fabric.Fabric, sw *fabric.Switch, _ fabric.Secrets) ([]fabric.File, error) {
	s, err := d.newSwitch(f, sw)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", sw.Name, err)
	}
	doc, err := s.document()
	if err != nil {
		return nil, fmt.Errorf("%s: %w", sw.Name, err)
	}
	if err := d.schema.validate(doc); err != nil {
		return nil, fmt.Errorf("%s: config_db.json would not load: %w", sw.Name, err)
	}
	files := []fabric.File{{Name: "config_db.json", Body: doc.encode()}}
	if s.ownFRR {
		body, err := d.texts.Execute("frr.conf.tmpl", sw.Name, s.frr())
		if err != nil {
			return nil, err
		}
		files = append(files, fabric.File{Name: "frr.conf", Body: body})
	}
	return files, nil
}

// newSwitch places the ports of a switch and finds everything about it that
// SONiC or railyard cannot do.
func (d *Driver) newSwitch(f *fabric.Fabric, sw *fabric.Switch) (*switchPlan, error) {
	s := &switchPlan{f: f, sw: sw, model: f.ModelOf(sw)}
	s.platform = d.platforms[s.model.ID]
	if s.platform == nil {
		return nil, fmt.Errorf("no lane map is known for %s: %s", s.model.ID, laneMapRemedy)
	}
	s.sku, s.exactSKU = s.platform.sku(sw, s.model)
	s.ownFRR = needsFRR(f, sw)
	s.rows = make([]portRow, len(sw.Ports))
	var problems []error
	for i := range sw.Ports {
		p := &sw.Ports[i]
		row, ok := s.platform.port(p)
		switch {
		case p.Role == fabric.CellPort:
			problems = append(problems, fmt.Errorf("cage %d is a cell port: this driver does not configure distributed systems", p.Cage))
		case !ok:
			problems = append(problems, fmt.Errorf("cage %d split into %d: the lane map of %s does not say where its ports sit", p.Cage, p.Split, s.model.ID))
		}
		s.rows[i] = row
	}
	return s, errors.Join(problems...)
}
