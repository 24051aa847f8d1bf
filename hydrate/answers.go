package hydrate

import (
	"errors"
	"slices"
	"strconv"
	"time"

	"github.com/gsd-cli/gsd/planfile"
)

// An answer keeps the JSON that it was read from.
type answer struct{ raw []byte }

func (a *answer) keep(raw []byte) { a.raw = raw }

// MarshalJSON returns what the command prints with --json. It fails for an answer that no method of a Project returned.
func (a answer) MarshalJSON() ([]byte, error) {
	if a.raw == nil {
		return nil, errors.New("hydrate: the answer is not from a Project")
	}
	return slices.Clone(a.raw), nil
}

// Kind is a kind of error. Its value is the exit code of the command line.
type Kind int

// The kinds of errors.
const (
	Usage        Kind = 64 // the call: a status or a number that there cannot be, an environment that makes no sense
	BadData      Kind = 65 // the content of a file
	MissingInput Kind = 66 // there is no such plan, task or session
	NoProject    Kind = 69 // there is no .planning directory
	CannotCreate Kind = 73 // a file cannot be written there
	IO           Kind = 74 // the disk failed, or git
	Busy         Kind = 75 // somebody else is writing, at work, or has the plan
	Refused      Kind = 77 // for safety
)

var kinds = map[Kind]string{
	Usage: "usage", BadData: "bad data", MissingInput: "missing input", NoProject: "no project", CannotCreate: "cannot create", IO: "I/O",
	Busy: "busy", Refused: "refused",
}

// String returns the kind in words, such as bad data.
func (k Kind) String() string {
	if says, ok := kinds[k]; ok {
		return says
	}
	return strconv.Itoa(int(k))
}

// Error is the error of every function of this package. errors.AsType finds it, and errors.Is what caused it.
type Error struct {
	answer
	Kind    Kind     `json:"exit"`
	Message string   `json:"error"` // what is wrong: lower case, no period
	Hint    string   `json:"hint"`  // what helps, in a sentence in which commands are between backticks; may be empty
	Do      []Action `json:"do"`    // what can be run next

	err error
}

func (e *Error) Error() string { return e.Message }

// Unwrap returns what caused the error.
func (e *Error) Unwrap() error { return e.err }

// Verdict is the state of a session.
type Verdict string

// The verdicts.
const (
	None     Verdict = "none"     // there is no session
	Resume   Verdict = "resume"   // a task is left to do
	Complete Verdict = "complete" // every task is complete or skipped
	Stale    Verdict = "stale"    // the project is no longer on its plan
	Corrupt  Verdict = "corrupt"  // its file is unreadable; it is kept
)

// Report is the state of the user's session.
type Report struct {
	answer
	Verdict   Verdict   `json:"verdict"`
	Token     string    `json:"token"`            // the verdict in a word: NO_SESSION (None and Corrupt), STALE, ALL_COMPLETE, or the number of the task to resume
	User      string    `json:"user"`             // whose session it is
	Plan      string    `json:"plan"`             // the plan that it is on, relative to the project; empty without a session
	ID        string    `json:"id"`               // the plan's short name, such as 03-01; empty if it has none
	Session   string    `json:"session"`          // its file, relative to the project, whether it exists or not
	Started   time.Time `json:"started,omitzero"` // when it was started; zero if that is not known
	Done      int       `json:"done"`             // how many tasks are complete
	Skipped   int       `json:"skipped"`          // how many are skipped
	Total     int       `json:"total"`            // how many there are
	Tasks     []Task    `json:"tasks"`            // all of them, in the order of the plan
	Resume    *Task     `json:"resume"`           // the task to resume; nil unless the verdict is Resume
	Stale     []Reason  `json:"stale"`            // every reason for which the session is stale
	Warnings  []Warning `json:"warnings"`         // what a person should know
	Next      *Next     `json:"next"`             // the plan that comes next; nil if a task is to be resumed, and where the command does not look for it
	Run       *Run      `json:"run"`              // the agent's run that is or was at work on the session; nil for none
	AtWork    []Run     `json:"at_work"`          // runs of others that may be at work on it
	Elsewhere []Session `json:"elsewhere"`        // the user's sessions in other worktrees and clones
	Do        []Action  `json:"do"`               // what can be run next, the most useful first
}

// Task is a task of a session or of a plan.
type Task struct {
	Number int             `json:"number"`       // from 1, in the order of the plan
	Name   string          `json:"name"`         // on one line
	Status planfile.Status `json:"status"`       // empty for a task of a plan that has its summary
	Set    time.Time       `json:"set,omitzero"` // when somebody set the status; zero if nobody did
	Type   string          `json:"type"`         // its type attribute, such as auto or checkpoint:human-verify; empty in Marked
	Line   int             `json:"line"`         // of its start tag or heading in the file, from 1; 0 in Marked

	Text        string          `json:"text"`        // as the file has it; Project.Task alone fills it
	Interrupted bool            `json:"interrupted"` // it is in progress and nobody is known to be at work on it; of the task to resume alone
	Previous    planfile.Status `json:"previous"`    // before it was marked; of Marked alone
}

// Reason is why a session is stale.
type Reason struct {
	Reason  string `json:"reason"`  // plan-missing, plan-completed, phase-advanced, task-count or workstream
	Plan    string `json:"plan"`    // where the plan was
	Moved   string `json:"moved"`   // where it is now, if that is known
	Summary string `json:"summary"` // the plan's summary
	Phase   string `json:"phase"`   // the plan's phase
}

// Warning is something that does not change the answer. Which values it has depends on its code; JSON has more of them.
type Warning struct {
	Code string `json:"code"` // what it is about, such as plan-edited
	Path string `json:"path"`
	Line int    `json:"line"` // of that file, from 1
	Plan string `json:"plan"`
	Task int    `json:"task"`
	Says string `json:"says"` // what git or the system said, or what was read
	Hint string `json:"hint"` // what helps
}

// Action is something that can be run next.
type Action struct {
	Argv     []string `json:"argv"`     // the command and its arguments, such as gsd, -C, DIR, done, 2
	Kind     string   `json:"kind"`     // what it does, such as start, done or show-next; schema.json lists them
	Plan     string   `json:"plan"`     // as Start takes it
	Task     int      `json:"task"`     // a task's number
	ID       string   `json:"id"`       // of a lost session, as Restore takes it, of a run, …
	Replaces string   `json:"replaces"` // what it archives: session, file, in-place, or nothing
}

// NextPlan is the plan that comes next for a user.
type NextPlan struct {
	answer
	User     string    `json:"user"`
	Next     *Next     `json:"next"`
	Warnings []Warning `json:"warnings"` // what a person should know
	Do       []Action  `json:"do"`       // with which to continue
}

// Next is the plan that comes next.
type Next struct {
	Plan       string `json:"plan"`        // relative to the project; empty if nothing is left to do
	ID         string `json:"id"`          // its short name, such as 03-01; empty if it has none
	Phase      string `json:"phase"`       // its phase, such as 3 or 2.1; without a plan, the phase to plan or verify now
	Autonomous bool   `json:"autonomous"`  // no person is needed
	Summary    string `json:"summary"`     // where its summary goes, if nothing else is missing
	Begun      bool   `json:"begun"`       // commits or a former session began it, and nobody has a session on it
	HasSession bool   `json:"has_session"` // the user's session is on it
	TakenBy    string `json:"taken_by"`    // who works on it, so that nobody else should start; may be empty
	AlsoReady  []Plan `json:"also_ready"`  // the others that are ready, the most likely first
}

// Plan is a plan of the project.
type Plan struct {
	Plan string `json:"plan"` // relative to the project
	ID   string `json:"id"`   // its short name, such as 03-01; empty if it has none

	// In a Status.
	Title    string   `json:"title"`
	Status   string   `json:"status"`    // done, summary-due, in-progress, ready or open
	WaitsFor []string `json:"waits_for"` // the plans that it depends on and that are not done

	// In a Next.
	Begun   bool   `json:"begun"`    // commits began it, and nobody has a session on it
	TakenBy string `json:"taken_by"` // who works on it; may be empty
}

// Run is one agent, or one conversation of it, that works or worked on a session.
type Run struct {
	ID      string    `json:"id"`
	User    string    `json:"user"`  // in a Status
	Host    string    `json:"host"`  // the program that the agent runs in, such as claude; may be empty
	State   string    `json:"state"` // active, idle, unknown, crashed, or how it ended: success, failure, paused, cancelled, interrupted, aborted
	Plan    string    `json:"plan"`
	PID     int       `json:"pid"`              // 0 for unknown
	Started time.Time `json:"started,omitzero"` // zero for unknown
	Seen    time.Time `json:"seen,omitzero"`    // its latest sign of life
	Own     bool      `json:"own"`              // the caller belongs to it
	Working []int     `json:"in_progress"`
}

// Session is somebody's session, as others see it.
type Session struct {
	User       string    `json:"user"`
	Own        bool      `json:"own"`        // it is the asking user's
	Worktree   string    `json:"worktree"`   // the other worktree that it is in; empty if it is here
	Workstream string    `json:"workstream"` // the other workstream or sub-project that it is in, as --ws names it; empty if it is in the one asked about
	Machine    string    `json:"machine"`    // the machine that it is at, as of the last gsd sync; empty if it is in this clone
	Plan       string    `json:"plan"`       // empty if it is corrupt
	ID         string    `json:"id"`         // the plan's short name
	Verdict    Verdict   `json:"verdict"`
	Done       int       `json:"done"`
	Skipped    int       `json:"skipped"`
	Total      int       `json:"total"`
	Resume     *Task     `json:"resume"`           // nil unless the verdict is Resume
	Changed    time.Time `json:"changed,omitzero"` // when its file was last written
}

// Status is the project as a whole.
type Status struct {
	answer
	User     string    `json:"user"`    // who asks
	Project  string    `json:"project"` // its title
	Root     string    `json:"root"`    // the directory of the phases: .planning or a workstream
	Position Position  `json:"position"`
	Phases   []Phase   `json:"phases"`   // of all milestones, in order
	Quick    []Plan    `json:"quick"`    // the quick tasks, which belong to no phase
	Sessions []Session `json:"sessions"` // everyone's, the user's first
	Runs     []Run     `json:"runs"`     // everyone's open ones, the user's first
	Lost     int       `json:"lost"`     // how many sessions are lost
	Next     *Next     `json:"next"`     // the plan that comes next
	Warnings []Warning `json:"warnings"`
}

// Position is where the project stands.
type Position struct {
	Milestone    string `json:"milestone"`   // the version and name of the current one; empty if there is none
	Phase        string `json:"phase"`       // the number of the current phase; empty if all is done or none is known
	PhaseName    string `json:"phase_name"`  // may be empty
	Phases       int    `json:"phases"`      // how many phases count
	PhasesDone   int    `json:"phases_done"` // how many of them are done
	AllPlans     int    `json:"all_plans"`   // how many plans they have
	AllPlansDone int    `json:"all_plans_done"`
	Percent      *int   `json:"percent"` // at most 99 while a phase is open; nil if there are none
}

// Phase is a phase of the project.
type Phase struct {
	Number    string `json:"number"` // such as 3 or 2.1; empty if it has none
	Name      string `json:"name"`
	Milestone string `json:"milestone"` // the version of its milestone; may be empty
	Status    string `json:"status"`    // complete, done, in-progress, planned, not-planned or deferred
	Current   bool   `json:"current"`
	Done      int    `json:"done"`  // how many plans are done
	Total     int    `json:"total"` // how many there are
	Plans     []Plan `json:"plans"` // those on disk
}

// TaskList is the tasks of a plan or of the user's session.
type TaskList struct {
	answer
	Plan      string    `json:"plan"` // relative to the project
	Tasks     []Task    `json:"tasks"`
	File      string    `json:"file"`       // what was read, relative to the project: lines are counted in it
	OfSession bool      `json:"of_session"` // that is the session; else it is the plan
	Summary   string    `json:"summary"`    // the plan's summary, with which it is done; empty for none, and for a session
	Warnings  []Warning `json:"warnings"`
}

// Started is a session that was started or continued.
type Started struct {
	Report
	Kept     bool    `json:"kept"`        // it was there, and is as it was
	Archived string  `json:"archived"`    // the session that it replaced, relative to the project; empty if there was none
	Was      Verdict `json:"was"`         // the verdict on that one
	Carried  []Task  `json:"carried"`     // the statuses that it took over
	Left     []Task  `json:"not_carried"` // those of which no task of the plan was found
}

// Marked is a session after a task was marked.
type Marked struct {
	Report
	Task Task `json:"marked"` // with the status before
}

// Archived is a session that was archived.
type Archived struct {
	answer
	User     string    `json:"user"`
	Plan     string    `json:"plan"`     // that it is on; empty if it was unreadable
	Session  string    `json:"session"`  // what was its file
	Archived string    `json:"archived"` // where it is kept
	Done     int       `json:"done"`
	Skipped  int       `json:"skipped"`
	Total    int       `json:"total"`
	Warnings []Warning `json:"warnings"`
	Do       []Action  `json:"do"` // with which to take it up again
}

// Restored is a session that was lost and came back.
type Restored struct {
	answer
	User     string    `json:"user"`     // whose it is
	Project  string    `json:"project"`  // the absolute path of its project
	Plan     string    `json:"plan"`     // that it is on, relative to that
	Session  string    `json:"session"`  // its file
	Archived string    `json:"archived"` // the session that was in its place, if there was one
	Tasks    []Task    `json:"tasks"`
	Left     []Task    `json:"not_restored"` // the statuses of which no task of the plan was found
	Others   bool      `json:"others"`       // it is another user's
	Warnings []Warning `json:"warnings"`
	Do       []Action  `json:"do"`
}
