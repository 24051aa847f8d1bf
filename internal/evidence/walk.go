package evidence

// walk.go: from the newest commit back to where the plan was added, and a little further. An earlier milestone may have had
// a plan of the same id, whose commits are not this plan's.

import (
	"iter"
	"path"
	"slices"
	"strings"

	"github.com/gsd-cli/gsd/internal/gitlog"
	"github.com/gsd-cli/gsd/internal/planref"
)

// The bounds of a walk.
const (
	// MostBetween is how many commits before the one that added the plan may follow each other without one of the plan's:
	// some write the plan down last.
	MostBetween = 20
	// mostItems is how many lines of evidence are taken from commits and from what was squashed into them. No plan has so
	// many commits, but one commit can list a thousand.
	mostItems = 1 << 14
)

// Recover finds the commits that carried out the tasks of a plan. commits are those that HEAD reaches, newest first; it
// takes no more of them once older ones can show nothing.
func Recover(commits iter.Seq[*Commit], p Plan) Found {
	w := &walk{plan: prepare(p)}
	for c := range commits {
		w.found.Seen++
		if !w.add(c) {
			w.found.Bounded = true
			break
		}
		if w.found.Exhausted = len(w.items) > mostItems; w.found.Exhausted {
			break
		}
	}
	w.finish()
	w.found.Bounded = (w.found.Bounded || w.added) && !w.found.Exhausted
	return w.found
}

// walk is what is known so far.
type walk struct {
	plan  *plan
	items []item // newest first
	found Found

	last    *Commit // the oldest that has the plan
	version string  // of the plan there
	added   bool    // that commit added it
	between int     // how many commits lie between the last of the plan's and this one, once it was added
}

// add takes the next commit and reports whether older ones may matter.
func (w *walk) add(c *Commit) bool {
	present := true
	if since := w.plan.Since; !since.IsZero() {
		if c.When.Before(since) {
			return false
		}
	} else if version, known := c.Version(w.plan.Path); known {
		if w.added && version != "" && version != w.version {
			return false // there was another plan at that path
		}
		if present = version != ""; present {
			w.last, w.version, w.added, w.between = c, version, false, 0
		} else if !w.before(c) {
			return false
		}
		present = w.last == c // or where it was moved from
	}
	items := w.plan.items(c, &w.found.Passed)
	if !present {
		items = slices.DeleteFunc(items, func(it item) bool { return !it.reverts() && (!it.Scoped || !w.plan.on(RuleLate)) })
		if slices.ContainsFunc(items, func(it item) bool { return !it.reverts() }) {
			w.between = 0
		}
	}
	w.items = append(w.items, items...)
	return true
}

// before reports whether a commit that does not have the plan may still be of it, and those before.
func (w *walk) before(c *Commit) bool {
	if !w.added && w.last != nil && (w.last.Merge() || !slices.Contains(w.last.Changes(), gitlog.Change{Path: w.plan.Path, Kind: gitlog.Added})) {
		return true // it is on a branch from before the plan
	}
	if !w.added && w.last != nil && w.plan.on(RuleMoved) {
		replaced := false // by this plan: one that had its id
		for _, change := range w.last.Changes() {
			if change.Kind != gitlog.Removed || !planref.IsPlan(path.Base(change.Path)) {
				continue
			}
			if version, _ := c.Version(change.Path); version != "" && (version == w.version || sameName(change.Path, w.plan.Path)) {
				w.last, w.version = c, version
				w.plan.follow(change.Path)
				return true
			}
			replaced = replaced || w.plan.isNamesake(change.Path)
		}
		if replaced {
			return false
		}
	}
	w.added = true
	w.between++
	return w.between <= MostBetween && !slices.ContainsFunc(c.Changes(), func(change gitlog.Change) bool {
		return change.Kind == gitlog.Added && w.plan.isNamesake(change.Path) // what is older is that plan's
	})
}

// sameName reports whether a file has the name of another, in a directory of the same name: an archived one.
func sameName(a, b string) bool {
	return path.Base(a) == path.Base(b) && path.Base(path.Dir(a)) == path.Base(path.Dir(b))
}

// isNamesake reports whether a file is a plan of the plan's id, or the summary of one.
func (p *plan) isNamesake(file string) bool {
	name, ok := planref.ParseName(path.Base(file))
	if !ok || !strings.HasPrefix(file, p.Root+"/") {
		return false
	}
	ref := name.In(planref.PhaseOfDir(path.Dir(file))).Ref()
	return ref == p.ref && ref != planref.Ref{}
}

// finish aligns the items with the tasks.
func (w *walk) finish() {
	slices.Reverse(w.items)
	gone := undone(w.items)
	var left []item
	for i, it := range w.items {
		switch {
		case it.reverts():
		case gone[i]:
			w.found.Passed.Reverted++
		default:
			left = append(left, it)
		}
	}
	w.plan.assign(left, &w.found)
}
