// Package dialect knows how configuration travels over gNMI to each network
// OS: in which words it is read, what a difference becomes as a SetRequest, how
// to go back, and what cannot travel at all.
//
// A dialect never decides what differs: that is the Differ's, which knows the
// OS. It never sends: it makes requests. And it drops nothing: whatever of the
// intent does not become a request is listed in Plan.Manual with the file and
// the commands that load it.
package dialect

import (
	"context"
	"fmt"
	"slices"
	"strings"

	gpb "github.com/openconfig/gnmi/proto/gnmi"

	"railyard/generator/fabric"
	"railyard/vendors/gnmi"
)

// Intent is what one switch should have.
type Intent struct {
	Switch, OS string
	Files      []fabric.File // as rendered, under the names the device uses
	// Document makes the same intent as OpenConfig JSON (RFC 7951, module names on
	// top level), for devices that take nothing else, and says what it leaves out.
	// It may be nil, and so may what it returns. It is called only where needed.
	Document func() (body []byte, gaps []Manual, err error)
	// Ignore are patterns of what the site manages by itself, in the words of Files.
	// OpenConfig needs none: it only merges what the intent says.
	Ignore []string
}

// Manual is something that does not go over gNMI.
type Manual struct {
	What     string   `json:"what"` // and why
	File     string   `json:"file,omitempty"`
	Commands []string `json:"commands,omitempty"`
}

// Change is one difference, as diff prints it.
type Change struct {
	Path      []string `json:"path"`
	Remove    []string `json:"remove"`
	Add       []string `json:"add"`
	Reordered bool     `json:"reordered"` // the same lines in another order
	Note      string   `json:"note"`
}

// Difference is what a Differ found.
type Difference struct {
	Changes []Change
	// Patch leads from running to intended: lines in configuration mode for a
	// command line, an RFC 6902 document for SONiC. Lines for a person, such as
	// those that would hold a secret, are not in it.
	Patch []byte
	// Remarks are what a person must do besides, one text each.
	Remarks []string
}

// Differ knows what differs.
type Differ struct {
	// Compare compares two configurations of one OS, each in the form of the file
	// that railyard renders for it, and leaves out what the patterns of ignore name.
	// It must be safe for concurrent use.
	Compare func(os string, running, intended []byte, ignore []string) (Difference, error)
	// Tables are those of SONiC's CONFIG_DB that are read beside the intent's: a row
	// of theirs that the intent lacks is a leftover.
	Tables []string
}

// Plan is the way from one state to another.
type Plan struct {
	Host     string // the name the device gives itself, "" where it does not say
	Changes  []Change
	Requests []*gpb.SetRequest // in order; each is one transaction; none: nothing to do
	Manual   []Manual
	Notes    []string
	// Undo is what Back needs to find the way back, without secrets.
	Undo []byte
}

// Reader is the reading half of a device.
type Reader interface {
	Get(context.Context, *gpb.GetRequest) (*gpb.GetResponse, error)
}

// Dialect is one way to configure one switch.
type Dialect interface {
	// Name is short: cli, sonic-db, openconfig.
	Name() string
	// Read gets the device's configuration.
	Read(context.Context, Reader) ([]byte, error)
	// Host is the name the device gives itself in what Read returned, "" where that
	// does not say.
	Host(running []byte) string
	// Plan leads from what Read returned to the intent.
	Plan(running []byte) (*Plan, error)
	// Back leads from what Read returned now to what an earlier Plan's Undo
	// describes. No requests: the device stands as it did then.
	Back(now, undo []byte) (*Plan, error)
}

// Choose picks the dialect a device offers. A nil Dialect means that nothing
// goes over gNMI to it; the list says what to do instead. The list also holds
// what no state of the device would change, such as files beside the main one.
func Choose(caps *gnmi.Capabilities, in Intent, differ Differ) (Dialect, []Manual, error) {
	switch in.OS {
	case "eos":
		if caps.Takes(gpb.Encoding_ASCII) {
			file, rest, err := in.split("startup-config")
			if err != nil {
				return nil, nil, err
			}
			return &eos{intended: file, file: in.path("startup-config"), ignore: in.Ignore, differ: differ}, rest, nil
		}
	case "sonic":
		if caps.Takes(gpb.Encoding_JSON_IETF) {
			file, rest, err := in.split("config_db.json")
			if err != nil {
				return nil, nil, err
			}
			d, err := newSonic(in, file, differ)
			return d, rest, err
		}
	}
	return in.openConfig(caps)
}

// openConfig falls back to OpenConfig, or to nothing.
func (in *Intent) openConfig(caps *gnmi.Capabilities) (Dialect, []Manual, error) {
	if in.Document == nil {
		return nil, in.byHand(nothing(in.OS)), nil
	}
	body, gaps, err := in.Document()
	if err != nil {
		return nil, nil, err
	}
	if body == nil {
		return nil, slices.Concat(gaps, in.byHand(nothing(in.OS))), nil
	}
	d, err := newOpenConfig(flavors[in.OS], body)
	if err != nil {
		return nil, nil, fmt.Errorf("%s: OpenConfig document: %w", in.Switch, err)
	}
	if missing := d.notOffered(caps); len(missing) > 0 {
		return nil, in.byHand("the device does not list the models " + strings.Join(missing, ", ")), nil
	}
	return d, slices.Concat(gaps, in.byHand("what OpenConfig leaves out is in the file")), nil
}

func nothing(os string) string {
	switch os {
	case "vrp":
		return "VRP takes no command line over gNMI, and its public models have no PFC or ECN"
	case "comware":
		return "Comware takes no command line over gNMI, and nobody has confirmed which models it lets write"
	case "eos":
		return "the device does not list the encoding ASCII, without which EOS takes no command line over gNMI"
	case "sonic":
		return "the device does not list the encoding JSON_IETF, without which SONiC takes no writes"
	}
	return "no way is known to write the configuration of " + os + " over gNMI"
}

// split takes the main file out and says what to do with the others.
func (in *Intent) split(main string) (body []byte, rest []Manual, err error) {
	i := slices.IndexFunc(in.Files, func(f fabric.File) bool { return f.Name == main })
	if i < 0 {
		return nil, nil, fmt.Errorf("%s: no %s was rendered", in.Switch, main)
	}
	others := *in
	others.Files = slices.Delete(slices.Clone(in.Files), i, i+1)
	return in.Files[i].Body, others.byHand("not part of " + main), nil
}

// path is where the output directory has a file.
func (in *Intent) path(name string) string { return "switches/" + in.Switch + "/" + name }

// byHand lists every file with the commands that load it.
func (in *Intent) byHand(why string) []Manual {
	var list []Manual
	for _, f := range in.Files {
		m := Manual{What: why, File: in.path(f.Name)}
		switch f.Name {
		case "steps-to-check.txt":
			m.What = "steps that no configuration file can carry"
		case "vrpcfg.cfg":
			m.Commands = []string{"load configuration file vrpcfg.cfg replace", "display configuration candidate changes", "commit trial", "commit", "save"}
		case "startup.cfg":
			m.Commands = []string{"system-view", "(paste the file view by view; it is no input for configuration replace file)", "save"}
		case "startup-config":
			m.Commands = []string{"configure session railyard", "(paste the file)", "show session-config diffs", "commit timer 00:05:00", "configure session railyard commit", "write memory"}
		case "config_db.json":
			m.Commands = []string{"config reload -y config_db.json", "config save -y"}
		case "startup.yaml":
			m.Commands = []string{"nv config replace startup.yaml", "nv config diff", "nv config apply --confirm 5m", "nv config apply --confirm-yes", "nv config save"}
		case "frr.conf":
			m.Commands = []string{"(copy it to /etc/sonic/frr/frr.conf)", "systemctl restart bgp"}
		}
		list = append(list, m)
	}
	return list
}

// get reads one path.
func get(ctx context.Context, r Reader, path *gpb.Path, kind gpb.GetRequest_DataType, encoding gpb.Encoding) ([]*gpb.Update, error) {
	answer, err := r.Get(ctx, &gpb.GetRequest{Path: []*gpb.Path{path}, Type: kind, Encoding: encoding})
	if err != nil {
		return nil, err
	}
	var list []*gpb.Update
	for _, n := range answer.GetNotification() {
		for _, u := range n.GetUpdate() {
			if len(n.GetPrefix().GetElem()) > 0 {
				u = &gpb.Update{Path: &gpb.Path{Elem: slices.Concat(n.GetPrefix().GetElem(), u.GetPath().GetElem())}, Val: u.GetVal()}
			}
			list = append(list, u)
		}
	}
	return list, nil
}
