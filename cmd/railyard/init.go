package main

import (
	"fmt"
	"strings"

	"github.com/spf13/cobra"

	"railyard/generator/cluster"
)

func newInit() *cobra.Command {
	var names, lines []string
	for _, p := range cluster.Presets() {
		names = append(names, p.Name)
		lines = append(lines, fmt.Sprintf("  %-26s %s", p.Name, p.Title))
	}
	return &cobra.Command{
		Use:   "init [PRESET]",
		Short: "Print a commented cluster file to start from",
		Long: `init prints a commented cluster file. Without PRESET it lists the presets on
stderr and prints the first.

` + strings.Join(lines, "\n"),
		Example:   "  railyard init " + names[0] + " > cluster.yaml",
		Args:      cobra.MaximumNArgs(1),
		ValidArgs: names,
		RunE: func(cmd *cobra.Command, args []string) error {
			want := names[0]
			if len(args) == 1 {
				want = args[0]
			} else if quiet, _ := cmd.Flags().GetBool("quiet"); !quiet {
				fmt.Fprintf(cmd.ErrOrStderr(), "presets (this is %s):\n%s\n", want, strings.Join(lines, "\n"))
			}
			for _, p := range cluster.Presets() {
				if p.Name == want {
					_, err := cmd.OutOrStdout().Write([]byte(p.Body))
					return err
				}
			}
			return fmt.Errorf("no preset %q; there are %s", want, strings.Join(names, ", "))
		},
	}
}
