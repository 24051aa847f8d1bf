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
	note  []int  // of each item, its commit in noted
	lacks int    // how many commits in a row lack the plan
	last  *Work  // the oldest one that has it
}

// add takes the next commit and tells whether older ones may matter.
func (w *search) add(c *Work) bool {
	if !w.plan.Added.IsZero() && c.When.Before(w.plan.Added) {
		return false
	}
	if c.Has != nil && !w.has(c) {
		w.lacks++
		return w.lacks < without
	}
	w.lacks = 0
	s := ParseSubject(c.Subject)
	u := undo{id: c.ID, subject: strings.TrimSpace(c.Subject), takesID: revertedID(c.Body), takes: s.Reverts}
	if u.takes != "" || u.takesID != "" {
		w.noted = append(w.noted, u)
		return true
	}
	if c.Has == nil && s.Type == "docs" && s.Scoped && slices.Contains(s.Plans, w.plan.key) && closes(s.Text) {
		// Without the plan's file in git, this is the only trace of an earlier plan of that number.
		return false
	}
	items := w.plan.items(c, s)
	if len(items) == 0 {
		return true
	}
	for _, it := range items {
		it.order = len(w.noted)
		w.items = append(w.items, it)
		w.note = append(w.note, len(w.noted))
	}
	w.noted = append(w.noted, u)
	return true
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
		if was.Kind == Removed && path.Base(was.Path) == path.Base(w.plan.Path) && c.Has(was.Path) {
			w.plan.Path = was.Path
			w.plan.root, _, _ = strings.Cut(was.Path, "/phases/")
			w.last = c
			return true
		}
	}
	return false
}

// finish gives each item its task.
func (w *search) finish(found *Found) {
	slices.Reverse(w.items)
	slices.Reverse(w.note)
	gone := undone(w.noted)
	for i := range w.items {
		w.items[i].gone = gone[w.note[i]]
	}
	w.plan.assign(w.items, found)
}
