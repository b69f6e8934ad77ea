package diff

import (
	"context"
	"fmt"
	"sync"

	"golang.org/x/sync/errgroup"

	"railyard/generator/fabric"
	"railyard/generator/hostlist"
	"railyard/vendors/clitree"
)

// Intent is what a cluster wants: its switches and what makes their files. Render
// calls emit for each, several at once.
type Intent struct {
	Switches []Switch
	Render   func(ctx context.Context, emit func(name string, files []File) error) error
	// Subnet is an InfiniBand fabric that saved records of it are held against; nil
	// for others.
	Subnet *fabric.Fabric
}

// Run compares the running configurations of a directory with an intent. selected
// is a host list or glob of switches, "" for all.
func Run(ctx context.Context, dir, selected string, intent Intent, o Options) (*Report, error) {
	all := make([]string, 0, len(intent.Switches))
	for _, sw := range intent.Switches {
		all = append(all, sw.Name)
	}
	// Files are matched against all names, or those of switches left out would be
	// taken for extra ones.
	files := len(all) == 1 && all[0] == SubnetManager
	open := func([]Switch) (*Source, error) { return openDir(dir, all, files) }
	return From(ctx, open, 0, selected, intent, o)
}

// From compares what any source has with an intent; open is told which switches
// were selected. Of a source that keeps its readers waiting, so many switches are
// read at once; 0: as many as Render makes at once.
func From(ctx context.Context, open func([]Switch) (*Source, error), parallel int, selected string, intent Intent, o Options) (*Report, error) {
	if err := clitree.CheckIgnore(o.Ignore); err != nil {
		return nil, err
	}
	engines, err := Load()
	if err != nil {
		return nil, err
	}
	switches, err := chosen(intent.Switches, selected)
	if err != nil {
		return nil, err
	}
	source, err := open(switches)
	if err != nil {
		return nil, err
	}
	if selected != "" {
		source.Others = nil
	}
	s := NewSession(engines, source, switches, o)
	if parallel <= 0 {
		err = intent.Render(ctx, func(name string, files []File) error { return s.Add(ctx, name, files) })
	} else {
		err = s.ahead(ctx, parallel, intent)
	}
	if err != nil {
		return nil, err
	}
	r := s.Report()
	if intent.Subnet != nil {
		s.records(r, intent.Subnet)
	}
	return r, nil
}

// ahead lets the intent of more switches be made while others are waited for, but
// of no more than are read at once.
func (s *Session) ahead(ctx context.Context, parallel int, intent Intent) error {
	work, inner := errgroup.WithContext(ctx)
	work.SetLimit(parallel)
	err := intent.Render(inner, func(name string, files []File) error {
		if _, ok := s.order[name]; ok {
			work.Go(func() error { return s.Add(inner, name, files) })
		}
		return inner.Err()
	})
	if failed := work.Wait(); failed != nil {
		return failed
	}
	return err
}

func chosen(all []Switch, selected string) ([]Switch, error) {
	if selected == "" {
		return all, nil
	}
	list, err := hostlist.Parse(selected)
	if err != nil {
		return nil, fmt.Errorf("--select: %w", err)
	}
	var out []Switch
	for _, sw := range all {
		if list.Match(sw.Name) {
			out = append(out, sw)
		}
	}
	if len(out) == 0 {
		return nil, fmt.Errorf("--select %s: no switch of the cluster has such a name", selected)
	}
	return out, nil
}

// foreignHash is no password hash of any system, so that drivers leave its user out.
const foreignHash = "-"

// Lenient fetches secrets for a comparison: hashes are compared by form only, so
// one that cannot be fetched leaves its user out instead of stopping everything.
// tell is told of each, once.
func Lenient(secrets fabric.Secrets, tell func(error)) fabric.Secrets {
	var mu sync.Mutex
	told := map[fabric.Secret]bool{}
	return func(s fabric.Secret) (string, error) {
		v, err := secrets(s)
		if err == nil {
			return v, nil
		}
		mu.Lock()
		defer mu.Unlock()
		if !told[s] {
			told[s] = true
			tell(fmt.Errorf("users with this password are not compared: %w", err))
		}
		return foreignHash, nil
	}
}
