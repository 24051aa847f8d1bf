package hydrate

import (
	"github.com/gsd-cli/gsd/internal/durable"
	"github.com/gsd-cli/gsd/internal/run"
	"github.com/gsd-cli/gsd/internal/session"
)

// World is what surrounds a command besides its project.
type World struct {
	// StateDir is where this user's breadcrumbs and the id of this machine are; empty for nowhere.
	StateDir session.StateDir
	// Caller is who runs the command, as far as anybody can tell.
	Caller run.Caller

	processes run.Processes  // the system's where nil
	write     durable.Writer // tests let it fail, or die
}

// StateDirOf finds the state directory in an environment.
func StateDirOf(getenv func(string) string) session.StateDir {
	return session.FindStateDir(getenv)
}

// table gives the process table, the system's unless a test has put its own there.
func (w *World) table() run.Processes {
	if w.processes == nil {
		w.processes = run.NewSystem(w.StateDir.Machine)
	}
	return w.processes
}

// claim gives the caller with its process.
func (w *World) claim() run.Caller {
	w.Caller = w.Caller.Find(w.table())
	return w.Caller
}
