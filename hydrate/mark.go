package hydrate

import (
	"context"
	"errors"
	"time"

	"github.com/gsd-cli/gsd/internal/durable"
	"github.com/gsd-cli/gsd/internal/session"
	"github.com/gsd-cli/gsd/planfile"
)

// MarkOptions says which task gets which status.
type MarkOptions struct {
	User   string
	Number int // 0 for the first one that is not complete
	Status planfile.Status
	// Forward takes nothing back: a task that is further already stays.
	Forward bool
	Now     time.Time
	Wait    time.Duration // how long to wait for the guard
}

// Marked is what Mark did.
type Marked struct {
	*Report            // on the session as it is now
	Task    MarkedTask `json:"marked"` // the task that was marked
}

// MarkedTask is a task that was marked.
type MarkedTask struct {
	Number   int             `json:"number"`   // counted from 1, in the order of the file
	Name     string          `json:"name"`     // what the task is called, on one line
	Status   planfile.Status `json:"status"`   // its status now
	Previous planfile.Status `json:"previous"` // what the file had before: a status, any other text, or nothing
	Changed  bool            `json:"changed"`  // false if the task had that status already, and nothing was written
}

// Mark sets the status of one task of the user's session. It waits for whoever holds the guard, but not for a run that
// is at work. A stale session is marked too: the work was
// done, whatever the roadmap says. The errors are of kind MissingInput for no session or no such task,
// BadData for a session that is none or a task whose status cannot be told.
func (p *Project) Mark(ctx context.Context, o MarkOptions) (*Marked, error) {
	// Looked for before the guard is taken, because taking it makes the directory.
	if _, err := p.root.Stat(p.session(o.User).File()); isMissing(err) {
		return nil, noSession(p.session(o.User).File())
	}
	var done *Marked
	err := p.change(ctx, o.User, o.Wait, false, func(g *session.Guard, r *Report, was durable.Stamp) error {
		if r.Session == nil {
			return noSession(r.Path)
		}
		if r.Verdict == Corrupt {
			return corruptSession(r)
		}
		number := o.Number
		if number == 0 {
			first := firstOpen(r.Session)
			if first == nil {
				return fail(MissingInput, "gsd hydrate shows what comes next", "every task of the session is complete")
			}
			number = first.Number
		}
		task, err := r.Session.Task(number)
		if err != nil {
			return &Error{Kind: MissingInput, Text: err.Error(), Hint: "gsd tasks lists them", Err: err}
		}
		done = &Marked{r, MarkedTask{Number: number, Name: r.Session.Name(number), Status: task.Status, Previous: task.Status}}
		if o.Forward && !advances(task.Status, o.Status) {
			return nil
		}
		chunks, err := r.Session.SetStatus(o.Status, number)
		switch {
		case err != nil:
			hint := "leave one status attribute on that line"
			if errors.Is(err, planfile.ErrOpenQuote) {
				hint = "close it"
			}
			return &Error{Kind: BadData, Text: r.Path + ": " + err.Error(), Hint: hint, Err: err}
		case chunks == nil:
			p.renew(r, false, o.Now)
			_ = p.leaveCrumb(r, o.Now)
			return nil
		}
		if err := p.checkSize(r.Path, chunks); err != nil {
			return err
		}
		if err := g.Write(chunks, was); err != nil {
			return err
		}
		r.Session.Record(number, o.Status)
		done.Task.Status, done.Task.Changed = o.Status, true
		p.renew(r, false, o.Now)
		_ = p.leaveCrumb(r, o.Now) // a sandbox that forbids it would be told so at every turn; Bootstrap tells once
		return nil
	})
	if err != nil {
		return nil, err
	}
	p.judge(done.Report) // nobody has to wait for this
	p.liftCrumb(done.Report)
	return done, nil
}

func noSession(name string) *Error {
	return fail(MissingInput, "start one: gsd bootstrap PLAN", "no session: %s does not exist", name)
}

func corruptSession(r *Report) *Error {
	return fail(BadData, "gsd bootstrap PLAN archives it and starts a new one", "%s is not a session: %s", r.Path, r.Corrupt)
}
