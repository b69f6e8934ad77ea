package vrp

import (
	"bytes"
	"encoding/base64"
	"fmt"
	"regexp"
	"strings"

	"railyard/generator/fabric"
)

// user is a login. Password is a hash in the device's own form.
type user struct {
	Name           string
	Password       string
	Level          int    // 3 management, 1 monitoring (CR, default levels of commands)
	Key            string // base64 body of an OpenSSH RSA key
	KeyName        string
	Authentication string
}

// ownHash matches what a device prints after irreversible-cipher (CG scripts:
// $1d$; field: $1c$ on V200, $1a$ before). Anything else would be taken for a
// clear password and hashed again.
var ownHash = regexp.MustCompile(`^\$1[acd]\$[ -~]+\$[ -~]+\$$`)

// login is a user name that needs no quoting.
var login = regexp.MustCompile(`^[A-Za-z0-9._@-]{1,36}$`)

func (v *view) addUsers(secrets fabric.Secrets) error {
	for i := range v.fabric.Management.Users {
		u := &v.fabric.Management.Users[i]
		if !login.MatchString(u.Name) {
			return fmt.Errorf("user %q: a name of at most 36 letters, digits and . _ @ - is needed", u.Name)
		}
		out := user{Name: u.Name, Level: 1, KeyName: u.Name + "-key"}
		if u.Role == "admin" {
			out.Level = 3
		}
		foreign := false
		if !u.PasswordHash.IsZero() && secrets != nil {
			hash, err := secrets(u.PasswordHash)
			if err != nil {
				return fmt.Errorf("user %s: %w", u.Name, err)
			}
			if hash = strings.TrimSpace(hash); ownHash.MatchString(hash) {
				out.Password = hash
			} else {
				foreign = true
			}
		}
		key, err := rsaKey(u.SSHKeys)
		if err != nil {
			return fmt.Errorf("user %s: %w", u.Name, err)
		}
		out.Key = key
		switch {
		case out.Key != "" && out.Password != "":
			out.Authentication = "all" // any one of them (CG Configuring an SSH User)
		case out.Key != "":
			out.Authentication = "rsa"
		default:
			out.Authentication = "password"
		}
		if foreign || out.Password == "" && out.Key == "" {
			v.noLogin = append(v.noLogin, u.Name)
		}
		v.Users = append(v.Users, out)
	}
	return nil
}

// rsaKey is the body of the first RSA key, "" without one. Its comment is left
// out: the device prints one of its own.
func rsaKey(keys []string) (string, error) {
	for _, k := range keys {
		words := strings.Fields(k)
		if len(words) < 2 || words[0] != rsaType {
			continue
		}
		body, err := base64.StdEncoding.DecodeString(words[1])
		if err != nil || !bytes.HasPrefix(body, []byte("\x00\x00\x00\x07"+rsaType)) {
			return "", fmt.Errorf("an SSH key of type %s is damaged", rsaType)
		}
		return words[1], nil
	}
	return "", nil
}

const rsaType = "ssh-rsa"

// rsaOnly reports whether every user's keys can be written.
func rsaOnly(users []fabric.User) bool {
	for i := range users {
		if len(users[i].SSHKeys) > 1 {
			return false
		}
		for _, k := range users[i].SSHKeys {
			if !strings.HasPrefix(k, rsaType+" ") {
				return false
			}
		}
	}
	return true
}

// TakesHash reports whether VRP can load a password hash of this form.
func (*Driver) TakesHash(hash string) bool { return ownHash.MatchString(hash) }
