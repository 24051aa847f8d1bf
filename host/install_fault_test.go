//go:build linux

package host

import (
	"errors"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"sync"
	"syscall"
	"testing"

	sys "golang.org/x/sys/unix"

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

// What is no file does not hang, and is not written to.
func TestInstallFIFO(t *testing.T) {
	for host, scope := range places {
		w := newWhere(t, host, scope)
		s, _ := w.setup()
		names := []string{s.settings}
		if len(s.files) > 0 {
			names = append(names, s.files[len(s.files)-1].path)
		}
		for _, name := range names {
			if name == "" {
				continue
			}
			if err := os.MkdirAll(filepath.Dir(w.path(name)), 0o755); err != nil {
				t.Fatal(err)
			}
			if err := sys.Mkfifo(w.path(name), 0o644); err != nil {
				t.Skip("no FIFOs here: ", err)
			}
			before := treeOf(t, w.base())
			_, err := Install(w)
			wantError(t, err, Refused)
			_, err = Remove(w)
			wantError(t, err, Refused)
			sameTree(t, name, treeOf(t, w.base()), before)
			if err := os.Remove(w.path(name)); err != nil {
				t.Fatal(err)
			}
		}
	}
}

// asNobody does something with no more rights than anybody has.
func asNobody(t *testing.T, do func()) {
	t.Helper()
	if os.Geteuid() != 0 {
		do()
		return
	}
	runtime.LockOSThread()
	defer runtime.UnlockOSThread()
	if err := sys.Setfsuid(65534); err != nil {
		t.Skip(err)
	}
	defer sys.Setfsuid(0)
	do()
}

func TestInstallDenied(t *testing.T) {
	for name, c := range map[string]struct {
		file string // that loses its rights
		mode os.FileMode
		late bool // seen only when it is written
	}{
		"settings cannot be read":       {"settings.json", 0, false},
		"a command cannot be read":      {"commands/gsd/status.md", 0, false},
		"the directory cannot be read":  {"", 0, false},
		"the directory is closed":       {"", 0o555, true},
		"the commands cannot be looked": {"commands", 0o644, false},
	} {
		for _, scope := range []Scope{Project, User} {
			t.Run(name+" "+string(scope), func(t *testing.T) {
				w := newWhere(t, Claude, scope)
				root := filepath.Dir(w.Project)
				put(t, w.path("settings.json"), []byte("{}"))
				put(t, w.path("commands/gsd/status.md"), file{"a.md", "older\n"}.signed())
				if os.Geteuid() == 0 {
					for dir := root; dir != os.TempDir() && dir != "/"; dir = filepath.Dir(dir) {
						if err := os.Chmod(dir, 0o755); err != nil { // those of package testing are closed to others
							t.Fatal(err)
						}
					}
				}
				before := treeOf(t, root)
				place := w.path(c.file)
				info, err := os.Stat(place)
				if err == nil {
					err = os.Chmod(place, c.mode)
				}
				if err != nil {
					t.Fatal(err)
				}
				asNobody(t, func() {
					var p *Plan
					if p, err = Install(w); err == nil && c.late {
						err = p.Apply()
					}
				})
				wantError(t, err, Denied)
				if err := os.Chmod(place, info.Mode()); err != nil {
					t.Fatal(err)
				}
				sameTree(t, name, treeOf(t, root), before)
			})
		}
	}
}
