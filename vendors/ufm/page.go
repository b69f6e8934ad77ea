package ufm

import (
	"fmt"
	"strings"

	"railyard/generator/fabric"
	"railyard/vendors/ibsubnet"
)

// confDir is where UFM keeps its configuration (UM).
const confDir = "/opt/ufm/files/conf"

// Files beside opensm.conf. root_guid.conf is what RECIPE calls it.
const (
	rootFile  = "root_guid.conf"
	orderFile = "guid_routing_order.conf"
)

// page is what the templates see.
type page struct {
	Fabric, Subnet      string
	What                string // list.head.tmpl: what the list holds
	Dir                 string // of UFM's configuration
	Placeholders, GUIDs int
	Prefix              string // "" where the default is right
	Engine              string
	Adaptive            bool // the engine routes adaptively
	Order               bool // the engine reads a routing order
	RootFile, OrderFile string
	Roots               bool
	Isolated            bool // partitions are declared, so the default one must not join everybody
	Partitions          []partition
}

// partition is one key: as a rule for partitions.conf.user_ext and as a request body.
type partition struct {
	Name, Key      string
	FullKey        string // with the membership bit, as hosts see it
	RateCode       int
	Ports, Limited int
	Members        string // the port list without its last delimiter
	File           string // of the request body
	PKey           string // as REST writes it: 0x1

	body request
}

// request is the body of PUT /ufmRest/resources/pkeys/: the whole member list, which
// replaces the old one. The plural memberships is aligned with guids (CM). POST would
// ignore it and make every port a full member.
type request struct {
	PKey        string   `json:"pkey"`
	IPoverIB    bool     `json:"ip_over_ib"`
	GUIDs       []string `json:"guids"`
	Memberships []string `json:"memberships"`
}

func newPage(f *fabric.Fabric, s *ibsubnet.Subnet) *page {
	e := engineOf(f, s)
	p := &page{
		Fabric: f.Name, Subnet: s.Name, Dir: confDir, Engine: e,
		Adaptive: strings.HasPrefix(e, "ar_"), Order: readsOrder(e), RootFile: rootFile, OrderFile: orderFile,
		Roots: len(rootList(f, s)) > 0, Isolated: len(f.InfiniBand.Partitions) > 0,
	}
	p.Placeholders, p.GUIDs = s.Placeholders(f)
	if s.Name != "" {
		p.Prefix = ibsubnet.GUID(s.Prefix)
	}
	list := ibsubnet.Partitions(f, s)
	for i := range list {
		p.Partitions = append(p.Partitions, newPartition(f, &list[i]))
	}
	return p
}

func newPartition(f *fabric.Fabric, in *ibsubnet.Partition) partition {
	out := partition{
		Name: in.Name, Key: fmt.Sprintf("0x%04x", in.Key), FullKey: fmt.Sprintf("0x%04x", in.Key|0x8000),
		RateCode: in.Rate(f).Code, Ports: len(in.Members), PKey: fmt.Sprintf("0x%x", in.Key),
	}
	out.body = request{PKey: out.PKey, IPoverIB: true}
	// One member a line: the subnet manager reads lines into 4096 characters.
	var b []byte
	made := false
	for i, m := range in.Members {
		membership := "limited"
		if m.Full {
			membership = "full"
		} else {
			out.Limited++
		}
		if i > 0 {
			b = append(b, ",\n"...)
		}
		b = append(ibsubnet.AppendGUID(append(b, "    "...), m.Host.GUID.Value), '=')
		b = append(b, membership...)
		out.body.GUIDs = append(out.body.GUIDs, ibsubnet.GUID(m.Host.GUID.Value))
		out.body.Memberships = append(out.body.Memberships, membership)
		made = made || m.Host.GUID.Placeholder
	}
	out.Members = string(b)
	out.File = "partition-" + out.Key + ".json"
	if made { // JSON has no comments to say it in
		out.File = "partition-" + out.Key + ".PLACEHOLDER.json"
	}
	return out
}

// rootList is root_guid.conf: the top tier. XDR wants one even on a single switch (UM,
// adaptive routing).
func rootList(f *fabric.Fabric, s *ibsubnet.Subnet) []byte {
	if len(s.Roots) == 0 && xdr(f) {
		alone := *s
		alone.Roots = s.Switches
		return ibsubnet.RootList(f, &alone)
	}
	return ibsubnet.RootList(f, s)
}
