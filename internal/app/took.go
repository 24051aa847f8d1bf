package app

// took.go: how long the work on a session's plan took.

import (
	"time"

	"github.com/gsd-cli/gsd/internal/answer"
	"github.com/gsd-cli/gsd/internal/run"
	"github.com/gsd-cli/gsd/planfile"
)

// took returns how long the work on the plan of a report's session took, as its runs marked it: from when the first of its tasks was started
// until the last was ended. It is not known if the end of a complete task was not marked, or the first thing that was marked is an end:
// a session may lie for days, so its age says nothing of the work.
func took(p *Project, r *answer.Report) (d time.Duration, known bool) {
	if r.RunFile == nil {
		r.RunFile = p.RunFile(r.User)
	}
	var began, first, ended time.Time
	records, _ := r.RunFile.Records() // without them nothing is known
	for _, t := range r.Session.Tasks {
		times := records.Marks[run.Work{Plan: r.Plan.Path, Task: t.Number}]
		if t.Status == planfile.Complete && times.Ended.IsZero() {
			return 0, false
		}
		began, first = earliest(began, times.Began), earliest(first, times.Ended)
		if times.Ended.After(ended) {
			ended = times.Ended
		}
	}
	if began.IsZero() || first.IsZero() || began.After(first) {
		return 0, false
	}
	return ended.Sub(began), true
}

// earliest returns the earlier of two times; the zero time is none.
func earliest(a, b time.Time) time.Time {
	if a.IsZero() || !b.IsZero() && b.Before(a) {
		return b
	}
	return a
}
