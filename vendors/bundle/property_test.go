package bundle_test

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"railyard/generator"
	"railyard/generator/cluster"
	"railyard/generator/fabric"
	"railyard/vendors"
)

// leafs are switch models with the OS to run on each; every driver is among them.
var leafs = []string{
	"model: h3c-s9827-128dh", "model: h3c-s9825-64d", "model: h3c-s9855-48cd8d", "model: h3c-s9827-64e",
	"model: huawei-ce8851-32cq8dq-p", "model: huawei-ce8855-32cq4bq", "model: huawei-ce9866-128dq",
	"model: arista-7060x6-64pe", "model: arista-7060dx5-64s", "model: arista-7060x6-64pe, os: sonic", "model: arista-7800r4",
	"model: nvidia-sn5600, os: sonic", "model: nvidia-sn5600, os: cumulus", "model: ruijie-s6980-64qc", "model: zte-generic, ports: [{count: 64, speed: 400G}]", "model: nvidia-sn4700, os: sonic", "model: dell-z9864f", "model: ruijie-s6990-128qc, os: sonic",
	"model: celestica-ds5000", "model: nvidia-qm9700", "model: nvidia-qm8700", "model: nvidia-q3400-ra",
	"model: site-box, os: eos, ports: [{count: 48, speed: 100G}, {count: 8, speed: 400G, breakout: [4x100G]}]",
}

func pick(t *rapid.T, name string, from ...string) string {
	return rapid.SampledFrom(from).Draw(t, name)
}

// wish writes a cluster file as a person might.
func wish(t *rapid.T) string {
	var b strings.Builder
	leaf := pick(t, "leaf", leafs...)
	spine := pick(t, "spine", append([]string{leaf, leaf, leaf}, leafs...)...)
	technology := "roce"
	if strings.Contains(leaf, "nvidia-q") {
		technology, spine = "infiniband", leaf
	}
	fmt.Fprintf(&b, "version: 1\nname: wish\nfabric:\n  technology: %s\n  topology: %s\n  attachment: %s\n  planes: %d\n", technology,
		pick(t, "topology", "auto", "auto", "auto", "leaf-spine", "three-tier", "single-switch", "rail-only"), pick(t, "attachment", "rail", "rail", "tor"), rapid.IntRange(1, 2).Draw(t, "planes"))
	fmt.Fprintf(&b, "  oversubscription: %q\n", pick(t, "ratio", "1:1", "1:1", "2:1", "3:1", "1:2"))
	if rapid.Bool().Draw(t, "small units") {
		fmt.Fprintf(&b, "  servers_per_unit: %d\n", rapid.IntRange(1, 12).Draw(t, "unit"))
	}
	b.WriteString("servers:\n")
	for g := range rapid.IntRange(1, 2).Draw(t, "groups") {
		fmt.Fprintf(&b, "  - {name: g%d, count: %d, %s, cable: {length: %s}}\n", g, rapid.IntRange(1, 24).Draw(t, "count"),
			pick(t, "server", "model: dgx-h100", "model: dgx-b300", "model: huawei-atlas-800t-a2", "model: generic-4090-8", "model: generic-l40s-8",
				"gpu: a800-80-sxm4, gpus: 8, nic: cx6-100-vpi, nics: 8", "gpu: mi300x, gpus: 8, nic: thor2-bcm57608, nics: 4, nic_speed: 200G"),
			pick(t, "length", "1m", "5m", "30m", "0.5m", "300m"))
	}
	fmt.Fprintf(&b, "switches:\n  leaf: {%s}\n  spine: {%s, cable: {length: %s}}\n", leaf, spine, pick(t, "spine length", "30m", "100m", "2000m"))
	if technology == "roce" {
		fmt.Fprintf(&b, "lossless:\n  ecn: {profile: %s}\n", pick(t, "ecn", "auto", "nvidia", "hpcc", "huawei-delay", "sonic", "dell"))
		fmt.Fprintf(&b, "addressing:\n  host: %s\n  links: %s\n  asn: {spine_mode: %s}\n", pick(t, "host", "vlan", "vlan", "routed"),
			pick(t, "links", "10.240.0.0/13", "10.240.0.0/13", "unnumbered"), pick(t, "spine mode", "shared", "unique"))
	}
	return b.String()
}

// Whatever a person wishes is either designed, checked and rendered, or refused
// with reasons: never a panic, never a driver that fails, or a line that no grammar
// confirms, without a finding of severity error that had said so.
func TestAnyWish(t *testing.T) {
	set, err := vendors.Load(nil)
	if err != nil {
		t.Fatal(err)
	}
	rendered := 0
	rapid.Check(t, func(t *rapid.T) {
		text := wish(t)
		c, err := cluster.Load("wish.yaml", strings.NewReader(text), nil)
		if err == nil {
			var f *fabric.Fabric
			if f, err = generator.Design(c); err == nil {
				deliver(t, set, f, text)
				rendered++
				return
			}
		}
		var problems cluster.Problems
		if !errors.As(err, &problems) || len(problems) == 0 {
			t.Fatalf("%v\n%s", err, text)
		}
		for _, p := range problems {
			if p.Position.Line == 0 || p.Message == "" {
				t.Fatalf("a problem without place or reason: %v\n%s", p, text)
			}
		}
	})
	t.Logf("%d wishes rendered", rendered)
	if rendered == 0 {
		t.Error("no wish could be rendered")
	}
}

func deliver(t *rapid.T, set *vendors.Set, f *fabric.Fabric, text string) {
	set.NamePorts(f)
	findings := append(f.Findings, set.Check(f)...)
	said := map[string]bool{}
	for _, x := range findings {
		if x.Code == "" || x.Message == "" {
			t.Fatalf("an empty finding %+v\n%s", x, text)
		}
		if x.Severity == fabric.Error {
			for _, o := range x.Objects {
				said[o] = true
			}
			said[""] = true
		}
	}
	lines := set.CheckLines(f)
	err := set.Render(context.Background(), f, func(fabric.Secret) (string, error) { return "$6$x$y", nil }, func(sw *fabric.Switch, files []fabric.File) error {
		if err := lines.Add(sw, files); err != nil {
			return err
		}
		for _, file := range files {
			if len(file.Body) == 0 || strings.Contains(string(file.Body), "<no value>") || strings.Contains(string(file.Body), "%!") {
				return fmt.Errorf("%s: %s is empty or has a hole", sw.Name, file.Name)
			}
		}
		return nil
	})
	if err != nil && !said[""] {
		t.Fatalf("%v, and no error finding said so\n%s", err, text)
	}
	for _, x := range lines.Findings() {
		if !said[x.Objects[0]] {
			t.Fatalf("%s, and no error finding said so\n%s", x.Message, text)
		}
	}
	if f.Technology == fabric.InfiniBand && !said[""] {
		if _, err := set.Manager("opensm").Files(f); err != nil {
			t.Fatalf("%v, and no error finding said so\n%s", err, text)
		}
	}
}
