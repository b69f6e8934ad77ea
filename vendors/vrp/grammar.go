package vrp

import (
	_ "embed"

	"railyard/generator/fabric"
	"railyard/vendors/grammar"
)

//go:embed grammar.yaml
var grammarFile []byte

// Grammar is what vrpcfg.cfg may hold, each rule with its source.
func (*Driver) Grammar() (*grammar.Grammar, error) { return grammar.Parse(grammarFile) }

// Family is the grammar's name for a model's dialect of lossless commands: P, J, or
// empty where no document says which it is, or that it has none.
func (*Driver) Family(m *fabric.Model, release string) string {
	if f := familyOf(m, release); f.lossless() {
		return f.String()
	}
	return ""
}
