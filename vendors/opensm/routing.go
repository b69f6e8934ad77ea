package opensm

import (
	"fmt"
	"slices"
	"strings"

	"railyard/vendors/ibsubnet"
)

// engines are the routing engines of upstream OpenSM 3.3.23 (opensm --help) that
// work on the trees railyard designs.
var engines = []string{"minhop", "updn", "dnup", "ftree", "lash", "dor", "nue", "dfsssp", "sssp"}

// unusable are engines OpenSM has, but not for a fabric of railyard's.
var unusable = map[string]string{
	"file":        "needs forwarding tables that railyard does not write",
	"torus-2QoS":  "routes tori only",
	"no_fallback": "is no engine; railyard always adds it",
}

// routing is the list for the key routing_engine.
//
// auto takes ftree, and updn behind it: ftree refuses a fabric that missing cables
// made irregular, updn still routes that without credit loops. A single switch has
// nothing to route, and ftree refuses it ("Fabric rank is 1"). What a user names is
// taken alone. no_fallback keeps OpenSM from ending in minhop unasked.
func routing(wish string, s *ibsubnet.Subnet) (string, error) {
	switch {
	case wish == "" || wish == "auto":
		if len(s.Switches) == 1 {
			return "minhop,no_fallback", nil
		}
		return "ftree,updn,no_fallback", nil
	case unusable[wish] != "":
		return "", fmt.Errorf("routing engine %q %s; OpenSM has %s", wish, unusable[wish], strings.Join(engines, ", "))
	case !slices.Contains(engines, wish):
		hint := ""
		if strings.HasPrefix(wish, "ar_") {
			hint = ", which belongs to NVIDIA's own subnet manager"
		}
		return "", fmt.Errorf("upstream OpenSM has no routing engine %q%s; it has %s", wish, hint, strings.Join(engines, ", "))
	case len(s.Switches) == 1 && (wish == "ftree" || wish == "updn" || wish == "dnup"):
		return "", fmt.Errorf("routing engine %q needs two tiers, and %s is a single switch; use minhop or auto", wish, s.Where())
	}
	return wish + ",no_fallback", nil
}

// smps is how many management packets OpenSM may have under way: its default of 4
// suits "up to a few hundred nodes" (opensm(8)). 64 was measured with 4096 adapters.
func smps(nodes int) int {
	switch {
	case nodes <= 256:
		return 16
	case nodes <= 1024:
		return 32
	default:
		return 64
	}
}
