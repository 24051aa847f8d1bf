package roadmap

// title.go: parsing titles, which contain more than a name: markup, emoji, a status, a count of plans, (INSERTED).

import (
	"cmp"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/gsd-cli/gsd/internal/planref"
)

// phaseTitle parses a phase, `Phase 3: Name`, after markup and emoji, as upstream does: `[GSD] Phase 3 (Cluster B): Name`, optionally
// with a tag before it and one after its number (OPTIONAL_PHASE_TAG_SOURCE, phase-id.cjs). With a version in brackets
// the word may be missing: `[GSD.02] 03: Name` (ADR-612). It returns false for any other text and for a range of
// phases.
func phaseTitle(s string) (f fact, ok bool) {
	before, tag, bare := cutMarks(s)
	f.milestone = bracketVersion(tag)
	rest, isPhase := cutWord(bare, "phase")
	if !isPhase && f.milestone == "" {
		return fact{}, false
	}
	id := strings.TrimLeft(rest, " \t*_`")
	f.number, rest, ok = planref.CutPhase(id)
	isNumber := ok
	if !ok && isPhase {
		f.number, rest, ok = planref.CutCustom(id) // Phase AUTH: Login
	}
	if !ok || isRange(rest) || !(isPhase && isNumber) && !strings.HasPrefix(rest, ":") {
		return fact{}, false
	}
	if tag, after, tagged := cutTag(strings.TrimLeft(rest, " *"), '(', ')'); tagged && strings.HasPrefix(strings.TrimLeft(after, " *"), ":") {
		f.milestone, rest = cmp.Or(versionAt(tag), f.milestone), strings.TrimLeft(after, " *")
	}
	t := readTitle(afterNumber(rest))
	f.title = cmp.Or(readTitle(afterNumber(wrapped(before, rest))).name, t.name) // **Phase 3**: Name
	f.status, f.done, f.total = cmp.Or(t.status, firstSign(before)), t.done, t.total
	f.retired = strings.Contains(before, "~~")
	return f, true
}

// cutMarks splits off the markup and the emoji before a title, with a tag in brackets: `✅ **[GSD.02] `.
func cutMarks(s string) (before, tag, rest string) {
	rest = skipMarkup(s)
	before = s[:len(s)-len(rest)]
	if tag, after, ok := cutTag(s[max(0, len(before)-1):], '[', ']'); ok && strings.HasPrefix(after, " ") {
		rest = skipMarkup(after)
		return strings.TrimSuffix(before, "[") + after[:len(after)-len(rest)], tag, rest
	}
	return before, "", rest
}

// cutTag splits off a text in brackets at the start of s.
func cutTag(s string, open, shut byte) (tag, rest string, ok bool) {
	const longest = 200 // bytes, as upstream has it
	end := strings.IndexByte(s[:min(len(s), longest)], shut)
	if end < 0 || s[0] != open {
		return "", s, false
	}
	return s[1:end], s[end+1:], true
}

// bracketVersion returns the milestone in a bracketed tag by ADR-612: 2 for `GSD.02`.
func bracketVersion(tag string) string {
	code, digitsOf, ok := strings.Cut(tag, ".")
	n := digits(digitsOf)
	if !ok || code == "" || !isLetter(code[0]) || n < 2 || n != len(digitsOf) {
		return ""
	}
	return versionAt("v" + digitsOf)
}

// cutWord drops a word, in any case, from the start of s.
func cutWord(s, word string) (string, bool) {
	if len(s) <= len(word) || !strings.EqualFold(s[:len(word)], word) || isWord(s[len(word)]) {
		return s, false
	}
	return s[len(word):], true
}

// afterNumber drops the punctuation between a number and its name.
func afterNumber(s string) string { return strings.TrimLeft(s, ":.-–— \t*`~") }

// wrapped returns the part of rest inside the emphasis that before opens, or all of rest.
func wrapped(before, rest string) string {
	for _, mark := range []string{"**", "~~"} {
		if strings.Contains(before, mark) {
			rest, _, _ = strings.Cut(rest, mark)
		}
	}
	return rest
}

// title is what a title says: the name of a phase, a plan or a milestone, and what else is before and after it.
type title struct {
	name        string
	status      Status       // of the first part that is only a status, else of an emoji before or after the name
	done, total int          // `(2/5 plans)`
	ranges      []phaseRange // `(Phases 1-4, 6)`
}

// readTitle reads a title without its number, part by part: it is split at brackets, dashes between blanks, arrows and the emoji of a status.
// A part that is a status, counts or (INSERTED) ends the name.
func readTitle(s string) (t title) {
	const marks = " \t:-–—)]|"
	s = plain(s)
	begin, end := len(s), len(s) // of the name
	before, at := 0, 0           // the part, and the separator before it
	for {
		to := at
		for to < len(s) && separator(s[to:]) == 0 {
			to++
		}
		part := s[at:to]
		isNoise := at > 0 && isNoise(part)
		if isNoise && begin < len(s) {
			end = min(end, before)
		} else if !isNoise && strings.Trim(part, marks) != "" {
			begin = min(begin, before)
		}
		if at > 0 {
			t.status = cmp.Or(t.status, statusOnly(part))
		}
		if s[before:at] == "(" {
			t.done, t.total = counts(part)
		}
		if t.ranges == nil {
			t.ranges = cutRanges(part)
		}
		if to == len(s) {
			break
		}
		before, at = to, to+separator(s[to:])
	}
	t.name = strings.TrimRight(strings.TrimLeft(s[begin:max(begin, end)], marks), " \t:-–—→|(")
	t.name = strings.TrimFunc(t.name, func(r rune) bool { // other emoji belong to the name
		return unicode.IsSpace(r) || sign(r) != Unknown || r == '\ufe0f'
	})
	ahead, behind, _ := strings.Cut(s, t.name)
	t.status = cmp.Or(t.status, firstSign(ahead+behind))
	return t
}

// separator returns the length of the separator at the start of s, or 0.
func separator(s string) int {
	switch s[0] {
	case '(', ')', '[', ']':
		return 1
	case ' ':
		for _, sep := range []string{" - ", " — ", " – ", " → "} {
			if strings.HasPrefix(s, sep) {
				return len(sep) - 1 // its last blank may begin the next
			}
		}
		if r, _ := utf8.DecodeRuneInString(s[1:]); sign(r) != Unknown {
			return 1 // `Base ✅ SHIPPED`
		}
	}
	return 0
}

// isNoise reports whether a part of a title, up to its first comma, does not belong to the name.
func isNoise(part string) bool {
	part, _, _ = strings.Cut(part, ",")
	part = strings.TrimSpace(part)
	_, phases := cutPhases(part)
	counted := strings.TrimLeft(part, "0123456789/TBD? ") // 2/5 plans, 3 plans
	return phases || statusOnly(part) != Unknown || strings.EqualFold(part, "inserted") ||
		counted != part && strings.HasPrefix(counted, "plan")
}

// skipMarkup drops emphasis, the bracket of a tag and emoji before a title.
func skipMarkup(s string) string {
	return strings.TrimLeftFunc(s, func(r rune) bool {
		return r == ' ' || r == '\t' || strings.ContainsRune("*_~`[", r) || r > 127 && !unicode.IsLetter(r)
	})
}

// isRange reports whether the text after a number makes it a range, as in `1-6` or `1–6` but not in `3 - 2 plans`.
func isRange(rest string) bool {
	after := strings.TrimLeft(rest, "-–—")
	return after != rest && digits(after) > 0
}

// plain drops inline markup that cannot be part of a word: docs/*.md and SNAKE_CASE are kept.
func plain(s string) string {
	if strings.ContainsAny(s, "*~`") {
		s = markup.Replace(s)
	}
	return strings.TrimSpace(s)
}

var markup = strings.NewReplacer("**", "", "~", "", "`", "")

// counts parses `2/5` at the start of s; the total is 0 for `2/TBD` and `2/?`.
func counts(s string) (done, total int) {
	done, rest := cutCount(strings.TrimSpace(s))
	if rest, ok := strings.CutPrefix(rest, "/"); ok {
		total, _ = cutCount(rest)
	}
	return done, total
}

// countOf parses the value of a Plans: line: `2/4 plans complete`, `3 plans`, `7`. The total is 0 if it does not count
// plans, as in `5 areas`.
func countOf(s string) (done, total int) {
	if done, total = counts(s); total > 0 {
		return done, total
	}
	n, rest := cutCount(s)
	if rest != "" && !strings.HasPrefix(rest, " plan") {
		return 0, 0
	}
	return 0, n
}

// cutCount splits off a number of at most six digits at the start of s. If there is none, n is 0 and rest is s.
func cutCount(s string) (n int, rest string) {
	end := digits(s)
	if end == 0 || end > 6 {
		return 0, s
	}
	n, _ = strconv.Atoi(s[:end])
	return n, s[end:]
}
