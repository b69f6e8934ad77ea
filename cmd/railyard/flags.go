package main

import (
	"fmt"
	"slices"
	"strings"

	"github.com/spf13/cobra"
)

// enum is a flag with a closed set of values.
type enum struct {
	value   *string
	allowed []string
}

func (e enum) String() string {
	if e.value == nil {
		return ""
	}
	return *e.value
}

func (e enum) Type() string { return strings.Join(e.allowed, "|") }

func (e enum) Set(s string) error {
	if !slices.Contains(e.allowed, s) {
		return fmt.Errorf("must be one of %s", strings.Join(e.allowed, ", "))
	}
	*e.value = s
	return nil
}

// enumFlag adds a flag that takes one of the allowed values and completes them.
func enumFlag(cmd *cobra.Command, value *string, name, preset, usage string, allowed ...string) {
	*value = preset
	cmd.Flags().Var(enum{value, allowed}, name, usage)
	// The error can only be a second registration of the same flag.
	_ = cmd.RegisterFlagCompletionFunc(name, cobra.FixedCompletions(allowed, cobra.ShellCompDirectiveNoFileComp))
}

func formatFlag(cmd *cobra.Command, value *string, allowed ...string) {
	enumFlag(cmd, value, "format", allowed[0], "output format", allowed...)
}
