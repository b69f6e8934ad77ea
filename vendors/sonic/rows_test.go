package sonic

import (
	"fmt"
	"testing"
)

func TestRows(t *testing.T) {
	const intended = `{"BGP_NEIGHBOR":{"10.240.0.1":{"asn":"4200010000"}},"INTERFACE":{"Ethernet0":{},"Ethernet0|10.240.0.0/31":{}},
		"DEVICE_METADATA":{"localhost":{"hostname":"spine-01"}},"NTP":{"global":{"src_intf":"eth0"}}}`
	for _, tc := range []struct{ name, running, changes, patch string }{
		{"same, with what the device adds", `{"BGP_NEIGHBOR":{"10.240.0.1":{"asn":"4200010000"}},"INTERFACE":{"Ethernet0":{},"Ethernet0|10.240.0.0/31":{}},
			"DEVICE_METADATA":{"localhost":{"hostname":"spine-01","mac":"00:00:5e:00:53:01"}},"NTP":{"global":{"src_intf":"eth0"},"other":{"a":"b"}},"CRM":{"Config":{"x":"1"}}}`, "[]", ""},
		{"a value differs; the device's own field stays in the row", `{"BGP_NEIGHBOR":{"10.240.0.1":{"asn":"1","rrclient":"0"}},"INTERFACE":{"Ethernet0":{},"Ethernet0|10.240.0.0/31":{}},
			"DEVICE_METADATA":{"localhost":{"hostname":"spine-01"}},"NTP":{"global":{"src_intf":"eth0"}}}`,
			"[{BGP_NEIGHBOR 10.240.0.1 [asn=1] [asn=4200010000]}]", `[{"op":"add","path":"/BGP_NEIGHBOR/10.240.0.1","value":{"asn":"4200010000","rrclient":"0"}}]`},
		{"leftovers go before their base row, and slashes are escaped", `{"BGP_NEIGHBOR":{"10.240.0.1":{"asn":"4200010000"}},"INTERFACE":{"Ethernet0":{},"Ethernet0|10.240.0.0/31":{},"Ethernet8":{},"Ethernet8|10.1.0.0/31":{}},
			"DEVICE_METADATA":{"localhost":{"hostname":"spine-01"}},"NTP":{"global":{"src_intf":"eth0"}}}`,
			"[{INTERFACE Ethernet8|10.1.0.0/31 [(row)] []} {INTERFACE Ethernet8 [(row)] []}]",
			`[{"op":"remove","path":"/INTERFACE/Ethernet8|10.1.0.0~131"},{"op":"remove","path":"/INTERFACE/Ethernet8"}]`},
		{"a table is missing", `{"INTERFACE":{"Ethernet0":{},"Ethernet0|10.240.0.0/31":{}},"DEVICE_METADATA":{"localhost":{"hostname":"spine-01"}},"NTP":{"global":{"src_intf":"eth0"}}}`,
			"[{BGP_NEIGHBOR 10.240.0.1 [] [asn=4200010000]}]", `[{"op":"add","path":"/BGP_NEIGHBOR","value":{}},{"op":"add","path":"/BGP_NEIGHBOR/10.240.0.1","value":{"asn":"4200010000"}}]`},
	} {
		t.Run(tc.name, func(t *testing.T) {
			changes, patch, err := Rows([]byte(tc.running), []byte(intended))
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
	for _, bad := range []string{"", "{", `{"PORT": 3}`, `[]`} {
		if _, _, err := Rows([]byte(bad), []byte(intended)); err == nil {
			t.Errorf("%q was read", bad)
		}
	}
}
