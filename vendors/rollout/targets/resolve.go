package targets

import (
	"fmt"
	"net"
	"path"
	"strconv"
	"time"

	"railyard/generator/fabric"
	"railyard/generator/strict"
)

// ports by OS, where a vendor's own default is documented: EOS (every example
// of its gNMI guide), VRP (configuration guide, gRPC); SONiC's is the one that
// railyard writes into its configuration. Comware has none that can be relied on.
var ports = map[string]int{"eos": 6030, "sonic": 8080, "vrp": 57400}

// Resolve puts the layers together for each of the switches. The error is
// strict.Problems: every switch that cannot be reached this way.
func (f *File) Resolve(switches []*fabric.Switch) ([]Target, error) {
	var report strict.Report
	list := make([]Target, 0, len(switches))
	taken := map[string]string{}
	for _, sw := range switches {
		t, message, remedy := f.target(sw)
		if message != "" {
			report.Add(strict.Problem{Position: strict.Position{File: f.name}, Path: sw.Name, Message: message, Remedy: remedy})
			continue
		}
		if other, ok := taken[t.Address()]; ok {
			report.Add(strict.Problem{Position: strict.Position{File: f.name}, Path: sw.Name,
				Message: fmt.Sprintf("has the address of %s, %s", other, t.Address()), Remedy: "give each switch its own; an address in an entry with a glob holds for all it fits"})
			continue
		}
		taken[t.Address()] = sw.Name
		list = append(list, t)
	}
	if p := report.Problems(); len(p) > 0 {
		return nil, p
	}
	return list, nil
}

func (f *File) target(sw *fabric.Switch) (t Target, message, remedy string) {
	t = Target{Switch: sw.Name, Port: ports[sw.OS], Timeout: 10 * time.Second, GetTimeout: time.Minute, SetTimeout: 5 * time.Minute}
	if sw.Management.IsValid() {
		t.Host = sw.Management.Addr().String()
	}
	t.lay(f.Settings)
	t.lay(f.OS[sw.OS])
	for i := range f.Targets {
		e := &f.Targets[i]
		if ok, _ := path.Match(e.Name, sw.Name); !ok { // read without error
			continue
		}
		if e.Address != "" {
			t.Host = e.Address
			if host, port, err := net.SplitHostPort(e.Address); err == nil {
				t.Host = host
				t.Port, _ = strconv.Atoi(port) // checked when it was read
			}
		}
		t.lay(e.settings())
	}
	switch {
	case t.Host == "":
		return t, "no address: no entry gives one, and the cluster file has no management address for it", "add an entry with name and address under targets"
	case t.Port == 0:
		return t, "no port: gNMI has no port of its own on " + sw.OS, fmt.Sprintf("write os: {%s: {port: …}} with the port the switches listen on", sw.OS)
	case t.Username != "" && t.Password == Reference{} && t.Netrc == "":
		return t, "a username without password", "write password: {env: NAME} or {file: PATH}, or netrc: PATH"
	}
	return t, "", ""
}

// lay puts a layer over what is there.
func (t *Target) lay(s Settings) {
	over(&t.Port, s.Port)
	over(&t.Username, s.Username)
	over(&t.Password, s.Password)
	over(&t.Netrc, s.Netrc)
	over(&t.CA, s.CA)
	over(&t.Certificate, s.Cert)
	over(&t.Key, s.Key)
	over(&t.ServerName, s.ServerName)
	over(&t.SkipVerify, s.SkipVerify)
	over(&t.Insecure, s.Insecure)
	over(&t.Timeout, s.Timeout)
	over(&t.GetTimeout, s.GetTimeout)
	over(&t.SetTimeout, s.SetTimeout)
	over(&t.MaxMessage, s.MaxMessage)
	if s.Password != nil {
		t.Netrc = "" // the nearer layer decides
	}
	if s.Netrc != nil && s.Password == nil {
		t.Password = Reference{}
	}
}

func over[T any](to *T, from *T) {
	if from != nil {
		*to = *from
	}
}
