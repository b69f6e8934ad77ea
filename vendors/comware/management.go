package comware

import (
	"errors"
	"fmt"
	"net/netip"
	"regexp"
	"strings"

	"railyard/generator/fabric"
)

// management is the out-of-band side of one switch.
type management struct {
	VRF              string
	Interface        *network
	Gateway          string
	DNS, NTP, Syslog []string
	Users            []user
}

// user is one login that the file carries.
type user struct{ Name, Role, Hash string }

// manual is a login, or part of one, that has to be completed by hand.
type manual struct {
	Name, Role string
	NoHash     bool // no password hash is declared
	Foreign    bool // the declared hash is not Comware's
	Keys       []string
}

// hashForm is the form in which Comware stores a device user's password: a
// number for the scheme, the salt and the digest in base64 (RUNNING). Only this
// form is taken back by "password hash".
var hashForm = regexp.MustCompile(`^\$h\$[0-9]+\$[A-Za-z0-9+/=]+(\$[A-Za-z0-9+/=]+)?$`)

// manage plans the management section. Users that cannot be written as they
// were meant come back as manual: a user without a password would be let in
// with none.
func manage(f *fabric.Fabric, sw *fabric.Switch, secrets fabric.Secrets) (management, []manual, error) {
	m := management{VRF: f.Management.VRF}
	if a := sw.Management; a.IsValid() && a.Addr().Is4() {
		m.Interface = &network{a.Addr().String(), mask(a.Bits())}
	}
	if f.Management.Gateway.Is4() {
		m.Gateway = f.Management.Gateway.String()
	}
	m.DNS, m.NTP, m.Syslog = ipv4(f.Management.DNS), ipv4(f.Management.NTP), ipv4(f.Management.Syslog)

	var later []manual
	var errs []error
	for _, u := range f.Management.Users {
		hash, err := fetch(u.PasswordHash, secrets)
		if err != nil {
			errs = append(errs, fmt.Errorf("%s: user %s: %w", sw.Name, u.Name, err))
			continue
		}
		rest := manual{Name: u.Name, Role: roleOf(u.Role), Keys: u.SSHKeys, NoHash: hash == ""}
		if hashForm.MatchString(hash) {
			m.Users = append(m.Users, user{Name: u.Name, Role: roleOf(u.Role), Hash: hash})
		} else {
			rest.Foreign = hash != ""
		}
		if rest.NoHash || rest.Foreign || len(rest.Keys) > 0 {
			later = append(later, rest)
		}
	}
	return m, later, errors.Join(errs...)
}

func fetch(s fabric.Secret, secrets fabric.Secrets) (string, error) {
	switch {
	case s.IsZero():
		return "", nil
	case secrets == nil:
		return "", errors.New("password hash: no source of secrets")
	}
	hash, err := secrets(s)
	if err != nil {
		return "", fmt.Errorf("password hash: %w", err)
	}
	return strings.TrimSpace(hash), nil
}

// roleOf is the predefined user role (H3C-CMD): the administrator's, or the one
// that may only look.
func roleOf(role string) string {
	if role == "admin" {
		return "network-admin"
	}
	return "network-operator"
}

func ipv4(list []netip.Addr) []string {
	var out []string
	for _, a := range list {
		if a.Is4() {
			out = append(out, a.String())
		}
	}
	return out
}

// TakesHash reports whether Comware can load a password hash of this form.
func (*Driver) TakesHash(hash string) bool { return hashForm.MatchString(hash) }
