package sonic

import (
	"encoding/json"
	"errors"
	"os"
	"testing"

	"railyard/generator/observed"
)

// FuzzObserve: any text gives a switch or a fault with a line inside it; what
// encoding/json takes for three levels of objects is never refused for its syntax.
func FuzzObserve(f *testing.F) {
	for _, name := range []string{"../../fixtures/running/audit/sonic-stock/tor-new/config_db.json", "../../fixtures/running/audit/sonic-dynamic/dyn1/config_db.json"} {
		body, err := os.ReadFile(name)
		if err != nil {
			f.Fatal(err)
		}
		f.Add(string(body))
	}
	f.Add(`{"PORT": {"Ethernet0": {"lanes": "1", "mtu": 9100, "x": [1, "a", {"b": null}], "u": "\u00e9\/"}}, "QUEUE": {"Ethernet0|0-4294967295": {"scheduler": "[SCHEDULER|a"}}}`)
	f.Fuzz(func(t *testing.T, body string) {
		sw, err := Observe(body)
		if err == nil {
			for i := range sw.Ports {
				if p := &sw.Ports[i]; p.At < 1 || p.VLAN < 0 || p.VLAN > 4094 || p.CableM < 0 {
					t.Errorf("%+v", p)
				}
			}
			return
		}
		var fault *observed.Fault
		if !errors.As(err, &fault) || fault.Line < 0 || fault.Reason == "" {
			t.Fatalf("%v is no fault", err)
		}
		var tables map[string]map[string]map[string]any
		if fault.Line > 0 && json.Unmarshal([]byte(body), &tables) == nil {
			t.Errorf("valid JSON refused: %v", err)
		}
	})
}
