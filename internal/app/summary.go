package app

// summary.go: the summary of a plan whose tasks are complete or skipped: a draft (see draft.go), which becomes the summary once it is
// written.

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"path"
	"strings"
	"time"

	"github.com/gsd-cli/gsd/internal/action"
	"github.com/gsd-cli/gsd/internal/answer"
	"github.com/gsd-cli/gsd/internal/durable"
	"github.com/gsd-cli/gsd/internal/gitexec"
	"github.com/gsd-cli/gsd/internal/planref"
	"github.com/gsd-cli/gsd/internal/problem"
	"github.com/gsd-cli/gsd/internal/text"
	"github.com/gsd-cli/gsd/internal/verdict"
)

// SummaryOptions says whose plan to summarize.
type SummaryOptions struct {
	User string
	Env  []string      // git's environment
	Wait time.Duration // how long to wait for the guard
}

// Summarized is the answer of gsd done --summary.
type Summarized struct {
	User     string            `json:"user"`     // whose session it is: the name that gsd whoami prints
	Plan     string            `json:"plan"`     // the plan, relative to the project
	Summary  string            `json:"summary"`  // where its summary goes, or, if draft is null, the summary that was written: relative to the project
	Draft    *answer.Draft     `json:"draft"`    // the draft that was written; null if it became the summary, which completes the plan
	Commits  int               `json:"commits"`  // how many commits the draft names; 0 without one
	Files    int               `json:"files"`    // how many files it names
	Warnings []problem.Warning `json:"warnings"` // what a person should know
}

// maxSummaryFiles is how many changed files a draft names.
const maxSummaryFiles = 200

// Summarize writes a draft of the summary of the user's plan: its tasks with the commits that carried them out, as far as
// package evidence finds them, the files that those changed, and the front matter that gsd-core asks for. What only the author
// can say is left in brackets. If there is a draft in which nothing is left to write, it becomes the summary, and the plan is done; nothing
// that a program made up closes a plan. Errors are of kind MissingInput without a session, BadData if that is corrupt or something is
// left to write in the draft, Refused if a task is open, there is a summary, or the name of the plan determines none, and Busy if the
// session or the draft is changed meanwhile.
func (p *Project) Summarize(ctx context.Context, o SummaryOptions) (*Summarized, error) {
	if err := p.RefuseUndecided(); err != nil {
		return nil, err
	}
	r, err := p.Hydrate(o.User)
	if err == nil {
		err = mayBeSummarized(r)
	}
	if err != nil {
		return nil, err
	}
	draft, written := verdict.ReadDraft(p.Project, r.Summary)
	done := &Summarized{User: o.User, Plan: r.On, Summary: r.Summary}
	text := written
	if draft != nil && draft.Written() {
		text = measuredAgain(ctx, gitexec.Git{Dir: p.Dir, Env: o.Env}, written)
	}
	change := func() error { return publish(p, draft, written, text, r.Summary) }
	switch {
	case r.Plan.Summary != "" && (draft == nil || !draft.Written() || !hasText(p, r.Summary, text)):
		return nil, problem.Fail(problem.Refused, "edit it", "the plan has a summary: %s", r.Plan.Summary)
	case draft == nil:
		src := draftText(ctx, p, r, o, done)
		name := path.Join(path.Dir(r.Summary), planref.DraftName(path.Base(r.Summary)))
		done.Draft = &answer.Draft{Path: name, Left: answer.Placeholders([]byte(src))}
		change = func() error { return writeNew(p, name, src) }
	case !draft.Written():
		return nil, unwritten(draft)
	}
	err = p.Change(ctx, o.User, o.Wait, func(l *verdict.Locked) error {
		if file := l.Report.Session; file == nil || !bytes.Equal(file.Bytes(), r.Session.Bytes()) {
			return problem.Fail(problem.Busy, "nothing was written; run the command again", "the session was changed meanwhile")
		}
		return change()
	})
	if err != nil {
		return nil, err
	}
	if done.Draft == nil {
		_ = p.DropCrumb(o.User, p.CrumbID(o.User, r.Session)) // gsd run sweep will try again
	}
	done.Warnings = p.Warnings(done.Warnings)
	return done, nil
}

// mayBeSummarized returns why no summary of the plan of a session can be written; nil if one can, or is there.
func mayBeSummarized(r *answer.Report) error {
	switch {
	case r.Session == nil:
		return answer.NoSession(r.Path)
	case r.Verdict == answer.Corrupt:
		return answer.CorruptSession(r)
	case r.Plan.Summary != "":
		return nil
	case r.Resume != nil:
		return problem.Fail(problem.Refused, "", "task %d is not complete", r.Resume.Number).Try(r.Resume.Complete())
	case r.Verdict == answer.Stale:
		return problem.Fail(problem.Refused, "", "the session is stale").Try(action.Action{Kind: action.ShowSession})
	case r.Summary == "" || r.Plan.Path == "" || r.On != r.Plan.Path:
		return problem.Fail(problem.Refused, "", "it is not known where the summary of this plan goes").Try(action.Action{Kind: action.ShowSession})
	case r.Earlier:
		return problem.Fail(problem.Refused, "edit it", "%s exists", r.Summary)
	}
	return nil
}

// unwritten is the error for a draft in which something is left to write.
func unwritten(d *answer.Draft) *problem.Error {
	if d.Problem != "" {
		return problem.Fail(problem.BadData, "write it, or rename it: a new draft is written where there is none", "%s", d.Problem)
	}
	var left []string
	for _, placeholder := range d.Left {
		left = append(left, fmt.Sprintf("line %d, %s", placeholder.Line, text.Cut(placeholder.Text, 50)))
	}
	return problem.Fail(problem.BadData, "replace what is in brackets there, then run `gsd done --summary` again", "%s has %s left to write: %s", d.Path,
		answer.Counted(len(left), "place", "places"), strings.Join(left, "; "))
}

// hasText reports whether a file of the project can be read and has exactly this text now.
func hasText(p *Project, name string, text []byte) bool {
	src, err := p.Planning.ReadNow(name)
	return err == nil && bytes.Equal(src, text)
}

// publish makes a draft the summary with a text, if it is as it was read. If it was killed after it wrote the summary, the next one
// removes the draft.
func publish(p *Project, d *answer.Draft, was, text []byte, summary string) error {
	if !hasText(p, d.Path, was) {
		return problem.Fail(problem.Busy, "nothing was written; run the command again", "%s was changed meanwhile", d.Path)
	}
	if !hasText(p, summary, text) {
		if err := writeNew(p, summary, string(text)); err != nil {
			return err
		}
	}
	if !hasText(p, d.Path, was) {
		return nil // somebody is still writing it
	}
	if err := p.Write.Remove(p.Planning.Root(), d.Path); err != nil {
		return verdict.WriteFailed(d.Path, err)
	}
	return nil
}

// writeNew writes a file of the project, unless there is one.
func writeNew(p *Project, name, text string) error {
	switch err := p.WriteTracked(name, text, durable.Stamp{}); {
	case errors.Is(err, durable.ErrChanged):
		return problem.Fail(problem.Refused, "edit it", "%s exists", name)
	case err != nil:
		return verdict.WriteFailed(name, err)
	}
	return nil
}
