package audit

import (
	"strings"
	"testing"
)

// TestCableLists: as railyard writes them and as people do.
func TestCableLists(t *testing.T) {
	tests := []struct{ name, text string }{
		{"railyard", "label,a_device,a_port,b_device,b_port,speed,length_m,type\n1,leaf-1,Ethernet1/1,spine-1,Ethernet9/1,800G,12.5,dac\n"},
		{"bare", "leaf-1:Ethernet1/1,spine-1:Ethernet9/1,12.5\n"},
		{"blanks", "# ours\nleaf-1 Ethernet1/1, spine-1 Ethernet9/1, 12.5 m\n"},
		{"semicolons and a mark", "\ufeffSource Device;Source Port;Destination Device;Destination Port;Cable Length (m)\nLEAF-1;Et1/1;Spine-1;Et9/1;12.5\n"},
		{"tabs", "From Switch\tFrom Interface\tTo Switch\tTo Interface\tLength\nleaf-1\tEthernet1/1\tspine-1\tEthernet9/1\t12.5m\n"},
		{"centimetres", "a,b,length\nleaf-1:Ethernet1/1,spine-1:Ethernet9/1,1250 cm\n"},
		{"feet in the name", "Device A,Port A,Device B,Port B,Length (ft)\nleaf-1,Ethernet1/1,spine-1,Ethernet9/1,41.0105\n"},
		{"length first", "Length,Local Device,Local Port,Remote Device,Remote Port\n12.5,leaf-1,Ethernet1/1,spine-1,Ethernet9/1\n"},
	}
	for _, x := range tests {
		c, err := ReadCables("list", strings.NewReader(x.text))
		if err != nil {
			t.Errorf("%s: %v", x.name, err)
			continue
		}
		for _, end := range [][2]string{{"leaf-1", "Ethernet1/1"}, {"spine-1", "Eth9/1"}} {
			if m, ok := c.length(end[0], end[1], ""); !ok || m != 12.5 {
				t.Errorf("%s: %v is %v, %v", x.name, end, m, ok)
			}
		}
	}
	for text, want := range map[string]string{
		"a:1,b:2,far\n": `list:1: "far" is no length`, "a:1,b:2,-3\n": "no length", "a,b,3\n": `"a" is no SWITCH:PORT`, "": "no cables", "a:1,b:2,NaN\n": "no length",
		"a:1,b:2,3\nx:1,y:2,3 yards\n": "list:2:", "a:1,b:2\n": `"" is no length`,
	} {
		if _, err := ReadCables("list", strings.NewReader(text)); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%q: %v, want %s", text, err, want)
		}
	}
}
