package diff

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"os"
	"strings"
	"testing"
)

// BenchmarkFabric compares 2,000 switches of about 100 KB, a tenth of them edited.
func BenchmarkFabric(b *testing.B) {
	for _, os := range []string{"comware", "eos", "sonic"} {
		b.Run(os, func(b *testing.B) { benchmarkFabric(b, os) })
	}
}

const benchSwitches = 2000

func benchmarkFabric(b *testing.B, system string) {
	text := benchText(b, system)
	edited := bytes.ReplaceAll(text, []byte("9216"), []byte("9000"))
	if system == "eos" {
		edited = bytes.ReplaceAll(text, []byte("mtu 9214"), []byte("mtu 9000"))
	}
	// A device prints another order, so that no shortcut for equal texts helps.
	source := &Source{Read: func(_ context.Context, name string, _ []File) (Reading, error) {
		if strings.HasSuffix(name, "0") {
			return Reading{Files: []File{{"x", edited}}}, nil
		}
		return Reading{Files: []File{{"x", append([]byte(nil), text...)}}}, nil
	}}
	e := engines(b)
	var switches []Switch
	for i := range benchSwitches {
		switches = append(switches, Switch{fmt.Sprintf("leaf-%04d", i), system})
	}
	want := []File{{e.byOS[system].main(), text}}
	b.SetBytes(int64(len(text)) * benchSwitches)
	b.ReportAllocs()
	for b.Loop() {
		s := NewSession(e, source, switches, Options{})
		next := make(chan string)
		done := make(chan error)
		for range 2 {
			go func() {
				var err error
				for n := range next {
					if e := s.Add(context.Background(), n, want); e != nil {
						err = e
					}
				}
				done <- err
			}()
		}
		for _, sw := range switches {
			next <- sw.Name
		}
		close(next)
		for range 2 {
			if err := <-done; err != nil {
				b.Fatal(err)
			}
		}
		if r := s.Report(); r.count(Differs) != benchSwitches/10 {
			b.Fatalf("%d differ", r.count(Differs))
		}
	}
}

// benchText is a configuration of about 100 KB: a golden with its ports repeated.
func benchText(b *testing.B, system string) []byte {
	b.Helper()
	switch system {
	case "sonic":
		doc := map[string]map[string]map[string]string{"PORT": {}, "QUEUE": {}, "PORT_QOS_MAP": {}}
		for p := range 128 {
			port := fmt.Sprintf("Ethernet%d", 4*p)
			doc["PORT"][port] = map[string]string{"lanes": fmt.Sprint(p + 1), "speed": "400000", "mtu": "9216", "admin_status": "up", "description": "gpu:nic"}
			doc["PORT_QOS_MAP"][port] = map[string]string{"dscp_to_tc_map": "ROCE", "pfc_enable": "3"}
			for q := range 8 {
				doc["QUEUE"][fmt.Sprintf("%s|%d", port, q)] = map[string]string{"scheduler": "s"}
			}
		}
		text, err := json.MarshalIndent(doc, "", "    ")
		if err != nil {
			b.Fatal(err)
		}
		return text
	case "eos":
		f := goldenText(b, "../eos/testdata/leaf.cfg")
		block := "interface Ethernet4/1" + strings.SplitN(strings.SplitN(f, "interface Ethernet4/1", 2)[1], "!\n", 2)[0] + "!\n"
		var more strings.Builder
		for p := 100; more.Len() < 95_000; p++ {
			more.WriteString(strings.Replace(block, "Ethernet4/1", fmt.Sprintf("Ethernet%d/1", p), 1))
		}
		return []byte(strings.Replace(f, "interface Loopback0", more.String()+"interface Loopback0", 1))
	}
	f := goldenText(b, "../comware/testdata/leaf.cfg")
	block := "interface FourHundredGigE1/0/5" + strings.SplitN(strings.SplitN(f, "interface FourHundredGigE1/0/5", 2)[1], "#\n", 2)[0] + "#\n"
	var more strings.Builder
	for p := 100; more.Len() < 92_000; p++ {
		more.WriteString(strings.Replace(block, "1/0/5", fmt.Sprintf("1/0/%d", p), 1))
	}
	return []byte(strings.Replace(f, "interface FourHundredGigE1/0/3\n", more.String()+"interface FourHundredGigE1/0/3\n", 1))
}

func goldenText(b *testing.B, name string) string {
	b.Helper()
	f, err := os.ReadFile(name)
	if err != nil {
		b.Fatal(err)
	}
	return string(f)
}

// BenchmarkPair is one switch of 100 KB where every port differs, with its patch.
func BenchmarkPair(b *testing.B) {
	text := benchText(b, "eos")
	edited := bytes.ReplaceAll(text, []byte("mtu 9214"), []byte("mtu 9000"))
	e := engines(b)
	b.SetBytes(int64(len(text)))
	b.ReportAllocs()
	for b.Loop() {
		r, err := e.Pair("eos", File{"a", edited}, File{"b", text}, Options{Patch: true})
		if err != nil || r.Switches[0].Status != Differs {
			b.Fatal(err)
		}
	}
}
