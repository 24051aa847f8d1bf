// Package claim decides whether a user may start on a plan. It is pure: what is known of the user and of the plan is gathered before
// (verdict.Project.StartFacts, history.Starter), and every command that starts a session, or says what can be started, asks MayStart.
package claim

import (
	"errors"
	"slices"
	"time"

	"github.com/gsd-cli/gsd/internal/action"
	"github.com/gsd-cli/gsd/internal/durable"
	"github.com/gsd-cli/gsd/internal/run"
)

// A Decision is what comes of a start on a plan.
type Decision int

// The decisions. A session is started, or continues, with those up to Replace.
const (
	Free       Decision = iota // nothing is in the way, and there is no session to replace
	Continue                   // the user's valid session is on the plan, and is kept as it is
	Replace                    // the user's session is archived: it is on another plan or text, or is to begin again
	Held                       // somebody else has taken the plan, or the user's own run in another worktree
	Done                       // the plan has a summary
	Blocked                    // something else is in the way, see Code
	Unwritable                 // nothing can be written in the user's session directory
)

// A Code is why a start is blocked.
type Code string

// The codes.
const (
	PlanProblem     Code = "plan"              // the plan cannot be copied: missing, unreadable, unmerged, or its summary is unmerged
	SessionUnread   Code = "session-unread"    // the session file cannot be read
	SessionTooLarge Code = "session-too-large" // it is too large to be read
	SessionUnmerged Code = "session-unmerged"  // it has conflict markers
	LostInUse       Code = "lost-in-use"       // another run may be at work on a lost session on the plan
	InUse           Code = "in-use"            // another run may be at work on the session that would be replaced
)

// Options are what a start ignores.
type Options struct {
	Fresh    bool // a session on the plan, and one that cannot be read: it is replaced
	Again    bool // the plan's summary
	TakeOver bool // the holder of the plan, and other runs
	Restore  bool // the run that was at work on a lost session on the plan: it comes back with it
}

// Restoring is what is ignored where a lost session comes back.
var Restoring = Options{Fresh: true, Again: true, Restore: true}

// Facts are what is known of a user and the session here, whatever plan it is about.
type Facts struct {
	Plan     string // what the session is on; empty if there is none, or it does not say so
	Moved    string // where that plan is now, if it is not there any more
	Summary  string // the digest of the summary that the plan had when the session began
	File     bool   // there is a session file
	Readable bool   // and it can be read as a session
	Valid    bool   // the session is one to continue, as far as the project says
	Outdated bool   // only the plan has changed since it began: its text, its tasks or its place

	Unread   error    // why the file cannot be read
	Conflict error    // the conflict markers in it
	Closed   error    // why nothing can be written beside it
	Busy     *run.Run // the run of somebody else that may be at work on it; nil for none
}

// Plan is what is known of a plan that a user may start on.
type Plan struct {
	Path     string     // relative to the project
	Formerly string     // where it was, if it was moved since the session that is to come back
	Problem  error      // why it cannot be copied
	Summary  string     // the path of its summary; empty without one
	Digest   string     // of the summary
	Holder   *Holder    // who else has taken it; it does not matter to a user who Owns it
	Lost     []*run.Run // who was at work on lost sessions on it, the newest session first; it does not matter to a user who Keeps it
}

// A Holder has taken a plan: another user with a session on it that is to be resumed, or whose summary is due, here or in another
// worktree, or a claim from another clone; the user's own run that may be alive in another worktree; or an agent that commits on another branch.
type Holder struct {
	Plan    string
	User    string
	Dir     string    // the other worktree; empty for here and for another clone
	Machine string    // of the other clone
	Since   time.Time // when it was started or claimed; zero if that is not known
	Settled int       // how many tasks are complete or skipped
	Tasks   int       // how many tasks the session has; 0 if that is not known
	Run     *run.Run  // the user's own
	PID     int       // of an agent at work in Dir, which marks nothing; 0 if that is not known

	Finished bool // every task is complete or skipped: the summary is due
}

// Availability is whether a user may start on a plan, and why not. The zero value is that of a plan which is free.
type Availability struct {
	Plan     string
	Decision Decision
	Owned    bool     // the user's session is on the plan, whatever text it has by now: it is not taken from somebody else
	By       Holder   // who has it, if it is Held
	Why      Code     // if it is Blocked
	Run      *run.Run // of LostInUse and InUse; else the user's own, which is at work on a lost session on the plan and comes back with the new one
	Err      error    // what cannot be read or written
	Summary  string   // the path of the plan's summary; empty without one

	Replaces action.Replaced // what a start archives; empty for nothing
}

// Starts reports whether a session on the plan is started or continues.
func (a *Availability) Starts() bool { return a.Decision <= Replace }

// MayStart decides whether a user may start on a plan. Of several reasons against it, the first in this order is given.
func MayStart(f *Facts, p *Plan, o Options) Availability {
	a := Availability{Plan: p.Path, Owned: f.Owns(p.Path), Summary: p.Summary}
	no := func(d Decision, why Code, err error) Availability {
		a.Decision, a.Why, a.Err = d, why, err
		return a
	}
	switch {
	case p.Problem != nil:
		return no(Blocked, PlanProblem, p.Problem)
	case p.Holder != nil && !a.Owned && !o.TakeOver && !(p.Holder.Finished && p.Summary != ""):
		a.By = *p.Holder
		return no(Held, "", nil)
	case f.Closed != nil:
		return no(Unwritable, "", f.Closed)
	case f.Unread != nil && !errors.Is(f.Unread, durable.ErrTooLarge):
		return no(Blocked, SessionUnread, f.Unread)
	case f.Unread != nil && !o.Fresh:
		return no(Blocked, SessionTooLarge, f.Unread)
	case f.Conflict != nil && !o.Fresh:
		return no(Blocked, SessionUnmerged, f.Conflict)
	case p.Summary != "" && !o.Again && !(f.Plan == p.Path && f.Summary == p.Digest): // a session that began after it was written continues
		return no(Done, "", nil)
	case f.Keeps(p.Path, o):
		return no(Continue, "", nil)
	}
	if a.Run = p.lostRun(o); a.Run != nil && !a.Run.Own {
		return no(Blocked, LostInUse, nil)
	}
	switch {
	case f.Busy != nil && !o.TakeOver && (f.Readable || !slices.Contains([]string{"", p.Path, p.Formerly}, f.Busy.Plan)):
		a.Run = f.Busy // without a session to replace, who is on the same plan or on none is not disturbed
		return no(Blocked, InUse, nil)
	case f.File:
		a.Decision, a.Replaces = Replace, action.File
		if f.Readable {
			a.Replaces = action.Session
		}
	}
	return a
}

// lostRun returns the first run that may be at work on a lost session on the plan and that a start does not ignore; nil for none.
func (p *Plan) lostRun(o Options) *run.Run {
	for _, r := range p.Lost {
		if r.MayLive() && !o.Restore && (r.Own || !o.TakeOver) {
			return r
		}
	}
	return nil
}

// Owns reports whether the user's session is on a plan: it is valid, or only the plan itself has changed.
func (f *Facts) Owns(plan string) bool {
	return f.Valid && f.Plan == plan || f.Outdated && (f.Plan == plan || f.Moved == plan)
}

// Keeps reports whether the user's session is kept as it is by a start on a plan.
func (f *Facts) Keeps(plan string, o Options) bool {
	return f.Valid && !f.Outdated && f.Plan == plan && !o.Fresh
}
