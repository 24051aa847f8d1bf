package evidence

// walk.go: from the newest commit back to where the plan was written, and not further: an earlier milestone may
// have had a plan of the same number.

import (
	"iter"
	"path"
	"slices"
	"strings"

	"github.com/gsd-cli/gsd/internal/gitlog"
)

// mostBetween is how many commits before the one that added the plan may lack it if an older one has the very same: then
// it was only taken away for a while.
const mostBetween = 20

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
		if w.exhausted() {
			break
		}
	}
	found.Exhausted = w.exhausted()
	w.plan.left = mostCompared
	w.finish(&found)
	found.Exhausted = found.Exhausted || w.plan.exhausted()
	found.Bounded = (found.Bounded || w.added) && !found.Exhausted
	return found
}

// mostItems is how many lines of evidence are taken from commits and from what was squashed into them. No plan has so
// many commits, but one commit can list a thousand.
const mostItems = 1 << 14

// exhausted reports whether there is more evidence than can be weighed.
func (w *search) exhausted() bool {
	return max(len(w.items), w.squashed) > mostItems || w.plan.exhausted()
}

// search is what is known so far.
type search struct {
	plan  *plan
	items []item // newest first
	noted []undo // the commits of items, all reverts and all merges
	vague []vague

	squashed int // how many of noted are lines of squashed commits

	last    *Work  // the oldest commit that has the plan
	version string // of the plan there
	was     []bool // which of the plan's tasks are others there; nil for none
	added   bool   // that commit added the plan
	lacks   int    // how many commits before it do not have it
}

// add takes the next commit and tells whether older ones may matter.
func (w *search) add(c *Work) bool {
	if !w.plan.Added.IsZero() && c.When.Before(w.plan.Added) {
		return false
	}
	if c.Version != nil {
		if has, over := w.find(c); over || !has {
			return !over
		}
	}
	s := ParseSubject(c.Subject)
	u := undo{id: c.ID}
	if s.Reverts == "" && !c.Merge { // what a merge lists is on the walk itself
		if items, undos := w.plan.squashed(c); len(items) > 0 || len(undos) > 0 && !s.Scoped {
			w.squash(c, u, s, items, undos)
			return true
		}
	}
	back := w.plan.takesBack(s)
	if w.plan.on(RuleRevertHash) {
		u.takesIDs = revertedIDs(c.Body)
	}
	if w.plan.on(RuleRevertSubject) {
		u.takes = takes(s)
	}
	if !w.plan.on(RuleRevertWords) {
		back = false
		u.takes = slices.DeleteFunc(u.takes, func(k key) bool { return k.of != bySubject })
	}
	if w.plan.on(RuleRevertWords) && (back || s.Reverts != "") {
		u.takes = append(u.takes, revertedRequests(c)...)
	}
	if u.reverts() {
		w.doubt(s)
		w.remember(u, c, s)
		return true
	}
	if c.Merge {
		if u.merge, u.keys = true, mergeKeys(c, s); len(u.keys) > 0 {
			w.noted = append(w.noted, u)
		}
		return true
	}
	if c.Version == nil && s.Type == "docs" && s.Scoped && slices.Contains(s.Plans, w.plan.key) && closes(s.Text) {
		// Without the plan's file in git, this is the only trace of an earlier plan of that number.
		return false
	}
	items := w.plan.items(c, s)
	if back {
		if len(s.Plans) == 0 {
			s.Plans = trailersOf(c.Body).Plans
		}
		if s.Phase != "" && s.Phase == w.plan.phase {
			s.Plans = append(s.Plans, w.plan.key)
		}
		if w.doubt(s) {
			items = nil
		}
		for i := range items { // of no task, but to be seen
			it := &items[i]
			it.Tasks, it.words, it.files, it.begun = nil, nil, nil, "takes something back"
		}
	}
	if len(items) == 0 && !back {
		return true
	}
	for _, it := range items {
		it.order, it.was = len(w.noted), w.was
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
	w.squashed += len(undos)
	for _, line := range undos {
		line.within = at
		w.noted = append(w.noted, line)
	}
	for _, it := range w.plan.work(items, c) {
		it.order, it.was = it.order+at, w.was
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

// doubt notes that a revert, which is noted next, may mean more than the commit that it names, and tells whether it may.
func (w *search) doubt(s Subject) bool {
	tasks := w.plan.doubted(s)
	if len(tasks) > 0 {
		w.vague = append(w.vague, vague{by: len(w.noted), from: len(w.noted), tasks: tasks, known: s.Reverts == ""})
	}
	return len(tasks) > 0
}

// find tells whether a commit has the plan, and follows it to where it was before it was moved. over tells that older
// commits are of another plan.
func (w *search) find(c *Work) (has, over bool) {
	version := c.Version(w.plan.Path)
	switch {
	case w.added && version == "":
		w.lacks++
		return false, w.lacks > mostBetween || !w.plan.on(RuleTakenAway)
	case w.added && version != w.version:
		return false, true // there was another plan at that path
	case version == "":
		if version = w.moved(c); version == "" {
			return false, false // on a branch from before the plan, or before the plan
		}
	}
	w.last, w.added, w.lacks = c, false, 0
	if version != w.version && w.plan.spend(len(w.plan.Tasks)) {
		w.version = version
		w.was, over = w.plan.rewritten(version)
	}
	return !over, over
}

// moved gives the version of the plan in a commit that has it elsewhere, and goes on with it there; empty where the plan was
// not moved. Each phase of each milestone may have a file of the plan's name, so that alone is too little.
func (w *search) moved(c *Work) string {
	last := w.last
	// What a merge brought in was added on its branch.
	if w.last = nil; !w.plan.on(RuleMoved) && last != nil && !last.Merge {
		w.added = true
		return ""
	}
	if last == nil || last.Changes == nil || last.Merge {
		return ""
	}
	changes := last.Changes()
	if !slices.Contains(changes, gitlog.Change{Path: w.plan.Path, Kind: gitlog.Added}) {
		return ""
	}
	for _, was := range changes {
		if was.Kind != gitlog.Removed || !strings.Contains(path.Base(was.Path), "PLAN") {
			continue
		}
		version := c.Version(was.Path)
		if version == "" || version != w.version && !sameName(was.Path, w.plan.Path) && !w.plan.isOf(version) {
			continue
		}
		// From another root it came with its phase; else it was archived.
		if root, ok := strings.CutSuffix(was.Path, strings.TrimPrefix(w.plan.Path, w.plan.Root)); ok && w.plan.Root != "" {
			w.plan.Root = root
		}
		w.plan.Path = was.Path
		if w.plan.IDOf != nil {
			w.plan.identify(w.plan.IDOf(was.Path)) // commits from before it was renumbered name the old number
		}
		return version
	}
	w.added = true
	return ""
}

// sameName tells whether a file has the name of another, in a directory of the same name.
func sameName(a, b string) bool {
	return path.Base(a) == path.Base(b) && path.Base(path.Dir(a)) == path.Base(path.Dir(b))
}

// rewritten tells which of the plan's tasks were others in a version of it, nil for none; over, that it has none of them.
// Tasks that were added behind the others, or taken away there, leave the others what they are.
func (p *plan) rewritten(version string) (is []bool, over bool) {
	if !p.on(RuleRewritten) {
		return nil, false
	}
	was := p.was(version)
	for i := range min(len(was), len(p.names)) {
		if !p.isTask(was[i], i) {
			if is == nil {
				is = make([]bool, len(p.names))
			}
			is[i] = true
		}
	}
	return is, is != nil && !slices.ContainsFunc(was, p.isAnyTask)
}

// isOf tells whether a version of some file has most of the plan's tasks.
func (p *plan) isOf(version string) bool {
	was := p.was(version)
	kept := len(slices.DeleteFunc(slices.Clone(was), func(name wordSet) bool { return !p.isAnyTask(name) }))
	return 2*kept > len(was)
}

func (p *plan) was(version string) (names []wordSet) {
	if p.Was == nil {
		return nil
	}
	for _, name := range p.Was(version) {
		names = append(names, words(cutTask(name)))
	}
	return names
}

func (p *plan) isTask(name wordSet, task int) bool {
	if !p.spend(1 + len(name)) {
		return false
	}
	return slices.Equal(name, p.names[task]) || likeness(name, p.names[task], nil, p.weight) >= surelyNamed
}

func (p *plan) isAnyTask(name wordSet) bool {
	for t := range p.Tasks {
		if p.isTask(name, t) {
			return true
		}
	}
	return false
}

// finish gives each item its task.
func (w *search) finish(found *Found) {
	slices.Reverse(w.items)
	gone, missed := undone(w.noted)
	for i := range w.items {
		w.items[i].gone = gone[w.items[i].order]
	}
	// What a merge that was taken back brought in is older than it, and what else is cannot be told apart.
	merge := len(w.noted)
	for i := range w.noted {
		if w.plan.on(RuleRevertMerge) && w.noted[i].merge && gone[i] {
			merge = i
			break
		}
	}
	doubts := slices.Repeat([]int{merge}, len(w.plan.Tasks))
	for _, v := range w.vague {
		if gone[v.by] || !v.known && !missed[v.by] {
			continue
		}
		for _, t := range v.tasks {
			if !w.plan.on(RuleRevertWords) {
				break
			}
			doubts[t] = min(doubts[t], v.from)
		}
	}
	w.plan.assign(w.items, doubts, found)
}
