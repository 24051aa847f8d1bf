package app

// run_end.go: how a run ended is recorded. Package run has the rules.

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
	"github.com/gsd-cli/gsd/internal/run"
	"github.com/gsd-cli/gsd/internal/verdict"
)

// EndRunOptions says which run ended, and how.
type EndRunOptions struct {
	User    string
	Run     string     // its id or the beginning of it; empty for the caller's own, else the only one that is over
	Status  run.Status // empty for interrupted, as a run counts whose end nobody reported
	Cause   run.Cause
	Reason  string // why it ended so, for the next agent; may be empty
	Command int    // the process of the command of gsd exec, which ended with Status; 0 for none
	// ResetTasks sets the tasks that the run was working on back to pending, unless another run has taken its lease.
	ResetTasks bool
	Agent      string // the host whose agent asks for it; empty for a person
	Wait       time.Duration
}

// EndedRun is what EndRun did.
type EndedRun struct {
	Run      run.Run           `json:"run"`      // the run that ended
	Already  bool              `json:"already"`  // it had ended before, and nothing was recorded
	GoesOn   bool              `json:"goes_on"`  // only a part of it ended, of which at most the reason was recorded: other processes are at work on it
	Left     []int             `json:"left"`     // the tasks of its own that it left in progress, for which its success counts as interrupted
	Warnings []problem.Warning `json:"warnings"` // what a person should know
}

// EndRun records how a run ended, and drops its lease. A success that leaves a task of its own in progress is recorded as
// interrupted, no matter who reports it; what others left in progress does not matter. A second end changes nothing, except for one that says how a run ended
// whose end was only concluded, for example by gsd run sweep: then the report of the run itself takes precedence.
func (p *Project) EndRun(ctx context.Context, o EndRunOptions) (*EndedRun, error) {
	if err := p.RefuseUndecided(); err != nil {
		return nil, err
	}
	if !p.HasDirectory(o.User) {
		return nil, noRun("")
	}
	var done *EndedRun
	err := p.WithRuns(ctx, o.User, o.Wait, func(c *verdict.RunChange) (err error) {
		c.Then = func() {
			p.KeepCrumb(c.Report)
			p.KeepRun(c.Report)
		}
		done, err = p.endRun(c, o)
		return err
	})
	if err != nil {
		return nil, err
	}
	done.Warnings = p.Warnings(done.Warnings)
	return done, nil
}

// EndRuns is EndRun for a conversation, which may have runs in several workstreams. The error is of kind MissingInput if it has none.
func (p *Project) EndRuns(ctx context.Context, o EndRunOptions) error {
	var none, failed error
	ended := false
	for _, at := range p.InAll() {
		_, err := (&Project{at}).EndRun(ctx, o)
		switch known, ok := errors.AsType[*problem.Error](err); {
		case err == nil:
			ended = true
		case ok && known.Kind == problem.MissingInput:
			none = err
		default:
			failed = cmp.Or(failed, err)
		}
	}
	if failed == nil && !ended {
		return none
	}
	return failed
}

func (p *Project) endRun(c *verdict.RunChange, o EndRunOptions) (*EndedRun, error) {
	r, whole, err := toEnd(c, &o)
	if err != nil {
		return nil, err
	}
	done := &EndedRun{Run: *r, Warnings: c.Warned}
	reported := o.Status != ""
	if !reported {
		if o.Status = run.Interrupted; r.Open() && !r.MayLive() {
			o.Cause = r.Presumed()
		}
	}
	own := r.InProgress
	if o.Status == run.Success && len(own) > 0 && r.Status != run.Paused {
		o.Status, done.Left = run.Interrupted, own
	}
	if r.Holds && o.Run == "" && c.IsPart(r, whole) {
		done.GoesOn = true
		c.RunFile.Change(func(records *run.Records) {
			record, unsafe := c.Left(r, o.Status, o.Reason)
			records.Put(record)
			records.Forget(unsafe...)
		})
		return done, nil
	}
	conversation, unreported := c.Ending(r, o.Command)
	c.RunFile.Change(func(records *run.Records) { records.Forget(unreported...) })
	if o.ResetTasks && (r.Holds || c.AtWork() == nil) {
		if _, err := p.reset(c, own); err != nil {
			done.Warnings = append(done.Warnings, notReset(err))
		}
	}
	if done.Already = !r.Open() && (!r.Cause.Concluded() || !reported); !done.Already {
		end := run.End{Of: r.ID, Status: o.Status, Cause: o.Cause, At: p.Now.UTC(), Plan: r.Plan, Reason: r.Why(o.Status, o.Reason)}
		if r.Holds || r.Plan == "" { // otherwise somebody else may have chosen the session's plan
			end.Plan = c.Report.Plan.Path
		}
		if o.Status.Resumable() && r.Open() { // the conversation of a run that was taken for dead is never offered again
			end.ResumeID = conversation
		}
		c.RunFile.Change(func(records *run.Records) { records.Finish(end) })
		done.Run = c.Ended(r, end)
	}
	done.Run.Holds, done.Run.Expired = false, false
	if !o.Status.Resumable() { // even after a success: any later end withdraws the conversation
		c.RunFile.Change(func(records *run.Records) { records.Forget(r.Conversations()...) })
	}
	return done, nil
}

// pauseOwn records that the caller's own run is paused, because its session is archived, with the guard held. It returns the run, nil if
// the caller has none, or gsd exec will see how that ends.
func (p *Project) pauseOwn(c *verdict.RunChange) (*run.Run, error) {
	r := c.Mine()
	if r == nil || r.Supervised {
		return nil, nil
	}
	done, err := p.endRun(c, EndRunOptions{Run: r.ID, Status: run.Paused, Cause: run.CauseUser})
	if err != nil {
		return nil, err
	}
	return &done.Run, nil
}

// toEnd finds the run to end, and whether it is the caller's whole run. One of somebody else is as if it had been named.
func toEnd(c *verdict.RunChange, o *EndRunOptions) (agentRun *run.Run, whole bool, err error) {
	id, more := o.Run, false
	if id != "" {
		agentRun, more = answer.ByPrefix(c.Runs, id, func(r *run.Run) string { return r.ID })
	} else if agentRun, whole, err = c.ToEnd(); agentRun == nil && err == nil {
		switch over := c.Abandoned(); {
		case len(over) == 1:
			agentRun, o.Run = over[0], over[0].ID
		case len(over) > 1:
			return nil, false, problem.Fail(problem.MissingInput, "`gsd run end ID` ends one of them", "which run is meant? %s", whoseRuns(over))
		}
	}
	busy, held := errors.AsType[*run.BusyError](err)
	switch {
	case agentRun != nil && id != "" && o.Agent != "" && agentRun.Open() && agentRun.MayLive() && !agentRun.Own: // as gsd takeover, which hosts ask about
		return nil, false, problem.Fail(problem.Refused, "ask the person that you work for, who can do it in a terminal",
			"at work may be %s: an agent does not end the run of somebody else", agentRun.Who())
	case more:
		return nil, false, problem.Fail(problem.MissingInput, "", "%q matches more than one run", id).Try(action.Action{Kind: action.ShowRuns})
	case held:
		return nil, false, problem.Fail(problem.Busy, "", "%s", busy).Try(action.Action{Kind: action.HowToEnd})
	case agentRun == nil:
		return nil, false, noRun(id)
	}
	return agentRun, whole, nil
}

// whoseRuns names runs, the latest first.
func whoseRuns(runs []*run.Run) string {
	const most = 5
	var words []string
	for _, r := range slices.Backward(runs[max(len(runs)-most, 0):]) {
		words = append(words, r.Who())
	}
	if more := len(runs) - most; more > 0 {
		words = append(words, fmt.Sprintf("%d earlier ones", more))
	}
	return strings.Join(words, "; ")
}

func noRun(id string) *problem.Error {
	if id == "" {
		return problem.Fail(problem.MissingInput, "", "no run to end").Try(action.Action{Kind: action.ShowRuns})
	}
	return problem.Fail(problem.MissingInput, "", "no run %q", id).Try(action.Action{Kind: action.ShowRuns})
}

// RunStatusWords lists how a run may end, as words.
func RunStatusWords() []string {
	var words []string
	for _, s := range run.Statuses() {
		words = append(words, string(s))
	}
	return words
}

// ParseRunStatus reads how a run ended.
func ParseRunStatus(text string) (run.Status, error) {
	i := slices.IndexFunc(run.Statuses(), func(s run.Status) bool { return strings.EqualFold(text, string(s)) })
	if i < 0 {
		return "", problem.Fail(problem.Usage, "one of "+strings.Join(RunStatusWords(), ", "), "%q is not a run status", text)
	}
	return run.Statuses()[i], nil
}
