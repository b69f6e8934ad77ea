// Command railyard designs and configures the network of a GPU cluster.
package main

import (
	"context"
	"errors"
	"io"
	"os"
	"os/signal"
	"syscall"

	"github.com/spf13/cobra"
)

// Exit codes follow diff(1) and kubectl.
const (
	exitDiffers     = 1   // findings at or above --fail-on, or differences
	exitTrouble     = 2   // the command could not do its job
	exitStands      = 3   // a push that stands unconfirmed or was brought back
	exitInterrupted = 130 // stopped by the user
)

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	context.AfterFunc(ctx, stop) // the first asks to stop, the second ends it at once
	code := run(ctx, os.Args[1:], os.Stdin, os.Stdout, os.Stderr)
	stop()
	os.Exit(code)
}

// run is main with everything it touches as an argument, for tests.
func run(ctx context.Context, args []string, stdin io.Reader, stdout, stderr io.Writer) int {
	root := newRoot()
	root.SetArgs(args)
	root.SetIn(stdin)
	root.SetOut(stdout)
	root.SetErr(stderr)
	err := root.ExecuteContext(ctx)
	var findings findingsError
	var stands standsError
	switch {
	case err == nil:
		return 0
	case errors.As(err, &stands): // also when it was the user who stopped it
		fail(root, err.Error())
		return exitStands
	case ctx.Err() != nil:
		fail(root, "interrupted")
		return exitInterrupted
	case errors.As(err, &findings):
		return exitDiffers
	}
	fail(root, err.Error())
	return exitTrouble
}

// findingsError ends a command that did its job and found something.
type findingsError struct{}

func (findingsError) Error() string { return "there are findings" }

func newRoot() *cobra.Command {
	root := &cobra.Command{
		Use:   "railyard",
		Short: "Design and configure the network of a GPU cluster",
		Long: `railyard turns one cluster file into a whole network: topology, cabling,
addresses, the lossless plan, and the configuration of every switch.

Start with   railyard init > cluster.yaml
look at it   railyard plan cluster.yaml
write it     railyard generate cluster.yaml -o out

Results go to stdout, progress and findings to stderr. Exit codes: 0 done,
1 findings at or above --fail-on, 2 the command could not do its job (bad input
included), 3 a push that stands unconfirmed or was brought back, 130 interrupted.
Every flag can also be set by an environment variable: RAILYARD_ and its name in
upper case, - written as _.`,
		SilenceUsage:  true,
		SilenceErrors: true,
		PersistentPreRunE: func(cmd *cobra.Command, _ []string) error {
			if err := flagsFromEnvironment(cmd); err != nil {
				return err
			}
			useLogFormat(cmd)
			return nil
		},
	}
	logFormatFlag(root)
	root.PersistentFlags().BoolP("quiet", "q", false, "print results and errors only, no progress or findings on stderr")
	root.PersistentFlags().Bool("no-color", false, "no colour (also NO_COLOR)")
	root.AddCommand(newInit(), newValidate(), newPlan(), newGenerate(), newCatalog(), newAdvise(), newAudit(), newDiff(), newPush(), newSchema(), newVersion())
	return root
}
