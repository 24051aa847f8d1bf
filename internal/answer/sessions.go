package answer

import (
	"time"

	"github.com/gsd-cli/gsd/internal/action"
	"github.com/gsd-cli/gsd/internal/claim"
)

// SharedPlace is a session of the user in another clone.
type SharedPlace struct {
	Plan    string    `json:"plan"`                // the plan, relative to the project
	Machine string    `json:"machine"`             // the name of the machine, and the end of the clone's path there
	Branch  string    `json:"branch" empty:"null"` // the branch that was checked out; null for none
	Head    string    `json:"head" empty:"null"`   // its commit; null for none
	Done    int       `json:"done"`                // how many tasks are complete
	Skipped int       `json:"skipped"`             // how many tasks are skipped
	Resume  int       `json:"resume" empty:"null"` // the first task that is neither; null for none
	Total   int       `json:"total"`               // how many tasks there are
	Changed time.Time `json:"changed"`             // when anything last changed there
	Missing bool      `json:"missing"`             // there is no such plan in this checkout
}

// OtherMachine stands for a machine that said no name.
const OtherMachine = "another machine"

// Session is the state of one user's session.
type Session struct {
	User string `json:"user"` // whose session it is
	Own  bool   `json:"own"`  // it is the asking user's
	// Worktree is the project's directory in another worktree of the repository, absolute, if the session is there; else null.
	Worktree string `json:"worktree" empty:"null"`
	// Workstream is the workstream or sub-project that it is in, as --ws takes it, if that is another one than the answer is about.
	Workstream string `json:"workstream,omitempty"`
	// Machine is the name of the machine that it is at, if it is in another clone, as of the last gsd sync; else null.
	Machine string       `json:"machine" empty:"null"`
	Remote  string       `json:"remote" empty:"null"` // the git remote through which it is known; null for those of this clone
	Plan    string       `json:"plan" empty:"null"`   // the plan that it is on; null if it is corrupt
	ID      string       `json:"id" empty:"null"`     // the plan's short name, such as 03-01; null if it has none
	Verdict Verdict      `json:"verdict"`             // whether the session is still valid
	Token   string       `json:"token"`               // the verdict in one word, as in the answer of hydrate
	Done    int          `json:"done"`                // how many of its tasks are complete
	Skipped int          `json:"skipped"`             // how many of its tasks are skipped
	Total   int          `json:"total"`               // how many tasks it has
	Resume  *ResumePoint `json:"resume"`              // the task to resume, without its text; null unless the verdict is resume
	Stale   []Staleness  `json:"stale"`               // every reason for which the session is stale
	Started time.Time    `json:"started"`             // when it was started; null if its header states no time
	Changed time.Time    `json:"changed"`             // when its file was last written
	// Tasks are all its tasks, if it is valid; only in gsd status --watch.
	Tasks []PlannedTask `json:"tasks,omitempty"`
}

// IsHere reports whether a session is of this working tree, machine and root of plans, of which the open runs are known.
func (s *Session) IsHere() bool { return s.Worktree == "" && s.Workstream == "" && s.Machine == "" }

// Settled returns how many tasks are complete or skipped.
func (s *Session) Settled() int { return s.Done + s.Skipped }

// SessionUnreadable warns that one user's session could not be read.
const SessionUnreadable = "session-unreadable"

// PlanTaken warns that a session was just started on a plan that somebody else has a session on, or the user in another
// worktree.
const PlanTaken = "plan-taken"

// A MissingPlan is a plan of another clone's that is not in this checkout.
type MissingPlan struct {
	Commit string `json:"commit" empty:"null"` // which was checked out there, abbreviated; null if that is not known
	Here   bool   `json:"here"`                // this clone has that commit, with the plan
}

// String says where the plan is.
func (m *MissingPlan) String() string {
	const says = "the plan is not in this checkout"
	switch {
	case m.Here:
		return says + ", but in commit " + m.Commit
	case m.Commit != "":
		return says + "; there, commit " + m.Commit + " was checked out"
	}
	return says
}

// Elsewhere is a session of the user in another worktree, or under a former name.
type Elsewhere struct {
	Session
	// File is the session file: relative to the project, or absolute in another worktree; null if it is on another machine.
	File    string        `json:"session" empty:"null"`
	Branch  string        `json:"branch,omitempty"`  // what is checked out on another machine, if that is known
	Missing *MissingPlan  `json:"missing,omitempty"` // where its plan is, if it is not in this checkout
	Do      action.Action `json:"-"`                 // takes it up

	May claim.Availability `json:"-"` // whether the user may start on its plan here, if that takes it up
}

// Row is the session of a report as a row; own says that the asking user has it.
func (r *Report) Row(own bool) Session {
	s := Session{
		User: r.User, Own: own, Plan: r.Plan.Path, Verdict: r.Verdict, Token: r.Token, Done: r.Done, Skipped: r.Skipped, Total: r.Total,
		Stale: r.Stale, Started: r.Started, Changed: r.Changed, ID: r.Plan.ID,
	}
	if r.Resume != nil {
		s.Resume = &ResumePoint{PlannedTask: r.Resume.PlannedTask, Interrupted: r.Resume.Interrupted}
	}
	return s
}
