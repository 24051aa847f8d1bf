// Package app has the use cases, one function for each that a command calls. It finds the project (Open), reports whether the user's session
// is still valid and which task comes next (Project.Hydrate, with everything around it Project.HydrateAll), starts a session or continues one
// (Bootstrap), changes the statuses of its tasks (Mark), brings a lost one back (Restore), names the plan that comes next (Next), and records
// who is at work (StartRun, EndRun, Sweep).
//
// It joins the packages below it: verdict reads and judges one session, history knows where else progress is, and team what others do.
// Apart from session directories, the only file of the project that it writes is a plan's summary (Summarize).
//
// Every error that leaves this package is an *Error with a Kind and, if there is one, a hint.
package app

import (
	"os"
	"time"

	"github.com/gsd-cli/gsd/internal/action"
	"github.com/gsd-cli/gsd/internal/answer"
	"github.com/gsd-cli/gsd/internal/problem"
	"github.com/gsd-cli/gsd/internal/progress"
	"github.com/gsd-cli/gsd/internal/project"
	"github.com/gsd-cli/gsd/internal/team"
	"github.com/gsd-cli/gsd/internal/verdict"
)

// Project is the directory that holds .planning/. It is opened for one command, and reads each file once.
type Project struct {
	*verdict.Project
}

// Open finds the project that dir belongs to: the nearest directory at or above dir that contains .planning/. If there is
// none and dir is in a linked git worktree, it looks in the main worktree (without running git). Its state directory is the user's own.
// Errors are of kind NoProject, or MissingInput if dir cannot be used.
func Open(dir string) (*Project, error) {
	found, err := verdict.Open(dir)
	if err != nil {
		return nil, err
	}
	found.StateDir, found.Now = verdict.StateDirOf(os.Getenv), time.Now()
	return &Project{found}, nil
}

// What a command fails with, and what it warns of, is what the facts are read with.
type (
	// Kind is a kind of error; each has one exit code (docs/design.md, Output and exit codes).
	Kind = problem.Kind
	// Error is the error of every function of this package: what happened, and what to do.
	Error = problem.Error
	// Warning is something that does not affect the answer, but that a person should know.
	Warning = problem.Warning
)

// The kinds of errors.
const (
	Usage        = problem.Usage        // the command line
	BadData      = problem.BadData      // the content of a file
	MissingInput = problem.MissingInput // no such plan, task or session
	NoProject    = problem.NoProject    // not below a .planning directory
	CannotCreate = problem.CannotCreate // no right to write there
	IO           = problem.IO           // the disk
	Busy         = problem.Busy         // another process is writing, or another run is active
	Refused      = problem.Refused      // for safety
)

// The answer about a session, and what it depends on.
type (
	// World is what a command depends on besides its project.
	World = verdict.World
	// Report is the state of one user's session.
	Report = answer.Report
	// Task is a task of a session or a plan.
	Task = answer.PlannedTask
	// ResumePoint is the task to resume.
	ResumePoint = answer.ResumePoint
	// Action is something that can be run next.
	Action = action.Action
	// Verdict is the state of a session (docs/design.md, The verdict).
	Verdict = answer.Verdict
	// Staleness is one reason for which a session is stale.
	Staleness = answer.Staleness
	// StaleReason is why a session is stale.
	StaleReason = answer.StaleReason
	// Recovery is what was left unfinished, which a user should know before continuing.
	Recovery = answer.Recovery
	// LostSession is a session of which only the breadcrumb is left.
	LostSession = answer.LostSession
	// Elsewhere is a session that the user has in another place.
	Elsewhere = answer.Elsewhere
	// Next is the plan that comes next.
	Next = answer.Next
	// Need is how much of a report is read beyond the verdict. Each includes those before it.
	Need = answer.Need
	// Survey is what the project consists of, as far as the next plan depends on it.
	Survey = project.Survey
)

// How much of a report is read.
const (
	TaskText   = answer.TaskText   // the text of the task to resume, and which others are in progress
	Unfinished = answer.Unfinished // who is at work, what was left unfinished, and what is elsewhere
	Everything = answer.Everything // what is not committed, work on other branches, and which plan comes next
)

// What a new session takes over, and what it exchanges.
type (
	// TaskState is the state of a task of a plan.
	TaskState = progress.Task
	// Origin is where a status is from.
	Origin = answer.Origin
	// SyncOptions says with what to claim a plan.
	SyncOptions = team.SyncOptions
)

// The verdicts.
const (
	None     = answer.None     // there is no session file
	Corrupt  = answer.Corrupt  // the session file is unreadable; it is kept
	Stale    = answer.Stale    // the project is no longer on its plan
	Finished = answer.Finished // every task is complete or skipped
	Resume   = answer.Resume   // a task is left to do
)

// The reasons for which a session is stale.
const (
	PlanMissing   = answer.PlanMissing   // the plan is not where it was
	PlanCompleted = answer.PlanCompleted // its summary exists
	PhaseAdvanced = answer.PhaseAdvanced // the roadmap is in a later phase
	TaskCount     = answer.TaskCount     // the plan has another number of tasks
	OtherStream   = answer.OtherStream   // the environment names another workstream than the plan's
)
