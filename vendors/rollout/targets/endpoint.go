package targets

import (
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"

	"railyard/vendors/gnmi"
)

// Files opens what a targets file refers to: names as they stand in it.
type Files func(name string) (io.ReadCloser, error)

// Beside opens files relative to the folder of the targets file; ~/ is the home
// folder.
func Beside(targetsFile string) Files {
	return func(name string) (io.ReadCloser, error) {
		if rest, ok := strings.CutPrefix(name, "~/"); ok {
			home, err := os.UserHomeDir()
			if err != nil {
				return nil, err
			}
			name = filepath.Join(home, rest)
		}
		if !filepath.IsAbs(name) {
			name = filepath.Join(filepath.Dir(targetsFile), name)
		}
		return os.Open(name)
	}
}

// mostFile bounds a certificate, key, password or netrc file.
const mostFile = 1 << 20

// Endpoints fetches certificates and passwords, each file once, and returns what
// to dial. All problems come back at once; they name references, never values.
func (f *File) Endpoints(list []Target, open Files) ([]gnmi.Endpoint, error) {
	c := &fetcher{open: open, files: map[string]fetched{}}
	var errs []error
	seen := map[string]bool{}
	out := make([]gnmi.Endpoint, 0, len(list))
	for i := range list {
		e, err := c.endpoint(&list[i])
		if err != nil {
			if !seen[err.Error()] {
				seen[err.Error()] = true
				errs = append(errs, fmt.Errorf("%s: %w", f.name, err))
			}
			continue
		}
		out = append(out, e)
	}
	return out, errors.Join(errs...)
}

type fetched struct {
	body []byte
	err  error
}

type fetcher struct {
	open  Files
	files map[string]fetched
}

func (c *fetcher) read(what, name string) ([]byte, error) {
	if name == "" {
		return nil, nil
	}
	f, ok := c.files[name]
	if !ok {
		f.body, f.err = c.load(name)
		c.files[name] = f
	}
	if f.err != nil {
		return nil, fmt.Errorf("%s: %w", what, f.err)
	}
	return f.body, nil
}

func (c *fetcher) load(name string) ([]byte, error) {
	r, err := c.open(name)
	if err != nil {
		return nil, err
	}
	defer r.Close()
	body, err := io.ReadAll(io.LimitReader(r, mostFile+1))
	if err == nil && len(body) > mostFile {
		err = fmt.Errorf("%s is larger than 1 MiB", name)
	}
	return body, err
}

func (c *fetcher) endpoint(t *Target) (gnmi.Endpoint, error) {
	e := gnmi.Endpoint{Name: t.Switch, Address: t.Address(), Username: t.Username,
		Timeouts: gnmi.Timeouts{Connect: t.Timeout, Get: t.GetTimeout, Set: t.SetTimeout}, MaxAnswer: t.MaxMessage,
		Security: gnmi.Security{ServerName: t.ServerName, SkipVerify: t.SkipVerify, Plaintext: t.Insecure}}
	var errs [4]error
	e.Security.CA, errs[0] = c.read("tls-ca", t.CA)
	e.Security.Certificate, errs[1] = c.read("tls-cert", t.Certificate)
	e.Security.Key, errs[2] = c.read("tls-key", t.Key)
	errs[3] = c.login(t, &e)
	for _, err := range errs {
		if err != nil {
			return e, err // the first; the others are told when it is put right
		}
	}
	return e, nil
}

func (c *fetcher) login(t *Target, e *gnmi.Endpoint) error {
	switch {
	case t.Password.Env != "":
		v := os.Getenv(t.Password.Env)
		if v == "" {
			return fmt.Errorf("password: the environment variable %s is empty or not set", t.Password.Env)
		}
		e.Password = gnmi.Secret(v)
	case t.Password.File != "":
		body, err := c.read("password", t.Password.File)
		if err != nil {
			return err
		}
		v := strings.TrimRight(string(body), "\r\n")
		if v == "" || strings.ContainsAny(v, "\r\n") {
			return fmt.Errorf("password: %s must hold one line", t.Password.File)
		}
		e.Password = gnmi.Secret(v)
	case t.Netrc != "":
		body, err := c.read("netrc", t.Netrc)
		if err != nil {
			return err
		}
		user, password, ok := netrc(string(body), t.Host, t.Username)
		if !ok {
			return fmt.Errorf("netrc: %s has no machine %s with login and password", t.Netrc, t.Host)
		}
		e.Username, e.Password = user, gnmi.Secret(password)
	}
	return nil
}

// netrc finds the login of a host, of that user where one is named. Format: GNU
// inetutils manual, section netrc: machine, login, password, account, macdef up to
// an empty line, default.
func netrc(text, host, user string) (login, password string, ok bool) {
	words := tokens(text)
	use := false
	done := func() bool { return use && password != "" && login != "" && (user == "" || user == login) }
	for i := 0; i < len(words); i++ {
		next := func() string {
			if i++; i < len(words) {
				return words[i]
			}
			return ""
		}
		switch words[i] {
		case "machine", "default":
			if done() {
				return login, password, true
			}
			use, login, password = words[i] == "default", "", ""
			if !use {
				use = next() == host
			}
		case "login":
			login = next()
		case "password":
			password = next()
		case "account":
			next()
		}
	}
	return login, password, done()
}

// tokens splits a netrc file, without comments and macros.
func tokens(text string) []string {
	var out []string
	macro := false
	for line := range strings.Lines(text) {
		line = strings.TrimSpace(line)
		if macro && line != "" {
			continue
		}
		macro = false
		for _, w := range strings.Fields(line) {
			if strings.HasPrefix(w, "#") {
				break
			}
			if w == "macdef" {
				macro = true
				break
			}
			out = append(out, strings.Trim(w, `"`))
		}
	}
	return out
}
