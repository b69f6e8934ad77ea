package main

import (
	"context"
	"errors"
	"fmt"
	"os"

	"github.com/spf13/cobra"
	"golang.org/x/term"

	"railyard/generator/fabric"
	"railyard/generator/outdir"
	"railyard/vendors/clitree"
	"railyard/vendors/diff"
)

// diffFlags are the flags of diff.
type diffFlags struct {
	running, system, format, dir, scope, selected, templates string
	ignore                                                   []string
	summary, force                                           bool
	live                                                     connection
}

func (f *diffFlags) register(cmd *cobra.Command) {
	formatFlag(cmd, &f.format, "text", "json", "patch")
	enumFlag(cmd, &f.scope, "scope", "owned", "how much of a switch counts", "owned", "full")
	cmd.Flags().StringVar(&f.running, "running", "", "directory of running configurations")
	f.live.register(cmd.Flags())
	cmd.Flags().StringVar(&f.system, "os", "", "compare two files of this operating system")
	cmd.Flags().StringVarP(&f.dir, "output", "o", "", "with --format patch: directory to write, a folder for each switch")
	cmd.Flags().BoolVar(&f.force, "force", false, "replace an output directory that railyard did not make or that was edited")
	cmd.Flags().StringArrayVar(&f.ignore, "ignore", nil, "sections and lines to leave out; may be given several times")
	cmd.Flags().StringVar(&f.selected, "select", "", "only switches that match this pattern")
	cmd.Flags().StringVar(&f.templates, "templates", "", "a site's own templates, laid over the built-in ones")
	cmd.Flags().BoolVar(&f.summary, "summary", false, "show every change once, with how many switches have it")
}

func newDiff() *cobra.Command {
	var f diffFlags
	cmd := &cobra.Command{
		Use:   "diff CLUSTER --running DIR | diff CLUSTER --targets FILE | diff --os OS RUNNING INTENDED",
		Short: "Compare running configurations with the intended ones",
		Long: `diff says what differs between the network and the cluster file, by what the
lines mean: order, spelling, ranges, hidden defaults and salted hashes are no
difference. Switches that differ in the same way are shown once.

--running DIR holds a file or a folder for each switch, plain or gzip: NAME,
NAME.cfg and the like, as Oxidized, RANCID and railyard itself lay them out.
--targets FILE reads the switches live over gNMI, as the targets file of push says
how, and changes nothing. What a switch does not show there is named as a doubt.
Of an InfiniBand fabric the directory holds the subnet manager's files, or saved
output of ibnetdiscover, ibswitches, ibhosts, saquery (NodeRecord, PKeyTableRecord)
and smpquery pkeys, under any names: nodes, cables, speeds and partition keys are
compared with the plan.
With --os two files are compared, and no cluster is needed.

--scope owned (the default) looks at what railyard manages; full wants the switch
to be exactly the intent. --ignore leaves sections and lines out: * stands for any
text, and "section / line" names a line of a section. What the site always manages
by itself is better declared in the cluster file, as management.site_sections.

--format patch prints what to type, or the JSON patch to apply, to get from
running to intended; with -o it goes into a folder for each switch. Lines with
secrets are never in it: it says where they are missing.

Exit codes follow diff(1): 0 nothing differs, 1 something does, a switch is
missing or one too many, 2 some switches could not be read or reached (the rest is
in the report) or the command could not do its job.`,
		Example: `  railyard diff cluster.yaml --running backups/
  railyard diff cluster.yaml --running backups/ --select 'leaf-*' --summary
  railyard diff cluster.yaml --running backups/ --format patch -o patches
  railyard diff cluster.yaml --targets targets.yaml --select 'leaf-*'
  railyard diff --os eos running.txt intended.txt
  railyard diff cluster.yaml --running backups/ --ignore 'interface Management*' --ignore '* / description *'`,
		ValidArgsFunction: yamlFiles,
		RunE: func(cmd *cobra.Command, args []string) error {
			report, err := f.compare(cmd, args)
			if err != nil {
				return err
			}
			if err := f.print(cmd, report); err != nil {
				return err
			}
			switch n := report.Trouble(); {
			case n > 0:
				return fmt.Errorf("not compared: %d of %d switches", n, len(report.Switches))
			case report.Differs():
				return findingsError{}
			}
			return nil
		},
	}
	f.register(cmd)
	return cmd
}

func (f *diffFlags) compare(cmd *cobra.Command, args []string) (*diff.Report, error) {
	o := diff.Options{Patch: f.format == "patch"}
	o.Ignore = f.ignore
	if f.scope == "full" {
		o.Scope = clitree.Full
	}
	switch {
	case f.dir != "" && f.format != "patch":
		return nil, errors.New("-o goes with --format patch")
	case f.system != "" && (f.running != "" || f.live.file != "" || len(args) != 2):
		return nil, errors.New("with --os, diff takes two files, RUNNING and INTENDED, and neither --running nor --targets; see railyard diff --help")
	case f.system != "":
		return comparePair(cmd, args, f.system, o)
	case f.running != "" && f.live.file != "":
		return nil, errors.New("--running and --targets are two places to find what runs (also as RAILYARD_RUNNING and RAILYARD_TARGETS): give one")
	case f.running == "" && f.live.file == "" || len(args) != 1:
		return nil, errors.New("diff takes a cluster file and --running DIR or --targets FILE, or --os OS and two files; see railyard diff --help")
	}
	in, err := read(cmd, args[0], f.templates)
	if err != nil {
		return nil, err
	}
	o.Ignore = append(o.Ignore, in.c.Management.SiteSections...)
	if f.live.file != "" {
		return f.live.diffLive(cmd, in, f.selected, o)
	}
	intent, err := in.intent(cmd)
	if err != nil {
		return nil, err
	}
	return diff.Run(cmd.Context(), f.running, f.selected, intent, o)
}

func comparePair(cmd *cobra.Command, args []string, system string, o diff.Options) (*diff.Report, error) {
	engines, err := diff.Load()
	if err != nil {
		return nil, err
	}
	was, err := diff.ReadFile(args[0], cmd.InOrStdin())
	if err != nil {
		return nil, err
	}
	want, err := diff.ReadFile(args[1], cmd.InOrStdin())
	if err != nil {
		return nil, err
	}
	return engines.Pair(system, was, want, o)
}

// intent hands the files of every switch, or of the subnet manager, to a comparison.
func (in *input) intent(cmd *cobra.Command) (diff.Intent, error) {
	if in.fabric.Technology == fabric.InfiniBand {
		return in.subnetIntent()
	}
	var out diff.Intent
	for i := range in.fabric.Switches {
		out.Switches = append(out.Switches, diff.Switch{Name: in.fabric.Switches[i].Name, OS: in.fabric.Switches[i].OS})
	}
	secrets := diff.Lenient(in.secret, func(err error) { fmt.Fprintln(cmd.ErrOrStderr(), err) })
	out.Render = func(ctx context.Context, emit func(string, []diff.File) error) error {
		return in.set.Render(ctx, in.fabric, secrets, func(sw *fabric.Switch, files []fabric.File) error {
			return emit(sw.Name, diffFiles(files))
		})
	}
	return out, nil
}

// subnetIntent is the intent of an InfiniBand fabric: its subnet manager's files.
func (in *input) subnetIntent() (diff.Intent, error) {
	m := in.set.Manager(in.fabric.InfiniBand.Manager)
	if m == nil {
		return diff.Intent{}, fmt.Errorf("there are no files for the subnet manager %q", in.fabric.InfiniBand.Manager)
	}
	files, err := m.Files(in.fabric)
	if err != nil {
		return diff.Intent{}, err
	}
	out := diff.Subnet(m.Name(), diffFiles(files))
	out.Subnet = in.fabric
	return out, nil
}

func diffFiles(files []fabric.File) []diff.File {
	out := make([]diff.File, 0, len(files))
	for _, f := range files {
		out = append(out, diff.File{Name: f.Name, Body: f.Body})
	}
	return out
}

func (f *diffFlags) print(cmd *cobra.Command, report *diff.Report) error {
	out := cmd.OutOrStdout()
	switch {
	case f.format == "json":
		return report.JSON(out)
	case f.format == "patch" && f.dir != "":
		return writePatches(cmd, report, f.dir, f.force)
	case f.format == "patch":
		return report.Patch(out, cmd.ErrOrStderr())
	}
	plain, _ := cmd.Flags().GetBool("no-color")
	file, isFile := out.(*os.File)
	colour := !plain && os.Getenv("NO_COLOR") == "" && os.Getenv("TERM") != "dumb" && isFile && term.IsTerminal(int(file.Fd()))
	return report.Text(out, diff.TextOptions{Colour: colour, Summary: f.summary})
}

func writePatches(cmd *cobra.Command, report *diff.Report, dir string, force bool) error {
	d, err := outdir.Open(dir, outdir.Options{Force: force, Version: version()})
	if err != nil {
		return err
	}
	n, err := report.Patches(func(name string, body []byte) error { return d.Write(name, outdir.Secret, body) })
	if err != nil {
		return errors.Join(err, d.Abort())
	}
	if _, err := d.Commit(); err != nil {
		return err
	}
	fmt.Fprintf(cmd.OutOrStdout(), "%s: patches of %d switches\n", dir, n)
	return nil
}
