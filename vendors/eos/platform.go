package eos

import (
	"strings"

	"railyard/generator/fabric"
)

// The sub-modes in which EOS keeps a port's transmit queues.
const (
	unicastQueue = "uc-tx-queue" // Trident and Tomahawk
	voqQueue     = "tx-queue"    // Jericho
)

// platform is what EOS's command line makes depend on the hardware.
type platform struct {
	queue      string // sub-mode of a transmit queue; "" unknown
	sure       bool   // a published configuration of this very family shows the sub-mode
	unit       unit   // in which ECN thresholds are written
	weight     bool   // ECN lines carry the averaging weight
	mmu        bool   // the platform trident mmu commands exist
	chassis    bool   // port names carry a slot
	des        bool   // distributed Etherlink leaf or spine, cells between them
	management string // the management port
}

// strata is a Trident or Tomahawk switch, sand a Jericho one, as EOS calls them.
func strata(sure bool) platform {
	return platform{queue: unicastQueue, sure: sure, unit: unitBytes, weight: true, mmu: true, management: "Management1"}
}

func sand(sure bool) platform {
	return platform{queue: voqQueue, sure: sure, unit: unitKbytes, management: "Management1"}
}

func (p platform) asChassis(management string) platform {
	p.chassis, p.management = true, management
	return p
}

// families are the model series whose command line is known, by model id.
//
// Sub-mode: Habana (7060X4, 7060X5), AMD (7388), RoCE436 and AVD pull request
// 4579 (7280R); the other rows follow from the chip family. Management port of
// the 7800R3: AVD's platform settings; of the 7388: not found.
func families() []struct {
	prefix string
	platform
} {
	des := sand(false)
	des.des = true
	return []struct {
		prefix string
		platform
	}{
		{"arista-7060dx4", strata(true)},
		{"arista-7060px4", strata(true)},
		{"arista-7060dx5", strata(true)},
		{"arista-7060px5", strata(true)},
		{"arista-7060x6", strata(false)},
		{"arista-7060xe7", strata(false)},
		{"arista-7050", strata(false)},
		{"arista-7260", strata(false)},
		{"arista-7388", strata(true).asChassis("Management1")},
		{"arista-7280r", sand(true)},
		{"arista-7800r", sand(true).asChassis("Management0")},
		{"arista-7700r", des},
		{"arista-7720r", des},
	}
}

// platformOf finds the platform by model id, else by chip.
func platformOf(m *fabric.Model) platform {
	id := strings.ToLower(m.ID)
	for _, f := range families() {
		if strings.HasPrefix(id, f.prefix) {
			return f.platform
		}
	}
	chip := strings.ToLower(m.ASIC)
	for _, name := range []string{"th", "td", "broadcom tomahawk", "broadcom trident"} {
		if strings.HasPrefix(chip, name) {
			return strata(false)
		}
	}
	for _, name := range []string{"j2", "j3", "broadcom jericho"} {
		if strings.HasPrefix(chip, name) {
			return sand(false)
		}
	}
	return platform{management: "Management1"}
}
