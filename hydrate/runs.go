package hydrate

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path"
	"slices"
	"time"

	"github.com/gsd-cli/gsd/internal/planref"
	"github.com/gsd-cli/gsd/session"
)

// The causes of a run's end that the command line asks for or shows.
const (
	CauseUser       = session.CauseUser
	CauseExit       = session.CauseExit
	CauseSignal     = session.CauseSignal
	CauseSuperseded = session.CauseSuperseded
	CauseSynthetic  = session.CauseSynthetic
	CauseForced     = session.CauseForced
)

// RunStatus is how a run ended.
type RunStatus = session.Status

// RunCause is who says that a run ended.
type RunCause = session.Cause

// The statuses of a run's end that gsd exec gives.
const (
	StatusSuccess     = session.Success
	StatusFailure     = session.Failure
	StatusCancelled   = session.Cancelled
	StatusInterrupted = session.Interrupted
)

// The warnings about runs.
const (
	LeaseProblem   = "lease-unreadable" // no lease can be told from the file
	LeaseVersion   = "lease-version"    // a later version of gsd wrote it
	LeaseElsewhere = "lease-held"       // the session was changed while another run holds it
	JournalProblem = "journal-unreadable"
	JournalDamaged = "journal-damaged" // some lines say nothing
	JournalLong    = "journal-long"    // the earlier part of it, or of its archives, was not read
	CrumbProblem   = "crumb-unwritten"
)

// DefaultTTL is how long a run that nobody can look at keeps its lease after its latest sign of life.
const DefaultTTL = time.Hour

// Runs assesses the runs of a report's user. It only reads, and little: the runs that are open, and the latest.
// What could not be read is a warning.
func (p *Project) Runs(r *Report, now time.Time) (Assessment, []Warning) {
	dir := p.session(r.User).Through(p.from)
	lease, leaseErr := dir.Lease()
	journal, journalErr := p.glanceAt(dir, lease.Run)
	f := p.runFacts(r, now, lease, leaseErr, journal)
	var unread []Warning
	if f.Crumbs, unread = p.otherCrumbs(r); len(f.Crumbs) > 0 {
		f.Archived = p.archived(r.User)
	}
	a := Assess(f)
	return a, append(runWarnings(dir, &a, journal, leaseErr, journalErr), unread...)
}

// Interrupted is Assessment.Interrupted for a command that asks for nothing else of runs, and reads none where the answer
// is plain without them.
func (p *Project) Interrupted(r *Report, now time.Time) bool {
	if !r.InProgress {
		return false
	}
	a, _ := p.Runs(r, now) // who cannot be seen at work is not
	return a.Interrupted(r)
}

// ListRuns assesses the runs of a user that the journal knows, in the order of their starts; with archives, also
// those of journals that were put away. It only reads. Of very many it gives the newest, and a warning.
func (p *Project) ListRuns(user string, archives bool, now time.Time) ([]Run, []Warning, error) {
	dir := p.session(user)
	lease, leaseErr := dir.Lease()
	journal, err := dir.WholeJournal(archives)
	if err != nil {
		return nil, nil, readFailed(dir.JournalFile(), p.Limit, err)
	}
	a := p.assess(&Report{User: user}, now, lease, leaseErr, journal)
	return a.Runs, runWarnings(dir, &a, journal, leaseErr, nil), nil
}

// Lasted is how long a run took, until now where it may live. A clock that was set back makes no time negative.
func (r *Run) Lasted(now time.Time) time.Duration {
	until := r.Renewed // of one that died nobody knows more
	switch {
	case r.End != nil:
		until = r.End.At
	case r.MayLive():
		until = now
	}
	return max(0, until.Sub(r.At))
}

// PlanName is a plan's id, else the name of its file.
func PlanName(plan string) string {
	if id, ok := planref.PlanID(plan); ok {
		return id
	}
	if plan == "" {
		return ""
	}
	return path.Base(plan)
}

// assess is Assess without the lost sessions: who changes something of runs does not ask for them.
func (p *Project) assess(r *Report, now time.Time, lease session.Lease, leaseErr error, journal session.Journal) Assessment {
	return Assess(p.runFacts(r, now, lease, leaseErr, journal))
}

func (p *Project) runFacts(r *Report, now time.Time, lease session.Lease, leaseErr error, journal session.Journal) RunFacts {
	f := RunFacts{Session: r.Session, Lease: lease, LeaseFile: leaseState(leaseErr), Journal: journal, Now: now}
	if f.LeaseFile != LeaseNone || len(journal.Runs) > 0 { // else nobody has to be looked for
		f.Processes, f.Caller = p.table(), p.claim()
	}
	return f
}

func leaseState(err error) LeaseState {
	switch {
	case err == nil:
		return LeaseHeld
	case isMissing(err):
		return LeaseNone
	case errors.Is(err, session.ErrLeaseVersion):
		return LeaseLater
	}
	return LeaseUnreadable
}

func runWarnings(dir session.Dir, a *Assessment, j session.Journal, leaseErr, journalErr error) []Warning {
	var found []Warning
	add := func(code, format string, args ...any) {
		found = append(found, Warning{code, fmt.Sprintf(format, args...)})
	}
	switch a.Lease {
	case LeaseUnreadable:
		add(LeaseProblem, "%s; gsd unlock takes it away", cause(dir.LeaseFile(), leaseErr))
	case LeaseLater:
		add(LeaseVersion, "%s: %s; gsd unlock --force takes it away", dir.LeaseFile(), session.ErrLeaseVersion)
	}
	if journalErr != nil {
		add(JournalProblem, "%s", cause(dir.JournalFile(), journalErr))
	}
	if j.Bad > 0 {
		add(JournalDamaged, "%s: %s not understood and passed over", dir.JournalFile(), counted(j.Bad, "line was", "lines were"))
	}
	if j.Cut {
		add(JournalLong, "%s is long, and only its end was read; gsd sweep puts it away and begins another", dir.JournalFile())
	}
	if j.ArchivesCut {
		add(JournalLong, "of the journals that were put away in %s, only the newest runs were read", dir.Path())
	}
	return found
}

func counted(n int, one, more string) string {
	if n == 1 {
		return "1 " + one
	}
	return fmt.Sprintf("%d %s", n, more)
}

// hasDirectory tells whether a user has a session directory at all: taking the guard would make one.
func (p *Project) hasDirectory(user string) bool {
	_, err := p.root.Stat(p.session(user).Path())
	return err == nil
}

// A runChange is what a command that records something of runs has at hand, while it holds the session's guard.
type runChange struct {
	*Assessment
	g      *session.Guard
	report *Report
	lease  session.Lease // zero where none could be read
	warned []Warning
	caller Claim
	table  session.Processes
	unread *Error // why the session could not be read; nil where it could
}

// withRuns holds the guard of a user's session while do changes what is recorded of its runs.
func (p *Project) withRuns(ctx context.Context, user string, wait time.Duration, now time.Time, do func(*runChange) error) error {
	dir := p.session(user)
	g, err := dir.Lock(ctx, wait)
	if err != nil {
		return writeFailed(dir.LeaseFile(), err)
	}
	defer g.Unlock() // a lock that cannot be given back falls with this process
	src, _, readErr := g.Read(p.Limit)
	r, unread := p.reportOrEmpty(user, src, readErr)
	lease, leaseErr := g.Lease()
	odd, err := g.ClearJournal()
	if err != nil {
		return writeFailed(dir.JournalFile(), err)
	}
	journal, err := p.journalOf(dir, lease.Run)
	if err != nil {
		return readFailed(dir.JournalFile(), p.Limit, err)
	}
	a := p.assess(r, now, lease, leaseErr, journal)
	c := &runChange{Assessment: &a, g: g, report: r, lease: lease, warned: runWarnings(dir, &a, journal, leaseErr, nil), caller: p.claim(), table: p.table(), unread: unread}
	if odd {
		c.warned = append(c.warned, Warning{JournalProblem, dir.JournalFile() + " was no regular file, and was put aside"})
	}
	err = do(c)
	var own *Error
	if err != nil && !errors.As(err, &own) {
		return writeFailed(pathIn(err, dir.LeaseFile()), err)
	}
	return err
}

// journalOf reads the runs that a change may be about: those that the journal holds, or, where the command is over within
// milliseconds, those that are open, the latest, and the lease's. No other is begun, gone on with or ended by its own
// agent.
func (p *Project) journalOf(dir session.Dir, leased string) (session.Journal, error) {
	if p.Glance {
		return p.glanceAt(dir, leased)
	}
	return dir.WholeJournal(false)
}

// readJournal is a journal as it was read, and which version of the file that was.
type readJournal struct {
	file, run string
	info      fs.FileInfo
	journal   session.Journal
}

// glanceAt reads the runs of a journal that matter at a turn. A command that is over within milliseconds reads a file
// that has not changed once.
func (p *Project) glanceAt(dir session.Dir, run string) (session.Journal, error) {
	if !p.Glance {
		return dir.Journal(run)
	}
	file := dir.JournalFile()
	info, err := p.root.Lstat(file)
	if was := p.seen; err == nil && was.info != nil && was.file == file && was.run == run && os.SameFile(was.info, info) &&
		was.info.Size() == info.Size() && was.info.ModTime().Equal(info.ModTime()) {
		return was.journal, nil
	}
	journal, failed := dir.Journal(run)
	if err == nil && failed == nil {
		p.seen = readJournal{file, run, info, journal}
	}
	return journal, failed
}

// reportOrEmpty is report, without a session where that cannot be read: what is recorded of runs does not hang on it.
func (p *Project) reportOrEmpty(user string, src []byte, err error) (*Report, *Error) {
	r, failed := p.report(user, src, err)
	if failed != nil {
		var why *Error
		errors.As(failed, &why)
		return &Report{User: user}, why
	}
	return r, nil
}

// forget makes sure that nobody is offered a conversation that a run left in another way than by success, by what
// it goes by. It is the first of three chances: the gate at every turn and gsd sweep do it again.
func (c *runChange) forget(tokens ...string) {
	_, _ = c.g.ForgetConversations(func(r session.Run) bool { return slices.Contains(tokens, conversationToken(r.End.ResumeID)) })
}
