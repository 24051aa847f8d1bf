// Package leftover finds what other programs left unfinished in a project: the hand-off notes, quick tasks and debug
// sessions of upstream, and the work items of HAIOS. It only reads.
package leftover

import (
	"slices"
	"time"

	"github.com/gsd-cli/gsd/internal/answer"
	"github.com/gsd-cli/gsd/internal/project"
)

// A Reader reads what is left unfinished in a project.
type Reader struct {
	Project      *project.Project
	Conversation string // the host's id of the caller's, which may have taken a note up
	Now          time.Time
}

// All lists what other programs left unfinished: hand-off notes, of which those of phases have been found already, work items, and what is
// OutsidePhases. on is the plan of the user's session, "" for none.
func (r *Reader) All(on string, ofPhases ...string) []answer.Incomplete {
	return slices.Concat(r.Notes(ofPhases...), Items(r.Project), r.OutsidePhases(on))
}
