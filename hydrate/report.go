package hydrate

import (
	"slices"
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
	Next     *Next        `json:"next,omitempty"`     // the plan that comes next, unless a task is to be resumed
	Run      *run.Run     `json:"run,omitempty"`      // the run that holds the lease, else the latest one, if there is one
	Recovery *Recovery    `json:"recovery,omitempty"` // what was left unfinished, if anything
	// Elsewhere are the user's sessions in other worktrees of the repository and under former names on this machine, the last
	// changed first. They are only looked for if there is no session here, or an unreadable one;
	// AddMain also looks for the one in the main worktree.
	Elsewhere []Elsewhere `json:"elsewhere,omitempty"`
	// StateMissing is the STATE.md that the project should have, if it has phases and no such file.
	StateMissing string    `json:"state_missing,omitempty"`
	Commands     []Command `json:"commands"` // what can be run next, the most useful first

	AtWork      []run.Run `json:"-"` // runs of others that may be alive
	closed      bool      // the session cannot be written; a warning says why
	busy        error     // why the caller may not have the session to itself, such as a *run.BusyError
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

// Checkpoint reports whether the plan requires that the user is asked.
func (t *Task) Checkpoint() bool { return isCheckpoint(t.Type) }

// ResumePoint is the task to resume.
type ResumePoint struct {
	Number      int    `json:"number"`      // counted from 1, in the order of the file
	Name        string `json:"name"`        // what the task is called, on one line
	Interrupted bool   `json:"interrupted"` // it is in progress and nobody is at work on it: its work may be partial
	// Children are what is directly below it, except for its name: all that the plan says about the task. A text of more than
	// 6,000 bytes is cut.
	Children []planfile.Child `json:"children,omitempty"`
	Cut      bool             `json:"cut,omitempty"` // children are cut; gsd tasks N prints the whole task

	// Machine is where the task is in progress, by the user in another clone, as far as the last gsd sync knows.
	Machine string `json:"machine,omitempty"`

	Also     []Also   `json:"-"` // the other tasks that are in progress
	Type     string   `json:"-"`
	Line     int      `json:"-"`
	Progress Progress `json:"-"` // the field Interrupted is true if it is Interrupted
	hasText  bool     // AddText was called
}

// Also is a task that is in progress, beside the one to resume.
type Also struct {
	Task
	Interrupted bool // nobody is at work on it
}

// Progress is how far a resume point is.
type Progress int

// How far a resume point is. All but the first look the same in the session file; the runs distinguish them.
const (
	NotBegun    Progress = iota
	InProgress           // the runs have not been read yet
	Interrupted          // in progress, and nobody is at work
	InOwnHands           // in progress, and the caller's run is at work
	InOthers             // in progress, and another run may be at work
	InClone              // in progress in another clone
)

// FirstInterrupted returns the first of the tasks in progress that was interrupted: its number, which is 0 if none was, and its
// name.
func (n *ResumePoint) FirstInterrupted() (number int, name string) {
	if n.Interrupted {
		return n.Number, n.Name
	}
	for _, also := range n.Also {
		if also.Interrupted {
			return also.Number, also.Name
		}
	}
	return 0, ""
}

// Checkpoint reports whether the plan requires that the user is asked.
func (n *ResumePoint) Checkpoint() bool { return isCheckpoint(n.Type) }

func isCheckpoint(taskType string) bool { return strings.HasPrefix(taskType, "checkpoint") }

// Name is what the plan is called on a command line.
func (n *Next) Name() string { return planWord(n.Plan, n.ID, n.Ambiguous) }

// Name is what the plan is called on a command line.
func (w *Incomplete) Name() string { return planWord(w.Path, w.ID, w.Ambiguous) }

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

// HydrateAll is Hydrate with everything that is worth knowing before continuing: the text of the task, who is at work, what
// was left unfinished, what the commits say, and which plan comes next. It only reads.
func (p *Project) HydrateAll(user string, now time.Time) (*Report, error) {
	r, err := p.Hydrate(user)
	if err != nil {
		return nil, err
	}
	r.AddText()
	p.AddRuns(r, now)
	p.CheckCrumb(r)
	p.AddSyncFailure(r)
	p.AddEvidence(r, now)
	return r, nil
}

// AddText adds to a report the text of the task to resume, and which others are in progress.
func (r *Report) AddText() {
	n := r.Resume
	if n == nil {
		return
	}
	n.hasText = true
	n.Children, n.Cut = shorten(shownChildren(r.Session, n.Number), maxTaskText)
	n.addAlso(r.Session)
}

// addAlso adds which other tasks of the session are in progress.
func (n *ResumePoint) addAlso(s *planfile.File) {
	n.Also = nil
	for _, number := range inProgress(s) {
		if number != n.Number {
			n.Also = append(n.Also, Also{Task: taskOf(s, s.Tasks[number-1])})
		}
	}
}

// SessionClosed warns of a session directory that cannot be written.
const SessionClosed = "session-unwritable"

// closed warns if the user's session directory cannot be written.
func (p *Project) closed(r *Report) []Warning {
	err := p.session(r.User).CheckWritable()
	if err == nil {
		return nil
	}
	failed := writeFailed(r.Path, err)
	return []Warning{{Code: SessionClosed, Detail: "nothing can be marked or started: " + failed.Text + "; " + failed.Hint}}
}

// AddRuns adds to a report who is at work, and what was left unfinished.
func (p *Project) AddRuns(r *Report, now time.Time) {
	if closed := p.closed(r); len(closed) > 0 {
		r.closed = true
		r.Warnings = p.warnings(r.Warnings, closed)
	}
	r.Recovery = p.Recovery(r, now)
	r.Warnings = p.warnings(r.Warnings, r.Recovery.Warnings)
	r.Run = r.Recovery.Latest
	var workers []string // the ids of the runs that work on tasks
	for _, n := range inProgress(r.Session) {
		if its := r.Recovery.Worker(r.Plan.Path, n); its != nil {
			workers = append(workers, its.ID)
		}
	}
	for _, its := range r.Recovery.Runs {
		// In a process that lives for days, a conversation may have ended without a word.
		fresh := its.Holds || now.Sub(its.Seen) <= its.TTL || slices.Contains(workers, its.ID)
		if !its.Own && its.MayLive() && fresh {
			r.AtWork = append(r.AtWork, its)
		}
	}
	r.busy = p.admit(r, now)
	p.setProgress(r, &r.Recovery.Assessment)
	p.addElsewhere(r, now)
	p.addClaim(r)
}

// setProgress sets which of the tasks in progress were interrupted, given who is at work here.
func (p *Project) setProgress(r *Report, runs *Assessment) {
	n := r.Resume
	if n == nil {
		return
	}
	if n.Progress != NotBegun {
		n.Progress = ProgressOf(runs.Worker(r.Plan.Path, n.Number))
		n.Interrupted = n.Progress == Interrupted
	}
	for i := range n.Also {
		n.Also[i].Interrupted = ProgressOf(runs.Worker(r.Plan.Path, n.Also[i].Number)) == Interrupted
	}
	if number, _ := n.FirstInterrupted(); number > 0 {
		p.inClones(r)
	}
}

// ProgressOf returns how far a task in progress is, given the run that is at work on it; nil for none.
func ProgressOf(worker *run.Run) Progress {
	switch {
	case worker == nil:
		return Interrupted
	case worker.Own:
		return InOwnHands
	}
	return InOthers
}

// AddEvidence adds to a report that has the runs what the commits say, and, unless a task is to be resumed, which plan comes
// next.
func (p *Project) AddEvidence(r *Report, now time.Time) {
	r.Warnings = p.warnings(r.Warnings, p.Drift(r))
	if r.Verdict != Resume {
		r.Next = p.NextAfter(r)
		r.Warnings = p.warnings(r.Warnings, r.Next.Warnings)
		r.Recovery.Begin(r.Next)
		for _, note := range p.readHandOffs(p.project.HandOffNotes(), now) { // of all phases, which are known now
			if !slices.ContainsFunc(r.Recovery.Incomplete, func(w Incomplete) bool { return w.Path == note.Path }) {
				r.Recovery.Incomplete = append(r.Recovery.Incomplete, note)
			}
		}
	}
	if !r.Recovery.Any() {
		r.Recovery = nil
	}
	r.StateMissing = p.stateMissing(r)
}

// Shortened returns a copy of a report that has to be printed before everything was read, with a warning of what is left out.
func (p *Project) Shortened(r *Report, leftOut string) *Report {
	late := *r
	if r.Resume != nil { // what is added to r later must not appear in the copy
		resume := *r.Resume
		resume.Also = slices.Clone(resume.Also)
		late.Resume = &resume
	}
	missing := Warning{Code: "deadline", Detail: "the hook ran out of time; left out: " + leftOut}
	late.Warnings = p.warnings([]Warning{missing}, r.Warnings)
	return &late
}

// CheckInterrupted determines which of the tasks in progress were interrupted, for callers that need nothing else about runs.
func (p *Project) CheckInterrupted(r *Report, now time.Time) {
	if r.Resume == nil {
		return
	}
	r.Resume.addAlso(r.Session)
	if r.Resume.Progress == InProgress || len(r.Resume.Also) > 0 {
		runs, _ := p.Runs(r, now)
		p.setProgress(r, &runs)
	}
}

// Detail adds to a report what only JSON has: all tasks with their names, which in a session of a thousand tasks takes longer
// than the rest. It also adds what else is missing about the session.
func (p *Project) Detail(r *Report, now time.Time) {
	if r.Verdict == Corrupt {
		r.Warnings = append(r.Warnings, Warning{Code: SessionCorrupt, Detail: r.Corrupt})
	}
	if r.Resume != nil && !r.Resume.hasText { // else HydrateAll has added both
		r.AddText()
		p.CheckInterrupted(r, now)
	}
	r.Commands = r.NextCommands()
	if r.On != "" && r.Tasks == nil {
		for _, t := range r.Session.Tasks {
			r.Tasks = append(r.Tasks, taskOf(r.Session, t))
		}
	}
}

func taskOf(f *planfile.File, t planfile.Task) Task {
	return Task{Number: t.Number, Name: f.Title(t.Number), Type: t.Type, Status: t.Status, Line: t.Line}
}
