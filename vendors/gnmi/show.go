package gnmi

import (
	"bytes"
	"encoding/json"
	"regexp"
	"slices"
	"strings"

	gpb "github.com/openconfig/gnmi/proto/gnmi"
	"google.golang.org/protobuf/encoding/protojson"
	"google.golang.org/protobuf/encoding/prototext"
	"google.golang.org/protobuf/proto"
)

// Text prints a request in protobuf text form, which gnmi_cli reads, without secrets.
func Text(req *gpb.SetRequest) ([]byte, error) {
	b, err := prototext.MarshalOptions{Multiline: true, Indent: "  "}.Marshal(Redact(req))
	if err != nil {
		return nil, err
	}
	// The encoder varies the space behind a colon between builds on purpose.
	b = spaces.ReplaceAll(b, []byte("$1 "))
	b = elements.ReplaceAll(b, []byte("$1 {$2}"))
	return commands.ReplaceAllFunc(b, perLine), nil
}

var (
	spaces   = regexp.MustCompile(`(?m)^( *[a-z_]+:) +`)
	elements = regexp.MustCompile(`(?m)^( *elem:) \{\n *(name: "(?:[^"\\]|\\.)*")\n *\}$`)
	commands = regexp.MustCompile(`(?m)^ *ascii_val: "(?:[^"\\]|\\.)*"$`)
)

// perLine puts each command on a line of its own: strings that follow each other
// are one in protobuf's text form.
func perLine(field []byte) []byte {
	name, value, _ := bytes.Cut(field, []byte(": "))
	if value = value[1 : len(value)-1]; len(value) == 0 {
		return field
	}
	indent := "\n" + strings.Repeat(" ", len(name)-len(bytes.TrimLeft(name, " "))+2)
	var out bytes.Buffer
	out.Write(name)
	out.WriteString(":")
	for line := range bytes.SplitAfterSeq(value, []byte(`\n`)) {
		if len(line) > 0 {
			out.WriteString(indent + `"` + string(line) + `"`)
		}
	}
	return out.Bytes()
}

// JSON prints a request in protobuf's JSON form, without secrets.
func JSON(req *gpb.SetRequest) ([]byte, error) {
	b, err := protojson.Marshal(Redact(req))
	if err != nil {
		return nil, err
	}
	var out bytes.Buffer
	err = json.Indent(&out, b, "", "  ")
	return out.Bytes(), err
}

// Redact returns the request with every secret replaced.
func Redact(req *gpb.SetRequest) *gpb.SetRequest {
	out := proto.Clone(req).(*gpb.SetRequest)
	for _, u := range slices.Concat(out.GetReplace(), out.GetUpdate(), out.GetUnionReplace()) {
		switch v := u.GetVal().GetValue().(type) {
		case *gpb.TypedValue_AsciiVal:
			v.AsciiVal = redactLines(v.AsciiVal)
		case *gpb.TypedValue_JsonIetfVal:
			v.JsonIetfVal = redactJSON(u.GetPath(), v.JsonIetfVal)
		case *gpb.TypedValue_JsonVal:
			v.JsonVal = redactJSON(u.GetPath(), v.JsonVal)
		}
	}
	return out
}

func redactLines(text string) string {
	lines := strings.Split(text, "\n")
	for i, l := range lines {
		if HoldsSecret(l) {
			words := strings.Fields(l)
			lines[i] = l[:len(l)-len(strings.TrimLeft(l, " "))] + words[0] + " … " + hidden
		}
	}
	return strings.Join(lines, "\n")
}

// HoldsSecret reports whether a configuration line carries a password, hash or
// key, in the form in which industry-standard command lines print them.
func HoldsSecret(line string) bool {
	words := strings.Fields(strings.ToLower(line))
	if len(words) == 0 || words[0] == "description" || words[0] == "banner" || words[0] == "!" {
		return false
	}
	for i, w := range words {
		switch w {
		case "secret", "password", "passphrase", "shared-secret", "pre-shared-key", "key-string", "cipher", "irreversible-cipher":
			return i+1 < len(words)
		case "snmp-server": // communities and keys stand in several places
			return i+1 < len(words) && (words[i+1] == "community" || words[i+1] == "host" || words[i+1] == "user")
		case "key", "md5", "sha1", "sha256", "sha512":
			if i+2 < len(words) && (words[i+1] == "0" || words[i+1] == "7" || words[i+1] == "8a") {
				return true
			}
		}
		if strings.Contains(w, "auth=key,") { // of streaming agents
			return true
		}
	}
	return false
}

// SecretField reports whether a field of that name holds a secret.
func SecretField(name string) bool {
	if _, rest, ok := strings.Cut(name, ":"); ok {
		name = rest
	}
	name = strings.ToLower(strings.ReplaceAll(name, "_", "-"))
	switch name {
	case "passkey", "secret", "secret-key", "shared-secret", "community", "auth-key", "priv-key", "private-key":
		return true
	}
	return strings.Contains(name, "password") || strings.Contains(name, "passphrase")
}

func redactJSON(at *gpb.Path, b []byte) []byte {
	if n := len(at.GetElem()); n > 0 && SecretField(at.GetElem()[n-1].GetName()) {
		return []byte(`"` + hidden + `"`)
	}
	d := json.NewDecoder(bytes.NewReader(b))
	d.UseNumber()
	var v any
	if d.Decode(&v) != nil || !redactValue(v) {
		return b
	}
	out, err := json.Marshal(v)
	if err != nil {
		return []byte(`"` + hidden + `"`)
	}
	return out
}

func redactValue(v any) (changed bool) {
	switch v := v.(type) {
	case map[string]any:
		for k, x := range v {
			if _, nested := x.(map[string]any); SecretField(k) && !nested {
				v[k], changed = hidden, true
			} else if redactValue(x) {
				changed = true
			}
		}
	case []any:
		for _, x := range v {
			changed = redactValue(x) || changed
		}
	}
	return changed
}
