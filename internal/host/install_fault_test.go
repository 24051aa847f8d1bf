//go:build linux

package host

import (
	"errors"
	"path/filepath"
	"runtime"
	"strings"
	"sync"
	"syscall"
	"testing"

	"github.com/gsd-cli/gsd/internal/durable"
)

// applyTo carries a plan out as far as step n, where it fails or, if it is to die, is gone as in a crash. 0 is never.
// It gives the steps that were begun.
func applyTo(p *Plan, n int, die bool) (steps int, err error) {
	p.writer = durable.Writer{Before: func(durable.Step) error {
		if steps++; steps != n {
			return nil
		}
		if die {
			runtime.Goexit()
		}
		return syscall.ENOSPC
	}}
	var wg sync.WaitGroup
	wg.Go(func() { err = p.Apply() })
	wg.Wait()
	return steps, err
}

// withoutTemps is a tree without what a crashed writer leaves, which nobody but a person takes away.
func (all tree) withoutTemps() tree {
	kept := tree{}
	for name, is := range all {
		if base := filepath.Base(name); !strings.HasPrefix(base, ".") || !strings.HasSuffix(base, ".tmp") {
			kept[name] = is
		}
	}
	return kept
}

// interruption is a change that is cut short.
type interruption struct {
	host     string
	scope    Scope
	settings string // before the installation; nothing for no file
	plan     func(Where) (*Plan, error)
	ready    State // when it is done
	die      bool
}

// Whatever step is the last, each file is as it was or as it is to be, and doing it again finishes it.
func TestApplyInterrupted(t *testing.T) {
	const theirs = "{\"a\": 1} // mine\n"
	for name, i := range map[string]interruption{
		"install fails": {Claude, Project, theirs, Install, Complete, false},
		"remove fails":  {Claude, Project, theirs, Remove, Absent, false},
		"install dies":  {Copilot, User, "", Install, Complete, true},
		"remove dies":   {Copilot, User, "", Remove, Absent, true},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			p, _, _ := i.begin(t)
			last, err := applyTo(p, 0, false)
			if err != nil || last < 2*len(p.Changes) {
				t.Fatalf("%d steps, %v", last, err)
			}
			for n := 1; n <= last; n++ {
				i.cut(t, n)
			}
		})
	}
}

// begin plans the change, in a tree of its own, and gives that as it is before it.
func (i interruption) begin(t *testing.T) (p *Plan, root string, before tree) {
	t.Helper()
	w := newWhere(t, i.host, i.scope)
	root = filepath.Dir(w.Project)
	if s, _ := w.setup(); i.settings != "" {
		put(t, w.path(s.settings), []byte(i.settings))
	}
	if i.ready == Absent {
		install(t, w)
	}
	p, err := i.plan(w)
	return mustPlan(t, p, err), root, treeOf(t, root)
}

// cut cuts the change short at step n, looks at what is there, and goes on.
func (i interruption) cut(t *testing.T, n int) {
	t.Helper()
	p, root, before := i.begin(t)
	_, err := applyTo(p, n, i.die)
	is := treeOf(t, root)
	if i.die {
		is = is.withoutTemps()
	}
	done, ours := 0, map[string]bool{}
	for _, c := range p.Changes {
		name, _ := filepath.Rel(root, c.Path)
		name = filepath.ToSlash(name)
		ours[name] = true
		now, there := is[name]
		if _, text, _ := strings.Cut(now, " "); there == (c.After != nil) && text == string(c.After) {
			done++
		} else if now != before[name] {
			t.Fatalf("step %d: %s is neither: %q", n, name, now)
		}
	}
	for name, now := range is {
		if !ours[name] && now != before[name] && !strings.HasPrefix(now, "d") {
			t.Fatalf("step %d: %s became %.80q", n, name, now)
		}
	}
	switch {
	case i.die:
	case err == nil: // the last sync alone may fail
		if done != len(p.Changes) {
			t.Fatalf("step %d: no error, and %d of %d files done", n, done, len(p.Changes))
		}
	default:
		wantError(t, err, Failed)
		told := strings.Contains(err.Error(), "done before it")
		if !errors.Is(err, syscall.ENOSPC) || done > 1 && !told || done == 0 && told {
			t.Fatalf("step %d: %d files done, and: %v", n, done, err)
		}
	}
	p, err = i.plan(p.Where)
	apply(t, mustPlan(t, p, err))
	p, err = i.plan(p.Where)
	if mustPlan(t, p, err); p.State != i.ready || len(p.Changes) > 0 {
		t.Fatalf("step %d: then %s, with %d changes", n, p.State, len(p.Changes))
	}
}
