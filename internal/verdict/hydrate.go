package verdict

import (
	"errors"
	"path"
	"strings"

	"github.com/gsd-cli/gsd/internal/answer"
	"github.com/gsd-cli/gsd/internal/durable"
	"github.com/gsd-cli/gsd/internal/planref"
	"github.com/gsd-cli/gsd/internal/problem"
	"github.com/gsd-cli/gsd/internal/progress"
	"github.com/gsd-cli/gsd/internal/project"
	"github.com/gsd-cli/gsd/internal/run"
	"github.com/gsd-cli/gsd/planfile"
)

// Hydrate gives the verdict on the session of user, and only what costs little more. It only reads. A missing or corrupt
// session is a verdict, not an error; an error means that the session file could not be read.
func (p *Project) Hydrate(user string) (*answer.Report, error) {
	r := p.Look(user)
	if r.Unread != nil {
		return nil, r.Unread
	}
	return r, nil
}

// Look is Hydrate for those to whom a session that cannot be read is a fact like any other.
func (p *Project) Look(user string) *answer.Report {
	return p.ExamineAll(p.Read(user))
}

// ExamineAll is Examine, with all that was warned of when the project was read, for a report that is an answer of its own.
func (p *Project) ExamineAll(r *answer.Report) *answer.Report {
	p.Examine(r)
	r.Warnings = p.Warnings(r.Warnings, p.Planning.Warned())
	return r
}

// Read begins a report on the session of a user: the file is parsed, but not judged. Verdict is Corrupt or empty, and Session is nil if there
// is no file, or it cannot be read.
func (p *Project) Read(user string) *answer.Report {
	src, stamp, err := p.Session(user).Read(p.Planning.Limit)
	return p.begin(user, p.RunFile(user), src, stamp, err)
}

// begin begins a report on the session file whose bytes are src, or whose reading failed with err, and on the records of the runs beside it.
func (p *Project) begin(user string, runs *run.File, src []byte, stamp durable.Stamp, err error) *answer.Report {
	r := &answer.Report{User: user, Dir: p.Planning.Away(), Path: p.Session(user).File()}
	r.RunFile, r.Changed = runs, stamp.ModTime()
	switch {
	case err == nil:
		p.Adopt(r, planfile.ParseSession(src))
	case !problem.IsMissing(err):
		r.Unread = problem.ReadFailed(r.Path, p.Planning.Limit, err)
	}
	return r
}

// Adopt makes session the subject of a report, which is still to be judged.
func (p *Project) Adopt(r *answer.Report, session *planfile.File) {
	r.Session, r.Plan, r.Before = session, p.Named(session.Header), nil
	r.File, r.Evidence, r.State = nil, nil, nil
	r.Begin()
}

// Examine gathers the facts about the session of a report, and judges them.
func (p *Project) Examine(r *answer.Report) {
	p.gather(r)
	r.Judge()
	r.Warnings = p.Warnings(r.Warnings)
}

// gather reads what the verdict on a parsed session depends on.
func (p *Project) gather(r *answer.Report) {
	if r.Session == nil || r.Unusable() != "" {
		return
	}
	p.LoadPlan(&r.Plan, r.Session)
	p.AddCommitted(r)
	r.Roadmap = p.roadmapOf(r.Plan.Path, r.Session.Header.Phase)
	r.Drafted, r.SummaryThere = nil, false
	if name, ok := planref.SummaryName(r.Plan.Path); ok && answer.FirstOpen(r.Session) == nil {
		summary := path.Join(path.Dir(r.Plan.Path), name)
		r.Drafted, _ = ReadDraft(p, summary)
		_, err := p.Planning.Lstat(summary)
		r.SummaryThere = err == nil
	}
}

// Named returns the plan that a header names, without reading it.
func (p *Project) Named(h planfile.Header) answer.Plan {
	switch name, ok := p.Planning.InPlanning(h.Plan); {
	case h.Plan == "":
		return answer.Plan{}
	case h.Check() != nil:
		return answer.Plan{Invalid: "its Plan: header is not a path"}
	case !ok:
		return answer.Plan{Invalid: "its Plan: header names a file outside " + planref.Planning + "/"}
	default:
		id, _ := p.Planning.PlanID(name)
		return answer.Plan{Path: name, ID: id, Tasks: -1}
	}
}

// LoadPlan adds to a plan that a session's header names what its file says of it.
func (p *Project) LoadPlan(found *answer.Plan, s *planfile.File) {
	name, h := found.Path, s.Header
	found.Summary = p.Planning.SummaryOf(name)
	if h.Summary != "" && found.Summary != "" && p.Planning.DigestOf(found.Summary) == h.Summary {
		found.Summary = "" // it was already there when the session was started, with --again
	}
	src, err := p.Planning.Read(name)
	found.Text = src
	switch {
	case problem.IsMissing(err):
		found.Moved, _ = p.WhereIs(name, h.Digest, func() []progress.Task { return progress.Describe(s) })
		if found.Summary == "" && found.Moved != "" { // a milestone is archived with its summaries
			found.Summary = p.Planning.SummaryOf(found.Moved)
		}
	case err != nil:
		found.Exists, found.Problem = true, new(problem.UnreadWarning(problem.PlanUnreadable, name, p.Planning.Limit, err))
	case s.Holds(src): // the usual case, and by far the cheapest: nothing is parsed or hashed
		found.Exists, found.Tasks = true, len(s.Tasks)
	default:
		found.Exists = true
		if err := planfile.Check(src); err != nil {
			found.Problem = &problem.Warning{Code: problem.PlanUnreadable, Path: name, Says: err.Error()}
			if conflict, ok := errors.AsType[*planfile.ConflictError](err); ok {
				found.Problem = new(problem.UnreadWarning(problem.PlanUnreadable, name, p.Planning.Limit, conflict))
			}
		} else {
			plan := planfile.Parse(src)
			found.Tasks, found.Words = len(plan.Tasks), progress.Words(plan)
			if found.Edited = !strings.EqualFold(h.Digest, project.Digest(src)); h.Digest == "" {
				found.Edited = !s.HasTextOf(plan)
			}
		}
	}
}

// roadmapOf compares the roadmap of a plan with the plan's phase. since is what PhaseNow returned when the session on the plan
// was started, "" if that is unknown.
func (p *Project) roadmapOf(plan, since string) answer.Roadmap {
	own, ok := planref.PhaseOfPlan(plan)
	if !ok {
		return answer.Roadmap{}
	}
	name, parsed, err := p.Planning.NearestRoadmap(plan)
	switch {
	case err != nil:
		return answer.Roadmap{Path: name, Problem: new(problem.UnreadWarning(problem.RoadmapUnreadable, name, p.Planning.Limit, err))}
	case parsed == nil:
		return answer.Roadmap{}
	}
	return answer.Roadmap{Path: name, Advance: answer.Advanced(parsed, own, since)}
}

// PhaseNow returns what the header of a session on a plan records of its roadmap; see answer.RecordedPhase.
func (p *Project) PhaseNow(plan string) string {
	own, ok := planref.PhaseOfPlan(plan)
	_, parsed, err := p.Planning.NearestRoadmap(plan)
	if !ok || err != nil {
		parsed = nil
	}
	return answer.RecordedPhase(parsed, own)
}
