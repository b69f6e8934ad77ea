package inspect_test

import (
	"path/filepath"
	"strings"
	"testing"

	"railyard/generator/observed"
)

// TestPublicShapes reads configurations in the shape of published ones (the
// vendor references name them): keywords and structure are theirs, every name,
// address and number is not. All of them work, so none may be called wrong.
func TestPublicShapes(t *testing.T) {
	const dir = "../../fixtures/running/audit"
	tests := []struct {
		folder, shape string
		links         int
		first         string // a fact of the first switch: lossless priorities, code point, its priority
		notes         string // codes of what is only worth knowing
	}{
		{"comware-inline", "push of a 400G profile: trunk ports, bands on the port, priority 5", 0, "5 46 5", ""},
		{"comware-sample", "parameter-network sample: OSPF over unnumbered links, tables, all dot1p-lp rows", 2, "3 26 3", ""},
		{"comware-capture", "the same as a terminal session: banner, prompt, pager, CR LF", 0, "3 26 3", ""},
		{"vrp-queue0", "RoCE guide of the V200 generation: unmarked traffic lossless, band as colour green", 0, "0 0 0", "SCHEDULER_UNUSUAL"},
		{"vrp-storage", "NVMe page of the V200 generation: one-line deadlock, tagged hosts", 0, "3 26 3", "ECN_NONE SCHEDULER_UNUSUAL"},
		{"vrp-pair", "lossless example of the V300 guide: priorities 3 and 4, DSCP 24 to 4, CNP 25 to 6", 2, "3,4 24 4", ""},
		{"eos-two-tier", "leaf and spine of a RoCE article: uc-tx-queue and tx-queue, other bands", 2, "3 26 3", ""},
		{"eos-accelerator", "accelerator vendor's sample: four lossless priorities, routed hosts", 0, "0,1,2,3 26 3", "ECN_NONE MANY_LOSSLESS SCHEDULER_UNUSUAL"},
		{"eos-storage-trunk", "storage trunk ports classed by CoS", 0, "3 26 3", "ECN_NONE SCHEDULER_UNUSUAL"},
		{"eos-all", "show running-config all: every default printed", 0, "3 26 3", ""},
		{"eos-segments", "GPU vendor's sample: profile in segments, egress rewrite map", 0, "3 26 3", "SCHEDULER_UNUSUAL"},
		{"sonic-stock", "community qos template", 0, "3,4 3 3", "SCHEDULER_UNUSUAL"},
		{"sonic-stock-old", "the same of an older release: joined names, bracket references, gzip", 0, "3,4 4 4", ""},
		{"cumulus-commands", "generated list of nv set: RoCE mode, watchdog on host ports alone, unnumbered uplinks", 0, "3 26 3", "WATCHDOG_HOSTS_ONLY"},
		{"cumulus-roce", "nv config show captured with its prompts: ranges, RoCE mode, a bond", 0, "3 26 3", ""},
		{"eos-policy", "classes by class-map and policy-map in a profile, port timers of the watchdog", 0, "3 24 3", ""},
		{"sonic-linecard", "line card of a chassis: queues named by host and chip, also those of a neighbour", 0, "3,4 3 3", ""},
		{"sonic-dynamic", "buffers computed by the switch, group map", 0, "3,4 3 3", "SCHEDULER_UNUSUAL"},
	}
	for _, x := range tests {
		t.Run(x.folder, func(t *testing.T) {
			net, r := judged(t, filepath.Join(dir, x.folder), "")
			if len(net.Unreadable) != 0 || len(r.Links) != x.links {
				t.Errorf("%s: %+v, %d links", x.shape, net.Unreadable, len(r.Links))
			}
			for _, f := range serious(r) {
				t.Errorf("%s: %+v", x.shape, f)
			}
			notes := map[string]bool{}
			for _, f := range r.Findings {
				if !strings.Contains(x.notes, f.Code) || f.Line == 0 || f.Text == "" {
					t.Errorf("%s: %+v", x.shape, f)
				}
				notes[f.Code] = true
			}
			if len(notes) != len(strings.Fields(x.notes)) {
				t.Errorf("notes %v, want %s", notes, x.notes)
			}
			var p *observed.Port
			for i := range net.Switches[0].Ports {
				if q := &net.Switches[0].Ports[i]; q.PFC.Lossless() != 0 {
					p = q
					break
				}
			}
			f := strings.Fields(x.first)
			var dscp, class int
			dscp, _ = observed.Number(f[1])
			class, _ = observed.Number(f[2])
			if p == nil || p.PFC.Priorities != observed.Priorities(f[0]) || p.Maps.DSCP[dscp].To != int8(class) {
				t.Errorf("%s: read %+v", x.shape, p)
			}
		})
	}
}

// TestNothingLossless: an office switch gives no finding and counts as read.
func TestNothingLossless(t *testing.T) {
	_, r := judged(t, "../../fixtures/running/audit/eos-plain", "")
	if len(r.Findings) != 0 || r.Judged != 1 || r.Lossless != 0 || r.Trouble() {
		t.Errorf("%d judged, %d lossless: %+v", r.Judged, r.Lossless, r.Findings)
	}
}
