package hydrate

import (
	"fmt"
	"strconv"
	"strings"

	"github.com/gsd-cli/gsd/planfile"
	"github.com/gsd-cli/gsd/roadmap"
)

// Verdict is what hydration found (docs/design.md, The verdict).
type Verdict string

// The verdicts.
const (
	None     Verdict = "none"     // no session file
	Corrupt  Verdict = "corrupt"  // one that is none: treated as none, kept
	Stale    Verdict = "stale"    // about a plan that the project is not on any more
	Finished Verdict = "complete" // every task is complete
	Resume   Verdict = "resume"   // goes on at a task
)

// Live tells a session that still stands: about a plan that the project is on.
func (v Verdict) Live() bool { return v == Resume || v == Finished }

// The reasons for which a session is stale, in the order in which they are reported.
const (
	PlanMissing   = "plan-missing"
	PlanCompleted = "plan-completed"
	PhaseAdvanced = "phase-advanced"
	TaskCount     = "task-count"
)

// The warnings of the verdict; those of planfile.Problems and of identity come beside them.
const (
	PlanEdited        = "plan-edited"
	PlanUnreadable    = "plan-unreadable"
	WaveContradicted  = "wave-contradicted" // a plan depends on one of its own wave or of a later one
	FilesOverlap      = "files-overlap"     // two plans of a wave are going to change the same file
	RoadmapUnreadable = "roadmap-unreadable"
	RoadmapLags       = "roadmap-lags"
)

// Reason is one reason for which a session is stale.
type Reason struct {
	Reason string
	Detail string
}

// Facts is all that a verdict depends on. Gathering them reads files, judging them does not.
type Facts struct {
	Path    string         // of the session file
	Session *planfile.File // nil where there is none
	Plan    Plan
	Roadmap Roadmap
}

// Roadmap is what was found of the roadmap that is nearest to the plan.
type Roadmap struct {
	Path    string // empty where there is none, or the plan has no phase
	Advance roadmap.Advance
	Problem string // why it could not be read
}

// Plan is what was found of the plan that a session is on.
type Plan struct {
	Path    string // as the header names it, cleaned; empty where it names none inside .planning/
	Invalid string // why Path is empty
	Exists  bool
	Moved   string // where the plan is now, empty where nobody knows
	Summary string // the path of its summary, empty where there is none
	Tasks   int    // how many it has; -1 where it could not be read
	Digest  string // sha256:HEX of its bytes
	Problem string // why it could not be read
}

// Judgement is a verdict with all that led to it.
type Judgement struct {
	Verdict    Verdict
	Resume     int    // the task to go on with; 0 unless the verdict is Resume
	InProgress bool   // that task is in progress; whether it was interrupted, Assessment.Interrupted tells
	Corrupt    string // what is wrong with the session file; empty unless the verdict is Corrupt
	Stale      []Reason
	Warnings   []Warning
}

// Token is the one word that a script reads.
func (j Judgement) Token() string {
	switch j.Verdict {
	case Resume:
		return strconv.Itoa(j.Resume)
	case Finished:
		return "ALL_COMPLETE"
	case Stale:
		return "STALE"
	}
	return "NO_SESSION"
}

// Judge gives the verdict. It is pure: the same facts, the same answer.
func Judge(f Facts) Judgement {
	if f.Session == nil {
		return Judgement{Verdict: None}
	}
	if why := corrupt(f); why != "" {
		return Judgement{Verdict: Corrupt, Corrupt: why}
	}
	j := Judgement{Stale: staleness(f), Warnings: warnings(f)}
	switch first := firstOpen(f.Session); {
	case len(j.Stale) > 0:
		j.Verdict = Stale
	case first == nil:
		j.Verdict = Finished
	default:
		j.Verdict = Resume
		j.Resume = first.Number
		j.InProgress = first.Status == planfile.InProgress
	}
	return j
}

func corrupt(f Facts) string {
	switch {
	case len(f.Session.Tasks) == 0:
		return "it is empty or binary"
	case f.Session.Header.Plan == "":
		return "it has no Plan: header"
	case f.Plan.Invalid != "":
		return f.Plan.Invalid
	case !f.Session.HasStatus():
		return "no task in it has a status"
	}
	return ""
}

// firstOpen gives the first task that is not complete, nil where all are.
func firstOpen(s *planfile.File) *planfile.Task {
	for i := range s.Tasks {
		if s.Tasks[i].Status != planfile.Complete {
			return &s.Tasks[i]
		}
	}
	return nil
}

func staleness(f Facts) []Reason {
	var stale []Reason
	add := func(reason, format string, args ...any) {
		stale = append(stale, Reason{reason, fmt.Sprintf(format, args...)})
	}
	p := f.Plan
	if !p.Exists {
		if p.Moved != "" {
			add(PlanMissing, "%s is not there any more; it is now %s", p.Path, p.Moved)
		} else {
			add(PlanMissing, "%s is not there any more", p.Path)
		}
	}
	if p.Summary != "" {
		add(PlanCompleted, "%s exists", p.Summary)
	}
	if a := f.Roadmap.Advance; a.Advanced {
		add(PhaseAdvanced, "%s; in progress: %s", phaseAt(f.Roadmap.Path, a.Own), phasesAt(f.Roadmap.Path, a.InProgress))
	}
	if n := len(f.Session.Tasks); p.Exists && p.Tasks >= 0 && n != p.Tasks {
		add(TaskCount, "the session has %s, the plan %d", tasks(n), p.Tasks)
	}
	return stale
}

func warnings(f Facts) []Warning {
	var found []Warning
	add := func(code, format string, args ...any) {
		found = append(found, Warning{code, fmt.Sprintf(format, args...)})
	}
	p, s := f.Plan, f.Session
	if p.Problem != "" {
		add(PlanUnreadable, "%s", p.Problem)
	}
	if p.Exists && p.Tasks == len(s.Tasks) && p.Digest != "" && s.Header.Digest != "" && !strings.EqualFold(p.Digest, s.Header.Digest) {
		add(PlanEdited, "%s was edited since the session began", p.Path)
	}
	if f.Roadmap.Problem != "" {
		add(RoadmapUnreadable, "%s", f.Roadmap.Problem)
	}
	if a := f.Roadmap.Advance; a.Lagging {
		add(RoadmapLags, "the roadmap still shows an earlier phase in progress: %s", phasesAt(f.Roadmap.Path, a.InProgress))
	}
	for _, problem := range s.Problems() {
		add(problem.Code, "%s:%d: %s", f.Path, problem.Line, problem.Detail)
	}
	return found
}

func phaseAt(path string, p roadmap.Phase) string {
	if p.Number.IsZero() {
		return "the plan's phase is not in " + path
	}
	text := fmt.Sprintf("phase %s is %s", p.Number, p.Status)
	if p.Line > 0 {
		text += fmt.Sprintf(" (%s:%d)", path, p.Line)
	}
	return text
}

func phasesAt(path string, phases []roadmap.Phase) string {
	const most = 3
	var texts []string
	for i, p := range phases {
		if i == most {
			texts = append(texts, fmt.Sprintf("and %d more", len(phases)-most))
			break
		}
		texts = append(texts, fmt.Sprintf("phase %s (%s:%d)", p.Number, path, p.Line))
	}
	return strings.Join(texts, ", ")
}

func tasks(n int) string {
	if n == 1 {
		return "1 task"
	}
	return fmt.Sprintf("%d tasks", n)
}
