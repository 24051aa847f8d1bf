package roadmap

// document.go: the walk over the lines of a roadmap. A line is read by what it begins with, and belongs
// to the headings and folds that are open above it.

import (
	"cmp"
	"strings"

	"github.com/gsd-cli/gsd/internal/planref"
)

// parser is the place in the document: the milestone and the phase that lines belong to.
type parser struct {
	title Note
	facts []Fact
	items []Item
	told  []mention

	section         // of this line
	folds   int     // <details> that are open
	outer   section // around the outermost of them
	shown   bool    // the outermost is <details open>
	summary bool    // a <summary> whose text is still to come
	list    bool    // below a heading such as `## Milestones`
	release int     // index + 1 in told of the milestone whose heading is the last

	phase     planref.Number // of the last phase heading; zero after another heading
	phaseMS   string
	hasStatus bool // its Status: line was seen
	hasPlans  bool // its Plans: line was seen
	planFact  int  // index + 1 in facts of the plan list below it
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
	if text == "" {
		return
	}
	if p.summary && text[0] != '#' && !strings.HasPrefix(text, "</") {
		p.summaryText(l.no, text)
		return
	}
	p.summary = false
	switch rest, bullet := cutBullet(text); {
	case text[0] == '#':
		p.heading(l.no, text)
	case text[0] == '<':
		p.fold(l.no, text)
	case bullet && (p.checkbox(l.no, rest) || p.signedPhase(l.no, rest) ||
		p.milestoneItem(l.no, ' ', rest) || p.bareItem(l.no, rest)):
	case !bullet && p.boldHeading(l.no, text):
	case !p.phase.IsZero(), p.release > 0:
		p.field(l.no, text)
	}
}

// cutBullet drops the mark of a list item: `-`, `*`, `+`, `1.`; `**bold**` is none.
func cutBullet(text string) (string, bool) {
	n := 1
	switch text[0] {
	case '-', '*', '+':
	default:
		n = digits(text)
		if n == 0 || n > 9 || n >= len(text) || text[n] != '.' && text[n] != ')' {
			return text, false
		}
		n++
	}
	if n < len(text) && (text[n] == ' ' || text[n] == '\t') || strings.HasPrefix(text[n:], "[") {
		return strings.TrimLeft(text[n:], " \t"), true
	}
	return text, false
}

// heading reads `### Phase 02.1: Name (INSERTED)`, of any level up to 6, milestone headings and the
// title.
func (p *parser) heading(no int, text string) {
	level := len(text) - len(strings.TrimLeft(text, "#"))
	if level > 6 {
		return
	}
	text, done := cutDone(text[level:])
	if h, ok := phaseTitle(text); ok {
		p.phaseHeading(no, h, done)
		return
	}
	p.phase, p.phaseMS, p.planFact, p.release = planref.Number{}, "", 0, 0
	p.list = isMilestoneList(text)
	if m, ok := milestoneTitle(text); ok {
		m.Line, m.rank = no, headingRank
		if done && m.Status == Unknown {
			m.Status = Complete
		}
		p.tell(m)
		p.release = len(p.told)
		if m.Version != "" {
			p.section = section{m.Version, level}
		} else if level <= p.level {
			p.section = section{}
		}
	} else if level <= p.level {
		p.section = section{}
	}
	if level == 1 && p.title.Line == 0 {
		if title := documentTitle(text); title != "" {
			p.title = Note{cutText(title), no}
		}
	}
}

// phaseHeading begins a phase.
func (p *parser) phaseHeading(no int, h phaseHead, done bool) {
	version := cmp.Or(h.version, p.milestone)
	p.phase, p.phaseMS, p.hasStatus, p.hasPlans, p.planFact, p.release = h.number, version, false, false, 0, 0
	f := Fact{
		Number: h.number, Title: h.name, Status: cmp.Or(label(h.title), h.sign),
		Line: no, Source: Heading, Milestone: version,
	}
	f.Done, f.Total = counts(lastCount(h.title))
	if done && f.Status == Unknown {
		f.Status = Complete
	}
	p.add(f)
}

// boldHeading reads a paragraph that stands for a heading, `**Phase 6: Name** (complete)`: all of the
// name is bold, and what follows it is no sentence.
func (p *parser) boldHeading(no int, text string) bool {
	start := strings.Index(text, "**")
	if start < 0 || start > 16 || skipMarkup(text) != skipMarkup(text[start:]) {
		return false
	}
	name, rest, closed := strings.Cut(text[start+2:], "**")
	h, ok := phaseTitle(text)
	if !closed || !ok || h.name == "" || !strings.ContainsAny(name, ":-–—") {
		return false
	}
	if rest = strings.Trim(plain(rest), " -–—:([])"); rest != "" && !isNoise(rest) {
		return false
	}
	p.phaseHeading(no, h, false)
	return true
}

// cutDone drops a box in front of a heading's text, and tells whether it was ticked.
func cutDone(text string) (string, bool) {
	text = strings.TrimLeft(text, " \t")
	if len(text) < 3 || text[0] != '[' || text[2] != ']' || !strings.ContainsRune("xX ~-/>", rune(text[1])) {
		return text, false
	}
	return text[3:], text[1] == 'x' || text[1] == 'X'
}

// fold follows <details> and <summary>; both may stand in one line. <details open> folds nothing away:
// upstream's SDK reads the milestone in it as the active one.
func (p *parser) fold(no int, text string) {
	if at := tagAt(text, "<details"); at >= 0 {
		if p.folds == 0 {
			tag, _, _ := strings.Cut(text[at:], ">")
			p.outer, p.shown = p.section, hasWordFold(tag, "open")
		}
		p.folds++
	}
	if at := tagAt(text, "<summary"); at >= 0 && p.folds > 0 {
		_, rest, _ := strings.Cut(text[at:], ">")
		if end := tagAt(rest, "</summary"); end >= 0 {
			rest = rest[:end]
		}
		if p.summaryText(no, rest); strings.TrimSpace(rest) == "" {
			p.summary = true
		}
	}
	if tagAt(text, "</details") >= 0 && p.folds > 0 {
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
	if end := tagAt(text, "</summary"); end >= 0 {
		text = text[:end]
	}
	text = dropTags(text)
	if h, ok := phaseTitle(text); ok {
		p.phaseHeading(no, h, false)
		return
	}
	if p.folds != 1 {
		return
	}
	m, ok := milestoneTitle(text)
	p.section = section{m.Version, 0}
	if ok {
		m.Line, m.rank = no, summaryRank
		p.tell(m)
	}
}

// tagAt is where the tag, in lower case with its `<`, begins in text; -1 where it does not.
func tagAt(text, tag string) int {
	for i := 0; i+len(tag) <= len(text); i++ {
		next := strings.IndexByte(text[i:], '<')
		if next < 0 {
			return -1
		}
		if i += next; i+len(tag) <= len(text) && strings.EqualFold(text[i:i+len(tag)], tag) {
			return i
		}
	}
	return -1
}

// hasWordFold tells whether one of the words of s is word, in any case.
func hasWordFold(s, word string) bool {
	for w := range strings.FieldsFuncSeq(s, notLetter) {
		if strings.EqualFold(w, word) {
			return true
		}
	}
	return false
}

// checkbox reads what follows a bullet: `[x] **Phase 3: Name** (completed …)` or `[ ] 03-01-PLAN.md`.
// It answers whether the line is a check box at all.
func (p *parser) checkbox(no int, text string) bool {
	if len(text) < 3 || text[0] != '[' || text[2] != ']' {
		return false
	}
	mark, text := text[1], text[3:]
	if h, ok := phaseTitle(text); ok {
		f := Fact{Number: h.number, Title: h.name, Line: no, Source: Checkbox, Milestone: cmp.Or(h.version, p.milestone)}
		f.Done, f.Total = counts(lastCount(h.title))
		switch mark {
		case 'x', 'X':
			f.Status = Complete
		case '~', '/', '>':
			f.Status = InProgress
		default:
			// `[-]` is dropped to some and begun to others.
			f.Status = cmp.Or(label(h.title), h.sign)
		}
		p.add(f)
		return true
	}
	if !p.plan(no, mark, text) {
		p.milestoneItem(no, mark, text)
	}
	return true
}

// signedPhase reads a phase that has a sign for a box: `✅ **Phase 3: Name**`.
func (p *parser) signedPhase(no int, text string) bool {
	h, ok := phaseTitle(text)
	if !ok || h.sign == Unknown {
		return false
	}
	f := Fact{Number: h.number, Title: h.name, Status: h.sign, Line: no, Source: Checkbox}
	f.Milestone = cmp.Or(h.version, p.milestone)
	p.add(f)
	return true
}

// field reads a line below a heading such as `**Status:** In progress`. The first of its kind counts.
func (p *parser) field(no int, text string) {
	text = strings.TrimLeft(text, "->+* _")
	at := strings.IndexByte(text[:min(len(text), 32)], ':')
	if at < 0 {
		return
	}
	key, value := strings.ToLower(strings.Trim(text[:at], "* _")), text[at+1:]
	if p.phase.IsZero() {
		p.milestoneField(key, value)
		return
	}
	switch key {
	case "status":
		if st := statusField(value); st != Unknown && !p.hasStatus {
			p.hasStatus = true
			p.add(Fact{Number: p.phase, Status: st, Line: no, Source: Heading, Milestone: p.phaseMS})
		}
	case "plans", "plans complete", "progress":
		if done, total := planCount(plain(value)); total > 0 && !p.hasPlans {
			p.hasPlans = true
			p.add(Fact{Number: p.phase, Done: done, Total: total, Line: no, Source: PlanCount, Milestone: p.phaseMS})
		}
	}
}

// statusField is the status that the value of a Status: line begins with.
func statusField(value string) Status {
	value, _, _ = strings.Cut(value, ". ")
	return statusIn(plain(value))
}

func (p *parser) add(f Fact) {
	f.Folded = p.folded()
	p.facts = append(p.facts, f)
}

func (p *parser) folded() bool { return p.folds > 0 && !p.shown }

// documentTitle is Foo for `Roadmap: Foo`, `Foo — Roadmap`, `Foo`.
func documentTitle(text string) string {
	const word = "roadmap"
	s := trimSigns(plain(text))
	if len(s) >= len(word) && strings.EqualFold(s[:len(word)], word) && (len(s) == len(word) || !isWord(s[len(word)])) {
		return trimSigns(strings.TrimLeft(s[len(word):], " \t:-–—"))
	}
	if at := len(s) - len(word); at > 0 && strings.EqualFold(s[at:], word) && !isWord(s[at-1]) {
		return strings.TrimRight(s[:at], " \t:-–—")
	}
	return s
}
