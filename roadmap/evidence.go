package roadmap

// evidence.go: what a project's commits say about its plans. A commit works on a plan if its subject names it,
// as upstream's executors write it (`feat(03-02): …`), and the plan was there before; a phase is active if the
// latest commit of a plan or a summary is its. Reading git is another package's work: here are only values.

import (
	"iter"
	"path"
	"slices"
	"strings"
	"time"
)

// Commit is one commit, as much of it as evidence needs.
type Commit struct {
	ID      string
	When    time.Time
	Subject string
	// Changes lists what the commit did to the files below the planning directory. It may be costly; nil stands
	// for nothing.
	Changes func() []Change
	// Has tells whether a file is in the commit's tree. nil stands for yes.
	Has func(path string) bool
}

func (c Commit) changes() []Change {
	if c.Changes == nil {
		return nil
	}
	return c.Changes()
}

// Change is what happened to one file.
type Change struct {
	Path string // relative to the project, with slashes
	Kind ChangeKind
}

// ChangeKind is what happened to it; a file that was moved was removed and added.
type ChangeKind int

// The kinds of changes.
const (
	Added ChangeKind = iota + 1
	Modified
	Removed
)

func (c Commit) has(name string) bool { return c.Has == nil || c.Has(name) }

// maxCommits is how far back evidence is looked for. On the replayed histories nothing is gained by looking
// further, and each commit costs some ten microseconds.
const maxCommits = 200

// Work is what commits did for one plan that has no summary yet.
type Work struct {
	Commits int
	Last    Commit // the newest of them
	Age     int    // how many commits are newer than that
	// Closed: a commit says that the plan is complete, as upstream's executors end one (`docs(03-02): complete
	// … plan`). Its summary is missing or lies elsewhere.
	Closed bool
}

// Evidence is what the newest commits say.
type Evidence struct {
	Work   map[string]*Work // by the plan's path
	Active Number           // the phase that the latest commit of a plan or summary is in; zero if there is none
	By     Commit           // that commit
	Seen   int              // how many commits were looked at
}

// Gather reads commits, newest first, until it knows enough of the plans on disk.
func Gather(log iter.Seq[Commit], d *Disk) Evidence {
	ev := Evidence{Work: map[string]*Work{}}
	if log == nil {
		return ev
	}
	open, plans := d.Open(), map[string][]*Plan{}
	phases := map[string]bool{}
	for i := range d.Phases {
		phases[d.Phases[i].Number.key()] = true
	}
	for _, p := range open {
		if !p.Number.IsZero() {
			plans[p.key()] = append(plans[p.key()], p)
		}
	}
	for c := range log {
		if ev.Active.IsZero() {
			if n := touched(c.changes(), d); !n.IsZero() {
				ev.Active, ev.By = n, c
			}
		}
		for _, m := range mentions(c.Subject) {
			for _, p := range plans[m.id()] {
				ev.add(p, c)
			}
			if ev.Active.IsZero() && phases[m.phase.key()] {
				ev.Active, ev.By = m.phase, c
			}
		}
		if ev.Seen++; ev.Seen == maxCommits || len(open) == 0 && !ev.Active.IsZero() {
			break
		}
	}
	return ev
}

// key is that of the names which mention the plan.
func (p *Plan) key() string { return fileName{phase: p.Phase, plan: p.Number}.id() }

// add counts a commit that names a plan. One that wrote the plan itself is planning, not work on it; one from
// before the plan was there names another plan of that number.
func (ev *Evidence) add(p *Plan, c Commit) {
	if !c.has(p.Path) || slices.ContainsFunc(c.changes(), func(f Change) bool { return f.Path == p.Path }) {
		return
	}
	w := ev.Work[p.Path]
	if w == nil {
		w = &Work{Last: c, Age: ev.Seen}
		ev.Work[p.Path] = w
	}
	w.Commits++
	w.Closed = w.Closed || closes(c.Subject)
}

// closes tells whether a subject ends a plan.
func closes(subject string) bool {
	kind, says, ok := strings.Cut(subject, ": ")
	return ok && strings.HasPrefix(kind, "docs(") && len(says) >= 8 && strings.EqualFold(says[:8], "complete")
}

// touched is the live phase whose plan or summary is among the files that a commit changed. Of several the
// first with a summary; a commit that touches many, such as one that moves them all, says nothing.
func touched(changes []Change, d *Disk) Number {
	const many = 3
	var best Number
	bestSummary := false
	seen := map[string]bool{}
	for _, change := range changes {
		name, ok := parseName(path.Base(change.Path))
		if !ok || change.Kind == Removed || !strings.HasPrefix(change.Path, d.Root+"/phases/") {
			continue
		}
		n, ok := PhaseOfPlan(path.Join(path.Dir(change.Path), strings.TrimPrefix(name.stem+"-PLAN.md", "-")))
		if !ok {
			continue
		}
		seen[n.key()] = true
		summary := name.kind == summaryFile
		if best.IsZero() || summary && !bestSummary {
			best, bestSummary = n, summary
		}
	}
	if len(seen) > many {
		return Number{}
	}
	return best
}

// mentions lists the plans that a subject names: `feat(03-02): …`, `execute plans 3-1, 3-2`, `(05-01-T1)`.
// A date or a range of more than two numbers is none.
func mentions(subject string) []fileName {
	var found []fileName
	for i := 0; i < len(subject); i++ {
		if !isDigit(subject[i]) && !('A' <= subject[i] && subject[i] <= 'Z') || i > 0 && (isWord(subject[i-1]) || subject[i-1] == '-' || subject[i-1] == '.') {
			continue
		}
		phase, rest, ok := cutNumber(subject[i:])
		if !ok || len(rest) < 2 || rest[0] != '-' || !isDigit(rest[1]) {
			continue
		}
		plan, after, ok := cutNumber(rest[1:])
		if !ok || len(after) > 1 && after[0] == '-' && isDigit(after[1]) {
			continue
		}
		found = append(found, fileName{phase: phase, plan: plan})
		i = len(subject) - len(after) - 1
	}
	return found
}
