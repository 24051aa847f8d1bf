// Package leftover finds what other programs left unfinished in a project: the hand-off notes of upstream and the work items of HAIOS. It
// only reads.
package leftover

import (
	"fmt"
	"strings"
	"time"

	"github.com/gsd-cli/gsd/internal/action"
	"github.com/gsd-cli/gsd/internal/project"
)

// Kind is a kind of incomplete work.
type Kind string

// The kinds of incomplete work.
const (
	ContinueHere Kind = "continue-here" // a .continue-here.md, left by upstream's pause-work
	HandOffJSON  Kind = "handoff"       // a HANDOFF.json, left by the same
	WorkItem     Kind = "work-item"     // a WORK.md below docs/work with a node that was entered and not left (HAIOS)
	Plan         Kind = "plan"          // commits work on it, and it has neither a session nor a summary
)

// Incomplete is other work that was started and not finished. Texts are untrusted, and as the files have them.
type Incomplete struct {
	Kind   Kind   `json:"kind"`                // what it is
	ID     string `json:"id" empty:"null"`     // the id of a work item or a plan; null if it has none
	Path   string `json:"path"`                // its file, relative to the project
	Detail string `json:"detail" empty:"null"` // where a work item is stuck, or what a hand-off note says to do next; else null

	// Of a hand-off note: where it says that the work stopped, in its own words.
	Phase   string    `json:"phase,omitempty"`      // the phase
	Plan    string    `json:"plan,omitempty"`       // the plan
	Task    string    `json:"task,omitempty"`       // the task
	Written time.Time `json:"written,omitempty"`    // when it was written
	Role    string    `json:"role,omitempty"`       // for whom a hand-off note is, where several sessions share a project
	Claimed string    `json:"claimed_by,omitempty"` // the session of gsd-core that took a hand-off note up

	Mine  bool          `json:"mine,omitempty"` // the caller's own session took it up
	Age   time.Duration `json:"-"`              // of a hand-off note
	Stuck bool          `json:"-"`              // nothing can be written where a note is
}

// PutAway returns what puts a note away, no action if the work is no note, the note cannot be moved, or it is for somebody else: for
// another role, which the caller may not have, or taken up by another session.
func (w *Incomplete) PutAway() (put action.Action) {
	if w.Stuck || (w.Role != "" || w.Claimed != "") && !w.Mine || w.Kind != ContinueHere && w.Kind != HandOffJSON {
		return put
	}
	return action.Action{Kind: action.PutAway, ID: w.Path}
}

// Position says where the work stopped, in a note's words.
func (w *Incomplete) Position() string {
	var words []string
	for _, part := range [...]struct{ name, text string }{{"phase", w.Phase}, {"plan", w.Plan}, {"task", w.Task}} {
		if part.text != "" {
			words = append(words, fmt.Sprintf("%s %s", part.name, part.text))
		}
	}
	return strings.Join(words, ", ")
}

// A Reader reads what is left unfinished in a project.
type Reader struct {
	Project      *project.Project
	Conversation string // the host's id of the caller's, which may have taken a note up
	Now          time.Time
}

// All lists what other programs left unfinished: hand-off notes, of which those of phases have been found already, and work items.
func (r *Reader) All(ofPhases ...string) []Incomplete {
	return append(r.Notes(ofPhases...), Items(r.Project)...)
}
