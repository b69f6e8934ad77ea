package cluster

import "embed"

//go:embed presets/*.yaml
var presetFiles embed.FS

// Preset is a commented cluster file to start from.
type Preset struct {
	Name  string // h100-64-single
	Title string // one line
	Body  string // the file
}

// Presets lists the presets: first the one to start from, then by size. The same files stand in
// fixtures/clusters.
func Presets() []Preset {
	list := []Preset{
		{Name: "h100-64-single", Title: "64 H100 on one H3C switch, a VLAN for each rail"},
		{Name: "rtx4090-4", Title: "4 servers with RTX 4090 and one 100G card each, one switch, SONiC"},
		{Name: "h3c-256", Title: "256 H100, H3C leaf and spine"},
		{Name: "ddc", Title: "256 H20, distributed system (DDC) of H3C packet and cell switches"},
		{Name: "mixed-arista-sonic-512", Title: "512 H100, Arista leaves (EOS) and Dell spines (SONiC)"},
		{Name: "b300-dual-plane", Title: "512 B300 on two planes, NVIDIA switches, SONiC"},
		{Name: "huawei-1024", Title: "1024 A800, Huawei leaf and spine"},
		{Name: "superpod-h100-127", Title: "DGX SuperPOD with 127 DGX H100, InfiniBand, UFM"},
		{Name: "b200-512-ib", Title: "512 DGX B200 (4096 GPUs), InfiniBand in three tiers"},
	}
	for i := range list {
		body, err := presetFiles.ReadFile("presets/" + list[i].Name + ".yaml")
		if err != nil {
			continue // the files are part of the program: a test sees to them
		}
		list[i].Body = string(body)
	}
	return list
}
