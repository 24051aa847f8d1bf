package roadmap

// title.go: a title as people write it carries more than a name: markup, signs, a status, a date, a
// count of plans, (INSERTED). Here it is taken apart.

import (
	"iter"
	"strings"
	"unicode"

	"github.com/gsd-cli/gsd/internal/planref"
)

// phaseHead is `Phase 3: Name` at the start of a heading, a check box or a cell.
type phaseHead struct {
	number  planref.Number
	title   string // all that follows the number, without markup
	name    string // of that the name
	version string // of `Phase 3 (v2.0): Name`
	sign    Status // by a sign before it: `✅ Phase 3`
}

// phaseTitle reads a phase after markup and signs. A range of phases is no phase.
func phaseTitle(s string) (h phaseHead, ok bool) {
	bare := skipMarkup(s)
	before := s[:len(s)-len(bare)]
	if len(bare) < 6 || !strings.EqualFold(bare[:5], "phase") {
		return h, false
	}
	rest := strings.TrimLeft(bare[5:], " \t*_`")
	if len(rest) == len(bare)-5 {
		return h, false
	}
	h.number, rest, ok = planref.CutNumber(rest)
	if !ok || isRange(rest) {
		return h, false
	}
	h.sign = firstSign(before)
	name := wrapped(before, rest)
	rest = strings.TrimLeft(rest, " \t*_`")
	if after, found := strings.CutPrefix(rest, "("); found {
		if v, _, found := strings.Cut(after, ")"); found && !strings.ContainsAny(v, " ,") {
			h.version = versionAt(v)
		}
	}
	h.title = plain(strings.TrimLeft(rest, ":.-–— \t*_"))
	if name = cutName(plain(afterNumber(name))); name == "" {
		name = cutName(plain(afterNumber(rest))) // **Phase 3**: Name
	}
	h.name = name
	return h, true
}

// afterNumber drops the marks between a number and its name.
func afterNumber(s string) string { return strings.TrimLeft(s, ":.-–— \t*_`~]") }

// wrapped is the part of rest that belongs to the emphasis or the link which opened before it; all of
// rest where none did.
func wrapped(before, rest string) string {
	for _, end := range []struct{ open, close string }{{"**", "**"}, {"__", "__"}, {"~~", "~~"}, {"[", "]("}} {
		if strings.HasSuffix(strings.TrimRight(before, "[ "), end.open) || strings.HasSuffix(before, end.open) {
			if name, _, found := strings.Cut(rest, end.close); found {
				return name
			}
		}
	}
	return rest
}

// cutName is the name in a title: up to the first part behind it that is status, count, date, version or
// (INSERTED), without such parts before it.
func cutName(title string) string {
	const marks = " \t:.-–—"
	name, from := title, 0
	for part := range titleParts(title) {
		if part.start == 0 || !isNoise(part.text) {
			continue
		}
		if name = title[from:part.before]; strings.Trim(name, marks+")]") != "" {
			break
		}
		from = part.start + len(part.text)
		name = title[from:]
	}
	if from > 0 {
		name = strings.TrimLeft(name, marks+")]")
	}
	return trimSigns(strings.TrimRight(name, " \t:-–—→>|(["))
}

// titlePart is what stands between two separators of a title; before is where the separator begins.
type titlePart struct {
	text          string
	before, start int
}

// titleParts takes a title apart at brackets, dashes between blanks and arrows.
func titleParts(title string) iter.Seq[titlePart] {
	return func(yield func(titlePart) bool) {
		before, start := 0, 0
		for i := 0; i < len(title); {
			n := separator(title[i:])
			if n == 0 {
				i++
				continue
			}
			if !yield(titlePart{title[start:i], before, start}) {
				return
			}
			before, start = i, i+n
			i = start
		}
		yield(titlePart{title[start:], before, start})
	}
}

// separator is the length of the separator that s begins with; 0 for none.
func separator(s string) int {
	switch s[0] {
	case '(', ')', '[', ']':
		return 1
	case ' ':
		for _, sep := range []string{" - ", " — ", " – ", " -- ", " → ", " -> ", " | ", " · "} {
			if strings.HasPrefix(s, sep) {
				return len(sep) - 1 // its last blank may begin the next
			}
		}
	}
	return 0
}

// isNoise tells whether a part of a title is not of its name. Of an enumeration the first counts.
func isNoise(part string) bool {
	part, _, _ = strings.Cut(part, ",")
	part = strings.TrimSpace(part)
	switch {
	case part == "":
		return false
	case statusOnly(part) != Unknown, strings.EqualFold(part, "inserted"):
		return true
	case versionAt(part) != "" && !strings.Contains(part, " "):
		return true
	}
	if _, ok := cutPhases(part); ok {
		return true
	}
	n := digits(part)
	if n == 0 {
		return false
	}
	if n == 4 && len(part) > 6 && part[4] == '-' && isDigit(part[5]) {
		return true // a date
	}
	rest := strings.TrimLeft(part[n:], "/0123456789TBD? ")
	return strings.HasPrefix(rest, "plan") // 2/5 plans, 3 plans
}

// trimSigns drops blanks and signs from both ends of a name.
func trimSigns(s string) string {
	return strings.TrimFunc(s, func(r rune) bool {
		const arrows = 0x2190 // above the letter-like symbols: ™ belongs to a name
		return unicode.IsSpace(r) || r >= arrows && unicode.In(r, unicode.So, unicode.Sk) ||
			sign(r) != Unknown || r == '\ufe0f' || r == '\u200d'
	})
}

// skipMarkup drops what may stand before a title: emphasis, a link's or a box's bracket, signs.
func skipMarkup(s string) string {
	return strings.TrimLeftFunc(s, func(r rune) bool {
		return r == ' ' || r == '\t' || strings.ContainsRune("*_~`[]>", r) || r > 127 && !unicode.IsLetter(r)
	})
}

// isRange tells whether a number goes on as `1-6` or `1–6`; `3 - 2 plans` does not.
func isRange(rest string) bool {
	for _, dash := range []string{"-", "–", "—"} {
		if after, ok := strings.CutPrefix(rest, dash); ok {
			return digits(after) > 0
		}
	}
	return false
}

// plain drops inline markup: emphasis, code, strike-through, and of a link all but its text. Code and
// SNAKE_CASE stay.
func plain(s string) string {
	if strings.Contains(s, "](") {
		var b strings.Builder
		for {
			i := strings.Index(s, "](")
			if i < 0 {
				break
			}
			end := strings.IndexByte(s[i:], ')')
			if end < 0 {
				break // nor does any later link end
			}
			b.WriteString(dropBracket(s[:i]))
			b.WriteByte(' ')
			s = s[i+end+1:]
		}
		s = b.String() + s
	}
	if !strings.ContainsAny(s, "*`~_") {
		return strings.TrimSpace(s)
	}
	var b strings.Builder
	for i := 0; i < len(s); i++ {
		switch c := s[i]; {
		case c == '`':
			if end := strings.IndexByte(s[i+1:], '`'); end >= 0 {
				b.WriteString(s[i+1 : i+1+end]) // code is kept as it is
				i += end + 1
			}
		case c == '*', c == '~':
		case c == '_' && (i == 0 || i+1 == len(s) || s[i-1] == ' ' || s[i+1] == ' '):
		default:
			b.WriteByte(c)
		}
	}
	return strings.TrimSpace(b.String())
}

// dropBracket drops the bracket that opened a link's text.
func dropBracket(s string) string {
	if i := strings.LastIndexByte(s, '['); i >= 0 {
		return s[:i] + s[i+1:]
	}
	return s
}

// dropTags drops HTML tags: `<b>v1.0</b>`.
func dropTags(s string) string {
	if !strings.Contains(s, "<") {
		return s
	}
	var b strings.Builder
	for {
		before, rest, found := strings.Cut(s, "<")
		b.WriteString(before)
		if !found {
			return b.String()
		}
		if rest == "" || rest[0] != '/' && !isLetter(rest[0]) {
			b.WriteByte('<') // x < 3
			s = rest
			continue
		}
		end := strings.IndexByte(rest, '>')
		if end < 0 {
			b.WriteByte('<')
			b.WriteString(rest) // nor does any later tag end
			return b.String()
		}
		s = rest[end+1:]
	}
}

// lastCount is the part of a title that may count plans: what its last bracket holds.
func lastCount(title string) string {
	if b := lastBracket(title); strings.Contains(b, "plan") {
		return b
	}
	return ""
}

// counts reads `2/5` at the start of s; the total is 0 for `2/TBD` and `2/?`.
func counts(s string) (done, total int) {
	s = strings.TrimSpace(s)
	i := digits(s)
	if i == 0 || i > 6 || i >= len(s) {
		return 0, 0
	}
	rest := strings.TrimLeft(s[i:], " ")
	if rest == "" || rest[0] != '/' {
		return 0, 0
	}
	rest = strings.TrimLeft(rest[1:], " ")
	return small(s[:i]), small(rest[:min(digits(rest), 6)])
}

// planCount reads what a Plans: line counts: `2/4 plans complete`, `3 plans`, `2 plans (complete)`,
// `01-01 through 01-05 (5 plans)`. The total is 0 where it counts none.
func planCount(s string) (done, total int) {
	if done, total = counts(s); total > 0 {
		return done, total
	}
	n := digits(s)
	if n > 6 || n == 0 || isRange(s[n:]) || strings.HasPrefix(s[n:], "/") {
		s = lastCount(s)
		if n = digits(s); n == 0 || n > 6 || isRange(s[n:]) {
			return 0, 0
		}
	}
	total = small(s[:n])
	rest := strings.TrimLeft(s[n:], " ")
	if rest != "" && rest[0] != '(' && rest[0] != ',' && rest[0] != '.' && !strings.HasPrefix(rest, "plan") {
		return 0, 0 // 5 improvement areas
	}
	if b := lastBracket(rest); statusOnly(b) == Complete && strings.IndexFunc(b, unicode.IsDigit) < 0 {
		done = total
	}
	return done, total
}

// small is the value of at most six digits.
func small(s string) int {
	n := 0
	for i := range len(s) {
		n = n*10 + int(s[i]-'0')
	}
	return n
}
