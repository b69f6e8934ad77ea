// Package plan shows a designed fabric: as JSON and YAML for programs, as text
// for people, and as what changes against an older plan.
package plan

// FormatVersion is the version of all machine output of this package. Its major
// number changes when a key is renamed, removed or gets another meaning.
const FormatVersion = "1.0"
