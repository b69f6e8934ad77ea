package ibrecords

import (
	"fmt"
	"os"
	"path"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"railyard/generator/fabric"
)

var date = regexp.MustCompile(`(?m)^# Topology file: generated on .*\n|^ibwarn: .* sim_connect: .*\n`)

// save asks the running subnet all that can be asked of it, as people save it.
func (s *sim) save(f *fabric.Fabric, plane int) map[string]string {
	s.t.Helper()
	out := map[string]string{
		"ibnetdiscover.txt": s.run("ibnetdiscover"),
		"full.txt":          s.run("ibnetdiscover", "-f"),
		"ibnodes.txt":       s.run("ibnodes"),
		"hosts":             s.run("ibhosts"),
		"switches":          s.run("ibswitches"),
		"list":              s.run("ibnetdiscover", "-l"),
		"links":             s.run("saquery", "--smkey", "1", "LR", "1"),
	}
	var headed, echoed, dumps strings.Builder
	for i := range f.Servers {
		for j := range f.Servers[i].Ports {
			p := &f.Servers[i].Ports[j]
			if p.Plane != plane || i%12 > 1 {
				continue
			}
			g := fmt.Sprintf("0x%016x", p.GUID.Value)
			name := f.Servers[i].Name + " " + p.Name
			fmt.Fprintf(&headed, "# %s 1\n%s", name, s.run("smpquery", "-G", "pkeys", g, "1"))
			info := s.run("smpquery", "-G", "portinfo", g, "1")
			fmt.Fprintf(&echoed, "$ smpquery -G portinfo %s 1\n%s\n$ smpquery -G nodedesc %s\n%s", g, info, g, s.run("smpquery", "-G", "nodedesc", g))
			lid := regexp.MustCompile(`(?m)^Lid:\.+(\d+)$`).FindStringSubmatch(info)[1]
			fmt.Fprintf(&dumps, "%s%s%s%s", s.run("saquery", "--smkey", "1", "NR", lid), s.run("saquery", "--smkey", "1", "PIR", lid+"/1"),
				s.run("saquery", "--smkey", "1", "PKTR", lid+"/1/0"), s.run("smpquery", "nodeinfo", lid))
			if i == 1 {
				out["pkeys-"+strings.ReplaceAll(name, " ", "-")+".txt"] = s.run("smpquery", "-G", "pkeys", g, "1")
			}
		}
	}
	out["pkeys.txt"], out["portinfo.txt"], out["sa.txt"] = headed.String(), echoed.String(), dumps.String()
	out["routes.txt"] = s.run("smpquery", "-D", "portinfo", "0", "1") + s.run("smpquery", "-D", "portinfo", "0,1", "0") + s.run("smpquery", "-D", "portinfo", "0,1", "1") +
		"smpquery -D pkeys 0 1\n" + s.run("smpquery", "-D", "pkeys", "0", "1")
	return out
}

// What the tools print of a subnet that is as planned shows no difference, each
// record alone and all together.
func TestLive(t *testing.T) {
	for _, c := range []struct {
		name, doc string
		dirs      []string
	}{
		{"two-tier", twoTier, []string{""}},
		{"two-planes", twoPlanes, []string{"p0", "p1"}},
	} {
		t.Run(c.name, func(t *testing.T) {
			f := design(t, c.doc)
			files := managerFiles(t, f)
			var all []File
			for plane, dir := range c.dirs {
				sub := map[string]string{}
				for name, body := range files {
					if path.Dir(name) == path.Clean(dir) {
						sub[path.Base(name)] = body
					}
				}
				for name, body := range simulate(t, sub).save(f, plane) {
					all = append(all, File{Name: path.Join(c.name, dir, name), Body: []byte(body)})
					if *update && c.name == "two-tier" {
						store(t, c.name, name, body)
					}
				}
			}
			r := Compare(f, all)
			if got := text(r); got != "" && c.name == "two-tier" {
				t.Errorf("all together:\n%s", got)
			}
			if len(r.Changes) > 0 {
				t.Errorf("all together:\n%s", text(r))
			}
			for _, one := range all {
				if Recognise(one.Body) == "" {
					t.Errorf("%s is not recognised", one.Name)
				}
				if r := Compare(f, []File{one}); len(r.Changes) > 0 {
					t.Errorf("%s alone:\n%s", one.Name, text(r))
				}
			}
		})
	}
}

func store(t *testing.T, dir, name, body string) {
	t.Helper()
	if err := os.MkdirAll(filepath.Join("testdata", dir), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join("testdata", dir, name), []byte(date.ReplaceAllString(body, "")), 0o644); err != nil {
		t.Fatal(err)
	}
}
