package cluster

import (
	"fmt"
	"slices"
	"strings"

	"railyard/generator/catalog"
	"railyard/generator/strict"
)

func ids[E any](list []E, id func(E) string) []string {
	names := make([]string, len(list))
	for i, e := range list {
		names[i] = id(e)
	}
	return names
}

func gpuIDs(c *catalog.Catalog) []string {
	return ids(c.GPUs, func(e catalog.GPU) string { return e.ID })
}
func nicIDs(c *catalog.Catalog) []string {
	return ids(c.NICs, func(e catalog.NIC) string { return e.ID })
}
func asicIDs(c *catalog.Catalog) []string {
	return ids(c.ASICs, func(e catalog.ASIC) string { return e.ID })
}
func serverIDs(c *catalog.Catalog) []string {
	return ids(c.Servers, func(e catalog.Server) string { return e.ID })
}
func switchIDs(c *catalog.Catalog) []string {
	return ids(c.Switches, func(e catalog.Switch) string { return e.ID })
}

// unknownRemedy says what to do about an id that a list of the catalog lacks.
func unknownRemedy(list, id string, known []string) string {
	entry := map[string]string{
		"gpus":     "{id: ID, vendor: nvidia, pcie: 5, lanes: 16, scaleup: none}",
		"servers":  "{id: ID, gpu: h100-80-sxm5, gpus: 8, nic: cx7-400-vpi, nics: 8}",
		"nics":     "{id: ID, vendor: nvidia, ports: [1x400G], pcie: 5, lanes: 16}",
		"asics":    "{id: ID, name: ID, buffer: 165MB, cell: 254}",
		"switches": "{id: ID, vendor: h3c, os: [comware], ports: [{count: 64, speed: 400G}], buffer: 113MB}",
	}[list]
	declare := fmt.Sprintf("declare it under catalog: {%s: [%s]}", list, strings.ReplaceAll(entry, "ID", id))
	if near := strict.Nearest(id, known); near != "" {
		return "did you mean " + near + "? Otherwise " + declare
	}
	return declare + "; railyard catalog lists what is known"
}

// osName is the name by which railyard knows an OS. VRP 8 is what Huawei calls
// the VRP of its data centre switches.
func osName(name string) string {
	if name == "vrp8" {
		return "vrp"
	}
	return name
}

// operatingSystems are all known names: those of the drivers planned, and those
// of the catalog.
func operatingSystems(c *catalog.Catalog) []string {
	names := strings.Fields("comware vrp eos sonic cumulus rgos zxros mlnx-os nvos")
	for i := range c.Switches {
		names = append(names, c.Switches[i].OS...)
	}
	slices.Sort(names)
	return slices.Compact(names)
}
