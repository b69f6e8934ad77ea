package vrp

import (
	"net/netip"
	"strconv"
	"strings"
	"time"
)

const kilobyte = 1024 // CR counts 30 MB as 30720 KB

// headroomKB is a port's hdrm value: never less than the plan's bytes, at least
// the 16 KB the command starts at (CR dcb pfc buffer). Zero bytes leave the
// device its own default.
func headroomKB(bytes int) int {
	if bytes <= 0 {
		return 0
	}
	return max(16, (bytes+kilobyte-1)/kilobyte)
}

const (
	maxHeadroomKB     = 30720          // of a queue and of the pool (CR dcb pfc buffer, qos buffer headroom-pool)
	defaultHeadroomKB = 256            // of a queue (CR dcb pfc buffer)
	defaultXoffBytes  = 125 * kilobyte // family P, per ingress port (CR dcb pfc buffer)
)

// timerMS is the watchdog time of family P in milliseconds (CR dcb pfc
// deadlock-detect timer, deadlock-recovery timer: 10 to 1500).
func timerMS(d time.Duration) (ms int, exact bool) {
	ms = int((d + time.Millisecond - 1) / time.Millisecond)
	clamped := min(max(ms, 10), 1500)
	return clamped, time.Duration(clamped)*time.Millisecond == d
}

// steps are the watchdog times of family J in units of interval milliseconds
// (CR dcb pfc deadlock-detect interval; priority deadlock-detect time 1 to 15,
// deadlock-recovery time 0 to 31, where 0 never recovers).
type steps struct {
	interval, detect, restore int
	exact                     bool
}

// stepsFor finds the interval that meets both times best; times are rounded up,
// so that a pause is never taken for a deadlock earlier than planned.
func stepsFor(detect, restore time.Duration) steps {
	best := steps{}
	var bestOff time.Duration
	for _, ms := range []int{10, 100, 500, 1000} {
		unit := time.Duration(ms) * time.Millisecond
		s := steps{interval: ms, detect: min(max(ceilDiv(detect, unit), 1), 15), restore: min(max(ceilDiv(restore, unit), 1), 31)}
		off := (time.Duration(s.detect)*unit - detect).Abs() + (time.Duration(s.restore)*unit - restore).Abs()
		s.exact = off == 0
		if best.interval == 0 || off < bestOff {
			best, bestOff = s, off
		}
	}
	return best
}

func ceilDiv(d, unit time.Duration) int { return int((d + unit - 1) / unit) }

// withMask is an IPv4 address and its mask as the device prints them.
func withMask(p netip.Prefix) string { return p.Addr().String() + " " + mask(p.Bits()) }

// mask is a prefix length as the device prints it.
func mask(bits int) string {
	m := uint32(0xffffffff) << (32 - bits)
	return netip.AddrFrom4([4]byte{byte(m >> 24), byte(m >> 16), byte(m >> 8), byte(m)}).String()
}

// ranges writes sorted numbers as "1 3 to 5"; runs shorter than shortest are
// listed one by one. Each line holds at most perLine items, a range being one.
func ranges(ids []int, shortest, perLine int, name func(int) string) []string {
	var lines []string
	var items []string
	for i := 0; i < len(ids); {
		j := i
		for j+1 < len(ids) && ids[j+1] == ids[j]+1 {
			j++
		}
		switch {
		case j-i+1 >= shortest && j > i:
			items = append(items, name(ids[i])+" to "+name(ids[j]))
		default:
			for k := i; k <= j; k++ {
				items = append(items, name(ids[k]))
			}
		}
		i = j + 1
	}
	for len(items) > 0 {
		n := min(perLine, len(items))
		lines = append(lines, strings.Join(items[:n], " "))
		items = items[n:]
	}
	return lines
}

func number(n int) string { return strconv.Itoa(n) }
