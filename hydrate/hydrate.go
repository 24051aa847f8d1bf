// Package hydrate holds the use cases of gsd: find the project, tell whether a session still stands
// (Hydrate), start one (Bootstrap), change a status in it (Mark), list tasks (Tasks).
//
// It is the only package that joins the others. Reading and judging are kept apart: facts are gathered
// from files here, and what they mean is decided by pure functions (Judge in verdict.go, carry in
// carry.go). Hydrate writes nothing, not even a lock; Bootstrap and Mark change one file each, under the
// session's guard, and only from bytes that they read while they held it.
//
// Every error that leaves this package is an *Error with a Kind and, where there is one, a hint.
package hydrate

import (
	"crypto/sha256"
	"encoding/hex"
	"path"
	"strings"

	"github.com/gsd-cli/gsd/planfile"
	"github.com/gsd-cli/gsd/roadmap"
)

// Report is a verdict on one user's session, with what it was given on.
type Report struct {
	Judgement
	User    string
	Path    string         // of the session file, relative to the project, whether it exists or not
	Session *planfile.File // nil where there is none
	Plan    Plan

	facts Facts
}

// Hydrate tells how the session of user stands. It only reads. A missing or broken session is a verdict;
// the error is for a session file that may not or cannot be read.
func (p *Project) Hydrate(user string) (*Report, error) {
	r := &Report{User: user, Path: p.session(user).File()}
	src, _, err := p.session(user).Read(p.Limit)
	switch {
	case isMissing(err):
		r.Judgement = Judge(Facts{})
		return r, nil
	case err != nil:
		return nil, readFailed(r.Path, p.Limit, err)
	}
	p.judge(r, src)
	return r, nil
}

// judge fills in the rest of a report from the bytes of its session file.
func (p *Project) judge(r *Report, src []byte) {
	r.Session = planfile.Parse(src)
	if planfile.Check(src) != nil {
		r.Session.Tasks = nil
	}
	r.Plan = p.planOf(r.Session)
	r.facts = Facts{Path: r.Path, Session: r.Session, Plan: r.Plan}
	if r.Plan.Path != "" {
		r.facts.Roadmap = p.roadmapOf(r.Plan.Path)
	}
	r.Judgement = Judge(r.facts)
}

// planOf looks at the plan that a session's header names.
func (p *Project) planOf(s *planfile.File) Plan {
	h := s.Header
	if h.Plan == "" {
		return Plan{}
	}
	if planfile.CheckHeaderValue(h.Plan) != nil {
		return Plan{Invalid: "its Plan: header is no path"}
	}
	name, ok := p.inPlanning(h.Plan)
	if !ok {
		return Plan{Invalid: "its Plan: header names a file outside " + planning + "/"}
	}
	found := Plan{Path: name, Tasks: -1}
	siblings := p.names(path.Dir(name))
	if summary, ok := roadmap.Summary(name, siblings); ok {
		found.Summary = path.Join(path.Dir(name), summary)
	}
	src, err := p.read(name)
	switch {
	case isMissing(err):
		found.Moved, _ = roadmap.FindMoved(p.root.FS(), planning, name, func(candidate string) bool {
			src, err := p.read(candidate)
			return err == nil && h.Digest != "" && strings.EqualFold(Digest(src), h.Digest)
		})
	case err != nil:
		found.Exists, found.Problem = true, readFailed(name, p.Limit, err).Text
	case s.Holds(src): // the usual case, and much the cheapest: neither parsed nor hashed
		found.Exists, found.Tasks, found.Digest = true, len(s.Tasks), h.Digest
	default:
		found.Exists, found.Digest = true, Digest(src)
		if err := planfile.Check(src); err != nil {
			found.Problem = name + ": " + err.Error()
		} else {
			found.Tasks = len(planfile.Parse(src).Tasks)
		}
	}
	return found
}

// roadmapOf compares the plan's phase with the roadmap that is nearest to it.
func (p *Project) roadmapOf(plan string) Roadmap {
	own, ok := roadmap.PhaseOfPlan(plan)
	if !ok {
		return Roadmap{}
	}
	name, ok := roadmap.Nearest(p.root.FS(), plan)
	if !ok {
		return Roadmap{}
	}
	src, err := p.read(name)
	if err != nil {
		return Roadmap{Path: name, Problem: readFailed(name, p.Limit, err).Text}
	}
	return Roadmap{Path: name, Advance: roadmap.Advanced(roadmap.Parse(src), own)}
}

// Digest is how a session's header names the version of its plan.
func Digest(src []byte) string {
	sum := sha256.Sum256(src)
	return "sha256:" + hex.EncodeToString(sum[:])
}
