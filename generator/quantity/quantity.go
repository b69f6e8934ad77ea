// Package quantity reads and writes the measures of a cluster file: 400G, 5m,
// 165MB, 2:1, 2x400G. Every type is a plain number in the unit its name says.
package quantity

import (
	"fmt"
	"math"
	"regexp"
	"strconv"
	"strings"
)

// Speed is a data rate in Gb/s.
type Speed int

var speedForm = regexp.MustCompile(`^([0-9]{1,5}) ?(G|g|GE|Gbps|Gb/s|T)?$`)

// UnmarshalText reads 400G, 400, 400Gbps or 1.6T (as 1600G). The range is 1 to 6400 Gb/s.
func (s *Speed) UnmarshalText(text []byte) error {
	m := speedForm.FindStringSubmatch(string(text))
	if m == nil {
		if string(text) == "1.6T" {
			*s = 1600
			return nil
		}
		return fmt.Errorf("%q is not a speed; write it like 400G", text)
	}
	n, _ := strconv.Atoi(m[1])
	if m[2] == "T" {
		n *= 1000
	}
	if n < 1 || n > 6400 {
		return fmt.Errorf("%q is out of range; speeds are 1G to 6400G", text)
	}
	*s = Speed(n)
	return nil
}

// MarshalText writes 400G.
func (s Speed) MarshalText() ([]byte, error) { return []byte(s.String()), nil }

// String writes 400G.
func (s Speed) String() string { return strconv.Itoa(int(s)) + "G" }

// Length is a cable length in metres.
type Length float64

var lengthForm = regexp.MustCompile(`^([0-9]{1,6}(?:\.[0-9]{1,3})?) ?m?$`)

// UnmarshalText reads 5m, 0.5m or 30. The range is 0.1 to 100000 m.
func (l *Length) UnmarshalText(text []byte) error {
	m := lengthForm.FindStringSubmatch(string(text))
	if m == nil {
		return fmt.Errorf("%q is not a length; write it like 5m", text)
	}
	v, err := strconv.ParseFloat(m[1], 64)
	if err != nil || v < 0.1 || v > 100000 {
		return fmt.Errorf("%q is out of range; lengths are 0.1m to 100000m", text)
	}
	*l = Length(v)
	return nil
}

// MarshalText writes 5m.
func (l Length) MarshalText() ([]byte, error) { return []byte(l.String()), nil }

// String writes 5m.
func (l Length) String() string { return strconv.FormatFloat(float64(l), 'f', -1, 64) + "m" }

// Size is a number of bytes.
type Size int64

var sizeForm = regexp.MustCompile(`^([0-9]{1,12}(?:\.[0-9]{1,6})?) ?(B|KB|MB|GB|KiB|MiB|GiB)?$`)

var sizeUnit = map[string]float64{
	"": 1, "B": 1, "KB": 1e3, "MB": 1e6, "GB": 1e9,
	"KiB": 1 << 10, "MiB": 1 << 20, "GiB": 1 << 30,
}

// UnmarshalText reads 400KB (1000 bytes a KB), 16MiB (1024-based) or a bare
// number of bytes. The range is 0 to 1 TB; the value must be whole bytes.
func (s *Size) UnmarshalText(text []byte) error {
	m := sizeForm.FindStringSubmatch(string(text))
	if m == nil {
		return fmt.Errorf("%q is not a size; write it like 400KB, 165MB or 16MiB", text)
	}
	v, err := strconv.ParseFloat(m[1], 64)
	if err != nil {
		return fmt.Errorf("%q is not a size; write it like 400KB, 165MB or 16MiB", text)
	}
	v *= sizeUnit[m[2]]
	if v > 1e12 {
		return fmt.Errorf("%q is out of range; sizes are 0 to 1000GB", text)
	}
	if r := math.Round(v); math.Abs(v-r) < 1e-6 {
		v = r
	} else {
		return fmt.Errorf("%q is not a whole number of bytes", text)
	}
	*s = Size(v)
	return nil
}

// MarshalText writes the largest decimal unit that is exact.
func (s Size) MarshalText() ([]byte, error) { return []byte(s.String()), nil }

// String writes 400KB.
func (s Size) String() string {
	for _, u := range []struct {
		n    Size
		name string
	}{{1e9, "GB"}, {1e6, "MB"}, {1e3, "KB"}} {
		if s >= u.n && s%u.n == 0 {
			return strconv.FormatInt(int64(s/u.n), 10) + u.name
		}
	}
	return strconv.FormatInt(int64(s), 10)
}

// Ratio is a down:up bandwidth ratio, reduced.
type Ratio struct{ Down, Up int }

var ratioForm = regexp.MustCompile(`^([0-9]{1,3}(?:\.[0-9]{1,3})?):([0-9]{1,3}(?:\.[0-9]{1,3})?)$`)

// UnmarshalText reads 2:1 or 1.5:1. Both sides are above zero and at most 999.
func (r *Ratio) UnmarshalText(text []byte) error {
	m := ratioForm.FindStringSubmatch(string(text))
	if m == nil {
		return fmt.Errorf("%q is not a ratio; write down:up like \"2:1\", in quotes", text)
	}
	down, up := thousandths(m[1]), thousandths(m[2])
	if down == 0 || up == 0 {
		return fmt.Errorf("%q has a zero side; write down:up like \"2:1\"", text)
	}
	*r = Reduce(down, up)
	return nil
}

func thousandths(s string) int {
	v, _ := strconv.ParseFloat(s, 64)
	return int(math.Round(v * 1000))
}

// Reduce divides both sides by their greatest common divisor.
func Reduce(down, up int) Ratio {
	a, b := down, up
	for b != 0 {
		a, b = b, a%b
	}
	if a == 0 {
		return Ratio{down, up}
	}
	return Ratio{down / a, up / a}
}

// MarshalText writes 2:1.
func (r Ratio) MarshalText() ([]byte, error) { return []byte(r.String()), nil }

// String writes 2:1.
func (r Ratio) String() string { return fmt.Sprintf("%d:%d", r.Down, r.Up) }

// Split is a way to run a cage: Children ports of Speed each.
type Split struct {
	Children int
	Speed    Speed
}

// UnmarshalText reads 2x400G. Children are 1 to 16.
func (s *Split) UnmarshalText(text []byte) error {
	n, speed, ok := strings.Cut(string(text), "x")
	children, err := strconv.Atoi(n)
	if !ok || err != nil || children < 1 || children > 16 {
		return fmt.Errorf("%q is not a breakout; write it like 2x400G", text)
	}
	s.Children = children
	return s.Speed.UnmarshalText([]byte(speed))
}

// MarshalText writes 2x400G.
func (s Split) MarshalText() ([]byte, error) { return []byte(s.String()), nil }

// String writes 2x400G.
func (s Split) String() string { return fmt.Sprintf("%dx%s", s.Children, s.Speed) }
