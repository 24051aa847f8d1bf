package evidence

// belong.go: which commits are work on a plan. A commit says what it is about in its scope (`feat(03-01): …`),
// less surely in its text, or in a trailer (`Plan: 03-01`). A squashed one lists the commits that it was made of.

import (
	"cmp"
	"fmt"
	"path"
	"slices"
	"strings"
	"time"
	"unicode"
	"unicode/utf8"

	"github.com/gsd-cli/gsd/internal/gitlog"
)

// item is one line of evidence: a commit, or one line of a squashed commit.
type item struct {
	Subject
	commit *source
	order  int     // of the commit on the walk, 0 for the newest
	weight float64 // how sure it is that this is work on the plan
	why    string  // why that is so, where it is not the scope
	words  wordSet
	files  []string
	begun  string       // why it is no evidence that the work is done; empty if it is some
	open   []int        // the tasks, by number, that its body says are not done
	more   bool         // it changed more files than are listed
	tasks  map[int]bool // whose files it changed, as indices
	was    []bool       // which of the plan's tasks were others then; nil for none
	gone   bool         // taken back by a revert
}

// source is what is kept of a commit that items are from, so that a thousand of them do not keep a thousand bodies.
type source struct {
	id      string
	when    time.Time
	subject string
}

func (c *Work) source() *source {
	return &source{c.ID, c.When, strings.Clone(cutRunes(c.Subject))}
}

// How sure a commit belongs to a plan, by how it says so.
const (
	byScope   = 1.0
	byTrailer = 0.98
	bySquash  = 0.95
	byMention = 0.85 // `fix parser for 03-01` may be about what is left of it
	byPhase   = 0.8  // the scope names the phase, and the phase has one plan,
	byWords   = 0.55 // or it has others, and this one has most of the words: never sure
	byName    = 0.75 // it names nothing, but its words are a task's name
)

// plan is a Plan prepared for many commits.
type plan struct {
	Plan
	key, phase string // as planKey and phaseKey write them; key is empty for the only plan of a phase
	names      []wordSet
	files      []wordSet
	weight     map[string]float64
	told       map[int][]int      // tasks, as indices, by the number that a commit would tell
	byWord     map[string][]int   // tasks, as indices, by the words of their names
	byBase     map[string][]named // the files that tasks name, by the last part of their paths
	removals   []int              // the tasks that take something away

	phasePlans  []wordSet // what the plans of the phase say, this one first
	phaseWeight map[string]float64

	left int // how many words may still be compared
}

// mostCompared is how many words of commits are compared with words of the plan, or files with files, while the commits
// are read, and again when they are assigned: some tenths of a second. A plan of ten tasks and its fifty commits take a
// few thousand; but how many words there are on each side is up to whoever wrote them.
const mostCompared = 1 << 23

// spend takes n comparisons from those that are left, and reports whether there were so many.
func (p *plan) spend(n int) bool {
	if p.left < n {
		p.left = -1
		return false
	}
	p.left -= n
	return true
}

// exhausted reports whether spend was ever refused.
func (p *plan) exhausted() bool { return p.left < 0 }

// alike gives how alike some words and a task are: see [likeness]. It is 0 where no comparison is left.
func (p *plan) alike(text wordSet, task int) float64 {
	if !p.spend(len(text) + len(p.names[task])) {
		return 0
	}
	files := p.files[task]
	if !p.on(RuleFileWords) {
		files = nil
	}
	return likeness(text, p.names[task], files, p.weight)
}

func prepare(p Plan) *plan {
	prepared := &plan{Plan: p, removals: removals(p.Tasks), left: mostCompared}
	prepared.identify(p.ID)
	prepared.told, prepared.byBase = map[int][]int{}, map[string][]named{}
	for i, t := range p.Tasks {
		var files wordSet
		for _, f := range t.Files {
			base := path.Base(f)
			prepared.byBase[base] = append(prepared.byBase[base], named{i, strings.TrimPrefix(f, "./")})
			files = append(files, words(base)...)
		}
		name := cutTask(t.Name)
		prepared.names = append(prepared.names, words(name))
		prepared.files = append(prepared.files, files.sorted())
		if own := appendTasks(nil, strings.TrimSuffix(t.Name, name)); len(own) == 1 {
			prepared.told[own[0]] = append(prepared.told[own[0]], i)
		}
	}
	// A checkpoint without a number makes the author's `Task 2` the third: the author's numbers go first.
	for i, t := range p.Tasks {
		if len(prepared.told[t.Number]) == 0 {
			prepared.told[t.Number] = []int{i}
		}
	}
	if p.on(RuleRareWords) {
		prepared.weight = weights(prepared.names)
	}
	prepared.byWord = map[string][]int{}
	for i, name := range prepared.names {
		for _, w := range name {
			prepared.byWord[w] = append(prepared.byWord[w], i)
		}
	}
	for _, of := range append([]Plan{p}, p.Siblings...) {
		var says wordSet
		for _, t := range of.Tasks {
			says = append(says, words(t.Name)...)
			for _, f := range t.Files {
				says = append(says, words(path.Base(f))...)
			}
		}
		prepared.phasePlans = append(prepared.phasePlans, says.sorted())
	}
	prepared.phaseWeight = weights(prepared.phasePlans)
	return prepared
}

// identify takes a plan's short name.
func (p *plan) identify(id string) {
	p.ID, p.key, p.phase = id, quickKey(id), ""
	if ref, n := cutRef(id); n == len(id) && n > 0 {
		if p.phase = phaseKey(ref.phase); ref.plan != "" && p.key == "" {
			p.key = planKey(ref.phase, ref.plan)
		}
	}
}

// items gives what a commit says about the plan; nothing for a commit that is not about it.
func (p *plan) items(c *Work, s Subject) []item {
	if c.Merge || s.Reverts != "" {
		return nil
	}
	it := item{Subject: s}
	var trailers trailers
	if p.on(RuleTrailers) {
		trailers = trailersOf(c.Body)
	}
	it.begun, it.open = trailers.begun, trailers.open
	switch {
	case s.Scoped && slices.Contains(s.Plans, p.key):
		it.weight = byScope
	case s.Scoped:
		return nil
	case slices.Contains(trailers.Plans, p.key):
		it.weight, it.why = byTrailer, "has the plan in its trailer"
	case len(trailers.Plans) > 0:
		return nil
	case p.on(RuleMention) && slices.Contains(s.Plans, p.key):
		it.weight, it.why = byMention, "mentions the plan"
	case len(s.Plans) > 0:
		return nil
	case p.on(RulePhase) && s.Phase != "" && s.Phase == p.phase && len(p.Siblings) == 0:
		it.weight, it.why = byPhase, "has the phase in its scope, and the phase has one plan"
	case p.on(RulePhaseWords) && s.Phase != "" && s.Phase == p.phase && p.closest(s):
		it.weight, it.why = byWords, "has the phase in its scope and words of this plan"
	case p.on(RuleName) && s.Phase == "" && p.likely(s):
		if it.weight, it.why = byName, "names no plan"; !p.closest(s) {
			it.weight, it.why = byWords, "names no plan, and another plan of the phase has its words, too"
		}
	default:
		return nil
	}
	if len(it.Tasks) == 0 {
		it.Tasks = trailers.Tasks
	}
	it.commit = c.source()
	return p.work([]item{it}, c)
}

// squashed gives what the lines of a squashed commit say, the newest first.
func (p *plan) squashed(c *Work) (items []item, undos []undo) {
	lines := squashLines(c)
	if len(lines) == 0 || !p.on(RuleSquash) {
		return nil, nil
	}
	from := c.source()
	for _, line := range lines {
		s := ParseSubject(line.subject)
		if s.Reverts != "" || len(line.takesIDs) > 0 {
			undos = append(undos, undo{id: line.id, takesIDs: line.takesIDs, takes: takes(s)})
			continue
		}
		if !s.Scoped || !slices.Contains(s.Plans, p.key) || p.takesBack(s) || p.own(s, wrote{}) {
			continue
		}
		items = append(items, item{Subject: s, commit: from, weight: bySquash, why: "lists what was squashed into it", order: len(undos)})
		undos = append(undos, undo{id: line.id, keys: keys(line.subject, s)})
	}
	return items, undos
}

// work keeps what is work on a task. Whose files were changed is asked only here, of few commits.
func (p *plan) work(items []item, c *Work) []item {
	if c.Version != nil && c.Version(p.Path) == "" {
		return nil // the plan was not there: another plan of that number, or another root's
	}
	var changes []gitlog.Change
	if c.Changes != nil {
		changes = c.Changes()
	}
	if p.on(RuleElsewhere) && p.elsewhere(changes) || p.on(RuleForeign) && c.Foreign != nil && c.Foreign() {
		return nil
	}
	var files []string
	more := len(changes) > mostFiles
	changes = changes[:min(len(changes), mostFiles)]
	touched := map[int]bool{}
	for _, change := range changes {
		if change.Path == More {
			more = true
			continue
		}
		files = append(files, change.Path)
		for _, t := range p.ofFile(change.Path) {
			touched[t] = true
		}
	}
	of := p.wrote(changes)
	items = slices.DeleteFunc(items, func(it item) bool { return p.own(it.Subject, of) })
	for i := range items {
		it := &items[i]
		it.files, it.more, it.tasks = files, more, touched
		it.words = words(it.Text)
		if p.on(RuleTypeWords) && (it.Type == "test" || it.Type == "docs" || it.Type == "fix") {
			it.words = append(it.words, it.Type).sorted()
		}
		if it.begun = cmp.Or(it.begun, p.begun(it)); !p.on(RuleNotDone) {
			it.begun, it.open = "", nil
		}
		if it.begun != "" && len(it.Tasks) == 0 {
			it.Tasks = appendTasks(nil, it.Text) // `paused at task 2`: what it says is not sure in any case
		}
	}
	return items
}

// mostFiles is how many of the files that a commit changed are held against a plan's.
const mostFiles = 1000

// elsewhere tells whether what a commit changed in the planning directory is another root's, and none of it the plan's own
// root's. What all roots share, such as PROJECT.md, tells nothing.
func (p *plan) elsewhere(changes []gitlog.Change) bool {
	if p.Root == "" {
		return false
	}
	top, _, _ := strings.Cut(p.Path, "/")
	others := false
	for _, c := range changes {
		below, inTop := strings.CutPrefix(c.Path, top+"/")
		_, inRoot := strings.CutPrefix(c.Path, p.Root+"/")
		dir, _, _ := strings.Cut(below, "/")
		switch {
		case inRoot && (p.Root != top || dir != "workstreams"):
			return false
		case inTop && slices.Contains([]string{"phases", "milestones", "quick", "workstreams"}, dir):
			others = true
		}
	}
	return others
}

// wrote is what own needs of the files that a commit changed.
type wrote struct {
	plan     bool // the plan's own file
	planning bool // files in the planning directory that no task names, the plan among them
	other    bool
}

func (p *plan) wrote(changes []gitlog.Change) (of wrote) {
	top, _, _ := strings.Cut(p.Path, "/")
	for _, c := range changes {
		switch {
		case c.Path == p.Path:
			of.planning, of.plan = true, true
		case strings.HasPrefix(c.Path, top+"/") && !p.isNamed(c.Path):
			of.planning = true
		default:
			of.other = true
		}
	}
	return of
}

// own tells whether a commit wrote about the plan instead of carrying it out: it made or revised the plan, its
// summary, or the project's state. The work of a task can be a document too, so what the tasks name is work.
func (p *plan) own(s Subject, of wrote) bool {
	about := s.Type == "docs" || s.Type == "chore" || s.Type == "wip" || s.Type == ""
	if p.on(RuleCloses) && about && closes(s.Text) {
		return true
	}
	if p.on(RulePlanOnly) && of.plan && !of.other && (about || s.Type == "fix") {
		return true // a plan that was revised; work seldom writes to it
	}
	if p.on(RulePlanningOnly) && about && of.planning && !of.other {
		return true
	}
	said := fields(s.Text)
	return p.on(RuleAboutPlanning) && (about && aboutPlanning(said) || s.Type == "fix" && revisesPlan(said)) && p.best(words(s.Text)) < surelyNamed
}

// isNamed tells whether a task names a file.
func (p *plan) isNamed(file string) bool { return len(p.ofFile(file)) > 0 }

// ofFile lists the tasks that name a file, as indices.
func (p *plan) ofFile(file string) (tasks []int) {
	of := p.byBase[path.Base(file)]
	if !p.spend(len(of)) {
		return nil
	}
	for _, n := range of {
		if endsWith(file, n.path) || endsWith(n.path, file) {
			tasks = appendOnce(tasks, n.task)
		}
	}
	return tasks
}

// named is a file that a task names, and the task, as an index.
type named struct {
	task int
	path string
}

// endsWith tells whether a path ends with another one: a plan may name files from elsewhere in the project.
func endsWith(name, end string) bool {
	rest, ok := strings.CutSuffix(name, end)
	return ok && end != "" && (rest == "" || rest[len(rest)-1] == '/')
}

// closes tells whether a text ends a plan: `complete export plan`.
func closes(text string) bool {
	said := fields(text)
	if len(said) == 0 || said[0] != "complete" && said[0] != "completed" && said[0] != "finish" {
		return false
	}
	return len(said) == 1 || slices.ContainsFunc(said, func(w string) bool { return w == "plan" || w == "plans" || w == "summary" })
}

// aboutPlanning tells whether a text is about what GSD writes beside the work.
func aboutPlanning(said []string) bool {
	for i, w := range said {
		switch w {
		case "summary", "roadmap", "verification", "research", "uat":
			return true
		case "state":
			if slices.Contains(said[:i], "update") || i+1 < len(said) && (said[i+1] == "md" || said[i+1] == "updates") {
				return true
			}
		}
	}
	plans := len(said) > 0 && (said[0] == "plan" || said[0] == "replan") && (len(said) == 1 || slices.Contains(said, "phase"))
	return plans || revisesPlan(said)
}

// revisesPlan tells whether a text is about writing a plan: `revise plans`, `create phase plan`.
func revisesPlan(said []string) bool {
	for i, w := range said {
		if i > 0 && (w == "plan" || w == "plans") {
			switch said[i-1] {
			case "create", "revise", "update", "phase", "fix", "add", "the":
				return true
			}
		}
	}
	return false
}

func fields(text string) []string {
	return strings.FieldsFunc(strings.ToLower(text), func(r rune) bool { return r < 'a' || r > 'z' })
}

// surelyNamed is how alike a text and a task's name are if the text is about nothing else.
const surelyNamed = 0.6

// best is how alike a text and the name that is most like it are.
func (p *plan) best(text wordSet) float64 {
	most := 0.0
	for i := range p.Tasks {
		most = max(most, p.alike(text, i))
	}
	return most
}

// closest tells whether, of all plans of the phase, this one says most of what a subject says, by a margin.
func (p *plan) closest(s Subject) bool {
	const margin = 0.1 // of the words, by weight
	said := words(s.Text)
	mine := share(said, p.phasePlans[0], p.phaseWeight)
	return !slices.ContainsFunc(p.phasePlans[1:], func(other wordSet) bool {
		return !p.spend(len(said)) || share(said, other, p.phaseWeight)+margin > mine
	})
}

// likely tells whether a subject that names no plan is a task's name in other words. It must be a long one:
// `add tests` is anybody's.
func (p *plan) likely(s Subject) bool {
	const (
		alike = 0.8
		long  = 4
		most  = 100 // tasks: every commit is held against each
	)
	if len(p.Tasks) > most {
		return false
	}
	said, known := words(s.Text), 0
	for _, w := range said {
		if p.phasePlans[0].has(w) {
			known++
		}
	}
	// A single word is never so much, and most commits of a project have not even that.
	return len(said) >= long && known > 1 && p.best(said) >= alike
}

// trailers is what a body tells.
type trailers struct {
	Subject        // the plans and tasks that it names
	open    []int  // the tasks, by number, that it says are not done
	begun   string // that it says so of the whole commit; empty if it does not
}

// trailersOf reads the plan and the tasks that a body names in its trailers, which are the last paragraph if all of it
// is `Key: value`: `Plan: 03-01`, `Task: 2`, `GSD-Task: 03-01/2`. A line `Task 2: …` counts too where a paragraph
// begins with it, unless the body has several: those are a list of what there is to do.
func trailersOf(body string) (s trailers) {
	body = strings.TrimSpace(strings.ReplaceAll(body, "\r", ""))
	last := body[strings.LastIndex(body, "\n\n")+1:]
	if last = strings.TrimSpace(last); isTrailers(last) {
		for line := range strings.Lines(last) {
			s.readTrailer(line)
		}
	}
	var tasks []int // that some line is labelled with
	lines := 0      // that are labelled
	before := ""
	for line := range strings.Lines(body) {
		line = strings.TrimSpace(line)
		bare := asciiLower(strings.TrimLeft(line, "*- "))
		if found, n := cutLabel(bare); n > 0 && bare[n-1] == ':' && strings.HasPrefix(bare, "task") {
			lines++
			if saysLeft(bare[n:]) {
				s.open = appendSome(s.open, found...)
			} else if before == "" && len(bare) == len(line) {
				tasks = found
			}
		}
		if line != "" || !strings.HasSuffix(before, ":") { // `Remaining:` leads what follows it
			before = line
		}
	}
	if lines == 1 {
		s.Tasks = appendSome(s.Tasks, tasks...)
	}
	return s
}

// saysLeft tells whether what stands behind a task's number or `Status:` says that it is not done: `not started`, `in
// progress`, `login endpoint is next`.
func saysLeft(text string) bool {
	said := fields(text)
	n := len(said)
	return n > 0 && leftOver(said[0]) || n > 1 && (said[0] == "in" && said[1] == "progress" || said[n-2] == "is" && leftOver(said[n-1]))
}

// leftOver tells a word of what is not done.
func leftOver(w string) bool {
	switch w {
	case "not", "todo", "tbd", "next", "later", "left", "remaining", "pending", "open", "wip", "started", "blocked", "paused", "deferred",
		"skipped", "failed", "failing", "partial", "partially", "incomplete", "unfinished", "draft":
		return true
	}
	return false
}

// isTrailers tells whether all lines of a paragraph are `Key: value`, or go on with the one before.
func isTrailers(paragraph string) bool {
	for line := range strings.Lines(paragraph) {
		key, _, ok := strings.Cut(line, ":")
		if strings.HasPrefix(line, " ") || strings.HasPrefix(line, "\t") {
			continue
		}
		if !ok || strings.ContainsFunc(key, func(r rune) bool { return r != '-' && (r >= utf8.RuneSelf || !wordByte(byte(r))) }) {
			return false
		}
	}
	return true
}

// readTrailer reads one trailer.
func (s *trailers) readTrailer(line string) {
	key, value, _ := strings.Cut(asciiLower(strings.TrimSpace(line)), ":")
	value = strings.TrimSpace(value)
	if len(value) > longestSubject {
		return
	}
	switch strings.TrimPrefix(key, "gsd-") {
	case "plan":
		s.readScope(value)
	case "task", "tasks":
		if ref, n := cutRef(value); ref.plan != "" && n == len(value) && ref.task > 0 {
			s.Plans, s.Tasks = appendSome(s.Plans, planKey(ref.phase, ref.plan)), appendSome(s.Tasks, ref.task)
			return
		}
		found, _ := cutTaskList(value)
		if len(found) == 1 && strings.HasSuffix(key, "s") {
			return // `Tasks: 4` is how many there are
		}
		s.Tasks = appendSome(s.Tasks, found...)
	case "status":
		if saysLeft(value) {
			s.begun = fmt.Sprintf("has the status %q", cutRunes(value))
		}
	}
}

// testsFirst tells a commit of tests that fail because their code is still to come.
func testsFirst(s Subject) bool {
	if s.Type != "test" && s.Type != "tests" && s.Type != "chore" && s.Type != "" {
		return strings.Contains(s.Text, "(RED)")
	}
	said := fields(s.Text)
	for i, w := range said {
		if w == "failing" && i+1 < len(said) && (said[i+1] == "test" || said[i+1] == "tests" || s.Type == "test") {
			return true
		}
	}
	return slices.Contains(strings.FieldsFunc(s.Text, func(r rune) bool { return !unicode.IsLetter(r) }), "RED")
}
