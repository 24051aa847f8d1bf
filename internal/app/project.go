// Package app has the use cases, one function for each that a command calls. It finds the project (Open), reports whether the user's session
// is still valid and which task comes next (verdict's Hydrate; with everything around it, HydrateAll), starts a session or continues one
// (Bootstrap), changes the statuses of its tasks (Mark), brings a lost one back (Restore), names the plan that comes next (Next), and records
// who is at work (StartRun, EndRun, Sweep).
//
// It joins the packages below it: verdict gathers, has judged and changes one session, history knows where else progress is, and team what
// others do. Apart from session directories, the only file of the project that it writes is a plan's summary (Summarize).
//
// Every error that leaves this package is a *problem.Error with a Kind and, if there is one, a hint.
package app

import (
	"os"
	"time"

	"github.com/gsd-cli/gsd/internal/session"
	"github.com/gsd-cli/gsd/internal/verdict"
)

// Project is the directory that holds .planning/. It is opened for one command, and reads each file once.
type Project struct {
	*verdict.Project
}

// Open finds the project that dir belongs to, as [verdict.Open] does. Its state directory is the user's own.
func Open(dir string) (*Project, error) {
	found, err := verdict.Open(dir)
	if err != nil {
		return nil, err
	}
	found.StateDir, found.Now = session.FindStateDir(os.Getenv), time.Now()
	return &Project{found}, nil
}
