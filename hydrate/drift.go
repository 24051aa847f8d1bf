package hydrate

import (
	"context"
	"fmt"
	"path"
	"slices"
	"strings"
	"time"
	"unicode"

	"github.com/gsd-cli/gsd/internal/evidence"
	"github.com/gsd-cli/gsd/internal/gitlog"
	"github.com/gsd-cli/gsd/internal/planref"
	"github.com/gsd-cli/gsd/planfile"
)

// Drift warns that the session and git's history disagree on what is done.
const Drift = "drift"

// Drift is computed and read at every turn, so it has limits.
const (
	driftCommits = 100       // commits that are read: those since the session was started
	driftFurther = 300       // and earlier ones, if a complete task may have been carried over
	driftTasks   = 50        // of a session of more tasks or bytes,
	driftBytes   = 256 << 10 // the files that its tasks name are not considered: that takes parsing
	driftNamed   = 5         // forgotten tasks that are named
	driftSubject = 200       // bytes of a commit's subject

	driftConfidence = 0.7 // how certain a commit must be of a task: more than by its place in the order
)

// Drift compares a report's session with the commits since it was started: it warns of tasks that a commit carried out and
// that are not complete, and of complete tasks that no commit shows, though others of the plan have theirs. What is unknown
// is no warning: no git, no plan, no start time.
func (p *Project) Drift(r *Report) []Warning {
	if !r.Verdict.Live() {
		return nil
	}
	began, ok := r.Session.Header.StartedAt()
	if !ok {
		return nil
	}
	repo := p.committedSince(began)
	if repo == nil {
		return nil
	}
	defer repo.Close() // it was only read
	plan := planFacts(r.Plan.Path, r.Session, len(r.Session.Tasks) <= driftTasks && len(r.Session.Bytes()) <= driftBytes)
	plan.Alone = p.alone(r.Plan.Path)
	plan.Since = began
	found, err := readEvidence(context.Background(), repo, plan, driftCommits)
	if err != nil || found.partial() { // the order means nothing in the middle of a history
		return nil
	}
	forgotten, unseen := compare(r.Session, plan, found.Found)
	if len(unseen) > 0 {
		plan.Since = time.Time{}
		if found, err = readEvidence(context.Background(), repo, plan, driftFurther); err != nil || found.partial() {
			unseen = nil
		} else {
			_, unseen = compare(r.Session, plan, found.Found)
		}
	}
	if len(unseen) > 0 {
		unseen = untouched(repo, plan, unseen)
	}
	if len(forgotten)+len(unseen) == 0 || p.isShared(plan.ID) {
		return nil
	}
	var warnings []Warning
	warn := func(format string, args ...any) {
		warnings = append(warnings, Warning{Drift, fmt.Sprintf(format, args...)})
	}
	for _, e := range forgotten[:min(len(forgotten), driftNamed)] {
		subject := e.commit.Subject
		subject = strings.ToValidUTF8(subject[:min(len(subject), driftSubject)], "")
		warn("task %d is %s, and commit %s seems to have carried it out: %q; gsd mark %d complete, if it did",
			e.task, e.status, ShortID(e.commit.ID), subject, e.task)
	}
	if more := len(forgotten) - driftNamed; more > 0 {
		warn("%d more tasks are not marked complete, although commits seem to have carried them out", more)
	}
	if len(unseen) == 1 {
		warn("task %d is marked complete, and no commit shows it, though a later task has its own", unseen[0])
	} else if len(unseen) > 0 {
		numbers := strings.ReplaceAll(strings.Trim(fmt.Sprint(unseen), "[]"), " ", ", ")
		warn("tasks %s are marked complete, and no commit shows it, though a later task has its own", numbers)
	}
	return warnings
}

// isShared reports whether plans of several roots have an ID: then it is unknown which of them a commit means.
func (p *Project) isShared(id string) bool {
	if id == "" {
		return false
	}
	_, err := p.ResolvePlan(p.Dir, id)
	return err != nil
}

// untouched returns those tasks of whose files no commit changed any, or a revert did last: a commit need not say which plan
// it is for, and may carry out several tasks.
func untouched(repo *gitlog.Repo, plan evidence.Plan, tasks []int) (left []int) {
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

// committedSince opens the repository if the newest commit is not from before that time: mostly it is, and nothing more is
// read. HEAD's log shows it without git's objects.
func (p *Project) committedSince(then time.Time) *gitlog.Repo {
	if moved, ok := gitlog.HeadMoved(p.work); ok && moved.Before(then) {
		return nil
	}
	repo, err := p.history()
	if err != nil || repo == nil {
		return nil
	}
	for c, err := range repo.Reachable(context.Background()) {
		if err == nil && !c.When.Before(then) {
			return repo
		}
		break
	}
	repo.Close() // it was only read
	return nil
}

type carriedOut struct {
	task   int
	status planfile.Status
	commit evidence.Evidence
}

// compare finds the tasks that a session has forgotten to mark, and its complete tasks that no commit shows, though a later
// one has its own. It is pure. A checkpoint leaves no commit, and a task without files may leave none; one commit may carry
// out two tasks, and then it has the words of both. A task in progress may take several commits: it is forgotten once a
// later one has its own.
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
	later, begun := false, false // whether a later task is complete and has a commit of its own; whether it has one
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

// carriesOut reports whether a commit of that type may be the whole of a task: one that fixes, prepares or describes is for
// a task that is done, or not yet.
func carriesOut(subject string) bool {
	switch planref.ParseSubject(subject).Type {
	case "test", "fix", "refactor", "docs", "chore", "style", "ci", "build", "revert", "wip":
		return false
	}
	return true
}

func mentions(subject, name string) bool {
	words := strings.FieldsFunc(strings.ToLower(bareName(name)),
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

// ShortID is the beginning of a commit's id, as people name it.
func ShortID(id string) string { return id[:min(len(id), 7)] }
