package hydrate

import (
	"strings"
	"time"

	"github.com/gsd-cli/gsd/internal/run"
	"github.com/gsd-cli/gsd/planfile"
)

// Report is the state of one user's session.
//
// It is what gsd hydrate answers, and a part of every answer about a session. Hydrate gives the verdict, which is all that a
// script or a status line wants; HydrateAll gives the whole.
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
	Recovery *Recovery    `json:"recovery,omitempty"` // what has to be recovered from, if there is anything

	AtWork     []run.Run `json:"-"` // of others, that may live
	JustBegan  string    `json:"-"` // another run that began while this was looked at
	Corrupt    string    `json:"-"` // what is wrong with the session file; empty unless the verdict is Corrupt
	Begun      time.Time `json:"-"` // when Started says; zero where that is no time
	Done       int       `json:"-"` // tasks
	Total      int       `json:"-"`
	InProgress bool      `json:"-"` // the task of Resume is in progress; whether it was interrupted, the runs tell
	Summary    string    `json:"-"` // where the plan's summary goes when it is done; empty where no name would be found
	Mend       *Command  `json:"-"` // for a session whose own plan has changed

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
	Progress Progress         `json:"-"` // Interrupted says whether it is Interrupted
	Says     []planfile.Child `json:"-"` // what to do and when it is done, in the order in which it is wanted
}

// Progress is how far a resume point is.
type Progress int

// How far a resume point is. The session file cannot tell the last three apart: the runs do.
const (
	NotBegun    Progress = iota
	InProgress           // and nobody has asked who is at work
	Interrupted          // it is in progress, and nobody is at work
	InOwnHands           // the caller is at work on it
	InOthers             // somebody else may be
)

// Checkpoint reports whether the plan wants the user to be asked.
func (n *ResumePoint) Checkpoint() bool { return strings.HasPrefix(n.Type, "checkpoint") }

// Name is what the plan is called on a command line.
func (n *Next) Name() string { return planWord(n.Plan, n.ID, n.Ambiguous) }

// Name is what a plan is called on a command line.
func (w Incomplete) Name() string { return planWord(w.Path, w.ID, w.Ambiguous) }

// clear leaves nothing in a report but what its verdict depends on.
func (r *Report) clear() { *r = Report{User: r.User, Path: r.Path, Facts: r.Facts} }

// SessionCorrupt warns of a session file that is none, for who does not read a verdict's words.
const SessionCorrupt = "session-corrupt"

// HydrateAll is Hydrate, with all that is to be known before going on: the text of the task, who is at work, what began and
// never properly ended, what the commits say, and which plan comes next.
func (p *Project) HydrateAll(user string, now time.Time) (*Report, error) {
	r, err := p.Hydrate(user)
	if err != nil {
		return nil, err
	}
	r.AddText()
	p.AddRuns(r, now)
	p.addDrift(r)
	next := p.upcoming(r)
	r.Recovery.Begin(next)
	if !r.Recovery.Any() {
		r.Recovery = nil
	}
	if r.On != "" && next != nil { // without a session it is for gsd next to say
		r.addNext(p, next)
	}
	return r, nil
}

// AddText adds to a report what the plan says of the task to go on with.
func (r *Report) AddText() {
	n := r.Resume
	if n == nil {
		return
	}
	children, _ := r.Session.Children(n.Number) // the task is there
	for _, name := range wanted {
		for _, c := range children { // some plans have one more than once
			if c.Name == name {
				n.Says = append(n.Says, c)
			}
		}
	}
	n.Files, n.Precondition, n.Verify, n.Done = n.says("files"), n.says("precondition"), n.says("verify"), n.says("done")
}

// wanted are the children of a task that say what to do and when it is done, in the order in which they
// are wanted; the action is read in the session file, which the reader has at hand.
var wanted = [...]string{
	"files", "precondition", "what-built", "how-to-verify", "decision", "context", "options", "verify", "done", "resume-signal",
}

// says joins the children of one name.
func (n *ResumePoint) says(name string) (text string) {
	for _, c := range n.Says {
		if c.Name == name {
			text = strings.TrimPrefix(text+"\n"+c.Text, "\n")
		}
	}
	return text
}

// AddRuns adds to a report who is at work, and what began and never properly ended.
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

// progress is how far the resume point is, given who is at work.
func (r *Report) progress(runs *Assessment) {
	switch {
	case r.Resume == nil || !r.InProgress:
	case runs.AtWork() == nil:
		r.Resume.Progress, r.Resume.Interrupted = Interrupted, true
	case runs.Holder.Own:
		r.Resume.Progress = InOwnHands
	default:
		r.Resume.Progress = InOthers
	}
}

// AddEvidence adds to a report what the commits say, and, unless the session is gone on with, which plan comes next.
func (p *Project) AddEvidence(r *Report) {
	p.addDrift(r)
	if next := p.upcoming(r); next != nil {
		r.addNext(p, next)
	}
}

func (p *Project) addDrift(r *Report) { r.Warnings = p.warnings(r.Warnings, p.Drift(r)) }

func (p *Project) upcoming(r *Report) *Next {
	if r.Verdict == Resume {
		return nil
	}
	return p.NextAfter(r)
}

func (r *Report) addNext(p *Project, next *Next) {
	r.Next, r.Warnings = next, p.warnings(r.Warnings, next.Warnings)
}

// Shortened is a copy of a report that had to be given before all was read, and says what is left out.
func (p *Project) Shortened(r *Report, leftOut string) *Report {
	late := *r
	if r.Resume != nil { // what is added to r later is not this one's
		resume := *r.Resume
		late.Resume = &resume
	}
	missing := Warning{"deadline", "the hook ran out of time; left out: " + leftOut}
	late.Warnings = p.warnings([]Warning{missing}, r.Warnings)
	return &late
}

// CheckInterrupted finds out whether the task to go on with was interrupted, for who asks for nothing else of runs.
func (p *Project) CheckInterrupted(r *Report, now time.Time) {
	if r.Resume != nil && r.Resume.Progress == InProgress {
		r.Resume.Interrupted = p.Interrupted(r, now)
	}
}

// Detail adds to a report what only JSON has: how each task is called, which takes longer than all the rest in a session of
// a thousand tasks, and what else of the session there is to be known and is not there yet.
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
