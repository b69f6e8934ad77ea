// Package targets reads the file that says how each switch is reached: address,
// port, TLS and login. Key names are gnmic's where the meaning is the same.
//
// Settings come in layers: those at the top of the file hold for all switches,
// those under os for every switch of that OS, and each entry of targets for the
// switches its name (or glob) fits, later entries over earlier ones. A switch
// needs no entry where the layers and its address in the cluster file suffice.
//
// A password never stands in the file: it is {env: NAME}, {file: PATH}, or the
// entry of a netrc file.
package targets

import (
	"fmt"
	"io"
	"net"
	"net/netip"
	"path"
	"reflect"
	"strconv"
	"time"

	"railyard/generator/strict"
)

// File is a targets file as read.
type File struct {
	Settings
	OS      map[string]Settings
	Targets []Entry
	name    string
	at      strict.Positions
}

// document is the file's shape. yaml.v3's inline is not strict's, so the common
// settings are copied out.
type document struct {
	Port       *int                `yaml:"port"`
	Username   *string             `yaml:"username"`
	Password   *Reference          `yaml:"password" strict:"secret"`
	Netrc      *string             `yaml:"netrc"`
	CA         *string             `yaml:"tls-ca"`
	Cert       *string             `yaml:"tls-cert"`
	Key        *string             `yaml:"tls-key"`
	ServerName *string             `yaml:"tls-server-name"`
	SkipVerify *bool               `yaml:"skip-verify"`
	Insecure   *bool               `yaml:"insecure"`
	Timeout    *time.Duration      `yaml:"timeout"`
	GetTimeout *time.Duration      `yaml:"get-timeout"`
	SetTimeout *time.Duration      `yaml:"set-timeout"`
	MaxMessage *int                `yaml:"max-msg-size"`
	OS         map[string]Settings `yaml:"os"`
	Targets    []Entry             `yaml:"targets"`
}

// Settings are how to reach a switch; nil means that another layer says.
type Settings struct {
	Port       *int           `yaml:"port"`
	Username   *string        `yaml:"username"`
	Password   *Reference     `yaml:"password" strict:"secret"`
	Netrc      *string        `yaml:"netrc"` // path of a netrc file
	CA         *string        `yaml:"tls-ca"`
	Cert       *string        `yaml:"tls-cert"`
	Key        *string        `yaml:"tls-key"`
	ServerName *string        `yaml:"tls-server-name"`
	SkipVerify *bool          `yaml:"skip-verify"`
	Insecure   *bool          `yaml:"insecure"` // no TLS at all
	Timeout    *time.Duration `yaml:"timeout"`  // of connecting and small questions
	GetTimeout *time.Duration `yaml:"get-timeout"`
	SetTimeout *time.Duration `yaml:"set-timeout"`
	MaxMessage *int           `yaml:"max-msg-size"`
}

// Entry is one entry of targets.
type Entry struct {
	Name       string         `yaml:"name"` // a switch, or a glob
	Address    string         `yaml:"address"`
	Port       *int           `yaml:"port"`
	Username   *string        `yaml:"username"`
	Password   *Reference     `yaml:"password" strict:"secret"`
	Netrc      *string        `yaml:"netrc"`
	CA         *string        `yaml:"tls-ca"`
	Cert       *string        `yaml:"tls-cert"`
	Key        *string        `yaml:"tls-key"`
	ServerName *string        `yaml:"tls-server-name"`
	SkipVerify *bool          `yaml:"skip-verify"`
	Insecure   *bool          `yaml:"insecure"`
	Timeout    *time.Duration `yaml:"timeout"`
	GetTimeout *time.Duration `yaml:"get-timeout"`
	SetTimeout *time.Duration `yaml:"set-timeout"`
	MaxMessage *int           `yaml:"max-msg-size"`
}

func (e *Entry) settings() Settings {
	return Settings{e.Port, e.Username, e.Password, e.Netrc, e.CA, e.Cert, e.Key, e.ServerName, e.SkipVerify, e.Insecure, e.Timeout, e.GetTimeout, e.SetTimeout, e.MaxMessage}
}

// Reference says where a secret is kept.
type Reference struct {
	Env  string `yaml:"env"`
	File string `yaml:"file"`
}

// Target is how one switch is reached, all layers put together.
type Target struct {
	Switch, Host                            string
	Port                                    int
	Username                                string
	Password                                Reference
	Netrc, CA, Certificate, Key, ServerName string
	SkipVerify, Insecure                    bool
	Timeout, GetTimeout, SetTimeout         time.Duration
	MaxMessage                              int // bytes of an answer; 0: the default
}

// Address is host:port.
func (t *Target) Address() string { return net.JoinHostPort(t.Host, strconv.Itoa(t.Port)) }

// Read reads a targets file; the name stands in positions. The error is
// strict.Problems.
func Read(name string, r io.Reader) (*File, error) {
	doc, problems := strict.Parse(name, r)
	if problems != nil {
		return nil, problems
	}
	var d document
	at, report := doc.Decode(&d, strict.Options{Check: check, Required: required})
	f := &File{OS: d.OS, Targets: d.Targets, name: name, at: at,
		Settings: Settings{d.Port, d.Username, d.Password, d.Netrc, d.CA, d.Cert, d.Key, d.ServerName, d.SkipVerify, d.Insecure, d.Timeout, d.GetTimeout, d.SetTimeout, d.MaxMessage}}
	f.judge(report)
	if p := report.Problems(); len(p) > 0 {
		return nil, p
	}
	return f, nil
}

func required(owner reflect.Type, key string) (string, bool) {
	if owner == reflect.TypeFor[Entry]() && key == "name" {
		return "give the switch's name, or a glob such as leaf-*", true
	}
	return "", false
}

func check(_ reflect.Type, key string, value any) (message, remedy string) {
	switch key {
	case "port":
		if p := reflect.ValueOf(value).Int(); p < 1 || p > 65535 {
			return fmt.Sprintf("the number %d is no TCP port", p), "write 1 to 65535"
		}
	case "max-msg-size":
		if n := reflect.ValueOf(value).Int(); n < 1<<16 || n > 1<<30 {
			return fmt.Sprintf("%d is not between 65536 and 1073741824 bytes", n), ""
		}
	case "timeout", "get-timeout", "set-timeout":
		if d := value.(time.Duration); d < 100*time.Millisecond || d > time.Hour {
			return fmt.Sprintf("%s is not between 100ms and 1h", d), ""
		}
	case "name":
		if _, err := path.Match(value.(string), ""); err != nil || value == "" {
			return "is no name and no glob", "write a name, or a glob such as leaf-*"
		}
	case "address":
		return address(value.(string))
	case "username":
		if value == "" {
			return "is empty", "leave the key out where the client certificate is the login"
		}
	}
	return "", ""
}

func address(s string) (message, remedy string) {
	const form = "write an IP address or a host name, with :port if need be"
	host, port, err := net.SplitHostPort(s)
	if err != nil {
		host, port = s, "1"
	}
	if n, err := strconv.Atoi(port); err != nil || n < 1 || n > 65535 {
		return "the port behind the address is no TCP port", form
	}
	if _, err := netip.ParseAddr(host); err == nil {
		return "", ""
	}
	if host == "" || len(host) > 253 {
		return "is no address", form
	}
	for _, r := range host {
		if (r < 'a' || r > 'z') && (r < 'A' || r > 'Z') && (r < '0' || r > '9') && r != '-' && r != '.' && r != '_' {
			return fmt.Sprintf("a host name cannot hold %q", r), form
		}
	}
	return "", ""
}

// judge finds what is wrong between keys.
func (f *File) judge(report *strict.Report) {
	add := func(path, message, remedy string) {
		at, ok := f.at[path]
		if !ok {
			at = strict.Position{File: f.name}
		}
		report.Add(strict.Problem{Position: at, Path: path, Message: message, Remedy: remedy})
	}
	one := func(path string, s Settings) {
		dot := path
		if path != "" {
			dot += "."
		}
		if s.Password != nil && (s.Password.Env == "") == (s.Password.File == "") {
			add(dot+"password", "needs one of env and file", "write {env: NAME} or {file: PATH}")
		}
		if s.Insecure != nil && *s.Insecure && (s.CA != nil || s.Cert != nil || s.SkipVerify != nil && *s.SkipVerify) {
			add(dot+"insecure", "says no TLS at all, but TLS settings stand beside it", "remove insecure, or the others")
		}
		if (s.Cert == nil) != (s.Key == nil) {
			add(path, "tls-cert and tls-key go together", "give both")
		}
	}
	one("", f.Settings)
	for os, s := range f.OS {
		one("os."+os, s)
	}
	for i := range f.Targets {
		one(fmt.Sprintf("targets[%d]", i), f.Targets[i].settings())
	}
}
