package cluster

import (
	"fmt"
	"net/netip"
	"regexp"
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
	n, ok := digits(text)
	if !ok || n < 1 || n > 1_000_000 {
		return fmt.Errorf("%q is neither auto nor a number from 1 to 1000000", text)
	}
	*a = AutoInt(n)
	return nil
}

// MarshalText writes auto or the number.
func (a AutoInt) MarshalText() ([]byte, error) {
	if a == 0 {
		return []byte(auto), nil
	}
	return strconv.AppendInt(nil, int64(a), 10), nil
}

// digits reads a whole number written plainly: what some versions of YAML take
// for octal (010) or allow as a sign (+5) is not one.
func digits(text []byte) (int, bool) {
	n, err := strconv.Atoi(string(text))
	return n, err == nil && strconv.Itoa(n) == string(text)
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

// MarshalText writes auto or the speed.
func (a AutoSpeed) MarshalText() ([]byte, error) {
	if a == 0 {
		return []byte(auto), nil
	}
	return quantity.Speed(a).MarshalText()
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

// MarshalText writes auto or the size.
func (a AutoSize) MarshalText() ([]byte, error) {
	if a == 0 {
		return []byte(auto), nil
	}
	return quantity.Size(a).MarshalText()
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

// MarshalText writes auto or the priority.
func (a AutoPriority) MarshalText() ([]byte, error) { return marshalAuto(a.Set, a.Value), nil }

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

// MarshalText writes auto or the code point.
func (a AutoDSCP) MarshalText() ([]byte, error) { return marshalAuto(a.Set, a.Value), nil }

func marshalAuto(set bool, value int) []byte {
	if !set {
		return []byte(auto)
	}
	return strconv.AppendInt(nil, int64(value), 10)
}

func autoRange(text []byte, most int, what string) (int, bool, error) {
	if string(text) == auto {
		return 0, false, nil
	}
	n, ok := digits(text)
	if !ok || n < 0 || n > most {
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

// MarshalText writes the prefix or unnumbered.
func (l LinkPrefix) MarshalText() ([]byte, error) {
	if l.Unnumbered {
		return []byte("unnumbered"), nil
	}
	return l.Prefix.MarshalText()
}

// GUID is an InfiniBand EUI-64.
type GUID uint64

var guidForm = regexp.MustCompile(`^(0x[0-9a-fA-F]{1,16}|[0-9a-fA-F]{16}|([0-9a-fA-F]{4}:){3}[0-9a-fA-F]{4}|([0-9a-fA-F]{2}:){7}[0-9a-fA-F]{2})$`)

// UnmarshalText reads 0x0002c90300a1b2c3, the same without 0x (16 digits), or
// as Linux and ibstat write it, 0002:c903:00a1:b2c3.
func (g *GUID) UnmarshalText(text []byte) error {
	s := string(text)
	n, err := strconv.ParseUint(strings.ReplaceAll(strings.TrimPrefix(s, "0x"), ":", ""), 16, 64)
	if !guidForm.MatchString(s) || err != nil || n == 0 {
		return fmt.Errorf("%q is not a GUID; write it like 0x0002c90300a1b2c3", text)
	}
	*g = GUID(n)
	return nil
}

// MarshalText writes 0x0002c90300a1b2c3.
func (g GUID) MarshalText() ([]byte, error) { return fmt.Appendf(nil, "0x%016x", uint64(g)), nil }

// PKey is a partition key; the membership bit is kept apart.
type PKey uint16

var pkeyForm = regexp.MustCompile(`^(0x[0-9a-fA-F]{1,4}|[1-9][0-9]{0,4})$`)

// UnmarshalText reads 0x8001 or 0x1; the low 15 bits must lie in 0x1 to 0x7ffe.
func (p *PKey) UnmarshalText(text []byte) error {
	n, err := strconv.ParseUint(string(text), 0, 16)
	if n &= 0x7fff; !pkeyForm.Match(text) || err != nil || n == 0 || n == 0x7fff {
		return fmt.Errorf("%q is not a partition key; write 0x8001 to 0xfffe (0x7fff and 0xffff are the default partition)", text)
	}
	*p = PKey(n)
	return nil
}

// MarshalText writes 0x0001, without the membership bit.
func (p PKey) MarshalText() ([]byte, error) { return fmt.Appendf(nil, "0x%04x", uint16(p)), nil }
