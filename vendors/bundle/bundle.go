// Package bundle delivers a designed fabric as files: it runs the drivers and
// the exports side by side into one output directory.
package bundle

import (
	"context"
	"errors"
	"fmt"
	"io"
	"path"
	"slices"
	"strings"
	"sync/atomic"

	"golang.org/x/sync/errgroup"

	"railyard/generator"
	"railyard/generator/cabling"
	"railyard/generator/fabric"
	"railyard/generator/outdir"
	"railyard/generator/plan"
	"railyard/vendors"
	"railyard/vendors/rollout/targets"
	"railyard/vendors/ztp"
)

// Options are the choices of one run.
type Options struct {
	Dir     string
	Out     outdir.Options
	Outputs []string       // sections to write: switches, cabling (plan.json is always written)
	Allow   []string       // codes of error findings that an expert overrules
	Secrets fabric.Secrets // fetches password hashes
	// BootServer is the URL under which the directory will be served to switches
	// that boot without touch; "" writes a placeholder.
	BootServer string
	Progress   func(done, total int) // called after each switch; may be nil; must be safe for concurrent use
}

// RefusedError says which findings stand against generating.
type RefusedError struct{ Findings []fabric.Finding }

// Error lists the findings, one a line.
func (e *RefusedError) Error() string {
	lines := []string{"the design has errors; nothing was written"}
	for i := range e.Findings {
		f := &e.Findings[i]
		line := fmt.Sprintf("%s: %s", f.Code, f.Message)
		if f.Remedy != "" {
			line += " (" + f.Remedy + ")"
		}
		lines = append(lines, line)
	}
	return strings.Join(lines, "\n")
}

// Generate writes the whole output directory, or nothing: on any error, and
// when ctx is cancelled, the old directory stays as it was. The fabric must have
// been named and checked by the same set; what the grammars say about the rendered
// lines is added to its findings, whatever comes back. A finding of severity error
// that is not allowed, and a switch whose OS has no driver, come back as
// *RefusedError.
func Generate(ctx context.Context, f *fabric.Fabric, set *vendors.Set, opt Options) (outdir.Summary, error) {
	if err := gate(f, opt); err != nil {
		return outdir.Summary{}, err
	}
	dir, err := outdir.Open(opt.Dir, opt.Out)
	if err != nil {
		return outdir.Summary{}, err
	}
	if err := fill(ctx, dir, f, set, opt); err != nil {
		return outdir.Summary{}, errors.Join(err, dir.Abort())
	}
	return dir.Commit()
}

func gate(f *fabric.Fabric, opt Options) error {
	var against []fabric.Finding
	for _, x := range f.Findings {
		refused := x.Severity == fabric.Error || (x.Code == vendors.NoDriver && slices.Contains(opt.Outputs, "switches"))
		if refused && !slices.Contains(opt.Allow, x.Code) {
			against = append(against, x)
		}
	}
	if len(against) > 0 {
		return &RefusedError{against}
	}
	return nil
}

func fill(ctx context.Context, dir *outdir.Dir, f *fabric.Fabric, set *vendors.Set, opt Options) error {
	boot, err := set.Boot(opt.BootServer)
	if err != nil {
		return err
	}
	work, inner := errgroup.WithContext(ctx)
	stream := func(name string, text func(io.Writer, *fabric.Fabric) error) {
		work.Go(func() error { return export(inner, dir, name, f, text) })
	}
	if slices.Contains(opt.Outputs, "cabling") {
		stream("cabling.csv", cabling.CSV)
		stream("addressing.csv", cabling.Addressing)
		stream("cabling.xlsx", cabling.Workbook)
	}
	lines := set.CheckLines(f)
	if slices.Contains(opt.Outputs, "switches") {
		work.Go(func() error { return switches(inner, dir, f, set, boot, lines, opt) })
		work.Go(func() error { return subnetManager(dir, f, set) })
	}
	if slices.Contains(opt.Outputs, "inventory") {
		stream("inventory/targets.yaml", targets.Write)
		work.Go(func() error {
			dhcp, err := boot.DHCP(f)
			if err != nil {
				return err
			}
			return write(dir, path.Join("inventory", dhcp.Name), dhcp)
		})
	}
	if err := work.Wait(); err != nil {
		return err
	}
	f.Findings = slices.DeleteFunc(f.Findings, func(x fabric.Finding) bool { return x.Code == vendors.TemplateLine })
	f.Findings = append(f.Findings, lines.Findings()...)
	generator.SortFindings(f.Findings)
	if err := gate(f, opt); err != nil {
		return err
	}
	// The plan comes last: it lists what was found while the rest was written.
	return export(ctx, dir, "plan.json", f, plan.JSON)
}

func export(ctx context.Context, dir *outdir.Dir, name string, f *fabric.Fabric, text func(io.Writer, *fabric.Fabric) error) error {
	w, err := dir.Create(name, outdir.Public)
	if err != nil {
		return err
	}
	err = text(ctxWriter{ctx, w}, f)
	return errors.Join(err, w.Close())
}

func switches(ctx context.Context, dir *outdir.Dir, f *fabric.Fabric, set *vendors.Set, boot *ztp.Writer, lines *vendors.Lines, opt Options) error {
	var done atomic.Int64
	return set.Render(ctx, f, opt.Secrets, func(sw *fabric.Switch, files []fabric.File) error {
		if err := lines.Add(sw, files); err != nil {
			return err
		}
		first, err := boot.Files(sw, files)
		if err != nil {
			return err
		}
		for _, file := range slices.Concat(files, first) {
			if err := write(dir, path.Join("switches", sw.Name, file.Name), file); err != nil {
				return err
			}
		}
		if opt.Progress != nil {
			opt.Progress(int(done.Add(1)), len(f.Switches))
		}
		return nil
	})
}

func subnetManager(dir *outdir.Dir, f *fabric.Fabric, set *vendors.Set) error {
	if f.Technology != fabric.InfiniBand {
		return nil
	}
	m := set.Manager(f.InfiniBand.Manager)
	if m == nil {
		return nil // the gate let it pass on the user's word
	}
	files, err := m.Files(f)
	if err != nil {
		return err
	}
	for _, file := range files {
		if err := write(dir, path.Join("subnet-manager", file.Name), file); err != nil {
			return err
		}
	}
	return nil
}

func write(dir *outdir.Dir, name string, file fabric.File) error {
	mode := outdir.Public
	if file.Secret {
		mode = outdir.Secret
	}
	return dir.Write(name, mode, file.Body)
}

// ctxWriter ends a long export when the run is cancelled.
type ctxWriter struct {
	ctx context.Context
	w   io.Writer
}

func (c ctxWriter) Write(p []byte) (int, error) {
	if err := c.ctx.Err(); err != nil {
		return 0, err
	}
	return c.w.Write(p)
}
