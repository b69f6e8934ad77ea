package dialect_test

import (
	"context"
	"strings"
	"testing"

	gpb "github.com/openconfig/gnmi/proto/gnmi"

	"railyard/vendors/gnmi"
	"railyard/vendors/gnmi/dialect"
)

// answer is a device that says the same to every question.
type answer struct {
	path  *gpb.Path
	value []byte
}

func (a answer) Get(context.Context, *gpb.GetRequest) (*gpb.GetResponse, error) {
	return &gpb.GetResponse{Notification: []*gpb.Notification{{Update: []*gpb.Update{{Path: a.path,
		Val: &gpb.TypedValue{Value: &gpb.TypedValue_JsonIetfVal{JsonIetfVal: a.value}}}}}}}, nil
}

// FuzzAnswers: whatever a device answers, planning ends without a panic, and
// what was planned to go back is understood again.
func FuzzAnswers(f *testing.F) {
	f.Add("interfaces", "interface", "name", "Ethernet1", `{"config":{"name":"Ethernet1","mtu":1}}`)
	f.Add("interfaces", "", "", "", `{"openconfig-interfaces:interface":[{"name":"Ethernet1"},7,null]}`)
	f.Add("openconfig-interfaces:interfaces", "interface", "name", "Ethernet1", `[]`)
	f.Add("x", "", "", "", `{"Ethernet0":{"lanes":["1"],"NULL":"NULL"}}`)
	f.Fuzz(func(t *testing.T, first, second, key, value, body string) {
		p := &gpb.Path{Elem: []*gpb.PathElem{{Name: first}}}
		if second != "" {
			p.Elem = append(p.Elem, &gpb.PathElem{Name: second, Key: map[string]string{key: value}})
		}
		for os, in := range map[string]dialect.Intent{
			"sonic": {Files: files("config_db.json", `{"PORT":{"Ethernet0":{"lanes":"1","mtu":"9216"}}}`)},
			"eos":   {Document: func() ([]byte, []dialect.Manual, error) { return []byte(document), nil, nil }},
		} {
			in.OS = os
			caps := &gnmi.Capabilities{Encodings: []gpb.Encoding{gpb.Encoding_JSON_IETF}, Models: []*gpb.ModelData{{Name: "openconfig-interfaces"}}}
			d, _, err := dialect.Choose(caps, in, differ)
			if err != nil {
				t.Fatal(err)
			}
			now, err := d.Read(t.Context(), answer{p, []byte(body)})
			if err != nil {
				continue
			}
			plan, err := d.Plan(now)
			if err != nil {
				continue
			}
			if back, err := d.Back(now, plan.Undo); err != nil || len(back.Requests) > 0 {
				t.Fatalf("%s: nothing was sent, yet there is a way back: %v %v", os, err, back)
			}
		}
	})
}

// FuzzSecrets: no line that HoldsSecret knows survives in what is kept.
func FuzzSecrets(f *testing.F) {
	f.Add("username a secret 5 xyz\ninterface Ethernet1/1\n   mtu 1\n")
	f.Add("a\n  password 7 x\n    b\n\n c\n")
	f.Fuzz(func(t *testing.T, text string) {
		same := dialect.Differ{Compare: func(string, []byte, []byte, []string) (dialect.Difference, error) { return dialect.Difference{}, nil }}
		d, _, err := dialect.Choose(&gnmi.Capabilities{Encodings: []gpb.Encoding{gpb.Encoding_ASCII}}, dialect.Intent{OS: "eos", Files: files("startup-config", "")}, same)
		if err != nil {
			t.Fatal(err)
		}
		p, err := d.Plan([]byte(text))
		if err != nil {
			t.Fatal(err)
		}
		for _, line := range strings.Split(string(p.Undo), "\n") {
			if gnmi.HoldsSecret(line) {
				t.Fatalf("%q is kept", line)
			}
		}
	})
}
