// Package diff compares running configurations with intended ones, switch by
// switch, and says what differs, for people, for machines and as a patch.
//
// What a line or a table means is the business of the operating system's own
// package; this one finds the files, asks the right engine, folds what is the same
// on many switches, and prints.
package diff

import (
	"errors"

	"railyard/vendors/clitree"
)

// File is one file of a switch, under the name it has there.
type File struct {
	Name string
	Body []byte
}

// Status is the outcome for one switch.
type Status string

// The outcomes.
const (
	Same        Status = "same"
	Differs     Status = "differs"
	Missing     Status = "missing"     // there is no running configuration
	Extra       Status = "extra"       // there is one, of a switch nobody intends
	Unreachable Status = "unreachable" // the switch did not answer
	Unreadable  Status = "unreadable"  // what it gave is no whole configuration
)

// ErrMissing and ErrUnreachable are what a source answers when it has nothing
// about a switch, or cannot get it.
var (
	ErrMissing     = errors.New("no running configuration")
	ErrUnreachable = errors.New("switch not reached")
)

// Result is what came out for one switch.
type Result struct {
	Name, OS string
	File     string // of the running configuration
	Status   Status
	Reason   string // why it is unreadable, unreachable or extra
	Changes  []clitree.Change
	Problems []clitree.Problem
	Patch    Patch
}

// Patch is how to get from running to intended.
type Patch struct {
	// File names what Body is: commands to type, or an RFC 6902 document.
	File  string
	Body  []byte
	Notes []string // what a person must know or do besides
}

// Options of a comparison.
type Options struct {
	clitree.Options
	// Patch asks for patches too.
	Patch bool
}
