package verdict

// crumb_run.go: what a breadcrumb knows of the run that was at work on its session, and of the times of its tasks.

import (
	"encoding/json"
	"slices"
	"time"

	"github.com/gsd-cli/gsd/internal/progress"
	"github.com/gsd-cli/gsd/internal/run"
	"github.com/gsd-cli/gsd/internal/session"
	"github.com/gsd-cli/gsd/planfile"
)

// setRun adds to a breadcrumb of a report's session who holds the lease, and who marked the tasks last, and when, where the journal
// knows that (still).
func setRun(c *session.Crumb, r *Report) {
	c.Lease = leaseOf(r)
	journal, _ := r.RunFiles.Journal() // without it, less is known
	for i := range c.Tasks {
		t, on := &c.Tasks[i], run.Work{Plan: c.Plan, Task: i + 1}
		if its := journal.Marks[on]; its.Run != "" {
			t.Run, t.Began, t.Ended = its.Run, its.Began, its.Ended
		} else if t.Status == planfile.Pending { // it was set back
			t.Run, t.Began, t.Ended = "", time.Time{}, time.Time{}
		}
	}
}

// leaseOf returns the lease of a report's session as a breadcrumb has it; nil for none.
func leaseOf(r *Report) json.RawMessage {
	l, err := r.RunFiles.Lease()
	if err != nil {
		return nil
	}
	text, _ := l.Encode() // it was read from a file
	return text
}

// KeepRun brings the breadcrumb of a report's session up to date once another run holds the lease, or none. It is expendable.
func (p *Project) KeepRun(r *Report, now time.Time) {
	if r.Session == nil || r.corrupt() != "" {
		return
	}
	id := p.CrumbID(r.User, r.Session)
	written := p.CrumbWritten(r.User, id)
	if written.IsZero() {
		return // a hook writes one
	}
	if r.Changed.After(written) {
		p.KeepCrumb(r, now)
		return
	}
	c, ok := p.Crumb(r.User, id)
	if !ok {
		return
	}
	was, _ := run.ParseLease(c.Lease)
	is, _ := r.RunFiles.Lease() // without one, both are empty
	if was.Run != is.Run || was.PID != is.PID || was.Conversation != is.Conversation || len(was.Members) != len(is.Members) {
		c.Lease = leaseOf(r)
		_ = p.PutCrumb(c) // the next mark does it
	}
}

// RunOf returns the run that was at work on the session of a breadcrumb, as it is now; nil if there was none.
func (w *World) RunOf(c *session.Crumb, now time.Time) *run.Run {
	lease, err := run.ParseLease(c.Lease)
	if err != nil {
		return nil
	}
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
		Lease: lease, LeaseFile: run.LeaseHeld, Marks: marks, Now: now, Processes: w.Table(), Caller: w.Self(),
		Plan: c.Plan, InProgress: doing,
	})
	if a.Holder == nil {
		return nil
	}
	a.Holder.Plan = c.Plan
	return a.Holder
}

// ReviveRun records in the journal of a session that comes back from its breadcrumb the run that was at work on it, and the times of its
// tasks, as far as the journal does not know them. If the run may live, and nobody else has the lease, it holds that again; else it
// crashed, and whatever starts a run closes it. r is the report on the session, whose guard is held.
func ReviveRun(p *Project, r *Report, c *session.Crumb, now time.Time) {
	journal, err := r.RunFiles.Journal()
	if err != nil {
		return
	}
	lease, err := run.ParseLease(c.Lease)
	at := slices.IndexFunc(journal.Runs, func(its run.Record) bool { return its.ID == lease.Run })
	over := at >= 0 && journal.Runs[at].End != nil
	again := slices.ContainsFunc(journal.Runs, func(its run.Record) bool { return its.End == nil && its.Token == lease.Token })
	if err == nil && at < 0 && !again { // a conversation has one run
		_ = r.RunFiles.Begin(run.Start{ // an error is one of the journal, of which every later command warns
			ID: lease.Run, Token: lease.Token, Host: lease.Host, Plan: c.Plan, Owner: lease.Owner, At: lease.Acquired, TTL: lease.TTL,
			Conversation: lease.Conversation,
		})
	}
	numbers := map[string]int{} // by name; 0 for one that two tasks have
	for _, t := range progress.Describe(r.Session) {
		if _, twice := numbers[t.Name]; twice {
			numbers[t.Name] = 0
			continue
		}
		numbers[t.Name] = t.Number
	}
	for i, t := range c.Tasks {
		on := run.Work{Plan: r.Plan.Path, Task: numbers[t.Name]}
		if i < len(r.Session.Tasks) && r.Session.Title(i+1) == t.Name {
			on.Task = i + 1
		}
		if _, known := journal.Marks[on]; known || on.Task == 0 || t.Run == "" {
			continue
		}
		for _, line := range run.Lines(on, t) {
			_ = r.RunFiles.Works(line)
		}
	}
	if its := p.RunOf(c, now); its == nil || over || again || !its.MayLive() {
		return
	}
	if a := p.UnderLease(r, now); a.Holder == nil && a.Lease == run.LeaseNone {
		_ = r.RunFiles.WriteLease(lease)
	}
}
