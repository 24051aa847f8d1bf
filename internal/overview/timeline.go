package overview

// timeline.go: when each plan was worked on, according to its commits.

import (
	"cmp"
	"fmt"
	"iter"
	"maps"
	"path"
	"slices"
	"strings"
	"time"

	"github.com/gsd-cli/gsd/internal/evidence"
	"github.com/gsd-cli/gsd/internal/gitlog"
	"github.com/gsd-cli/gsd/internal/planref"
	"github.com/gsd-cli/gsd/internal/roadmap"
)

// Span is the time in which one plan was worked on. Commits that only wrote the plan do not count, unless it is done and has no
// others.
type Span struct {
	Plan        *roadmap.Plan
	First, Last time.Time // of the commits that changed the plan or its summary, or that name it
	Commits     int
	Finished    time.Time // of the commit that added its summary; zero if none did
}

// maxTimeline is the number of commits that a timeline reads: ten years of ten a day.
const maxTimeline = 36_500

// manyEdits is the number of plans and summaries up to which a commit that edits them is about them. More are taken as
// reformatting.
const manyEdits = 8

// Timeline reads commits, newest first, and returns the spans of the plans on disk that were worked on, in the order in
// which work began. A plan that was moved, for example to an archive, is followed to its earlier paths.
func Timeline(log iter.Seq[*evidence.Commit], d *roadmap.Disk) []*Span {
	t := timeline{disk: d, spans: map[*roadmap.Plan]*Span{}, written: map[*roadmap.Plan]*Span{}, at: map[string]*roadmap.Plan{}, named: map[planref.Ref][]string{}, words: d.Named(), late: map[planref.Ref]*late{}}
	for _, dir := range slices.Concat(d.Phases, d.Archived) {
		for i := range dir.Plans {
			t.follow(&dir.Plans[i], dir.Plans[i].Path)
		}
	}
	for c := range log {
		if !c.Merge() { // what it brings was committed before
			t.commit(c)
		}
		if t.seen++; t.seen == maxTimeline {
			break
		}
	}
	for p, s := range t.written {
		if t.spans[p] == nil && p.Done() {
			t.spans[p] = s
		}
	}
	return slices.SortedFunc(maps.Values(t.spans), func(a, b *Span) int {
		return cmp.Or(a.First.Compare(b.First), a.Last.Compare(b.Last), strings.Compare(a.Plan.Path, b.Plan.Path))
	})
}

// timeline is the state of Timeline: which plans existed at the current commit, and where.
type timeline struct {
	disk    *roadmap.Disk
	spans   map[*roadmap.Plan]*Span  // by their work
	written map[*roadmap.Plan]*Span  // by the commits that only wrote the plans
	at      map[string]*roadmap.Plan // plans by their paths at that commit
	named   map[planref.Ref][]string // those paths by the references that commits use
	words   planref.Named            // the plans that are named by words
	late    map[planref.Ref]*late    // plans that were added after that commit
	seen    int                      // number of commits
}

// about is what a commit is to a plan.
type about struct {
	named      bool // its subject names the plan
	wrote      bool // it changed the plan itself
	summarised bool // it changed the plan's summary
	finished   bool // it added that
}

// late is a plan at a commit before the one that added it. A plan may be committed after its work, so earlier commits
// that carry its id are about it, until evidence.MostBetween others come in a row or another plan with that id was
// added.
type late struct {
	plan  *roadmap.Plan
	until int // a value of timeline.seen
}

func (t *timeline) follow(p *roadmap.Plan, file string) {
	t.at[file] = p
	if p.IsNamed() {
		t.named[p.Ref()] = append(t.named[p.Ref()], file)
	}
}

func (t *timeline) commit(c *evidence.Commit) {
	changes := c.Changes()
	edited := 0
	for _, change := range changes {
		name, ok := planref.ParseName(path.Base(change.Path))
		if ok && change.Kind == gitlog.Modified {
			edited++
		}
		if ok && change.Kind == gitlog.Added {
			delete(t.late, name.In(planref.PhaseOfDir(path.Dir(change.Path))).Ref())
		}
	}
	plans := map[*roadmap.Plan]about{}
	subject := planref.ParseSubject(c.Subject, t.words)
	for _, ref := range subject.Plans {
		for _, file := range t.named[ref] {
			if !t.disk.IsOver(file) { // the number of an archived plan is used again
				plans[t.at[file]] = about{named: true}
			}
		}
		if l := t.late[ref]; l != nil && t.seen < l.until {
			l.until = t.seen + evidence.MostBetween
			plans[l.plan] = about{named: true}
		}
	}
	from := moved(changes)
	for _, change := range changes {
		if from[change.Path] != "" || change.Kind == gitlog.Modified && edited > manyEdits {
			continue
		}
		if p := t.at[change.Path]; p != nil {
			a := plans[p]
			a.wrote = true
			plans[p] = a
		} else if p := t.summarised(change.Path); p != nil {
			a := plans[p]
			a.summarised, a.finished = true, a.finished || change.Kind == gitlog.Added
			plans[p] = a
		}
	}
	t.before(changes, from)
	mayPlan := subject.Type == "" || subject.IsBookkeeping()
	for p, a := range plans {
		spans := t.spans
		if a.wrote && !a.summarised && (mayPlan || !a.named) {
			spans = t.written // "docs(03): plan the phase" writes all plans of a phase, long before the work on most of them
		}
		s := spans[p]
		if s == nil {
			s = &Span{Plan: p, First: c.When, Last: c.When}
			spans[p] = s
		}
		if s.Commits++; a.finished {
			s.Finished = c.When
		}
		if c.When.Before(s.First) {
			s.First = c.When
		}
		if c.When.After(s.Last) {
			s.Last = c.When
		}
	}
}

// before moves the plans back to where they were before a commit.
func (t *timeline) before(changes []gitlog.Change, from map[string]string) {
	for _, change := range changes {
		p := t.at[change.Path]
		if p == nil || change.Kind != gitlog.Added {
			continue
		}
		delete(t.at, change.Path)
		t.named[p.Ref()] = slices.DeleteFunc(t.named[p.Ref()], func(f string) bool { return f == change.Path })
		if origin := from[change.Path]; origin != "" {
			t.follow(p, origin)
		} else if p.IsNamed() {
			t.late[p.Ref()] = &late{p, t.seen + 1 + evidence.MostBetween}
		}
	}
}

// moved maps the plans and summaries that a commit moved to their old paths. A file was moved if the commit removed one
// file and added one with the same name and the same name of its directory, as in an archive, with the same name, or with the same names
// but for the phase's number, as when phases are numbered again.
func moved(changes []gitlog.Change) map[string]string {
	went, came, origin := map[string]int{}, map[string]int{}, map[string]string{}
	keys := func(file string) [3]string {
		dir, name := path.Base(path.Dir(file)), path.Base(file)
		_, slug, _ := planref.CutDir(dir, name)
		n, _ := planref.ParseName(name)
		keys := [3]string{path.Join(dir, name), name, name}
		if slug != "" {
			keys[2] = fmt.Sprint(slug, "/", n.Plan, "/", n.Kind)
		}
		return keys
	}
	var added []string
	for _, change := range changes {
		if _, ok := planref.ParseName(path.Base(change.Path)); !ok || change.Kind == gitlog.Modified {
			continue
		}
		if change.Kind == gitlog.Added {
			added = append(added, change.Path)
		}
		for _, key := range keys(change.Path) {
			if change.Kind == gitlog.Added {
				came[key]++
			} else {
				went[key]++
				origin[key] = change.Path
			}
		}
	}
	from := map[string]string{}
	for _, file := range added {
		for _, key := range keys(file) {
			if went[key] == 1 && came[key] == 1 {
				from[file] = origin[key]
				break
			}
		}
	}
	return from
}

// summarised returns the plan of a summary, which has its stem or, in the same directory, its number; nil if there is
// none.
func (t *timeline) summarised(file string) *roadmap.Plan {
	name, ok := planref.ParseName(path.Base(file))
	if !ok || name.Kind != planref.Summary {
		return nil
	}
	dir := path.Dir(file)
	if p := t.at[path.Join(dir, name.PlanName())]; p != nil {
		return p
	}
	for _, plan := range t.named[name.In(planref.PhaseOfDir(dir)).Ref()] {
		if path.Dir(plan) == dir {
			return t.at[plan]
		}
	}
	return nil
}
