package plan

import (
	"bytes"
	"encoding/json"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"railyard/generator/cabling/sample"
	"railyard/generator/fabric"
)

func compare(t *testing.T, old, now *fabric.Fabric) *Changes {
	t.Helper()
	c, err := Compare(bytes.NewReader(render(t, JSON, old)), now)
	if err != nil {
		t.Fatal(err)
	}
	return c
}

func text(t *testing.T, c *Changes) string {
	t.Helper()
	var b bytes.Buffer
	if err := c.Text(&b); err != nil {
		t.Fatal(err)
	}
	return b.String()
}

func TestCompareWithItself(t *testing.T) {
	for name, f := range sample.All() {
		c := compare(t, f, f)
		if !c.Identical || !c.NothingMoves || text(t, c) != "nothing changes\n" {
			t.Errorf("%s: %+v\n%s", name, c, text(t, c))
		}
	}
}

// half is two-tier before its second unit came.
func half() *fabric.Fabric {
	f := sample.LeafSpine()
	f.Servers = f.Servers[:4]
	for i := 4; i < 8; i++ {
		f.Switches[i].Role = "" // to be left out
	}
	var links []fabric.Link
	for _, l := range f.Links {
		leaf := l.B.Device
		if l.A.Kind == fabric.SwitchDevice {
			leaf = l.A.Device
		}
		if leaf < 4 {
			links = append(links, l)
		}
	}
	f.Links = links
	var vlans []fabric.VLAN
	for _, v := range f.VLANs {
		if v.Unit == 0 {
			vlans = append(vlans, v)
		}
	}
	f.VLANs = vlans
	// The spines keep their place in the list; the second unit's leaves go.
	move := map[int]int{8: 4, 9: 5}
	f.Switches = append(f.Switches[:4:4], f.Switches[8:]...)
	for i := range f.Links {
		if to, ok := move[f.Links[i].B.Device]; ok {
			f.Links[i].B.Device = to
		}
	}
	f.Lossless.Buffers = nil
	return f
}

func TestGrowthMovesNothing(t *testing.T) {
	c := compare(t, half(), sample.LeafSpine())
	if c.Identical || !c.NothingMoves {
		t.Errorf("%+v", c)
	}
	if len(c.Switches.Added) != 4 || len(c.Servers.Added) != 4 || len(c.VLANs.Added) != 4 || len(c.Cables.Added) != 32 {
		t.Errorf("%+v", c)
	}
	golden(t, "growth.txt", []byte(text(t, c)))

	back := compare(t, sample.LeafSpine(), half())
	if back.NothingMoves || len(back.Switches.Removed) != 4 || len(back.Cables.Removed) != 32 || len(back.Cables.Moved) != 0 {
		t.Errorf("%+v", back)
	}
	golden(t, "shrink.txt", []byte(text(t, back)))
}

func TestChanges(t *testing.T) {
	now := sample.LeafSpine()
	now.Switches[0].ASN, now.Switches[1].ASN = 65001, 65002
	now.Switches[8].OS = "sonic"
	for i := range now.Switches[8].Ports {
		now.Switches[8].Ports[i].Name = "EthernetX" // other names, the same cages
	}
	now.VLANs[0].ID = 200
	now.Servers[2].Slot = 9
	// Two uplinks change places at the spine, one cable is longer.
	a, b := &now.Links[32], &now.Links[33]
	a.B, b.B = b.B, a.B
	now.Links[40].LengthM = 50
	c := compare(t, sample.LeafSpine(), now)
	if c.Identical || c.NothingMoves {
		t.Error("claims that nothing moves")
	}
	wantMoved := []Move{
		{Cable{"leaf-u01-r0:3/1", "spine-01:1"}, Cable{"leaf-u01-r0:3/1", "spine-01:2"}},
		{Cable{"leaf-u01-r0:3/2", "spine-01:2"}, Cable{"leaf-u01-r0:3/2", "spine-01:1"}},
	}
	if diff := cmp.Diff(wantMoved, c.Cables.Moved); diff != "" {
		t.Error(diff)
	}
	wantSwitches := []Change{
		{"leaf-u01-r0", []Field{{"asn", "4200010000", "65001"}}},
		{"leaf-u01-r1", []Field{{"asn", "4200010001", "65002"}}},
		{"spine-01", []Field{{"os", "comware", "sonic"}}},
	}
	if diff := cmp.Diff(wantSwitches, c.Switches.Changed); diff != "" {
		t.Error(diff)
	}
	if len(c.Cables.Changed) != 1 || c.Cables.Changed[0].Fields[0] != (Field{"length_m", "30", "50"}) {
		t.Errorf("%+v", c.Cables.Changed)
	}
	golden(t, "changes.txt", []byte(text(t, c)))
	var out bytes.Buffer
	if err := c.JSON(&out); err != nil {
		t.Fatal(err)
	}
	golden(t, "changes.json", out.Bytes())
}

// A cable whose lower end is replugged has moved too; two old cables cannot both
// become the same new one.
func TestMovesAreMatchedOnce(t *testing.T) {
	now := sample.LeafSpine()
	now.Links[33].B = now.Links[32].B // the first uplink's place at the spine
	now.Links = append(now.Links[:32:32], now.Links[33:]...)
	c := compare(t, sample.LeafSpine(), now)
	if len(c.Cables.Moved) != 1 || len(c.Cables.Removed) != 1 || len(c.Cables.Added) != 0 {
		t.Errorf("%+v", c.Cables)
	}
	if c.Cables.Removed[0].A != "leaf-u01-r0:3/1" {
		t.Errorf("%+v", c.Cables.Removed)
	}
}

func TestCompareNamesTheClusters(t *testing.T) {
	now := sample.LeafSpine()
	now.Name = "other"
	if got := text(t, compare(t, sample.LeafSpine(), now)); !strings.HasPrefix(got, "the old plan is of cluster two-tier, this is other\n") {
		t.Error(got)
	}
}

func TestCompareRefusesOtherFiles(t *testing.T) {
	f := sample.Routed()
	good := string(render(t, JSON, f))
	for name, tc := range map[string]struct{ body, want string }{
		"empty":        {"", "unexpected EOF"},
		"truncated":    {good[:len(good)/2], "unexpected EOF"},
		"not an obj":   {"[]", "not a plan"},
		"other object": {`{"a": 1}`, "no format_version, switches, servers, links, vlans"},
		"newer":        {strings.Replace(good, `"1.0"`, `"2.0"`, 1), `format_version "2.0"`},
		"wrong type":   {`{"switches": 5}`, "list was expected"},
		"wrong field":  {`{"switches": [{"name": 5}]}`, "cannot unmarshal"},
		"binary":       {"\x00\x01", "invalid character"},
	} {
		if _, err := Compare(strings.NewReader(tc.body), f); err == nil || !strings.Contains(err.Error(), tc.want) {
			t.Errorf("%s: %v, want %s", name, err, tc.want)
		}
	}
}

func FuzzCompare(f *testing.F) {
	now := sample.Routed()
	var b bytes.Buffer
	if err := JSON(&b, now); err != nil {
		f.Fatal(err)
	}
	f.Add(b.Bytes())
	f.Add([]byte(`{"format_version":"1.0","switches":[{}],"servers":[{"nics":[{}]}],"links":[{}],"vlans":[{}]}`))
	f.Add([]byte(`{"switches":[null]}`))
	f.Fuzz(func(t *testing.T, body []byte) {
		c, err := Compare(bytes.NewReader(body), now)
		if err != nil {
			return
		}
		if c.Identical && !c.NothingMoves {
			t.Error("identical, but something moves")
		}
		var out bytes.Buffer
		if err := c.JSON(&out); err != nil || !json.Valid(out.Bytes()) {
			t.Errorf("%v", err)
		}
		if err := c.Text(&out); err != nil {
			t.Error(err)
		}
	})
}
