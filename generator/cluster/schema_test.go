package cluster_test

import (
	"bytes"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/santhosh-tekuri/jsonschema/v6"
	"gopkg.in/yaml.v3"

	"railyard/generator/cluster"
	"railyard/generator/strict"
)

func compile(t testing.TB) (*jsonschema.Schema, map[string]any) {
	t.Helper()
	body, err := cluster.Schema()
	if err != nil {
		t.Fatal(err)
	}
	doc, err := jsonschema.UnmarshalJSON(bytes.NewReader(body))
	if err != nil {
		t.Fatal(err)
	}
	c := jsonschema.NewCompiler()
	if err := c.AddResource("cluster.schema.json", doc); err != nil {
		t.Fatal(err)
	}
	s, err := c.Compile("cluster.schema.json")
	if err != nil {
		t.Fatal(err)
	}
	return s, doc.(map[string]any)
}

// instance turns YAML into what a schema judges, as an editor does.
func instance(t testing.TB, text []byte) any {
	t.Helper()
	var v any
	if err := yaml.Unmarshal(text, &v); err != nil {
		t.Fatal(err)
	}
	body, err := json.Marshal(v)
	if err != nil {
		t.Fatal(err)
	}
	out, err := jsonschema.UnmarshalJSON(bytes.NewReader(body))
	if err != nil {
		t.Fatal(err)
	}
	return out
}

// TestSchemaKeys: the schema and the structs have the same keys, each with a
// description, and nothing else is allowed.
func TestSchemaKeys(t *testing.T) {
	_, root := compile(t)
	defs := root["$defs"].(map[string]any)
	seen := map[string]bool{}
	var walk func(path string, schema map[string]any, typ reflect.Type)
	walk = func(path string, schema map[string]any, typ reflect.Type) {
		for typ.Kind() == reflect.Pointer || typ.Kind() == reflect.Slice {
			if items, ok := schema["items"].(map[string]any); ok && typ.Kind() == reflect.Slice {
				schema = items
			}
			typ = typ.Elem()
		}
		if ref, ok := schema["$ref"].(string); ok {
			name := strings.TrimPrefix(ref, "#/$defs/")
			schema = defs[name].(map[string]any)
			seen[name] = true
		}
		properties, ok := schema["properties"].(map[string]any)
		if !ok {
			if typ.Kind() == reflect.Struct && schema["pattern"] == nil && schema["anyOf"] == nil {
				t.Errorf("%s: the schema has no properties for a %s", path, typ)
			}
			return
		}
		if schema["additionalProperties"] != false {
			t.Errorf("%s: the schema allows other keys", path)
		}
		fields := strict.Fields(typ)
		if len(fields) != len(properties) {
			t.Errorf("%s: %d keys in the struct, %d in the schema", path, len(fields), len(properties))
		}
		for _, f := range fields {
			p, ok := properties[f.Key].(map[string]any)
			if !ok {
				t.Errorf("%s.%s is missing in the schema", path, f.Key)
				continue
			}
			if text, _ := p["description"].(string); !strings.HasSuffix(text, ".") && !strings.HasSuffix(text, "…") {
				t.Errorf("%s.%s has the description %q", path, f.Key, p["description"])
			}
			walk(path+"."+f.Key, p, f.Type)
		}
	}
	walk("", root, reflect.TypeFor[cluster.Cluster]())
	if len(seen) != len(defs) {
		t.Errorf("%d sections are used, %d defined", len(seen), len(defs))
	}
}

// TestRulesNameFields: no rule speaks of a key that does not exist, and no key
// is without a rule.
func TestRulesNameFields(t *testing.T) {
	var have []string
	seen := map[reflect.Type]bool{}
	var walk func(reflect.Type)
	walk = func(typ reflect.Type) {
		for typ.Kind() == reflect.Pointer || typ.Kind() == reflect.Slice {
			typ = typ.Elem()
		}
		if typ.Kind() != reflect.Struct || seen[typ] {
			return
		}
		seen[typ] = true
		for _, f := range strict.Fields(typ) {
			have = append(have, cluster.TypeName(typ)+"."+f.Key)
			walk(f.Type)
		}
	}
	walk(reflect.TypeFor[cluster.Cluster]())
	rules := cluster.RuleKeys()
	for _, k := range have {
		if !slices.Contains(rules, k) {
			t.Errorf("%s has no rule", k)
		}
	}
	for _, k := range rules {
		if !slices.Contains(have, k) {
			t.Errorf("the rule %s speaks of no key", k)
		}
	}
}

// TestGoodFiles: presets and fixtures load, and the schema agrees.
func TestGoodFiles(t *testing.T) {
	s, _ := compile(t)
	for _, file := range glob(t, fixtures+"/*.yaml") {
		t.Run(filepath.Base(file), func(t *testing.T) {
			if _, err := load(t, file); err != nil {
				t.Error(err)
			}
			body, err := os.ReadFile(file)
			if err != nil {
				t.Fatal(err)
			}
			if err := s.Validate(instance(t, body)); err != nil {
				t.Error(err)
			}
		})
	}
}

// TestAllKeys: the fixture that has every key has every key.
func TestAllKeys(t *testing.T) {
	c, err := load(t, fixtures+"/all-keys.yaml")
	if err != nil {
		t.Fatal(err)
	}
	var walk func(typ reflect.Type, path string)
	walk = func(typ reflect.Type, path string) {
		for typ.Kind() == reflect.Pointer || typ.Kind() == reflect.Slice {
			if typ.Kind() == reflect.Slice && typ.Elem().Kind() == reflect.Struct {
				path += "[0]"
			}
			typ = typ.Elem()
		}
		if typ.Kind() != reflect.Struct {
			return
		}
		for _, f := range strict.Fields(typ) {
			key := strings.TrimPrefix(path+"."+f.Key, ".")
			shown := cluster.Written(c, key)
			elsewhere := strings.HasSuffix(key, "password_hash.file") || strings.HasSuffix(key, "port_groups.size") || strings.Contains(key, "leaf.") || strings.Contains(key, "core.")
			if !shown && !elsewhere {
				t.Errorf("%s is not in all-keys.yaml", key)
			}
			walk(f.Type, key)
		}
	}
	walk(reflect.TypeFor[cluster.Cluster](), "")
}

// TestSchemaAndDecoderRefuse: what one refuses the other does, wherever a
// single value is to blame.
func TestSchemaAndDecoderRefuse(t *testing.T) {
	s, _ := compile(t)
	const base = "name: test\nservers: [{name: gpu, count: 8, model: dgx-h100}]\nswitches: {leaf: {model: h3c-s9827-128dh}}\n"
	if err := s.Validate(instance(t, []byte(base))); err != nil {
		t.Fatal(err)
	}
	for _, text := range []string{
		"nme: x\n", "version: 2\n", "version: one\n", "fabric: []\n", "fabric:\n", "fabric: {technology: ethernet}\n", "fabric: {roce: 2}\n", "fabric: {planes: 0}\n",
		"fabric: {planes: 9}\n", "fabric: {planes: 1.5}\n", "fabric: {planes: '1'}\n", "fabric: {oversubscription: 2}\n", "fabric: {oversubscription: 'two'}\n", "fabric: {rails_per_leaf: 0}\n",
		"fabric: {rails_per_leaf: all}\n", "fabric: {servers_per_unit: 1000001}\n", "fabric: {uplink_speed: fast}\n", "fabric: {spines: -1}\n", "fabric: {reserve: 32}\n", "fabric: {reserve: {servers: 200001}}\n",
		"fabric: {topology: auto, topo: auto}\n", "lossless: {priority: 8}\n", "lossless: {priority: high}\n", "lossless: {dscp: 64}\n", "lossless: {cnp: {priority: 8}}\n", "lossless: {cnp: {dscp: '48'}}\n",
		"lossless: {ecn: auto}\n", "lossless: {ecn: {profile: fast}}\n", "lossless: {ecn: {kmin: much, kmax: 1MB, pmax: 5}}\n", "lossless: {ecn: {kmin: 1, kmax: 2, pmax: 0}}\n", "lossless: {ecn: {kmin: 0, kmax: 2, pmax: 1}}\n",
		"lossless: {headroom: 1XB}\n", "lossless: {watchdog: {detect: 200}}\n", "lossless: {watchdog: {detect: soon}}\n", "lossless: {watchdog: {action: kill}}\n",
		"addressing: {rails: 10.0.0.0}\n", "addressing: {rails: 10.0.0.0/33}\n", "addressing: {rails: 'fd00::/64'}\n", "addressing: {links: none}\n", "addressing: {vlan_base: 1}\n", "addressing: {vlan_base: 4095}\n",
		"addressing: {asn: {leaf: 0}}\n", "addressing: {asn: {leaf: 23456}}\n", "addressing: {asn: {spine: 65535}}\n", "addressing: {asn: {core: 4294967295}}\n", "addressing: {asn: {spine_mode: own}}\n", "addressing: {host: l2}\n",
		"management: {gateway: 1.2.3}\n", "management: {ntp: 192.0.2.1}\n", "management: {ntp: [time.example.net]}\n", "management: {vrf: 'a b'}\n", "management: {vrf: 1}\n", "management: {site_sections: ['*']}\n", "management: {site_sections: [' / ']}\n", "management: {site_sections: snmp-server *}\n", "management: {site_sections: [\"a\\nb\"]}\n", "management: {users: [{role: admin}]}\n",
		"management: {users: [{name: Root, ssh_keys: []}]}\n", "management: {users: [{name: a, role: root, password_hash: {env: A}}]}\n", "management: {users: [{name: a, password_hash: secret}]}\n",
		"management: {users: [{name: a, password_hash: {env: A, file: b}}]}\n", "management: {users: [{name: a, password_hash: {}}]}\n", "management: {users: [{name: a, password_hash: {env: 'a b'}}]}\n",
		"infiniband: {subnet_manager: sm}\n", "infiniband: {sm_guid: xyz}\n", "infiniband: {ufm_links: -1}\n", "infiniband: {routing: fat}\n", "infiniband: {partitions: [{name: a, pkey: 0x7fff, members: ['gpu-*']}]}\n",
		"infiniband: {partitions: [{name: a, pkey: 0x8001}]}\n", "infiniband: {partitions: [{name: a, pkey: 0x8001, members: []}]}\n", "infiniband: {partitions: [{name: a, pkey: 0x8001, members: ['gpu-*'], membership: half}]}\n",
		"overrides: [{os: sonic}]\n", "overrides: [{match: 'leaf-*', asn: 0}]\n", "overrides: [{match: 'leaf-*', no_transit: 'yes'}]\n", "overrides: {match: 'leaf-*'}\n", "outputs: [switch]\n", "outputs: hosts\n",
		"catalog: {gpus: [{vendor: a}]}\n", "catalog: {gpus: [{id: a, class: toy}]}\n", "catalog: {nics: [{id: a}]}\n", "catalog: {nics: [{id: a, ports: [400G]}]}\n", "catalog: {nics: [{id: a, ports: [1x400G], ib: [NDX]}]}\n",
		"catalog: {switches: [{id: a, kind: ethernet}]}\n", "catalog: {switches: [{id: a, ports: [{count: 0, speed: 400G}]}]}\n", "catalog: {switches: [{id: a, ports: [{count: 1}]}]}\n", "catalog: {switches: [{id: a, port_groups: {cages: [1]}}]}\n",
		"catalog: {switches: [{id: A}]}\n", "catalog: {asics: [{id: a, cell: 0}]}\n", "catalog: {servers: [{id: a, nics: 33}]}\n",
	} {
		if err := s.Validate(instance(t, []byte(base+text))); err == nil {
			t.Errorf("the schema accepts %s", text)
		}
		if _, err := parse(text); err == nil {
			t.Errorf("the decoder accepts %s", text)
		}
	}
	for what, text := range map[string]string{
		"no name":    strings.Replace(base, "name: test\n", "", 1),
		"bad name":   strings.Replace(base, "name: test", "name: a/b", 1),
		"no servers": "name: test\nswitches: {leaf: {model: h3c-s9827-128dh}}\n", "empty servers": "name: test\nservers: []\nswitches: {leaf: {model: h3c-s9827-128dh}}\n",
		"no leaf": "name: test\nservers: [{name: gpu, count: 8, model: dgx-h100}]\nswitches: {}\n", "no model": "name: test\nservers: [{name: gpu, count: 8, model: dgx-h100}]\nswitches: {leaf: {}}\n",
		"no count": strings.Replace(base, "count: 8, ", "", 1), "count 0": strings.Replace(base, "count: 8", "count: 0", 1), "speed": strings.Replace(base, "count: 8", "count: 8, nic_speed: 400M", 1),
		"lanes": strings.Replace(base, "count: 8", "count: 8, pcie: {lanes: 3}", 1), "length": strings.Replace(base, "count: 8", "count: 8, cable: {length: long}", 1), "length 0": strings.Replace(base, "count: 8", "count: 8, cable: {length: 0}", 1),
	} {
		if err := s.Validate(instance(t, []byte(text))); err == nil {
			t.Errorf("%s: the schema accepts it", what)
		}
		if _, err := cluster.Load("t", strings.NewReader(text), nil); err == nil {
			t.Errorf("%s: the decoder accepts it", what)
		}
	}
}

// TestSchemaAndDecoderAccept: spellings that both take.
func TestSchemaAndDecoderAccept(t *testing.T) {
	s, _ := compile(t)
	const base = "name: test\nservers: [{name: gpu, count: 8, model: dgx-h100%s}]\nswitches: {leaf: {model: h3c-s9827-128dh}}\n"
	for _, tc := range []struct{ group, text string }{
		{"", "fabric: {oversubscription: 2:1, core_oversubscription: \"1.5:1\", uplink_speed: 800, spines: auto, rails_per_leaf: \"2\"}\n"},
		{", nic_speed: 400Gbps, cable: {length: 0.5}", ""}, {", nic_speed: 200, cable: {length: 30 m}", ""}, {", nic_speed: 100GE", ""},
		{"", "lossless: {priority: auto, dscp: 24, headroom: 120000, ecn: {kmin: 1.5MB, kmax: 2MiB, pmax: 100}, watchdog: {detect: 0.2s, restore: 1m, action: alert}}\n"},
		{"", "addressing: {links: unnumbered, vlan_base: 2, asn: {leaf: 64512, spine: 65534, core: 4294967294}}\n"},
		{"", "infiniband: {sm_guid: 0xffffffffffffffff}\n"}, {"", "infiniband: {sm_guid: \"0002:c903:00a1:b2c3\", partitions: [{name: a, pkey: \"0x8001\", members: ['*']}, {name: b, pkey: 32766, members: [gpu-001]}]}\n"},
	} {
		text := fmt.Sprintf(base, tc.group) + tc.text
		if err := s.Validate(instance(t, []byte(text))); err != nil {
			t.Errorf("%s: %v", text, err)
		}
		if _, err := cluster.Load("t", strings.NewReader(text), nil); err != nil {
			t.Errorf("%s: %v", text, err)
		}
	}
}

// TestSchemaDefaults: what the schema says is the default is the default.
func TestSchemaDefaults(t *testing.T) {
	_, root := compile(t)
	defs := root["$defs"].(map[string]any)
	for path, want := range map[string]string{
		"Fabric.technology": "roce", "Fabric.oversubscription": "1:1", "Fabric.spines": "auto", "Fabric.planes": "1", "Watchdog.detect": "200ms", "Lossless.priority": "auto",
		"Addressing.rails": "10.16.0.0/12", "Addressing.links": "10.240.0.0/13", "ASN.leaf": "4200010000", "Management.gateway": "192.168.100.1", "Partition.membership": "full", "User.role": "operator",
		"CNP.dscp": "48", "Reserve.servers": "0", "Cable.length": "<nil>", "Tier.model": "<nil>",
	} {
		section, key, _ := strings.Cut(path, ".")
		p := defs[section].(map[string]any)["properties"].(map[string]any)[key].(map[string]any)
		if got := fmt.Sprint(p["default"]); got != want {
			t.Errorf("%s: default %s, want %s", path, got, want)
		}
	}
}

// TestPresets: every preset loads by itself and stands in fixtures/clusters unchanged.
func TestPresets(t *testing.T) {
	for _, p := range cluster.Presets() {
		if p.Title == "" || !strings.HasPrefix(p.Body, "# yaml-language-server: $schema=cluster.schema.json\n#\n") {
			t.Errorf("%s: title %q, body starts %.60q", p.Name, p.Title, p.Body)
		}
		if _, err := cluster.Load(p.Name, strings.NewReader(p.Body), nil); err != nil {
			t.Errorf("%s: %v", p.Name, err)
		}
		fixture, err := os.ReadFile(filepath.Join(fixtures, p.Name+".yaml"))
		if err != nil || string(fixture) != p.Body {
			t.Errorf("fixtures/clusters/%s.yaml differs from the preset: copy generator/cluster/presets/%[1]s.yaml over it (%v)", p.Name, err)
		}
	}
	if embedded := glob(t, "presets/*.yaml"); len(embedded) != len(cluster.Presets()) {
		t.Errorf("%d preset files, %d presets", len(embedded), len(cluster.Presets()))
	}
}
