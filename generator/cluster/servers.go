package cluster

import (
	"fmt"
	"regexp"
	"slices"
	"strings"

	"railyard/generator/catalog"
	"railyard/generator/quantity"
)

// mostGroups bounds the kinds of servers in one cluster.
const mostGroups = 256

// servers completes the server groups from the catalog; what the user wrote
// stays.
func (l *loader) servers() {
	c := l.c
	if len(c.Servers) == 0 {
		l.require(false, "servers", "write servers: [{name: gpu, count: 8, model: dgx-h100}]", "a cluster has at least one group of servers")
		return
	}
	if len(c.Servers) > mostGroups {
		l.fail("servers", fmt.Sprintf("use at most %d; a group has as many like servers as you want", mostGroups), "%d groups of servers", len(c.Servers))
		return
	}
	total := 0
	for i := range c.Servers {
		path := fmt.Sprintf("servers[%d]", i)
		total += c.Servers[i].Count
		l.groupName(i, path)
		if l.usable(path) {
			l.group(&c.Servers[i], path)
		}
	}
	l.require(total <= MostServers, "servers", fmt.Sprintf("use at most %d", MostServers), "%d servers in all", total)
}

// switchLike are the names that switches and UFM hosts have.
var switchLike = regexp.MustCompile(`^(p[0-7]-)?(leaf|spine|core)(-.*)?$|^ufm$`)

// groupName keeps names of servers apart from each other and from switches'.
func (l *loader) groupName(i int, path string) {
	name := l.c.Servers[i].Name
	if name == "" || !l.usable(path+".name") {
		return
	}
	if switchLike.MatchString(name) {
		l.fail(path+".name", "choose another name", "servers of a group %s would be named like switches", quote(name))
		return
	}
	for j := range l.c.Servers {
		other := &l.c.Servers[j]
		switch digits, ok := strings.CutPrefix(name, other.Name+"-"); {
		case j < i && other.Name == name:
			l.fail(path+".name", "choose another name", "the name %s is taken by servers[%d]", quote(name), j)
			return
		case j != i && ok && other.Name != "" && strings.Trim(digits, "0123456789") == "":
			l.fail(path+".name", "choose another name", "%s is named like a server of group %s", quote(name), quote(other.Name))
			return
		}
	}
}

// group fills one group from its model and card.
func (l *loader) group(g *ServerGroup, path string) {
	cat := l.c.Catalog
	if g.Model != "" {
		m := cat.Server(g.Model)
		if m == nil {
			l.fail(path+".model", unknownRemedy("servers", g.Model, serverIDs(cat)), "the catalog has no server %s", g.Model)
			return
		}
		l.fromModel(g, m, path)
	}
	if g.GPU != "" && cat.GPU(g.GPU) == nil {
		l.fail(path+".gpu", unknownRemedy("gpus", g.GPU, gpuIDs(cat)), "the catalog has no GPU %s", g.GPU)
	}
	switch {
	case g.GPU != "" && g.GPUs == 0:
		l.fail(path+".gpus", "write gpus: 8", "the number of GPUs of a server is not known")
	case g.GPU == "" && g.GPUs > 0:
		l.fail(path+".gpu", "write gpu: h100-80-sxm5, or gpus: 0 for servers without", "%d GPUs of unknown type", g.GPUs)
	}
	if g.NICs == 0 {
		l.fail(path+".nics", "write nics: 8", "the number of compute network cards of a server is not known")
	}
	l.nic(g, path)
}

func (l *loader) fromModel(g *ServerGroup, m *catalog.Server, path string) {
	if g.GPU == "" {
		g.GPU = m.GPU
	}
	if !l.c.written(path + ".gpus") {
		g.GPUs = m.GPUs
	}
	if g.NIC == "" {
		g.NIC = m.NIC
	}
	if g.NICs == 0 {
		g.NICs = m.NICs
	}
	if g.PCIe.Gen == 0 {
		g.PCIe.Gen = m.PCIe
	}
}

// nic settles what follows from the network card: speed and slot.
func (l *loader) nic(g *ServerGroup, path string) {
	if g.NIC == "" {
		if g.NICSpeed == 0 {
			l.fail(path+".nic", "write nic: cx7-400-vpi, or nic_speed: 400G alone", "the network card of a server is not known")
		}
		return
	}
	nic := l.c.Catalog.NIC(g.NIC)
	if nic == nil {
		l.fail(path+".nic", unknownRemedy("nics", g.NIC, nicIDs(l.c.Catalog)), "the catalog has no NIC %s", g.NIC)
		return
	}
	l.slot(g, nic)
	planes := l.c.Fabric.Planes
	best, fastest := portSet(nic, planes)
	if best.Children == 0 {
		l.require(false, "fabric.planes", fmt.Sprintf("use at most %d, or a card with more ports", mostPorts(nic)),
			"%d planes need as many ports on every card, and %s of %s has at most %d", planes, g.NIC, path, mostPorts(nic))
		return
	}
	if g.NICSpeed == 0 {
		g.NICSpeed = best.Speed
	}
	switch {
	case nic.Confidence == catalog.Declared:
	case g.NICSpeed > fastest:
		l.fail(path+".nic_speed", fmt.Sprintf("use %s or less", fastest), "%s cannot do %s on a port%s", g.NIC, g.NICSpeed, ofPlanes(planes))
		return
	case !slices.Contains([]quantity.Speed{1, 10, 25, 40, 50, 100, 200, 400, 800, 1600}, g.NICSpeed):
		l.fail(path+".nic_speed", "use 10G, 25G, 40G, 50G, 100G, 200G, 400G or 800G", "no network card does %s", g.NICSpeed)
		return
	}
	if l.c.Fabric.Technology == "infiniband" && l.usable("fabric.technology") {
		l.infiniBandNIC(g, nic, path)
	}
}

func ofPlanes(planes int) string {
	if planes > 1 {
		return fmt.Sprintf(" when it has one for each of %d planes", planes)
	}
	return ""
}

// portSet returns the port set with as many ports as planes, or the next larger,
// and the fastest port of any set that is large enough. The zero Split: none is.
func portSet(nic *catalog.NIC, planes int) (best quantity.Split, fastest quantity.Speed) {
	for _, p := range nic.Ports {
		if p.Children < planes {
			continue
		}
		fastest = max(fastest, p.Speed)
		if best.Children == 0 || p.Children < best.Children || p.Children == best.Children && p.Speed > best.Speed {
			best = p
		}
	}
	return best, fastest
}

func mostPorts(nic *catalog.NIC) int {
	most := 0
	for _, p := range nic.Ports {
		most = max(most, p.Children)
	}
	return most
}

// slot fills the PCIe slot: the server's generation where known, else the
// card's own. A card that is not behind PCIe has none.
func (l *loader) slot(g *ServerGroup, nic *catalog.NIC) {
	if nic.PCIe == 0 {
		g.PCIe = PCIe{}
		return
	}
	if g.PCIe.Gen == 0 {
		g.PCIe.Gen = nic.PCIe
	}
	if g.PCIe.Lanes == 0 {
		g.PCIe.Lanes = nic.Lanes
	}
}

// rates are the InfiniBand rates by port speed in Gb/s, as the NIC tables name them.
var rates = map[quantity.Speed][]string{56: {"FDR"}, 100: {"EDR", "HDR100"}, 200: {"HDR", "NDR200"}, 400: {"NDR"}, 800: {"XDR"}}

func (l *loader) infiniBandNIC(g *ServerGroup, nic *catalog.NIC, path string) {
	gpu := l.c.Catalog.GPU(g.GPU)
	switch speaks := func(rate string) bool { return slices.Contains(nic.IB, rate) }; {
	case gpu != nil && gpu.RoCEOnly:
		l.fail(path+".gpu", "write technology: roce, or choose other accelerators", "%s cannot use InfiniBand", g.GPU)
	case len(nic.IB) == 0:
		l.fail(path+".nic", "write technology: roce, or choose a card with an InfiniBand mode such as cx7-400-vpi", "%s has no InfiniBand mode", g.NIC)
	case !slices.ContainsFunc(rates[g.NICSpeed], speaks):
		l.fail(path+".nic_speed", "choose a speed of one of them", "%s has no InfiniBand rate of %s: it does %s", g.NIC, g.NICSpeed, strings.Join(nic.IB, ", "))
	}
}

// reserve settles the final sizes. The cluster's is the sum of the groups';
// where only the sum is given, the one group without a share takes the rest.
func (l *loader) reserve() {
	c := l.c
	if !l.usable("fabric.reserve", "servers") {
		return
	}
	want, declared, open := c.Fabric.Reserve.Servers, 0, []int{}
	for i := range c.Servers {
		g := &c.Servers[i]
		if g.Reserve == 0 {
			open = append(open, i)
			declared += g.Count
			continue
		}
		declared += g.Reserve
		l.require(g.Reserve >= g.Count, fmt.Sprintf("servers[%d].reserve", i), fmt.Sprintf("write at least %d", g.Count), "a final size of %d is less than the %d servers of today", g.Reserve, g.Count)
	}
	for _, i := range open {
		c.Servers[i].Reserve = c.Servers[i].Count
	}
	switch {
	case want == 0:
		if len(open) < len(c.Servers) && declared > l.count() {
			c.Fabric.Reserve.Servers = declared
		}
		l.require(declared <= MostServers, "servers", fmt.Sprintf("use at most %d", MostServers), "a final size of %d servers", declared)
	case want < declared:
		l.fail("fabric.reserve.servers", fmt.Sprintf("write at least %d, or leave it out", declared), "a final size of %d servers is less than the %d of the groups", want, declared)
	case want > declared && len(open) == 1:
		c.Servers[open[0]].Reserve += want - declared
	case want > declared:
		l.fail("fabric.reserve.servers", "write reserve: in the groups that grow, adding up to it", "which group grows from %d to %d servers in all is not known", declared, want)
	}
}

func (l *loader) count() int {
	n := 0
	for i := range l.c.Servers {
		n += l.c.Servers[i].Count
	}
	return n
}
