package hydrate

import (
	"strings"
	"time"

	"github.com/gsd-cli/gsd/internal/run"
	"github.com/gsd-cli/gsd/planfile"
)

// Report is the state of one user's session.
//
// It is the answer of gsd hydrate, and a part of every answer about a session. Hydrate gives the verdict, which is all that a
// script or a status line needs; HydrateAll gives everything.
type Report struct {
	Verdict Verdict `json:"verdict"` // whether the session is still valid
	// Token is the verdict in one word, for scripts: NO_SESSION (none and corrupt), STALE, ALL_COMPLETE, or the number of
	// the task to resume.
	Token string `json:"token"`
	User  string `json:"user"` // whose session it is: the name that gsd whoami prints
	// On is the plan that the session is on, relative to the project, with slashes; null without a session.
	On   string `json:"plan" empty:"null"`
	Path string `json:"session"` // the session file, relative to the project, whether it exists or not
	// Started is when the session was started, as its header states it: RFC 3339 in UTC where gsd wrote it. It is null if
	// the header states no time or there is no session.
	Started  string       `json:"started" empty:"null"`
	Tasks    []Task       `json:"tasks"`              // all tasks, in the order of the file; empty without a session
	Resume   *ResumePoint `json:"resume"`             // the task to resume; null unless the verdict is resume
	Stale    []Reason     `json:"stale"`              // every reason for which the session is stale
	Warnings []Warning    `json:"warnings"`           // what a person should know
	Next     *Next        `json:"next,omitempty"`     // the plan that comes next, if the verdict is stale or complete
	Run      *run.Run     `json:"run,omitempty"`      // the run that holds the lease, else the latest one, if there is one
	Recovery *Recovery    `json:"recovery,omitempty"` // what was left unfinished, if anything

	AtWork      []run.Run `json:"-"` // runs of others that may be alive
	JustStarted string    `json:"-"` // the error that names a run which started a moment ago; empty for none
	Corrupt     string    `json:"-"` // what is wrong with the session file; empty unless the verdict is Corrupt
	StartedAt   time.Time `json:"-"` // Started, parsed; zero if that is not a time
	Done        int       `json:"-"` // tasks
	Total       int       `json:"-"`
	Summary     string    `json:"-"` // where the plan's summary goes when it is done; empty if the plan's name determines none
	Fix         *Command  `json:"-"` // the command for a session whose own plan has changed; nil for any other

	Facts `json:"-"`
}

// Task is a task of a session or a plan.
type Task struct {
	Number int    `json:"number"` // counted from 1, in the order of the file
	Name   string `json:"name"`   // what the task is called, on one line
	Type   string `json:"type"`   // its type attribute, such as auto or checkpoint:human-verify; may be empty
	// Status is its status attribute as the file has it: complete, in-progress or pending. Any other value is reported in
	// a warning. It is empty without the attribute, as in every plan.
	Status planfile.Status `json:"status"`
	Line   int             `json:"line"` // the line of its start tag or heading, from 1
}

// ResumePoint is the task to resume.
type ResumePoint struct {
	Number       int    `json:"number"`                 // counted from 1, in the order of the file
	Name         string `json:"name"`                   // what the task is called, on one line
	Interrupted  bool   `json:"interrupted"`            // it is in progress and nobody is at work on it: its work may be partial
	Files        string `json:"files,omitempty"`        // the text of its <files>, if it has one
	Precondition string `json:"precondition,omitempty"` // the text of its <precondition>, if it has one
	Verify       string `json:"verify,omitempty"`       // the text of its <verify>, if it has one
	Done         string `json:"done,omitempty"`         // the text of its <done>, if it has one

	Type     string           `json:"-"`
	Line     int              `json:"-"`
	Progress Progress         `json:"-"` // the field Interrupted is true if it is Interrupted
	Says     []planfile.Child `json:"-"` // the children of the task that say what to do and when it is done, the most important first
}

// Progress is how far a resume point is.
type Progress int

// How far a resume point is. The last three look the same in the session file; the runs distinguish them.
const (
	NotBegun    Progress = iota
	InProgress           // the runs have not been read yet
	Interrupted          // in progress, and nobody is at work
	InOwnHands           // in progress, and the caller's run is at work
	InOthers             // in progress, and another run may be at work
)

// Checkpoint reports whether the plan requires that the user is asked.
func (n *ResumePoint) Checkpoint() bool { return strings.HasPrefix(n.Type, "checkpoint") }

// Name is what the plan is called on a command line.
func (n *Next) Name() string { return planWord(n.Plan, n.ID, n.Ambiguous) }

// Name is what the plan is called on a command line.
func (w *Incomplete) Name() string { return planWord(w.Path, w.ID, w.Ambiguous) }

// A Command is one that can be run next. Its words come from files and are untrusted: they must be quoted when printed.
type Command struct {
	Words []string
	Does  string
}

func planWord(plan, id string, ambiguous bool) string {
	if id == "" || ambiguous {
		return plan
	}
	return id
}

// clear resets a report, except for what its verdict depends on.
func (r *Report) clear() { *r = Report{User: r.User, Path: r.Path, Facts: r.Facts} }

// SessionCorrupt warns of an unreadable session file, for readers of the warnings alone.
const SessionCorrupt = "session-corrupt"

// HydrateAll is Hydrate with everything that is worth knowing before continuing: the text of the task, who is at work, what was left
// unfinished, what the commits say, and which plan comes next.
func (p *Project) HydrateAll(user string, now time.Time) (*Report, error) {
	r, err := p.Hydrate(user)
	if err != nil {
		return nil, err
	}
	r.AddText()
	p.AddRuns(r, now)
	next := p.addDrift(r)
	r.Recovery.Begin(next)
	if !r.Recovery.Any() {
		r.Recovery = nil
	}
	if r.On != "" { // without a session, gsd next shows it
		p.addNext(r, next)
	}
	return r, nil
}

// AddText adds to a report the text of the task to resume.
func (r *Report) AddText() {
	n := r.Resume
	if n == nil {
		return
	}
	children, _ := r.Session.Children(n.Number) // the task is there
	texts := map[string]string{}
	for _, name := range wanted {
		for _, c := range children { // some plans have one more than once
			if c.Name == name {
				n.Says = append(n.Says, c)
				texts[name] = strings.TrimPrefix(texts[name]+"\n"+c.Text, "\n")
			}
		}
	}
	n.Files, n.Precondition, n.Verify, n.Done = texts["files"], texts["precondition"], texts["verify"], texts["done"]
}

// wanted are the children of a task that say what to do and when it is done, the most important first. The action is not
// among them: the reader finds it in the session file.
var wanted = [...]string{
	"files", "precondition", "what-built", "how-to-verify", "decision", "context", "options", "verify", "done", "resume-signal",
}

// AddRuns adds to a report who is at work, and what was left unfinished.
func (p *Project) AddRuns(r *Report, now time.Time) {
	r.Recovery = p.Recovery(r, now)
	r.Warnings = p.warnings(r.Warnings, r.Recovery.Warnings)
	r.Run = r.Recovery.Latest
	for _, its := range r.Recovery.Runs {
		if !its.Own && its.MayLive() {
			r.AtWork = append(r.AtWork, its)
		}
	}
	r.progress(&r.Recovery.Assessment)
}

// progress sets how far the resume point is, given who is at work.
func (r *Report) progress(runs *Assessment) {
	switch {
	case r.Resume == nil || r.Resume.Progress == NotBegun:
	case runs.AtWork() == nil:
		r.Resume.Progress, r.Resume.Interrupted = Interrupted, true
	case runs.Holder.Own:
		r.Resume.Progress = InOwnHands
	default:
		r.Resume.Progress = InOthers
	}
}

// AddEvidence adds to a report what the commits say, and, unless a task is to be resumed, which plan comes next.
func (p *Project) AddEvidence(r *Report) { p.addNext(r, p.addDrift(r)) }

// addDrift adds to a report what the commits say, and returns the next plan, nil if a task is to be resumed.
func (p *Project) addDrift(r *Report) *Next {
	r.Warnings = p.warnings(r.Warnings, p.Drift(r))
	if r.Verdict == Resume {
		return nil
	}
	return p.NextAfter(r)
}

func (p *Project) addNext(r *Report, next *Next) {
	if next != nil {
		r.Next, r.Warnings = next, p.warnings(r.Warnings, next.Warnings)
	}
}

// Shortened returns a copy of a report that has to be printed before everything was read, with a warning of what is left out.
func (p *Project) Shortened(r *Report, leftOut string) *Report {
	late := *r
	if r.Resume != nil { // what is added to r later must not appear in the copy
		resume := *r.Resume
		late.Resume = &resume
	}
	missing := Warning{"deadline", "the hook ran out of time; left out: " + leftOut}
	late.Warnings = p.warnings([]Warning{missing}, r.Warnings)
	return &late
}

// CheckInterrupted determines whether the task to resume was interrupted, for callers that need nothing else about runs.
func (p *Project) CheckInterrupted(r *Report, now time.Time) {
	if r.Resume != nil && r.Resume.Progress == InProgress {
		runs, _ := p.Runs(r, now)
		r.progress(&runs)
	}
}

// Detail adds to a report what only JSON has: all tasks with their names, which in a session of a thousand tasks takes longer
// than the rest. It also adds what else is missing about the session.
func (p *Project) Detail(r *Report, now time.Time) {
	if r.Verdict == Corrupt {
		r.Warnings = append(r.Warnings, Warning{SessionCorrupt, r.Corrupt})
	}
	p.CheckInterrupted(r, now)
	if r.Resume != nil && r.Resume.Says == nil {
		r.AddText()
	}
	if r.On != "" && r.Tasks == nil {
		for _, t := range r.Session.Tasks {
			r.Tasks = append(r.Tasks, taskOf(r.Session, t))
		}
	}
}

func taskOf(f *planfile.File, t planfile.Task) Task {
	return Task{Number: t.Number, Name: f.Name(t.Number), Type: t.Type, Status: t.Status, Line: t.Line}
}
