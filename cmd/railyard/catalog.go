package main

import (
	"github.com/spf13/cobra"

	"railyard/generator/catalog"
)

func newCatalog() *cobra.Command {
	return &cobra.Command{
		Use:   "catalog [ID]",
		Short: "Show what hardware is known, and how well",
		Long: `catalog lists accelerators, servers, NICs, switches and optics, each with how it
is known: doc (vendor documentation or source), field (press, blog, real
configuration), inferred (derived), unverified (commonly quoted: confirm it
against your data sheet). With an ID it shows everything known of one entry, in
the form a cluster file's catalog section takes to add or correct it.`,
		Example: "  railyard catalog\n  railyard catalog nvidia-sn5600",
		Args:    cobra.MaximumNArgs(1),
		ValidArgsFunction: func(*cobra.Command, []string, string) ([]string, cobra.ShellCompDirective) {
			c, err := catalog.Load()
			if err != nil {
				return nil, cobra.ShellCompDirectiveError
			}
			return c.IDs(), cobra.ShellCompDirectiveNoFileComp
		},
		RunE: func(cmd *cobra.Command, args []string) error {
			c, err := catalog.Load()
			if err != nil {
				return err
			}
			if len(args) == 1 {
				return c.Show(cmd.OutOrStdout(), args[0])
			}
			return c.Text(cmd.OutOrStdout())
		},
	}
}
