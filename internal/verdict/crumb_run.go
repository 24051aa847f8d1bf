package verdict

// crumb_run.go: what a breadcrumb knows of the run that was at work on its session, and of the times of its tasks.

import (
	"time"

	"github.com/gsd-cli/gsd/internal/answer"
	"github.com/gsd-cli/gsd/internal/progress"
	"github.com/gsd-cli/gsd/internal/run"
	"github.com/gsd-cli/gsd/internal/session"
	"github.com/gsd-cli/gsd/planfile"
)

// KeepRun brings the breadcrumb of a report's session up to date once another run holds the lease, or none. It is expendable.
func (p *Project) KeepRun(r *answer.Report) {
	if r.Session == nil || r.Unusable() != "" {
		return
	}
	id := p.CrumbID(r.User, r.Session)
	written := p.CrumbWritten(r.User, id)
	if written.IsZero() {
		return // a hook writes one
	}
	if r.Changed.After(written) {
		p.KeepCrumb(r)
		return
	}
	c, ok := p.Crumb(r.User, id)
	if !ok {
		return
	}
	was, _ := run.ParseRecord(c.Run)
	is := run.Record{} // as that is without a holder
	records, _ := r.RunFile.Records()
	holder := records.Holding()
	if holder != nil {
		is = *holder
	}
	if was.ID != is.ID || was.Owner.PID != is.Owner.PID || was.Resume != is.Resume || len(was.Members) != len(is.Members) || !c.Shown.IsZero() {
		c.Run, c.Shown = holder.Encode(), time.Time{} // the session is here again, if it was lost
		_ = p.PutCrumb(c)                             // the next mark does it
	}
}

// RunOf returns the run that was at work on the session of a breadcrumb, as it is now; nil if there was none.
func (w *World) RunOf(c *session.Crumb) *run.Run {
	record, err := run.ParseRecord(c.Run)
	if err != nil {
		return nil
	}
	record.Marked = true // it may have
	marks := run.Marks{}
	var doing []int
	for i, t := range c.Tasks {
		if t.Run != "" {
			marks[run.Work{Plan: c.Plan, Task: i + 1}] = t
		}
		if t.Status == planfile.InProgress {
			doing = append(doing, i+1)
		}
	}
	a := run.Assess(run.Facts{
		Records: run.Records{Holder: record.ID, Runs: []run.Record{record}, Marks: marks}, Now: w.Now, Processes: w.Table(), Caller: w.Self(),
		Plan: c.Plan, InProgress: doing,
	})
	if a.Holder == nil {
		return nil
	}
	a.Holder.Plan = c.Plan
	return a.Holder
}

// Revive adds to the records of the runs of a session that comes back from its breadcrumb the run that was at work on it, and the times of
// its tasks, as far as they are not known. agentRun is that run as it is now, nil for none. r is the report on the session, whose guard is held.
func Revive(r *answer.Report, c *session.Crumb, agentRun *run.Run) {
	numbers := map[string]int{} // by name; 0 for one that two tasks have
	for _, t := range progress.Describe(r.Session) {
		if _, twice := numbers[t.Name]; twice {
			numbers[t.Name] = 0
			continue
		}
		numbers[t.Name] = t.Number
	}
	r.RunFile.Change(func(records *run.Records) {
		if was, err := run.ParseRecord(c.Run); err == nil {
			was.Plan = c.Plan
			records.Revive(was, agentRun != nil && agentRun.MayLive())
		}
		for i, t := range c.Tasks {
			on := run.Work{Plan: r.Plan.Path, Task: numbers[t.Name]}
			if i < len(r.Session.Tasks) && r.Session.Title(i+1) == t.Name {
				on.Task = i + 1
			}
			if _, known := records.Marks[on]; !known && on.Task > 0 && t.Run != "" {
				records.Mark(on, t)
			}
		}
	})
}
