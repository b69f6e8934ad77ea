package cluster

import (
	"fmt"
	"net/netip"
	"strconv"
	"strings"

	"railyard/generator/quantity"
)

const auto = "auto"

// AutoInt is a whole number from 1, or 0 for auto.
type AutoInt int

// UnmarshalText reads auto or a number from 1 to 1000000.
func (a *AutoInt) UnmarshalText(text []byte) error {
	if string(text) == auto {
		*a = 0
		return nil
	}
	n, err := strconv.Atoi(string(text))
	if err != nil || n < 1 || n > 1_000_000 {
		return fmt.Errorf("%q is neither auto nor a number from 1 to 1000000", text)
	}
	*a = AutoInt(n)
	return nil
}

// AutoSpeed is a speed in Gb/s, or 0 for auto.
type AutoSpeed int

// UnmarshalText reads auto or a speed.
func (a *AutoSpeed) UnmarshalText(text []byte) error {
	if string(text) == auto {
		*a = 0
		return nil
	}
	var s quantity.Speed
	if err := s.UnmarshalText(text); err != nil {
		return fmt.Errorf("%q is neither auto nor a speed like 400G", text)
	}
	*a = AutoSpeed(s)
	return nil
}

// AutoSize is a number of bytes, or 0 for auto.
type AutoSize int64

// UnmarshalText reads auto or a size above zero.
func (a *AutoSize) UnmarshalText(text []byte) error {
	if string(text) == auto {
		*a = 0
		return nil
	}
	var s quantity.Size
	if err := s.UnmarshalText(text); err != nil || s == 0 {
		return fmt.Errorf("%q is neither auto nor a size like 120KB", text)
	}
	*a = AutoSize(s)
	return nil
}

// AutoPriority is a PFC priority that the user fixed, or auto.
type AutoPriority struct {
	Set   bool
	Value int // 0 to 7
}

// UnmarshalText reads auto or 0 to 7.
func (a *AutoPriority) UnmarshalText(text []byte) error {
	v, set, err := autoRange(text, 7, "a priority")
	*a = AutoPriority{set, v}
	return err
}

// AutoDSCP is a code point that the user fixed, or auto.
type AutoDSCP struct {
	Set   bool
	Value int // 0 to 63
}

// UnmarshalText reads auto or 0 to 63.
func (a *AutoDSCP) UnmarshalText(text []byte) error {
	v, set, err := autoRange(text, 63, "a DSCP")
	*a = AutoDSCP{set, v}
	return err
}

func autoRange(text []byte, most int, what string) (int, bool, error) {
	if string(text) == auto {
		return 0, false, nil
	}
	n, err := strconv.Atoi(string(text))
	if err != nil || n < 0 || n > most {
		return 0, false, fmt.Errorf("%q is neither auto nor %s from 0 to %d", text, what, most)
	}
	return n, true, nil
}

// LinkPrefix is the prefix that is cut into /31s, or unnumbered.
type LinkPrefix struct {
	Prefix     netip.Prefix
	Unnumbered bool
}

// UnmarshalText reads unnumbered or an IPv4 prefix.
func (l *LinkPrefix) UnmarshalText(text []byte) error {
	if string(text) == "unnumbered" {
		*l = LinkPrefix{Unnumbered: true}
		return nil
	}
	p, err := netip.ParsePrefix(string(text))
	if err != nil || !p.Addr().Is4() {
		return fmt.Errorf("%q is neither unnumbered nor an IPv4 prefix like 10.240.0.0/13", text)
	}
	*l = LinkPrefix{Prefix: p}
	return nil
}

// GUID is an InfiniBand EUI-64.
type GUID uint64

// UnmarshalText reads 0x0002c90300a1b2c3 or 0002:c903:00a1:b2c3.
func (g *GUID) UnmarshalText(text []byte) error {
	s := strings.ToLower(strings.ReplaceAll(string(text), ":", ""))
	n, err := strconv.ParseUint(strings.TrimPrefix(s, "0x"), 16, 64)
	if err != nil || n == 0 {
		return fmt.Errorf("%q is not a GUID; write it like 0x0002c90300a1b2c3", text)
	}
	*g = GUID(n)
	return nil
}

// PKey is a partition key; the membership bit is kept apart.
type PKey uint16

// UnmarshalText reads 0x8001 or 0x1; the low 15 bits must lie in 0x1 to 0x7ffe.
func (p *PKey) UnmarshalText(text []byte) error {
	n, err := strconv.ParseUint(string(text), 0, 16)
	if n &= 0x7fff; err != nil || n == 0 || n == 0x7fff {
		return fmt.Errorf("%q is not a partition key; write 0x8001 to 0xfffe (0x7fff is the default partition)", text)
	}
	*p = PKey(n)
	return nil
}
