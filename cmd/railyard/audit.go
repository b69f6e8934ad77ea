package main

import (
	"context"
	"fmt"
	"os"

	"github.com/spf13/cobra"

	"railyard/generator/audit"
	"railyard/generator/observed"
	"railyard/vendors/inspect"
)

func newAudit() *cobra.Command {
	var format, failOn, cables, selected string
	cmd := &cobra.Command{
		Use:   "audit DIR",
		Short: "Judge the lossless settings of running configurations as one fabric",
		Long: `audit reads the configurations of any mix of Comware, VRP, EOS, SONiC and
Cumulus switches under DIR (a file or a folder for each switch, plain or gzip,
saved by whom it may be) and follows RoCE through them: trust, DSCP map, class, queue and
priority group, PFC, ECN queue, watchdog. What one switch does differently from
the rest, or from the other end of its link, is named with file, line and remedy.
It needs no cluster file.

Links are found by shared subnets, then by LLDP tables saved beside the
configurations (files with lldp in their name), then by descriptions; the report
says which. With --cables, a cabling.csv, a table of your own with named columns
or lines "a,b,length", headroom is held against the real lengths, and links that
nothing else shows are taken from it.

Exit 0: nothing at or above --fail-on. Exit 1: findings. Exit 2: some files could
not be judged; the rest is in the report.`,
		Example: `  railyard audit backups/
  railyard audit backups/ --cables cabling.csv --format json`,
		Args: func(cmd *cobra.Command, args []string) error {
			if len(args) != 1 {
				return fmt.Errorf("%s takes one directory; see %s --help", cmd.CommandPath(), cmd.CommandPath())
			}
			return nil
		},
		RunE: func(cmd *cobra.Command, args []string) error {
			report, err := judge(cmd.Context(), args[0], cables, selected)
			if err != nil {
				return err
			}
			write := report.Text
			if format == "json" {
				write = report.JSON
			}
			if err := write(cmd.OutOrStdout()); err != nil {
				return err
			}
			switch {
			case report.Trouble():
				return fmt.Errorf("%d of the files could not be judged", report.Unread)
			case report.AtLeast(observed.Severity(failOn)):
				return findingsError{}
			}
			return nil
		},
	}
	formatFlag(cmd, &format, "text", "json")
	enumFlag(cmd, &failOn, "fail-on", "warning", "lowest severity that makes the exit code 1", "error", "warning", "info")
	cmd.Flags().StringVar(&cables, "cables", "", "cable list with lengths: cabling.csv or lines a,b,length")
	cmd.Flags().StringVar(&selected, "select", "", "report only switches that match this pattern; all are still judged together")
	return cmd
}

func judge(ctx context.Context, dir, list, selected string) (*audit.Report, error) {
	var cables *audit.Cables
	if list != "" {
		f, err := os.Open(list)
		if err != nil {
			return nil, err
		}
		defer f.Close()
		if cables, err = audit.ReadCables(list, f); err != nil {
			return nil, err
		}
	}
	net, err := inspect.Dir(ctx, dir)
	if err != nil {
		return nil, err
	}
	report := audit.Judge(net, cables)
	if selected != "" {
		err = report.Select(selected)
	}
	return report, err
}
