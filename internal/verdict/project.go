// Package verdict gives the verdict on one user's session: it opens the project that the session is in (Open), gathers the facts about the
// session and has package answer judge them (Hydrate), changes it under its guard (Change, WithRuns), says who may (StartFacts, Renew), and
// remembers it (WriteCrumb).
//
// Hydrate and everything that only reports write nothing, and take no lock. A session is only changed under its guard, and only from bytes
// that were read while the guard was held.
package verdict

import (
	"os"
	"time"

	"github.com/gsd-cli/gsd/internal/durable"
	"github.com/gsd-cli/gsd/internal/planref"
	"github.com/gsd-cli/gsd/internal/problem"
	"github.com/gsd-cli/gsd/internal/project"
	"github.com/gsd-cli/gsd/internal/run"
	"github.com/gsd-cli/gsd/internal/session"
)

// World is what a command depends on besides its project.
type World struct {
	// StateDir holds this user's breadcrumbs and the ID of this machine; empty for none.
	StateDir session.StateDir
	// Caller is who runs the command, as far as is known.
	Caller run.Caller
	// Now is the one moment of the answer: when the command was started. What is written has it, and what expires is judged by it. At the zero
	// time, no claim of others counts.
	Now time.Time
	// Progress is called, now and then, with what long work is doing, in a few words for a person; nil for nobody. It returns at once.
	Progress func(doing string)

	Processes run.Processes  // nil for the system's
	Write     durable.Writer // tests make it fail or crash
}

// With returns the world with another process table, in which before is called before each step on the disk, and the step
// fails with the error that it returns: for tests of other packages.
func (w World) With(processes run.Processes, before func(step string) error) World {
	w.Processes = processes
	w.Write.Before = func(s durable.Step) error { return before(string(s)) }
	return w
}

// Table is the table of processes.
func (w *World) Table() run.Processes {
	if w.Processes == nil {
		w.Processes = run.NewSystem(w.StateDir.Machine)
	}
	return w.Processes
}

// Self is the caller, with its process as far as it can be found.
func (w *World) Self() run.Caller {
	w.Caller = w.Caller.Find(w.Table())
	return w.Caller
}

// Project is the directory that holds .planning/. All its files are read and written through its root, so that links
// cannot lead out of it. It is opened for one command, and reads each file once.
type Project struct {
	Dir string // absolute, without links
	// UserWarnings are about the user's name. Every answer begins its warnings with them.
	UserWarnings []problem.Warning
	World

	Planning *project.Project // what is in Dir
	Others   *[]*Project      // see Worktrees
	Archives *durable.Budget  // what may still be read of archived sessions to see how far plans are; nil until then
	known    map[any]any      // see Once
	base     string           // see In; empty for that of Planning
}

// Open finds the project that dir belongs to, as [project.Open] does, which says what the errors are.
func Open(dir string) (*Project, error) {
	found, err := project.Open(dir)
	if err != nil {
		return nil, err
	}
	found.Allow(project.DefaultLimit, project.CommandFiles)
	return &Project{Dir: found.Dir, Planning: found}, nil
}

// OpenAt opens the project in a directory, to be read within a budget. The error is project.ErrNoPlans if it has no .planning/.
func OpenAt(dir string, w World, budget *durable.Budget) (*Project, error) {
	found, err := project.OpenAt(dir, project.DefaultLimit, budget)
	if err != nil {
		return nil, err
	}
	return &Project{Dir: found.Dir, World: w, Planning: found}, nil
}

// Close closes the project's directory.
func (p *Project) Close() error { return p.Planning.Close() }

// Session is the directory of a user's session in the root in which the command acts.
func (p *Project) Session(user string) session.Dir {
	d := session.At(p.Planning.Root(), p.Base(), user)
	d.Writer, d.Budget, d.Beside, d.BeforeMake = p.Write, p.Planning.Budget(), p.Planning.In, p.Planning.CheckWritable
	return d
}

// Foreign reports whether .planning/ belongs to another user, who may have put it above one of our directories for our agents
// to read (compare git's safe.directory). Directories of root are trusted, and root itself, who works in everybody's
// directories, trusts all. On Windows, the owner is not known.
func (p *Project) Foreign() bool {
	info, err := p.Planning.Root().Stat(planref.Planning)
	if err != nil {
		return false
	}
	owner, ok := ownerIn(info)
	return ok && foreign(owner, os.Geteuid())
}

func foreign(owner, me int) bool { return owner != me && owner != 0 && me != 0 }
