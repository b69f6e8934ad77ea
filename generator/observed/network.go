package observed

import "strings"

// Network is what was found under one directory.
type Network struct {
	Switches   []*Switch // by name
	Unreadable []Unreadable
	Doubts     []Doubt    // about texts that were read all the same
	Neighbors  []Neighbor // from LLDP tables
	Skipped    []string   // files that are no configurations
	// Words is what puts a finding of that code right in the words of a system, ""
	// where they are not known; nil knows none. priority is the one the fabric
	// pauses, -1 with several; dscp the code point it is about, 0 for none.
	Words func(os, code, port string, priority, dscp int) string
	// Quote returns a line of a file as it stands, for findings; "" when it cannot.
	Quote func(file string, line Line) string
}

// Unreadable is a file that should be a configuration and was not judged.
type Unreadable struct {
	Name, File, OS string // OS "" when it is not known
	Line           Line
	Reason         string
}

// Doubt is a reason to trust a switch's text less.
type Doubt struct {
	Switch, File string
	Line         Line
	Code, Reason string
	Broken       bool // part of the text is missing
}

// Neighbor is one row of an LLDP table.
type Neighbor struct{ Switch, Port, Remote, RemotePort string }

// prefixes of interface names, by what neighbours and tables call them. Keys are
// lower case; the longest that fits wins.
var portPrefixes = [...][2]string{
	{"ten-gigabitethernet", "10ge"}, {"twenty-fivegige", "25ge"}, {"fortygige", "40ge"}, {"fiftygige", "50ge"}, {"hundredgige", "100ge"},
	{"twohundredgige", "200ge"}, {"fourhundredgige", "400ge"}, {"eighthundredgige", "800ge"}, {"ethernet", "eth"}, {"eth", "eth"}, {"et", "eth"},
	{"xge", "10ge"}, {"wge", "25ge"}, {"fge", "40ge"}, {"hge", "100ge"},
}

// PortKey makes interface names comparable: case, blanks, the type's spelling
// and the speed some displays put behind do not matter.
func PortKey(name string) string {
	key := strings.ToLower(strings.ReplaceAll(name, " ", ""))
	key, _, _ = strings.Cut(key, "(")
	for _, p := range portPrefixes {
		rest, ok := strings.CutPrefix(key, p[0])
		if ok && rest != "" && rest[0] >= '0' && rest[0] <= '9' {
			return p[1] + rest
		}
	}
	return key
}
