package eos

import (
	_ "embed"

	"railyard/generator/fabric"
	"railyard/vendors/grammar"
)

//go:embed grammar.yaml
var grammarFile []byte

// Grammar is what startup-config may hold, each rule with its source.
func (*Driver) Grammar() (*grammar.Grammar, error) { return grammar.Parse(grammarFile) }

// Family is the grammar's name for a model's kind of chip: strata, sand, or empty
// where it is not known.
func (*Driver) Family(m *fabric.Model, _ string) string {
	switch platformOf(m).queue {
	case unicastQueue:
		return "strata"
	case voqQueue:
		return "sand"
	}
	return ""
}
