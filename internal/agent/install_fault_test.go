//go:build linux

package agent

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
// It gives the steps that were started.
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

// Whatever step is the last, each file is as it was or as it is to be, and doing it again finishes it.
func TestApplyInterrupted(t *testing.T) {
	for name, c := range map[string]struct {
		host     string
		scope    Scope
		settings string // before the installation; "" for no file
		plan     func(Where) (*Plan, error)
		done     State
		die      bool
	}{
		"install fails": {Claude, Project, "{\"a\": 1} // mine\n", Install, Complete, false},
		"remove fails":  {Claude, Project, "{\"a\": 1} // mine\n", Remove, Absent, false},
		"install dies":  {Copilot, User, "", Install, Complete, true},
		"remove dies":   {Copilot, User, "", Remove, Absent, true},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			for n, last := 1, 1; n <= last; n++ {
				w := newWhere(t, c.host, c.scope)
				if s, _ := w.setup(); c.settings != "" {
					put(t, w.path(s.settings), []byte(c.settings))
				}
				if c.done == Absent {
					install(t, w)
				}
				p := planned(t, c.plan, w)
				root := filepath.Dir(w.Project)
				before := treeOf(t, root)
				steps, err := applyTo(p, n, c.die)
				last = max(last, steps)
				checkInterrupted(t, p, root, before, err, c.die)
				apply(t, planned(t, c.plan, w))
				p = planned(t, c.plan, w)
				if p.State != c.done || len(p.Changes) > 0 {
					t.Fatalf("step %d: then %s, with %d changes", n, p.State, len(p.Changes))
				}
			}
		})
	}
}

// checkInterrupted checks what a change leaves that was cut short.
func checkInterrupted(t *testing.T, p *Plan, root string, before tree, err error, died bool) {
	t.Helper()
	is, done := treeOf(t, root), 0
	for _, c := range p.Changes {
		name, _ := filepath.Rel(root, c.Path)
		name = filepath.ToSlash(name)
		now, there := is[name]
		if _, text, _ := strings.Cut(now, " "); there == (c.After != nil) && text == string(c.After) {
			done++
		} else if now != before[name] {
			t.Fatalf("%s is neither: %q", name, now)
		}
		delete(is, name)
	}
	for name, now := range is {
		left := died && strings.HasSuffix(name, ".tmp") // which the next change removes
		if now != before[name] && !strings.HasPrefix(now, "d") && !left {
			t.Fatalf("%s became %.80q", name, now)
		}
	}
	if died || err == nil && done == len(p.Changes) { // the last sync alone may fail
		return
	}
	wantError(t, err, Failed)
	said := strings.Contains(err.Error(), "were done before it")
	if !errors.Is(err, syscall.ENOSPC) || done > 1 && !said || done == 0 && said {
		t.Fatalf("%d files done, and: %v", done, err)
	}
}
