package observed

import (
	"encoding/binary"
	"math/bits"
	"net/netip"
	"strings"
)

// Prefix reads an address and its mask, dotted or as a length.
func Prefix(address, mask string) (netip.Prefix, bool) {
	a, err := netip.ParseAddr(address)
	if err != nil {
		return netip.Prefix{}, false
	}
	if n, ok := Number(mask); ok {
		p := netip.PrefixFrom(a, n)
		return p, p.IsValid()
	}
	m, err := netip.ParseAddr(mask)
	if err != nil || !m.Is4() || !a.Is4() {
		return netip.Prefix{}, false
	}
	b := m.As4()
	v := binary.BigEndian.Uint32(b[:])
	ones := bits.LeadingZeros32(^v)
	if v != ^uint32(0)<<(32-ones) && ones != 0 || ones == 0 && v != 0 {
		return netip.Prefix{}, false
	}
	p := netip.PrefixFrom(a, ones)
	return p, p.IsValid()
}

// Slashed reads "A/N".
func Slashed(s string) (netip.Prefix, bool) {
	if !strings.Contains(s, "/") {
		return netip.Prefix{}, false
	}
	p, err := netip.ParsePrefix(s)
	return p, err == nil
}
