package comware

import (
	"net"
	"net/netip"
	"slices"
	"strconv"
	"strings"

	"railyard/generator/fabric"
)

// speedType is what a speed is called: the interface type of the running
// configuration and the word that "using" takes to split a cage into it.
type speedType struct {
	speed  int // Gb/s
	name   string
	using  string // "" where no cage of these models is split into it
	proven bool   // the word was seen in a manual (H3C-IF, H3C-CMD)
}

// speedTypes are the interface types with a documented name. 800G is missing on
// purpose: EightHundredGigE is only known from other vendors.
var speedTypes = []speedType{
	{10, "Ten-GigabitEthernet", "tengige", true},
	{25, "Twenty-FiveGigE", "twenty-fivegige", true},
	{40, "FortyGigE", "fortygige", true},
	{50, "FiftyGigE", "fiftygige", true},
	{100, "HundredGigE", "hundredgige", true},
	{200, "TwoHundredGigE", "twohundredgige", false},
	{400, "FourHundredGigE", "fourhundredgige", false},
}

// unprovenTypes are names that follow the pattern but were seen nowhere.
var unprovenTypes = []speedType{{speed: 800, name: "EightHundredGigE"}}

// typeOf finds the name of a speed; known is false where no document has it.
func typeOf(speed int) (t speedType, known bool) {
	for _, t := range speedTypes {
		if t.speed == speed {
			return t, true
		}
	}
	for _, t := range unprovenTypes {
		if t.speed == speed {
			return t, false
		}
	}
	return speedType{speed: speed, name: strconv.Itoa(speed) + "GE"}, false
}

// PortName is the interface name of the running configuration:
// FourHundredGigE1/0/7, or TwoHundredGigE1/0/7:2 for a child of a split cage.
// Fixed-form switches are IRF member 1, slot 0 unless someone renumbers them.
// Speeds without a documented type get the name the pattern suggests; Check
// reports them.
func (d *Driver) PortName(_ *fabric.Model, p *fabric.Port) string {
	t, _ := typeOf(p.SpeedGbps)
	var b [40]byte
	name := append(b[:0], t.name...)
	name = append(name, "1/0/"...)
	name = strconv.AppendInt(name, int64(p.Cage), 10)
	if p.Split > 1 {
		name = append(name, ':')
		name = strconv.AppendInt(name, int64(p.Lane), 10)
	}
	return string(name)
}

// port is one interface block. Head and Tail are the lines before and after the
// address; ports of one kind share them.
type port struct {
	Name, Mode, Description string
	Head, Tail              string
	Address                 string // address and mask of a routed link

	typ string
}

// kind is what the lines of a port depend on besides its name, peer and address.
type kind struct {
	Shut    bool
	Frame   int  // longest frame in bytes
	VLAN    int  // access VLAN; 0: none
	Edge    bool // a server, no bridge, is behind it
	profile int  // index into Lossless.Profiles; -1 without one
}

// lines is what the templates of a kind are written from.
type lines struct {
	kind
	PFC        *pfc
	Scheduling *scheduling
}

// The two link modes.
const (
	route  = "route"
	bridge = "bridge"
)

// ports makes the interface blocks in the order the switch prints them: routed
// before bridged, then by type, then by number. Blocks whose name is not
// documented come separately.
func (d *Driver) ports(f *fabric.Fabric, sw *fabric.Switch, q *qos) (known, unproven []port, err error) {
	model := f.ModelOf(sw)
	known = make([]port, 0, len(sw.Ports))
	written := map[kind][2]string{}
	for i := range sw.Ports {
		p := &sw.Ports[i]
		if p.Role == fabric.CellPort {
			continue
		}
		t, ok := typeOf(p.SpeedGbps)
		block := port{Name: d.PortName(model, p), typ: t.name, Mode: bridge}
		k := block.fill(f, p)
		text, have := written[k]
		if !have {
			if text, err = d.write(sw.Name, lines{k, q.pfc(k.profile), q.scheduling(k.profile)}); err != nil {
				return nil, nil, err
			}
			written[k] = text
		}
		block.Head, block.Tail = text[0], text[1]
		if ok {
			known = append(known, block)
		} else {
			unproven = append(unproven, block)
		}
	}
	byDevice := func(a, b port) int {
		if a.Mode != b.Mode {
			return strings.Compare(b.Mode, a.Mode)
		}
		return strings.Compare(a.typ, b.typ)
	}
	slices.SortStableFunc(known, byDevice)
	slices.SortStableFunc(unproven, byDevice)
	return known, unproven, nil
}

// write runs the two templates of a kind of port.
func (d *Driver) write(device string, l lines) (text [2]string, err error) {
	for i, name := range []string{"port-head.tmpl", "port-tail.tmpl"} {
		body, err := d.templates.Execute(name, device, l)
		if err != nil {
			return text, err
		}
		text[i] = string(body)
	}
	return text, nil
}

// fill completes a block and says of which kind it is.
func (b *port) fill(f *fabric.Fabric, p *fabric.Port) kind {
	if p.Link < 0 {
		b.Description = "unused"
		if p.Reserved {
			b.Description = "reserved"
		}
		return kind{Shut: true, profile: -1}
	}
	b.Description = describe(f, p.Peer)
	k := kind{Frame: frameSize(f), profile: p.Profile}
	switch {
	case p.Address.IsValid():
		b.Mode = route
		b.Address = p.Address.Addr().String() + " " + mask(p.Address.Bits())
	case p.Unnumbered() || p.Role != fabric.HostPort:
		b.Mode = route // no address can be written (BGP_UNNUMBERED_UNCONFIRMED)
	case p.VLAN >= 0:
		k.VLAN, k.Edge = f.VLANs[p.VLAN].ID, true
	}
	return k
}

// Longest texts: an interface description may have 80 characters on the oldest
// release of the family, a peer description 79 (H3C-CMD).
const longestDescription = 79

// describe names the other end. The characters that make tools mistake a
// description for a prompt, and the question mark that calls the help, are
// replaced.
func describe(f *fabric.Fabric, e fabric.End) string {
	text := f.DeviceName(e) + ":" + f.PortName(e)
	if strings.ContainsAny(text, "[]<>#? ") {
		text = strings.NewReplacer("[", "(", "]", ")", "<", "(", ">", ")", "#", "-", "?", "-", " ", "_").Replace(text)
	}
	if len(text) > longestDescription {
		text = text[:longestDescription]
	}
	return text
}

// longestFrame is the longest jumbo frame every model of the family accepts
// (S9827 announces 9216 over LLDP, S6825 9416).
const longestFrame = 9216

// frameSize is the longest frame a fabric port lets pass.
func frameSize(f *fabric.Fabric) int { return min(f.Underlay.MTU, longestFrame) }

// mask writes an IPv4 prefix length as the dotted mask that the switch stores.
func mask(bits int) string {
	if bits == 31 { // every link of a fabric
		return "255.255.255.254"
	}
	return net.IP(net.CIDRMask(bits, 32)).String()
}

// network is a prefix in the two words of "network" and "ip address".
type network struct{ Address, Mask string }

func asNetwork(p netip.Prefix) network {
	return network{p.Masked().Addr().String(), mask(p.Bits())}
}
