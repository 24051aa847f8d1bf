package hydrate

import (
	"fmt"
	"io/fs"
	"path"
	"slices"
	"strings"

	"github.com/gsd-cli/gsd/planfile"
	"github.com/gsd-cli/gsd/roadmap"
	"github.com/gsd-cli/gsd/session"
)

// Next is which plan comes next (DESIGN.md, roadmap: Next plan).
type Next struct {
	Plan      string // its path; empty where nothing is left to do
	ID        string // such as 03-01; empty where the plan has no number
	Ambiguous bool   // another plan has that id too
	Phase     string // the plan's; where Plan is empty, the phase to plan now, if the roadmap knows one
	Wave      int    // as the plan tells it, if HasWave
	HasWave   bool
	Session   bool // the user has a live session on it
	Begun     bool // commits work on it, and nobody has a session on it
	Because   []string
	AlsoReady []PlanRef // what could be done as well, the likelier first
	Warnings  []Warning
}

// PlanRef names a plan.
type PlanRef struct {
	Plan, ID string
	Begun    bool // commits work on it, and nobody has a session on it
}

// The warnings of Next, beside RoadmapUnreadable.
const (
	HistoryUnreadable   = "history-unreadable"   // git's objects: what commits tell is missing
	HistoryTruncated    = "history-truncated"    // the clone has not all commits
	DirectoryUnreadable = "directory-unreadable" // what plans are in it is not known
	WorkstreamUnknown   = "workstream-unknown"   // the one that is to be looked at
)

// Next tells which plan comes next for user. It only reads.
func (p *Project) Next(user string) (*Next, error) {
	r, err := p.Hydrate(user)
	if err != nil {
		return nil, err
	}
	return p.NextAfter(r), nil
}

// NextAfter tells which plan comes next, given how the user's session stands: a live one is gone on with, the
// plan of a complete one counts as done.
func (p *Project) NextAfter(r *Report) *Next {
	s := p.survey(p.diskFor(r))
	n := p.next(&s, r)
	n.Ambiguous = n.ID != "" && p.isAmbiguous(n.ID, s.disk)
	n.Warnings = append(n.Warnings, p.warned...)
	return n
}

// next asks roadmap.Next about a root, with all that is known of it. Whether the id is ambiguous and what could
// not be looked at, is for the caller to add.
func (p *Project) next(s *survey, r *Report) *Next {
	plans := planReader{project: p}
	q := roadmap.Question{
		Disk: s.disk, Roadmap: s.roadmap, Path: s.path, Meta: plans.meta, Tasks: plans.tasks, Taken: p.taken(r.User),
	}
	switch r.Verdict {
	case Resume:
		q.Session = r.Plan.Path
	case Finished:
		q.Finished = []string{r.Plan.Path}
	}
	n := &Next{Warnings: s.warnings}
	ev, err := p.gather(s.disk)
	if err != nil {
		n.Warnings = append(n.Warnings, Warning{HistoryUnreadable, err.Error()})
	}
	q.Evidence, s.evidence = ev, ev
	a := roadmap.Next(q)
	// Names were enough so far. What is named must be a file, and so must the summaries beside it.
	for range maxVerified {
		if !s.disk.Verify(p.isFile, a.Phases()...) {
			break
		}
		a = roadmap.Next(q)
	}
	n.fill(a)
	if n.Plan != "" {
		if err := planfile.Check(plans.read(n.Plan)); err != nil {
			p.warn(PlanUnreadable, n.Plan+": "+err.Error())
		}
	}
	n.Session = n.Plan != "" && n.Plan == q.Session
	begun := func(plan string) bool {
		work := ev.Work[plan]
		own := r.Session != nil && r.Verdict != Corrupt && (plan == r.Plan.Path || plan == r.Plan.Moved) // a stale one, too
		return work != nil && work.Begun && !own && q.Taken[plan] == ""
	}
	n.Begun = begun(n.Plan)
	for i := range n.AlsoReady {
		n.AlsoReady[i].Begun = begun(n.AlsoReady[i].Plan)
	}
	if n.Plan == "" && len(p.warned) > 0 {
		n.Because = append(n.Because, "not everything could be looked at; see the warnings")
	}
	return n
}

// maxVerified is how often an answer is asked for anew because something in it was no file.
const maxVerified = 5

// isFile tells whether a plan or a summary is a file. A plan that no session could be started on is none: one
// that is empty, or whose path would not fit a session's header.
func (p *Project) isFile(name string) bool {
	info, err := p.root.Stat(name)
	if err != nil || !info.Mode().IsRegular() {
		return false
	}
	why := ""
	switch {
	case !roadmap.IsPlan(path.Base(name)):
	case info.Size() == 0:
		why = " is empty"
	case planfile.CheckHeaderValue(name) != nil:
		why = " has a name that no session can be started on"
	}
	if why != "" {
		p.warn(PlanUnreadable, name+why+"; it does not count")
	}
	return why == ""
}

// isAmbiguous tells whether an id means several plans: in the disk that it is from, or in another root.
func (p *Project) isAmbiguous(id string, from *roadmap.Disk) bool {
	found := from.Count(id)
	for _, root := range roadmap.Roots(p.list, planning) {
		if root != from.Root {
			found += roadmap.ScanPhases(p.list, root).Count(id)
		}
	}
	return found > 1
}

// taken gives, for the plans that other users have sessions on with something left to do, who that is.
func (p *Project) taken(user string) map[string]string {
	taken := map[string]string{}
	for _, other := range session.Users(p.root) {
		if other == user {
			continue
		}
		src, _, err := p.session(other).Read(p.Limit)
		if err != nil {
			continue // status tells
		}
		s := planfile.Parse(src)
		if name, ok := p.inPlanning(s.Header.Plan); ok && s.Header.Plan != "" && firstOpen(s) != nil {
			taken[name] = other
		}
	}
	return taken
}

func (n *Next) fill(a roadmap.Answer) {
	n.Phase, n.Wave, n.HasWave, n.Because = a.Phase.String(), a.Wave, a.HasWave, a.Because
	if a.Plan != nil {
		n.Plan, n.ID = a.Plan.Path, a.Plan.ID
	}
	for _, p := range a.AlsoReady {
		n.AlsoReady = append(n.AlsoReady, PlanRef{Plan: p.Path, ID: p.ID})
	}
}

// survey is what a root shows without its history.
type survey struct {
	disk     *roadmap.Disk
	roadmap  *roadmap.Roadmap
	path     string // of the roadmap; empty where there is none
	warnings []Warning
	evidence roadmap.Evidence // once next was asked
}

// survey reads the roadmap of a root whose directories were listed.
func (p *Project) survey(disk *roadmap.Disk) survey {
	s := survey{disk: disk, roadmap: &roadmap.Roadmap{}}
	name, ok := roadmap.Nearest(p.root.FS(), path.Join(disk.Root, "x"))
	if !ok {
		return s
	}
	s.path = name
	parsed, err := p.parseRoadmap(name)
	if err != nil {
		s.warnings = append(s.warnings, Warning{RoadmapUnreadable, readFailed(name, p.Limit, err).Text})
		return s
	}
	s.roadmap = parsed
	return s
}

// parseRoadmap reads a roadmap, each once: fifty sessions ask about the same one.
func (p *Project) parseRoadmap(name string) (*roadmap.Roadmap, error) {
	if parsed, ok := p.roadmaps[name]; ok {
		return parsed, nil
	}
	src, err := p.read(name)
	if err != nil {
		return nil, err
	}
	if p.roadmaps == nil {
		p.roadmaps = map[string]*roadmap.Roadmap{}
	}
	p.roadmaps[name] = roadmap.Parse(src)
	return p.roadmaps[name], nil
}

// diskFor lists the root to look in: that of the session's plan, if it is still there; the workstream that
// Workstream or upstream's pointer names; the planning directory, unless nothing is open there and something is
// in a workstream.
func (p *Project) diskFor(r *Report) *roadmap.Disk {
	if root, ok := rootOf(r.Plan.Path); ok {
		if info, err := p.root.Stat(root); err == nil && info.IsDir() {
			return roadmap.ScanPhases(p.list, root)
		}
	}
	name, from := p.Workstream, "GSD_WORKSTREAM"
	if name == "" {
		text, _ := p.read(path.Join(planning, "active-workstream"))
		name, from = strings.TrimSpace(string(text)), path.Join(planning, "active-workstream")
	}
	if name != "" {
		root := path.Join(planning, "workstreams", name)
		if name == path.Base(name) && fs.ValidPath(name) && slices.Contains(roadmap.Roots(p.list, planning), root) {
			return roadmap.ScanPhases(p.list, root)
		}
		p.warn(WorkstreamUnknown, fmt.Sprintf("%s names %q, and there is no such workstream", from, name))
		return roadmap.ScanPhases(p.list, planning)
	}
	disk := roadmap.ScanPhases(p.list, planning)
	if len(disk.Open()) > 0 {
		return disk
	}
	for _, root := range roadmap.Roots(p.list, planning)[1:] {
		if other := roadmap.ScanPhases(p.list, root); len(other.Open()) > 0 {
			return other
		}
	}
	return disk
}

// rootOf is the root that a plan's path lies in.
func rootOf(plan string) (string, bool) {
	for dir := path.Dir(plan); dir != "." && dir != planning; dir = path.Dir(dir) {
		switch path.Base(dir) {
		case "phases", "milestones", "quick":
			return path.Dir(dir), true
		}
	}
	return "", false
}

// planReader reads plans, each once.
type planReader struct {
	project *Project
	sources map[string][]byte
}

// read gives a plan's bytes, none where it cannot be read.
func (r *planReader) read(plan string) []byte {
	src, ok := r.sources[plan]
	if !ok {
		src, _ = r.project.read(plan)
		if r.sources == nil {
			r.sources = map[string][]byte{}
		}
		r.sources[plan] = src
	}
	return src
}

func (r *planReader) meta(plan *roadmap.Plan) roadmap.Meta {
	return roadmap.ReadMeta(r.read(plan.Path))
}

func (r *planReader) tasks(plan *roadmap.Plan) int {
	src := r.read(plan.Path)
	if planfile.Check(src) != nil {
		return 0
	}
	return len(planfile.Parse(src).Tasks)
}
