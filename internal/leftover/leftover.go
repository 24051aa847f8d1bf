// Package leftover finds what other programs left unfinished in a project: the hand-off notes of upstream and the work items of HAIOS. It
// only reads.
package leftover

import (
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

// All lists what other programs left unfinished: hand-off notes, of which those of phases have been found already, and work items.
func (r *Reader) All(ofPhases ...string) []answer.Incomplete {
	return append(r.Notes(ofPhases...), Items(r.Project)...)
}
