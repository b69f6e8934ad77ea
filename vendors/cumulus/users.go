package cumulus

import (
	"fmt"
	"regexp"
	"slices"
	"strings"

	"railyard/generator/fabric"
)

// user is one login.
type user struct {
	Name string
	Role string
	Hash string
	Keys []key
}

// key is one public key, split as NVUE keeps it.
type key struct{ Type, Key string }

// noPassword in the place of a hash lets no password in (GEN).
const noPassword = "*"

// crypt is what the C library of Debian accepts. A form without a salt mark
// (DES) is refused: nobody should load one.
var crypt = regexp.MustCompile(`^\$(1|2[abxy]|5|6|y|gy|7)\$[./0-9A-Za-z$=,]+$`)

// keyTypes are those NVUE lists (SSH516).
func keyTypes() []string {
	return []string{"ecdsa-sha2-nistp256", "ecdsa-sha2-nistp384", "ecdsa-sha2-nistp521", "ssh-dss", "ssh-ed25519", "ssh-rsa"}
}

// keyText is base64.
var keyText = regexp.MustCompile(`^[A-Za-z0-9+/]+=*$`)

// TakesHash reports whether Linux can load a password hash of this form.
func (*Driver) TakesHash(hash string) bool { return crypt.MatchString(hash) }

// logins fetches the hashes. foreign are the names of users whose hash Linux
// would not take; they get no line. secret reports whether a hash was fetched.
func logins(f *fabric.Fabric, secrets fabric.Secrets) (users []user, foreign []string, secret bool, err error) {
	for i := range f.Management.Users {
		u := &f.Management.Users[i]
		out := user{Name: u.Name, Role: "nvue-monitor", Hash: noPassword, Keys: usableKeys(u)}
		if u.Role == "admin" {
			out.Role = "system-admin"
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
		if out.Hash = strings.TrimSpace(hash); !crypt.MatchString(out.Hash) {
			foreign = append(foreign, u.Name)
			continue
		}
		users, secret = append(users, out), true
	}
	slices.SortFunc(users, func(a, b user) int { return strings.Compare(a.Name, b.Name) })
	return users, foreign, secret, nil
}

// usableKeys drops comments and what is no public key of one line.
func usableKeys(u *fabric.User) []key {
	var keys []key
	for _, line := range u.SSHKeys {
		w := strings.Fields(line)
		if len(w) >= 2 && !strings.ContainsAny(strings.TrimSpace(line), "\r\n") && slices.Contains(keyTypes(), w[0]) && keyText.MatchString(w[1]) {
			keys = append(keys, key{w[0], w[1]})
		}
	}
	return keys
}

func loginGaps(f *fabric.Fabric, _ *fabric.Switch) []gap {
	if len(f.Management.Users) == 0 {
		return one(fabric.Warning, "CUMULUS_NO_USERS",
			"no login is declared, and the file holds no account at all: replacing the configuration with it leaves the factory account to chance",
			"declare management.users", "BGP516")
	}
	var gaps []gap
	for i := range f.Management.Users {
		u := &f.Management.Users[i]
		keys := usableKeys(u)
		if u.PasswordHash.IsZero() && len(keys) == 0 {
			gaps = append(gaps, one(fabric.Warning, "CUMULUS_USER_WITHOUT_LOGIN",
				fmt.Sprintf("user %s has neither a password hash nor a usable SSH key and is left out", u.Name), "declare one", "")...)
		}
		if len(keys) < len(u.SSHKeys) {
			gaps = append(gaps, one(fabric.Warning, "CUMULUS_SSH_KEYS",
				fmt.Sprintf("user %s: SSH keys that are not of the form \"type base64\", or of a type NVUE does not list, are left out", u.Name),
				"use one of "+strings.Join(keyTypes(), ", "), "SSH516")...)
		}
	}
	if !slices.ContainsFunc(f.Management.Users, func(u fabric.User) bool { return u.Name == "cumulus" }) {
		gaps = append(gaps, one(fabric.Info, "CUMULUS_FACTORY_USER",
			"the factory account cumulus is not among the declared users; replacing the configuration removes its entry",
			"make sure that another administrator can log in before you apply", "BGP516", "nv config apply --confirm")...)
	}
	return gaps
}

// foreignHashes are known only once the secrets have been read.
func foreignHashes(names []string) []gap {
	var gaps []gap
	for _, name := range names {
		gaps = append(gaps, one(fabric.Error, "CUMULUS_HASH_FORM",
			fmt.Sprintf("the password hash of user %s is not a crypt string that Linux reads, so the user has no line", name),
			"make one with: openssl passwd -6", "SSH516")...)
	}
	return gaps
}
