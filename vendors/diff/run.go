package diff

import (
	"context"
	"fmt"
	"sync"

	"railyard/generator/fabric"
	"railyard/generator/hostlist"
)

// Intent is what a cluster wants: its switches and what makes their files. Render
// calls emit for each, several at once.
type Intent struct {
	Switches []Switch
	Render   func(ctx context.Context, emit func(name string, files []File) error) error
}

// Run compares the running configurations of a directory with an intent. selected
// is a host list or glob of switches, "" for all.
func Run(ctx context.Context, dir, selected string, intent Intent, o Options) (*Report, error) {
	engines, err := Load()
	if err != nil {
		return nil, err
	}
	all := make([]string, 0, len(intent.Switches))
	for _, sw := range intent.Switches {
		all = append(all, sw.Name)
	}
	// Files are matched against all names, or those of switches left out would be
	// taken for extra ones.
	source, err := Dir(dir, all)
	if err != nil {
		return nil, err
	}
	switches := intent.Switches
	if selected != "" {
		list, err := hostlist.Parse(selected)
		if err != nil {
			return nil, fmt.Errorf("--select: %w", err)
		}
		switches = nil
		for _, sw := range intent.Switches {
			if list.Match(sw.Name) {
				switches = append(switches, sw)
			}
		}
		if len(switches) == 0 {
			return nil, fmt.Errorf("--select %s: no switch of the cluster has such a name", selected)
		}
		source.Others = nil
	}
	s := NewSession(engines, source, switches, o)
	err = intent.Render(ctx, func(name string, files []File) error { return s.Add(ctx, name, files) })
	if err != nil {
		return nil, err
	}
	return s.Report(), nil
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
