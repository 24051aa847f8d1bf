package hydrate

import (
	"context"
	"path"
	"slices"
	"strings"
	"time"
	"unicode"

	"github.com/gsd-cli/gsd/internal/evidence"
	"github.com/gsd-cli/gsd/internal/gitlog"
	"github.com/gsd-cli/gsd/internal/history"
	"github.com/gsd-cli/gsd/internal/planref"
	"github.com/gsd-cli/gsd/internal/verdict"
	"github.com/gsd-cli/gsd/planfile"
)

// The codes of the warnings that the session and git's history disagree on what is done.
const (
	Drift       = "drift"        // a commit seems to have carried out a task that is not complete
	DriftMore   = "drift-more"   // there are more such tasks
	DriftUnseen = "drift-unseen" // tasks are complete, and no commit shows it, though a later task has its own
)

// Drift is computed at the start of every conversation and read by agents, so it has limits.
const (
	driftFurther = 300 // commits that are read, also from before the session, if a complete task has none since
	driftNamed   = 5   // tasks not marked complete that are listed one by one
	driftSubject = 200 // bytes of a commit's subject

	driftConfidence = 0.7 // how certain the match of a commit must be: the order alone does not suffice
)

// Drift compares a report's session with the commits since it was started. It warns of tasks that a commit carried out but
// that are not complete, and of complete tasks without a commit, though later tasks have one. Without git, a plan or a start
// time there is no warning.
func (p *Project) Drift(r *Report) []Warning {
	if !r.Verdict.Live() {
		return nil
	}
	began, ok := r.Session.Header.StartedAt()
	if !ok {
		return nil
	}
	log := p.CommittedSince(began)
	if log == nil {
		return p.driftWarnings(r.Plan.Path, p.pulled(r, began), nil)
	}
	plan := history.PlanFacts(p.Project, r.Plan.Path, r.Session)
	plan.Since = began
	found, err := verdict.ReadEvidence(log, plan, verdict.DriftCommits)
	if err != nil || found.IsPartial() { // in a partial history, the order means nothing
		return nil
	}
	r.Naming = verdict.CommitNaming(found.Found)
	forgotten, unseen := compare(r.Session, plan, found.Found)
	if len(unseen) > 0 {
		plan.Since = time.Time{}
		if found, err = verdict.ReadEvidence(log, plan, driftFurther); err != nil || found.IsPartial() {
			unseen = nil
		} else {
			_, unseen = compare(r.Session, plan, found.Found)
		}
	}
	if len(unseen) > 0 {
		unseen = p.untouched(plan, unseen)
	}
	return p.driftWarnings(r.Plan.Path, forgotten, unseen)
}

// pulled returns the tasks that commits carried out which are older than a session, and came here after it was started: with a pull, or
// with more of the history of a shallow clone. A task that somebody has set back is none.
func (p *Project) pulled(r *Report, began time.Time) []carriedOut {
	if moved, ok := gitlog.HeadMoved(p.Planning.Work); !ok || moved.Before(began) || r.Session.Header.Fresh {
		return nil
	}
	log, _ := p.Planning.Log(p.Progress)
	if log == nil {
		return nil
	}
	plan := history.PlanFacts(p.Project, r.Plan.Path, r.Session)
	found, err := verdict.ReadEvidence(log, plan, driftFurther)
	if err != nil || found.IsPartial() {
		return nil
	}
	tasks := verdict.Describe(r.Session)
	if c, ok := p.StateDir.Crumb(p.CrumbID(r.User, r.Session)); ok {
		verdict.AddSet(tasks, &c)
	}
	forgotten, _ := compare(r.Session, plan, found.Found)
	return slices.DeleteFunc(forgotten, func(e carriedOut) bool { return tasks[e.task-1].Set })
}

// driftWarnings are the warnings about tasks of a plan whose statuses and commits disagree.
func (p *Project) driftWarnings(plan string, forgotten []carriedOut, unseen []int) []Warning {
	if len(forgotten)+len(unseen) == 0 {
		return nil
	}
	if id, _ := planref.PlanID(plan); p.isShared(id) {
		return nil
	}
	var warnings []Warning
	for _, e := range forgotten[:min(len(forgotten), driftNamed)] {
		subject := e.commit.Subject
		subject = strings.ToValidUTF8(subject[:min(len(subject), driftSubject)], "")
		warnings = append(warnings, Warning{Code: Drift, Task: e.task, Status: string(e.status), ID: e.commit.ID, Subject: subject})
	}
	if more := len(forgotten) - driftNamed; more > 0 {
		warnings = append(warnings, Warning{Code: DriftMore, Count: more})
	}
	if len(unseen) > 0 {
		warnings = append(warnings, Warning{Code: DriftUnseen, Tasks: unseen})
	}
	return warnings
}

// isShared reports whether plans of several roots have the same ID: then it is unknown which of them a commit means.
func (p *Project) isShared(id string) bool {
	if id == "" {
		return false
	}
	_, err := p.ResolvePlan(p.Dir, id)
	return err != nil
}

// untouched returns the tasks whose files no commit changed, or whose files a revert changed last. A commit need not name its
// plan, and may carry out several tasks.
func (p *Project) untouched(plan evidence.Plan, tasks []int) (left []int) {
	repo, err := p.Planning.History()
	if err != nil || repo == nil {
		return tasks
	}
	defer repo.Close() // it was only read
	looked := 0
	for c, err := range repo.Reachable(context.Background()) {
		if looked++; err != nil || looked > driftFurther || len(tasks) == 0 {
			break
		}
		tasks = slices.DeleteFunc(tasks, func(n int) bool {
			touched := slices.ContainsFunc(plan.Tasks[n-1].Files, func(name string) bool {
				is, err := c.Touches(path.Clean(name))
				return is || err != nil
			})
			if touched && planref.ParseSubject(c.Subject).Reverts != "" {
				left = append(left, n)
			}
			return touched
		})
	}
	left = append(left, tasks...)
	slices.Sort(left)
	return left
}

type carriedOut struct {
	task   int
	status planfile.Status
	commit evidence.Evidence
}

// compare finds the tasks that a commit carried out but that are not marked complete (forgotten), and the complete tasks
// without a commit, though a later task has one (unseen). It is pure. A checkpoint leaves no commit, and a task without files
// may leave none. One commit may carry out two tasks; then it has the words of both. A task in progress may take several
// commits, and is forgotten only if a later task has a commit.
func compare(s *planfile.File, plan evidence.Plan, f evidence.Found) (forgotten []carriedOut, unseen []int) {
	statuses := f.Statuses(driftConfidence)
	var subjects []string
	for _, t := range f.Tasks {
		for _, e := range t.Commits {
			subjects = append(subjects, e.Subject)
		}
	}
	for _, e := range f.Unassigned {
		subjects = append(subjects, e.Subject)
	}
	later, begun := false, false // whether some later task has a commit and is complete; whether some later task has a commit
	for i := len(f.Tasks) - 1; i >= 0; i-- {
		t, task := f.Tasks[i], s.Tasks[i]
		sure := slices.DeleteFunc(t.AtLeast(driftConfidence),
			func(e evidence.Evidence) bool { return !carriesOut(e.Subject) })
		switch complete := task.Status == planfile.Complete; {
		case !complete && statuses[i] == planfile.Complete && len(sure) > 0 && (begun || task.Status != planfile.InProgress):
			forgotten = append(forgotten, carriedOut{task.Number, task.Status, sure[len(sure)-1]})
		case complete && later && len(t.Commits) == 0 && len(plan.Tasks[i].Files) > 0 &&
			!strings.HasPrefix(task.Type, "checkpoint") &&
			!slices.ContainsFunc(subjects, func(s string) bool { return mentions(s, plan.Tasks[i].Name) }):
			unseen = append(unseen, task.Number)
		}
		begun = begun || len(sure) > 0
		later = later || task.Status == planfile.Complete && len(sure) > 0
	}
	slices.Reverse(forgotten)
	slices.Reverse(unseen)
	return forgotten, unseen
}

// carriesOut reports whether a commit of this type may complete a task. One that fixes, prepares or describes something may
// belong to a task that was already done, or is not done yet.
func carriesOut(subject string) bool {
	switch planref.ParseSubject(subject).Type {
	case "test", "fix", "refactor", "docs", "chore", "style", "ci", "build", "revert", "wip":
		return false
	}
	return true
}

func mentions(subject, name string) bool {
	words := strings.FieldsFunc(strings.ToLower(verdict.BareName(name)),
		func(r rune) bool { return !unicode.IsLetter(r) && !unicode.IsDigit(r) })
	has, of := 0, 0
	for _, w := range words {
		if len(w) < 4 {
			continue
		}
		of++
		if strings.Contains(strings.ToLower(subject), w) {
			has++
		}
	}
	return of == 0 || 5*has >= 3*of
}

// ShortID returns the abbreviation of a commit's id.
func ShortID(id string) string { return id[:min(len(id), 7)] }
