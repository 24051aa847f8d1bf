package hydrate

import (
	"context"
	"slices"
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
	// BreaksOff says that success is none with a task in progress, if the run held the lease until now: it was
	// interrupted.
	BreaksOff bool
	Command   int // the process of what gsd exec has run, which ended as Status says; 0 for none
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
	GoesOn   bool // this was the end of a part of it: others are at work on it, or gsd exec will see how it ends
	Warnings []Warning
}

// EndRun records how a run ended, and gives its lease back. A second end changes nothing; that of a run which
// gsd sweep took for dead counts, because it comes from the run itself. Which run a caller means, toEnd tells.
func (p *Project) EndRun(ctx context.Context, o EndOptions) (*Ended, error) {
	if !p.hasDirectory(o.User) {
		return nil, noRun("")
	}
	var done *Ended
	err := p.withRuns(ctx, o.User, o.Wait, o.Now, func(c *runChange) error {
		run, whole, err := c.toEnd(o.Run)
		if err != nil {
			return err
		}
		done = &Ended{Run: *run, Warnings: c.warned}
		if o.BreaksOff && o.Status == session.Success && run.Holds && len(inProgress(c.report.Session)) > 0 {
			o.Status = session.Interrupted
		}
		if run.Holds && o.Run == "" && c.isPart(run, whole) {
			done.GoesOn = true
			return c.endPart(o.Status)
		}
		conversation := c.conversationOf(run)
		if c.lease.Run == run.ID {
			speaker, ok := leaver(&c.lease, c.caller, c.table)
			if all := processes(&c.lease); !ok && len(all) == 1 {
				speaker = all[0]
			}
			spoilt := unsaid(&c.lease, speaker, o.Command)
			c.forget(spoilt...)
			if slices.Contains(spoilt, conversationToken(conversation)) {
				conversation = ""
			}
		}
		if run.Holds && o.ResetTasks {
			if _, err := p.reset(c.g, o.User, o.Spare, o.Now); err != nil {
				done.Warnings = append(done.Warnings, notReset(err))
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
			done.Run.End, done.Run.State, done.Run.ResumeID = &end, endState(&end), end.ResumeID
		} else {
			done.Already = true
		}
		done.Run.Holds, done.Run.Expired = false, false
		if c.lease.Run == run.ID {
			if err := c.g.DropLease(); err != nil {
				return err
			}
		}
		if o.Status != session.Success && !done.Already {
			c.forget(append(run.conversations, run.Token)...)
		}
		_, _ = c.g.RotateJournal(o.Now) // the next end will try again
		return nil
	})
	if err != nil {
		return nil, err
	}
	return done, nil
}

// conversationOf gives the host's id of a run's conversation: the lease keeps it while the run lasts, unless it is not
// to be resumed. Where the lease is gone the caller may know it.
func (c *runChange) conversationOf(run *Run) string {
	switch {
	case c.lease.Run == run.ID:
		return c.lease.Conversation
	case c.caller.Conversation != "" && conversationToken(c.caller.Conversation) == run.Token:
		return c.caller.Conversation
	}
	return ""
}

// isPart tells an end that is not that of the whole run: of a member, of one of several processes, or of what
// gsd exec has started and will see the end of.
func (c *runChange) isPart(run *Run, whole bool) bool {
	if run.Supervised || !whole {
		return true
	}
	gone, ok := leaver(&c.lease, c.caller, c.table)
	if !ok { // it has left before, or never was there; or it does not say which it is
		return len(run.living) > 1 || len(run.living) == 1 && c.caller.PID > 0
	}
	return run.goesOnWithout(gone)
}

// endPart takes the caller out of the lease of a run that goes on. Where it did not end well, its conversation is not
// to be resumed, whatever becomes of the run.
func (c *runChange) endPart(status session.Status) error {
	// The process of gsd exec is above all of its parts, and does not leave.
	if gone, ok := leaver(&c.lease, c.caller, c.table); ok && !(c.lease.Supervised && gone.Same(c.lease.Owner)) {
		leave(&c.lease, gone, c.table)
	}
	if status != session.Success {
		if c.caller.Conversation == "" || c.caller.Conversation == c.lease.Conversation {
			c.forget(conversations(&c.lease)...)
			c.lease.Conversation = ""
		} else {
			c.forget(conversationToken(c.caller.Conversation))
		}
	}
	return c.g.WriteLease(c.lease)
}

// toEnd finds the run that the caller ends, and whether it is the run's own to end. Who merely descends from a run ends
// it only where it says nothing else of itself; who shows nothing, only one that named no process, or whose process
// is gone.
func (c *runChange) toEnd(id string) (run *Run, whole bool, err error) {
	if id != "" {
		run, err = c.byID(id)
		return run, true, err
	}
	anonymous := c.caller.Anonymous()
	switch h := c.Holder; {
	case h == nil:
	case c.caller.is(&h.Run), c.caller.part(h), anonymous && h.nameless(), anonymous && h.State == RunOrphaned:
		return h, true, nil
	case isMember(&c.lease, c.caller):
		return h, false, nil
	case anonymous:
		return nil, false, fail(Busy, "gsd run end --run "+h.ID+" ends it all the same", "the session is in use by %s", h.Who())
	}
	for i := range c.Runs { // the latest that is open, else the latest
		if r := &c.Runs[i]; c.caller.is(&r.Run) && (run == nil || r.Open() || !run.Open()) {
			run = r
		}
	}
	if run == nil {
		return nil, false, noRun("")
	}
	return run, true, nil
}

// byID finds a run by its id or by an unambiguous beginning of it.
func (a *Assessment) byID(id string) (*Run, error) {
	found, more := byPrefix(a.Runs, id, func(r *Run) string { return r.ID })
	switch {
	case more:
		return nil, fail(MissingInput, "gsd runs lists them", "%q is the beginning of more than one run", id)
	case found == nil:
		return nil, noRun(id)
	}
	return found, nil
}

// byPrefix finds what has that id, else the only one whose id begins so; more tells that there are several.
func byPrefix[T any](all []T, id string, idOf func(*T) string) (found *T, more bool) {
	for i := range all {
		switch its := idOf(&all[i]); {
		case its == id:
			return &all[i], false
		case id != "" && strings.HasPrefix(its, id):
			more = more || found != nil
			found = &all[i]
		}
	}
	return found, more
}

func noRun(id string) *Error {
	if id == "" {
		return fail(MissingInput, "gsd runs lists them; gsd run start begins one", "no run to end")
	}
	return fail(MissingInput, "gsd runs --all lists them", "no run %q", id)
}

// runStatuses lists how a run may end.
var runStatuses = [...]session.Status{session.Success, session.Failure, session.Cancelled, session.Interrupted, session.Aborted}

// RunStatusWords lists them as words.
func RunStatusWords() []string {
	var words []string
	for _, s := range runStatuses {
		words = append(words, string(s))
	}
	return words
}

// ParseRunStatus reads how a run ended.
func ParseRunStatus(text string) (session.Status, error) {
	for _, s := range runStatuses {
		if strings.EqualFold(text, string(s)) {
			return s, nil
		}
	}
	return "", fail(Usage, "one of "+strings.Join(RunStatusWords(), ", "), "%q is no way for a run to end", text)
}
