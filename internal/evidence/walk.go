package evidence

// walk.go: the walk from the newest commit back to the one that added the plan, and a little further. An earlier
// milestone may have had a plan with the same id, whose commits do not count.

import (
	"iter"
	"path"
	"slices"
	"strings"

	"github.com/gsd-cli/gsd/internal/gitlog"
	"github.com/gsd-cli/gsd/internal/planref"
)

// The limits of a walk.
const (
	// MostBetween limits the gap between two of the plan's commits before the one that added it: the walk continues there
	// because some authors commit the plan after its work.
	MostBetween = 20
	// maxItems limits the commits and lines of squashed commits. No plan has so many commits, but one commit can list a
	// thousand.
	maxItems = 1 << 14
)

// Match finds the commits that carried out the tasks of a plan. commits are those reachable from HEAD, newest first;
// Match stops as soon as older ones cannot matter.
func Match(commits iter.Seq[*Commit], p Plan) Found {
	w := &walk{plan: prepare(p)}
	for c := range commits {
		w.found.Seen++
		if !w.add(c) {
			w.found.Bounded = true
			break
		}
		if w.found.Exhausted = len(w.items) > maxItems; w.found.Exhausted {
			break
		}
	}
	w.finish()
	w.found.Bounded = (w.found.Bounded || w.added) && !w.found.Exhausted
	return w.found
}

// walk is the state of Match.
type walk struct {
	plan  *plan
	items []item // newest first
	found Found

	last    *Commit // the oldest commit that has the plan
	version string  // of the plan in last
	added   bool    // last added the plan
	between int     // if added, the number of commits since the plan's last one
	closed  bool    // a plan was closed: earlier commits that name none are likelier work on that one
}

// add adds the next commit and reports whether older ones may matter.
func (w *walk) add(c *Commit) bool {
	present := true
	if since := w.plan.Since; !since.IsZero() {
		if c.When.Before(since) {
			return false
		}
	} else if version, known := c.Version(w.plan.Path); known {
		if w.added && version != "" && version != w.version {
			return false // another plan had that path before
		}
		if present = version != ""; present {
			w.last, w.version, w.added, w.between = c, version, false, 0
		} else if !w.before(c) {
			return false
		}
		present = w.last == c // also if before found where the plan was moved from
	}
	w.closed = w.closed || c.hidden || slices.ContainsFunc(c.Changes(), closesPlan)
	items := w.plan.items(c, !w.closed, &w.found.Excluded)
	if !present {
		items = slices.DeleteFunc(items, func(it item) bool { return !it.isRevert() && (!it.Scoped || !w.plan.on(RuleLate)) })
		if slices.ContainsFunc(items, func(it item) bool { return !it.isRevert() }) {
			w.between = 0
		}
	}
	w.items = append(w.items, items...)
	return true
}

// before reports whether a commit that does not have the plan, or an older one, may still belong to it.
func (w *walk) before(c *Commit) bool {
	if !w.added && w.last != nil && (w.last.Merge() || !slices.Contains(w.last.Changes(), gitlog.Change{Path: w.plan.Path, Kind: gitlog.Added})) {
		return true // it is on a branch that began before the plan
	}
	if !w.added && w.last != nil && w.plan.on(RuleMoved) {
		replaced := false // the plan replaced another one with its id
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
		return change.Kind == gitlog.Added && w.plan.isNamesake(change.Path) // older commits are that plan's
	})
}

// sameName reports whether two files have the same name, in directories of the same name, as when one was archived.
func sameName(a, b string) bool {
	return path.Base(a) == path.Base(b) && path.Base(path.Dir(a)) == path.Base(path.Dir(b))
}

// isNamesake reports whether a file is a plan with the plan's id, or its summary.
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
		case it.isRevert():
		case gone[i]:
			w.found.Excluded.Reverted++
		default:
			left = append(left, it)
		}
	}
	w.plan.assign(left, &w.found)
}
