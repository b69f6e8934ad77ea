package targets

import (
	"bytes"
	"fmt"
	"io"
	"slices"

	"railyard/generator/fabric"
)

// Write writes a targets file to start from: every switch of the fabric with the
// address it will have, and what there is to choose as comments.
func Write(w io.Writer, f *fabric.Fabric) error {
	var b bytes.Buffer
	fmt.Fprintf(&b, `# How railyard push reaches the switches of %s over gNMI.
# Settings at the top hold for every switch, those under os for one OS, those of
# an entry for the switches its name (or glob, such as leaf-*) fits; the later wins.
#
# TLS is on and verified. Certificates and passwords are read from where these
# keys point; paths are relative to this file.
#   tls-ca: ca.pem                  # who signed the switches' certificates; without it the system's roots
#   tls-cert: client.pem            # with tls-key: the client's own certificate
#   tls-key: client-key.pem
#   tls-server-name: NAME           # where the certificate does not name the address
#   username: admin
#   password: {env: RAILYARD_PASSWORD}   # or {file: PATH}; or netrc: ~/.netrc instead
#   timeout: 10s                    # to connect; get-timeout: 1m and set-timeout: 5m for the long calls
#   skip-verify: true               # TLS with whoever answers: needs push --insecure
#   insecure: true                  # no TLS at all: needs push --insecure

tls-ca: ca.pem
username: admin
password: {env: RAILYARD_PASSWORD}
`, f.Name)
	var oses []string
	for i := range f.Switches {
		if os := f.Switches[i].OS; !slices.Contains(oses, os) && f.Technology == fabric.RoCE {
			oses = append(oses, os)
		}
	}
	slices.Sort(oses)
	if len(oses) > 0 {
		b.WriteString("\nos:\n")
	}
	for _, os := range oses {
		if os == "sonic" {
			// gnmi-native.sh: user_auth is cert where GNMI|gnmi does not say otherwise.
			fmt.Fprintf(&b, "  # SONiC knows clients by certificate: write tls-cert and tls-key here, and name the\n  # certificate in GNMI_CLIENT_CERT on the switches. Passwords need user_auth password there.\n")
		}
		if p := ports[os]; p != 0 {
			fmt.Fprintf(&b, "  %s: {port: %d}\n", os, p)
		} else {
			fmt.Fprintf(&b, "  %s: {port: 9339} # no default of its own: write the port the switches listen on\n", os)
		}
	}
	b.WriteString("\ntargets:")
	if f.Technology != fabric.RoCE || len(f.Switches) == 0 {
		b.WriteString(" [] # InfiniBand switches are not configured over gNMI\n")
		_, err := w.Write(b.Bytes())
		return err
	}
	b.WriteString("\n")
	for i := range f.Switches {
		sw := &f.Switches[i]
		if sw.Management.IsValid() {
			fmt.Fprintf(&b, "  - {name: %s, address: \"%s\"}\n", sw.Name, sw.Management.Addr())
		} else {
			fmt.Fprintf(&b, "  - {name: %s, address: %s} # a name to resolve; or its address\n", sw.Name, sw.Name)
		}
	}
	_, err := w.Write(b.Bytes())
	return err
}
