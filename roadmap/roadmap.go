package roadmap

// roadmap.go: ROADMAP.md says the same thing in several places that are not all kept up to date, so
// Parse only collects who says what on which line; Phase decides. What is read here is text that
// people and models wrote: no form is an error, and what is not understood is passed over.

import (
	"cmp"
	"slices"
	"strings"
	"unicode"
)

// Source is the kind of place that a fact stands in.
type Source int

// The kinds of places.
const (
	Heading  Source = iota + 1 // a phase's heading, or a Status: line below it
	Checkbox                   // the phase's check box
	Table                      // its row in a progress table
	PlanList                   // check boxes of its plans
)

func (s Source) String() string {
	switch s {
	case Heading:
		return "heading"
	case Checkbox:
		return "checkbox"
	case Table:
		return "table"
	case PlanList:
		return "plan list"
	}
	return "none"
}

// Fact is what one line of the roadmap says of one phase.
type Fact struct {
	Number Number
	Status Status
	Line   int // 1-based
	Source Source
	// Done of Total plans, where the line counts them; Total is 0 where it does not, or does not know.
	Done, Total int
	// Milestone is the version that the fact belongs to, such as `1.10`; "" where none is told.
	Milestone string
	// Folded facts stand in <details>, as upstream keeps milestones that are over.
	Folded bool
}

// Roadmap is a parsed ROADMAP.md. The zero value is an empty one.
type Roadmap struct {
	Facts []Fact // in the order of their lines

	byPhase map[string][]int // indices in Facts by Number.key
}

// Parse reads a roadmap. It takes any bytes, in time linear in their number.
func Parse(src []byte) *Roadmap {
	p := parser{}
	lines := visible(string(src))
	for i := 0; i < len(lines); i++ {
		if t, ok := tableHeader(lines[i:]); ok {
			i = p.table(t, lines, i+2) - 1
			continue
		}
		p.line(lines[i])
	}
	r := &Roadmap{Facts: p.facts, byPhase: map[string][]int{}}
	slices.SortStableFunc(r.Facts, func(a, b Fact) int { return cmp.Compare(a.Line, b.Line) })
	for i, f := range r.Facts {
		r.byPhase[f.Number.key()] = append(r.byPhase[f.Number.key()], i)
	}
	return r
}

// parser is the place in the document: the milestone and the phase that lines belong to.
type parser struct {
	facts []Fact

	section         // of this line
	folds   int     // <details> that are open
	outer   section // around the outermost of them

	phase    Number // of the last phase heading; zero after another heading
	phaseMS  string
	hasLine  bool // its Status: line was seen
	planFact int  // index + 1 in facts of the plan list below it
}

// section is the milestone that lines belong to, and the level of the heading that opened it: 0 for
// the <summary> of a fold, which only the fold's end closes.
type section struct {
	milestone string
	level     int
}

// line reads one line outside tables.
func (p *parser) line(l line) {
	text := strings.TrimSpace(l.text)
	switch {
	case text == "":
	case text[0] == '#':
		p.heading(l.no, text)
	case text[0] == '<':
		p.fold(text)
	case (text[0] == '-' || text[0] == '*' || text[0] == '+') && p.checkbox(l.no, text[1:]):
	case !p.phase.IsZero() && !p.hasLine:
		p.statusLine(l.no, text)
	}
}

// heading reads `### Phase 02.1: Name (INSERTED)`, of any level up to 6, and milestone headings.
func (p *parser) heading(no int, text string) {
	level := len(text) - len(strings.TrimLeft(text, "#"))
	if level > 6 {
		return
	}
	text, done := cutDone(text[level:])
	n, title, version, ok := phaseTitle(text)
	if !ok {
		p.phase, p.hasLine, p.planFact = Number{}, false, 0
		if v := milestoneTitle(text); v != "" {
			p.section = section{v, level}
		} else if level <= p.level {
			p.section = section{}
		}
		return
	}
	if version == "" {
		version = p.milestone
	}
	p.phase, p.phaseMS, p.hasLine, p.planFact = n, version, false, 0
	f := Fact{Number: n, Status: cmp.Or(label(title), signBefore(text)), Line: no, Source: Heading, Milestone: version}
	if done && f.Status == Unknown {
		f.Status = Complete
	}
	p.add(f)
}

// cutDone drops a box in front of a heading's text, and tells whether it was ticked.
func cutDone(text string) (string, bool) {
	text = strings.TrimLeft(text, " \t")
	if len(text) < 3 || text[0] != '[' || text[2] != ']' || !strings.ContainsRune("xX ~-/>", rune(text[1])) {
		return text, false
	}
	return text[3:], text[1] == 'x' || text[1] == 'X'
}

// fold follows <details> and <summary>; both may stand in one line.
func (p *parser) fold(text string) {
	lower := strings.ToLower(text)
	if strings.Contains(lower, "<details") {
		if p.folds == 0 {
			p.outer = p.section
		}
		p.folds++
	}
	if _, summary, ok := strings.Cut(lower, "<summary>"); ok && p.folds == 1 {
		p.section = section{milestoneTitle(summary), 0}
	}
	if strings.Contains(lower, "</details") && p.folds > 0 {
		p.folds--
		if p.folds == 0 {
			p.section = p.outer
		}
	}
}

// checkbox reads what follows a bullet: `[x] **Phase 3: Name** (completed …)` or `[ ] 03-01-PLAN.md`.
// It answers whether the line is a check box at all.
func (p *parser) checkbox(no int, text string) bool {
	text = strings.TrimLeft(text, " \t")
	if len(text) < 3 || text[0] != '[' || text[2] != ']' {
		return false
	}
	mark, text := text[1], text[3:]
	if n, title, version, ok := phaseTitle(text); ok {
		f := Fact{Number: n, Line: no, Source: Checkbox, Milestone: version}
		if version == "" {
			f.Milestone = p.milestone
		}
		f.Done, f.Total = counts(lastCount(title))
		switch mark {
		case 'x', 'X':
			f.Status = Complete
		case '~', '/', '>':
			f.Status = InProgress
		default:
			// `[-]` is dropped to some and begun to others.
			f.Status = cmp.Or(label(title), signBefore(text))
		}
		p.add(f)
		return true
	}
	p.plan(no, mark, text)
	return true
}

// plan counts the check box of a plan to its phase's list; the list's line is that of its first plan
// that is not done.
func (p *parser) plan(no int, mark byte, text string) {
	text = strings.TrimLeft(text, " \t*_`~[")
	phase, rest, ok := cutNumber(text)
	if !ok || len(rest) < 2 || rest[0] != '-' {
		return
	}
	end := 1
	for end < len(rest) && (isWord(rest[end]) || rest[end] == '.') {
		end++
	}
	if _, _, ok := cutNumber(rest[1:]); !ok || !isDigit(rest[1]) {
		return
	}
	// A date is no plan: 2026-03-06.
	if digits(text) == 4 && end < len(rest) && rest[end] == '-' && end+1 < len(rest) && isDigit(rest[end+1]) {
		return
	}
	if p.planFact == 0 || Compare(p.facts[p.planFact-1].Number, phase) != 0 {
		ms := p.milestone
		if Compare(phase, p.phase) == 0 {
			ms = p.phaseMS
		}
		p.add(Fact{Number: phase, Line: no, Source: PlanList, Milestone: ms})
		p.planFact = len(p.facts)
	}
	f := &p.facts[p.planFact-1]
	if mark == 'x' || mark == 'X' {
		f.Done++
	} else if f.Done == f.Total {
		f.Line = no
	}
	f.Total++
}

// statusLine reads `**Status:** In progress` below a phase's heading.
func (p *parser) statusLine(no int, text string) {
	text = strings.TrimLeft(text, "->+* _")
	if len(text) < 7 || !strings.EqualFold(text[:6], "status") {
		return
	}
	value := strings.TrimLeft(text[6:], "* _")
	if value == "" || value[0] != ':' {
		return
	}
	value, _, _ = strings.Cut(value[1:], ". ")
	if st := statusIn(plain(value)); st != Unknown {
		p.hasLine = true
		p.add(Fact{Number: p.phase, Status: st, Line: no, Source: Heading, Milestone: p.phaseMS})
	}
}

func (p *parser) add(f Fact) {
	f.Folded = p.folds > 0
	p.facts = append(p.facts, f)
}

// phaseTitle reads `Phase 3: Name` at the start of a heading or a check box, after markup and signs.
// version is that of `Phase 3 (v2.0): Name`. A range of phases is no phase.
func phaseTitle(s string) (n Number, title, version string, ok bool) {
	s = skipMarkup(s)
	if len(s) < 6 || !strings.EqualFold(s[:5], "phase") {
		return n, "", "", false
	}
	rest := strings.TrimLeft(s[5:], " \t*_`")
	if len(rest) == len(s)-5 {
		return n, "", "", false
	}
	n, rest, ok = cutNumber(rest)
	if !ok || isRange(rest) {
		return n, "", "", false
	}
	rest = strings.TrimLeft(rest, " \t*_`")
	if after, found := strings.CutPrefix(rest, "("); found {
		if v, _, found := strings.Cut(after, ")"); found && !strings.ContainsAny(v, " ,") {
			version = versionAt(v)
		}
	}
	return n, plain(strings.TrimLeft(rest, ":.-–— \t*_")), version, true
}

// skipMarkup drops what may stand before a title: emphasis, a link's or a box's bracket, signs.
func skipMarkup(s string) string {
	return strings.TrimLeftFunc(s, func(r rune) bool {
		return r == ' ' || r == '\t' || strings.ContainsRune("*_~`[]>", r) || r > 127 && !unicode.IsLetter(r)
	})
}

// signBefore is the status that a sign before a title gives it: `✅ Phase 3`.
func signBefore(s string) Status { return firstSign(s[:len(s)-len(skipMarkup(s))]) }

// isRange tells whether a number goes on as `1-6` or `1–6`; `3 - 2 plans` does not.
func isRange(rest string) bool {
	for _, dash := range []string{"-", "–", "—"} {
		if after, ok := strings.CutPrefix(rest, dash); ok {
			return digits(after) > 0
		}
	}
	return false
}

// milestoneTitle is the version that a milestone's heading or summary begins with: `v1.2 Polish`,
// `🚧 v1.2`, `Milestone v2`. "" where it is not a milestone's, or has no version to be ordered by; a
// version inside a title is none (upstream #2619).
func milestoneTitle(s string) string {
	s = skipMarkup(s)
	if len(s) > 10 && strings.EqualFold(s[:9], "milestone") {
		s = strings.TrimLeft(s[9:], " \t:*_-")
	}
	return versionAt(s)
}

// versionAt is the version at the start of s, without its v.
func versionAt(s string) string {
	if s == "" || s[0] != 'v' && s[0] != 'V' {
		return ""
	}
	end := 1
	for end < len(s) && (isDigit(s[end]) || s[end] == '.' && end > 1 && isDigit(s[end-1])) {
		end++
	}
	v := strings.Trim(s[1:end], ".")
	for strings.HasSuffix(v, ".0") {
		v = v[:len(v)-2] // v1 is v1.0
	}
	if _, _, ok := cutNumber(v); !ok || end < len(s) && isWord(s[end]) {
		return ""
	}
	return v
}

// plain drops inline markup: emphasis, code, strike-through, and of a link all but its text.
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
			b.WriteString(s[:i])
			b.WriteByte(' ')
			s = s[i+end+1:]
		}
		s = b.String() + s
	}
	if strings.ContainsAny(s, "*`~_") {
		s = strings.Map(func(r rune) rune {
			switch r {
			case '*', '`', '~':
				return -1
			case '_':
				return ' '
			}
			return r
		}, s)
	}
	return strings.TrimSpace(s)
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

// small is the value of at most six digits.
func small(s string) int {
	n := 0
	for i := range len(s) {
		n = n*10 + int(s[i]-'0')
	}
	return n
}
