package hydrate

import (
	"slices"
	"time"

	"github.com/gsd-cli/gsd/internal/history"
	"github.com/gsd-cli/gsd/internal/team"
	"github.com/gsd-cli/gsd/internal/verdict"
)

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
	team.AddSyncFailure(p.Project, r)
	p.AddEvidence(r, now)
	return r, nil
}

// AddRuns adds to a report who is at work, and what was left unfinished.
func (p *Project) AddRuns(r *Report, now time.Time) {
	if closed := p.Closed(r); len(closed) > 0 {
		r.Closed = true
		r.Warnings = p.Warnings(r.Warnings, closed)
	}
	r.Recovery = p.Recovery(r, now)
	r.Warnings = p.Warnings(r.Warnings, r.Recovery.Warnings)
	r.Run = r.Recovery.Latest
	var workers []string // the ids of the runs that work on tasks
	for _, n := range verdict.TasksInProgress(r.Session) {
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
	r.Busy = p.Admit(r, now)
	history.SetProgress(p.Project, r, &r.Recovery.Assessment)
	history.AddElsewhere(p.Project, r, now)
	team.AddClaim(p.Project, r)
}

// AddEvidence adds to a report that has the runs what the commits say, and, unless a task is to be resumed, which plan comes
// next.
func (p *Project) AddEvidence(r *Report, now time.Time) {
	r.Warnings = p.Warnings(r.Warnings, p.Drift(r))
	if r.Verdict != Resume {
		r.Next = p.NextAfter(r)
		r.Warnings = p.Warnings(r.Warnings, r.Next.Warnings)
		r.Recovery.Begin(r.Next)
		for _, note := range p.readHandOffs(p.Planning.HandOffNotes(), now) { // of all phases, which are known now
			if !slices.ContainsFunc(r.Recovery.Incomplete, func(w verdict.Incomplete) bool { return w.Path == note.Path }) {
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
	late.Warnings = p.Warnings([]Warning{missing}, r.Warnings)
	return &late
}

// Detail adds to a report what only JSON has: all tasks with their names, which in a session of a thousand tasks takes longer
// than the rest. It also adds what else is missing about the session.
func (p *Project) Detail(r *Report, now time.Time) {
	if r.Verdict == Corrupt {
		r.Warnings = append(r.Warnings, Warning{Code: verdict.SessionCorrupt, Detail: r.Corrupt})
	}
	if r.Resume != nil && !r.Resume.HasText { // else HydrateAll has added both
		r.AddText()
		history.CheckInterrupted(p.Project, r, now)
	}
	r.Commands = r.NextCommands()
	if r.On != "" && r.Tasks == nil {
		for _, t := range r.Session.Tasks {
			r.Tasks = append(r.Tasks, verdict.TaskOf(r.Session, t))
		}
	}
}
