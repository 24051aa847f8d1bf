package app

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/gsd-cli/gsd/internal/action"
	"github.com/gsd-cli/gsd/internal/answer"
	"github.com/gsd-cli/gsd/internal/problem"
	"github.com/gsd-cli/gsd/internal/progress"
	"github.com/gsd-cli/gsd/internal/run"
	"github.com/gsd-cli/gsd/internal/text"
	"github.com/gsd-cli/gsd/internal/verdict"
	"github.com/gsd-cli/gsd/planfile"
)

// MarkOptions says which task gets which status.
type MarkOptions struct {
	User   string
	Number int // the task, counted from 1
	// Current is given in place of Number: the task that its worker means by "done". It is the one in progress that the caller's own run is
	// working on, else the only one in progress, else the first that is neither complete nor skipped.
	Current bool
	Status  planfile.Status // one of the four; any other is an error of kind Usage
	Wait    time.Duration   // how long to wait for the guard
}

// check returns an error of kind Usage for options that mean nothing.
func (o *MarkOptions) check() error {
	switch {
	case !o.Status.Known():
		return problem.Fail(problem.Usage, "complete, in-progress, pending or skipped", "unknown status %q", o.Status)
	case o.Current && o.Number != 0:
		return problem.Fail(problem.Usage, "give a number, or leave it out for the task in progress", "both a task's number and the task in progress were given")
	case !o.Current && o.Number < 1:
		return problem.Fail(problem.Usage, "a whole number from 1", "%d is not a task number", o.Number).Try(action.Action{Kind: action.ListTasks})
	}
	return nil
}

// Marked is what Mark did.
type Marked struct {
	*answer.Report               // on the session as it is now
	Task           progress.Task `json:"marked"` // the task that was marked, with its previous status

	was progress.Task // the task before
}

// Changed reports whether the task had another status before. If it had not, nothing was written.
func (m *Marked) Changed() bool { return m.Task.Status != m.Task.Previous }

// Mark sets the status of one task of the user's session. It waits for the guard, but not for a run that is
// at work. A stale session is marked, too: the work was done, whatever the roadmap says. Errors are of kind MissingInput if
// there is no session or no such task, Usage for a number or a status that there cannot be, and BadData if the session is corrupt or the
// task's status is ambiguous.
func (p *Project) Mark(ctx context.Context, o MarkOptions) (*Marked, error) {
	if err := o.check(); err != nil {
		return nil, err
	}
	if err := p.RefuseUndecided(); err != nil {
		return nil, err
	}
	// Checked before the guard is taken, because taking it makes the directory.
	if _, err := p.Planning.Root().Stat(p.Session(o.User).File()); problem.IsMissing(err) {
		return nil, answer.NoSession(p.Session(o.User).File())
	}
	var done *Marked
	err := p.Change(ctx, o.User, o.Wait, func(l *verdict.Locked) (err error) {
		done, err = p.mark(l, o)
		return err
	})
	if err != nil {
		return nil, err
	}
	// After the guard is released, so that nobody has to wait for this.
	if done.Task.Status == planfile.Complete && done.Changed() {
		done.ExtraWarnings = append(done.ExtraWarnings, p.UntouchedWarning(done.Report, done.was)...)
	}
	p.Examine(done.Report)
	if p.mayFix(done.Report); !done.MayFix.Starts() { // as it would take the session away from the one at work
		done.Fix = action.Action{}
	}
	if done.Plan.Summary != "" {
		_ = p.DropCrumb(o.User, p.CrumbID(o.User, done.Session)) // gsd run sweep will try again
	}
	return done, nil
}

// Approval returns an error that says what a person approves by completing a task of the user's session: nil where that is no checkpoint,
// or complete already.
func (p *Project) Approval(user string, number int) *problem.Error {
	r, err := p.Hydrate(user)
	if err != nil || r.Session == nil {
		return nil
	}
	if task, err := r.Session.Task(number); err != nil || task.Status == planfile.Complete {
		return nil
	}
	return approval(r, number)
}

func approval(r *answer.Report, number int) *problem.Error {
	if !answer.IsCheckpoint(r.Session.Tasks[number-1].Type) {
		return nil
	}
	return problem.Fail(problem.Usage, "ask the user first", "%s is a checkpoint, which the user approves", called(r, number))
}

func (p *Project) mark(l *verdict.Locked, o MarkOptions) (*Marked, error) {
	r := l.Report
	switch {
	case r.Unread != nil:
		return nil, r.Unread
	case r.Session == nil:
		return nil, answer.NoSession(r.Path)
	case r.Verdict == answer.Corrupt:
		return nil, answer.CorruptSession(r)
	}
	runs := p.UnderLease(r) // before the task is in progress, which would be the holder's until it is recorded
	if by := runs.Switched(); by != nil {
		p.Examine(r)
		return nil, p.switched(r, by)
	}
	number := o.Number
	if o.Current { // of what the file says: a worker who commits before saying that it is done does not mean the task after that
		var err error
		if number, err = p.currentTask(r); err != nil {
			return nil, err
		}
		if asks := approval(r, number); asks != nil && o.Status == planfile.Complete { // not in passing
			return nil, asks.Try(action.Action{Kind: action.Approve, Task: number})
		}
	}
	task, err := r.Session.Task(number)
	if err != nil {
		return nil, &problem.Error{Kind: problem.MissingInput, Text: err.Error(), Do: []action.Action{{Kind: action.ListTasks}}, Err: err}
	}
	done := &Marked{
		Report: r,
		Task:   progress.Task{Number: number, Name: r.Session.Title(number), Status: task.Status, Previous: task.Status},
	}
	switch {
	case task.Status == planfile.InProgress:
		done.was = p.Stamped(r.User, r.Session, r.Changed)[number-1]
	case o.Current: // nobody has said that it was started: a command that is repeated would complete the next task
		done.was = lastMark(p.Stamped(r.User, r.Session, r.Changed))
		done.was.Number, done.was.Status = number, task.Status
	}
	r.ExtraWarnings = append(r.ExtraWarnings, answer.NumberWarning(r.Session, number)...)
	if o.Status == planfile.Pending { // it counts more than all commits that there are, whatever their times
		if tasks := p.committed(r); number <= len(tasks) {
			done.Task.Previous = tasks[number-1].Status
		}
	}
	chunks, err := r.Session.SetStatus(o.Status, number)
	switch {
	case errors.Is(err, planfile.ErrOpenQuote):
		return nil, &problem.Error{Kind: problem.BadData, Text: r.Path + ": " + err.Error(), Hint: "close it", Err: err}
	case err != nil:
		return nil, &problem.Error{Kind: problem.BadData, Text: r.Path + ": " + err.Error(), Hint: "leave one status attribute on that line", Err: err}
	case chunks != nil:
		if err := p.CheckSize(r.Path, chunks); err != nil {
			return nil, err
		}
		if err := l.Guard.Write(chunks, l.Was); err != nil {
			return nil, err
		}
		if err := r.Session.Record(number, o.Status); err != nil {
			return nil, err
		}
		done.Task.Status = o.Status
	}
	if agentRun := p.Renew(r, runs, false); agentRun != nil {
		p.works(r, agentRun, done)
	}
	_ = p.WriteCrumb(r, number) // Bootstrap reports a failure; where it always fails, every mark would
	return done, nil
}

// switched returns the error of a caller whose run has not heard that another one switched the session to another plan: a task of that number was
// meant of its own.
func (p *Project) switched(r *answer.Report, by *run.Run) error {
	p.addSwitched(r, by)
	p.mayFix(r)
	refused := problem.Fail(problem.Busy, "a task of that number is another one there", "%s", answer.Switched(r.PlanInText(), by))
	if r.MayFix.Starts() {
		return refused.Try(r.Fix)
	}
	return refused.Try(action.Action{Kind: action.ShowSession})
}

// addSwitched says in a report that another run has switched the session to another plan, of which the caller's has not heard: it is to start on
// that plan before it marks a task.
func (p *Project) addSwitched(r *answer.Report, by *run.Run) {
	if r.Switched = by; by == nil || r.Verdict != answer.Resume {
		return
	}
	p.StartFacts(r) // of the session as it is
	r.Fix = cmp.Or(r.Fix, action.Action{Kind: action.TakeUp, Plan: p.Planning.Argument(r.Plan.Path)})
}

// currentTask returns the task that its worker means by "done": the one in progress that the caller's own run is working on, else the
// only one in progress, else the one that was committed last and that nobody has marked, else the first that is neither complete nor
// skipped. Errors are of kind Usage if several are in progress, Busy if another run that may be alive is working on it, and MissingInput if
// there is none.
func (p *Project) currentTask(r *answer.Report) (int, error) {
	stamps := p.Stamped(r.User, r.Session, r.Changed)
	all := slices.DeleteFunc(answer.TasksInProgress(r.Session), func(n int) bool { return stamps[n-1].Set.IsZero() }) // commits only seem so
	if len(all) == 0 {
		tasks := p.committed(r)
		if n := p.justCommitted(r, stamps, tasks); n > 0 {
			return n, nil
		}
		if tasks == nil {
			tasks = stamps
		}
		first := slices.IndexFunc(tasks, func(t progress.Task) bool { return !t.Status.Settled() })
		if first < 0 { // all that is left is to mark what was committed
			first = slices.IndexFunc(stamps, func(t progress.Task) bool { return !t.Status.Settled() })
		}
		if first < 0 {
			return 0, problem.Fail(problem.MissingInput, "", "every task of the session is %s", answer.SettledWord(r.Session.Count(planfile.Skipped) > 0)).
				Try(action.Action{Kind: action.ShowSession})
		}
		return first + 1, nil
	}
	runs := p.UnderLease(r)
	var own, free []int
	for _, n := range all {
		switch agentRun := runs.Worker(r.Plan.Path, n); {
		case agentRun == nil, agentRun.Nameless() && p.Self().Anonymous():
			free = append(free, n)
		case agentRun.Own:
			own = append(own, n)
		}
	}
	meant := all
	if len(own) > 0 {
		meant = own
	}
	switch {
	case len(meant) > 1:
		var names []string
		for _, n := range meant {
			names = append(names, called(r, n))
		}
		return 0, problem.Fail(problem.Usage, "name the one that is done: `gsd done N`", "%d tasks are in progress: %s", len(meant), strings.Join(names, ", "))
	case len(own)+len(free) == 0:
		return 0, problem.Fail(problem.Busy, "`gsd done N` marks the task that you mean", "%s is in the hands of %s",
			called(r, meant[0]), runs.Worker(r.Plan.Path, meant[0]).Who()).Try(action.Action{Kind: action.ShowRuns})
	}
	return meant[0], nil
}

// called names a task of the session with its title, for an error, of which JSON has the words as they are.
func called(r *answer.Report, n int) string {
	title := answer.WithoutNumber(r.Session.Name(n), n)
	return fmt.Sprintf("task %d (%s)", n, text.Defang(text.Cut(text.Line(title), 200)))
}

// lastMark returns the task that was set last; the zero task if nobody has set one.
func lastMark(stamps []progress.Task) (last progress.Task) {
	for _, t := range stamps {
		if t.Set.After(last.Set) {
			last = t
		}
	}
	return last
}

// justCommitted returns the task whose commit is the latest, if that was made after all marks and nobody has marked the task: a worker who
// commits before saying that it is done means that one, though the start of another conversation may have written it down, and not the next.
// It is 0 for none.
func (p *Project) justCommitted(r *answer.Report, stamps, tasks []progress.Task) (task int) {
	since, _ := r.Session.Header.StartedAt()
	at := "" // where the last mark was made
	if last := lastMark(stamps); last.Set.After(since) {
		since, at = last.Set, last.Head
	}
	if at != "" && at == p.Planning.HeadID() && len(p.Planning.Below()) == 0 { // nothing was committed since
		return 0
	}
	if r.Evidence == nil || len(r.Evidence.Tasks) != len(tasks) {
		return 0
	}
	commits := r.Evidence.Committed()
	for i := range tasks {
		t := &tasks[i]
		if !t.Shown() || t.Word != "" || t.Status != planfile.Complete {
			continue
		}
		at := commits[i].Latest // in whole seconds
		if !at.Before(since.Truncate(time.Second)) {
			task, since = t.Number, at
		}
	}
	return task
}

// committed returns the tasks of a session with what commits show of them, and keeps the commits for the judgement of the report; none where
// HEAD has not moved. The report's session stays as its file has it.
func (p *Project) committed(r *answer.Report) []progress.Task {
	seen := *r
	p.LoadPlan(&seen.Plan, seen.Session) // its own words count, too
	p.AddCommitted(&seen)
	r.Evidence = seen.Evidence
	return seen.State
}

// works records when a run gave a task its status, and that it works on the task and its plan, unless that is known. Without the
// record, the holder of the lease works on the task, and each run on the plan that it started on.
func (p *Project) works(r *answer.Report, agentRun *run.Run, done *Marked) {
	task := &done.Task
	on := run.Work{Plan: r.Plan.Path, Task: task.Number}
	r.RunFile.Change(func(records *run.Records) {
		switch {
		case done.Changed():
			records.Set(on, agentRun.ID, task.Status, p.Now)
		case agentRun.Plan != on.Plan || task.Status == planfile.InProgress && records.Marks[on].Run != agentRun.ID:
			records.Set(on, agentRun.ID, "", p.Now)
		}
	})
}
