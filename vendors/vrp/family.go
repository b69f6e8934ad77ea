package vrp

import (
	"strings"

	"railyard/generator/fabric"
)

// family is the lossless command dialect of a model (CG: model lists of the
// PFC, ECN and buffer pages).
type family uint8

const (
	familyUnknown family = iota // in no public document; lossless lines are only proposed
	familyP                     // Huawei silicon
	familyJ                     // cell-based shared buffer
	familyNone                  // has no PFC at all
)

// Models by id prefix, without the vendor.
var (
	modelsP = []string{"ce6866-48s8cq", "ce6860-san", "ce6860-ham", "ce8851-32cq8dq", "ce8850-san", "ce8850-ham"}
	modelsJ = []string{"ce8855-32cq4bq", "ce8851-32cq4bq", "ce6855-48xs8cq", "ce6885-48ys8cq",
		"ce6885-san-56f", "ce6885-ll-56f", "ce6863e-48s8cq"}
	modelsNone = []string{"ce6820h", "ce6820s", "ce6863h", "ce6881h"}
)

// limits are the ranges of a family's lossless commands (CR, the command named).
type limits struct {
	priorities    int // most PFC priorities of a box (priority)
	maxPriority   int // priority
	pfcPorts      int // interfaces with PFC, 0 no limit known (priority)
	ecnLow        int // bytes (ecn)
	ecnHigh       int
	ecnQueue      int // highest queue that may mark (CG ECN precautions)
	bands         int // drop profiles besides the default one (CG Configuring ECN)
	headroomSizes int // different hdrm values of a box, 0 where there is no such command (dcb pfc buffer)
}

func (f family) limits() limits {
	switch f {
	case familyP:
		return limits{priorities: 3, maxPriority: 5, pfcPorts: 127, ecnLow: 128, ecnHigh: 16_000_000, ecnQueue: 5, bands: 15}
	case familyJ:
		return limits{priorities: 4, maxPriority: 7, ecnLow: 320, ecnHigh: 34_078_720, ecnQueue: 7, bands: 62, headroomSizes: 31}
	default:
		return limits{}
	}
}

func (f family) String() string {
	switch f {
	case familyP:
		return "P"
	case familyJ:
		return "J"
	default:
		return "unknown"
	}
}

// lossless reports whether lossless lines may be written for the family.
func (f family) lossless() bool { return f == familyP || f == familyJ }

// familyOf is the family a model's lossless lines are written in. What the
// catalog or the user says wins over the model's name. The lines are those of
// V300: with an older release declared nothing is taken for known.
func familyOf(m *fabric.Model, release string) family {
	byName := named(m.ID)
	if byName == familyNone {
		return familyNone
	}
	if strings.HasPrefix(strings.ToUpper(release), "V200") {
		return familyUnknown
	}
	switch strings.ToLower(m.Family) {
	case "p":
		return familyP
	case "j":
		return familyJ
	case "":
		return byName
	default:
		return familyUnknown
	}
}

func named(id string) family {
	id = bare(id)
	for _, set := range []struct {
		models []string
		family family
	}{{modelsP, familyP}, {modelsJ, familyJ}, {modelsNone, familyNone}} {
		for _, p := range set.models {
			if strings.HasPrefix(id, p) {
				return set.family
			}
		}
	}
	return familyUnknown
}

// bare is a catalog id without its vendor.
func bare(id string) string { return strings.TrimPrefix(strings.ToLower(id), "huawei-") }
