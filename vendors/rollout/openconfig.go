package rollout

import (
	"strings"

	"railyard/generator/fabric"
	"railyard/vendors/gnmi/dialect"
	"railyard/vendors/openconfig"
)

// OpenConfig is the Builder that knows what each OS takes of OpenConfig.
func OpenConfig(f *fabric.Fabric, sw *fabric.Switch) ([]byte, []dialect.Manual, error) {
	doc, gaps, err := openconfig.Build(f, sw, openconfig.ForOS(sw.OS))
	if err != nil {
		return nil, nil, err
	}
	var list []dialect.Manual
	for _, g := range gaps {
		list = append(list, dialect.Manual{What: strings.TrimSpace(g.Intent + ": " + g.Reason + "; use " + g.Instead)})
	}
	return doc.JSON, list, nil
}
