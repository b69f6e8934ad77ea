package main

import (
	"github.com/spf13/cobra"

	"railyard/generator/cluster"
	"railyard/vendors/diff"
)

func newSchema() *cobra.Command {
	return &cobra.Command{
		Use:       "schema [cluster|diff]",
		Short:     "Print the JSON Schema of cluster files, for editors, or of what diff --format json prints",
		Example:   "  railyard schema > cluster.schema.json\n  railyard schema diff",
		ValidArgs: []string{"cluster", "diff"},
		Args:      cobra.MatchAll(cobra.MaximumNArgs(1), cobra.OnlyValidArgs),
		RunE: func(cmd *cobra.Command, args []string) error {
			body, err := diff.Schema(), error(nil)
			if len(args) == 0 || args[0] == "cluster" {
				body, err = cluster.Schema()
			}
			if err != nil {
				return err
			}
			_, err = cmd.OutOrStdout().Write(body)
			return err
		},
	}
}
