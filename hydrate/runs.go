package hydrate

import (
	"context"
	"errors"
	"fmt"
	"path"
	"slices"
	"time"

	"github.com/gsd-cli/gsd/internal/durable"
	"github.com/gsd-cli/gsd/internal/planref"
	"github.com/gsd-cli/gsd/internal/run"
	"github.com/gsd-cli/gsd/internal/session"
	"github.com/gsd-cli/gsd/planfile"
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

// An Assessment is the state of a session's runs, and what they left.
type Assessment struct {
	run.Assessment `json:"-"`

	Left []int         `json:"tasks"` // the tasks that a dead run left in progress; none if another run may be working on them
	Lost []LostSession `json:"lost"`  // the user's lost sessions of this project; gsd restore brings them back
}

// Interrupted reports whether the task which a session goes on with was put down: it is in progress, and nobody is at work
// on the session. The file alone cannot tell that (Judgement.InProgress).
func (a *Assessment) Interrupted(r *Report) bool {
	return r.Verdict == Resume && r.InProgress && a.AtWork() == nil
}

// Runs assesses the runs of a report's user. It only reads; what was read before is not read again. What could not be read
// is a warning.
func (p *Project) Runs(r *Report, now time.Time) (Assessment, []Warning) {
	journal, journalErr := r.runFiles(p).Journal()
	a := Assessment{Assessment: p.assess(r.files, journal, now)}
	if a.Deserted() {
		a.Left = inProgress(r.Session)
	}
	crumbs, unread := p.otherCrumbs(r)
	if len(crumbs) > 0 {
		a.Lost = lost(crumbs, r.Session, p.archived(r.User), now)
	}
	found := p.runWarnings(r.User, &a.Assessment, r.files, journal)
	if journalErr != nil {
		found = append(found, Warning{JournalProblem, cause(p.session(r.User).JournalFile(), journalErr)})
	}
	return a, append(found, unread...)
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

// RunList is the runs of a user.
type RunList struct {
	User     string    `json:"user"`     // whose runs they are: the name that gsd whoami prints
	Runs     []run.Run `json:"runs"`     // the latest first: the last 20 and all that are open, or with --all every one
	More     int       `json:"more"`     // how many earlier runs are left out
	Warnings []Warning `json:"warnings"` // what a person should know
}

// latestRuns is how many runs are listed unasked.
const latestRuns = 20

// RunList assesses the runs of a user that the journal knows: the latest, and all that are open. With all, it gives those
// that there ever were, also of journals that were put away. It only reads. Of very many it gives the newest, and a warning.
func (p *Project) RunList(user string, all bool, now time.Time) (*RunList, error) {
	files := p.files(user)
	read := files.Journal
	if all {
		read = files.History
	}
	journal, err := read()
	if err != nil {
		return nil, readFailed(p.session(user).JournalFile(), p.Limit, err)
	}
	a := p.assess(files, journal, now)
	list := &RunList{User: user, Runs: a.Runs, Warnings: p.warnings(p.runWarnings(user, &a, files, journal))}
	slices.Reverse(list.Runs)
	if !all && len(list.Runs) > latestRuns {
		kept := slices.Clone(list.Runs[:latestRuns])
		for _, r := range list.Runs[latestRuns:] {
			if r.Open() {
				kept = append(kept, r)
			}
		}
		list.More, list.Runs = len(list.Runs)-len(kept), kept
	}
	return list, nil
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

// files are the lease and the journal of a user's session, to be read out of the command's budget.
func (p *Project) files(user string) *run.Files { return run.Read(p.session(user).Look, p.budget) }

// runFiles are the lease and the journal beside the session of a report.
func (r *Report) runFiles(p *Project) *run.Files {
	if r.files == nil {
		r.files = p.files(r.User)
	}
	return r.files
}

// assess judges the runs of a journal by what can be seen of them from here. Where there are none, nobody is looked for.
func (p *Project) assess(files *run.Files, journal *run.Journal, now time.Time) run.Assessment {
	if len(journal.Runs) == 0 && files.LeaseState() == run.LeaseNone {
		return run.Assess(run.Facts{LeaseFile: run.LeaseNone})
	}
	return run.Assess(p.facts(files, journal, now))
}

func (p *Project) facts(files *run.Files, journal *run.Journal, now time.Time) run.Facts {
	lease, _ := files.Lease()
	return run.Facts{
		Lease: lease, LeaseFile: files.LeaseState(), Runs: journal.Runs, Now: now, Processes: p.table(), Caller: p.claim(),
	}
}

// runWarnings says what of a lease and a journal could not be read.
func (p *Project) runWarnings(user string, a *run.Assessment, files *run.Files, j *run.Journal) []Warning {
	var found []Warning
	add := func(code, format string, args ...any) {
		found = append(found, Warning{code, fmt.Sprintf(format, args...)})
	}
	dir := p.session(user)
	switch a.Lease {
	case run.LeaseUnreadable:
		_, err := files.Lease()
		add(LeaseProblem, "%s; gsd run unlock drops it", cause(dir.LeaseFile(), err))
	case run.LeaseLater:
		add(LeaseVersion, "%s: %s; gsd run unlock --force drops it", dir.LeaseFile(), run.ErrLeaseVersion)
	}
	if j.Bad > 0 {
		add(JournalDamaged, "%s: %s not understood and skipped", dir.JournalFile(), counted(j.Bad, "line was", "lines were"))
	}
	if j.Cut {
		add(JournalLong, "%s is long, and only its end was read; gsd run sweep archives it and starts a new one", dir.JournalFile())
	}
	if j.ArchivesCut {
		add(JournalLong, "of the archived journals in %s, only the newest runs were read", dir.Path())
	}
	return found
}

func counted(n int, one, more string) string {
	if n == 1 {
		return "1 " + one
	}
	return fmt.Sprintf("%d %s", n, more)
}

// hasDirectory reports whether a user has a session directory at all: taking the guard would make one.
func (p *Project) hasDirectory(user string) bool {
	_, err := p.root.Stat(p.session(user).Path())
	return err == nil
}

// inProgress lists the numbers of a session's tasks that are in progress.
func inProgress(s *planfile.File) []int {
	var numbers []int
	if s == nil {
		return nil
	}
	for _, t := range s.Tasks {
		if t.Status == planfile.InProgress {
			numbers = append(numbers, t.Number)
		}
	}
	return numbers
}

// A runChange is what a command that records something of runs has at hand, while it holds the session's guard.
type runChange struct {
	run.Assessment
	g      *session.Guard
	files  *run.Files
	report *Report
	was    durable.Stamp // which version of the session the report is on
	unread error         // why the session could not be read; nil where it could
	warned []Warning
}

// withRuns holds the guard of a user's session while do changes what is recorded of its runs.
func (p *Project) withRuns(ctx context.Context, user string, wait time.Duration, now time.Time, do func(*runChange) error) error {
	dir := p.session(user)
	g, files, err := p.lock(ctx, user, wait)
	if err != nil {
		return writeFailed(dir.LeaseFile(), err)
	}
	defer g.Unlock() // a lock that cannot be given back falls with this process
	c := &runChange{g: g, files: files}
	src, was, readErr := g.Read(p.Limit)
	if c.report, c.unread = p.report(user, src, readErr); c.unread != nil { // what is recorded of runs does not hang on it
		c.report = &Report{User: user}
	}
	c.was, c.report.files = was, files
	odd, err := files.ClearJournal()
	if err != nil {
		return writeFailed(dir.JournalFile(), err)
	}
	journal, err := files.Journal()
	if err != nil {
		return readFailed(dir.JournalFile(), p.Limit, err)
	}
	c.Assessment = run.Assess(p.facts(files, journal, now))
	c.warned = p.runWarnings(user, &c.Assessment, files, journal)
	if odd {
		c.warned = append(c.warned, Warning{JournalProblem, dir.JournalFile() + " was not a regular file, and was moved aside"})
	}
	err = do(c)
	if _, own := errors.AsType[*Error](err); err != nil && !own {
		return writeFailed(pathIn(err, dir.LeaseFile()), err)
	}
	return err
}

// lock takes the guard of a user's session, with the lease and the journal in the directory that it locks.
func (p *Project) lock(ctx context.Context, user string, wait time.Duration) (*session.Guard, *run.Files, error) {
	p.leave() // a directory may have been replaced since
	dir := p.session(user)
	g, err := dir.Lock(ctx, wait)
	if err != nil {
		return nil, nil, err
	}
	return g, run.Open(run.Dir{Root: g.Root(), Path: dir.Path(), Writer: p.write}), nil
}
