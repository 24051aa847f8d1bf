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

// Drift means that the session and git's history say different things of what is done.
const Drift = "drift"

// How many commits Drift looks at, at most: those since the session was begun; and, where a task is complete and none of
// them carried it out, those from before, because it may have been carried over.
const (
	driftCommits = 100
	driftFurther = 300
)

// A session of more tasks or bytes than these is not asked which files its tasks name: each takes parsing.
const (
	driftTasks = 50
	driftBytes = 256 << 10
)

// What is said of drift is read at every turn, so of so many forgotten tasks each is named, with so many bytes of a
// commit's subject.
const (
	driftNamed   = 5
	driftSubject = 200
)

// Drift compares a report's session with the commits since it was begun: a task that a commit carried out and that is
// not marked, and one that is marked and that no commit shows, though others of the plan have theirs. It is read at
// every turn, so it is kept cheap, and what cannot be told is no warning: no git, no plan, no time of beginning.
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
	if err != nil || found.partial() { // in the middle of a history an order says nothing
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
	for i, e := range forgotten {
		if i == driftNamed {
			warnings = append(warnings, Warning{Drift, fmt.Sprintf("%d more tasks are not marked complete, although commits seem to have carried them out", len(forgotten)-i)})
			break
		}
		warnings = append(warnings, Warning{Drift, fmt.Sprintf("task %d is %s, and commit %s seems to have carried it out: %q; gsd mark %d complete, if it did", e.task, e.status, ShortID(e.commit.ID), clip(e.commit.Subject, driftSubject), e.task)})
	}
	if len(unseen) > 0 {
		warnings = append(warnings, Warning{Drift, fmt.Sprintf("%s marked complete, and no commit shows it, though a later task has its own", tasksAre(unseen))})
	}
	return warnings
}

// isShared reports whether plans of several roots have an id: which of them a commit means is unknown.
func (p *Project) isShared(id string) bool {
	if id == "" {
		return false
	}
	_, err := p.ResolvePlan(p.Dir, id)
	return err != nil
}

// untouched leaves those tasks of whose files no commit changed any, or a revert did last: work need not say which plan it
// is for, and one commit may be that of several tasks.
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

// committedSince opens the repository where the newest commit is from after that time: mostly it is not, and nothing
// more is read. HEAD's log tells it without git's objects.
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

// carriedOut is a task that a commit carried out and that is not complete.
type carriedOut struct {
	task   int
	status planfile.Status
	commit evidence.Evidence
}

// driftConfidence is how sure a commit must be of a task to speak of it at every turn: more than its place in the order.
const driftConfidence = 0.7

// compare tells what a session has forgotten to mark, and which of its complete tasks no commit shows, though a later
// one has its own. It is pure. A checkpoint leaves no commit, and a task without files may leave none; one commit may
// be that of two tasks, and then it has the words of both. A task in progress may take several commits: it is forgotten
// once a later one has its own.
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
		sure := slices.DeleteFunc(t.AtLeast(driftConfidence), func(e evidence.Evidence) bool { return !carriesOut(e.Subject) })
		switch complete := task.Status == planfile.Complete; {
		case !complete && statuses[i] == planfile.Complete && len(sure) > 0 && (begun || task.Status != planfile.InProgress):
			forgotten = append(forgotten, carriedOut{task.Number, task.Status, sure[len(sure)-1]})
		case complete && later && len(t.Commits) == 0 && leavesCommit(plan.Tasks[i]) && !slices.ContainsFunc(subjects, func(s string) bool { return mentions(s, plan.Tasks[i].Name) }):
			unseen = append(unseen, task.Number)
		}
		begun = begun || len(sure) > 0
		later = later || task.Status == planfile.Complete && len(sure) > 0
	}
	slices.Reverse(forgotten)
	slices.Reverse(unseen)
	return forgotten, unseen
}

// carriesOut reports whether a commit may be the whole of a task by its type: what mends, prepares or describes is said of tasks
// that are done, or not yet.
func carriesOut(subject string) bool {
	switch planref.ParseSubject(subject).Type {
	case "test", "fix", "refactor", "docs", "chore", "style", "ci", "build", "revert", "wip":
		return false
	}
	return true
}

// leavesCommit reports whether a task changes files.
func leavesCommit(t evidence.Task) bool {
	return len(t.Files) > 0 && !strings.HasPrefix(t.Type, "checkpoint")
}

// mentions reports whether a subject has most of the words of a task's name.
func mentions(subject, name string) bool {
	words := strings.FieldsFunc(strings.ToLower(bareName(name)), notInWord)
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

func notInWord(r rune) bool { return !unicode.IsLetter(r) && !unicode.IsDigit(r) }

// ShortID is the beginning of a commit's id, as people name it.
func ShortID(id string) string { return id[:min(len(id), 7)] }

func tasksAre(numbers []int) string {
	var words []string
	for _, n := range numbers {
		words = append(words, fmt.Sprint(n))
	}
	if len(words) == 1 {
		return "task " + words[0] + " is"
	}
	return "tasks " + strings.Join(words, ", ") + " are"
}

// clip cuts a text to at most n bytes.
func clip(s string, n int) string {
	if len(s) <= n {
		return s
	}
	return strings.ToValidUTF8(s[:n], "")
}
