package lossless

import "railyard/generator/fabric"

// Required is the headroom in bytes that one lossless priority of a port needs
// for a cable: by the model's published table or the formula of its chip. It is
// false when neither is known; what is true of any switch says Wire.
func Required(m *fabric.Model, speedGbps int, lengthM float64, mtu int) (int, bool) {
	tables := publishedTables()
	if tableOf(tables, m) == nil {
		_, spectrum := spectrums[m.ASIC]
		_, broadcom := broadcoms[m.ASIC]
		if !spectrum && !broadcom {
			return 0, false
		}
	}
	return headroomOf(tables, m, speedGbps, lengthM, mtu).xoff, true
}

// Wire is what certainly arrives after a pause, in bytes, whatever the switch: a
// frame at each end, the cable both ways and the far end's response time. It
// leaves out that buffers store whole cells, so a need above it is normal and a
// reservation below it cannot hold. mtu is the largest frame in bytes.
// Source: IEEE 802.1Qbb delay bound; pause quanta of 802.3 31B.3.7 as SONiC uses them.
func Wire(speedGbps int, lengthM float64, mtu int) int {
	cable := 2 * lengthM * float64(speedGbps) * 1e9 / metresPerSecond / 8
	return int(float64(mtu+roceLosslessMTU) + cable + macPHY + peerResponse(speedGbps))
}
