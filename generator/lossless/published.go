package lossless

import (
	"slices"

	"railyard/generator/fabric"
)

// table is the headroom a vendor ships for one switch type, as read in the
// pg_profile_lookup.ini of that platform in sonic-net/sonic-buildimage
// (device/..., master of August 2026).
type table struct {
	models []string // catalog ids of the same hardware
	asic   string   // or: any switch with that chip
	name   string   // platform or SKU the file belongs to
	alpha  int      // dynamic threshold of the file's rows, log2
	// modelled: the platform computes headroom from the exact length and the
	// rows only sample that formula, so a length between two rows takes the
	// formula and not the next row.
	modelled bool
	pool     int64 // shared headroom pool of the shipped buffer profile, bytes; 0 none known
	rates    []rate
}

// rate holds the rows of one port speed.
type rate struct {
	speed int
	xon   int
	extra int // bytes a row's size holds beyond xoff and xon
	rows  []row
}

type row struct {
	length float64 // cable, metres; rows rise
	xoff   int
	size   int // 0: xoff + xon + extra
}

// at3 are the rows at the usual cable steps of 5, 40 and 300 m.
func at3(speed, xon, m5, m40, m300 int) rate {
	return rate{speed: speed, xon: xon, rows: []row{{5, m5, 0}, {40, m40, 0}, {300, m300, 0}}}
}

// wide marks a rate whose ports use eight lanes: such a profile reserves one
// more frame of 9216 bytes (sonic-swss buffer_headroom_mellanox.lua).
func wide(r rate) rate {
	r.extra = 9216
	return r
}

// sized gives a row the size the file states where it is not the sum.
func sized(r rate, length float64, size int) rate {
	for i := range r.rows {
		if r.rows[i].length == length {
			r.rows[i].size = size
		}
	}
	return r
}

func (r row) sizeIn(of rate) int {
	if r.size > 0 {
		return r.size
	}
	return r.xoff + of.xon + of.extra
}

// publishedTables are the tables in use. Left out on purpose because they are
// placeholders or contradict themselves: Silverstone V2 and DS4000 (55120 for
// every speed and length), NH-4010 and NH-5010 (612140 everywhere), DS5000
// (700160 everywhere), SN5610N-C256S2 (less at 250 m than at 40 m for 10G and
// 25G), and of 7060X6-64PE-B-O128 the rows of 30 m (less than at 5 m), 150 m
// (same as at 5 m) and 100G at 500 m (same as 400G).
func publishedTables() []table {
	return slices.Concat(nvidiaTables(), broadcomTables(), otherTables())
}

func nvidiaTables() []table {
	return []table{
		{models: []string{"nvidia-sn5600"}, name: "ACS-SN5600", modelled: true, rates: []rate{
			at3(10, 19456, 45056, 46080, 56320),
			at3(25, 19456, 48128, 52224, 76800),
			sized(at3(40, 19456, 57344, 62464, 101376), 5, 75776),
			at3(50, 19456, 63488, 69632, 118784),
			at3(100, 19456, 113664, 126976, 225280),
			at3(200, 19456, 131072, 157696, 355328),
			at3(400, 19456, 231424, 283648, 677888),
			sized(sized(wide(at3(800, 38912, 257024, 362496, 1150976)), 5, 304128), 300, 1198080),
		}},
		{models: []string{"nvidia-sn4700"}, name: "ACS-SN4700", rates: []rate{
			at3(100, 19456, 33792, 44032, 117760),
			at3(200, 19456, 35840, 55296, 203776),
			wide(at3(400, 37888, 38912, 77824, 373760)),
		}},
		{models: []string{"nvidia-sn5640"}, name: "Mellanox-SN5640-C512S2", rates: []rate{
			at3(100, 19456, 44032, 49152, 83968),
			at3(200, 19456, 50176, 60416, 130048),
			at3(400, 19456, 86016, 104448, 243712),
		}},
		{models: []string{"nvidia-sn6600-ld"}, name: "Mellanox-SN6600_LD", rates: []rate{
			at3(100, 43008, 44032, 48128, 84992),
			at3(200, 43008, 48128, 58368, 130048),
			at3(400, 43008, 81920, 101376, 244736),
			at3(800, 43008, 147456, 186368, 473088),
		}},
	}
}

func broadcomTables() []table {
	// One table is shipped for both; only the dynamic threshold differs.
	th5 := []rate{
		at3(100, 0, 147066, 160274, 258572),
		at3(200, 0, 229362, 255778, 452374),
		at3(400, 0, 393192, 446024, 839216),
		at3(800, 0, 729488, 835406, 1621536),
	}
	return []table{
		{models: []string{"ruijie-s6990-128qc", "ruijie-s6990-64oc"}, name: "Micas M2-W6940-128QC and -64OC", alpha: -2, pool: 33374584, rates: th5},
		{models: []string{"dell-z9864f"}, name: "Dell Z9864F", pool: 33374584, rates: th5},
		{models: []string{"arista-7060x6-64pe"}, name: "Arista-7060X6-64PE-B-O128 and -P32O64", pool: 22010624, rates: []rate{
			{speed: 400, rows: []row{{5, 445770, 0}, {40, 445770, 0}, {300, 839216, 0}, {500, 1136396, 0}}},
			{speed: 800, rows: []row{{5, 724662, 0}, {40, 833536, 0}, {300, 1621536, 0}}},
		}},
		{models: []string{"dell-z9664f"}, name: "DellEMC-Z9664f-O64", pool: 50653696, rates: []rate{
			at3(100, 9144, 129032, 142240, 240538),
			at3(200, 9144, 214122, 240792, 437134),
			at3(400, 9144, 371348, 424434, 817372),
		}},
		{models: []string{"dell-z9332f"}, name: "DellEMC-Z9332f-O32", alpha: -2, rates: []rate{
			at3(100, 2540, 68580, 74422, 117348),
			{speed: 400, xon: 2540, rows: []row{{5, 178562, 0}, {40, 201930, 0}, {300, 373888, 0}, {1000, 836676, 0}, {2000, 1498092, 0}}},
		}},
		// The 100G row is Tomahawk's; it lies above what this chip needs, so it is kept.
		{models: []string{"nokia-ixr7220-h5-64d"}, name: "Nokia IXR7220-H5-64D", rates: []rate{
			at3(100, 2288, 165568, 177632, 268736),
			at3(400, 2288, 307848, 330200, 499618),
			at3(800, 2288, 572516, 614172, 929132),
		}},
		{models: []string{"nokia-ixr7220-h6-128"}, name: "Nokia-IXR7220-H6-P128", rates: []rate{
			at3(100, 0, 125580, 131880, 180180),
			at3(200, 0, 261660, 274260, 371700),
			at3(400, 0, 464520, 490980, 686280),
			at3(800, 0, 797580, 850080, 1239840),
		}},
		{asic: "th1", name: "Arista-7060CX-32S", rates: []rate{at3(100, 2288, 165568, 177632, 268736)}},
	}
}

func otherTables() []table {
	return []table{
		{models: []string{"marvell-d64p512t"}, name: "Marvell d64p512t", rates: []rate{
			at3(100, 0, 40064, 44544, 77824),
			at3(200, 0, 70272, 78848, 145536),
			at3(400, 0, 129920, 147072, 280960),
			at3(800, 0, 247424, 285312, 550528),
		}},
		{models: []string{"arista-7800r3a-36d2"}, name: "Arista-7800R3A-36D2", alpha: -6, rates: []rate{
			{speed: 100, rows: []row{{300, 110592, 0}}},
			{speed: 400, rows: []row{{300, 315392, 0}}},
		}},
	}
}

// tableOf is the published table of a switch model, nil without one.
func tableOf(tables []table, m *fabric.Model) *table {
	for i := range tables {
		if slices.Contains(tables[i].models, m.ID) {
			return &tables[i]
		}
	}
	for i := range tables {
		if tables[i].asic != "" && tables[i].asic == m.ASIC {
			return &tables[i]
		}
	}
	return nil
}

// rate is the rows of that speed, nil without any.
func (t *table) rate(speed int) *rate {
	for i := range t.rates {
		if t.rates[i].speed == speed {
			return &t.rates[i]
		}
	}
	return nil
}

// upTo is the row of the shortest cable that is no shorter than length; false
// when every row is shorter.
func (r *rate) upTo(length float64) (row, bool) {
	for _, s := range r.rows {
		if s.length >= length {
			return s, true
		}
	}
	return row{}, false
}
