package verdict

import (
	"fmt"
	"path"
	"slices"
	"strings"
	"time"

	"github.com/gsd-cli/gsd/internal/action"
	"github.com/gsd-cli/gsd/internal/planref"
	"github.com/gsd-cli/gsd/internal/project"
	"github.com/gsd-cli/gsd/internal/run"
	"github.com/gsd-cli/gsd/planfile"
)

// leastPrefix is how many characters of an ID name one. A shorter number may be meant for that of a task.
const leastPrefix = 4

// ByPrefix finds the item with that ID, else the only one whose ID has it as a prefix; more reports that there are several.
func ByPrefix[T any](all []T, id string, idOf func(*T) string) (found *T, more bool) {
	for i := range all {
		switch its := idOf(&all[i]); {
		case its == id:
			return &all[i], false
		case len(id) >= leastPrefix && strings.HasPrefix(its, id):
			more = more || found != nil
			found = &all[i]
		}
	}
	return found, more
}

// The codes of the warnings about runs.
const (
	LeaseProblem   = "lease-unreadable" // the file does not contain a lease
	LeaseElsewhere = "lease-held"       // the session was changed while another run holds it
	JournalProblem = "journal-unreadable"
	JournalDamaged = "journal-damaged"  // some lines cannot be read
	JournalMoved   = "journal-moved"    // it was not a regular file
	JournalLong    = "journal-long"     // only its end was read
	JournalsLong   = "journals-long"    // only the newest runs of the archived ones were read
	CrumbMissing   = "crumb-unwritten"  // there is none for the session
	CrumbInProject = "crumb-in-project" // it is in the session's own directory
	CrumbOlder     = "crumb-older"      // it could not be brought up to date
)

// An RunsAndLost is the state of a session's runs, and which sessions were lost.
type RunsAndLost struct {
	run.Assessment `json:"-"`

	Lost   []LostSession `json:"lost"` // the user's lost sessions of this project; gsd restore brings them back
	Behind []LostSession `json:"-"`    // all in worktrees that were removed; see history.LostOf
}

// ReadRuns assesses the runs in the journal of a user, and warns of what could not be read. Which tasks they have in hand is known only
// with the report on the session; on may be nil.
func (p *Project) ReadRuns(user string, on *Report, files *run.Files, now time.Time) (*run.Journal, run.Assessment, []project.Warning) {
	journal, err := files.Journal()
	a := p.assess(on, files, journal, now)
	warnings := p.runWarnings(user, &a, files, journal)
	if err != nil {
		warnings = append(warnings, project.Warning{Code: JournalProblem, Path: p.Session(user).JournalFile(), Says: project.Reason(err)})
	}
	return journal, a, warnings
}

// RunList is the runs of a user.
type RunList struct {
	User     string            `json:"user"`     // whose runs they are: the name that gsd whoami prints
	Runs     []run.Run         `json:"runs"`     // the latest first: the last 20 and all that are open, or with --all every one
	More     int               `json:"more"`     // how many earlier runs are left out
	Do       []action.Action   `json:"do"`       // what can be run next
	Warnings []project.Warning `json:"warnings"` // what a person should know
}

// latestRuns is how many runs are listed, besides those that are open.
const latestRuns = 20

// RunList lists the runs of a user that the journal has: the latest, and all that are open. With all, it lists every run,
// also those in rotated journals. It only reads. If there are too many, it returns the newest and a warning.
func (p *Project) RunList(user string, all bool, now time.Time) (*RunList, error) {
	files := p.RunFiles(user).Whole()
	read := files.Journal
	if all {
		read = files.History
	}
	journal, err := read()
	if err != nil {
		return nil, project.ReadFailed(p.Session(user).JournalFile(), p.Planning.Limit, err)
	}
	r, _ := p.Hydrate(user) // of a session that cannot be read, no conversation is offered
	a := p.assess(r, files, journal, now)
	a.OnPlan(r.LivePlan())
	list := &RunList{User: user, Warnings: p.Warnings(p.runWarnings(user, &a, files, journal))}
	for i, its := range slices.Backward(a.Runs) {
		if all || len(a.Runs)-i <= latestRuns || its.Open() {
			list.Runs = append(list.Runs, its)
		}
	}
	list.More = len(a.Runs) - len(list.Runs)
	if len(list.Runs)+len(list.Warnings) == 0 {
		list.Do = []action.Action{{Kind: action.StartRun}}
	}
	return list, nil
}

// PlanInText returns a plan's ID, or if it has none, the name of its file.
func PlanInText(plan string) string {
	if id, ok := planref.PlanID(plan); ok || plan == "" {
		return id
	}
	return path.Base(plan)
}

// RunFiles are the lease and the journal beside a user's session, which are read when they are first asked for.
func (p *Project) RunFiles(user string) *run.Files {
	return run.Read(p.Session(user).WithFile, p.Planning.Budget())
}

// assess assesses the runs of a journal. If there are none, no process is looked up.
func (p *Project) assess(on *Report, files *run.Files, journal *run.Journal, now time.Time) run.Assessment {
	if len(journal.Runs) == 0 && files.LeaseState() == run.LeaseNone {
		return run.Assess(run.Facts{LeaseFile: run.LeaseNone})
	}
	return run.Assess(p.facts(on, files, journal, now))
}

func (p *Project) facts(on *Report, files *run.Files, journal *run.Journal, now time.Time) run.Facts {
	lease, _ := files.Lease()
	f := run.Facts{
		Lease: lease, LeaseFile: files.LeaseState(), Runs: journal.Runs, Marks: journal.Marks, Now: now,
		Processes: p.Table(), Caller: p.Self(),
	}
	if on != nil {
		f.Plan, f.InProgress = on.Plan.Path, TasksInProgress(on.Session)
	}
	return f
}

func (p *Project) runWarnings(user string, a *run.Assessment, files *run.Files, j *run.Journal) (found []project.Warning) {
	dir := p.Session(user)
	if a.Lease == run.LeaseUnreadable {
		_, err := files.Lease()
		found = append(found, project.Warning{Code: LeaseProblem, Path: dir.LeaseFile(), Says: project.Reason(err), Run: a.MayHave()})
	}
	if j.Bad > 0 {
		found = append(found, project.Warning{Code: JournalDamaged, Path: dir.JournalFile(), Count: j.Bad})
	}
	if j.Cut {
		found = append(found, project.Warning{Code: JournalLong, Path: dir.JournalFile()})
	}
	if j.ArchivesCut {
		found = append(found, project.Warning{Code: JournalsLong, Path: dir.Path()})
	}
	return found
}

// Counted is a number with the right form of what is counted: "1 task", "2 tasks".
func Counted(n int, one, more string) string {
	if n == 1 {
		return "1 " + one
	}
	return fmt.Sprintf("%d %s", n, more)
}

// LivePlan returns the plan that a live session is on; "" if there is none, or if r is nil.
func (r *Report) LivePlan() string {
	if r == nil || !r.Verdict.Live() {
		return ""
	}
	return r.Plan.Path
}

// HasDirectory reports whether a user has a session directory. Commands check it first, because taking the guard makes one.
func (p *Project) HasDirectory(user string) bool {
	info, err := p.Planning.Root().Stat(p.Session(user).Path())
	return err == nil && info.IsDir()
}

// TasksInProgress lists the numbers of a session's tasks that are in progress; s may be nil.
func TasksInProgress(s *planfile.File) (numbers []int) {
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
