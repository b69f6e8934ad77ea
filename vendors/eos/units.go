package eos

import (
	"fmt"
	"time"
)

// unit is a unit of ECN thresholds as EOS spells it.
type unit string

// The units this driver writes. EOS also knows segments and mbytes: the size of
// a segment is not documented, and mbytes are too coarse.
const (
	unitBytes  unit = "bytes"
	unitKbytes unit = "kbytes"
)

// thresholds turns a marking band in bytes into numbers of the unit. No source
// says whether a kbyte is 1000 or 1024 bytes, so Kmin is rounded down as if it
// were 1024 and Kmax up as if it were 1000: under either reading marking starts
// no later and saturates no earlier than planned. Numbers are at least 1 and
// kmin < kmax is kept.
func (u unit) thresholds(kmin, kmax int) (low, high int) {
	if u == unitBytes {
		return max(kmin, 1), max(kmax, 1)
	}
	low = max(kmin/1024, 1)
	return low, max((kmax+999)/1000, low)
}

// The ranges of the watchdog's timers (RoCE436, AVD schema).
const (
	timerLeast = 10 * time.Millisecond
	timerMost  = 60 * time.Second
	pollLeast  = 5 * time.Millisecond
	pollMost   = 30 * time.Second
)

// timer writes a watchdog timer in seconds with two decimals, rounded up so
// that a pause is never called a storm earlier than planned. It fails outside
// 0.01 to 60 s.
func timer(d time.Duration) (string, bool) {
	if d < timerLeast || d > timerMost {
		return "", false
	}
	return fmt.Sprintf("%.2f", ceilTimer(d).Seconds()), true
}

func ceilTimer(d time.Duration) time.Duration {
	return (d + timerLeast - 1) / timerLeast * timerLeast
}

// polling is the longest interval EOS takes with these timers, half of the
// shorter one (RoCE436), in seconds with three decimals.
func polling(detect, restore time.Duration) string {
	half := min(ceilTimer(detect), ceilTimer(restore)) / 2
	half = half / time.Millisecond * time.Millisecond
	return fmt.Sprintf("%.3f", max(pollLeast, min(half, pollMost)).Seconds())
}

// alpha writes the dynamic threshold 2^log2 as the fraction EOS's buffer
// profiles take: 1/128 to 8 (AVD schema).
func alpha(log2 int) (string, bool) {
	switch {
	case log2 < -7 || log2 > 3:
		return "", false
	case log2 < 0:
		return fmt.Sprintf("1/%d", 1<<-log2), true
	default:
		return fmt.Sprintf("%d", 1<<log2), true
	}
}
