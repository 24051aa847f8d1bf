package roadmap

// document.go: the walk over the lines of a roadmap. A line is read by what it begins with, and belongs to the
// headings and folds that are open above it.

import (
	"cmp"
	"strings"

	"github.com/gsd-cli/gsd/internal/planref"
)

// parser is the place in the document: the milestone and the phase that lines belong to.
type parser struct {
	named string // the milestone that STATE.md names
	title Note
	facts []Fact
	items []Item
	told  []mention

	section         // of this line
	folds   int     // <details> that are open
	outer   section // around the outermost of them
	shown   bool    // the outermost folds nothing away
	summary bool    // a <summary> whose text is still to come
	list    bool    // below a heading such as `## Milestones`
	release int     // index + 1 in told of the milestone whose heading is the last

	phase     planref.Number // of the last phase heading; zero after another heading
	phaseMS   string
	hasStatus bool // its Status: line was seen
	hasPlans  bool // its Plans: line was seen
	planFact  int  // index + 1 in facts of the plan list below it
}

// section is the milestone that lines belong to, and the level of the heading that opened it: 0 for the <summary> of
// a fold, which only the fold's end closes.
type section struct {
	milestone string
	level     int
}

// line reads one line outside tables.
func (p *parser) line(l line) {
	text := strings.TrimSpace(l.text)
	if text == "" {
		return
	}
	if p.summary && text[0] != '#' && !strings.HasPrefix(text, "</") {
		p.summaryText(l.no, text)
		return
	}
	p.summary = false
	rest, bullet := cutBullet(text)
	switch {
	case text[0] == '#':
		p.heading(l.no, text)
	case text[0] == '<':
		p.fold(l.no, text)
	case bullet:
		p.bullet(l.no, rest)
	case !p.phase.IsZero(), p.release > 0:
		p.field(l.no, text)
	}
}

// cutBullet drops the mark of a list item: `-`, `*`, `+`, `1.`; `**bold**` is none.
func cutBullet(text string) (string, bool) {
	n := 1
	if strings.IndexByte("-*+", text[0]) < 0 {
		n = digits(text) + 1
		if n == 1 || n > 10 || n > len(text) || text[n-1] != '.' && text[n-1] != ')' {
			return text, false
		}
	}
	if n < len(text) && (text[n] == ' ' || text[n] == '\t') || strings.HasPrefix(text[n:], "[") {
		return strings.TrimLeft(text[n:], " \t"), true
	}
	return text, false
}

// heading reads `### Phase 02.1: Name (INSERTED)`, of any level up to 6, milestone headings and the title.
func (p *parser) heading(no int, text string) {
	level := len(text) - len(strings.TrimLeft(text, "#"))
	if level > 6 {
		return
	}
	mark, text := cutBox(strings.TrimLeft(text[level:], " \t"))
	if h, ok := phaseTitle(text); ok {
		h.status = cmp.Or(boxStatus(mark), h.status)
		p.phaseHeading(no, h)
		return
	}
	p.phase, p.phaseMS, p.planFact, p.release = planref.Number{}, "", 0, 0
	p.list = hasWordFold(plain(text), "milestones")
	m, ok := milestoneTitle(text)
	switch {
	case ok:
		m.Line, m.rank, m.Status = no, headingRank, cmp.Or(m.Status, boxStatus(mark))
		p.tell(m)
		p.release = len(p.told)
		p.section = section{m.Version, level}
	case level <= p.level:
		p.section = section{}
	}
	if level == 1 && p.title.Line == 0 {
		if title := documentTitle(text); title != "" {
			p.title = Note{cutText(title), no}
		}
	}
}

// phaseHeading begins a phase.
func (p *parser) phaseHeading(no int, h phaseHead) {
	p.phase, p.phaseMS = h.number, cmp.Or(h.version, p.milestone)
	p.hasStatus, p.hasPlans, p.planFact, p.release = false, false, 0, 0
	p.add(h.fact(no, Heading, p.phaseMS))
}

// fact is what the title of a phase says of it.
func (h phaseHead) fact(no int, source Source, milestone string) Fact {
	f := Fact{Number: h.number, Title: h.name, Status: h.status, Retired: h.struck, Line: no, Source: source, Milestone: milestone}
	f.Done, f.Total = counts(lastBracket(h.title))
	return f
}

// cutBox drops a check box in front of a text, and gives its mark; 0 where there is none.
func cutBox(text string) (mark byte, rest string) {
	if len(text) < 3 || text[0] != '[' || text[2] != ']' {
		return 0, text
	}
	return text[1], text[3:]
}

// boxStatus is what the mark of a check box says.
func boxStatus(mark byte) Status {
	if mark == 'x' || mark == 'X' {
		return Complete
	}
	return Unknown
}

// bullet reads a list item: `[x] **Phase 3: Name** (completed …)`, where the box may be missing if it is bold (upstream's
// BULLET_PHASE_LINE_PATTERN, roadmap-parser.cjs), `[ ] 03-01-PLAN.md`, a milestone.
func (p *parser) bullet(no int, text string) {
	mark, rest := cutBox(text)
	if h, ok := phaseTitle(rest); ok && (mark != 0 || strings.Contains(text[:len(text)-len(skipMarkup(text))], "**")) {
		h.status = cmp.Or(boxStatus(mark), h.status)
		p.add(h.fact(no, Checkbox, cmp.Or(h.version, p.milestone)))
		return
	}
	if mark == 0 || !p.plan(no, mark, rest) {
		p.milestoneItem(no, mark, rest)
	}
}

// fold follows <details> and <summary>; both may stand in one line. <details open> folds nothing away: upstream's SDK
// reads the milestone in it as the active one. Nor does the fold of the milestone that STATE.md names (#1341).
func (p *parser) fold(no int, text string) {
	lower := strings.ToLower(text)
	if _, rest, ok := strings.Cut(lower, "<details"); ok {
		if p.folds == 0 {
			tag, _, _ := strings.Cut(rest, ">")
			p.outer, p.shown = p.section, hasWordFold(tag, "open")
		}
		p.folds++
	}
	if at := strings.Index(lower, "<summary"); at >= 0 && p.folds > 0 && len(lower) == len(text) {
		_, rest, _ := strings.Cut(text[at:], ">")
		p.summaryText(no, rest)
		p.summary = strings.TrimSpace(rest) == ""
	}
	if strings.Contains(lower, "</details") && p.folds > 0 {
		p.folds--
		p.summary = false
		if p.folds == 0 {
			p.section = p.outer
		}
	}
}

// summaryText reads the text of a <summary>: a milestone's, or a phase's, else nobody's.
func (p *parser) summaryText(no int, text string) {
	p.summary = false
	text = dropTags(text)
	if h, ok := phaseTitle(text); ok {
		p.phaseHeading(no, h)
		return
	}
	if p.folds != 1 {
		return
	}
	m, ok := milestoneTitle(text)
	p.section = section{m.Version, 0}
	if ok {
		p.shown = p.shown || m.Version == p.named
		m.Line, m.rank = no, summaryRank
		p.tell(m)
	}
}

// hasWordFold reports whether one of the words of s is word, in any letter case.
func hasWordFold(s, word string) bool {
	for w := range strings.FieldsFuncSeq(s, notLetter) {
		if strings.EqualFold(w, word) {
			return true
		}
	}
	return false
}

// field reads a line below a heading such as `**Status:** In progress`. The first of its kind counts.
func (p *parser) field(no int, text string) {
	text = strings.TrimLeft(text, "->+* _")
	key, value, ok := strings.Cut(text, ":")
	if !ok || len(key) > 32 {
		return
	}
	key, value = strings.ToLower(strings.Trim(key, "* _")), plain(value)
	f := Fact{Number: p.phase, Line: no, Source: Heading, Milestone: p.phaseMS}
	switch {
	case p.phase.IsZero():
		p.milestoneField(key, value)
	case key == "status" && !p.hasStatus:
		if f.Status = statusIn(value); f.Status != Unknown {
			p.hasStatus = true
			p.add(f)
		}
	case key == "plans" && !p.hasPlans:
		if f.Done, f.Total = planCount(value); f.Total > 0 {
			p.hasPlans, f.Source = true, PlanCount
			p.add(f)
		}
	}
}

func (p *parser) add(f Fact) {
	f.Folded = p.folded()
	p.facts = append(p.facts, f)
}

func (p *parser) folded() bool { return p.folds > 0 && !p.shown }

// documentTitle is Foo for `Roadmap: Foo`, `Foo — Roadmap`, `Foo`.
func documentTitle(text string) string {
	const word, marks = "roadmap", " \t:-–—"
	s := trimSigns(plain(text))
	if strings.EqualFold(s, word) {
		return ""
	}
	if rest, ok := cutWord(skipMarkup(s), word); ok {
		return trimSigns(strings.TrimLeft(rest, marks))
	}
	if at := len(s) - len(word); at > 0 && strings.EqualFold(s[at:], word) && !isWord(s[at-1]) {
		return strings.TrimRight(s[:at], marks)
	}
	return s
}
