package inspect

import (
	"slices"
	"testing"

	"railyard/generator/observed"
)

// TestNeighborForms reads the neighbours of one switch in every form the systems
// print (shapes: ntc-templates samples, NVUE and SONiC documentation).
func TestNeighborForms(t *testing.T) {
	switches := map[string]string{
		"far.txt":  "! device: pod7-spine-number-2 (DCS-7060X6-64PE-B, EOS-4.35.1F)\n!\nhostname pod7-spine-number-2\n!\ninterface Ethernet9/1\n   no switchport\n!\ninterface Ethernet9/3\n   no switchport\n!\nend\n",
		"near.cfg": "#\n version 9.1.058, Release 9126\n#\n sysname near\n#\ninterface FourHundredGigE1/0/5\n port link-mode route\n qos trust dscp\n#\ninterface FourHundredGigE1/0/6\n port link-mode route\n qos trust dscp\n#\nreturn\n",
		"vrp.cfg":  "#\nsysname vrp\n#\ndcb pfc\n priority 3\n#\ninterface 100GE1/0/1\n undo portswitch\n#\nreturn\n",
		"db.json":  `{"DEVICE_METADATA": {"localhost": {"hostname": "db"}}, "PORT": {"Ethernet16": {"alias": "etp5", "admin_status": "up"}}}`,
		"nvue.yml": "- set:\n    interface:\n      swp33s0:\n        type: swp\n    system:\n      hostname: nvue\n",
	}
	const far = " pod7-spine-number-2 Ethernet9/1"
	tests := []struct{ name, file, body, want string }{
		{"comware list", "near_lldp.txt", "System Name          Local Interface Chassis ID      Port ID\npod7-spine-number-2  FGE1/0/9        0a1b-2c3d-4e5f  Ethernet9/9\npod7-spine-number-2  FourHundredGigE1/0/5 0a1b-2c3d-4e5f  Ethernet9/1\n", "near FourHundredGigE1/0/5" + far},
		{"comware list, long name", "lldp-near.txt", "System Name          Local Interface Chassis ID      Port ID\npod7-spine-number-2. FourHundredGigE1/0/5 0a1b-2c3d-4e5f  Ethernet9/1\nlab.example\n", "near FourHundredGigE1/0/5" + far},
		{"comware list, cut name", "lldp-near.txt", "pod7-spine-numb FourHundredGigE1/0/5 0a1b-2c3d-4e5f  Ethernet9/1\ner-2\n", "near FourHundredGigE1/0/5" + far},
		{"comware verbose", "display_lldp_near.log", "<near>display lldp neighbor-information verbose\nLLDP neighbor-information of port 5[FourHundredGigE1/0/5]:\nLLDP agent nearest-bridge:\n LLDP neighbor index : 1\n Chassis type        : MAC address\n Port ID type        : Interface name\n Port ID             : Ethernet9/1\n Port description    : to near\n System name         : pod7-spine-number-2\n System description  : Arista\n Aggregation port ID        : 0\n", "near FourHundredGigE1/0/5" + far},
		{"vrp", "vrp.lldp", "100GE1/0/1 has 1 neighbor(s):\n\nNeighbor index :1\nChassis type   :MAC address \nPort ID type   :Interface name \nPort ID        :Ethernet9/1\nPort description    :x\nSystem name         :pod7-spine-number-2\nSystem description  :Arista\n\n100GE1/0/2 has 0 neighbor(s)\n", "vrp 100GE1/0/1" + far},
		{"vrp brief", "vrp-lldp-brief.txt", "Local Interface         Exptime(s) Neighbor Interface            Neighbor Device\n-----\n100GE1/0/1                     98  Ethernet9/1                   pod7-spine-number-2\n", "vrp 100GE1/0/1" + far},
		{"eos detail, two neighbours", "far-lldp.txt", "Interface Ethernet9/1 detected 2 LLDP neighbors:\n\n  Neighbor 0011.2233.4455/lo, age 4 seconds\n  - Port ID type: Interface name (5)\n    Port ID     : \"eno1\"\n  - System Name: \"host\"\n\n  Neighbor 0011.2233.4466/\"FourHundredGigE1/0/5\", age 4 seconds\n  - Port ID type: Interface name (5)\n    Port ID     : \"FourHundredGigE1/0/5\"\n  - System Name: \"near.lab.example\"\n  - IEEE802.1/IEEE802.3 Link Aggregation\n    Port ID                : 0\n\nInterface Ethernet9/3 detected 0 LLDP neighbors:\n", "pod7-spine-number-2 Ethernet9/1 near FourHundredGigE1/0/5"},
		{"eos json", "far-lldp.json", `{"lldpNeighbors": [{"port": "Ethernet9/1", "neighborDevice": "near", "neighborPort": "400GE1/0/5", "ttl": 120}]}`, "pod7-spine-number-2 Ethernet9/1 near FourHundredGigE1/0/5"},
		{"sonic table", "db-lldp.txt", "Capability codes: (R) Router, (B) Bridge, (O) Other\nLocalPort    RemoteDevice         RemotePortID       Capability    RemotePortDescr\n-----------  -------------------  -----------------  ------------  -----------------\nEthernet16   pod7-spine-number-2  00:11:22:33:44:55  BR            Ethernet9/1\n", "db Ethernet16" + far},
		{"sonic neighbors", "show_lldp_neighbors_db.txt", "Interface:    Ethernet16, via: LLDP, RID: 4, Time: 2 days, 10:00:00\n  Chassis:\n    ChassisID:    mac 00:11:22:33:44:55\n    SysName:      pod7-spine-number-2\n  Port:\n    PortID:       ifname Ethernet9/1\n    PortDescr:    uplink\n", "db Ethernet16" + far},
		{"nvue", "nvue-lldp.txt", "Interface  Speed  Type  Remote Host          Remote Port\n---------  -----  ----  -------------------  -----------\nswp33s0    400G   swp   pod7-spine-number-2  Ethernet9/1\n", "nvue swp33s0" + far},
		{"nvue json", "nvue.lldp.json", `{"swp33s0": {"lldp": {"neighbor": {"pod7-spine-number-2": {"chassis": {"system-name": "pod7-spine-number-2"}, "port": {"name": "Ethernet9/1"}}}}}}`, "nvue swp33s0" + far},
		{"nobody's", "near-lldp.txt", "LLDP is off\n", ""},
	}
	for _, x := range tests {
		t.Run(x.name, func(t *testing.T) {
			files := map[string]string{x.file: x.body}
			for name, body := range switches {
				files[name] = body
			}
			net := read(t, folder(t, files))
			var got []string
			for _, n := range net.Neighbors {
				got = append(got, n.Switch+" "+n.Port+" "+n.Remote+" "+n.RemotePort)
			}
			if x.want == "" && len(got) == 0 {
				return
			}
			if !slices.Equal(got, []string{x.want}) {
				t.Errorf("got %q, want %q; skipped %q, unreadable %+v", got, x.want, net.Skipped, net.Unreadable)
			}
		})
	}
}

// FuzzNeighbors: any table beside switches.
func FuzzNeighbors(f *testing.F) {
	f.Add("near FourHundredGigE1/0/1 e1 Ethernet1/1\n")
	f.Add("Interface:  Ethernet1/1, via\n SysName: c1\n PortID: ifname FourHundredGigE1/0/1\n")
	f.Add(`{"lldpNeighbors": [{}]}`)
	f.Add("a has neighbor\n- System Name: \"\"\n[")
	dir := folder(f, map[string]string{"c1.cfg": comwareText, "e1.txt": eosText})
	net := read(f, dir)
	f.Fuzz(func(t *testing.T, text string) {
		n := &network{Network: net, byName: map[string]*observed.Switch{}}
		for _, sw := range net.Switches {
			n.byName[sw.Name] = sw
		}
		x := &table{network: n, sw: net.Switches[0], own: portIndex(net.Switches[0]), remote: map[string]map[string]string{}}
		net.Neighbors = nil
		x.rows(text)
		if blocks(text) {
			x.blocks(text)
		}
		x.json([]byte(text))
		for _, nb := range net.Neighbors {
			if n.byName[nb.Remote] == nil || nb.Remote == nb.Switch {
				t.Errorf("%+v", nb)
			}
		}
	})
}
