package evidence

// assign.go: which task each commit of a plan carried out. An executor goes through the tasks in order and
// commits each when it is done, so the commits are laid along the tasks as one text along another: the best
// way of all, where going on to the next task is likely, leaving out a task or going back is not, and a subject
// with a task's words or a change to its files pulls the commit there. How much worse the best other way for
// a commit is tells how sure its task is.

import (
	"fmt"
	"math"
	"path"
	"slices"
	"strings"
)

// What a step along the plan is worth. The unit is a task's whole name in a subject, alike, against like nothing.
const (
	nameAlike = 3.0
	fileAlike = 1.5

	nextTask     = 1.0  // on to a task that is further on
	skipTask     = -0.8 // for each task that is left out thereby,
	skipCheck    = -0.3 // if that one only looks at what is there,
	skipStop     = -0.1 // or is a checkpoint, which leaves no commit
	sameTask     = -0.3 // one more commit for the same task,
	sameTDD      = 1.2  // if it is its code after its tests,
	mendTask     = 0.1  // or mends what was just done
	backTask     = -1.5 // to an earlier one
	ofCheckpoint = -1.0 // a commit for a checkpoint
	noTask       = 0.2  // for no task at all,
	noTaskFix    = 1.0  // if it mends something,
	noTaskOne    = -1.5 // or if the plan has only one, which all its work is for
)

// mostSteps is how many pairs of a commit and a task are weighed, so that no plan and no history takes long.
const mostSteps = 1 << 18

// assign gives each item, the oldest first, its task.
// What is older than a task's place in doubts is unsure.
func (p *plan) assign(items []item, doubts []int, found *Found) {
	found.Tasks = make([]TaskEvidence, len(p.Tasks))
	for i, t := range p.Tasks {
		found.Tasks[i] = TaskEvidence{Number: t.Number, checkpoint: isCheckpoint(t)}
	}
	give := func(task int, it item, confidence float64, reason string) {
		if it.gone {
			return
		}
		limit := func(why string) { confidence, reason = min(confidence, unsure), reason+", but "+why }
		if it.begun != "" {
			limit(it.begun)
		}
		if task >= 0 && it.order > doubts[task] {
			limit("a later revert may have taken it back")
		}
		first := p.on(RuleTestsFirst) && testsFirst(it.Subject)
		if first {
			reason += ", with tests whose code is to come"
		}
		e := Evidence{ID: it.commit.id, When: it.commit.when, Subject: it.commit.subject, Confidence: confidence * it.weight, Reason: reason}
		if it.why != "" {
			e.Reason = it.why + "; " + reason
		}
		if task < 0 {
			addEvidence(&found.Unassigned, e)
			return
		}
		of := &found.Tasks[task]
		addEvidence(&of.Commits, e)
		switch {
		case (first || p.on(RuleTDD) && it.Type == "test" && p.Tasks[task].TDD) && !aboutTests(p.Tasks[task].Name):
			of.tests = of.tests || of.Confidence <= unsure
			e.Confidence = min(e.Confidence, unsure)
		case e.Confidence > unsure:
			of.tests = false
		}
		of.Confidence = max(of.Confidence, e.Confidence)
	}
	work := slices.DeleteFunc(slices.Clone(items), func(it item) bool { return it.begun != "" })
	fresh, like := p.repeats(work)
	lanes := p.lay(fresh)
	for _, it := range items {
		var l lane
		if it.begun == "" {
			k := like[0]
			if l, like = p.byOrder(lanes[k], it), like[1:]; it.commit != fresh[k].commit && l.task >= 0 {
				l.reason = "says the same as an earlier commit, which " + l.reason
			}
		} else {
			l = p.byWords(it) // it does not push what follows on to the next task
			if touched := it.tasks; l.task < 0 && len(touched) == 1 {
				for t := range touched {
					l = lane{task: t, confidence: unsure, reason: fmt.Sprintf("changes the files of task %d", p.Tasks[t].Number)}
				}
			}
		}
		told := p.toldTasks(it)
		for _, task := range told {
			confidence, reason := toldTask, fmt.Sprintf("names task %d", p.Tasks[task].Number)
			if other := p.contradicts(it, told); other >= 0 {
				confidence, reason = unsure, fmt.Sprintf("%s and has the words of task %d", reason, p.Tasks[other].Number)
			} else if it.meant(task) && p.likeness(it, task) == 0 && !it.tasks[task] {
				confidence, reason = unsure, reason+", but "+planChanged
			}
			give(task, it, confidence, reason)
		}
		if len(told) == 0 {
			give(l.task, it, l.confidence, l.reason)
		}
	}
}

// addEvidence adds a commit to some others. Of the lines of one squash, which come one after the other, the surest counts.
func addEvidence(to *[]Evidence, e Evidence) {
	if last := len(*to) - 1; last < 0 || (*to)[last].ID != e.ID {
		*to = append(*to, e)
	} else if (*to)[last].Confidence < e.Confidence {
		(*to)[last] = e
	}
}

// unsure is how sure an answer is at most that something speaks against, or nothing for but the order.
const unsure = 0.5

// longestEvidence is how many runes of a subject are handed on.
const longestEvidence = 200

func cutRunes(s string) string {
	n := 0
	for i := range s {
		if n++; n > longestEvidence {
			return s[:i]
		}
	}
	return s
}

// littleAlike is how alike a subject and a task's name are at most if they have nothing but a word or two in common
// that many have. With 0.2, precision on the labelled plans is best, and recall as good as whole.
const littleAlike = 0.2

// wholeName is how alike a subject and a task's name are at least if they are the same but for their words. Two words of
// three are not: `write stripe middleware` is not Write session middleware.
const wholeName = 0.7

// planChanged is why what is older than the tasks as they are now says less.
const planChanged = "the plan was changed since"

// byOrder makes an answer of the order unsure that nothing else speaks for, or something against: four parts of one task
// look just like four tasks, and a word that all of a project's commits have soon looks like the name of the next.
func (p *plan) byOrder(l lane, it item) lane {
	if l.task < 0 {
		return l
	}
	touched, n := it.tasks, p.Tasks[l.task].Number
	alike := p.likeness(it, l.task)
	whole := alike >= wholeName || slices.Equal(it.words, p.names[l.task])
	limit := func(why string) { l.confidence, l.reason = min(l.confidence, unsure), l.reason+", but "+why }
	switch {
	case touched[l.task]:
		if other := p.contradicts(it, []int{l.task}); other >= 0 {
			limit(fmt.Sprintf("has the words of task %d", p.Tasks[other].Number))
		}
	case len(touched) > 0 && p.misses(it, l.task):
		limit(fmt.Sprintf("changes files of other tasks and none of task %d", n))
	case !whole && it.meantBefore(l.task):
		limit(planChanged)
	case !whole && p.misses(it, l.task):
		limit(fmt.Sprintf("changes none of the files of task %d", n))
	case p.on(RuleBeside) && alike < surelyNamed && beside(it.Type):
		limit(fmt.Sprintf("commits of type %s are seldom a task's", it.Type))
	case p.on(RuleLittleAlike) && alike <= littleAlike:
		l.confidence = min(l.confidence, unsure)
	}
	return l
}

// beside tells a type of commit that comes along with any work. Documents and chores are what some tasks are about.
func beside(kind string) bool { return kind == "style" || kind == "ci" || kind == "build" }

// misses tells whether an item is known to have changed files and none that a task means. A plan may have the right name in
// the wrong directory, and names a directory for what is in it.
func (p *plan) misses(it item, task int) bool {
	if !p.on(RuleMisses) {
		return false
	}
	if !p.spend(len(it.files) + len(p.Tasks[task].Files)) {
		return true // so nothing is sure
	}
	var dirs []string
	isFile := false // prose may stand among the files
	for _, f := range p.Tasks[task].Files {
		if strings.Contains(f, "*") || strings.HasSuffix(f, "/") {
			dirs = append(dirs, f)
		}
		isFile = isFile || strings.Contains(path.Base(f), ".")
	}
	top, _, _ := strings.Cut(p.Path, "/")
	changed := false
	for _, f := range it.files {
		of := p.byBase[path.Base(f)]
		if !p.spend(len(of) + len(dirs)) {
			return true
		}
		if slices.ContainsFunc(of, func(n named) bool { return n.task == task }) || slices.ContainsFunc(dirs, func(dir string) bool { return below(f, dir) }) {
			return false
		}
		changed = changed || !strings.HasPrefix(f, top+"/")
	}
	return changed && !it.more && (isFile || len(dirs) > 0)
}

// meant tells whether a task, as an index, was another one when the item was done; meantBefore, whether it or one before it
// was, so that its place in the order means another.
func (it *item) meant(task int) bool { return it.was != nil && it.was[task] }

func (it *item) meantBefore(task int) bool {
	return it.was != nil && slices.Contains(it.was[:task+1], true)
}

// below tells whether a file is in a directory, or in the one where a pattern begins.
func below(file, dir string) bool {
	if before, _, ok := strings.Cut(dir, "*"); ok {
		dir = before[:strings.LastIndexByte(before, '/')+1]
	}
	dir = strings.TrimSuffix(strings.TrimPrefix(dir, "./"), "/")
	return dir == "" || strings.HasPrefix(file, dir+"/")
}

// likeness gives how alike an item and a task are.
func (p *plan) likeness(it item, task int) float64 { return p.alike(it.words, task) }

// contradicts gives the task, as an index, whose name an item has as good as whole where it has no word of some others,
// which it names by number or of which it changes a file; -1 where there is none. The plan may have been numbered anew since.
func (p *plan) contradicts(it item, others []int) int {
	if !p.on(RuleContradicts) {
		return -1
	}
	for _, t := range others {
		if p.likeness(it, t) > 0 {
			return -1
		}
	}
	if l := p.byWords(it); l.confidence >= surelyNamed {
		return l.task
	}
	return -1
}

// byWords gives the task whose name is most like an item's words, whatever the order; none where two are as good. It
// looks only at tasks that have a word of the item which few have, so it takes no long time for any plan.
func (p *plan) byWords(it item) lane {
	const most = 8 // tasks that have a word
	best, second, task := 0.0, 0.0, -1
	seen := map[int]bool{}
	for _, w := range it.words {
		if len(p.byWord[w]) > most {
			continue
		}
		for _, t := range p.byWord[w] {
			if seen[t] {
				continue
			}
			seen[t] = true
			if alike := p.likeness(it, t); alike > best {
				best, second, task = alike, best, t
			} else {
				second = max(second, alike)
			}
		}
	}
	if task < 0 || best-second < 0.1 {
		return lane{task: -1, reason: "fits no task"}
	}
	return lane{task: task, confidence: min(best, 0.9), reason: fmt.Sprintf("has words of task %d", p.Tasks[task].Number)}
}

// repeats divides items into those that say something for the first time, and for each item its place among
// them. What is done again after a revert, or picked onto another branch, is the same task again, and does not
// push what follows on to the next.
func (p *plan) repeats(items []item) (fresh []item, like []int) {
	const long = 2 // `wip` says nothing, however often
	first := map[string]int{}
	for _, it := range items {
		k, seen := first[it.Type+":"+it.Text]
		if !seen || len(it.words) < long || !p.on(RuleRepeats) {
			k = len(fresh)
			first[it.Type+":"+it.Text] = k
			fresh = append(fresh, it)
		}
		like = append(like, k)
	}
	return fresh, like
}

// toldTask is how sure a number is: it may be of another count.
const toldTask = 0.98

// toldTasks lists the tasks that an item names by number, as indices. Numbers that the plan does not have, or
// has twice, name none.
func (p *plan) toldTasks(it item) []int {
	if !p.on(RuleNumbers) {
		return nil
	}
	var tasks []int
	for _, n := range it.Tasks {
		if of := p.told[n]; len(of) == 1 {
			tasks = append(tasks, of[0])
		}
	}
	return tasks
}

// lane is where an item came to lie; task is -1 for none.
type lane struct {
	task       int
	confidence float64
	reason     string
}

// lay lays items along the tasks. Forwards it finds the best way to each task for each item, backwards the best
// way on from there: the sum of both is what the best way through there is worth.
func (p *plan) lay(items []item) []lane {
	lanes, n := make([]lane, len(items)), len(p.Tasks)
	if n == 0 || len(items) == 0 {
		for i := range lanes {
			lanes[i] = lane{task: -1, reason: "the plan has no task"}
		}
		return lanes
	}
	if len(items) > mostSteps/n || p.comparisons(items) > mostCompared/2 {
		for i := range lanes {
			if lanes[i] = p.byWords(items[i]); lanes[i].task < 0 {
				lanes[i].reason = fmt.Sprintf("is one of %d commits of a plan with %d tasks: too many to tell", len(items), n)
			}
		}
		return lanes
	}
	g := p.steps(items)
	// State t: the last task that was worked on is t-1; 0 is the start.
	fore := make([][]float64, len(items)+1)
	at := make([][]float64, len(items)) // the best way that ends with item i at task t
	fore[0] = slices.Repeat([]float64{math.Inf(-1)}, n+1)
	fore[0][0] = 0
	for i := range items {
		at[i] = g.forward(i, fore[i])
		fore[i+1] = make([]float64, n+1)
		for t := range fore[i+1] {
			fore[i+1][t] = max(at[i][t], fore[i][t]+g.none[i])
		}
	}
	back := make([]float64, n+1)
	for i := len(items) - 1; i >= 0; i-- {
		best, second, where := math.Inf(-1), math.Inf(-1), -1
		for t := range n + 1 {
			through, task := at[i][t]+back[t], t-1
			if t == 0 {
				through = math.Inf(-1)
				for s := range n + 1 {
					through = max(through, fore[i][s]+g.none[i]+back[s])
				}
			}
			if through > best {
				best, second, where = through, best, task
			} else {
				second = max(second, through)
			}
		}
		lanes[i] = lane{task: where, confidence: sureness(best - second - p.against(g, i, where))}
		lanes[i].reason = p.reason(items, g, i, lanes[i])
		back = g.backward(i, back)
	}
	return lanes
}

// comparisons is how many words are compared where each item is held against each task.
func (p *plan) comparisons(items []item) (all int) {
	for _, name := range p.names {
		all += len(name) * len(items)
	}
	for _, it := range items {
		all += len(it.words) * len(p.names)
	}
	return all
}

// sureness makes a confidence of how much better the best way is than the best other one: a half where both are as
// good, and never certain.
func sureness(margin float64) float64 { return 1 - math.Exp(-1.2*max(margin, 0))/2*0.95 - 0.025 }

// against is how much more alike an item is to another task than to the one where it lies. Where order and words
// disagree, order wins for want of better, and is less sure.
func (p *plan) against(g steps, i, task int) float64 {
	if task < 0 || !p.on(RuleAgainst) {
		return 0
	}
	return slices.Max(g.here[i]) - g.here[i][task]
}

// steps is what each step is worth.
type steps struct {
	here [][]float64 // of item i at task t
	stay [][]float64 // of item i at the task of the one before it
	none []float64   // of item i at no task
	skip []float64   // of all tasks before t together: what lies between two tasks is their difference
}

func (p *plan) steps(items []item) steps {
	g := steps{skip: make([]float64, len(p.Tasks)+1)}
	tests := make([]bool, len(p.Tasks))
	for t, task := range p.Tasks {
		g.skip[t+1] = g.skip[t] + p.skipping(task)
		tests[t] = aboutTests(task.Name)
	}
	for i, it := range items {
		here, stay := make([]float64, len(p.Tasks)), make([]float64, len(p.Tasks))
		told, alike := p.toldTasks(it), make([]float64, len(p.Tasks))
		for t, task := range p.Tasks {
			alike[t] = nameAlike * p.likeness(it, t)
			here[t] = alike[t]
			if p.on(RuleCheckpoints) && isCheckpoint(task) {
				here[t] += ofCheckpoint
			}
			if slices.Contains(told, t) {
				here[t] += 2 * nameAlike
			}
			stay[t] = sameTask
			if i == 0 {
				continue
			}
			if p.on(RuleOneTask) && len(p.Tasks) == 1 {
				stay[t] = nextTask
				continue
			}
			before := items[i-1]
			if (p.on(RuleTDD) && task.TDD && (before.Type == "test" || it.Type == "refactor") || p.on(RuleTestsFirst) && testsFirst(before.Subject) && !tests[t]) && it.Type != "test" {
				stay[t] = sameTDD
				continue
			}
			if p.on(RuleFixes) && it.Type == "fix" {
				stay[t] = mendTask
			}
			// The commit before has used the task's name up: what follows is likelier the next task, in like words.
			if p.on(RuleUsedUp) {
				stay[t] -= alike[t] / 2
			}
		}
		for t := range it.tasks {
			if !p.on(RuleFiles) {
				break
			}
			here[t] += fileAlike
		}
		none := noTask
		switch {
		case p.on(RuleFixes) && it.Type == "fix":
			none = noTaskFix
		case p.on(RuleOneTask) && len(p.Tasks) == 1:
			none = noTaskOne
		}
		g.here, g.stay, g.none = append(g.here, here), append(g.stay, stay), append(g.none, none)
	}
	return g
}

func isCheckpoint(t Task) bool { return len(t.Type) >= 10 && t.Type[:10] == "checkpoint" }

// skipping is what leaving out a task is worth.
func (p *plan) skipping(t Task) float64 {
	if p.on(RuleCheckpoints) && isCheckpoint(t) {
		return skipStop
	}
	if said := fields(cutTask(t.Name)); p.on(RuleCheckTasks) && len(said) > 0 && slices.Contains([]string{"verify", "run", "validate", "check", "confirm", "test"}, said[0]) {
		return skipCheck
	}
	return skipTask
}

// forward gives the best way to item i at each task.
func (g *steps) forward(i int, from []float64) []float64 {
	n := len(from) - 1
	to := slices.Repeat([]float64{math.Inf(-1)}, n+1)
	ahead := math.Inf(-1)
	for t := 1; t <= n; t++ {
		ahead = max(ahead, from[t-1]-g.skip[t-1])
		to[t] = max(ahead+g.skip[t-1]+nextTask, from[t]+g.stay[i][t-1])
	}
	behind := math.Inf(-1)
	for t := n; t >= 1; t-- {
		to[t] = max(to[t], behind+backTask) + g.here[i][t-1]
		behind = max(behind, from[t])
	}
	return to
}

// backward gives the best way on from each task before item i.
func (g *steps) backward(i int, on []float64) []float64 {
	n := len(on) - 1
	from := make([]float64, n+1)
	ahead := math.Inf(-1)
	for t := n; t >= 0; t-- {
		from[t] = max(on[t]+g.none[i], ahead-g.skip[t]+nextTask)
		if t > 0 {
			worth := g.here[i][t-1] + on[t]
			from[t] = max(from[t], worth+g.stay[i][t-1])
			ahead = max(ahead, worth+g.skip[t-1])
		}
	}
	behind := math.Inf(-1)
	for t := 1; t <= n; t++ {
		from[t] = max(from[t], behind+backTask)
		behind = max(behind, g.here[i][t-1]+on[t])
	}
	return from
}

// reason says why an item lies where it does.
func (p *plan) reason(items []item, g steps, i int, l lane) string {
	switch {
	case l.task < 0 && items[i].Type == "fix":
		return "mends something and fits no task"
	case l.task < 0:
		return "fits no task"
	}
	n := p.Tasks[l.task].Number
	order := fmt.Sprintf("is the %s of %d commits of the plan, in order", ordinal(i+1), len(items))
	if items[i].tasks[l.task] {
		return fmt.Sprintf("changes the files of task %d and %s", n, order)
	}
	if g.here[i][l.task] >= nameAlike*surelyNamed/2 {
		return fmt.Sprintf("has words of task %d and %s", n, order)
	}
	return order
}

func ordinal(n int) string {
	suffix := "th"
	if n/10%10 != 1 {
		switch n % 10 {
		case 1:
			suffix = "st"
		case 2:
			suffix = "nd"
		case 3:
			suffix = "rd"
		}
	}
	return fmt.Sprint(n, suffix)
}

// aboutTests tells a task whose work is the tests, so that nothing else is to come after them: `Write failing tests for
// the parser` is one, `Write the parser with tests` and `Make the tests pass` are not. It is so if the name, as far as its
// first preposition, ends with them.
func aboutTests(name string) bool {
	said := fields(cutTask(name))
	if end := slices.IndexFunc(said, isPreposition); end >= 0 {
		said = said[:end]
	}
	return len(said) > 0 && stem(said[len(said)-1]) == "test"
}

func isPreposition(w string) bool {
	switch w {
	case "and", "for", "of", "on", "in", "to", "with", "from", "by", "that", "against", "until", "before", "after", "using", "via":
		return true
	}
	return false
}
