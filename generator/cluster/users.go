package cluster

import (
	"encoding/base64"
	"encoding/binary"
	"fmt"
	"slices"
	"strings"
)

// mostUsers bounds the logins of a switch.
const mostUsers = 256

func (l *loader) users(users []User) {
	if len(users) > mostUsers {
		l.fail("management.users", fmt.Sprintf("use at most %d", mostUsers), "%d logins", len(users))
		return
	}
	for i, u := range users {
		path := fmt.Sprintf("management.users[%d]", i)
		if l.usable(path+".name") && slices.ContainsFunc(users[:i], func(o User) bool { return o.Name == u.Name }) {
			l.fail(path+".name", "remove one of the two", "%s is declared twice", u.Name)
		}
		hash := path + ".password_hash"
		switch s := u.PasswordHash; {
		case !l.usable(hash):
		case s.Env != "" && s.File != "":
			l.fail(hash, "keep one of them", "both env and file are given")
		case s == Secret{} && l.c.written(hash):
			l.fail(hash, "write {env: NAME} or {file: PATH}", "neither env nor file is given")
		case s == Secret{} && len(u.SSHKeys) == 0 && l.usable(path):
			l.fail(path, "write password_hash: {env: NAME} or ssh_keys: [...]", "%s could not log in", u.Name)
		}
		for j, key := range u.SSHKeys {
			at := fmt.Sprintf("%s.ssh_keys[%d]", path, j)
			if message, remedy := checkKey(key); message != "" && l.usable(at) {
				l.fail(at, remedy, "%s", message)
			}
		}
	}
}

// keyTypes are the public key types of OpenSSH (sshd_config, PubkeyAcceptedAlgorithms).
func keyTypes() []string {
	return []string{"ssh-ed25519", "ssh-rsa", "ecdsa-sha2-nistp256", "ecdsa-sha2-nistp384", "ecdsa-sha2-nistp521", "sk-ssh-ed25519@openssh.com", "sk-ecdsa-sha2-nistp256@openssh.com"}
}

// checkKey checks one line of authorized_keys without options: type, base64 of
// a blob that begins with the same type (RFC 4253, section 6.6), comment. The
// key is not quoted: it might be the wrong one of the pair.
func checkKey(line string) (message, remedy string) {
	const form = "write ssh-ed25519 AAAA… name, the line of the .pub file"
	fields := strings.Fields(line)
	switch {
	case strings.Contains(line, "PRIVATE KEY"):
		return "this is a private key", "write the public one, and replace the pair if the file was shared"
	case len(fields) < 2:
		return "is not a public key", form
	case !slices.Contains(keyTypes(), fields[0]):
		return "starts with no known type of public key", "use one of " + strings.Join(keyTypes(), ", ")
	case strings.ContainsAny(strings.Join(fields[2:], " "), "\"'\\`$;|&<>{}!?"):
		return "the comment behind the key has quotes or other special characters", "shorten the comment to letters, digits, @ . _ + and -"
	}
	blob, err := base64.StdEncoding.DecodeString(fields[1])
	parts := sshStrings(blob)
	if err != nil || len(parts) < 2 || string(parts[0]) != fields[0] {
		return "the key is damaged or of another type than it says", "copy the whole line of the .pub file"
	}
	return "", ""
}

// sshStrings cuts a blob into its strings, each after its length in four bytes
// (RFC 4251, section 5); nil when they do not add up.
func sshStrings(blob []byte) [][]byte {
	var parts [][]byte
	for len(blob) > 0 {
		if len(blob) < 4 {
			return nil
		}
		n := binary.BigEndian.Uint32(blob)
		if blob = blob[4:]; uint64(n) > uint64(len(blob)) {
			return nil
		}
		parts, blob = append(parts, blob[:n]), blob[n:]
	}
	return parts
}
