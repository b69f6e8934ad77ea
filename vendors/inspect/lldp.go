package inspect

import (
	"io/fs"
	"path"
	"strings"

	"railyard/generator/observed"
)

// neighbors reads a table of LLDP neighbours as any of these systems prints it:
// in each line a port of this switch, the name of another one of the directory
// and one of its ports. Other lines say nothing about these switches.
func (net *network) neighbors(root fs.FS, file string) {
	body, err := load(root, file)
	if err != nil {
		net.Skipped = append(net.Skipped, file+" ("+reason(err)+")")
		return
	}
	sw := net.owner(file)
	if sw == nil {
		net.Skipped = append(net.Skipped, file+" (no switch of that name)")
		return
	}
	own := portIndex(sw)
	remote := map[string]map[string]string{}
	for line := range strings.Lines(decoded(body)) {
		fields := strings.Fields(line)
		local, other, at := "", "", -1
		for i, f := range fields {
			if other == "" {
				if name := net.named(f); name != "" && name != sw.Name {
					other = name
					continue
				}
			}
			if local == "" {
				if port := own[observed.PortKey(f)]; port != "" {
					local, at = port, i
				}
			}
		}
		if local == "" || other == "" {
			continue
		}
		if remote[other] == nil {
			remote[other] = portIndex(net.byName[other])
		}
		for i, f := range fields {
			if port := remote[other][observed.PortKey(f)]; port != "" && i != at {
				net.Neighbors = append(net.Neighbors, observed.Neighbor{Switch: sw.Name, Port: local, Remote: other, RemotePort: port})
				break
			}
		}
	}
}

// named is the switch that a system name means, with or without its domain.
func (net *network) named(s string) string {
	if net.byName[s] != nil {
		return s
	}
	host, _, _ := strings.Cut(s, ".")
	if net.byName[host] != nil {
		return host
	}
	return ""
}

// owner is the switch whose table a file is: the one of its folder, or the one
// the file is named after.
func (net *network) owner(file string) *observed.Switch {
	if sw := net.folder[path.Dir(file)]; sw != nil {
		return sw
	}
	name := stem(file)
	for _, cut := range []string{"", "lldp-", "lldp_", "-lldp", "_lldp", ".lldp", "lldp."} {
		bare := name
		if cut != "" {
			bare = strings.TrimSuffix(strings.TrimPrefix(name, cut), cut)
		}
		if sw := net.byName[bare]; sw != nil {
			return sw
		}
		if sw := net.stems[strings.ToLower(bare)]; sw != nil {
			return sw
		}
	}
	return nil
}

// portIndex finds a switch's ports by any spelling.
func portIndex(sw *observed.Switch) map[string]string {
	index := make(map[string]string, 2*len(sw.Ports))
	for i := range sw.Ports {
		p := &sw.Ports[i]
		if p.Kind != observed.Physical {
			continue
		}
		if p.Alias != "" {
			index[observed.PortKey(p.Alias)] = p.Name
		}
	}
	for i := range sw.Ports {
		if p := &sw.Ports[i]; p.Kind == observed.Physical {
			index[observed.PortKey(p.Name)] = p.Name
		}
	}
	return index
}
