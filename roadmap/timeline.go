package roadmap

// timeline.go: when each plan was worked on, by its commits.

import (
	"cmp"
	"iter"
	"path"
	"slices"
	"strings"
	"time"

	"github.com/gsd-cli/gsd/internal/evidence"
	"github.com/gsd-cli/gsd/internal/gitlog"
	"github.com/gsd-cli/gsd/internal/planref"
)

// Span is the time of one plan.
type Span struct {
	Plan        *Plan
	First, Last time.Time // of the commits that wrote the plan or its summary, or that name it
	Commits     int
	Finished    time.Time // of the commit that added its summary; zero where none did
}

// maxTimeline is how many commits a timeline looks at: ten years of ten a day.
const maxTimeline = 36_500

// manyEdits is how many plans and summaries a commit may edit and still be about them: more are a reformatting.
const manyEdits = 8

// Timeline reads commits, newest first, and gives the spans of the plans on disk that any of them is about, in
// the order in which they were begun. A plan that was moved, as to an archive, is followed to where it was.
func Timeline(log iter.Seq[*evidence.Commit], d *Disk) []Span {
	t := timeline{disk: d, spans: map[*Plan]*Span{}, at: map[string]*Plan{}, named: map[planref.Ref][]string{}, late: map[planref.Ref]*late{}}
	for _, dirs := range [][]Dir{d.Phases, d.Archived} {
		for i := range dirs {
			for j := range dirs[i].Plans {
				t.follow(&dirs[i].Plans[j], dirs[i].Plans[j].Path)
			}
		}
	}
	seen := 0
	for c := range log {
		t.commit(c)
		if seen++; seen == maxTimeline {
			break
		}
	}
	var all []Span
	for _, s := range t.spans {
		all = append(all, *s)
	}
	slices.SortFunc(all, func(a, b Span) int {
		return cmp.Or(a.First.Compare(b.First), a.Last.Compare(b.Last), strings.Compare(a.Plan.Path, b.Plan.Path))
	})
	return all
}

// timeline is the walk back: where each plan was at the commit that is looked at.
type timeline struct {
	disk  *Disk
	spans map[*Plan]*Span
	at    map[string]*Plan         // by the path that the plan had then
	named map[planref.Ref][]string // the paths of plans by what commits refer to
	late  map[planref.Ref]*late    // plans that were added after this commit
	seen  int                      // commits
}

// late is a plan before the commit that added it, which may have been after its work: commits that carry its id are about
// it until as many follow each other that do not, or another plan of that id was added.
type late struct {
	plan  *Plan
	until int // as timeline.seen counts
}

func (t *timeline) follow(p *Plan, file string) {
	t.at[file] = p
	if !p.Number.IsZero() {
		t.named[p.ref()] = append(t.named[p.ref()], file)
	}
}

// drop forgets a plan at a path: before this commit it was not there.
func (t *timeline) drop(file string) {
	p := t.at[file]
	delete(t.at, file)
	t.named[p.ref()] = slices.DeleteFunc(t.named[p.ref()], func(f string) bool { return f == file })
}

func (t *timeline) commit(c *evidence.Commit) {
	about := map[*Plan]bool{}
	changes := c.Changes()
	from := moved(changes)
	t.seen++
	edited := 0
	for _, change := range changes {
		if _, ok := planref.ParseName(path.Base(change.Path)); ok && change.Kind == gitlog.Modified {
			edited++
		}
	}
	for _, m := range planref.ParseSubject(c.Subject).Plans {
		for _, file := range t.named[m] {
			if !t.disk.isArchived(file) { // there is a new plan of that number, or will be
				about[t.at[file]] = true
			}
		}
	}
	t.ofLate(c, about)
	for _, change := range changes {
		origin, wasMoved := from[change.Path]
		switch {
		case change.Kind == gitlog.Removed || change.Kind == gitlog.Modified && edited > manyEdits:
		case t.at[change.Path] != nil:
			if !wasMoved || origin == "" || t.at[origin] != nil {
				about[t.at[change.Path]] = true
			}
		case !wasMoved:
			if p := t.summarised(change.Path); p != nil {
				about[p] = true
				if change.Kind == gitlog.Added {
					t.span(p, c).Finished = c.When
				}
			}
		}
	}
	t.before(changes, from)
	for p := range about {
		s := t.span(p, c)
		s.Commits++
		if c.When.Before(s.First) {
			s.First = c.When
		}
		if c.When.After(s.Last) {
			s.Last = c.When
		}
	}
}

// ofLate adds the plans whose id a commit carries and that were added after it.
func (t *timeline) ofLate(c *evidence.Commit, about map[*Plan]bool) {
	if len(t.late) == 0 {
		return
	}
	for _, change := range c.Changes() {
		if name, ok := planref.ParseName(path.Base(change.Path)); ok && change.Kind == gitlog.Added {
			delete(t.late, name.In(planref.PhaseOfDir(path.Dir(change.Path))).Ref())
		}
	}
	s := planref.ParseSubject(c.Subject)
	for _, ref := range s.Plans {
		if l := t.late[ref]; l != nil && s.Scoped && t.seen <= l.until {
			l.until = t.seen + evidence.MostBetween
			about[l.plan] = true
		}
	}
}

// before puts the plans where they were before a commit.
func (t *timeline) before(changes []gitlog.Change, from map[string]string) {
	for _, change := range changes {
		p := t.at[change.Path]
		if p == nil || change.Kind != gitlog.Added {
			continue
		}
		t.drop(change.Path)
		if _, wasMoved := from[change.Path]; !wasMoved && !t.disk.isArchived(change.Path) && !p.Number.IsZero() {
			t.late[p.ref()] = &late{p, t.seen + evidence.MostBetween}
		}
		if origin := from[change.Path]; origin != "" && t.at[origin] == nil {
			t.follow(p, origin)
		}
	}
}

// moved tells of the plans and summaries that a commit added where they were before it, "" for one that was
// moved from nobody knows where. A directory keeps its name in an archive; only where it does not, and one
// file of that name went and one came, does the name alone tell.
func moved(changes []gitlog.Change) map[string]string {
	var gone []string
	for _, change := range changes {
		if _, ok := planref.ParseName(path.Base(change.Path)); ok && change.Kind == gitlog.Removed {
			gone = append(gone, change.Path)
		}
	}
	if gone == nil {
		return nil
	}
	from, taken := map[string]string{}, map[string]bool{}
	match := func(key func(string) string) {
		went, came := map[string][]string{}, map[string][]string{}
		for _, file := range gone {
			if !taken[file] {
				went[key(file)] = append(went[key(file)], file)
			}
		}
		for _, change := range changes {
			if _, known := from[change.Path]; change.Kind == gitlog.Added && !known && went[key(change.Path)] != nil {
				came[key(change.Path)] = append(came[key(change.Path)], change.Path)
			}
		}
		for k, files := range came {
			if len(files) == 1 && len(went[k]) == 1 {
				from[files[0]] = went[k][0]
				taken[went[k][0]] = true
			}
		}
	}
	match(func(file string) string { return path.Join(path.Base(path.Dir(file)), path.Base(file)) })
	match(path.Base)
	unmatched := map[string]bool{}
	for _, file := range gone {
		if !taken[file] {
			unmatched[path.Base(file)] = true
		}
	}
	for _, change := range changes {
		if _, known := from[change.Path]; change.Kind == gitlog.Added && !known && unmatched[path.Base(change.Path)] {
			from[change.Path] = ""
		}
	}
	return from
}

// summarised is the plan whose summary a file is, nil for none.
func (t *timeline) summarised(file string) *Plan {
	name, ok := planref.ParseName(path.Base(file))
	if !ok || name.Kind != planref.Summary {
		return nil
	}
	dir := path.Dir(file)
	if p := t.at[path.Join(dir, strings.TrimPrefix(name.Stem+"-PLAN.md", "-"))]; p != nil {
		return p
	}
	for _, plan := range t.named[name.In(planref.PhaseOfDir(dir)).Ref()] {
		if path.Dir(plan) == dir {
			return t.at[plan]
		}
	}
	return nil
}

func (t *timeline) span(p *Plan, c *evidence.Commit) *Span {
	s := t.spans[p]
	if s == nil {
		s = &Span{Plan: p, First: c.When, Last: c.When}
		t.spans[p] = s
	}
	return s
}
