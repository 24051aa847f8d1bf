package hydrate

import (
	"runtime"
	"strings"

	"github.com/gsd-cli/gsd/internal/durable"
	"github.com/gsd-cli/gsd/session"
)

// World is what surrounds a command besides its project.
type World struct {
	// StateDir is where this user's breadcrumbs and the id of this machine are; empty for nowhere.
	StateDir session.StateDir
	// Caller is who runs the command, as far as anybody can tell.
	Caller Claim

	processes session.Processes // the system's where nil
	write     durable.Writer    // tests let it fail, or die
}

// StateDirOf finds the state directory in an environment.
func StateDirOf(getenv func(string) string) session.StateDir {
	return session.FindStateDir(getenv, runtime.GOOS)
}

// table gives the process table, the system's unless a test has put its own there.
func (w *World) table() session.Processes {
	if w.processes == nil {
		w.processes = session.NewSystem(w.StateDir.Machine)
	}
	return w.processes
}

// claim gives the caller with its process.
func (w *World) claim() Claim {
	if w.Caller.PID > 0 && w.Caller.owner.PID == 0 {
		w.Caller = w.Caller.find(w.table())
	}
	return w.Caller
}

// runStatuses lists how a run may end.
var runStatuses = [...]session.Status{session.Success, session.Failure, session.Cancelled, session.Interrupted, session.Aborted}

// RunStatusWords lists them as words.
func RunStatusWords() []string {
	var words []string
	for _, s := range runStatuses {
		words = append(words, string(s))
	}
	return words
}

// ParseRunStatus reads how a run ended.
func ParseRunStatus(text string) (session.Status, error) {
	for _, s := range runStatuses {
		if strings.EqualFold(text, string(s)) {
			return s, nil
		}
	}
	return "", fail(Usage, "one of "+strings.Join(RunStatusWords(), ", "), "%q is no way for a run to end", text)
}
