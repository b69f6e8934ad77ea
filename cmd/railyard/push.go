package main

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"os"
	"strings"

	"github.com/spf13/cobra"
	"golang.org/x/term"

	"railyard/generator/fabric"
	"railyard/vendors"
	"railyard/vendors/rollout"
)

// standsError ends a push after which not every switch is as declared: it stands
// unconfirmed, was brought back, or cannot be read.
type standsError struct{ error }

// pushFlags are the flags of push.
type pushFlags struct {
	o                     rollout.Options
	at                    connection
	templates, format     string
	yes, resume, rollback bool
}

func (p *pushFlags) register(cmd *cobra.Command) {
	f, o := cmd.Flags(), &p.o
	p.at.register(f)
	f.StringVar(&p.templates, "templates", "", "a site's own templates, laid over the built-in ones")
	f.BoolVarP(&p.yes, "yes", "y", false, "do not ask")
	f.BoolVar(&o.DryRun, "dry-run", false, "print what would be sent and change nothing")
	f.BoolVar(&p.resume, "resume", false, "go on with the last push of the journal")
	f.BoolVar(&p.rollback, "rollback", false, "bring every switch of the last push back to what it was before")
	f.StringArrayVar(&o.Select, "select", nil, "only these switches, by name, glob or host list; with ! in front all but these; may be given several times")
	f.StringArrayVar(&o.Ignore, "ignore", nil, "sections and lines to leave alone, as diff takes them; may be given several times")
	f.IntVar(&o.WaveSize, "wave-size", 32, "most switches of a wave; -1: as many as redundancy allows")
	f.DurationVar(&o.Pause, "pause-between", 0, "wait between waves")
	f.DurationVar(&o.Pause, "pause", 0, "short for --pause-between")
	f.IntVar(&o.StopAfter, "stop-after", 1, "stop after that many failures; a canary's always stops")
	f.DurationVar(&o.CommitTimeout, "commit-confirm", rollout.DefaultCommitTimeout, "an unconfirmed switch reverts by itself after this time, where it can")
	f.DurationVar(&o.VerifyTimeout, "verify-timeout", rollout.DefaultVerifyTimeout, "time for a switch to come back with its sessions and neighbours")
	f.StringVar(&o.Journal, "journal", "railyard-push", "folder of the journal")
	f.StringSliceVar(&o.Allow, "allow", nil, "overrule error findings with these codes")
	formatFlag(cmd, &p.format, "text", "json")
	cmd.MarkFlagsMutuallyExclusive("resume", "rollback", "select") // the journal says which switches
	// These flags exist.
	_ = cmd.MarkFlagRequired("targets")
	_ = f.MarkHidden("pause")
}

func newPush() *cobra.Command {
	p := pushFlags{o: rollout.Options{OpenConfig: rollout.OpenConfig}}
	cmd := &cobra.Command{
		Use:   "push CLUSTER --targets FILE",
		Short: "Bring live switches to the intent over gNMI: staged, verified, reversible",
		Long: `push reads every switch, shows what differs, asks, and then changes them in
waves that redundancy allows: one canary of each tier, OS and model first, never
two spines of one leaf, never both planes, one rail at a time. Each switch is
read back over a new connection, and its BGP sessions and LLDP neighbours must be
as before. When a wave holds it is confirmed; when one switch of it fails the wave
goes back and the push stops.

Where a switch can, it reverts by itself unless confirmed (--commit-confirm), and
is asked to wait longer while others of its wave are not ready; elsewhere railyard
keeps what was there and restores it. A switch that never answers is read until it
shows what it did; when that stays open, it is reported as uncertain. A journal
lets a push that was interrupted go on (--resume) or back (--rollback).

What does not go over gNMI is listed for each switch before anything is sent, with
the file and the commands that load it. Lines with secrets are never sent.

Exit codes: 0 all selected switches are as declared, 2 nothing was changed,
3 some switches were brought back, stand unconfirmed, or cannot be told to be well;
130 interrupted before anything was left open.`,
		Example: `  railyard push cluster.yaml --targets out/inventory/targets.yaml --dry-run
  railyard push cluster.yaml --targets targets.yaml --select 'leaf-*' --select '!leaf-u01-*'
  railyard push cluster.yaml --targets targets.yaml --rollback`,
		Args:              oneCluster,
		ValidArgsFunction: yamlFiles,
		RunE: func(cmd *cobra.Command, args []string) error {
			report, err := p.run(cmd, args[0])
			return errors.Join(show(cmd, report, p.format), stands(err))
		},
	}
	p.register(cmd)
	return cmd
}

func (p *pushFlags) run(cmd *cobra.Command, cluster string) (*rollout.Report, error) {
	in, err := read(cmd, cluster, p.templates)
	if err != nil {
		return nil, err
	}
	o := &p.o
	if o.Differ, err = vendors.NewDiffer(); err != nil {
		return nil, err
	}
	if o.Targets, o.Open, err = p.at.targets(); err != nil {
		return nil, err
	}
	o.Fabric, o.Insecure, o.MaxParallel = in.fabric, p.at.insecure, p.at.parallel
	o.Ignore = append(o.Ignore, in.c.Management.SiteSections...)
	o.Render = func(ctx context.Context, emit func(*fabric.Switch, []fabric.File) error) error {
		return in.set.Render(ctx, in.fabric, in.secret, emit)
	}
	quiet, _ := cmd.Flags().GetBool("quiet")
	w, structured := events(cmd)
	tell := rollout.Print(w, structured)
	o.Events = func(e rollout.Event) {
		if !quiet || e.Phase == "security" { // loud whatever was said
			tell(e)
		}
	}
	o.Confirm = ask(cmd, p.yes, quiet || structured)
	switch {
	case p.resume:
		return rollout.Resume(cmd.Context(), *o)
	case p.rollback:
		return rollout.Rollback(cmd.Context(), *o)
	}
	return rollout.Push(cmd.Context(), *o)
}

// stands marks the errors that end with exit code 3.
func stands(err error) error {
	var stopped *rollout.StoppedError
	if errors.As(err, &stopped) {
		return standsError{err}
	}
	return err
}

// show prints how it ended, or what a dry run would send.
func show(cmd *cobra.Command, r *rollout.Report, format string) error {
	out := cmd.OutOrStdout()
	switch {
	case r == nil:
		return nil
	case r.Preview != nil && format == "json":
		return r.Preview.JSON(out)
	case r.Preview != nil:
		return errors.Join(r.Preview.Text(out), r.Preview.RequestsText(out))
	case format == "json":
		return r.JSON(out)
	}
	return r.Text(out)
}

// ask shows the preview and asks, unless yes was said; without a terminal nobody
// could answer. Brief, it shows only what it must ask about.
func ask(cmd *cobra.Command, yes, brief bool) func(*rollout.Preview) (bool, error) {
	return func(p *rollout.Preview) (bool, error) {
		if yes && brief {
			return true, nil
		}
		if err := p.Text(cmd.ErrOrStderr()); err != nil || yes {
			return yes, err
		}
		if !terminal(cmd.InOrStdin()) {
			return false, errors.New("nothing was sent, because there is no terminal to ask on: look at --dry-run, then say --yes")
		}
		prompt := fmt.Sprintf("change %d switches? Only yes goes on: ", p.Changing())
		if _, structured := events(cmd); structured {
			prompt += "\n" // or it would wait for the rest of its line
		}
		fmt.Fprint(cmd.ErrOrStderr(), prompt)
		line, err := bufio.NewReader(cmd.InOrStdin()).ReadString('\n')
		return strings.TrimSpace(line) == "yes", err
	}
}

// terminal reports whether a stream of the command is one.
func terminal(stream any) bool {
	f, ok := stream.(*os.File)
	return ok && term.IsTerminal(int(f.Fd()))
}
