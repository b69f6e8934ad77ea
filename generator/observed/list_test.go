package observed

import (
	"fmt"
	"strings"
	"testing"
)

func TestNumbers(t *testing.T) {
	for s, want := range map[string]string{
		"3": "[3]", "3,4": "[3 4]", "0-3": "[0 1 2 3]", "2 4 5": "[2 4 5]", "4 to 6": "[4 5 6]", "1 4 to 5 9": "[1 4 5 9]", "4 to 4": "[4]", "1,3-4": "[1 3 4]",
		"": "", "a": "", "4-": "", "5 to": "", "to 5": "", "6 to 4": "", "4-2": "", "1 to 2 to": "", "0-9999999": "", "-1": "", "99999999999": "",
	} {
		got, ok := Numbers(s)
		if text := fmt.Sprint(got); ok != (want != "") || ok && text != want {
			t.Errorf("%q: %v %v, want %s", s, got, ok, want)
		}
	}
}

func TestPrefix(t *testing.T) {
	for in, want := range map[[2]string]string{
		{"10.0.0.1", "255.255.255.254"}: "10.0.0.1/31", {"10.0.0.1", "24"}: "10.0.0.1/24", {"10.0.0.1", "255.255.255.255"}: "10.0.0.1/32", {"10.0.0.1", "0.0.0.0"}: "10.0.0.1/0",
		{"10.0.0.1", "255.0.255.0"}: "", {"10.0.0.1", "33"}: "", {"x", "24"}: "", {"10.0.0.1", "0.255.0.0"}: "",
	} {
		p, ok := Prefix(in[0], in[1])
		if ok != (want != "") || ok && p.String() != want {
			t.Errorf("%v: %v %v, want %s", in, p, ok, want)
		}
	}
}

// TestPortKey: what displays and neighbours call a port, from the vendor
// references' interface tables.
func TestPortKey(t *testing.T) {
	for a, b := range map[string]string{
		"FourHundredGigE1/0/8": "400GE1/0/8", "TwoHundredGigE1/0/25:2": "200ge1/0/25:2", "HundredGigE 1/0/11": "HGE1/0/11", "Ethernet1/1": "Et1/1", "Eth1/1": "ethernet1/1",
		"800GE1/0/128:4(200GE)": "800GE1/0/128:4", "Twenty-FiveGigE1/0/1": "WGE1/0/1", "etp1a": "ETP1A",
	} {
		if PortKey(a) != PortKey(b) {
			t.Errorf("%s is %s, %s is %s", a, PortKey(a), b, PortKey(b))
		}
	}
	if PortKey("Ethernet0") == PortKey("Ethernet8") || PortKey("Eth-Trunk1") == PortKey("Ethernet1") {
		t.Error("different ports with one key")
	}
}

func TestFields(t *testing.T) {
	var words [16]string
	for _, s := range []string{"", " ", "a", " a  b\tc ", "1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16"} {
		if got, want := fmt.Sprint(Fields(s, &words)), fmt.Sprint(strings.Fields(s)); got != want {
			t.Errorf("%q: %s, want %s", s, got, want)
		}
	}
	if got := Fields(strings.Repeat("x ", 40), &words); len(got) != len(words) {
		t.Errorf("%d words", len(got))
	}
}
