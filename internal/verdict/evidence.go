package verdict

import (
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/gsd-cli/gsd/internal/answer"
	"github.com/gsd-cli/gsd/internal/evidence"
	"github.com/gsd-cli/gsd/internal/planref"
	"github.com/gsd-cli/gsd/internal/progress"
	"github.com/gsd-cli/gsd/internal/project"
	"github.com/gsd-cli/gsd/planfile"
)

// MostCommits is how many commits are read to see how far a plan is: the work on a plan that is to be continued is among the latest.
const MostCommits = 300

// If a plan has more tasks or bytes, the files that its tasks name are not considered, because each task would have to be parsed.
const (
	mostParsedTasks = 50
	mostParsedBytes = 256 << 10
)

// CommitsOf finds which of the latest commits in HEAD's history carried out the tasks of a plan; without a repository, none. most is how many
// are read. What was read before an error counts.
func (p *Project) CommitsOf(name string, plan *planfile.File, most int) (answer.PlanEvidence, error) {
	log, err := p.Planning.Log(p.Progress)
	if log == nil {
		return answer.PlanEvidence{}, err
	}
	return readEvidence(log, p.FactsOf(name, plan), most)
}

// readEvidence finds which commits of a log carried out the tasks of a plan; limit is how many are read, 0 for all. What was read
// before an error counts.
func readEvidence(log *evidence.Log, plan evidence.Plan, limit int) (answer.PlanEvidence, error) {
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
		err = fmt.Errorf("%d commits and %d tasks are too many to compare", found.Seen, len(plan.Tasks))
	}
	return answer.PlanEvidence{
		Found: found, Limited: limited && !found.Bounded, Truncated: log.Truncated && !found.Bounded, Failed: err != nil,
	}, err
}

// FactsOf returns what package evidence needs to know of a plan, or of a session on it.
func (p *Project) FactsOf(name string, plan *planfile.File) evidence.Plan {
	facts := PlanFacts(name, plan, len(plan.Tasks) <= mostParsedTasks && len(plan.Bytes()) <= mostParsedBytes)
	facts.Alone = p.Planning.IsOnlyPlan(name)
	facts.ID, _ = p.Planning.PlanID(name)
	facts.Named = p.Planning.NamedBeside(name)
	return facts
}

// SetApart sets back the tasks of a session of this working tree whose statuses were set on another branch, or in a clone that was here
// before, of which no commit is left. What was amended, rebased or reset stays.
func (p *Project) SetApart(tasks []progress.Task) {
	for i := range tasks {
		t := &tasks[i]
		if t.Set.IsZero() || t.Head == "" || t.Status == planfile.InProgress || p.Planning.HasCommit(t.Head) {
			continue
		}
		if branch := p.Planning.BranchWith(t.Head); branch != "" || !p.Planning.Knows(t.Head) {
			t.Previous, t.Branch = t.Status, branch
			t.Status, t.Set = planfile.Pending, time.Time{}
		}
	}
}

// AddCommitted gives the tasks of a report's session that nobody has set the statuses that commits in HEAD's history certainly show, else
// those that the plan's own words mean: so the answer is the same with a session as without one, though an executor commits what it does and
// marks nothing. Where the plan says and said nothing, the commits are only read if HEAD has moved since the session was started, which its reflog
// shows, or a task is in progress, which may have been committed.
func (p *Project) AddCommitted(r *answer.Report) {
	file := r.Written()
	if len(file.Tasks) > mostMerged {
		return
	}
	again := p.Planning.SummaryOf(r.Plan.Path) != "" // a plan that is done again is not done by its old commits
	if r.Evidence == nil {
		began, ok := file.Header.StartedAt()
		moved, known := p.Planning.HeadMoved()
		isStill := ok && known && moved.Before(began.Add(-startMargin)) && file.Count(planfile.InProgress) == 0
		if isStill && r.Plan.Words == nil && !p.hadWords(r) && len(p.recordsElsewhere(r)) == 0 {
			return
		}
		if !again {
			found, _ := p.CommitsOf(r.Plan.Path, file, MostCommits) // what was read before an error counts
			r.Evidence = &found
		}
	}
	own := p.Recorded(r.User, file, "", r.Changed)
	p.SetApart(own.Tasks)
	r.Session, r.File, r.State = file, nil, p.withMerged(r, own)
	if !again {
		if len(r.Evidence.Tasks) == len(file.Tasks) {
			progress.AddCommits(r.State, r.Evidence.Committed(), r.Evidence.IsPartial())
		}
		progress.AddWords(r.State, r.Plan.Words, !r.Plan.Edited)
	}
	statuses := map[int]planfile.Status{}
	for i := range r.State {
		if t := &r.State[i]; t.Status != file.Tasks[i].Status {
			statuses[t.Number] = t.Status
		}
	}
	if len(statuses) > 0 {
		r.File, r.Session = file, file.With(statuses)
	}
}

// hadWords reports whether a task of a report's session has its status from a word of the plan, which may say something else since.
func (p *Project) hadWords(r *answer.Report) bool {
	file := r.Written()
	if file.Count(planfile.Pending) == len(file.Tasks) {
		return false
	}
	c, _ := p.Crumb(r.User, p.CrumbID(r.User, file))
	return slices.ContainsFunc(c.Tasks, func(t progress.Task) bool { return t.Word != "" })
}

// startMargin is how much later the time may be at which a session says that it was started: two of one second have different ones.
const startMargin = 10 * time.Second

// mostMerged is how many tasks a session may have whose statuses are compared with the commits.
const mostMerged = 1000

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
			named := namedFiles(f, t.Number)
			task.Files = named[:min(len(named), left)]
		}
		left -= len(task.Files)
		plan.Tasks = append(plan.Tasks, task)
	}
	return plan
}

// namedFiles returns the files that a task of a plan names.
func namedFiles(f *planfile.File, n int) (named []string) {
	children, _ := f.Children(n) // the task is there
	for _, c := range children {
		if c.Name == "files" {
			named = append(named, strings.FieldsFunc(c.Text, func(r rune) bool { return strings.ContainsRune(", \n\t\r`", r) })...)
		}
	}
	return named
}
