package roadmap

// timeline.go: when each plan was worked on, by its commits.

import (
	"cmp"
	"iter"
	"path"
	"slices"
	"strings"
	"time"
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

// Timeline reads commits, newest first, and gives the spans of the plans on disk that any of them is about, in
// the order in which they were begun. A plan that was moved, as to an archive, is followed to where it was.
func Timeline(log iter.Seq[Commit], d *Disk) []Span {
	t := timeline{spans: map[*Plan]*Span{}, at: map[string]*Plan{}, named: map[string][]string{}}
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
	spans map[*Plan]*Span
	at    map[string]*Plan    // by the path that the plan had then
	named map[string][]string // the paths of plans by the id that commits name
}

func (t *timeline) follow(p *Plan, file string) {
	t.at[file] = p
	if !p.Number.IsZero() {
		t.named[p.key()] = append(t.named[p.key()], file)
	}
}

// drop forgets a plan at a path: before this commit it was not there.
func (t *timeline) drop(file string) {
	p := t.at[file]
	delete(t.at, file)
	t.named[p.key()] = slices.DeleteFunc(t.named[p.key()], func(f string) bool { return f == file })
}

func (t *timeline) commit(c Commit) {
	about := map[*Plan]bool{}
	changes := c.changes()
	removed := map[string]string{} // by base name, where a moved plan came from
	for _, change := range changes {
		if change.Kind == Removed && IsPlan(path.Base(change.Path)) {
			removed[path.Base(change.Path)] = change.Path
		}
	}
	for _, m := range mentions(c.Subject) {
		for _, file := range t.named[m.id()] {
			about[t.at[file]] = true
		}
	}
	for _, change := range changes {
		if change.Kind == Removed {
			continue
		}
		if p := t.at[change.Path]; p != nil {
			from := removed[path.Base(change.Path)]
			if change.Kind == Added {
				t.drop(change.Path)
				if from != "" && t.at[from] == nil {
					t.follow(p, from)
					continue // it was moved, not worked on
				}
			}
			about[p] = true
		}
		if p := t.summarised(change); p != nil && len(removed) == 0 {
			about[p] = true
			if change.Kind == Added {
				t.span(p, c).Finished = c.When
			}
		}
	}
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

// summarised is the plan whose summary a change is about, nil for none.
func (t *timeline) summarised(change Change) *Plan {
	name, ok := parseName(path.Base(change.Path))
	if !ok || name.kind != summaryFile {
		return nil
	}
	dir := path.Dir(change.Path)
	if p := t.at[path.Join(dir, strings.TrimPrefix(name.stem+"-PLAN.md", "-"))]; p != nil {
		return p
	}
	for _, file := range t.named[name.id()] {
		if path.Dir(file) == dir {
			return t.at[file]
		}
	}
	return nil
}

func (t *timeline) span(p *Plan, c Commit) *Span {
	s := t.spans[p]
	if s == nil {
		s = &Span{Plan: p, First: c.When, Last: c.When}
		t.spans[p] = s
	}
	return s
}
