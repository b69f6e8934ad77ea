package dialect_test

import (
	"testing"

	gpb "github.com/openconfig/gnmi/proto/gnmi"
	"github.com/openconfig/ygot/gnmidiff"

	"railyard/vendors/gnmi"
	"railyard/vendors/gnmi/dialect"
	"railyard/vendors/gnmi/target"
	"railyard/vendors/openconfig/oc"
)

// TestForeignReader lets ygot's gnmidiff say what update, replace and delete of a
// request mean, and compares that with what the switch shows once it has it. No
// gNMI server that accepts Set can be had as a module, so this is the judge of the
// requests that nobody here wrote.
func TestForeignReader(t *testing.T) {
	for _, os := range []string{"eos", "comware"} {
		t.Run(os, func(t *testing.T) {
			doc := func() ([]byte, []dialect.Manual, error) { return []byte(document), nil, nil }
			s := open(t, target.Config{OS: "openconfig", Running: []byte(before), Schema: oc.Schema, Models: []string{"openconfig-interfaces"}},
				dialect.Intent{OS: os, Files: files("startup-config", ""), Document: doc})
			p := s.plan()
			judge := func(way string, p *dialect.Plan, least int) {
				t.Helper()
				s.send(p)
				schema, err := oc.Schema()
				if err != nil {
					t.Fatal(err)
				}
				got, err := s.dev.Get(t.Context(), &gpb.GetRequest{Path: []*gpb.Path{gnmi.Path("", "interfaces")}, Encoding: gpb.Encoding_JSON_IETF})
				if err != nil {
					t.Fatal(err)
				}
				for _, req := range p.Requests {
					diff, err := gnmidiff.DiffSetRequestToNotifications(req, got.GetNotification(), schema)
					if err != nil {
						t.Fatalf("%s: %v", way, err)
					}
					if len(diff.MissingUpdates)+len(diff.MismatchedUpdates)+len(diff.ExtraUpdates) > 0 || len(diff.CommonUpdates) < least {
						t.Errorf("%s: %s", way, diff.Format(gnmidiff.Format{Full: true}))
					}
				}
			}
			judge("there", p, 8)
			now := s.read()
			back, err := s.d.Back(now, p.Undo)
			if err != nil || len(back.Requests) != 1 || len(back.Requests[0].Delete) != 1 || len(back.Requests[0].Replace) != 1 {
				t.Fatal(err, back)
			}
			judge("back", back, 4)
		})
	}
}
