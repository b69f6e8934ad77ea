package eos

import (
	"fmt"
	"regexp"
	"strings"

	"railyard/generator/fabric"
)

// user is one login.
type user struct {
	Name      string
	Privilege int
	Role      string
	Hash      string   // sha512-crypt; "" for a login by key alone
	Keys      []string // at most two: EOS keeps a primary and a secondary key
}

// sha512Crypt is the one form of hash shown after "secret sha512" (AVD).
var sha512Crypt = regexp.MustCompile(`^\$6\$[./0-9A-Za-z]{1,16}\$[./0-9A-Za-z]{86}$`)

// keysMost is the number of SSH keys EOS keeps per user (AVD: ssh-key and
// ssh-key secondary).
const keysMost = 2

// logins fetches the hashes. foreign are the names of users whose hash EOS
// would not take; they get no line. secret reports whether a hash was fetched.
func logins(f *fabric.Fabric, secrets fabric.Secrets) (users []user, foreign []string, secret bool, err error) {
	for i := range f.Management.Users {
		u := &f.Management.Users[i]
		out := user{Name: u.Name, Privilege: 1, Role: "network-operator", Keys: usableKeys(u)}
		if u.Role == "admin" {
			out.Privilege, out.Role = 15, "network-admin"
		}
		if u.PasswordHash.IsZero() {
			if len(out.Keys) > 0 {
				users = append(users, out)
			}
			continue
		}
		hash, err := secrets(u.PasswordHash)
		if err != nil {
			return nil, nil, false, fmt.Errorf("password hash of user %s: %w", u.Name, err)
		}
		if out.Hash = strings.TrimSpace(hash); !sha512Crypt.MatchString(out.Hash) {
			foreign = append(foreign, u.Name)
			continue
		}
		users, secret = append(users, out), true
	}
	return users, foreign, secret, nil
}

// usableKeys are the first keys that fit one line.
func usableKeys(u *fabric.User) []string {
	var keys []string
	for _, k := range u.SSHKeys {
		if k = strings.TrimSpace(k); k != "" && !strings.ContainsAny(k, "\r\n\t") && len(keys) < keysMost {
			keys = append(keys, k)
		}
	}
	return keys
}

// TakesHash reports whether EOS can load a password hash of this form.
func (*Driver) TakesHash(hash string) bool { return sha512Crypt.MatchString(hash) }
