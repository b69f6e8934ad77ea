package main

import (
	"fmt"
	"os"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"railyard/vendors/diff"
	"railyard/vendors/diff/live"
	"railyard/vendors/rollout"
	"railyard/vendors/rollout/targets"
	"railyard/vendors/sonic"
)

// connection are the flags of commands that talk to switches.
type connection struct {
	file     string
	insecure bool
	parallel int
}

func (c *connection) register(f *pflag.FlagSet) {
	f.StringVar(&c.file, "targets", "", "how the switches are reached; generate writes one to start from (inventory/targets.yaml)")
	f.IntVar(&c.parallel, "max-parallel", 32, "switches talked to at once")
	f.BoolVar(&c.insecure, "insecure", false, "permit insecure and skip-verify of the targets file: no protection against eavesdropping and forged switches")
}

// targets reads the targets file and says how the files it names are opened.
func (c *connection) targets() (*targets.File, targets.Files, error) {
	f, err := os.Open(c.file)
	if err != nil {
		return nil, nil, err
	}
	defer f.Close()
	list, err := targets.Read(c.file, f)
	return list, targets.Beside(c.file), err
}

// diffLive compares a cluster's switches with what they run.
func (c *connection) diffLive(cmd *cobra.Command, in *input, selected string, o diff.Options) (*diff.Report, error) {
	list, open, err := c.targets()
	if err != nil {
		return nil, err
	}
	intent, err := in.intent(cmd)
	if err != nil {
		return nil, err
	}
	return live.Run(cmd.Context(), selected, intent, o, live.Options{
		Fabric: in.fabric, Targets: list, Open: open, Insecure: c.insecure, MaxParallel: c.parallel,
		Tables: sonic.OwnTables(), OpenConfig: rollout.OpenConfig,
		Warn: func(s string) { fmt.Fprintln(cmd.ErrOrStderr(), "warning:", s) }, // loud whatever was said
	})
}
