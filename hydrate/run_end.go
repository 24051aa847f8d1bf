package hydrate

import (
	"context"
	"strings"
	"time"

	"github.com/gsd-cli/gsd/session"
)

// EndOptions says which run ended, and how.
type EndOptions struct {
	User   string
	Run    string // its id or the beginning of it; empty for the caller's own
	Status session.Status
	Cause  session.Cause
	// ResetTasks puts the tasks that it left in progress back to pending, if it held the lease until now; those in
	// Spare were in progress before.
	ResetTasks bool
	Spare      []int
	Now        time.Time
	Wait       time.Duration
}

// Ended is what EndRun did.
type Ended struct {
	Run      Run
	Already  bool // it had ended before, and nothing was recorded
	GoesOn   bool // gsd exec holds it, and will see how it ends
	Warnings []Warning
}

// EndRun records how a run ended, and gives its lease back. A second end changes nothing; that of a run which
// gsd sweep took for dead counts, because it comes from the run itself. A caller that shows nothing of itself
// means the run that holds the lease, unless that is known to live elsewhere.
func (p *Project) EndRun(ctx context.Context, o EndOptions) (*Ended, error) {
	if !p.hasRuns(o.User) {
		return nil, noRun("")
	}
	var done *Ended
	err := p.withRuns(ctx, o.User, o.Wait, o.Now, func(c *change) error {
		run, err := c.toEnd(o.Run)
		if err != nil {
			return err
		}
		done = &Ended{Run: *run, Warnings: c.warned}
		conversation := c.conversationOf(run)
		if run.supervised && o.Run == "" && o.Cause == session.CauseUser {
			done.GoesOn = true
			if o.Status != session.Success { // this conversation is over, and not well
				c.lease.Conversation = ""
				c.forget(conversation)
				return c.g.WriteLease(c.lease)
			}
			return nil
		}
		if run.Holds && o.ResetTasks {
			if _, err := p.reset(c.g, o.User, o.Spare, o.Now); err != nil {
				return err
			}
		}
		if run.Open() || run.End.Cause.Concluded() {
			end := session.End{Of: run.ID, Status: o.Status, Cause: o.Cause, At: o.Now.UTC()}
			if o.Status == session.Success && run.Open() { // what was taken for dead is never offered again
				end.ResumeID = conversation
			}
			if err := c.g.End(end); err != nil {
				return err
			}
			done.Run = assessRun(session.Run{Start: run.Start, End: &end}, RunFacts{Now: o.Now, Caller: c.caller})
			done.Run.ResumeID = end.ResumeID
		} else {
			done.Already = true
		}
		if c.lease.Run == run.ID {
			if err := c.g.DropLease(); err != nil {
				return err
			}
		}
		if o.Status != session.Success && !done.Already {
			c.forget(conversation)
		}
		_, _ = c.g.RotateJournal(o.Now) // the next end will try again
		return nil
	})
	if err != nil {
		return nil, err
	}
	return done, nil
}

// conversationOf gives the host's id of a run's conversation: the lease keeps it while the run lasts.
func (c *change) conversationOf(run *Run) string {
	switch {
	case c.lease.Run == run.ID && c.lease.Conversation != "":
		return c.lease.Conversation
	case c.caller.Conversation != "" && conversationToken(c.caller.Conversation) == run.Token:
		return c.caller.Conversation
	}
	return ""
}

// toEnd finds the run that the caller ends. Who merely descends from a run ends it only where it says nothing else
// of itself; who shows nothing, only one that named no process, or whose process is gone.
func (c *change) toEnd(id string) (*Run, error) {
	if id != "" {
		return c.byID(id)
	}
	anonymous := c.caller.anonymous()
	switch h := c.Holder; {
	case h == nil:
	case c.caller.is(&h.Run), c.caller.part(h), anonymous && h.nameless():
		return h, nil
	case anonymous && h.State != RunOrphaned:
		return nil, fail(Busy, "gsd run end --run "+h.ID+" ends it all the same", "the session is in use by %s", h.Who())
	case anonymous:
		return h, nil
	}
	var found *Run
	for i := range c.Runs { // the latest that is open, else the latest
		if r := &c.Runs[i]; c.caller.is(&r.Run) && (found == nil || r.Open() || !found.Open()) {
			found = r
		}
	}
	if found == nil {
		return nil, noRun("")
	}
	return found, nil
}

// byID finds a run by its id or by an unambiguous beginning of it.
func (a *Assessment) byID(id string) (*Run, error) {
	var found *Run
	for i := range a.Runs {
		switch r := &a.Runs[i]; {
		case r.ID == id:
			return r, nil
		case strings.HasPrefix(r.ID, id) && found != nil:
			return nil, fail(MissingInput, "gsd runs lists them", "%q is the beginning of more than one run", id)
		case strings.HasPrefix(r.ID, id):
			found = r
		}
	}
	if found == nil {
		return nil, noRun(id)
	}
	return found, nil
}

func noRun(id string) *Error {
	if id == "" {
		return fail(MissingInput, "gsd runs lists them; gsd run start begins one", "no run to end")
	}
	return fail(MissingInput, "gsd runs --all lists them", "no run %q", id)
}
