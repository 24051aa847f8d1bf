package app

import (
	"bytes"
	"context"
	"path"
	"slices"
	"time"

	"github.com/gsd-cli/gsd/internal/answer"
	"github.com/gsd-cli/gsd/internal/claim"
	"github.com/gsd-cli/gsd/internal/evidence"
	"github.com/gsd-cli/gsd/internal/history"
	"github.com/gsd-cli/gsd/internal/leftover"
	"github.com/gsd-cli/gsd/internal/problem"
	"github.com/gsd-cli/gsd/internal/progress"
	"github.com/gsd-cli/gsd/internal/project"
	"github.com/gsd-cli/gsd/internal/run"
	"github.com/gsd-cli/gsd/internal/statefile"
	"github.com/gsd-cli/gsd/internal/team"
	"github.com/gsd-cli/gsd/internal/verdict"
	"github.com/gsd-cli/gsd/planfile"
)

// Gather adds to a report on a session what it lacks for an answer of that size. The parts are read in an order that only this
// function knows, each at most once, so that a hook can gather in steps and print what it has when its time is over. It
// writes nothing.
func (p *Project) Gather(r *answer.Report, need answer.Need) {
	for r.Read < need {
		switch r.Read++; r.Read {
		case answer.TaskText:
			r.AddText()
		case answer.Unfinished:
			p.addUnfinished(r)
		case answer.Everything:
			p.addRest(r)
		}
	}
	r.Do = r.Actions()
}

// HydrateAll is Hydrate with everything that is worth knowing before continuing.
func (p *Project) HydrateAll(user string) (*answer.Report, error) {
	r, err := p.Hydrate(user)
	if err == nil {
		p.Gather(r, answer.Everything)
	}
	return r, err
}

// Record writes what a hook has to after it gathered what is Unfinished, because it tells an agent of it: the breadcrumb, if it is
// behind, and what it tells only once. What could not be written is a warning of the report.
func (p *Project) Record(r *answer.Report) {
	r.Recorded = true
	p.keepCommitted(r)
	p.KeepCrumb(r)
	if failed := team.SyncWarnings(p.Project); failed != nil && team.TellFailure(p.Project) {
		r.Warnings = p.Warnings(r.Warnings, failed)
	}
	if r.Start != nil {
		history.ShowLost(p.Project, r.Recovery.Lost)
	}
}

// keepCommitted puts into the session file that tasks are complete as commits or the plan's own words show, or as was said in another worktree,
// and what is so no longer, for those who read only the file. The breadcrumb says that nobody has set it, or when it was set there. Where it
// cannot be written at once, a later start does it.
func (p *Project) keepCommitted(r *answer.Report) {
	if r.File == nil || !r.Verdict.Live() || p.CheckCrumbs(r.User) != nil { // without its record, it would be set
		return
	}
	_ = p.Change(context.Background(), r.User, 0, func(l *verdict.Locked) error {
		report := l.Report
		if report.Session == nil || !bytes.Equal(report.Session.Bytes(), r.File.Bytes()) {
			return nil
		}
		merged, err := writtenDown(report.Session, r.State)
		if err != nil || merged == report.Session {
			return err
		}
		if err := l.Guard.Write([][]byte{merged.Bytes()}, l.Was); err != nil {
			return err
		}
		report.Session, report.State = merged, r.State
		return p.WriteCrumb(report)
	})
}

// writtenDown returns a session with the statuses that its tasks have: s itself if it has them. What was set on another branch stays, and so
// does a pending task that is in progress as it seems: only somebody's mark says so.
func writtenDown(s *planfile.File, tasks []progress.Task) (*planfile.File, error) {
	statuses := map[int]planfile.Status{}
	for i := range tasks {
		t, was := &tasks[i], s.Tasks[i].Status
		stays := !t.Status.Settled() && t.Previous != "" || t.Status == planfile.InProgress && !was.Settled()
		if t.Status != was && t.Status.Known() && !stays {
			statuses[t.Number] = t.Status
		}
	}
	return s.SetStatuses(statuses)
}

// addUnfinished adds to a report who is at work, what was left unfinished, and where else the user has sessions.
func (p *Project) addUnfinished(r *answer.Report) {
	r.Warnings = p.Warnings(r.Warnings, verdict.UnwritableWarning(r, p.StartFacts(r).Closed))
	r.Recovery = p.recovery(r)
	r.Warnings = p.Warnings(r.Warnings, r.Recovery.Warnings)
	r.Run = r.Recovery.Latest
	r.AtWork = atWork(r, p.Now)
	if r.Start != nil && r.Start.Busy != nil && len(r.AtWork) == 0 && !holderMayBeLeft(r) { // that run started a moment ago
		r.JustStarted = r.Start.Busy.Error()
	}
	if p.addSwitched(r, r.Recovery.Switched()); r.Switched != nil {
		r.Warnings = p.Warnings(r.Warnings, []problem.Warning{{Code: answer.SessionSwitched, Plan: r.Plan.Path, Run: r.Switched}})
	}
	p.mayFix(r)
	if r.Verdict == answer.Resume {
		r.Warnings = p.Warnings(r.Warnings, p.waiting(r.Plan.Path, r.Plan.Text))
	}
	history.SetStates(p.Project, r, &r.Recovery.RunsAndLost)
	history.AddElsewhere(p.Project, r)
	team.WarnLostClaim(p.Project, r)
}

// mayFix decides whether what helps a session whose own plan has changed can be run.
func (p *Project) mayFix(r *answer.Report) {
	if r.Fix.Kind == "" {
		return
	}
	s, candidate := history.NewStarter(p.Project, r), claim.Plan{Path: r.Plan.Path, Problem: p.Planning.Unmerged(r.Plan.Path)} // it was read for the verdict
	if r.Plan.Moved != "" {
		candidate, _ = s.Read(r.Plan.Moved)
	}
	r.MayFix = s.Decide(candidate, claim.Options{})
}

// atWork returns the runs of others that may be alive and at work: one that has not the lease and never marked a task is a conversation that
// only happens to be in this directory.
func atWork(r *answer.Report, now time.Time) (others []run.Run) {
	var workers []string // the ids of the runs that work on tasks
	for _, n := range answer.TasksInProgress(r.Session) {
		if agentRun := r.Recovery.Worker(r.Plan.Path, n); agentRun != nil {
			workers = append(workers, agentRun.ID)
		}
	}
	for _, agentRun := range r.Recovery.Runs {
		// In a process that lives for days, a conversation may have ended without a word.
		fresh := agentRun.Holds || agentRun.Marked && now.Sub(agentRun.Seen) <= agentRun.TTL || slices.Contains(workers, agentRun.ID)
		if !agentRun.Own && agentRun.MayLive() && fresh && !r.Recovery.MayBeLeft(&agentRun) {
			others = append(others, agentRun)
		}
	}
	return others
}

// holderMayBeLeft reports whether the run that holds the lease may be one that somebody left for the caller's.
func holderMayBeLeft(r *answer.Report) bool {
	return r.Recovery.Holder != nil && r.Recovery.MayBeLeft(r.Recovery.Holder)
}

// addRest adds to a report what is not committed, what is on other branches, and, unless a task is to be resumed, which plan comes next.
func (p *Project) addRest(r *answer.Report) {
	if !r.Recorded {
		p.CheckCrumb(r)
		r.Warnings = p.Warnings(r.Warnings, team.SyncWarnings(p.Project))
	}
	if r.Start != nil {
		history.AddMain(p.Project, r)
	}
	r.Warnings = p.Warnings(r.Warnings, p.Drift(r))
	p.AddUncommitted(r.Resume, r.Plan.Path)
	p.addBranches(r)
	if r.Verdict != answer.Resume {
		r.Next = p.nextAfter(r)
		r.Warnings = p.Warnings(r.Warnings, r.Next.Warnings)
		for _, note := range p.Leftover().Read(p.Planning.HandOffNotes()) { // of all phases, which are known now
			if !slices.ContainsFunc(r.Recovery.Incomplete, func(w answer.Incomplete) bool { return w.Path == note.Path }) {
				r.Recovery.Incomplete = append(r.Recovery.Incomplete, note)
			}
		}
	}
	if !r.Recovery.Any() {
		r.Recovery = nil
	}
	p.addState(r)
}

// addBranches adds to a report on a session that is to be continued the work on its plan that is not here.
func (p *Project) addBranches(r *answer.Report) {
	if r.Verdict.Live() {
		r.Branches = p.branches(r)
	}
}

// branches returns the work that is not here on the plan of a session, which is to be continued.
func (p *Project) branches(r *answer.Report) []evidence.Branch {
	isSettled := func(n int) bool { return r.Session.Tasks[n-1].Status.Settled() }
	return history.NextAfter(history.BranchesOf(p.Project, r.User, r.Plan.Path), len(r.Session.Tasks), isSettled)
}

// The codes of the warnings that a hook ran out of time.
const (
	Deadline      = "deadline"       // left out is what is not committed, work on other branches, and which plan comes next
	DeadlineEarly = "deadline-early" // and who is at work, and what was interrupted or lost
)

// Shortened returns a copy of a report that has to be printed before everything was read, with a warning of what is left out.
func (p *Project) Shortened(r *answer.Report) *answer.Report {
	late := *r
	if r.Resume != nil { // what is added to r later must not appear in the copy
		resume := *r.Resume
		resume.Also = slices.Clone(resume.Also)
		late.Resume = &resume
	}
	missing := problem.Warning{Code: Deadline}
	if r.Read < answer.Unfinished {
		missing.Code = DeadlineEarly
	}
	late.Warnings = p.Warnings([]problem.Warning{missing}, r.Warnings)
	return &late
}

// Detail adds to a report what only JSON has: all tasks with their names, which in a session of a thousand tasks takes longer
// than the rest. It also adds what else is missing about the session.
func (p *Project) Detail(r *answer.Report) {
	if r.Read < answer.TaskText {
		p.Gather(r, answer.TaskText)
		history.CheckStates(p.Project, r)
	}
	r.Do = r.Actions()
	if r.On != "" && r.Tasks == nil {
		r.Tasks = p.SessionTasks(r)
	}
}

// recovery returns what was left unfinished. It does not read git's history, because an agent waits for it.
func (p *Project) recovery(r *answer.Report) *answer.Recovery {
	rec := &answer.Recovery{}
	rec.RunsAndLost, rec.Warnings = history.Runs(p.Project, r)
	rec.AddRuns(&rec.Assessment, r)
	if r.Start != nil && r.Start.Before != nil { // it has recorded their ends, and nobody will tell of them again
		before := r.Start.Before
		rec.Crashed, rec.LeftTasks, rec.Failed = before.Crashed, before.LeftTasks, before.Failed
	}
	rec.Incomplete = p.Leftover().All(r.Plan.Path, leftover.NotesBeside(p.Planning, r.Plan.Path)...)
	rec.Warnings = append(rec.Warnings, p.Planning.Warned()...)
	return rec
}

// Leftover reads what other programs left unfinished.
func (p *Project) Leftover() *leftover.Reader {
	return &leftover.Reader{Project: p.Planning, Conversation: p.Caller.Conversation, Now: p.Now}
}

const maxBlockers = 5 // of STATE.md; an agent reads them in each answer

// addState adds to a report what STATE.md tells, if it was read for the milestone that it names: an agent waits for this.
func (p *Project) addState(r *answer.Report) {
	root, known := project.RootOf(r.Plan.Path)
	if r.Verdict != answer.Resume { // then the phases have been listed
		root = p.Planning.DiskFor(p.Base(), r.Plan.Path).Root
	} else if !known {
		return
	}
	name := path.Join(root, "STATE.md")
	if stopped, blockers := statefile.Resuming(p.Planning.StateRead(name)); stopped != "" || len(blockers) > 0 {
		last := blockers[max(0, len(blockers)-maxBlockers):]
		r.StateSays = &answer.StateSays{Path: name, Stopped: stopped, Blockers: last, Total: len(blockers)}
	}
}
