package targets

import (
	"fmt"
	"strings"
)

// Permit refuses connections without TLS, or without verification of it, that
// nobody asked for on the command line. With insecure it returns what they give up,
// a text for each kind, to be told loudly.
func Permit(list []Target, insecure bool) (warnings []string, err error) {
	var plain, unverified []string
	for i := range list {
		switch {
		case list[i].Insecure:
			plain = append(plain, list[i].Switch)
		case list[i].SkipVerify:
			unverified = append(unverified, list[i].Switch)
		}
	}
	var asks []string
	if len(plain) > 0 {
		asks = append(asks, "no TLS to "+Brief(plain))
		warnings = append(warnings, fmt.Sprintf("NO TLS to %s: anyone on the way can read and change everything, the password included", Brief(plain)))
	}
	if len(unverified) > 0 {
		asks = append(asks, "no verification of "+Brief(unverified))
		warnings = append(warnings, fmt.Sprintf("TLS WITHOUT VERIFICATION to %s: whoever answers gets the password and the configuration", Brief(unverified)))
	}
	if len(asks) > 0 && !insecure {
		return nil, fmt.Errorf("the targets file asks for %s: say --insecure if that is meant", strings.Join(asks, " and "))
	}
	return warnings, nil
}

// Brief names a few of many.
func Brief(list []string) string {
	switch n := len(list); {
	case n == 0:
		return "none"
	case n > 4:
		return fmt.Sprintf("%s and %d more", strings.Join(list[:3], ", "), n-3)
	}
	return strings.Join(list, ", ")
}
