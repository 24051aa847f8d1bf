// Package hydrate holds the use cases of gsd: find the project, judge whether a session is still valid (Hydrate) and what
// git says of it (Drift), start one (Bootstrap), change a status in it (Mark, Mirror), list its tasks, record who works on it
// (StartRun, EndRun), clean up after crashes and losses (Sweep, Restore), and report on the project as a whole (Next, Status,
// State).
//
// It is the only package that joins the others. Reading and judging are kept apart: facts are gathered from files here, and
// what they mean is decided by pure functions (judge in verdict.go, match in carry.go, the packages roadmap and evidence).
// Hydrate and everything that only reports write nothing, not even a lock. What changes a session does so under its guard,
// and only from bytes that it read while it held it; nothing else of the project is written, except STATE.md by State.
//
// Every error that leaves this package is an *Error with a Kind and, if there is one, a hint.
package hydrate

import (
	"crypto/sha256"
	"encoding/hex"
	"path"
	"strings"

	"github.com/gsd-cli/gsd/internal/durable"
	"github.com/gsd-cli/gsd/internal/planref"
	"github.com/gsd-cli/gsd/planfile"
	"github.com/gsd-cli/gsd/roadmap"
)

// Hydrate gives the verdict on the session of user, and nothing that takes longer. It only reads. A missing or unreadable
// session is a verdict; the error is for a session file that may not or cannot be read.
func (p *Project) Hydrate(user string) (*Report, error) {
	p.leave() // a directory may have been replaced since
	src, stamp, err := p.session(user).Read(p.Limit)
	r, err := p.report(user, src, err)
	if err != nil {
		return nil, err
	}
	r.files = p.files(user)
	return p.hydrated(r, stamp), nil
}

func (p *Project) hydrated(r *Report, stamp durable.Stamp) *Report {
	r.Changed = stamp.ModTime()
	p.judge(r)
	r.Warnings = p.warnings(r.Warnings, p.warned)
	return r
}

// report begins a report with what reading the session file returned: its bytes, or an error of package session. It is
// parsed, but not judged: Verdict is Corrupt or empty, and Session is nil if there is no file.
func (p *Project) report(user string, src []byte, err error) (*Report, error) {
	r := &Report{User: user, Path: p.session(user).File()}
	switch {
	case isMissing(err):
		return r, nil
	case err != nil:
		return nil, readFailed(r.Path, p.Limit, err)
	}
	p.adopt(r, parseSession(src))
	return r, nil
}

// parseSession parses a session file. One that could not be a plan has no tasks.
func parseSession(src []byte) *planfile.File {
	s := planfile.Parse(src)
	if planfile.Check(src) != nil {
		s.Tasks = nil
	}
	return s
}

// adopt makes session the one that a report is on, still to be judged.
func (p *Project) adopt(r *Report, session *planfile.File) {
	r.Session, r.Plan = session, p.named(session.Header)
	r.clear()
	if r.Corrupt = r.corrupt(); r.Corrupt != "" {
		r.Verdict = Corrupt
	}
}

// judge looks at the plan and the roadmap of a session that was parsed, and gives the verdict.
func (p *Project) judge(r *Report) {
	if r.Session != nil && r.Verdict != Corrupt {
		p.lookAt(&r.Plan, r.Session)
		r.Roadmap = p.roadmapOf(r.Plan.Path)
	}
	r.judge()
	if name, ok := planref.SummaryName(r.On); ok {
		r.Summary = path.Join(path.Dir(r.On), name)
	}
	r.Warnings = p.warnings(r.Warnings, r.aside)
}

// named is the plan that a header names, not looked at yet.
func (p *Project) named(h planfile.Header) Plan {
	switch name, ok := p.inPlanning(h.Plan); {
	case h.Plan == "":
		return Plan{}
	case planfile.CheckHeaderValue(h.Plan) != nil:
		return Plan{Invalid: "its Plan: header is not a path"}
	case !ok:
		return Plan{Invalid: "its Plan: header names a file outside " + planning + "/"}
	default:
		return Plan{Path: name, Tasks: -1}
	}
}

func (p *Project) lookAt(found *Plan, s *planfile.File) {
	name, h := found.Path, s.Header
	found.Summary = p.summaryOf(name)
	src, err := p.read(name)
	switch {
	case isMissing(err):
		found.Moved = p.findMoved(name, h.Digest)
		if found.Summary == "" && found.Moved != "" { // a milestone is archived with its summaries
			found.Summary = p.summaryOf(found.Moved)
		}
	case err != nil:
		found.Exists, found.Problem = true, readFailed(name, p.Limit, err).Text
	case s.Holds(src): // the usual case, and much the cheapest: neither parsed nor hashed
		found.Exists, found.Tasks, found.Digest = true, len(s.Tasks), h.Digest
	default:
		found.Exists, found.Digest = true, digest(src)
		if err := planfile.Check(src); err != nil {
			found.Problem = name + ": " + err.Error()
		} else {
			found.Tasks = len(planfile.Parse(src).Tasks)
		}
	}
}

func (p *Project) summaryOf(plan string) string {
	dir := path.Dir(plan)
	p.beside.dir, p.beside.names = dir, p.names(dir)
	name, ok := planref.SummaryOf(plan, p.beside.names)
	if !ok {
		return ""
	}
	name = path.Join(dir, name)
	if info, err := p.root.Stat(name); err != nil || !info.Mode().IsRegular() {
		return "" // a directory or a broken link of that name ends no plan
	}
	if p.meta(name).Status == roadmap.Blocked {
		return "" // it says why the plan could not be finished
	}
	return name
}

// findMoved returns the path that a plan has now, "" if it is unknown.
func (p *Project) findMoved(plan, digestThen string) string {
	budget := int64(16 << 20) // bytes that are read to compare digests; beyond them, names have to do
	moved, _ := roadmap.FindMoved(p.plans(), plan, func(candidate string) bool {
		if digestThen == "" || budget <= 0 {
			return false
		}
		src, err := p.read(candidate)
		budget -= int64(len(src))
		return err == nil && strings.EqualFold(digest(src), digestThen)
	})
	return moved
}

func (p *Project) roadmapOf(plan string) Roadmap {
	own, ok := planref.PhaseOfPlan(plan)
	if !ok {
		return Roadmap{}
	}
	name, parsed, err := p.nearestRoadmap(plan)
	switch {
	case err != nil:
		return Roadmap{Path: name, Problem: readFailed(name, p.Limit, err).Text}
	case parsed == nil:
		return Roadmap{}
	}
	return Roadmap{Path: name, Advance: roadmap.Advanced(parsed, own)}
}

func digest(src []byte) string {
	sum := sha256.Sum256(src)
	return "sha256:" + hex.EncodeToString(sum[:])
}
