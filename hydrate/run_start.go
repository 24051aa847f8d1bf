package hydrate

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/gsd-cli/gsd/session"
)

// StartOptions says how to start a run.
type StartOptions struct {
	User  string
	TTL   time.Duration // 0 for the one that the run has, else DefaultTTL
	Force bool          // take the lease from whoever holds it
	Join  bool          // go on with the holder's run where the caller descends from it
	// Supervised says that the caller lives as long as the run, and will see how it ends.
	Supervised bool
	Now        time.Time
	Wait       time.Duration // how long to wait for the guard
}

// Started is what StartRun did.
type Started struct {
	Run        Run
	Reentered  bool  // the run was there, and goes on
	InProgress []int // tasks that were in progress before
	From       *Run  // whose lease was taken over; nil where it was free
	Superseded []Run
	Warnings   []Warning
}

// StartRun takes the lease of the user's session for the caller's agent. The same run re-enters. The lease of a
// dead holder is taken over, and that of one that cannot be told once its time is up; one that may live is an
// error of kind Busy that names the holder.
func (p *Project) StartRun(ctx context.Context, o StartOptions) (*Started, error) {
	p.StateDir.MakeMachine() // else no later boot could be told from another machine; without it that is unknown
	var done *Started
	err := p.withRuns(ctx, o.User, o.Wait, o.Now, func(c *runChange) error {
		if c.caller.gone && c.caller.Sure {
			return fail(MissingInput, "name the agent's own process, such as $PPID", "there is no such process")
		}
		done = &Started{Warnings: c.warned}
		run, err := c.admit(c.caller, o.Force, o.Join)
		if err != nil {
			c.depart()
			return err
		}
		if run != nil {
			done.Reentered = true
		} else if run, err = p.begin(c, o, done); err != nil {
			return err
		}
		lease := c.leaseOf(run, o)
		// The journal has the start, safely. What a power cut may undo here is who is alive, and after it nobody is.
		if err := c.g.RenewLease(lease); err != nil {
			if !done.Reentered { // nobody is to wait for a run that never held it
				_ = c.g.End(session.End{Of: run.ID, Status: session.Aborted, Cause: session.CauseUser, At: o.Now.UTC()})
			}
			return err
		}
		if h := c.Holder; h != nil && h.ID != run.ID { // it never ended, and its conversation may be this one's
			from := *h
			done.From = &from
			c.forget(conversations(&c.lease)...)
		}
		_, _ = c.g.RotateJournal(o.Now) // the next start will try again
		run.Holds, run.Own, run.Renewed, run.TTL = true, true, o.Now.UTC(), time.Duration(lease.TTL)*time.Second
		if run.State == RunIdle {
			run.State = RunActive
		}
		done.Run, done.InProgress = *run, inProgress(c.report.Session)
		return nil
	})
	if err != nil {
		return nil, err
	}
	return done, nil
}

// leaseOf is the lease of a run that the caller begins or goes on with. One that goes on becomes a member; the command
// of a gsd exec that joins is a part of whatever it belongs to, and is over before it.
func (c *runChange) leaseOf(run *Run, o StartOptions) session.Lease {
	l := session.Lease{
		Token: run.Token, Run: run.ID, Host: run.Host, Conversation: c.caller.Conversation, Owner: run.Owner,
		Supervised: o.Supervised, Acquired: run.At, Renewed: o.Now, TTL: int(cmp.Or(o.TTL, run.TTL, DefaultTTL) / time.Second),
	}
	was := c.lease
	if was.Run != run.ID {
		return l
	}
	l.Owner, l.Members, l.Conversation, l.Supervised = was.Owner, was.Members, was.Conversation, was.Supervised
	if o.Join {
		return l
	}
	join(&l, c.caller)
	switch mine := c.caller.Conversation; {
	case mine == "" || c.caller.Host != run.Host: // a part of the run, in another program
	case was.Conversation == "" && len(was.Members) == 0:
		l.Conversation = mine
	case was.Conversation != mine && conversationToken(was.Conversation) != run.Token: // nobody can tell which of them
		l.Conversation = ""
	}
	return l
}

// depart takes the caller's process out of the lease of a run that others go on with: it begins another conversation,
// though it does not get the lease.
func (c *runChange) depart() {
	if h := c.Holder; h != nil && c.caller.PID > 0 && !c.caller.shows(&h.Run) && slices.ContainsFunc(processes(&c.lease), c.caller.owner.Same) {
		leave(&c.lease, c.caller.owner, c.table)
		_ = c.g.WriteLease(c.lease) // it says who lives; the next start says so again
	}
}

// begin records a new run, after the end of those that the same process leaves behind by it. The journal comes
// first: a lease without a start would be a run that nobody can find again.
func (p *Project) begin(c *runChange, o StartOptions, done *Started) (*Run, error) {
	for i := range c.Runs {
		old := &c.Runs[i]
		if !old.Open() || old.State == RunOrphaned || o.Join || !c.caller.leaves(old) {
			continue
		}
		end := session.End{Of: old.ID, Status: session.Cancelled, Cause: session.CauseSuperseded, At: o.Now.UTC()}
		if err := c.g.End(end); err != nil {
			return nil, err
		}
		done.Superseded = append(done.Superseded, *old)
		if old.nameless() { // it goes on under the name of its process
			o.TTL = cmp.Or(o.TTL, old.TTL)
		}
	}
	start := session.Start{
		ID: session.NewRunID(), Host: c.caller.Host, Plan: c.report.Plan.Path, Owner: c.caller.owner, At: o.Now.UTC(), TTL: cmp.Or(o.TTL, DefaultTTL),
	}
	if start.Owner.PID == 0 { // at least where it is
		start.Owner = p.table().Here()
		start.Owner.PID, start.Owner.StartTime = 0, ""
	}
	if tokens := c.caller.tokens(); len(tokens) > 0 {
		start.Token = tokens[0]
	} else {
		start.Token = session.NewRunID() + session.NewRunID()
	}
	if err := c.g.Begin(start); err != nil {
		return nil, err
	}
	run := assessRun(session.Run{Start: start}, RunFacts{Now: o.Now, Processes: p.table(), Caller: c.caller})
	return &run, nil
}

// admit decides about a caller that wants the lease: the run that it goes on with, or nil for a new one. One that
// joins lives as long as its command: a token alone, which any shell may have inherited, makes it no part of a run.
func (a *Assessment) admit(c Claim, force, join bool) (*Run, error) {
	h := a.Holder
	if h != nil && h.State != RunOrphaned {
		switch {
		case !join && c.leaves(h):
			if h.goesOnWithout(c.owner) && !force {
				return nil, h.busy()
			}
		case h.Above && (join || c.Anonymous()), c.shows(&h.Run) && (!join || h.nameless()):
			return h, nil
		case h.Own && c.PID == 0: // a new conversation of the same agent, or a part of it: it names no process of its own
			return h, nil
		case h.MayLive() && !force:
			return nil, h.busy()
		}
	}
	for i := range a.Runs { // its start was recorded, and a crash or gsd unlock took the lease
		r := &a.Runs[i]
		if r.Open() && c.shows(&r.Run) && r.State != RunOrphaned && !c.leaves(r) && (!join || r.Above) {
			return r, nil
		}
	}
	switch {
	case h != nil || force:
	case a.Lease == LeaseLater:
		return nil, laterVersion()
	case a.Lease == LeaseUnreadable: // whose it is, the journal may know
		for i := range a.Runs {
			if r := &a.Runs[i]; r.Open() && r.MayLive() && !r.Own {
				return nil, r.busy()
			}
		}
	}
	return nil, nil
}

// busy says who holds the lease.
func (r *Run) busy() *Error {
	e := fail(Busy, "let it end; or, where you know that it is over, repeat it with --force", "the session is in use by %s", r.Who())
	if r.State == RunUnknown {
		e.Hint = "nobody here can tell whether it lives; its time is up at " + r.Renewed.Add(r.TTL).UTC().Format(time.RFC3339) +
			"; where you know that it is over, repeat it with --force"
	}
	return e
}

// Who names a run for people: host, process, machine, since when.
func (r *Run) Who() string {
	var at []string
	if r.Owner.PID > 0 {
		at = append(at, fmt.Sprintf("pid %d", r.Owner.PID))
	}
	if r.Owner.HostName != "" {
		at = append(at, "on "+r.Owner.HostName)
	}
	name := r.Host
	if name == "" {
		name = "somebody"
	}
	where := ""
	if len(at) > 0 {
		where = " (" + strings.Join(at, " ") + ")"
	}
	return fmt.Sprintf("%s%s, run %s, since %s", name, where, r.ID, r.At.UTC().Format(time.RFC3339))
}
