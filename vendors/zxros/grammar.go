package zxros

import (
	_ "embed"

	"railyard/generator/fabric"
	"railyard/vendors/grammar"
)

//go:embed grammar.yaml
var grammarFile []byte

// Grammar is what running-config.txt may hold, each rule with its source.
func (*Driver) Grammar() (*grammar.Grammar, error) { return grammar.Parse(grammarFile) }

// Family is always empty: no rule of the grammar is for one kind of hardware only.
func (*Driver) Family(*fabric.Model, string) string { return "" }
