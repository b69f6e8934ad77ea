package main

import (
	"slices"

	"github.com/spf13/cobra"

	"railyard/generator/fabric"
	"railyard/generator/plan"
)

func newValidate() *cobra.Command {
	var format, failOn, templates string
	cmd := &cobra.Command{
		Use:   "validate CLUSTER",
		Short: "Check a cluster file: all errors and findings",
		Long: `validate reads and designs the cluster without writing anything.

Exit 0: fine. Exit 1: there are findings at or above --fail-on. Exit 2: the file
is wrong or cannot be built; every problem is listed with file:line:column, key
and remedy.`,
		Example: `  railyard validate cluster.yaml
  railyard validate cluster.yaml --fail-on warning --format json`,
		Args:              oneCluster,
		ValidArgsFunction: yamlFiles,
		RunE: func(cmd *cobra.Command, args []string) error {
			in, err := read(cmd, args[0], templates)
			if err != nil {
				return err
			}
			print := plan.Findings
			if format == "json" {
				print = plan.FindingsJSON
			}
			if err := print(cmd.OutOrStdout(), in.fabric.Findings); err != nil {
				return err
			}
			levels := []string{string(fabric.Error), string(fabric.Warning), string(fabric.Info)}
			for _, x := range in.fabric.Findings {
				if slices.Index(levels, string(x.Severity)) <= slices.Index(levels, failOn) {
					return findingsError{}
				}
			}
			return nil
		},
	}
	formatFlag(cmd, &format, "text", "json")
	enumFlag(cmd, &failOn, "fail-on", "error", "lowest severity that makes the exit code 1", "error", "warning", "info")
	cmd.Flags().StringVar(&templates, "templates", "", "a site's own templates, laid over the built-in ones; their lines are checked on one switch of each kind")
	return cmd
}
