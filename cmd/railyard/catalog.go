package main

import (
	"github.com/spf13/cobra"

	"railyard/generator/catalog"
	"railyard/vendors"
)

func newCatalog() *cobra.Command {
	var os, format string
	cmd := &cobra.Command{
		Use:   "catalog [ID]",
		Short: "Show what hardware is known, and how well",
		Long: `catalog lists accelerators, servers, NICs, switches and optics, each with how it
is known: doc (vendor documentation or source), field (press, blog, real
configuration), inferred (derived), unverified (commonly quoted: confirm it
against your data sheet). With an ID it shows everything known of one entry, in
the form a cluster file's catalog section takes to add or correct it.

With --os it shows what railyard can express in a network OS: each intent of the
plan, how well its syntax is confirmed, and by which source.`,
		Example: "  railyard catalog\n  railyard catalog nvidia-sn5600\n  railyard catalog --os eos",
		Args:    cobra.MaximumNArgs(1),
		ValidArgsFunction: func(*cobra.Command, []string, string) ([]string, cobra.ShellCompDirective) {
			c, err := catalog.Load()
			if err != nil {
				return nil, cobra.ShellCompDirectiveError
			}
			return c.IDs(), cobra.ShellCompDirectiveNoFileComp
		},
		RunE: func(cmd *cobra.Command, args []string) error {
			out := cmd.OutOrStdout()
			switch {
			case os != "" && format == "json":
				return vendors.SupportJSON(out, os)
			case os != "":
				return vendors.SupportText(out, os)
			}
			c, err := catalog.Load()
			switch {
			case err != nil:
				return err
			case len(args) == 1 && format == "json":
				return c.ShowJSON(out, args[0])
			case len(args) == 1:
				return c.Show(out, args[0])
			case format == "json":
				return c.JSON(out)
			}
			return c.Text(out)
		},
	}
	cmd.Flags().StringVar(&os, "os", "", "show the support table of this network OS")
	formatFlag(cmd, &format, "text", "json")
	return cmd
}
