package cluster

import (
	"maps"
	"time"
)

// Forms that several keys share.
const (
	groupForm   = `[a-z0-9]([a-z0-9-]{0,30}[a-z0-9])?`
	clusterForm = `[a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?`
	idForm      = `[a-z0-9][a-z0-9._-]{0,62}`
	idLike      = "a catalog id: lower case letters, digits, . _ and -, at most 63"
	wordForm    = `[A-Za-z0-9][A-Za-z0-9 .,_+()/-]{0,62}`
	wordLike    = "a short plain text"
	freeForm    = `.{0,1000}`
	freeLike    = "a text of at most 1000 characters"
)

// MostServers is the largest number of servers a cluster may have, its reserve
// included. The largest published designs have some 16 thousand.
const MostServers = 200_000

const (
	mostNICs = 32 // per server; published servers have 8 to 16
	mostGPUs = 128
)

// keys is the table of all keys: what they mean and what they take.
func keys() map[string]rule {
	all := map[string]rule{}
	for _, part := range []map[string]rule{topKeys(), fabricKeys(), serverKeys(), switchKeys(), losslessKeys(), addressingKeys(), managementKeys(), infiniBandKeys(), hardwareKeys(), hardwareSwitchKeys()} {
		maps.Copy(all, part)
	}
	return all
}

func topKeys() map[string]rule {
	return map[string]rule{
		"Cluster.version": {doc: "Version of this file format.", min: 1, max: 1},
		"Cluster.name": {doc: "Name of the cluster; it stands in titles and file names.", form: clusterForm,
			like: "a name: lower case letters, digits and hyphens, at most 63", required: "write name: my-cluster"},
		"Cluster.fabric": {doc: "What kind of network, and its shape."},
		"Cluster.servers": {doc: "Groups of like servers.",
			required: "write servers: [{name: gpu, count: 8, model: dgx-h100}]"},
		"Cluster.switches": {doc: "The switch type of each tier.",
			required: "write switches: {leaf: {model: h3c-s9827-128dh}}"},
		"Cluster.lossless":   {doc: "What keeps RoCE from dropping: classes, marking, headroom, watchdog. Of no effect on InfiniBand."},
		"Cluster.addressing": {doc: "IP prefixes, VLANs and AS numbers of the fabric."},
		"Cluster.management": {doc: "The out-of-band side: addresses, servers and logins of the switches."},
		"Cluster.infiniband": {doc: "Subnet manager and partitions. Of no effect on RoCE."},
		"Cluster.overrides":  {doc: "Settings of single devices that differ from the rest."},
		"Cluster.outputs":    {doc: "What generate writes.", enum: []string{"switches", "hosts", "cabling", "inventory", "report"}},
		"Cluster.catalog":    {doc: "Hardware that the built-in catalog lacks or has wrong."},
		"Override.match":     {doc: "Device name, host list (leaf-u[01-04]-r0) or glob (leaf-*-r0).", form: `.+`, like: "a name, host list or glob", required: `write match: "leaf-*-r0"`},
		"Override.os":        {doc: "Network OS of these devices.", form: idForm, like: "the name of a network OS"},
		"Override.model":     {doc: "Switch model of these devices, a catalog id.", form: idForm, like: idLike},
		"Override.release":   releaseRule(),
		"Override.asn":       asnRule("BGP AS number of these devices."),
		"Override.no_transit": {doc: "Whether the device must not export routes learned from one upper switch to another. " +
			"It is on by itself where spines have different AS numbers; false describes a bad network."},
	}
}

func releaseRule() rule {
	return rule{doc: "OS release, where what is written for the OS depends on it.", form: `[A-Za-z0-9][A-Za-z0-9._()-]{0,39}`, like: "a release like 4.33.1F"}
}

func fabricKeys() map[string]rule {
	return map[string]rule{
		"Fabric.technology":            {doc: "Link technology.", enum: []string{"roce", "infiniband"}},
		"Fabric.roce":                  {doc: "RoCE version. v1 cannot cross a router.", enum: []string{"v1", "v2"}},
		"Fabric.topology":              {doc: "Design family; auto takes the smallest that holds the final size.", enum: []string{"auto", "single-switch", "rail-only", "leaf-spine", "three-tier", "ddc"}},
		"Fabric.attachment":            {doc: "rail: NIC r of every server to the leaf of rail r. tor: all NICs of a server to the leaf of its rack.", enum: []string{"rail", "tor"}},
		"Fabric.rails_per_leaf":        {doc: "Rails that share a leaf; auto needs the fewest switches."},
		"Fabric.planes":                {doc: "Independent copies of the fabric; NIC port p goes to plane p.", min: 1, max: 8},
		"Fabric.oversubscription":      {doc: `Bandwidth down to up of a leaf, such as "2:1".`},
		"Fabric.core_oversubscription": {doc: "Bandwidth down to up of a spine below cores."},
		"Fabric.servers_per_unit":      {doc: "Servers that share a set of leaves; auto takes as many as fit."},
		"Fabric.uplink_speed":          {doc: "Speed of leaf uplinks; auto keeps ports whole unless two tiers need more spines."},
		"Fabric.spines":                {doc: "Forces the number of spines of a plane."},
		"Fabric.reserve":               {doc: "The final size. Growth within it renames, renumbers and recables nothing."},
		"Reserve.servers":              {doc: "Final number of servers in all; 0 stands for today's.", min: 0, max: MostServers},
	}
}

func serverKeys() map[string]rule {
	return map[string]rule{
		"ServerGroup.name": {doc: "Name of the group; its servers are name-001, name-002, …", form: groupForm,
			like: "a group name: lower case letters, digits and hyphens, at most 32", required: "write name: gpu"},
		"ServerGroup.count":     {doc: "Number of servers.", min: 1, max: MostServers, required: "write count: 8"},
		"ServerGroup.model":     {doc: "Server model, a catalog id; it brings gpu, gpus, nic, nics and pcie.", form: idForm, like: idLike},
		"ServerGroup.gpu":       {doc: "Accelerator, a catalog id.", form: idForm, like: idLike},
		"ServerGroup.gpus":      {doc: "Accelerators of a server.", min: 0, max: mostGPUs},
		"ServerGroup.nic":       {doc: "Network card of the compute network, a catalog id.", form: idForm, like: idLike},
		"ServerGroup.nics":      {doc: "Compute network cards of a server, which is the number of rails.", min: 1, max: mostNICs},
		"ServerGroup.nic_speed": {doc: "Speed of one NIC port towards one leaf; by default the card's fastest with a port for every plane."},
		"ServerGroup.pcie":      {doc: "Slot of the network cards, where it is slower than card and server can be."},
		"ServerGroup.reserve":   {doc: "Final number of servers of this group; by default its count.", min: 1, max: MostServers},
		"ServerGroup.cable":     {doc: "Cables from these servers to their leaves."},
		"PCIe.gen":              {doc: "PCI Express generation.", min: 3, max: 6},
		"PCIe.lanes":            {doc: "PCI Express lanes.", like: "1, 2, 4, 8 or 16", min: 1, max: 16, not: []int64{3, 5, 6, 7, 9, 10, 11, 12, 13, 14, 15}},
		"Cable.length":          {doc: "Length. It decides the headroom of lossless ports."},
		"Cable.type":            {doc: "Type; left out, it is chosen by length.", enum: []string{"dac", "acc", "aec", "aoc", "multimode", "singlemode"}},
	}
}

func switchKeys() map[string]rule {
	return map[string]rule{
		"Switches.leaf":  {doc: "Switches that servers are cabled to.", required: "write leaf: {model: h3c-s9827-128dh}"},
		"Switches.spine": {doc: "Switches above the leaves; by default of the leaf's type."},
		"Switches.core":  {doc: "Switches above the spines; by default of the spine's type."},
		"Tier.model":     {doc: "Switch model, a catalog id; or a name of your own together with os and ports.", form: idForm, like: idLike},
		"Tier.os":        {doc: "Network OS; by default the model's usual one.", form: idForm, like: "the name of a network OS"},
		"Tier.release":   releaseRule(),
		"Tier.ports":     {doc: "Front panel in order, for a model whose ports the catalog lacks or has wrong."},
		"Tier.buffer":    {doc: "Packet buffer of the switch."},
		"Tier.cell":      {doc: "Size of a buffer cell in bytes.", min: 1, max: 65536},
		"Tier.cable":     {doc: "Cables down from this tier: spine to leaf, core to spine; for the leaf the default of its servers."},
	}
}

func losslessKeys() map[string]rule {
	return map[string]rule{
		"Lossless.priority": {doc: "PFC priority of RoCE, which is its traffic class and queue; auto is what the hosts send."},
		"Lossless.dscp":     {doc: "DSCP of RoCE; auto is what the hosts send."},
		"Lossless.cnp":      {doc: "Class of congestion notification packets."},
		"Lossless.ecn":      {doc: "When queues start to mark: a named profile, or kmin, kmax and pmax."},
		"Lossless.headroom": {doc: "Headroom of every lossless port; auto works it out of speed and cable length."},
		"Lossless.watchdog": {doc: "Ends a PFC storm that does not end by itself."},
		"CNP.dscp":          {doc: "DSCP of congestion notification packets.", min: 0, max: 63},
		"CNP.priority":      {doc: "Priority of congestion notification packets; never the lossless one.", min: 0, max: 7},
		"ECN.profile":       {doc: "Named marking profile; custom where kmin, kmax and pmax are given.", enum: []string{"auto", "railyard", "nvidia", "hpcc", "huawei-delay", "huawei-throughput", "sonic", "h3c-400g", "arista-leaf-spine", "dell", "custom"}},
		"ECN.kmin":          {doc: "Queue length at which marking starts.", min: 1, max: 1_000_000_000_000},
		"ECN.kmax":          {doc: "Queue length at which marking reaches pmax.", min: 1, max: 1_000_000_000_000},
		"ECN.pmax":          {doc: "Marking probability at kmax, in percent.", min: 1, max: 100},
		// The widest documented ranges are SONiC's (pfcwd): 100 to 5000 ms and 100 to 60000 ms.
		"Watchdog.detect":  {doc: "How long a queue stays paused before the watchdog acts.", min: int64(100 * time.Millisecond), max: int64(5 * time.Second)},
		"Watchdog.restore": {doc: "How long the storm must be over before the queue is lossless again.", min: int64(100 * time.Millisecond), max: int64(60 * time.Second)},
		"Watchdog.action":  {doc: "What happens to the packets of a stormed queue.", enum: []string{"drop", "forward", "alert"}},
	}
}

// asnRule accepts any number that a neighbour can have: not 0 and the last
// (RFC 7607, RFC 7300), not the last of two bytes (RFC 7300), not AS_TRANS (RFC 6793).
func asnRule(doc string) rule {
	return rule{doc: doc, min: 1, max: 4294967294, not: []int64{23456, 65535}}
}

func addressingKeys() map[string]rule {
	return map[string]rule{
		"Addressing.rails":     {doc: "Prefix of the server subnets, one for each unit and rail."},
		"Addressing.loopbacks": {doc: "Prefix of the switches' loopback addresses."},
		"Addressing.links":     {doc: "Prefix that is cut into a /31 for each link between switches, or unnumbered."},
		"Addressing.vlan_base": {doc: "VLAN of rail 0; rail r has this plus r.", min: 2, max: 4094},
		"Addressing.asn":       {doc: "First BGP AS number of each tier."},
		"Addressing.host":      {doc: "vlan: a subnet for each unit and rail, its gateway on the leaf. routed: a /31 for each NIC.", enum: []string{"vlan", "routed"}},
		"ASN.leaf":             asnRule("AS number of the first leaf; every leaf has its own."),
		"ASN.spine":            asnRule("AS number of the spines, or of the first spine group."),
		"ASN.core":             asnRule("AS number of the cores."),
		"ASN.spine_mode":       {doc: "shared: one number for the spines of a group, which keeps routing valley-free. unique: one for each spine.", enum: []string{"shared", "unique"}},
	}
}

func managementKeys() map[string]rule {
	return map[string]rule{
		"Management.subnet":  {doc: "Out-of-band network, at least a /30; left out, it grows with the fabric."},
		"Management.gateway": {doc: "Gateway of the out-of-band network; by default its first address."},
		"Management.vrf": {doc: "VRF of the management port.", form: `[A-Za-z][A-Za-z0-9_-]{0,30}`,
			like: "a VRF name: a letter, then letters, digits, _ and -, at most 31"},
		"Management.ntp":    {doc: "Time servers."},
		"Management.dns":    {doc: "Name servers."},
		"Management.syslog": {doc: "Log servers."},
		"Management.users":  {doc: "Logins on every switch."},
		"Management.boot_server": {doc: "URL under which the output directory is served to switches that fetch their configuration at first boot.",
			form: `https?://[A-Za-z0-9.:/_~-]{1,200}`, like: "a URL such as http://192.168.100.5/railyard"},
		"Management.site_sections": {doc: "Sections and lines of the switches' configurations that the site manages by itself, in the switches' own words, * for any text: a section, a line, or \"section / line\". diff and push leave them alone.",
			form: `[^\x00-\x1f]{0,200}[^\x00-\x1f*/ ][^\x00-\x1f]{0,200}`, like: "a section or line such as snmp-server * or interface Management* / description *"},
		"User.name":          {doc: "Login name.", form: `[a-z_][a-z0-9_-]{0,31}`, like: "a login: a lower case letter, then letters, digits, _ and -, at most 32", required: "write name: admin"},
		"User.role":          {doc: "What the login may do.", enum: []string{"admin", "operator"}, def: "operator"},
		"User.password_hash": {doc: "Where the hash of the password is kept, in the form the network OS stores; never the hash itself."},
		"User.ssh_keys":      {doc: "Public SSH keys, each as one line of authorized_keys."},
		"Secret.env":         {doc: "Environment variable that holds the secret.", form: `[A-Za-z_][A-Za-z0-9_]{0,127}`, like: "the name of a variable"},
		"Secret.file":        {doc: "File that holds the secret.", form: `.{1,1000}`, like: "a path"},
	}
}

func infiniBandKeys() map[string]rule {
	return map[string]rule{
		"InfiniBand.subnet_manager": {doc: "What runs the subnet.", enum: []string{"opensm", "ufm", "switch"}},
		"InfiniBand.sm_guid":        {doc: "GUID of the port that the subnet manager binds to."},
		"InfiniBand.ufm_links":      {doc: "Host ports kept for UFM; they take the last server place of the last unit.", min: 0, max: 2 * mostNICs},
		"InfiniBand.routing":        {doc: "Routing engine.", enum: []string{"auto", "minhop", "updn", "dnup", "ftree", "lash", "dor", "nue", "dfsssp", "sssp", "ar_updn", "ar_ftree"}},
		"InfiniBand.guids":          {doc: "CSV file of names and GUIDs beside this file: leaf-u01-r0,0x… and gpu-001/nic0,0x…", form: `.{1,1000}`, like: "a path"},
		"InfiniBand.partitions":     {doc: "Partitions, each a set of servers that can reach each other."},
		"Partition.name":            {doc: "Name.", form: `[A-Za-z0-9][A-Za-z0-9_.-]{0,31}`, like: "a partition name: letters, digits, _ . and -, at most 32", required: "write name: train-a"},
		"Partition.pkey":            {doc: "Partition key; the membership bit is ignored. Two partitions may share one when one is full and the other limited.", required: "write pkey: 0x8001"},
		"Partition.members":         {doc: "Host lists (gpu-[001-004,007]) or globs (gpu-*) of servers.", form: `.+`, like: "a host list or glob", required: "write members: ['gpu-[001-004]']"},
		"Partition.membership":      {doc: "full, or limited: limited members reach only full ones.", enum: []string{"full", "limited"}, def: "full"},
	}
}

// confidences are the words of catalog.Confidence.
func confidences() []string { return []string{"doc", "field", "inferred", "unverified", "declared"} }

func hardwareKeys() map[string]rule {
	id := rule{doc: "Id by which the rest of the file names it; a known one is replaced.", form: idForm, like: idLike, required: "write id: my-model"}
	vendor := rule{doc: "Vendor.", form: idForm, like: "a vendor in lower case"}
	source := rule{doc: "Where the data come from.", form: freeForm, like: freeLike}
	confidence := rule{doc: "How well it is known; declared unless said.", enum: confidences()}
	all := map[string]rule{
		"Hardware.file":                  {doc: "YAML file beside this one with the same keys; what stands here wins.", form: `.{1,1000}`, like: "a path"},
		"Hardware.gpus":                  {doc: "Accelerators."},
		"Hardware.servers":               {doc: "Server models."},
		"Hardware.nics":                  {doc: "Network cards."},
		"Hardware.asics":                 {doc: "Switch chips."},
		"Hardware.switches":              {doc: "Switch models."},
		"catalog.GPU.class":              {doc: "Kind of product.", enum: []string{"datacenter", "consumer", "domestic", "rack"}},
		"catalog.GPU.pcie":               {doc: "PCI Express generation of its host interface.", min: 3, max: 6},
		"catalog.GPU.lanes":              {doc: "PCI Express lanes of its host interface.", min: 1, max: 16},
		"catalog.GPU.scaleup":            {doc: "Scale-up link between the GPUs of a server, such as nvlink4; none without one.", form: idForm, like: "a word"},
		"catalog.GPU.nic_speeds":         {doc: "Usual network speeds for each."},
		"catalog.GPU.gpudirect":          {doc: "Whether NICs can reach its memory directly.", enum: []string{"yes", "no", "unknown"}},
		"catalog.GPU.integrated_nic":     {doc: "Whether it brings its own network port."},
		"catalog.GPU.roce_only":          {doc: "Whether it cannot use InfiniBand."},
		"catalog.GPU.collective_library": {doc: "Collective library.", form: wordForm, like: wordLike},
		"catalog.Server.gpu":             {doc: "Accelerator, a catalog id.", form: idForm, like: idLike},
		"catalog.Server.gpus":            {doc: "Accelerators of a server.", min: 0, max: mostGPUs},
		"catalog.Server.nic":             {doc: "Compute network card, a catalog id.", form: idForm, like: idLike},
		"catalog.Server.nics":            {doc: "Compute network cards.", min: 0, max: mostNICs},
		"catalog.Server.pcie":            {doc: "PCI Express generation of the NIC slots.", min: 3, max: 6},
		"catalog.Server.per_rack":        {doc: "Servers a rack.", min: 1, max: 100},
		"catalog.NIC.ports":              {doc: "Port sets it can be run with: 1x400G, 2x200G.", required: "write ports: [1x400G]"},
		"catalog.NIC.pcie":               {doc: "PCI Express generation; 0 where it is not behind PCI Express.", min: 0, max: 6},
		"catalog.NIC.lanes":              {doc: "PCI Express lanes.", min: 1, max: 16},
		"catalog.NIC.ib":                 {doc: "InfiniBand rates it speaks.", enum: []string{"FDR", "EDR", "HDR100", "HDR", "NDR200", "NDR", "XDR"}},
		"catalog.NIC.twin_cage":          {doc: "Whether two ports leave through one twin-port cage."},
		"catalog.ASIC.name":              {doc: "Name.", form: wordForm, like: wordLike},
		"catalog.ASIC.buffer":            {doc: "Packet buffer."},
		"catalog.ASIC.cell":              {doc: "Size of a buffer cell in bytes.", min: 1, max: 65536},
		"catalog.ASIC.deep":              {doc: "Whether the buffer is off the chip."},
		"catalog.ASIC.voq":               {doc: "Whether it has virtual output queues."},
		"catalog.ASIC.ib":                {doc: "InfiniBand rate.", enum: []string{"FDR", "EDR", "HDR", "NDR", "XDR"}},
	}
	for _, kind := range []string{"GPU", "Server", "NIC", "ASIC", "Switch"} {
		all["catalog."+kind+".id"] = id
		all["catalog."+kind+".source"] = source
		all["catalog."+kind+".confidence"] = confidence
		if kind != "Server" && kind != "ASIC" {
			all["catalog."+kind+".vendor"] = vendor
		}
	}
	return all
}

func hardwareSwitchKeys() map[string]rule {
	return map[string]rule{
		"catalog.Switch.os":                {doc: "Network operating systems it runs, the usual one first; none for an externally managed InfiniBand switch.", form: idForm, like: "the name of a network OS"},
		"catalog.Switch.kind":              {doc: "Ethernet, InfiniBand, a chassis, or part of a distributed (DDC) system.", enum: []string{"eth", "ib", "eth-chassis", "eth-ddc"}, def: "eth"},
		"catalog.Switch.ddc":               {doc: "Part in a distributed system: ncp forwards packets, ncf cells.", enum: []string{"ncp", "ncf"}},
		"catalog.Switch.family":            {doc: "Sub-family that decides its command dialect.", form: idForm, like: "a word"},
		"catalog.Switch.asic":              {doc: "Switch chip, a catalog id.", form: idForm, like: idLike},
		"catalog.Switch.ports":             {doc: "Front panel in order."},
		"catalog.Switch.buffer":            {doc: "Packet buffer, where it differs from the chip's."},
		"catalog.Switch.cell":              {doc: "Buffer cell in bytes, where it differs from the chip's.", min: 1, max: 65536},
		"catalog.Switch.max_logical_ports": {doc: "Most logical ports after breakout.", min: 1, max: 4096},
		"catalog.Switch.port_groups":       {doc: "Limit on the logical ports of neighbouring cages."},
		"catalog.Switch.note":              {doc: "Anything worth knowing.", form: freeForm, like: freeLike},
		"catalog.Ports.count":              {doc: "Number of cages.", min: 1, max: 1024, required: "write count: 64"},
		"catalog.Ports.speed":              {doc: "Speed of a whole cage.", required: "write speed: 400G"},
		"catalog.Ports.form":               {doc: "Form factor: OSFP, QSFP-DD, QSFP112, …", form: wordForm, like: wordLike},
		"catalog.Ports.breakout":           {doc: "Ways to run a cage besides whole: 2x400G."},
		"catalog.Ports.twin":               {doc: "Whether a cage always is two logical ports (InfiniBand OSFP)."},
		"catalog.Ports.fabric":             {doc: "Whether these are cell ports of a DDC system."},
		"catalog.PortGroups.cages":         {doc: "Cage numbers of each group.", min: 1, max: 1024},
		"catalog.PortGroups.size":          {doc: "Or: every so many cages in order form a group.", min: 1, max: 1024},
		"catalog.PortGroups.max":           {doc: "Most logical ports of a group.", min: 1, max: 4096, required: "write max: 10"},
	}
}
