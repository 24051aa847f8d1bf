package history

// walk.go: from the newest commit back to where the plan was written, and not further: an earlier milestone may
// have had a plan of the same number.

import (
	"iter"
	"path"
	"slices"
	"strings"
)

// without is how many commits in a row, all without the plan's file, end the walk. Fewer than that may be a
// branch from before the plan, merged since.
const without = 200

// Recover finds the commits that carried out the tasks of a plan. commits are those that HEAD reaches, newest
// first; it takes no more of them once older ones can tell nothing.
func Recover(commits iter.Seq[Work], p Plan) Found {
	w := &search{plan: prepare(p)}
	found := Found{}
	for c := range commits {
		found.Seen++
		if !w.add(&c) {
			found.Bounded = true
			break
		}
	}
	w.finish(&found)
	return found
}

// search is what is known so far.
type search struct {
	plan  *plan
	items []item // newest first
	noted []undo // the commits of items, and all reverts
	vague []vague
	merge map[string]int // reverts of merges that were not seen yet: their places in noted, by the merge
	lacks int            // how many commits in a row lack the plan
	last  *Work          // the oldest one that has it
	added bool           // that one added it
}

// add takes the next commit and tells whether older ones may matter.
func (w *search) add(c *Work) bool {
	if !w.plan.Added.IsZero() && c.When.Before(w.plan.Added) {
		return false
	}
	if c.Has != nil && !w.has(c) {
		w.lacks++
		return w.lacks < without && !w.added
	}
	w.lacks = 0
	s := ParseSubject(c.Subject)
	u := undo{id: c.ID}
	if s.Reverts == "" && !c.Merge { // what a merge lists is on the walk itself
		if items, undos := w.plan.squashed(c); len(items) > 0 || len(undos) > 0 && !s.Scoped {
			w.squash(c, u, s, items, undos)
			return true
		}
	}
	var merge string
	u.takesIDs, merge = revertedIDs(c.Body)
	u.takes = takes(s)
	if c.Merge {
		w.passMerge(c.ID)
	}
	if u.reverts() {
		w.doubt(s, merge)
		w.remember(u, c, s)
		return true
	}
	if c.Has == nil && s.Type == "docs" && s.Scoped && slices.Contains(s.Plans, w.plan.key) && closes(s.Text) {
		// Without the plan's file in git, this is the only trace of an earlier plan of that number.
		return false
	}
	if w.plan.takesBack(s) {
		if len(s.Plans) == 0 {
			s.Plans = trailersOf(c.Body).Plans
		}
		if s.Phase != "" && s.Phase == w.plan.phase {
			s.Plans = append(s.Plans, w.plan.key)
		}
		w.doubt(s, "")
		w.remember(u, c, s)
		return true
	}
	items := w.plan.items(c, s)
	if len(items) == 0 {
		return true
	}
	for _, it := range items {
		it.order = len(w.noted)
		w.items = append(w.items, it)
	}
	w.remember(u, c, s)
	return true
}

// remember notes a commit, so that a revert finds it.
func (w *search) remember(u undo, c *Work, s Subject) {
	u.keys = keys(c.Subject, s)
	w.noted = append(w.noted, u)
}

// squash adds the lines of a squashed commit.
func (w *search) squash(c *Work, u undo, s Subject, items []item, undos []undo) {
	w.remember(u, c, s)
	at := len(w.noted)
	for _, line := range undos {
		line.within = at
		w.noted = append(w.noted, line)
	}
	for _, it := range w.plan.work(items, c) {
		it.order += at
		w.items = append(w.items, it)
	}
}

// vague is a revert that may mean some tasks. What is older than it and of those tasks is unsure, unless it turns out
// to have meant a commit that is known.
type vague struct {
	by    int   // its place in noted
	from  int   // what is older than this place is meant
	tasks []int // as indices
	known bool  // it counts in any case
}

// doubt notes that a revert, which is noted next, may mean more than the commit that it names.
func (w *search) doubt(s Subject, merge string) {
	if merge != "" {
		if w.merge == nil {
			w.merge = map[string]int{}
		}
		w.merge[merge] = len(w.noted)
	}
	if tasks := w.plan.doubted(s); len(tasks) > 0 {
		w.vague = append(w.vague, vague{by: len(w.noted), from: len(w.noted), tasks: tasks, known: s.Reverts == ""})
	}
}

// passMerge makes what is older than a merge unsure, if a revert took that merge back: what it brought in is older
// than it, and what else is cannot be told apart.
func (w *search) passMerge(id string) {
	for of, by := range w.merge {
		if !strings.HasPrefix(id, of) {
			continue
		}
		delete(w.merge, of)
		v := vague{by: by, from: len(w.noted) - 1, known: true}
		for t := range w.plan.Tasks {
			v.tasks = append(v.tasks, t)
		}
		w.vague = append(w.vague, v)
	}
}

// has tells whether a commit has the plan, and follows it to where it was before it was moved.
func (w *search) has(c *Work) bool {
	if c.Has(w.plan.Path) {
		w.last = c
		return true
	}
	if w.last == nil || w.last.Changes == nil {
		return false
	}
	changes := w.last.Changes()
	w.last = nil
	if !slices.Contains(changes, Change{Path: w.plan.Path, Kind: Added}) {
		return false
	}
	for _, was := range changes {
		if was.Kind == Removed && sameName(was.Path, w.plan.Path) && c.Has(was.Path) {
			// From another root it came with its phase; else it was archived.
			if root, ok := strings.CutSuffix(was.Path, strings.TrimPrefix(w.plan.Path, w.plan.Root)); ok && w.plan.Root != "" {
				w.plan.Root = root
			}
			w.plan.Path = was.Path
			w.last = c
			return true
		}
	}
	w.added = true
	return false
}

// sameName tells whether a plan may have been moved from one path to another: each phase of each milestone has a file
// of that name, so the name of the phase's directory has to be the same too.
func sameName(a, b string) bool {
	return path.Base(a) == path.Base(b) && path.Base(path.Dir(a)) == path.Base(path.Dir(b))
}

// finish gives each item its task.
func (w *search) finish(found *Found) {
	slices.Reverse(w.items)
	gone, missed := undone(w.noted)
	for i := range w.items {
		w.items[i].gone = gone[w.items[i].order]
	}
	doubts := slices.Repeat([]int{len(w.noted)}, len(w.plan.Tasks))
	for _, v := range w.vague {
		if gone[v.by] || !v.known && !missed[v.by] {
			continue
		}
		for _, t := range v.tasks {
			doubts[t] = min(doubts[t], v.from)
		}
	}
	w.plan.assign(w.items, doubts, found)
}
