package evidence

// undo.go: reverts. A revert takes back the commits that it names by hash, or else by subject; a revert that was
// itself taken back takes nothing back. One that names a commit in no such way (`revert task 2`) makes it unsure.

import (
	"slices"
	"strings"
)

// undo is what reverts need of a commit, or of one line of a squashed one.
type undo struct {
	id       string
	keys     []key    // by which a revert may name it, the surest first
	takesIDs []string // the commits that it takes back, each at least seven digits; empty if it does not tell
	takes    []key    // a key of that commit, any of these; empty if it does not tell
	within   int      // of a line, the place of its commit + 1
	merge    bool     // it brought in others, which are older
}

// key is what a revert may call a commit. of is the plan whose commit has that text, or one of these.
type key struct{ of, text string }

// What else the text of a key may be.
const (
	bySubject = ""  // the whole subject
	byText    = ":" // the text without type and scope, in lower case
	byRequest = "#" // the number of a pull or merge request, with its mark
)

// reverts tells whether it takes anything back.
func (u *undo) reverts() bool { return len(u.takesIDs) > 0 || len(u.takes) > 0 }

// keys are what a revert may call a commit: its subject, its scope and text, its text.
func keys(subject string, s Subject) []key {
	subject = withoutNumbers(cutSubject(subject))
	if s.Reverts != "" {
		return []key{{bySubject, subject}, {bySubject, `Revert "` + withoutNumbers(s.Reverts) + `"`}}
	}
	text := strings.ToLower(withoutNumbers(s.Text))
	all := []key{{bySubject, subject}, {byText, text}}
	for _, plan := range s.Plans {
		all = append(all, key{plan, text})
	}
	return all
}

// mergeKeys are what a revert may call a merge besides its subject: the title that GitHub and others put into its body, and
// the number of its pull request. None for the merge of a revert, which is on the walk itself.
func mergeKeys(c *Work, s Subject) []key {
	title, _, _ := strings.Cut(strings.TrimSpace(c.Body), "\n")
	if title = strings.TrimSpace(title); ParseSubject(title).Reverts != "" {
		return nil
	}
	all := append(keys(c.Subject, s), requests(c.Subject)...)
	if title != "" {
		all = append(all, key{bySubject, withoutNumbers(cutSubject(title))})
	}
	const sees = "see merge request "
	for line := range strings.Lines(c.Body) {
		if len(line) > len(sees) && strings.EqualFold(line[:len(sees)], sees) && len(all) < mostReverted {
			all = append(all, requests(line)...)
		}
	}
	return all
}

// requests lists the pull and merge requests that a line names: `#12`, `!12`.
func requests(line string) (all []key) {
	const longest = 20 // digits
	for i := range len(line) {
		if (line[i] == '#' || line[i] == '!') && len(all) < mostReverted {
			if n := digits(line[i+1:]); n > 0 && n <= longest {
				all = append(all, key{byRequest, strings.Clone(line[i : i+1+n])})
			}
		}
	}
	return all
}

// revertedRequests lists the requests that a revert takes back: `Reverts owner/name#12`, `This reverts merge request !12`,
// `Revert #12 (#13)`.
func revertedRequests(c *Work) (all []key) {
	for line := range strings.Lines(withoutNumbers(c.Subject) + "\n" + c.Body) {
		line = strings.TrimPrefix(asciiLower(strings.TrimSpace(line)), "this ")
		if verb, of, _ := strings.Cut(line, " "); undoes(verb) && len(all) < mostReverted {
			all = append(all, requests(of)...)
		}
	}
	return all
}

// cutSubject leaves of a subject what is read of it.
func cutSubject(subject string) string { return subject[:min(len(subject), longestSubject)] }

// takes are the keys of what a revert takes back. Git quotes the whole subject; `revert(03-01): …` may have its text
// only; and some tools cut a long one short.
func takes(s Subject) []key {
	if s.Reverts == "" {
		return nil
	}
	of := withoutNumbers(s.Reverts)
	all := []key{{bySubject, of}}
	if begins := strings.TrimRight(of, ".… "); len(begins) < len(of) && len(begins) >= shortestCut {
		all = append(all, key{bySubject, begins + cutShort})
	}
	if s.Text != s.Reverts { // git's own words
		return all
	}
	if len(s.Plans) == 0 {
		return append(all, key{byText, strings.ToLower(of)})
	}
	for _, plan := range s.Plans {
		all = append(all, key{plan, strings.ToLower(of)})
	}
	return all
}

// shortestCut is how many bytes of a subject that was cut short name a commit; cutShort is how its key ends.
const (
	shortestCut = 20
	cutShort    = "…"
)

// withoutNumbers leaves out the numbers of pull requests, ` (#12)`, which GitHub adds to subjects when it squashes.
func withoutNumbers(subject string) string {
	var out strings.Builder
	for {
		before, rest, ok := strings.Cut(subject, " (#")
		out.WriteString(before)
		if !ok {
			return strings.TrimSpace(out.String())
		}
		if n := digits(rest); n > 0 && n < len(rest) && rest[n] == ')' {
			subject = rest[n+1:]
			continue
		}
		out.WriteString(" (#")
		subject = rest
	}
}

const (
	shortest  = 7  // how many digits of a hash name a commit
	mostAlike = 32 // how many older commits are looked at whose hashes begin with the same seven digits
	mostCuts  = 16 // how many lengths are known to which tools cut subjects
)

// undone tells which of some commits, newest first, were taken back, and which of them take something back that is not
// among the others. A hash that none of the older ones has may be from before a rebase, so the subject counts then.
func undone(commits []undo) (gone, missed []bool) {
	older := map[string][]int{} // by the hash, and by its beginning
	for i, c := range commits {
		if len(c.id) > shortest {
			older[c.id] = append(older[c.id], i)
		}
		if len(c.id) >= shortest {
			older[c.id[:shortest]] = append(older[c.id[:shortest]], i)
		}
	}
	target := func(i int, id string) int {
		among, whole := older[id]
		if !whole {
			among = older[id[:shortest]]
		}
		first, _ := slices.BinarySearch(among, i+1)
		for _, k := range among[first:min(len(among), first+mostAlike)] {
			if strings.HasPrefix(commits[k].id, id) {
				return k
			}
		}
		return -1
	}
	gone, missed = make([]bool, len(commits)), make([]bool, len(commits))
	open := map[key][]int{} // the reverts that wait for a commit of that key; one that found it has missed no more
	var cuts []int          // how long the keys are that were cut short
	for i, c := range commits {
		named := slices.Clone(c.keys)
		for _, n := range cuts {
			if len(c.keys) > 0 && len(c.keys[0].text) > n {
				named = append(named, key{bySubject, c.keys[0].text[:n] + cutShort})
			}
		}
		for _, key := range named {
			waiting := open[key]
			for len(waiting) > 0 && !missed[waiting[len(waiting)-1]] {
				waiting = waiting[:len(waiting)-1]
			}
			if len(waiting) > 0 && !gone[i] {
				missed[waiting[len(waiting)-1]], gone[i] = false, true
				waiting = waiting[:len(waiting)-1]
			}
			open[key] = waiting
		}
		if gone[i] = gone[i] || c.within > 0 && gone[c.within-1]; gone[i] || !c.reverts() {
			continue
		}
		found := false
		for _, id := range c.takesIDs {
			if k := target(i, id); k >= 0 {
				gone[k], found = true, true
			}
		}
		if missed[i] = !found; found {
			continue
		}
		for _, key := range c.takes {
			open[key] = append(open[key], i)
			if begins, ok := strings.CutSuffix(key.text, cutShort); ok && key.of == bySubject && len(cuts) < mostCuts {
				cuts = appendOnce(cuts, len(begins))
			}
		}
	}
	return gone, missed
}

// revertedIDs finds every `This reverts commit HASH` of a message.
func revertedIDs(body string) (ids []string) {
	for {
		_, hex, ok := strings.Cut(body, "his reverts commit ")
		if !ok {
			return ids
		}
		n := 0
		for n < len(hex) && n < 64 && (isDigit(hex[n]) || 'a' <= hex[n] && hex[n] <= 'f') {
			n++
		}
		if body = hex; n < shortest || len(ids) == mostReverted {
			continue
		}
		ids = append(ids, strings.Clone(hex[:n])) // and not the whole body with it
	}
}

// mostReverted is how many commits one commit takes back at most.
const mostReverted = 100

// takesBack tells a subject that undoes work in words of its own: `revert task 2`, `back out login endpoint`. Where a
// task's name has the word (`undo the last move`) it is the task, and a feature of that name (`undo and redo buttons`) is one.
func (p *plan) takesBack(s Subject) bool {
	if s.Type == "feat" {
		return false
	}
	said := fields(s.Text[:min(len(s.Text), 40)]) // the first two words
	if len(said) == 0 {
		return false
	}
	switch said[0] {
	case "back", "backs", "backed", "roll", "rolls", "rolled":
		if len(said) == 1 || said[1] != "out" && said[1] != "back" {
			return false
		}
	default:
		if !undoes(said[0]) {
			return false
		}
	}
	return len(p.byWord[stem(said[0])]) == 0
}

// doubted lists the tasks, as indices, that a revert names by number or by words; s is the revert's own subject.
func (p *plan) doubted(s Subject) []int {
	of, plans := s, s.Plans
	if s.Reverts != "" {
		if of = ParseSubject(s.Reverts); of.Reverts != "" {
			return nil // it gives something back
		}
		plans = append(slices.Clone(plans), of.Plans...)
	}
	if !slices.Contains(plans, p.key) {
		return nil
	}
	numbers := appendTasks(of.Tasks, of.Text)
	var tasks []int
	for _, n := range numbers {
		if p.spend(len(p.told[n])) {
			tasks = append(tasks, p.told[n]...)
		}
	}
	slices.Sort(tasks)
	said := words(of.Text)
	for i := range p.Tasks {
		if len(numbers) == 0 && p.alike(said, i) >= doubtAlike {
			tasks = append(tasks, i)
		}
	}
	return slices.Compact(tasks)
}

// doubtAlike is how alike a revert's text and a task's name are if it may mean that task.
const doubtAlike = 0.3
