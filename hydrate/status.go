package hydrate

import (
	"time"

	"github.com/gsd-cli/gsd/roadmap"
)

// Status is what a person looks at: a project's phases and plans, where it stands, and everyone's sessions
// (docs/design.md, Commands: gsd status). Texts are as the files have them: untrusted.
type Status struct {
	Project     string // the roadmap's title, else the name of the project's directory
	Root        string // .planning, or the workstream that is looked at
	Roadmap     string // its path; empty where there is none
	Position    Position
	Milestones  []Milestone // in order; empty where the roadmap names none
	Phases      []Phase     // in order, those of all milestones
	Quick       []StatusPlan
	Workstreams []Workstream // the other roots
	Sessions    []Session    // the asking user's first, then by name
	Runs        []UserRun    // everyone's that are open, the asking user's first
	Lost        int          // sessions of this project that left nothing but a breadcrumb on this machine
	Incomplete  []Incomplete // other work that was begun
	Activity    Activity     // the latest in git that is about a plan
	Latest      Activity     // the latest in git
	Next        *Next
	Timeline    []Span // only where it was asked for
	Warnings    []Warning

	unread bool // there is a roadmap, and it cannot be read
}

// Position is where the project stands.
type Position struct {
	Milestone  string // version and name of the current one, empty where there are none
	Phase      string // the number of the current phase; empty where everything is done or nothing is known
	PhaseName  string
	PhaseIndex int // which of Phases phases it is, 1-based; 0 without one
	Phases     int // those that count: of the current milestone, else of none that is over
	PhasesDone int
	Plan       int // which of Plans the current plan is in its phase, 1-based; 0 without one
	Plans      int // of the current phase
	PlansDone  int
	AllPlans   int // that lie in these phases
	AllDone    int
	Percent    int // the smaller share of plans and of phases; -1 where nobody knows which phases count
}

// Activity is the latest commit of a plan or a summary, or that names a plan; zero where there is none.
type Activity struct {
	When time.Time // the committer's, in the committer's zone
	What string    // its subject
}

// The states of a phase and of a plan.
const (
	PhaseComplete   = "complete"
	PhaseInProgress = "in progress"
	PhasePlanned    = "planned"     // it has plans, and none was begun
	PhaseNotPlanned = "not planned" // it has no plan yet
	PhaseDeferred   = "deferred"

	PlanDone     = "done"      // it has a summary
	PlanInFlight = "in flight" // a session or commits work on it
	PlanReady    = "ready"     // next, or also ready
	PlanOpen     = "open"
)

// Milestone is one version of the roadmap.
type Milestone struct {
	Version string // such as 1.2, and 1 for v1.0; empty where it has none
	Label   string // the version as it is written, such as v1.0
	Name    string
	Status  string // of the Phase… states
	Line    int    // in the roadmap
	Current bool

	Phases, PhasesDone, Plans, PlansDone int
}

// Phase is one phase of the roadmap or on disk.
type Phase struct {
	Number    string
	Name      string
	Milestone int    // index in Milestones, -1 for none
	Status    string // of the Phase… states
	Line      int    // in the roadmap; 0 where that does not mention it
	Dir       string // empty where there is none
	Archived  bool   // its directory lies in milestones/
	// Verification is the status of its verification report: passed, gaps_found, human_needed; empty where there is none.
	Verification string
	Current      bool
	Done         int // plans, by their summaries; where there are no plans on disk, as the roadmap counts
	Total        int
	Plans        []StatusPlan // those on disk
}

// Unverified is the status of the phase's verification if that did not pass, else "".
func (ph Phase) Unverified() string {
	if ph.Verification == roadmap.VerificationPassed {
		return ""
	}
	return ph.Verification
}

// StatusPlan is one plan on disk.
type StatusPlan struct {
	ID, Path string
	Title    string // as the roadmap names it; may be empty
	Status   string // of the Plan… states
}

// Workstream is another root of the project.
type Workstream struct {
	Name, Root string
	Done       int // plans
	Total      int
}

// Session is how one user's session stands.
type Session struct {
	User        string
	Own         bool // the asking user's
	Plan, ID    string
	Verdict     Verdict
	Token       string
	Done, Total int // tasks
	Resume      int // the task to go on with; 0 unless the verdict is Resume
	ResumeName  string
	Interrupted bool // that task is in progress, and nobody is at work
	Stale       []Reason
	Started     time.Time // zero where the file tells none
	Changed     time.Time // when the file was last written
}

// UserRun is one user's run.
type UserRun struct {
	Run
	User string
	Mine bool // the asking user's, whichever process asks
}

// Span is the time of one plan by its commits.
type Span struct {
	ID, Path    string
	Phase       string
	First, Last time.Time // of the plan's first and last commit
	Commits     int
	Done        bool
	Finished    time.Time // when its summary was committed; zero where it was not
}
