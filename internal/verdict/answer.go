package verdict

import (
	"cmp"
	"fmt"
	"slices"
	"time"

	"github.com/gsd-cli/gsd/internal/action"
	"github.com/gsd-cli/gsd/internal/claim"
	"github.com/gsd-cli/gsd/internal/evidence"
	"github.com/gsd-cli/gsd/internal/leftover"
	"github.com/gsd-cli/gsd/internal/next"
	"github.com/gsd-cli/gsd/internal/planref"
	"github.com/gsd-cli/gsd/internal/problem"
	"github.com/gsd-cli/gsd/internal/run"
	"github.com/gsd-cli/gsd/internal/session"
)

// EndsExpired is what records the end of a run that may be over; no action for one that has not expired, or is the caller's own.
func EndsExpired(r *run.Run) (none action.Action) {
	if !r.Doubtful() {
		return none
	}
	return action.Action{Kind: action.EndRun, ID: r.ID}
}

// An Origin is a former session whose progress was carried over.
type Origin struct {
	Session string `json:"session" empty:"null"` // its file, relative to the project; null if it was lost, or is in another clone
	Lost    string `json:"lost" empty:"null"`    // its ID, if it was lost and only its breadcrumb was left; else null
	// Machine is where the session is or was, if only gsd sync knows of it; then session and lost are null.
	Machine string    `json:"machine,omitempty"`
	Here    bool      `json:"here,omitempty"`       // it was in this very clone, and gsd sync remembers it
	Changed time.Time `json:"changed" empty:"null"` // when it last changed, if only gsd sync knows of it
	Plan    string    `json:"plan"`                 // the plan that it was on, relative to the project
	How     Relation  `json:"how"`                  // how it is known to be on the same plan
	User    string    `json:"user,omitempty"`       // whose it is, if it is another user's whose plan was taken over
	Over    int       `json:"over,omitempty"`       // how many of that user's tasks are complete or skipped
	Tasks   int       `json:"tasks,omitempty"`      // how many tasks that user's session has
}

// Minute is a time as it is said to people, in UTC.
func Minute(t time.Time) string { return t.UTC().Format("2006-01-02 15:04 MST") }

// HolderWords say who has a plan in hand, where, and since when.
func HolderWords(h claim.Holder) string {
	plan := PlanInText(h.Plan)
	switch {
	case h.Run != nil:
		return "your run in the worktree " + h.Dir + " has " + plan + " in hand: " + h.Run.Who()
	case h.Machine != "":
		return HasClaimed(h.User, plan, h.Machine, h.Since)
	}
	text := h.User + " has " + plan + " in hand"
	if h.PID > 0 {
		text = fmt.Sprintf("the agent of process %d has %s in hand", h.PID, plan)
	}
	if h.Finished {
		text = h.User + " has carried out " + plan
	}
	if h.Dir != "" {
		text += " in the worktree " + h.Dir
	}
	if h.Finished {
		return text + ", and its summary is due"
	}
	if !h.Since.IsZero() {
		text += " since " + Minute(h.Since)
	}
	if h.Tasks > 0 {
		text += fmt.Sprintf(", %d of %d complete", h.Over, h.Tasks)
	}
	return text
}

// HasClaimed says who has claimed a plan, where and since when.
func HasClaimed(user, plan, machine string, since time.Time) string {
	return user + " has claimed " + plan + " at " + machine + " since " + Minute(since)
}

// HowToTake says how a plan is taken over: that is for people to decide, so no command that does it is printed.
var HowToTake = action.Action{Kind: action.HowToTake}

// Lost is why a session counts as lost.
type Lost string

// The reasons for which a session counts as lost.
const (
	LostFile    Lost = "file-gone"        // its file is gone
	LostProject Lost = "project-gone"     // its project no longer exists
	LostTree    Lost = "worktree-gone"    // its worktree was removed; it comes back in another one of its repository
	LostBehind  Lost = "worktree-removed" // the same, as the other worktree says it, where it can come back
	LostPlans   Lost = "planning-gone"    // its project no longer has a .planning directory
	LostPlace   Lost = "replaced"         // another session is in its place
	LostTorn    Lost = "torn"             // its file is incomplete, and has less than the breadcrumb
	LostCorrupt Lost = "corrupt"          // its breadcrumb is corrupt
)

// IsHomeless reports whether there is nowhere the session could come back to: its project is not there, or has no plans.
func (why Lost) IsHomeless() bool { return why == LostProject || why == LostTree || why == LostPlans }

// A LostSession is a session of which only the breadcrumb is left.
type LostSession struct {
	ID      string    `json:"id"`                   // what gsd restore takes, whole or its beginning
	Why     Lost      `json:"why"`                  // why the session counts as lost
	Corrupt string    `json:"corrupt" empty:"null"` // what is wrong with its breadcrumb; then nothing else is known
	Project string    `json:"project" empty:"null"` // the absolute path of its project
	User    string    `json:"user" empty:"null"`    // whose session it was
	Plan    string    `json:"plan" empty:"null"`    // the plan that it was on, relative to the project
	Current int       `json:"current" empty:"null"` // its first task that was neither complete nor skipped; null for none
	Done    int       `json:"done"`                 // how many of its tasks were complete
	Skipped int       `json:"skipped"`              // how many of its tasks were skipped
	Total   int       `json:"total"`                // how many tasks it had
	Updated time.Time `json:"updated" empty:"null"` // when it was last changed
	Expired bool      `json:"expired"`              // its loss was shown so long ago that the next sweep drops it

	Run *run.Run `json:"run"` // the run that was at work on it, as it is now; null if none was

	Task  string        `json:"task,omitempty"` // the name of the current task
	Here  bool          `json:"here,omitempty"` // it comes back in another worktree, in place of the session there
	Gone  bool          `json:"gone"`           // it cannot be restored: its project or its plan no longer exists
	Crumb session.Crumb `json:"-"`
	// Instead is what to run instead of restoring it, because somebody is at work; no action if it can be restored.
	Instead action.Action `json:"instead,omitempty"`
}

// Matters reports whether somebody is to be told of the loss, and its breadcrumb to be kept: for [CrumbLife] from when it was first shown, and
// while the run that was at work on the session may live.
func (l LostSession) Matters() bool { return !l.Expired || l.Run != nil && l.Run.MayLive() }

// Restore is what brings the session back, or if that is impossible, says what is known of it.
func (l *LostSession) Restore() action.Action {
	switch {
	case l.Gone:
		return action.Action{Kind: action.ListLost}
	case l.Instead.Kind != "":
		return l.Instead
	}
	its := action.Action{Kind: action.Restore, ID: l.ID}
	if l.Why == LostPlace || l.Here {
		its.Replaces = action.InPlace
	}
	return its
}

// Next is the plan that comes next, and why. The rules are in docs/design.md, next: Next plan.
type Next struct {
	Plan string `json:"plan" empty:"null"` // the plan, relative to the project; null if nothing is left to do
	ID   string `json:"id" empty:"null"`   // its short name, such as 03-01; null if it has no number
	// Phase is the plan's phase, such as 3 or 2.1. If plan is null, it is the phase to plan or verify now, null if none is
	// known.
	Phase      string `json:"phase" empty:"null"`
	Wave       *int   `json:"wave"`                 // the wave that its front matter states; null if it states none
	Autonomous bool   `json:"autonomous"`           // false if its front matter says that a person is needed
	Gaps       bool   `json:"gap_closure"`          // it closes gaps that a verification found
	Summary    string `json:"summary" empty:"null"` // where its summary goes, if that is all that is missing; else null
	// Draft is the draft of that summary, if one was written.
	Draft *Draft `json:"draft,omitempty"`
	// Verification is the status of the phase's verification, such as gaps_found, if plan is null and only the verification
	// keeps the phase from being complete; else null.
	Verification string `json:"verification" empty:"null"`
	Begun        bool   `json:"begun"` // commits or a former session began it, and nobody has a session on it
	// Progress is how far it is, by its commits and the user's former sessions; null if nothing of it seems to be begun, or somebody
	// has a session on it.
	Progress *PlanProgress `json:"progress"`
	// Uncommitted is what no commit has of the files that its tasks name, where nothing else shows that it was begun.
	Uncommitted *Uncommitted `json:"uncommitted,omitempty"`
	// Branches are the work on it that is not here, but on other branches and in other worktrees.
	Branches []evidence.Branch `json:"branches,omitempty"`
	// InHand is the user who has the plan in hand, here, in another worktree or in another clone, so that nobody else should start
	// on it. It is the asking user if a run of theirs may be alive in another worktree.
	InHand    string        `json:"in_hand,omitempty"`
	Because   []next.Reason `json:"because"`    // why
	AlsoReady []PlanRef     `json:"also_ready"` // other plans that are ready, the most likely first
	// LeftOver are plans without a summary that the project went past. One is plan or in also_ready only if no other plan is left to do.
	LeftOver []LeftOver `json:"left_over"`

	Summarize action.Action     `json:"-"`           // has that summary written; none unless it is the user's to write
	Ambiguous bool              `json:"-"`           // another plan has that ID too
	Session   bool              `json:"has_session"` // the user has a live session on it
	Warnings  []problem.Warning `json:"-"`
	Conflicts []problem.Warning `json:"-"` // where the order of the plans contradicts itself about this one, which nobody has begun

	May claim.Availability `json:"-"` // whether the user may start on it; not asked if only its summary is missing

	Due map[string]next.Reason `json:"-"` // the plans of which only the summary is missing, by their paths
}

// LeftOver is a plan that was left behind.
type LeftOver struct {
	Plan string      `json:"plan"`            // the plan, relative to the project
	ID   string      `json:"id" empty:"null"` // its short name, such as 03-01; null if it has no number
	Why  next.Reason `json:"why"`             // why that is said of it
}

// PlanRef is a reference to a plan.
type PlanRef struct {
	Plan  string `json:"plan"`            // the plan, relative to the project
	ID    string `json:"id" empty:"null"` // its short name, such as 03-01; null if it has no number
	Begun bool   `json:"begun"`           // commits work on it and nobody has a session on it
	// Progress is how far it is, by its commits and the user's former sessions, if it was begun.
	Progress *PlanProgress     `json:"progress,omitempty"`
	Branches []evidence.Branch `json:"branches,omitempty"` // the work on it that is not here
	// InHand is the user who has the plan in hand, so that nobody else should start on it.
	InHand string `json:"in_hand,omitempty"`

	// Argument is what the plan is called on a command line, where it can be started on while only the summary of another is left to write.
	Argument string `json:"argument,omitempty"`

	May claim.Availability `json:"-"` // whether the user may start on it
}

// Ready returns the first of the other plans that can be started on while only a summary is left to write, or could if nobody were at
// work on the session; nil if there is none. The plans that wait for the summary are none of them.
func (n *Next) Ready() *PlanRef {
	i := slices.IndexFunc(n.AlsoReady, func(its PlanRef) bool {
		due := its.Progress != nil && its.Progress.Resume == nil // only its summary is left, too
		return its.Argument != "" && !due && evidence.Delivered(its.Branches) == nil && (its.May.Starts() || its.May.Why == claim.InUse)
	})
	if n.Summary == "" || i < 0 {
		return nil
	}
	return &n.AlsoReady[i]
}

// Do is what can be run about the plan that comes next.
func (n *Next) Do() (all []action.Action) {
	start := func(may claim.Availability, a action.Action) {
		switch {
		case may.Starts():
			a.Replaces = may.Replaces
			all = append(all, a)
		case may.Why == claim.InUse:
			all = append(all, action.Action{Kind: action.ShowRuns})
		}
	}
	switch {
	case n.Summary != "":
		if n.Summarize.Kind != "" {
			all = append(all, n.Summarize)
		}
		if ready := n.Ready(); ready != nil {
			start(ready.May, action.Action{Kind: action.StartNext, Plan: ready.Argument})
		}
	case n.Plan == "":
	case n.Session:
		all = []action.Action{{Kind: action.Continue}}
	case evidence.Delivered(n.Branches) != nil: // it is done there
	case n.Progress == nil:
		start(n.May, action.Action{Kind: action.Start, Plan: n.Name()})
	default:
		start(n.May, action.Action{Kind: action.StartWith, Plan: n.Name()})
		if at := n.Progress.Resume; at != nil && at.Cut && n.May.Decision != claim.Held {
			all = append(all, action.Action{Kind: action.ReadTask, Plan: n.Name(), Task: at.Number})
		}
	}
	return all
}

// Recovery is what was left unfinished, which a user should know before continuing.
type Recovery struct {
	Crashed     []run.Run             `json:"crashed"`          // runs whose process is gone and whose end was not recorded, the latest first; a sweep records it
	Doubtful    []run.Run             `json:"doubtful"`         // expired runs that may still be alive; gsd run end ID ends one
	Failed      *run.Run              `json:"failed,omitempty"` // the last run, if it ended in failure on the plan and nobody is at work
	LeftTasks   []int                 `json:"tasks"`            // the tasks that a run left in progress; none if another run may be working on them
	RunsAndLost                       // its lost sessions
	Incomplete  []leftover.Incomplete `json:"incomplete"` // other work that was started and not finished
	Warnings    []problem.Warning     `json:"-"`
}

// Any reports whether there is anything to recover from.
func (r *Recovery) Any() bool {
	return r.Failed != nil || len(r.Crashed)+len(r.Doubtful)+len(r.LeftTasks)+len(r.Lost)+len(r.Incomplete) > 0
}

// AddRuns adds the runs of an assessment that a user should know of.
func (r *Recovery) AddRuns(a *run.Assessment, on *Report) {
	for _, its := range slices.Backward(a.Runs) {
		switch {
		case its.Dead():
			r.Crashed = append(r.Crashed, its)
		case its.Expired && !its.Over():
			r.Doubtful = append(r.Doubtful, its)
		}
	}
	if last := a.Latest; last != nil && last.Status == run.Failure && last.Plan == on.Plan.Path && a.AtWork() == nil {
		failed := *last
		r.Failed = &failed
	}
	r.LeftTasks = a.Unfinished(on.Plan.Path, TasksInProgress(on.Session))
}

// Name is what the plan is called on a command line.
func (n *Next) Name() string {
	if n.Ambiguous {
		return n.Plan
	}
	return cmp.Or(n.ID, n.Plan)
}

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
	// Machine is the name of the machine that it is at, if it is in another clone, as of the last gsd sync; else null.
	Machine string       `json:"machine" empty:"null"`
	Remote  string       `json:"remote" empty:"null"` // the git remote through which it is known; null for those of this clone
	Plan    string       `json:"plan" empty:"null"`   // the plan that it is on; null if it is corrupt
	ID      string       `json:"id" empty:"null"`     // the plan's short name, such as 03-01; null if it has no number
	Verdict Verdict      `json:"verdict"`             // whether the session is still valid
	Token   string       `json:"token"`               // the verdict in one word, as in the answer of hydrate
	Done    int          `json:"done"`                // how many of its tasks are complete
	Skipped int          `json:"skipped"`             // how many of its tasks are skipped
	Total   int          `json:"total"`               // how many tasks it has
	Resume  *ResumePoint `json:"resume"`              // the task to resume, without its text; null unless the verdict is resume
	Stale   []Staleness  `json:"stale"`               // every reason for which the session is stale
	Started time.Time    `json:"started"`             // when it was started; null if its header states no time
	Changed time.Time    `json:"changed"`             // when its file was last written
}

// Over is on how many tasks nothing is left to do.
func (s *Session) Over() int { return s.Done + s.Skipped }

// SessionUnreadable warns that one user's session could not be read.
const SessionUnreadable = "session-unreadable"

// Row is the session of a report as a row; own says that the asking user has it.
func (r *Report) Row(own bool) Session {
	s := Session{
		User: r.User, Own: own, Plan: r.Plan.Path, Verdict: r.Verdict, Token: r.Token, Done: r.Done, Skipped: r.Skipped, Total: r.Total,
		Stale: r.Stale, Started: r.Started, Changed: r.Changed,
	}
	s.ID, _ = planref.PlanID(r.Plan.Path)
	if r.Resume != nil {
		s.Resume = &ResumePoint{PlannedTask: r.Resume.PlannedTask, Interrupted: r.Resume.Interrupted}
	}
	return s
}

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
