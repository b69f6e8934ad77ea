package clitree

// Rules say what an operating system's lines mean, as data. They live in the
// system's own package, each with its source.
//
// Patterns are words. A word stands for itself; * is a word that belongs to the
// line's identity, ab* one that begins so and a|b one of these; ? is a word that
// is its value; # is a list (see Rule.List); ~ is the rest of the line as value and
// ** the rest as identity. Lines whose pattern and identity agree are the same
// setting, so "mtu ?" lets one line replace another and "peer * bfd" does not.
//
// Templates are words too; $1, $2 … are what the pattern's signs stood for.
type Rules struct {
	Syntax *Syntax
	// Negation is the word that undoes: undo or no.
	Negation string
	// Interfaces maps forms of interface type names, lower case, to the name the
	// device prints.
	Interfaces map[string]string
	// Rewrites bring spellings that mean the same to one, in order, once each.
	Rewrites []Rewrite
	// Lines are matched in order; the first that fits counts.
	Lines []Rule
	// Defaults are lines that mean the same as no line.
	Defaults []Default
	// Cage says which cage a section header belongs to and whether it is one part
	// of a split cage; nil where splitting leaves no trace in section headers.
	Cage func(header string) (cage string, part bool, ok bool)
	// Split is what to send, in system view, to split the cage of the header (the
	// first part's) or, when whole, to join it; remark tells a person what else to do.
	Split func(header string, whole bool) (commands []string, remark string)
	// Leave is the command that leaves a section.
	Leave string
	// Begin and End bracket a patch.
	Begin, End []string
}

// Own says whether a line that only the device has is railyard's business in
// the owned scope. Lines of the intent always are.
type Own int

// The kinds of ownership.
const (
	Always   Own = iota // it is
	Spoken              // it is when the intent has a line of the same rule
	Intended            // it is not, unless the intent has the line of that identity
	Never               // it is no configuration at all
)

// Rule is what is known about one kind of line.
type Rule struct {
	In    string // the context the line stands in: "" for top level, else As of its section
	Match string
	// As names the context of the lines under this one; "" : the same as Match.
	// A rule with As, or whose lines have children, is a section.
	As string
	// Fixed sections exist by themselves (ports): having one means nothing.
	Fixed bool
	// Atomic sections are compared and replaced as a whole.
	Atomic bool
	// Implies is a line beside this one that goes without saying.
	Implies string
	// List tells what # is: "to" 1 3 to 5 · "comma" 1,3-5 · "space" 1 3 5 · "words" a set ·
	// "ports" names with A to B · "names" Ethernet2-3,5.
	List string
	// Whole lists are sent whole after an undo, because the device may add or may
	// replace.
	Whole bool
	// Over: a whole list typed over another replaces it.
	Over bool
	// Written lines hold unless their negation is written; the negation of other
	// lines is the same as no line.
	Written bool
	// Ordered: the lines of one first * mean something by their order.
	Ordered bool
	// Text: the value is free text, spelled as it is.
	Text bool
	// Secret: the value is one. Forms are compared, values are not shown.
	Secret bool
	// Normal brings the value words to one form.
	Normal func(words []string) []string
	// Default is the line that means the same as no line, by what the pattern's
	// signs stood for; "" for none.
	Default func(args []string) string
	// Own applies to lines only the device has. Lines that no rule knows count in
	// sections that are owned always and in those that are Closed.
	Own    Own
	Closed bool

	// Undo removes the line. "" is the negated line; "=" sends Default's line.
	Undo string
	// Assumed: Undo follows the system's habit and was not seen in print; the patch
	// says so.
	Assumed bool
	// Refuse: the device takes no other value over this one: undo comes first.
	Refuse bool
	// First is sent, once, before lines of this rule change.
	First string
	// After is sent behind the line and behind its undo.
	After []string
	// Resets are patterns of lines of the section and below that vanish when the
	// line is set over another or removed; Keeps are exceptions. $1 … may be used.
	Resets, Keeps []string
	// ResetsOf are further patterns, worked out.
	ResetsOf func(args []string) []string
	// OnUndo: Resets hold for removal and replacement by undo only.
	OnUndo bool
	// Unique: no two sections can have the same value at a time.
	Unique bool
	// Late: removal waits until whatever refers to it has changed.
	Late bool
	// Last: removal comes after everything else of the section (a port goes up when
	// it is ready).
	Last bool
	// Rank orders sending, low first; removal goes the other way round.
	Rank int
	// Leave is the command that leaves this section, where it is not Rules.Leave.
	Leave string
	// Prompt is the question the device asks; AsksOnUndo: for removal only.
	Prompt     string
	AsksOnUndo bool
	// Note is told with a change of the line.
	Note string
	// Source is where the rule is from.
	Source string
}

// Default is a line that means the same as its absence.
type Default struct {
	In, Line string
	// When is a pattern of a line of the same section; "!…" of one that must not
	// be there.
	When string
	// Unknown: for lines that no rule knows.
	Unknown bool
	Source  string
}

// Rewrite turns spellings that mean the same into one.
type Rewrite struct {
	In, From string
	To       []string // templates; several lines where one line stands for several
	Source   string
}

// Scope is how much of the device is judged.
type Scope int

// The scopes.
const (
	Owned Scope = iota // what railyard manages
	Full               // everything
)

// Options of a comparison.
type Options struct {
	Scope Scope
	// Ignore leaves out sections and lines. A pattern has * for any text and is
	// held against a section's header, a line, and "header / line".
	Ignore []string
}

// Change is what differs in one section, or at top level when Path is empty.
type Change struct {
	Path        []string // headers, outermost first
	Remove, Add []string // lines of the device, of the intent
	Reordered   bool     // the same lines in another order, which matters here
	Note        string
}
