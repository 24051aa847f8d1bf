package roadmap

// subject.go: the plans that a commit's subject names. Subjects are prose, and prose is full of pairs of numbers;
// what stands in the scope of a conventional commit is meant, and only that where there is one.

import "strings"

// named lists the plans that a subject names, those in its scope if there are any, and tells whether they are
// from there: `feat(03-02): …`, `[03-02] …`, `execute plans 3-1, 3-2`, `feat(05-01-T1): …`.
func named(subject string) (names []fileName, scoped bool) {
	if open := strings.IndexByte(subject, '('); open > 0 && strings.IndexFunc(subject[:open], notLetter) < 0 {
		if scope, _, ok := strings.Cut(subject[open+1:], "):"); ok && !strings.Contains(scope, "(") {
			if names = pairs(scope, true); len(names) > 0 {
				return names, true
			}
		}
	}
	return pairs(subject, false), false
}

// mentions lists the plans that a subject names.
func mentions(subject string) []fileName {
	names, _ := named(subject)
	return names
}

// pairs lists the pairs of a phase and a plan number in a text. Unless all of them are meant, a pair must be
// padded as upstream pads it (`03-01`), stand in brackets, or follow a word such as plan: `2-3 seconds` is none.
// A date or a range of more than two numbers never is.
func pairs(text string, meant bool) []fileName {
	var found []fileName
	led := -1 // behind the last pair that was taken: a list goes on there
	for i := 0; i < len(text); i++ {
		c := text[i]
		if !isDigit(c) && !('A' <= c && c <= 'Z') || i > 0 && (isWord(text[i-1]) || text[i-1] == '-' || text[i-1] == '.') {
			continue
		}
		phase, rest, ok := cutNumber(text[i:])
		if !ok || len(rest) < 2 || rest[0] != '-' || !isDigit(rest[1]) {
			continue
		}
		plan, after, ok := cutNumber(rest[1:])
		if !ok || len(after) > 1 && after[0] == '-' && isDigit(after[1]) {
			continue
		}
		end := len(text) - len(after)
		if meant || led >= 0 && isJoiner(text[led:i]) || isPadded(text[i:end]) || isLed(text[:i]) {
			found = append(found, fileName{phase: phase, plan: plan})
			led = end
		}
		i = end - 1
	}
	return found
}

// isPadded tells whether one of the two numbers of a pair begins with a zero.
func isPadded(pair string) bool {
	pair = cutProject(pair)
	_, plan, _ := strings.Cut(pair, "-")
	return strings.HasPrefix(pair, "0") || strings.HasPrefix(plan, "0")
}

// isLed tells whether what stands before a pair says that it is a plan's.
func isLed(before string) bool {
	before = strings.TrimRight(before, " #:")
	if strings.HasSuffix(before, "[") || strings.HasSuffix(before, "(") {
		return true
	}
	before = strings.ToLower(before)
	for _, word := range []string{"plan", "plans", "phase", "execute", "task", "quick"} {
		if rest, ok := strings.CutSuffix(before, word); ok && (rest == "" || !isWord(rest[len(rest)-1])) {
			return true
		}
	}
	return false
}

// isJoiner tells whether a text joins two items of a list.
func isJoiner(s string) bool {
	switch strings.TrimSpace(s) {
	case ",", "+", "&", "and", ", and", "/", ";":
		return true
	}
	return false
}

// writes tells a commit whose type says that it writes about work, if there is anything that it wrote to.
func writes(subject string) bool {
	kind, _, _ := strings.Cut(subject, ":")
	kind, _, _ = strings.Cut(kind, "(")
	switch strings.ToLower(strings.TrimSpace(kind)) {
	case "docs", "chore", "wip":
		return true
	}
	return false
}

// closes tells whether a subject ends the plans in its scope: `docs(03-02): complete export plan`.
func closes(subject string) bool {
	kind, says, ok := strings.Cut(subject, ": ")
	if !ok || !strings.HasPrefix(kind, "docs(") {
		return false
	}
	words := strings.FieldsFunc(strings.ToLower(says), notLetter)
	if len(words) == 0 || words[0] != "complete" && words[0] != "completed" {
		return false
	}
	for _, w := range words[1:] {
		if w == "plan" || w == "plans" || w == "summary" {
			return true
		}
	}
	return len(words) == 1
}

// cutRevert is the subject of the commit that a revert takes back, as git words it.
func cutRevert(subject string) (string, bool) {
	rest, ok := strings.CutPrefix(subject, `Revert "`)
	if !ok {
		return "", false
	}
	return strings.CutSuffix(rest, `"`)
}
