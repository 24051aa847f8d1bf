package answer

import (
	"time"

	"github.com/gsd-cli/gsd/internal/action"
	"github.com/gsd-cli/gsd/internal/run"
	"github.com/gsd-cli/gsd/internal/session"
)

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
	Settled int       `json:"settled,omitempty"`    // how many of that user's tasks are complete or skipped
	Tasks   int       `json:"tasks,omitempty"`      // how many tasks that user's session has
}

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

// Matters reports whether the loss is to be reported, and its breadcrumb to be kept: for [session.CrumbLife] from when it was first shown, and
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
	suggested := action.Action{Kind: action.Restore, ID: l.ID}
	if l.Why == LostPlace || l.Here {
		suggested.Replaces = action.InPlace
	}
	return suggested
}

// Relation is how a former session is known to be on a plan.
type Relation string

// The relations.
const (
	ByPath   Relation = "path"   // it names the plan
	ByDigest Relation = "digest" // the plan has the bytes that its plan had, and no longer has
	ByMove   Relation = "moved"  // the plan is where its plan was moved to
	ByID     Relation = "id"     // its plan is gone, and the plan has its id and some of its tasks
	ByTasks  Relation = "tasks"  // its plan is gone, and the plan has most of its tasks
)

// Moved is where a plan is now that is gone from its own path, and how that is known; empty if it is not.
type Moved struct {
	At  string
	How Relation
}
