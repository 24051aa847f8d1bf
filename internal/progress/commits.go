package progress

import (
	"time"

	"github.com/gsd-cli/gsd/planfile"
)

// Committed is what the commits in HEAD's history show of a task.
type Committed struct {
	Status planfile.Status
	Sure   bool      // certainly, so that nobody has to be asked
	By     []string  // the IDs of the commits that certainly are the task's, the oldest first
	All    []string  // and of those that perhaps are
	Latest time.Time // when the last of them was made
}

// AddCommits gives the tasks that nobody has set the statuses that commits certainly show, and names the commits. What somebody set
// counts, also where it was set back: a commit that was made since may be an old one that was rebased, or a detail. A status that
// commits gave before, when the record was made, counts no longer if HEAD has lost them; partial says that not all of them were read.
func AddCommits(tasks []Task, commits []Committed, partial bool) {
	for i := range commits {
		t, committed := &tasks[i], &commits[i]
		t.Commits, t.Word = nil, ""
		switch isSet := !t.Set.IsZero(); {
		case isSet:
			if !t.Status.Settled() && committed.Status == planfile.Complete && committed.Latest.After(t.Set) {
				t.Commits = committed.All
			}
		case committed.Sure && (t.Status.Rank() <= committed.Status.Rank() || !partial):
			t.Status, t.Commits = committed.Status, append([]string{}, committed.By...)
		case t.Status.Settled() && !partial:
			t.Status = planfile.Pending
		case !Worked(t.Status) && committed.Status == planfile.InProgress:
			t.Commits = committed.All
		}
	}
}
