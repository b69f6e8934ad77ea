package cumulus

import (
	"fmt"
	"regexp"
	"strconv"

	"railyard/generator/fabric"
)

// The minor releases of Cumulus Linux 5 whose spelling is known. Before 5.9 the
// lanes of a split cage have other defaults, and saving is a step of its own.
const (
	oldestMinor = 9
	newestMinor = 16
)

var releaseForm = regexp.MustCompile(`^5\.([0-9]{1,3})(\.[0-9]+)*$`)

// minorOf is the declared minor release; ok is false when it is none of release 5.
// Nothing declared means the newest known one.
func minorOf(declared string) (minor int, ok bool) {
	if declared == "" {
		return newestMinor, true
	}
	m := releaseForm.FindStringSubmatch(declared)
	if m == nil {
		return newestMinor, false
	}
	minor, err := strconv.Atoi(m[1])
	return minor, err == nil
}

// dialect is how a release spells what releases spell differently.
type dialect struct {
	Minor   int
	Enabled string // the whole leaf that turns a feature on
	On      string // the value of single leaves
	IP      string // the key of addresses
	// AddressVRF says that the VRF of an interface stands beside its addresses
	// and not among them.
	AddressVRF bool
	// Services says that NTP and DNS are found under system.
	Services bool
	// Syslog says that syslog servers are found under system; the API, SSH and
	// gNMI servers can be configured since the same release.
	Syslog bool
}

// dialectOf takes the nearest known release for one that is not known, so that
// rendering works after the finding was accepted.
func dialectOf(declared string) dialect {
	minor, ok := minorOf(declared)
	if !ok {
		minor = newestMinor
	}
	minor = min(max(minor, oldestMinor), newestMinor)
	d := dialect{Minor: minor, Enabled: "enable: on", On: "on", IP: "ip", Syslog: minor >= 13}
	if minor >= 15 {
		d.Enabled, d.On, d.IP, d.AddressVRF, d.Services = "state: enabled", "enabled", "ipv4", true, true
	}
	return d
}

func releaseGaps(_ *fabric.Fabric, sw *fabric.Switch) []gap {
	minor, ok := minorOf(sw.Release)
	known := fmt.Sprintf("5.%d to 5.%d", oldestMinor, newestMinor)
	switch {
	case sw.Release == "":
		return one(fabric.Warning, "CUMULUS_RELEASE_ASSUMED",
			fmt.Sprintf("no release is declared, so the file is written for Cumulus Linux 5.%d; 5.13 and 5.15 renamed keys, and a file for one side fails on the other", newestMinor),
			"declare the switch's release ("+known+")", "NEW515", "nv show system")
	case !ok || minor < oldestMinor:
		return one(fabric.Error, "CUMULUS_RELEASE_UNKNOWN",
			fmt.Sprintf("the spelling of NVUE keys in release %q is not known; known are %s", sw.Release, known),
			"upgrade the switch, or declare the release it runs as 5.<minor>", "NEW515")
	case minor > newestMinor:
		return one(fabric.Warning, "CUMULUS_RELEASE_NEWER",
			fmt.Sprintf("release %s is newer than what was read (%s); the file is written as for 5.%d", sw.Release, known, newestMinor),
			"let the switch check the file before it is applied", "NEW515",
			"nv config replace startup.yaml", "nv config diff", "nv config detach")
	}
	return nil
}
