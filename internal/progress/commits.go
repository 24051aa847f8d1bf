package progress

import (
	"time"

	"github.com/gsd-cli/gsd/planfile"
)

// Shown is what the commits in HEAD's history show of a task.
type Shown struct {
	Status  planfile.Status
	Sure    bool      // certainly, so that nobody has to be asked
	Commits []string  // the IDs of these commits, the oldest first; none for a checkpoint that later tasks have passed
	Latest  time.Time // when the last commit was made that is the task's, certainly or not
}

// Counts reports whether a task has the status that commits show, because nobody has set one. What somebody set counts, also where it was
// set back: a commit that was made since may be an old one that was written anew, or a detail.
func (s Shown) Counts(t *Task) bool {
	return s.Sure && t.Set.IsZero() && t.Status.Rank() < s.Status.Rank()
}

// Seems reports whether a task that was set to pending or in progress has a commit since, and seems to be complete: its worker may know.
func (s Shown) Seems(t *Task) bool {
	return !t.Status.Over() && !t.Set.IsZero() && s.Status == planfile.Complete && s.Latest.After(t.Set)
}
