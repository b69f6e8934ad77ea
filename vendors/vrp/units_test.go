package vrp

import (
	"slices"
	"testing"
	"time"
)

func TestHeadroomKB(t *testing.T) {
	for _, tt := range []struct{ bytes, want int }{
		{0, 0},            // the device's own 256 KB
		{1, 16},           // CR dcb pfc buffer: from 16 KB
		{16384, 16},       // exact
		{16385, 17},       // never less than asked
		{68580, 67},       // lossless.md section 3: TH3, 100G at 5 m
		{445770, 436},     // the same: TH5, 400G at 40 m
		{262144, 256},     // the default
		{31457280, 30720}, // the most
		{31457281, 30721}, // beyond: Check refuses
	} {
		if got := headroomKB(tt.bytes); got != tt.want {
			t.Errorf("headroomKB(%d) = %d, want %d", tt.bytes, got, tt.want)
		}
	}
}

func TestWatchdogTimes(t *testing.T) {
	ms := func(n int) time.Duration { return time.Duration(n) * time.Millisecond }
	for _, tt := range []struct {
		detect, restore time.Duration
		p               [2]int // ms
		pExact          bool
		j               steps
	}{
		{ms(100), ms(100), [2]int{100, 100}, true, steps{10, 10, 10, true}}, // both families' default (CR)
		{ms(200), ms(400), [2]int{200, 400}, true, steps{100, 2, 4, true}},  // railyard's default
		{ms(150), ms(310), [2]int{150, 310}, true, steps{10, 15, 31, true}}, // the most of 10 ms steps
		{ms(160), ms(310), [2]int{160, 310}, true, steps{10, 15, 31, false}},
		{ms(250), ms(370), [2]int{250, 370}, true, steps{100, 3, 4, false}}, // rounded up
		{ms(5), ms(2000), [2]int{10, 1500}, false, steps{100, 1, 20, false}},
		{ms(7500), ms(15500), [2]int{1500, 1500}, false, steps{500, 15, 31, true}},
		{ms(60000), ms(60000), [2]int{1500, 1500}, false, steps{1000, 15, 31, false}},
	} {
		d, ok1 := timerMS(tt.detect)
		r, ok2 := timerMS(tt.restore)
		if [2]int{d, r} != tt.p || (ok1 && ok2) != tt.pExact {
			t.Errorf("family P, %s/%s: %d/%d, exact %t", tt.detect, tt.restore, d, r, ok1 && ok2)
		}
		if got := stepsFor(tt.detect, tt.restore); got != tt.j {
			t.Errorf("family J, %s/%s: %+v, want %+v", tt.detect, tt.restore, got, tt.j)
		}
	}
}

func TestMask(t *testing.T) {
	for bits, want := range map[int]string{32: "255.255.255.255", 31: "255.255.255.254", 24: "255.255.255.0", 22: "255.255.252.0", 0: "0.0.0.0"} {
		if got := mask(bits); got != want {
			t.Errorf("mask(%d) = %s, want %s", bits, got, want)
		}
	}
}

func TestRanges(t *testing.T) {
	for _, tt := range []struct {
		ids      []int
		shortest int
		perLine  int
		want     []string
	}{
		// field V300R022: ten items on the first line, a pair as a range
		{[]int{4, 100, 140, 150, 151, 160, 170, 180, 190, 230, 240, 250, 251}, 2, 10,
			[]string{"4 100 140 150 to 151 160 170 180 190 230 240", "250 to 251"}},
		{[]int{2, 3, 4, 10}, 2, 10, []string{"2 to 4 10"}}, // CG VLAN examples
		{[]int{1, 2, 4, 5, 6}, 3, 24, []string{"1 2 4 to 6"}},
		{nil, 2, 10, nil},
	} {
		if got := ranges(tt.ids, tt.shortest, tt.perLine, number); !slices.Equal(got, tt.want) {
			t.Errorf("ranges(%v) = %q, want %q", tt.ids, got, tt.want)
		}
	}
}
