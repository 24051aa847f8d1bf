package next

import (
	"time"

	"github.com/gsd-cli/gsd/internal/evidence"
	"github.com/gsd-cli/gsd/internal/planref"
	"github.com/gsd-cli/gsd/internal/roadmap"
)

// A Code says which reason it is.
type Code string

// The codes of reasons. The first part is about a plan that is next, the second about none, the third about one that was left behind.
const (
	NotVerified      Code = "not-verified"        // phases do not count as complete until they are verified
	TasksOver        Code = "tasks-over"          // all tasks of the plan are complete, or skipped, in the session of user, but it has no summary
	OwnSession       Code = "own-session"         // the user's session is on it
	HasCommits       Code = "has-commits"         // so many commits work on it, the last of which is named, and it has no summary
	ActivePhase      Code = "active-phase"        // its phase is the one of the latest commit about a plan, which is named
	InFlightPhase    Code = "in-flight-phase"     // a plan of its phase is in flight
	RoadmapPhase     Code = "roadmap-phase"       // its phase is the current one in the roadmap, at that line
	LowestPhase      Code = "lowest-phase"        // its phase is the lowest with an open plan
	OnlyLeft         Code = "only-left"           // it was left behind, and nothing else is to be done
	LowestWave       Code = "lowest-wave"         // its wave is the lowest open one of its phase
	AllWait          Code = "all-wait"            // every open plan of the phase depends on another, and it is the first
	DependenciesDone Code = "dependencies-done"   // plans, on which it depends, are done
	Taken            Code = "taken"               // somebody has a session on it, or on plan
	LostAtWork       Code = "lost-at-work"        // its session was lost, and a run is still at work on it
	NothingOpen      Code = "nothing-open"        // the phase that is next in the roadmap has no open plan
	NotPassed        Code = "not-passed"          // the phase has no open plan, and its verification did not pass
	NotTested        Code = "not-tested"          // the phase has no open plan, and its UAT is open
	Prepared         Code = "prepared"            // the phase has documents, the latest by that commit, but no plan yet
	Unplanned        Code = "unplanned"           // the phase that is next in the roadmap has no plan yet
	BehindHalted     Code = "behind-halted"       // so many plans depend on one that is halted or blocked; plan is the first of them
	AllDone          Code = "all-done"            // every plan has its summary
	AllShipped       Code = "all-shipped"         // every milestone of the roadmap is shipped
	AllLeft          Code = "all-left"            // every plan without a summary was left behind
	NoPlanYet        Code = "no-plan-yet"         // no phase has a plan yet
	OpenInOver       Code = "open-in-over-phases" // so many plans are open in phases that the roadmap calls complete
	OpenElsewhere    Code = "open-elsewhere"      // so many open plans cannot be carried out, or are in another milestone
	NotAllRead       Code = "not-all-read"        // not everything could be read, as the warnings say
	WorkedSince      Code = "worked-since"        // a later phase has been worked on since, last by that commit
	CompletedSince   Code = "completed-since"     // a commit has completed its phase, or a milestone, since the last work on it
)

// A Reason is why a plan is next, or why none is. Which values it has depends on its code.
type Reason struct {
	Code      Code     `json:"code"`
	Plan      string   `json:"plan,omitempty"`      // the short name of a plan, else the name of its file
	Plans     []string `json:"plans,omitempty"`     // plans, as the one that depends on them names them
	Phase     string   `json:"phase,omitempty"`     // the number of a phase
	Directory string   `json:"directory,omitempty"` // the directory of the plan, if it is in no phase that has a number

	Phases       []PhaseVerification `json:"phases,omitempty"`       // the phases that are not verified
	Verification string              `json:"verification,omitempty"` // the status of the phase's verification, such as gaps_found, or of its UAT
	Documents    []string            `json:"documents,omitempty"`    // what prepares the phase: context, research

	Wave    int    `json:"wave,omitempty"`    // the wave, as the front matter states it; 0 if it is missing
	Count   int    `json:"count,omitempty"`   // how many commits or plans
	Commit  string `json:"commit,omitempty"`  // the ID of a commit
	Subject string `json:"subject,omitempty"` // the subject of that commit
	Closed  bool   `json:"closed,omitempty"`  // a commit calls the plan complete, so its summary is missing

	User     string    `json:"user,omitempty"`     // whose session it is
	Own      bool      `json:"own,omitempty"`      // it is the asking user's own, in another place
	Machine  string    `json:"machine,omitempty"`  // where it is, if it is in another clone
	Worktree string    `json:"worktree,omitempty"` // the project's directory in another worktree, if it is there
	Old      bool      `json:"old,omitempty"`      // nobody is at work on it any more, so that anybody can start the plan
	Settled  int       `json:"settled,omitempty"`  // how many tasks of an old session are complete or skipped
	Tasks    int       `json:"tasks,omitempty"`    // how many tasks an old session has
	Changed  time.Time `json:"changed,omitempty"`  // when an old session last changed
	Skipped  bool      `json:"skipped,omitempty"`  // some of its tasks were skipped
	Former   bool      `json:"former,omitempty"`   // the session was archived when another plan took its place
	Too      bool      `json:"too,omitempty"`      // the asking user has a session on the plan, too

	Path string `json:"path,omitempty"` // the roadmap, relative to the project
	Line int    `json:"line,omitempty"` // its line, from 1
	Host string `json:"host,omitempty"` // the program of the run
	Run  string `json:"run,omitempty"`  // the ID of the run
}

// IsOrder reports whether the reason is why a plan comes before others, and says nothing of the work on it.
func (r Reason) IsOrder() bool {
	switch r.Code {
	case ActivePhase, InFlightPhase, RoadmapPhase, LowestPhase, LowestWave, AllWait, DependenciesDone:
		return true
	}
	return false
}

// PhaseVerification is the status of the verification of a phase.
type PhaseVerification struct {
	Phase  string `json:"phase"`  // the number of the phase
	Status string `json:"status"` // the status of its verification, such as gaps_found
}

// about returns a reason about a phase.
func about(code Code, phase planref.Number) Reason { return Reason{Code: code, Phase: phase.String()} }

// aboutPhaseOf returns a reason about the phase of a plan.
func aboutPhaseOf(code Code, p *roadmap.Plan) Reason {
	r := about(code, p.Phase)
	if p.Phase.IsZero() {
		r.Phase, r.Directory = "", phaseDir(p)
	}
	return r
}

// by returns a reason with a commit.
func (r Reason) by(c evidence.Commit) Reason {
	r.Commit, r.Subject = c.ID, c.Subject
	return r
}
