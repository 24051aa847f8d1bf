// Package overview computes where a project stands: its milestones, its phases and their plans, its position among them, and when
// plans were worked on, from what internal/project has read of a root and its history. It reads nothing itself, and knows users
// only by the plans that they work on.
package overview

import (
	"time"

	"github.com/gsd-cli/gsd/internal/evidence"
	"github.com/gsd-cli/gsd/internal/next"
	"github.com/gsd-cli/gsd/internal/roadmap"
)

// Overview is a root of a project as a whole. Texts are as the files have them: untrusted.
type Overview struct {
	Root       string // the directory of the phases: .planning or a workstream
	Roadmap    string // the roadmap, relative to the project; empty if there is none
	Title      string // the roadmap's; may be empty
	Position   Position
	Activity   Activity     // the latest commit about a plan
	Milestones []Milestone  // in order; archives that the roadmap does not list come first
	Phases     []Phase      // the phases of all milestones, in order
	Quick      []StatusPlan // the quick tasks, which belong to no phase
	Next       next.Answer  // what comes next independent of the user, which determines the position

	unread bool // see project.Survey
}

// Position is where the project stands.
type Position struct {
	Milestone  string `json:"milestone" empty:"null"`  // version and name of the current milestone; null if there is none
	Phase      string `json:"phase" empty:"null"`      // the number of the current phase; null if all is done or none is known
	PhaseName  string `json:"phase_name" empty:"null"` // the name of the current phase; null if it has none
	PhaseIndex int    `json:"phase_index"`             // which of phases is the current one, from 1; 0 for none
	// Phases is how many phases count: those of the current milestone, or without one those of every open milestone.
	Phases     int `json:"phases"`
	PhasesDone int `json:"phases_done"`    // how many of these phases are complete or done
	Plan       int `json:"plan"`           // which of plans is the current one, from 1; 0 for none
	Plans      int `json:"plans"`          // how many plans the current phase has
	PlansDone  int `json:"plans_done"`     // how many plans of the current phase are done
	AllPlans   int `json:"all_plans"`      // how many plans these phases have
	AllDone    int `json:"all_plans_done"` // how many of all_plans are done
	// Percent is the smaller of the plans' and the phases' share, rounded, at most 99 while a phase is open or waits for its
	// verification; null if it is unknown which phases count.
	Percent int `json:"percent" empty:"-1"`
	// Unverified are the numbers of these phases whose work is done, and whose verification did not pass, or whose UAT is open.
	Unverified []string `json:"unverified"`
}

// Activity is the latest commit of a plan or a summary, or that names a plan. It is zero if there is none.
type Activity struct {
	When time.Time `json:"when"` // when it was committed
	What string    `json:"what"` // its subject
}

// activity returns the activity of a commit, zero if its year is out of range: git stores any number.
func activity(c evidence.Commit) Activity {
	if year := c.When.UTC().Year(); year < 1 || year > 9999 {
		return Activity{}
	}
	return Activity{c.When, c.Subject}
}

// PhaseStatus is how far a phase or a milestone is.
type PhaseStatus string

// The statuses of a phase. No milestone is PhaseDone or PhasePlanned.
const (
	PhaseComplete   PhaseStatus = "complete"
	PhaseDone       PhaseStatus = "done" // its work is, but its verification did not pass
	PhaseInProgress PhaseStatus = "in-progress"
	PhasePlanned    PhaseStatus = "planned"     // it has plans, and none was started
	PhaseNotPlanned PhaseStatus = "not-planned" // it has no plan yet
	PhaseDeferred   PhaseStatus = "deferred"
)

// PlanStatus is how far a plan is.
type PlanStatus string

// The statuses of a plan.
const (
	PlanDone       PlanStatus = "done"        // it has a summary
	PlanDue        PlanStatus = "summary-due" // all of its tasks are complete or skipped in a session, and it has no summary yet
	PlanInProgress PlanStatus = "in-progress" // a session or commits work on it
	PlanReady      PlanStatus = "ready"       // it comes next, or could
	PlanOpen       PlanStatus = "open"
)

// Milestone is one version of the roadmap.
type Milestone struct {
	Version string      `json:"version" empty:"null"` // its version, such as 1.2, or 1 for v1.0; null if it has none
	Label   string      `json:"label" empty:"null"`   // its version as the roadmap writes it, such as v1.0
	Name    string      `json:"name"`                 // its name without the version; may be empty
	Status  PhaseStatus `json:"status"`
	Current bool        `json:"current"`           // the current phase belongs to it
	Line    int         `json:"line" empty:"null"` // the line of the roadmap that names it; null if none does

	Phases     int `json:"phases"`      // how many phases it has
	PhasesDone int `json:"phases_done"` // how many of its phases are complete or done
	Plans      int `json:"plans"`       // how many plans its phases have
	PlansDone  int `json:"plans_done"`  // how many of its plans are done

	unverified bool // some of its phases are only done
}

// Phase is a phase of the roadmap or on disk.
type Phase struct {
	Number    string      `json:"number" empty:"null"`        // its number, such as 3 or 2.1; null if it has none
	Name      string      `json:"name"`                       // its name; may be empty
	Version   string      `json:"milestone" empty:"null"`     // the version of its milestone; null if it belongs to none
	Milestone int         `json:"milestone_index" empty:"-1"` // which of milestones it belongs to, from 0; null if to none
	Status    PhaseStatus `json:"status"`
	Current   bool        `json:"current"`  // it is the current phase
	Archived  bool        `json:"archived"` // its directory is in a milestone's archive
	// Verification is the status of its VERIFICATION.md, such as passed, gaps_found or human_needed; null without one. A
	// phase whose verification did not pass is done at most, not complete.
	Verification string             `json:"verification" empty:"null"`
	UAT          string             `json:"uat" empty:"null"`       // the status of its UAT, such as testing, if only that is open; a phase that has one is done at most, too
	Line         int                `json:"line" empty:"null"`      // its line in the roadmap; null if that does not mention it
	Dir          string             `json:"directory" empty:"null"` // its directory, relative to the project; null if it has none
	Done         int                `json:"done"`                   // how many plans are done; without files, as many as the roadmap calls done
	Total        int                `json:"total"`                  // how many plans it has; one that only the roadmap lists does not count
	Plans        []StatusPlan       `json:"plans"`                  // its plans on disk
	Counted      bool               `json:"counted"`                // it is one of the position's phases, and its plans are among all_plans
	LeftOut      roadmap.NotCounted `json:"left_out" empty:"null"`  // why it counts in no milestone, such as that it is another directory of a number; null if it does
	Orphans      int                `json:"summaries_without_plan"` // how many of done are known only by a summary, because the plan's file is gone
}

// Unverified returns the status of the phase's verification if that did not pass, else "".
func (ph Phase) Unverified() string { return roadmap.Unverified(ph.Verification) }

// StatusPlan is a plan on disk.
type StatusPlan struct {
	ID     string     `json:"id" empty:"null"` // its short name, such as 03-01 or quick/001; null if it has none
	Path   string     `json:"plan"`            // the plan, relative to the project
	Title  string     `json:"title"`           // its title in the roadmap, or for a quick task the name of its directory; may be empty
	Status PlanStatus `json:"status"`
	// WaitsFor are the plans that it depends on and that are not done, each by its short name, else by its file's; only in the current phase.
	WaitsFor []string `json:"waits_for"`
	// Branches are the work on it that is not here, if it is open and there is some.
	Branches []evidence.Branch `json:"branches,omitempty"`
}
