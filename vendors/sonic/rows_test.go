package sonic

import (
	"fmt"
	"testing"

	"railyard/vendors/clitree"
)

func TestRows(t *testing.T) {
	const intended = `{"BGP_NEIGHBOR":{"10.240.0.1":{"asn":"4200010000"}},"INTERFACE":{"Ethernet0":{},"Ethernet0|10.240.0.0/31":{}},
		"PORT":{"Ethernet0":{"lanes":"1,2","mtu":"9216"}},"DEVICE_METADATA":{"localhost":{"hostname":"spine-01"}},"BUFFER_POOL":{"ingress":{"size":"100"}}}`
	const rest = `"PORT":{"Ethernet0":{"lanes":"1,2","mtu":"9216","autoneg":"off"}},"DEVICE_METADATA":{"localhost":{"hostname":"spine-01","mac":"00:00:5e:00:53:01"}}`
	const routed = `"INTERFACE":{"Ethernet0":{},"Ethernet0|10.240.0.0/31":{}},"BUFFER_POOL":{"ingress":{"size":"100"}},`
	for _, tc := range []struct{ name, running, changes, patch string }{
		{"same, with what the device adds", `{"BGP_NEIGHBOR":{"10.240.0.1":{"asn":"4200010000"}},"CRM":{"Config":{"x":"1"}},` + routed + rest + `}`, "[]", ""},
		{"a value differs; a field of an owned row that the intent lacks goes", `{"BGP_NEIGHBOR":{"10.240.0.1":{"asn":"1","rrclient":"1"}},` + routed + rest + `}`,
			"[{[BGP_NEIGHBOR 10.240.0.1] [asn=1 rrclient=1] [asn=4200010000] false }]", `[{"op":"add","path":"/BGP_NEIGHBOR/10.240.0.1","value":{"asn":"4200010000"}}]`},
		{"the device's own fields stay in a row that is given whole", `{"BGP_NEIGHBOR":{"10.240.0.1":{"asn":"4200010000"}},` + routed +
			`"PORT":{"Ethernet0":{"lanes":"1,2","mtu":"1500","autoneg":"off"}},"DEVICE_METADATA":{"localhost":{"hostname":"x","mac":"00:00:5e:00:53:01"}}}`,
			"[{[DEVICE_METADATA localhost] [hostname=x] [hostname=spine-01] false } {[PORT Ethernet0] [mtu=1500] [mtu=9216] false }]",
			`[{"op":"add","path":"/DEVICE_METADATA/localhost","value":{"hostname":"spine-01","mac":"00:00:5e:00:53:01"}},{"op":"add","path":"/PORT/Ethernet0","value":{"autoneg":"off","lanes":"1,2","mtu":"9216"}}]`},
		{"leftovers go before their base row, and slashes are escaped", `{"BGP_NEIGHBOR":{"10.240.0.1":{"asn":"4200010000"}},"BUFFER_POOL":{"ingress":{"size":"100"}},"INTERFACE":{"Ethernet0":{},"Ethernet0|10.240.0.0/31":{},"Ethernet8":{},"Ethernet8|10.1.0.0/31":{}},` + rest + `}`,
			"[{[INTERFACE Ethernet8] [(row)] [] false } {[INTERFACE Ethernet8|10.1.0.0/31] [(row)] [] false }]",
			`[{"op":"remove","path":"/INTERFACE/Ethernet8|10.1.0.0~131"},{"op":"remove","path":"/INTERFACE/Ethernet8"}]`},
		{"leftovers of a table that the intent lacks", `{"PORT_QOS_MAP":{"Ethernet0":{"pfc_enable":"3"}},"BGP_NEIGHBOR":{"10.240.0.1":{"asn":"4200010000"}},` + routed + rest + `}`,
			"[{[PORT_QOS_MAP Ethernet0] [pfc_enable=3] [] false }]", `[{"op":"remove","path":"/PORT_QOS_MAP/Ethernet0"}]`},
		{"a table is missing", `{` + routed + rest + `}`,
			"[{[BGP_NEIGHBOR 10.240.0.1] [] [asn=4200010000] false }]", `[{"op":"add","path":"/BGP_NEIGHBOR","value":{}},{"op":"add","path":"/BGP_NEIGHBOR/10.240.0.1","value":{"asn":"4200010000"}}]`},
		{"pools are in it: the caller holds them back", `{"BGP_NEIGHBOR":{"10.240.0.1":{"asn":"4200010000"}},"INTERFACE":{"Ethernet0":{},"Ethernet0|10.240.0.0/31":{}},"BUFFER_POOL":{"ingress":{"size":"99"}},` + rest + `}`,
			"[{[BUFFER_POOL ingress] [size=99] [size=100] false apply-patch refuses buffer pools: needs config reload}]", `[{"op":"add","path":"/BUFFER_POOL/ingress","value":{"size":"100"}}]`},
	} {
		t.Run(tc.name, func(t *testing.T) {
			changes, patch, err := Rows([]byte(tc.running), []byte(intended), clitree.Options{})
			if err != nil {
				t.Fatal(err)
			}
			if got := fmt.Sprint(changes); got != tc.changes {
				t.Errorf("changes\n got %s\nwant %s", got, tc.changes)
			}
			if string(patch) != tc.patch {
				t.Errorf("patch\n got %s\nwant %s", patch, tc.patch)
			}
		})
	}
	changes, patch, err := Rows([]byte(`{"BGP_NEIGHBOR":{"10.240.0.1":{"asn":"7"}},`+routed+rest+`}`), []byte(intended), clitree.Options{Ignore: []string{"BGP_NEIGHBOR|*"}})
	if err != nil || changes != nil || patch != nil {
		t.Errorf("an ignored row: %v %s %v", changes, patch, err)
	}
	for _, bad := range []string{"", "{", `{"PORT": 3}`, `[]`, `{"PORT":{"Ethernet0":{"mtu":9100}}}`} {
		if _, _, err := Rows([]byte(bad), []byte(intended), clitree.Options{}); err == nil {
			t.Errorf("%q was read", bad)
		}
	}
}
