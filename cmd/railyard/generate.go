package main

import (
	"errors"
	"fmt"
	"os"
	"sync"

	"github.com/schollz/progressbar/v3"
	"github.com/spf13/cobra"
	"golang.org/x/term"

	"railyard/generator"
	"railyard/generator/outdir"
	"railyard/generator/plan"
	"railyard/vendors/bundle"
)

func newGenerate() *cobra.Command {
	var dir, templates string
	var force bool
	var allow []string
	cmd := &cobra.Command{
		Use:   "generate CLUSTER -o DIR",
		Short: "Write the configuration of every switch and all lists into a directory",
		Long: `generate designs the cluster and writes the whole output directory:

  manifest.json         version, digests and sizes of all files
  plan.json             the design, machine-readable
  cabling.csv           one link a line; cabling.xlsx the same as a workbook
  addressing.csv        every address
  switches/NAME/        each switch's files under the names it uses itself
  subnet-manager/       for InfiniBand: the subnet manager's files
  inventory/            DHCP entries for switches that boot without touch

The directory is written beside itself and swapped in when complete: an error or
an interruption leaves the old one as it was. A directory that railyard did not
make, or that someone edited, is refused unless --force. Unchanged files keep
their modification time.

Findings of severity error stop it (exit 2) unless --allow names their code. Every
line of a command-line OS is held to that OS's grammar: a line of your own
templates that no document confirms is a warning, TEMPLATE_LINE_UNCONFIRMED.`,
		Example: `  railyard generate cluster.yaml -o out
  railyard generate cluster.yaml -o out --templates ./templates`,
		Args:              oneCluster,
		ValidArgsFunction: yamlFiles,
		RunE: func(cmd *cobra.Command, args []string) error {
			if dir == "" {
				return fmt.Errorf("generate needs -o DIR, the directory to write")
			}
			in, err := read(cmd, args[0], templates)
			if err != nil {
				return err
			}
			users, err := in.set.CheckUsers(in.fabric, in.secret)
			if err != nil {
				return err
			}
			in.fabric.Findings = append(in.fabric.Findings, users...)
			generator.SortFindings(in.fabric.Findings)
			quiet, _ := cmd.Flags().GetBool("quiet")
			sum, err := bundle.Generate(cmd.Context(), in.fabric, in.set, bundle.Options{
				Dir: dir, Out: outdir.Options{Force: force, Version: version(), ClusterDigest: in.digest},
				Outputs: in.c.Outputs, Allow: allow, Secrets: in.secret, BootServer: in.c.Management.BootServer, Progress: progress(cmd, quiet),
			})
			if !quiet { // afterwards, because writing finds something too
				err = errors.Join(err, plan.Brief(cmd.ErrOrStderr(), in.fabric.Findings))
			}
			if err != nil {
				return err
			}
			fmt.Fprintf(cmd.OutOrStdout(), "%s: %d files, %d bytes (%d new, %d changed, %d removed)\n", dir, sum.Files, sum.Bytes, sum.Added, sum.Changed, sum.Removed)
			return nil
		},
	}
	cmd.Flags().StringVarP(&dir, "output", "o", "", "directory to write; replaced as a whole")
	cmd.Flags().StringVar(&templates, "templates", "", "a site's own templates, a folder per OS, laid over the built-in ones file by file")
	cmd.Flags().BoolVar(&force, "force", false, "replace a directory that railyard did not make or that was edited")
	cmd.Flags().StringSliceVar(&allow, "allow", nil, "overrule error findings with these codes")
	return cmd
}

// progress draws a bar on stderr when it is a terminal.
func progress(cmd *cobra.Command, quiet bool) func(done, total int) {
	f, ok := cmd.ErrOrStderr().(*os.File)
	if quiet || !ok || !term.IsTerminal(int(f.Fd())) {
		return nil
	}
	var once sync.Once
	var bar *progressbar.ProgressBar
	return func(_, total int) {
		once.Do(func() {
			bar = progressbar.NewOptions(total, progressbar.OptionSetWriter(f), progressbar.OptionSetDescription("switches"),
				progressbar.OptionShowCount(), progressbar.OptionClearOnFinish())
		})
		_ = bar.Add(1) // a broken progress bar is no reason to fail
	}
}
