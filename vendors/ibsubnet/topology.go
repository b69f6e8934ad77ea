package ibsubnet

import (
	"fmt"
	"path"
	"slices"
	"strconv"
	"strings"

	"railyard/generator/fabric"
)

// The files that cables are checked against.
const (
	topologyName = "cluster.topo"
	systemsDir   = "ibnl"
)

// Topology is the subnet's cables as ibdmchk, ibtopodiff and UFM's topology compare
// read them (ibdm-topo-file(1)), and a definition of each system that occurs in
// them (ibdm-ibnl-file(1)), which the Debian tools find through IBDM_IBNL_PATH.
//
// A switch's ports are P1, P2, … by InfiniBand number and its type is what NVIDIA
// calls the model, as in the files UFM itself writes (UFM Validation Tool, "Topo
// File"). Each cable stands at both of its ends, as there. Speeds are left out: the
// tools know none above 10G and drop a line that names one. Names must have passed
// Report.Names.
func Topology(f *fabric.Fabric, s *Subnet) []fabric.File {
	w := topoWriter{f: f, s: s, names: map[string]string{}}
	w.head()
	w.hosts()
	for _, i := range s.Switches {
		w.sw(i)
	}
	files := []fabric.File{{Name: path.Join(s.Name, topologyName), Body: w.b}}
	return append(files, w.systems()...)
}

// head says what the file is and how it is used.
func (w *topoWriter) head() {
	node, port := smNode(w.f, w.s)
	where := ""
	if w.s.Name != "" {
		where = ", subnet " + w.s.Name
	}
	w.b = fmt.Appendf(w.b, `# Cables of %s%s: written by railyard.
# Ports are InfiniBand port numbers. To check the design (Debian: ibutils; the tool
# crashes after its last line, which harms nothing):
#   IBDM_IBNL_PATH=$PWD/%s ibdmchk -t %s -n %s -p %d
# UFM compares the fabric it sees with this file as the body of
# POST /ufmRestV2/reports/Topology_Compare.
`, w.f.Name, where, systemsDir, topologyName, node, port)
}

// smNode is the node and port number that ibdmchk takes for the subnet manager's: a
// host's first port, else the first switch.
func smNode(f *fabric.Fabric, s *Subnet) (node string, port int) {
	if len(s.Hosts) > 0 {
		sv := &f.Servers[s.Hosts[0].Server]
		return sv.Name + "/" + sv.Ports[s.Hosts[0].Port].Name, 1
	}
	return f.Switches[s.Switches[0]].Name + "/U1", 0
}

type topoWriter struct {
	f *fabric.Fabric
	s *Subnet
	b []byte

	types   []string          // of hosts, in order of appearance
	names   map[string]string // joined NIC names → type
	byOwner map[int]string    // server → type
	nics    map[string][]string
}

// hosts finds the kinds of servers: those whose NICs have the same names.
func (w *topoWriter) hosts() {
	w.byOwner, w.nics = map[int]string{}, map[string][]string{}
	mine := map[int][]string{}
	var order []int
	for i := range w.s.Hosts {
		h := &w.s.Hosts[i]
		if mine[h.Server] == nil {
			order = append(order, h.Server)
		}
		mine[h.Server] = append(mine[h.Server], w.f.Servers[h.Server].Ports[h.Port].Name)
	}
	slices.Sort(order)
	for _, server := range order {
		key := strings.Join(mine[server], " ")
		kind := w.names[key]
		if kind == "" {
			kind = fmt.Sprintf("HOST_%d", len(mine[server]))
			for n := 2; w.nics[kind] != nil; n++ {
				kind = fmt.Sprintf("HOST_%d_%d", len(mine[server]), n)
			}
			w.names[key], w.nics[kind] = kind, mine[server]
			w.types = append(w.types, kind)
		}
		w.byOwner[server] = kind
	}
}

func (w *topoWriter) str(parts ...string) {
	for _, p := range parts {
		w.b = append(w.b, p...)
	}
}

func (w *topoWriter) port(sw *fabric.Switch, at int, p *fabric.Port) {
	w.str("P")
	w.b = strconv.AppendInt(w.b, int64(w.s.numbering[at].Number(p)), 10)
}

func (w *topoWriter) sw(at int) {
	sw := &w.f.Switches[at]
	w.str("\n", SystemType(w.f.ModelOf(sw)), " ", sw.Name, "\n")
	for i := range sw.Ports {
		p := &sw.Ports[i]
		if p.Link < 0 {
			continue
		}
		w.str("   ")
		w.port(sw, at, p)
		w.str(" -> ")
		if p.Peer.Kind == fabric.ServerDevice {
			sv := &w.f.Servers[p.Peer.Device]
			w.str(w.byOwner[p.Peer.Device], " ", sv.Name, " ", sv.Ports[p.Peer.Port].Name, "/P1\n")
			continue
		}
		far := &w.f.Switches[p.Peer.Device]
		w.str(SystemType(w.f.ModelOf(far)), " ", far.Name, " ")
		w.port(far, p.Peer.Device, &far.Ports[p.Peer.Port])
		w.str("\n")
	}
}

// systems defines each system type once: a switch is one node with a plug per port, a
// server one node per NIC port.
func (w *topoWriter) systems() []fabric.File {
	var types []string
	ports := map[string]int{}
	for _, i := range w.s.Switches {
		t := SystemType(w.f.ModelOf(&w.f.Switches[i]))
		if ports[t] == 0 {
			types = append(types, t)
		}
		ports[t] = max(ports[t], w.s.numbering[i].Count)
	}
	var files []fabric.File
	for _, t := range types {
		b := fmt.Appendf(nil, "TOPSYSTEM %s\n\nNODE SW %d %s U1\n", t, ports[t], t)
		for p := 1; p <= ports[t]; p++ {
			b = fmt.Appendf(b, "%d -4x-> P%d\n", p, p)
		}
		files = append(files, w.system(t, b))
	}
	for _, t := range w.types {
		b := fmt.Appendf(nil, "TOPSYSTEM %s\n", t)
		for _, nic := range w.nics[t] {
			b = fmt.Appendf(b, "\nNODE CA 1 ConnectX %s\n1 -4x-> %s/P1\n", nic, nic)
		}
		files = append(files, w.system(t, b))
	}
	return files
}

func (w *topoWriter) system(name string, body []byte) fabric.File {
	return fabric.File{Name: path.Join(w.s.Name, systemsDir, name+".ibnl"), Body: body}
}

// SystemType is what NVIDIA's tools call a switch model: MQM9700 for nvidia-qm9700
// (UFM Validation Tool, "Topo File"), Q3400_RA for nvidia-q3400-ra (node
// descriptions of NVOS); other models keep their name in capitals.
func SystemType(m *fabric.Model) string {
	name := strings.TrimPrefix(m.ID, "nvidia-")
	if strings.HasPrefix(name, "qm") {
		name = "m" + name
	}
	return strings.Map(func(c rune) rune {
		switch {
		case c >= 'a' && c <= 'z':
			return c - 'a' + 'A'
		case c >= 'A' && c <= 'Z', c >= '0' && c <= '9', c == '.':
			return c
		}
		return '_'
	}, name)
}
