package cumulus

import (
	"errors"
	"os"
	"path/filepath"
	"testing"

	"railyard/generator/observed"
)

// FuzzObserve: any text gives a switch whose numbers are in range, or a fault.
func FuzzObserve(f *testing.F) {
	files, err := filepath.Glob("../../fixtures/running/audit/cumulus-*/*")
	if err != nil || len(files) < 2 {
		f.Fatalf("%v, %v", files, err)
	}
	for _, name := range files {
		body, err := os.ReadFile(name)
		if err != nil {
			f.Fatal(err)
		}
		f.Add(string(body))
	}
	f.Add("- set:\n    interface:\n      swp1-4096,swp1s0-3:\n        link: {}\n    qos:\n      pfc:\n        a: |\n          b\n")
	f.Add("nv set interface swp1 qos 'x\nnv set interface swp9-1 link mtu 99999999999")
	f.Fuzz(func(t *testing.T, body string) {
		sw, err := Observe(body)
		var fault *observed.Fault
		if err != nil && (!errors.As(err, &fault) || fault.Reason == "" || fault.Line < 0) {
			t.Fatalf("%v", err)
		}
		if err != nil {
			return
		}
		for i := range sw.Ports {
			p := &sw.Ports[i]
			if p.MTU.Bytes < 0 || p.SpeedGbps < 0 || p.VLAN < 0 || p.VLAN > 4094 || p.CableM < 0 {
				t.Errorf("%+v", p)
			}
			if p.Maps == nil {
				continue
			}
			for _, s := range p.Maps.DSCP {
				if s.To < -1 || s.To > 7 {
					t.Errorf("class %d", s.To)
				}
			}
		}
	})
}
