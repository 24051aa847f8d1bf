package verdict

import (
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/gsd-cli/gsd/internal/evidence"
	"github.com/gsd-cli/gsd/internal/gitlog"
	"github.com/gsd-cli/gsd/internal/planref"
	"github.com/gsd-cli/gsd/internal/project"
	"github.com/gsd-cli/gsd/planfile"
)

// DriftCommits is how many commits are read: those since the session was started.
const DriftCommits = 100

// isWorkedOn reports whether commits have worked on the plan of a session since it was started.
func (p *Project) isWorkedOn(r *Report) bool {
	began, ok := r.Session.Header.StartedAt()
	if !ok {
		return false
	}
	log := p.CommittedSince(began)
	if log == nil {
		return false
	}
	plan := PlanFacts(r.Plan.Path, r.Session, false)
	plan.Alone, plan.Since = p.Planning.IsOnlyPlan(r.Plan.Path), began
	found, _ := ReadEvidence(log, plan, DriftCommits) // what was read before an error counts
	return len(found.Unassigned) > 0 || slices.ContainsFunc(found.Tasks, func(t evidence.TaskEvidence) bool { return len(t.Commits) > 0 })
}

// CommittedSince returns the commits if the newest is not older than then, and nil otherwise. Usually it is older, which HEAD's
// reflog shows without reading git's objects.
func (p *Project) CommittedSince(then time.Time) *evidence.Log {
	if moved, ok := gitlog.HeadMoved(p.Planning.Work); ok && moved.Before(then) {
		return nil
	}
	log, _ := p.Planning.Log(p.Progress)
	if log == nil {
		return nil
	}
	for c := range log.Commits() {
		if c.When.Before(then) {
			return nil
		}
		return log
	}
	return nil
}

// maxFiles is how many of the files named in a plan's tasks are considered.
const maxFiles = 1000

// PlanFacts returns what package evidence needs to know of a plan. The files named in its tasks are optional, because each
// task has to be parsed for them.
func PlanFacts(name string, f *planfile.File, files bool) evidence.Plan {
	plan := evidence.Plan{Path: name}
	plan.ID, _ = planref.PlanID(name)
	plan.Root, _ = project.RootOf(name)
	plan.Inferred = f.Inferred()
	left, indistinct := maxFiles, f.Indistinct()
	for i, t := range f.Tasks {
		task := evidence.Task{Number: t.Number, Name: f.Name(t.Number), Type: t.Type, TDD: f.TestFirst(t.Number), Indistinct: indistinct[i]}
		if files && left > 0 {
			children, _ := f.Children(t.Number) // the task is there
			for _, c := range children {
				if c.Name == "files" {
					named := strings.FieldsFunc(c.Text, func(r rune) bool { return strings.ContainsRune(", \n\t\r`", r) })
					task.Files = append(task.Files, named[:min(len(named), left-len(task.Files))]...)
				}
			}
		}
		left -= len(task.Files)
		plan.Tasks = append(plan.Tasks, task)
	}
	return plan
}

// PlanEvidence is which commits carried out the tasks of a plan, as far as they were read.
type PlanEvidence struct {
	evidence.Found
	Limited   bool // older commits, which might show more, are beyond the limit
	Truncated bool // or not in the repository
}

// IsPartial reports whether older commits might show more.
func (e PlanEvidence) IsPartial() bool { return e.Limited || e.Truncated || e.Exhausted }

// ReadEvidence finds which commits of a log carried out the tasks of a plan; limit is how many are read, 0 for all. What was read
// before an error counts.
func ReadEvidence(log *evidence.Log, plan evidence.Plan, limit int) (PlanEvidence, error) {
	limited := false
	found := evidence.Match(func(yield func(*evidence.Commit) bool) {
		seen := 0
		for c := range log.Commits() {
			if limited = limit > 0 && seen == limit; limited || !yield(c) {
				return
			}
			seen++
		}
	}, plan)
	err := log.Err
	if found.Exhausted && err == nil {
		err = fmt.Errorf("%d commits and %d tasks are too many to compare",
			found.Seen, len(plan.Tasks))
	}
	return PlanEvidence{found, limited && !found.Bounded, log.Truncated && !found.Bounded}, err
}

// CommitNaming returns how the latest commit of a plan begins that says in its scope what it is about, as feat(03-01): does; "" if none
// does.
func CommitNaming(f evidence.Found) (naming string) {
	var latest time.Time
	see := func(all []evidence.Evidence) {
		for _, c := range all {
			begins, _, ok := strings.Cut(c.Subject, ": ")
			if ok && strings.HasSuffix(begins, ")") && planref.ParseSubject(c.Subject).Type != "" && !c.When.Before(latest) {
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
