package answer

import (
	"slices"
	"strings"
	"time"

	"github.com/gsd-cli/gsd/internal/evidence"
	"github.com/gsd-cli/gsd/internal/planref"
	"github.com/gsd-cli/gsd/internal/progress"
	"github.com/gsd-cli/gsd/planfile"
)

// Committed returns what the commits show of each task.
func (e PlanEvidence) Committed() []progress.Committed {
	all := make([]progress.Committed, len(e.Tasks))
	for i, status := range e.Statuses(evidence.DefaultConfidence) {
		committed := &all[i]
		committed.Status = status
		for _, c := range e.Tasks[i].Commits {
			committed.All = append(committed.All, c.ID)
			if c.Confidence >= evidence.DefaultConfidence {
				committed.By = append(committed.By, c.ID)
			}
			if c.When.After(committed.Latest) {
				committed.Latest = c.When
			}
		}
		committed.Sure = status == planfile.Complete || len(committed.By) > 0
	}
	return all
}

// isWorkedOn reports whether commits have worked on the plan of a session since it was started.
func (r *Report) isWorkedOn() bool {
	began, ok := r.Session.Header.StartedAt()
	if !ok || r.Session.Header.Phase == "" || r.Evidence == nil {
		return false
	}
	since := func(c evidence.Evidence) bool { return !c.When.Before(began) }
	return slices.ContainsFunc(r.Evidence.Unassigned, since) ||
		slices.ContainsFunc(r.Evidence.Tasks, func(t evidence.TaskEvidence) bool { return slices.ContainsFunc(t.Commits, since) })
}

// PlanEvidence is which commits carried out the tasks of a plan, as far as they were read.
type PlanEvidence struct {
	evidence.Found
	Limited   bool // older commits, which might show more, are beyond the limit
	Truncated bool // or not in the repository
	Failed    bool // or could not be read
}

// IsPartial reports whether older commits might show more.
func (e PlanEvidence) IsPartial() bool { return e.Limited || e.Truncated || e.Failed }

// CommitNaming returns how the latest commit of a plan begins that says in its scope what it is about, as feat(03-01): does; "" if none
// does.
func CommitNaming(f evidence.Found) (naming string) {
	var latest time.Time
	see := func(all []evidence.Evidence) {
		for _, c := range all {
			begins, _, ok := strings.Cut(c.Subject, ": ")
			if ok && strings.HasSuffix(begins, ")") && planref.ParseSubject(c.Subject, nil).Type != "" && !c.When.Before(latest) {
				naming, latest = begins+":", c.When
			}
		}
	}
	for _, t := range f.Tasks {
		see(t.Commits)
	}
	see(f.Unassigned)
	return naming
}
