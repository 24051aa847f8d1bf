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
	Last    time.Time // when the last of them was committed
	Latest  time.Time // when the last commit was made that is the task's, certainly or not
}

// Seems reports whether a task that was set in progress has a commit since, and seems to be complete.
func (s Shown) Seems(t *Task) bool {
	return t.Status == planfile.InProgress && s.Status == planfile.Complete && s.Latest.After(t.Set)
}

// Counts reports whether a task has the status that commits show: where nobody has set one, or somebody set it to pending before it was
// committed. A task that was set in progress stays so, because only its worker knows whether it is done.
func (s Shown) Counts(t *Task) bool {
	switch {
	case !s.Sure || t.Status.Over():
		return false
	case t.Status == planfile.InProgress:
		return t.Set.IsZero() && s.Status == planfile.Complete
	}
	return t.Set.IsZero() || s.Last.After(t.Set)
}
