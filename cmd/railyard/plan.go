package main

import (
	"fmt"
	"os"
	"path/filepath"

	"github.com/spf13/cobra"

	"railyard/generator/plan"
)

func newPlan() *cobra.Command {
	var format, against, templates string
	cmd := &cobra.Command{
		Use:   "plan CLUSTER",
		Short: "Show the design: counts, map, lossless plan, bill of materials, findings",
		Long: `plan designs the cluster and shows the result; nothing is written. It exits 0
whenever it could make a plan, findings or not.

With --against DIR it compares with what generate wrote there before: which
devices and cables are new, which move, which numbers change. Growth within
fabric.reserve moves nothing.`,
		Example: `  railyard plan cluster.yaml
  railyard plan cluster.yaml --format json | jq .counts
  railyard plan cluster.yaml --against out`,
		Args:              oneCluster,
		ValidArgsFunction: yamlFiles,
		RunE: func(cmd *cobra.Command, args []string) error {
			in, err := read(cmd, args[0], templates)
			if err != nil {
				return err
			}
			if against != "" {
				return compare(cmd, in, against, format)
			}
			switch format {
			case "json":
				return plan.JSON(cmd.OutOrStdout(), in.fabric)
			case "yaml":
				return plan.YAML(cmd.OutOrStdout(), in.fabric)
			}
			return plan.Text(cmd.OutOrStdout(), in.fabric)
		},
	}
	formatFlag(cmd, &format, "text", "json", "yaml")
	cmd.Flags().StringVar(&against, "against", "", "compare with the plan in this output directory")
	cmd.Flags().StringVar(&templates, "templates", "", "a site's own templates, laid over the built-in ones; their lines are checked on one switch of each kind")
	return cmd
}

func compare(cmd *cobra.Command, in *input, dir, format string) error {
	f, err := os.Open(filepath.Join(dir, "plan.json"))
	if err != nil {
		return err
	}
	defer f.Close()
	changes, err := plan.Compare(f, in.fabric)
	if err != nil {
		return fmt.Errorf("%s: %w", f.Name(), err)
	}
	if format == "text" {
		return changes.Text(cmd.OutOrStdout())
	}
	return changes.JSON(cmd.OutOrStdout())
}
