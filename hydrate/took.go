package hydrate

// took.go: how long the work on a session's plan took.

import (
	"time"

	"github.com/gsd-cli/gsd/internal/run"
)

// took returns how long the work on the plan of a report's session took: from when the session or, if that is earlier, the first of
// its tasks began, until the last one ended; until now if that is not known of each. It is never negative.
func took(p *Project, r *Report, now time.Time) time.Duration {
	if r.RunFiles == nil {
		r.RunFiles = p.RunFiles(r.User)
	}
	began, _ := r.Session.Header.StartedAt()
	var ended time.Time
	all := true
	journal, _ := r.RunFiles.Journal() // without it, the session's own time is what is known
	for _, t := range r.Session.Tasks {
		times := journal.Times[run.Work{Plan: r.Plan.Path, Task: t.Number}]
		for _, at := range []time.Time{times.Began, times.Ended} {
			if !at.IsZero() && (began.IsZero() || at.Before(began)) {
				began = at
			}
		}
		if all = all && !times.Ended.IsZero(); times.Ended.After(ended) {
			ended = times.Ended
		}
	}
	switch {
	case began.IsZero():
		return 0
	case !all:
		ended = now
	}
	return max(0, ended.Sub(began))
}
