package clitree

import "testing"

func TestIgnore(t *testing.T) {
	tests := []struct {
		pattern string
		path    []string
		line    string
		want    bool
	}{
		{"mtu *", []string{"interface Ethernet1"}, "mtu 9214", true},
		{"MTU *", []string{"interface Ethernet1"}, "mtu 9214", true},
		{"mtu", []string{"interface Ethernet1"}, "mtu 9214", false},
		{"interface *", []string{"interface Ethernet1", "tx-queue 3"}, "no priority", true},
		{"interface * / tx-queue *", []string{"interface Ethernet1", "tx-queue 3"}, "no priority", true},
		{"interface * / description *", []string{"interface Ethernet1"}, "description x", true},
		{"interface * / description *", []string{"interface Ethernet1"}, "mtu 1", false},
		{"tx-queue *", []string{"interface Ethernet1", "tx-queue 3"}, "no priority", true},
		{"router bgp 1 / neighbor 10.0.0.1 *", []string{"router bgp 1"}, "neighbor 10.0.0.11 bfd", false},
		{"a.c *", nil, "abc 1", false},
		{"PORT", []string{"PORT", "Ethernet0"}, "mtu=9100", true},
		{"PORT / Ethernet0", []string{"PORT", "Ethernet0"}, "mtu=9100", true},
		{"PORT / * / mtu=*", []string{"PORT", "Ethernet0"}, "mtu=9100", true},
		{"PORT / * / mtu=*", []string{"PORT", "Ethernet0"}, "fec=rs", false},
		{"interface *", []string{"interface Ethernet1"}, "", true},
	}
	for _, test := range tests {
		if got := Ignoring([]string{"no such line", test.pattern}).Match(test.path, test.line); got != test.want {
			t.Errorf("%q of %q / %q: %v", test.pattern, test.path, test.line, got)
		}
	}
	if Ignoring(nil).Match([]string{"a"}, "b") {
		t.Error("nothing ignores something")
	}
	for pattern, ok := range map[string]bool{"*": false, "": false, " / ": false, "** / *": false, " mtu *": false, "mtu * ": false, "mtu *": true, "interface * / *": true} {
		if err := CheckIgnore([]string{"a", pattern}); (err == nil) != ok {
			t.Errorf("%q: %v", pattern, err)
		}
	}
}
