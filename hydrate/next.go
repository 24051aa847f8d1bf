package hydrate

import (
	"fmt"
	"path"

	"github.com/gsd-cli/gsd/internal/planref"
	"github.com/gsd-cli/gsd/internal/session"
	"github.com/gsd-cli/gsd/planfile"
	"github.com/gsd-cli/gsd/roadmap"
)

// Next is the plan that comes next, and why. The rules are in docs/design.md, roadmap: Next plan.
type Next struct {
	Plan string `json:"plan" empty:"null"` // the plan, relative to the project; null if nothing is left to do
	ID   string `json:"id" empty:"null"`   // its short name, such as 03-01; null if it has no number
	// Phase is the plan's phase, such as 3 or 2.1. If plan is null, it is the phase to plan or verify now, null if none is
	// known.
	Phase      string `json:"phase" empty:"null"`
	Wave       *int   `json:"wave"`                 // the wave that its front matter states; null if it states none
	Autonomous bool   `json:"autonomous"`           // false if its front matter says that a person is needed
	Gaps       bool   `json:"gap_closure"`          // it closes gaps that a verification found
	Summary    string `json:"summary" empty:"null"` // where its summary goes, if that is all that is missing; else null
	// Verification is the status of the phase's verification, such as gaps_found, if plan is null and only the verification
	// keeps the phase from being complete; else null.
	Verification string    `json:"verification" empty:"null"`
	Begun        bool      `json:"begun"`      // commits work on it and nobody has a session on it
	Because      []string  `json:"because"`    // why, in short sentences for a person
	AlsoReady    []PlanRef `json:"also_ready"` // other plans that are ready, the most likely first

	Ambiguous bool      `json:"-"` // another plan has that ID too
	Session   bool      `json:"-"` // the user has a live session on it
	Warnings  []Warning `json:"-"`
}

// PlanRef is a reference to a plan.
type PlanRef struct {
	Plan  string `json:"plan"`            // the plan, relative to the project
	ID    string `json:"id" empty:"null"` // its short name, such as 03-01; null if it has no number
	Begun bool   `json:"begun"`           // commits work on it and nobody has a session on it
}

// The warnings of Next, beside RoadmapUnreadable.
const (
	HistoryUnreadable   = "history-unreadable"   // git's objects: what commits tell is missing
	HistoryTruncated    = "history-truncated"    // the clone has not all commits
	DirectoryUnreadable = "directory-unreadable" // what plans are in it is not known
	RoadmapCut          = "roadmap-cut"          // it is so long that only its beginning is read
	DirectoryRepeated   = "directory-repeated"   // a link leads to one that was listed already
	ReadingStopped      = "reading-stopped"      // the command has reached its read limit
	TooMany             = "too-many"             // plans, users or workstreams; the first are looked at
	WorkstreamUnknown   = "workstream-unknown"   // the one that is to be looked at
)

// NextAnswer is the answer of gsd next.
type NextAnswer struct {
	User     string    `json:"user"`     // who asks: the name that gsd whoami prints
	Next     *Next     `json:"next"`     // the plan that comes next
	Warnings []Warning `json:"warnings"` // what a person should know
	Commands []Command `json:"-"`        // that go on with the plan
}

// Next finds the plan that comes next for user. It only reads.
func (p *Project) Next(user string) (*NextAnswer, error) {
	r, err := p.Hydrate(user)
	if err != nil {
		return nil, err
	}
	n := p.NextAfter(r)
	return &NextAnswer{User: user, Next: n, Warnings: p.warnings(n.Warnings), Commands: n.commands()}, nil
}

// commands are those that go on with the next plan. None does where only its summary is missing.
func (n *Next) commands() []Command {
	switch {
	case n.Plan == "" || n.Summary != "":
		return nil
	case n.Session:
		return []Command{{[]string{"gsd", "hydrate"}, "continues it"}}
	}
	name := planWord(n.Plan, n.ID, n.Ambiguous)
	start := Command{[]string{"gsd", "bootstrap", name}, "starts a session on it"}
	if !n.Begun {
		return []Command{start}
	}
	return []Command{{[]string{"gsd", "restore", name}, "rebuilds its session from those commits"}, start}
}

// NextAfter tells which plan comes next, given how the user's session stands: a live one is gone on with.
func (p *Project) NextAfter(r *Report) *Next {
	s := p.survey(p.diskFor(r))
	n := p.next(&s, r)
	n.Ambiguous = n.ID != "" && p.isAmbiguous(n.ID, n.Plan)
	n.Warnings = append(n.Warnings, p.warned...)
	return n
}

// next asks roadmap.Next about a root, with all that is known of it and of who asks. Whether the id is ambiguous and what
// could not be looked at, is for the caller to add.
func (p *Project) next(s *survey, r *Report) *Next {
	p.ask(s)
	q := s.question
	q.Taken, q.Ended = p.sessionsOf(r, s.disk)
	if r.Verdict.Live() {
		q.Session = r.Plan.Path
	}
	n := &Next{Warnings: s.warnings}
	a := roadmap.Next(q)
	if q.Session == "" && len(q.Ended) == 0 && len(q.Taken) == 0 {
		s.at = &a
	}
	n.fill(a)
	for _, text := range a.Waves {
		p.warn(WaveContradicted, text)
	}
	for _, text := range a.Overlaps {
		p.warn(FilesOverlap, text)
	}
	if n.Plan != "" {
		if err := planfile.Check(p.readBounded(n.Plan)); err != nil {
			p.warn(PlanUnreadable, n.Plan+": "+err.Error())
		}
	}
	n.Session = n.Plan != "" && n.Plan == q.Session
	begun := func(plan string) bool {
		work := s.evidence.Work[plan]
		own := r.Session != nil && r.Verdict != Corrupt && (plan == r.Plan.Path || plan == r.Plan.Moved) // a stale one, too
		return work != nil && work.Begun && !own && q.Taken[plan] == ""
	}
	n.Begun = begun(n.Plan)
	for i := range n.AlsoReady {
		n.AlsoReady[i].Begun = begun(n.AlsoReady[i].Plan)
	}
	if n.Plan == "" && len(p.warned) > 0 {
		n.Because = append(n.Because, "not everything was read; see the warnings")
	}
	return n
}

// ask prepares the question about a root, of which nothing depends on who asks it.
func (p *Project) ask(s *survey) {
	s.question = roadmap.Question{Disk: s.disk, Roadmap: s.roadmap, Entries: s.entries, Path: s.path, Meta: p.planMeta, Tasks: p.planTasks, Jobs: p.jobs(s.disk)}
	ev, err := p.gather(s.disk)
	if err != nil {
		s.warnings = append(s.warnings, p.historyWarning(err))
	}
	s.question.Evidence, s.evidence = ev, ev
}

// position is what comes next in the project, whoever asks.
func (p *Project) position(s *survey) roadmap.Answer {
	if s.at == nil {
		a := roadmap.Next(s.question)
		s.at = &a
	}
	return *s.at
}

// maxUsers is how many users' sessions are looked at.
const maxUsers = 1000

// users lists who has a session directory, by name.
func (p *Project) users() []string {
	users := session.Users(p.root)
	if len(users) > maxUsers {
		p.warn(TooMany, fmt.Sprintf("of the sessions of %d users, only the first %d are read", len(users), maxUsers))
		users = users[:maxUsers]
	}
	return users
}

// sessionOn is what next asks of somebody's session: which plan it names, and whether a task of it is left. No session is
// kept whole, because there may be thousands.
type sessionOn struct {
	plan string
	left bool
}

func looked(s *planfile.File) sessionOn { return sessionOn{s.Header.Plan, firstOpen(s) != nil} }

// sessionsOf gives, by plan, who has a session on it: of other users than r's with something left to do, and of all of them
// with every task complete though the plan has no summary.
func (p *Project) sessionsOf(r *Report, disk *roadmap.Disk) (taken, ended map[string]string) {
	taken, ended = map[string]string{}, map[string]string{}
	if r.Verdict == Finished {
		ended[r.Plan.Path] = r.User
	}
	var open map[string]bool // the plans without a summary, once somebody's tasks are all complete
	for _, other := range p.users() {
		if other == r.User {
			continue
		}
		on, known := p.looked[other]
		if !known {
			src, _, err := p.session(other).Read(p.Limit)
			if p.overBudget(err, p.session(other).File()) || err != nil {
				continue // why it cannot be read, status tells
			}
			on = looked(planfile.Parse(src))
		}
		name, ok := p.inPlanning(on.plan)
		switch {
		case !ok || on.plan == "":
		case on.left:
			taken[name] = other
		case ended[name] == "":
			if open == nil {
				open = openPlans(disk)
			}
			if !open[name] {
				continue
			}
			if theirs, err := p.Hydrate(other); err == nil && theirs.Verdict == Finished {
				ended[name] = other
			}
		}
	}
	return taken, ended
}

// openPlans are the paths of the live plans that have no summary.
func openPlans(disk *roadmap.Disk) map[string]bool {
	open := map[string]bool{}
	for _, plan := range disk.Open() {
		open[plan.Path] = true
	}
	return open
}

func (n *Next) fill(a roadmap.Answer) {
	n.Phase, n.Because, n.Verification = a.Phase.String(), a.Because, a.Unverified
	n.Autonomous, n.Gaps = !a.Meta.Manual, a.Meta.Gaps
	if a.Meta.HasWave {
		n.Wave = &a.Meta.Wave
	}
	if a.Plan != nil {
		n.Plan, n.ID = a.Plan.Path, a.Plan.ID
	}
	if name, ok := planref.SummaryName(n.Plan); ok && a.Ended {
		n.Summary = path.Join(path.Dir(n.Plan), name)
	}
	for _, p := range a.AlsoReady {
		n.AlsoReady = append(n.AlsoReady, PlanRef{Plan: p.Path, ID: p.ID})
	}
}

// survey is what a root shows without its history.
type survey struct {
	disk     *roadmap.Disk
	roadmap  *roadmap.Roadmap
	entries  []roadmap.Entry // the two joined
	path     string          // of the roadmap; empty where there is none
	unread   bool            // there is one, and it cannot be read
	warnings []Warning

	// Once it was asked about.
	question roadmap.Question
	evidence roadmap.Evidence
	at       *roadmap.Answer // see position
}

// survey reads the roadmap of a root whose directories were listed, and what its plans and summaries say of themselves.
func (p *Project) survey(disk *roadmap.Disk) survey {
	s := survey{disk: disk, roadmap: &roadmap.Roadmap{}}
	p.surveyRoadmap(&s)
	disk.Read(p.meta, s.roadmap)
	s.entries = roadmap.Join(disk, s.roadmap)
	return s
}

func (p *Project) surveyRoadmap(s *survey) {
	name, parsed, err := p.nearestRoadmap(path.Join(s.disk.Root, "x"))
	s.path = name
	switch {
	case err != nil:
		s.unread = true
		s.warnings = append(s.warnings, Warning{RoadmapUnreadable, readFailed(name, p.Limit, err).Text})
	case parsed != nil:
		s.roadmap = parsed
	}
}

// nearestRoadmap reads the roadmap that a plan belongs to. Where there is none, its name is "" and it is nil.
func (p *Project) nearestRoadmap(plan string) (name string, parsed *roadmap.Roadmap, err error) {
	name, ok := roadmap.Nearest(p.exists, plan)
	if ok {
		parsed, err = p.parseRoadmap(name)
	}
	return name, parsed, err
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
	if err := roadmap.Check(src); err != nil {
		return nil, err
	}
	parsed := roadmap.Parse(src, p.namedMilestone(path.Dir(name)))
	if parsed.Cut > 0 {
		p.warn(RoadmapCut, fmt.Sprintf("%s: only the first %d lines are read", name, parsed.Cut))
	}
	p.roadmaps[name] = parsed
	return parsed, nil
}
