package evidence

// subject.go: what the first line of a commit says about plans and tasks. It is prose by strangers: every form
// that is understood here is one that GSD's executors write or that a person would write in their place, and a
// pair of numbers without such a form (`2-3 seconds`, `2026-03-01`) means nothing.

import (
	"slices"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"
)

// Subject is what the first line of a commit says.
type Subject struct {
	Type  string // of a conventional commit, in lower case: feat, fix, docs; empty where there is none
	Text  string // what was done: the line without type, scope and the task's number before it
	Tasks []int  // the numbers of tasks it names, in the order of the line, each once

	// Plans are the plans it names, as planKey writes them, each once; Scoped tells whether they are from where
	// a commit says what it is about (`feat(03-01):`, `[03-01]`, `03-01:`) and not from prose.
	Plans  []string
	Scoped bool
	Phase  string // the phase that its scope names without a plan, as phaseKey writes it

	Reverts string // the subject that it takes back; empty for anything but a revert
}

// longestSubject is how many bytes of a first line are read. Longer ones are texts that somebody forgot to fold.
const longestSubject = 1000

// ParseSubject reads the first line of a commit. It takes any text.
func ParseSubject(line string) Subject {
	line = strings.TrimSpace(line)
	if len(line) > longestSubject {
		line = strings.ToValidUTF8(line[:longestSubject], "")
	}
	line = withoutCI(line)
	if of, ok := cutRevert(line); ok {
		return Subject{Type: "revert", Text: line, Reverts: of}
	}
	kind, scope, text := cutScope(line)
	if kind == "" && undoes(asciiLower(scope)) { // [revert] feat(03-01): …
		kind, scope = scope, ""
	}
	s := Subject{Type: kind, Text: text}
	s.readScope(scope)
	if verb, of, ok := strings.Cut(text, " "); ok && strings.HasPrefix(asciiLower(verb), "revert") && undoes(asciiLower(verb)) {
		// feat(03-01): revert "…", fix: revert …; anything else in a scope may be a task: fix(03-01): revert to …
		if _, quoted := cutQuotes(of); quoted || scope == "" && kind != "" && kind != "feat" {
			kind, text, s.Text = "revert", of, of
		}
	}
	if undoes(asciiLower(kind)) {
		if quoted, ok := cutQuotes(text); ok {
			s.Text = quoted
		}
		s.Type, s.Tasks, s.Scoped, s.Reverts = "revert", nil, len(s.Plans) > 0, s.Text
		return s
	}
	s.Tasks = appendLabels(s.Tasks, text)
	s.Text = cutTask(text)
	if s.Scoped = len(s.Plans) > 0; !s.Scoped {
		s.Plans = mentionedPlans(text)
	}
	return s
}

// withoutCI leaves out what a line tells a build server, at either end: `[skip ci]`, `(no ci)`.
func withoutCI(line string) string {
	if line == "" || !strings.ContainsRune("[(", rune(line[0])) && !strings.ContainsRune("])", rune(line[len(line)-1])) {
		return line
	}
	for _, say := range []string{"skip ci", "ci skip", "no ci", "skip actions", "actions skip"} {
		for _, say := range []string{"[" + say + "]", "(" + say + ")"} {
			lower := asciiLower(line)
			if strings.HasSuffix(lower, say) {
				line = strings.TrimSpace(line[:len(line)-len(say)])
			} else if strings.HasPrefix(lower, say) {
				line = strings.TrimSpace(line[len(say):])
			}
		}
	}
	return line
}

// cutRevert gives what the words of git, of GitHub and of people take back: `Revert "…"`, `Revert "… (#12)" (#13)`,
// `Reverted '…'`, `⏪ Revert "…"`, `undo feat(03-01): …`; and `Reapply "…"`, which takes back the revert.
func cutRevert(line string) (string, bool) {
	line = strings.TrimLeftFunc(line, func(r rune) bool { return r >= utf8.RuneSelf && !unicode.IsLetter(r) || r == ' ' })
	if word, rest, ok := strings.Cut(line, "("); ok && undoes(asciiLower(word)) { // revert(feat(03-01): …)
		of, ok := strings.CutSuffix(rest, ")")
		if kind, scope, _ := cutScope(of); ok && kind != "" && scope != "" {
			return of, true
		}
	}
	word, rest, _ := strings.Cut(line, " ")
	word = asciiLower(word)
	if of, ok := strings.CutPrefix(rest, "commit "); ok { // Revert commit 1234567: feat(03-01): …
		_, rest, _ = strings.Cut(of, " ")
	}
	quoted, isQuoted := cutQuotes(rest)
	switch {
	case undoes(word) && isQuoted:
		return quoted, true
	case undoes(word):
		if kind, scope, _ := cutScope(rest); kind != "" && scope != "" {
			return rest, true
		}
	case word == "reapply" && isQuoted:
		return `Revert "` + quoted + `"`, true
	}
	return "", false
}

// undoes tells a word, in lower case, for taking work back.
func undoes(w string) bool {
	switch w {
	case "revert", "reverts", "reverted", "reverting", "undo", "undoes", "undid", "undoing", "unwind", "rollback", "backout":
		return true
	}
	return false
}

// cutQuotes gives what a text has in quotation marks of some sort at its start. The closing one may have been cut off with
// a line that was too long.
func cutQuotes(text string) (string, bool) {
	for _, marks := range []string{`""`, "''", "``", "“”", "‘’", "«»"} {
		open, end := marks[:len(marks)/2], marks[len(marks)/2:]
		if quoted, ok := strings.CutPrefix(text, open); ok {
			if at := strings.LastIndex(quoted, end); at > 0 {
				quoted = quoted[:at]
			}
			return quoted, true
		}
	}
	return "", false
}

// cutScope divides a line into the type and scope of a conventional commit and its text. `[03-01] text` and
// `03-01: text` have a scope and no type.
func cutScope(line string) (kind, scope, text string) {
	word := strings.IndexFunc(line, func(r rune) bool { return !unicode.IsLetter(r) })
	if word > 0 {
		rest := line[word:]
		if inner, after, ok := cutBrackets(rest, '(', ')'); ok {
			if text, ok := cutColon(after); ok {
				return strings.ToLower(line[:word]), inner, text
			}
		}
		if text, ok := cutColon(rest); ok {
			return strings.ToLower(line[:word]), "", text
		}
	}
	if inner, after, ok := cutBrackets(line, '[', ']'); ok {
		text, ok := cutColon(after)
		if !ok {
			text = strings.TrimSpace(after)
		}
		switch kind, scope, rest := cutScope(text); {
		case kind != "" && scope == "": // [03-01] feat: …
			return kind, inner, rest
		case kind != "" && provisional(asciiLower(inner)): // [WIP] feat(03-01): …
			return asciiLower(inner), scope, rest
		}
		return "", inner, text
	}
	if before, after, ok := strings.Cut(line, ": "); ok && strings.ContainsAny(before, "0123456789") {
		var s Subject
		if s.readScope(before); len(s.Plans) > 0 {
			return "", before, strings.TrimSpace(after)
		}
	}
	return "", "", line
}

func cutBrackets(s string, open, end byte) (inner, after string, ok bool) {
	if s == "" || s[0] != open {
		return "", "", false
	}
	depth := 0 // revert(feat(03-01)): …
	for i := range len(s) {
		switch s[i] {
		case open:
			depth++
		case end:
			if depth--; depth == 0 {
				return s[1:i], s[i+1:], true
			}
		}
	}
	return "", "", false
}

// cutColon cuts what stands between a scope and the text: `:`, or `!:` of a breaking change.
func cutColon(s string) (string, bool) {
	text, ok := strings.CutPrefix(strings.TrimPrefix(s, "!"), ":")
	return strings.TrimSpace(text), ok
}

// readScope reads `03-01`, `3-1, 3-2`, `03-01-T2`, `phase-03`, `03`, `phase 3 plan 1 task 2`, `03-slug`.
// `quick-001` is a plan that belongs to no phase.
func (s *Subject) readScope(scope string) {
	s.Tasks = appendTasks(s.Tasks, scope)
	if key := quickKey(scope); key != "" {
		s.Plans = appendSome(s.Plans, key)
		return
	}
	for i := 0; i < len(scope); {
		if !startsNumber(scope, i) {
			i++
			continue
		}
		ref, n := cutRef(scope[i:])
		before := wordsBefore(scope[:i], " -_#:.")
		i += n
		switch {
		case n == 0:
			i++
		case endsWithWord(before, "task", "tasks"): // appendTasks has it
		case ref.plan != "":
			s.Plans = appendSome(s.Plans, planKey(ref.phase, ref.plan))
			if ref.task > 0 {
				s.Tasks = appendSome(s.Tasks, ref.task)
			}
		case endsWithWord(before, "plan") && s.Phase != "":
			s.Plans = appendSome(s.Plans, planKey(s.Phase, ref.phase))
		case s.Phase == "" && len(s.Plans) == 0 && (before == "" || endsWithWord(before, "phase")):
			s.Phase = phaseKey(ref.phase)
		}
	}
	if len(s.Plans) > 0 {
		s.Phase = ""
	}
}

// planRef is `03-01-T2` taken apart. task is zero and plan empty where they are not told.
type planRef struct {
	phase, plan string
	task        int
}

// cutRef reads a reference at the start of s and tells how long it is; zero where there is none. What looks like
// a date or a range of three numbers is none.
func cutRef(s string) (ref planRef, length int) {
	at := cutCode(s)
	n := phaseLength(s[at:])
	if n == 0 {
		return planRef{}, 0
	}
	ref.phase, at = s[at:at+n], at+n
	if at+1 >= len(s) || s[at] != '-' && s[at] != '/' || !isDigit(s[at+1]) {
		return ref, at
	}
	n = planLength(s[at+1:])
	if n == 0 {
		return ref, at
	}
	plan, end := s[at+1:at+1+n], at+1+n
	if end+1 < len(s) && s[end] == s[at] && isDigit(s[end+1]) {
		for end < len(s) && (isDigit(s[end]) || s[end] == '-' || s[end] == '/') {
			end++
		}
		return planRef{}, end
	}
	ref.plan = plan
	const longest = len("-task-1234567") // of what may follow: more digits are no task's number
	rest := strings.ToLower(s[end:min(len(s), end+longest)])
	for _, mark := range []string{"-task-", "-task", "-t", ".t", "/t", " t", ".", "#", "/"} {
		if digits, ok := strings.CutPrefix(rest, mark); ok {
			if task, n := cutInt(digits); n > 0 && !wordAt(digits, n) {
				ref.task = task
				return ref, end + len(mark) + n
			}
		}
	}
	return ref, end
}

// cutCode gives the length of a project's code: `PROJ-` before the phase.
func cutCode(s string) int {
	n := 0
	for n < len(s) && n < 6 && 'A' <= s[n] && s[n] <= 'Z' {
		n++
	}
	if n > 0 && n+1 < len(s) && s[n] == '-' && isDigit(s[n+1]) {
		return n + 1
	}
	return 0
}

// phaseLength gives the length of a phase's number: `3`, `02.1`, `12A`; planLength that of a plan's in its phase.
// Zero where a word goes on: `2fa` is none.
func phaseLength(s string) int {
	n := digits(s)
	for n > 0 && n+1 < len(s) && s[n] == '.' && isDigit(s[n+1]) {
		n += 1 + digits(s[n+1:])
	}
	return withLetter(s, n)
}

func planLength(s string) int { return withLetter(s, digits(s)) }

func withLetter(s string, n int) int {
	if n > 0 && n < len(s) && 'A' <= s[n] && s[n] <= 'Z' && !wordAt(s, n+1) {
		n++
	}
	if n == 0 || wordAt(s, n) || n > 20 {
		return 0
	}
	return n
}

// mentionedPlans lists the plans that a text names in passing: a pair must be padded as GSD writes it (`03-01`),
// stand in brackets, or follow a word such as plan.
func mentionedPlans(text string) []string {
	var found []string
	for i := 0; i < len(text); {
		if !startsNumber(text, i) {
			i++
			continue
		}
		ref, n := cutRef(text[i:])
		if ref.plan != "" {
			before := wordsBefore(text[:i], " #:")
			padded := strings.HasPrefix(text[i:], "0") || strings.HasPrefix(ref.plan, "0")
			led := strings.HasSuffix(before, "(") || strings.HasSuffix(before, "[") ||
				endsWithWord(before, "plan", "plans", "phase", "execute")
			if padded || led {
				found = appendSome(found, planKey(ref.phase, ref.plan))
			}
		}
		i += max(n, 1)
	}
	return found
}

// startsNumber tells whether a reference may begin at i: a digit, or a project's code, that nothing goes before.
func startsNumber(s string, i int) bool {
	if !isDigit(s[i]) && cutCode(s[i:]) == 0 {
		return false
	}
	return i == 0 || !wordByte(s[i-1]) && s[i-1] != '.' && (s[i-1] != '-' || i > 1 && !isDigit(s[i-2]))
}

// appendLabels adds the tasks that a text is labelled with: `Task 2: …`, `tasks 1, 2 and 4 …`, `task 2/3 …` (the
// second of three) and `T2: …` at its start, there also behind a word such as complete, and `(task 2)` anywhere. A
// number in the middle of prose (`before task 4`) is no label.
func appendLabels(tasks []int, text string) []int {
	lower := asciiLower(text)
	found, n := cutLabel(lower)
	if n == 0 {
		if verb, rest, ok := strings.Cut(lower, " "); ok && slices.Contains([]string{"complete", "completed", "finish", "finished", "implement"}, verb) {
			found, _ = cutLabel(rest)
		}
	}
	for at, end := 0, 0; ; {
		next := strings.IndexAny(lower[at:], "([")
		if next < 0 {
			break
		}
		at += next + 1
		if end < at { // else it is still that of the bracket before
			if next = strings.IndexAny(lower[at:], ")]"); next < 0 {
				break
			}
			end = at + next
		}
		inner := strings.TrimLeft(lower[at:end], " ")
		if ref, n := cutRef(inner); n > 0 && ref.plan != "" { // (03-01, task 2)
			inner = strings.TrimLeft(inner[n:], " ,:-")
		}
		if len(inner) > longestLabel {
			continue
		}
		if in, n := cutLabel(inner + ":"); n == len(inner)+1 {
			found = append(found, in...)
		}
	}
	return appendSome(tasks, found...)
}

// longestLabel is how many bytes in brackets may be a label: `tasks 1, 2, 3, 4, 5, 6, 7, 8, 9 and 10`.
const longestLabel = 300

// cutLabel reads `task 2`, `tasks 1-3`, `task 2 of 3` or `t2:` at the start of a text in lower case, and tells how
// long it is.
func cutLabel(lower string) (tasks []int, length int) {
	rest, ok := strings.CutPrefix(lower, "task")
	if !ok {
		if rest, ok = strings.CutPrefix(lower, "t"); !ok {
			return nil, 0
		}
		n, length := cutInt(rest)
		after := strings.TrimLeft(rest[length:], " ")
		if length == 0 || after == "" || strings.IndexByte(":.)-", after[0]) < 0 && !strings.HasPrefix(after, "–") ||
			len(after) > 1 && (after[0] == '.' || after[0] == '-') && after[1] != ' ' {
			return nil, 0
		}
		return []int{n}, len(lower) - len(strings.TrimPrefix(strings.TrimLeft(rest[length:], " "), ":"))
	}
	rest = strings.TrimLeft(strings.TrimPrefix(rest, "s"), " -#_")
	tasks, n := cutTaskList(rest)
	if n == 0 {
		return nil, 0
	}
	rest = rest[n:]
	if of, ok := strings.CutPrefix(rest, " of "); ok && digits(of) > 0 {
		rest = of[digits(of):]
	}
	return tasks, len(lower) - len(strings.TrimPrefix(rest, ":"))
}

// appendTasks adds the tasks that a text names anywhere: `undo tasks 2 and 3`.
func appendTasks(tasks []int, text string) []int {
	lower := asciiLower(text)
	for i := 0; ; {
		at := strings.Index(lower[i:], "task")
		if at < 0 {
			return tasks
		}
		start := i + at
		i = start + len("task")
		if start > 0 && wordByte(lower[start-1]) {
			continue
		}
		rest := strings.TrimLeft(strings.TrimPrefix(lower[i:], "s"), " -#_")
		found, _ := cutTaskList(rest)
		tasks = appendSome(tasks, found...)
	}
}

// mostTasks is how many tasks, or plans, one commit can name: more is a number that means something else.
const mostTasks = 50

// cutTaskList reads `2`, `1-3`, `1, 2 and 4`, `2/3`, `2 of 3` at the start of a text, and tells how long it is.
func cutTaskList(s string) (tasks []int, length int) {
	n, at := cutInt(s)
	if at == 0 || wordAt(s, at) || at+1 < len(s) && (s[at] == '.' && isDigit(s[at+1]) || s[at] == '-' && wordAt(s, at+1) && !isDigit(s[at+1])) {
		return nil, 0 // `2.5 times`, `1-click`
	}
	tasks = []int{n}
	for len(tasks) < mostTasks {
		rest := s[at:]
		if after, ok := strings.CutPrefix(rest, "/"); ok {
			_, n := cutInt(after)
			return tasks, at + 1 + n
		}
		gap := 0
		for _, joiner := range []string{" and ", ", and ", " & ", " + ", ", ", "-", "–", "+", "&", ","} {
			if strings.HasPrefix(rest, joiner) {
				gap = len(joiner)
				break
			}
		}
		if gap == 0 {
			break
		}
		next, n := cutInt(rest[gap:])
		if n == 0 || wordAt(rest, gap+n) {
			break
		}
		if joiner := rest[:gap]; joiner == "-" || joiner == "–" {
			last := tasks[len(tasks)-1]
			if next <= last || next-last > mostTasks {
				break
			}
			for k := last + 1; k < next; k++ {
				tasks = append(tasks, k)
			}
		}
		tasks = append(tasks, next)
		at += gap + n
	}
	return tasks, at
}

// cutTask takes the number of a task off the start of a text: `Task 2: create schema`.
func cutTask(text string) string {
	lower := asciiLower(text)
	_, n := cutLabel(lower)
	if n == 0 {
		return text
	}
	if after := strings.TrimLeft(text[n:], " :.)-–—"); after != "" {
		return after
	}
	return text
}

// planKey writes a plan's name so that `03-01` and `3-1` are the same; phaseKey a phase's.
func planKey(phase, plan string) string { return phaseKey(phase) + "-" + trimZeros(plan) }

// quickKey writes a quick task's name, `quick/001` or `quick-1`; empty for anything else.
func quickKey(name string) string {
	rest, ok := strings.CutPrefix(asciiLower(name), "quick")
	if !ok || len(rest) < 2 || rest[0] != '/' && rest[0] != '-' || !isDigit(rest[1]) || strings.ContainsAny(rest, " ,()[]:") {
		return ""
	}
	return "quick-" + trimZeros(rest[1:])
}

func phaseKey(phase string) string {
	parts := strings.Split(phase, ".")
	for i := range parts {
		parts[i] = trimZeros(parts[i])
	}
	return strings.Join(parts, ".")
}

func trimZeros(s string) string {
	s = strings.ToUpper(s)
	for len(s) > 1 && s[0] == '0' && isDigit(s[1]) {
		s = s[1:]
	}
	return s
}

// asciiLower keeps the length in bytes, which strings.ToLower does not.
func asciiLower(s string) string {
	b := []byte(s)
	for i, c := range b {
		if 'A' <= c && c <= 'Z' {
			b[i] = c + 'a' - 'A'
		}
	}
	return string(b)
}

func isDigit(c byte) bool { return '0' <= c && c <= '9' }

// wordByte tells whether a byte is a part of a word; all but ASCII is.
func wordByte(c byte) bool {
	return isDigit(c) || 'a' <= c && c <= 'z' || 'A' <= c && c <= 'Z' || c == '_' || c >= utf8.RuneSelf
}

func wordAt(s string, i int) bool { return i < len(s) && wordByte(s[i]) }

func digits(s string) int {
	n := 0
	for n < len(s) && isDigit(s[n]) {
		n++
	}
	return n
}

// cutInt reads a number from 1 on of at most six digits.
func cutInt(s string) (value, length int) {
	n := digits(s)
	if n == 0 || n > 6 {
		return 0, 0
	}
	value, err := strconv.Atoi(s[:n])
	if err != nil || value == 0 {
		return 0, 0
	}
	return value, n
}

// endsWithWord tells whether a text ends with one of some words.
func endsWithWord(text string, words ...string) bool {
	return slices.ContainsFunc(words, func(word string) bool {
		rest, ok := strings.CutSuffix(text, word)
		return ok && (rest == "" || !wordByte(rest[len(rest)-1]))
	})
}

// wordsBefore gives the end of a text in lower case, without some bytes behind it: as much as [endsWithWord] looks at.
func wordsBefore(text, trim string) string {
	const longest = len(" execute")
	text = strings.TrimRight(text, trim)
	return strings.ToLower(text[max(0, len(text)-longest):])
}

func appendOnce[T comparable](list []T, v T) []T {
	if slices.Contains(list, v) {
		return list
	}
	return append(list, v)
}

// appendSome adds what is not there yet, up to mostTasks: a list of tasks or plans.
func appendSome[T comparable](list []T, more ...T) []T {
	for _, v := range more {
		if len(list) < mostTasks {
			list = appendOnce(list, v)
		}
	}
	return list
}
