package verdict

import (
	"errors"
	"fmt"
	"path"
	"slices"
	"strings"

	"github.com/gsd-cli/gsd/internal/action"
	"github.com/gsd-cli/gsd/internal/planref"
	"github.com/gsd-cli/gsd/internal/problem"
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
	RunsProblem    = "runs-unreadable"  // the records of the runs cannot be read
	RunsDamaged    = "runs-damaged"     // there are none in their file
	RunsMoved      = "runs-moved"       // and so it was moved out of the way
	LeaseElsewhere = "lease-held"       // the session was changed while another run holds it
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

// ReadRuns assesses the runs of a user, and warns if their records cannot be read. Which tasks they have in hand is known only with the
// report on the session; on may be nil.
func (p *Project) ReadRuns(user string, on *Report, file *run.File) (run.Assessment, []problem.Warning) {
	records, err := file.Records()
	a := p.assess(on, records)
	if err == nil {
		return a, nil
	}
	w := problem.Warning{Code: RunsProblem, Path: p.Session(user).RunsFile(), Says: problem.Reason(err)}
	if errors.Is(err, run.ErrUnreadable) {
		w.Code = RunsDamaged
	}
	return a, []problem.Warning{w}
}

// RunList is the runs of a user.
type RunList struct {
	User     string            `json:"user"`     // whose runs they are: the name that gsd whoami prints
	Runs     []run.Run         `json:"runs"`     // the latest first: those that are open, and the last ones that have ended
	Do       []action.Action   `json:"do"`       // what can be run next
	Warnings []problem.Warning `json:"warnings"` // what a person should know
}

// RunList lists the runs of a user. It only reads.
func (p *Project) RunList(user string) (*RunList, error) {
	file := p.RunFile(user)
	if _, err := file.Records(); err != nil && !errors.Is(err, run.ErrUnreadable) {
		return nil, problem.ReadFailed(p.Session(user).RunsFile(), p.Planning.Limit, err)
	}
	r, _ := p.Hydrate(user) // of a session that cannot be read, no conversation is offered
	a, warnings := p.ReadRuns(user, r, file)
	a.OnPlan(r.LivePlan())
	list := &RunList{User: user, Warnings: p.Warnings(warnings)}
	for _, its := range slices.Backward(a.Runs) {
		list.Runs = append(list.Runs, its)
	}
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

// RunFile is the file of the records of the runs beside a user's session, which is read when it is first asked for.
func (p *Project) RunFile(user string) *run.File {
	return run.Read(p.Session(user).WithFile, p.Planning.Budget())
}

// assess assesses the runs of a session; on, the report on it, may be nil. If there are none, no process is looked up.
func (p *Project) assess(on *Report, records *run.Records) run.Assessment {
	if len(records.Runs) == 0 {
		return run.Assessment{}
	}
	return run.Assess(p.facts(on, records))
}

func (p *Project) facts(on *Report, records *run.Records) run.Facts {
	f := run.Facts{Records: *records, Now: p.Now, Processes: p.Table(), Caller: p.Self()}
	if on != nil {
		f.Plan, f.InProgress = on.Plan.Path, TasksInProgress(on.Session)
	}
	return f
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
