package roadmap

// document.go: parsing the lines of a roadmap. The start of a line determines its kind, and it belongs to the open
// headings and folds above it.

import (
	"cmp"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/gsd-cli/gsd/internal/planref"
)

// parser holds the facts found so far, and the milestone and phase that the current line belongs to.
type parser struct {
	title      string
	cut        int // Roadmap.Cut
	facts      []fact
	titles     map[planID]string
	milestones []Milestone
	marks      []mark

	section         // of the current line
	folds   int     // number of open <details>
	outer   section // around the outermost of them

	phase   planref.Number // of the last phase heading; zero after another heading
	within  int            // the level of that heading until one of its level or above; 0 for none
	phaseMS string         // its milestone
	list    int            // index + 1 in facts of the last list of plans below the last heading; 0 for none

	table    *table // that the previous line belongs to, nil for none
	previous string // line
	under    string // the last heading, with its signs
}

// mark is a line that states progress, for the merge of versions.
type mark struct {
	line   int
	source source // planList for any check box that is not of a phase
	phase  string // Number.Key of the phase that it is about; "" for none
	under  string // the heading above it
	table  *table // of a row
}

func (p *parser) mark(no int, from source, phase planref.Number, in *table) {
	p.marks = append(p.marks, mark{no, from, phase.Key(), p.under, in})
}

// section is the milestone that lines belong to, and the level of the heading that opened it; the level is 0 for the
// <summary> of a fold, which lasts until the end of the fold.
type section struct {
	milestone string
	level     int
}

// line reads one line.
func (p *parser) line(no int, text string) {
	text = unlink(strings.TrimSpace(text))
	previous := p.previous
	p.previous = text
	switch {
	case isDelimiter(text) && isRow(previous):
		p.table = tableHead(previous)
	case p.table != nil && isRow(text):
		if f, ok := p.table.row(text); ok {
			f.line = no
			if p.table.milestone == 0 {
				f.milestone = p.milestone
			}
			p.facts = append(p.facts, f)
			p.mark(no, tableRow, f.number, p.table)
		}
	default:
		p.table = nil
		p.text(no, text)
	}
}

// text reads one line outside tables.
func (p *parser) text(no int, text string) {
	if text == "" {
		return
	}
	switch {
	case text[0] == '#':
		p.heading(no, text)
	case text[0] == '<':
		p.fold(no, text)
	case strings.IndexByte("-*+", text[0]) >= 0 && strings.HasPrefix(text[1:], " "):
		p.bullet(no, strings.TrimLeft(text[1:], " \t"))
	case !p.phase.IsZero():
		p.field(no, text)
	}
}

// heading reads a heading of levels 1 to 6: of a phase, `### Phase 02.1: Name (INSERTED)`, of a milestone, or the
// title.
func (p *parser) heading(no int, text string) {
	level := len(text) - len(strings.TrimLeft(text, "#"))
	if level > 6 {
		return
	}
	p.under = text
	text = strings.TrimLeft(text[level:], " \t")
	p.phase, p.list = planref.Number{}, 0
	if h, ok := phaseTitle(text); ok {
		p.phase, p.phaseMS, p.within = h.number, cmp.Or(h.version, p.milestone), level
		p.facts = append(p.facts, h.fact(no, heading, p.phaseMS))
		return
	}
	if level <= p.within {
		p.within = 0
	}
	m, ok := milestoneTitle(text, no, headingRank)
	switch {
	case ok:
		p.milestones = append(p.milestones, m)
		p.section = section{m.Version, level}
	case level <= p.level:
		p.section = section{}
	}
	if level == 1 && p.title == "" {
		p.title = cutText(documentTitle(text))
	}
}

// fact returns the fact that the title of a phase states.
func (h phaseHead) fact(no int, from source, milestone string) fact {
	f := fact{number: h.number, title: h.name, status: h.status, retired: h.struck, line: no, source: from, milestone: milestone}
	if at := strings.LastIndexByte(h.title, '('); at >= 0 {
		if inner, _, closed := strings.Cut(h.title[at+1:], ")"); closed {
			f.done, f.total = counts(inner)
		}
	}
	return f
}

// bullet reads a list item: a phase, `[x] **Phase 3: Name** (completed …)`, whose check box may be missing if it is
// bold (upstream's BULLET_PHASE_LINE_PATTERN, roadmap-parser.cjs), except in the section of a phase, which is about others
// there, as in `**Phase 1 — Name:** its API`; a plan, `[ ] 03-01-PLAN.md`; or a milestone with its phases, `✅ **v1.0 Name** —
// Phases 1-4 (shipped …)`.
func (p *parser) bullet(no int, text string) {
	rest, boxed, done := text, false, false
	if len(text) >= 3 && text[0] == '[' && text[2] == ']' {
		rest, boxed, done = text[3:], true, text[1] == 'x' || text[1] == 'X'
	}
	var about planref.Number
	from := planList
	h, isPhase := phaseTitle(rest)
	switch {
	case isPhase && (boxed || p.within == 0 && strings.Contains(text[:len(text)-len(skipMarkup(text))], "**")):
		if from, about = checkbox, h.number; done {
			h.status = Complete
		}
		p.facts = append(p.facts, h.fact(no, from, cmp.Or(h.version, p.milestone)))
	case boxed && p.plan(no, done, rest):
		about = p.facts[p.list-1].number
	default:
		if m, ok := milestoneTitle(rest, no, listRank); ok && len(m.ranges) > 0 {
			p.milestones = append(p.milestones, m)
		}
	}
	if boxed {
		p.mark(no, from, about, nil)
	}
}

// plan reads the text after the check box of a plan: `03-01-PLAN.md — title`, `**03-01**: title` or
// `[02.1-03-PLAN.md](x)`, and adds it to its phase's list. It reports whether the item is a plan, unlike `2026-03-06:
// meeting` and `5-10 users`.
func (p *parser) plan(no int, done bool, text string) bool {
	phase, rest, ok := planref.CutNumber(skipMarkup(text))
	if !ok || len(rest) < 2 || rest[0] != '-' || !isDigit(rest[1]) {
		return false
	}
	plan, rest, ok := planref.CutNumber(rest[1:])
	if !ok {
		return false
	}
	end := 0
	for end < len(rest) && (isWord(rest[end]) || rest[end] == '-' || rest[end] == '.') {
		end++
	}
	file, title := rest[:end], rest[end:]
	next, _ := utf8.DecodeRuneInString(strings.TrimLeft(title, " \t"))
	if !strings.Contains(strings.ToUpper(file), "PLAN") && (isRange(file) || unicode.IsLetter(next)) {
		return false
	}
	milestone := p.milestone
	if planref.Compare(phase, p.phase) == 0 {
		milestone = p.phaseMS
	}
	id := planID{milestone, phase.Padded() + "-" + plan.Padded()}
	if _, known := p.titles[id]; !known {
		p.titles[id] = cutText(cutName(plain(title)))
	}
	if p.list == 0 || planref.Compare(p.facts[p.list-1].number, phase) != 0 {
		p.facts = append(p.facts, fact{number: phase, line: no, source: planList, milestone: milestone})
		p.list = len(p.facts)
	}
	f := &p.facts[p.list-1]
	f.total++
	if done {
		f.done++
	}
	return true
}

// fold tracks <details> and the <summary> of the outermost one, which may be on the same line.
func (p *parser) fold(no int, text string) {
	if strings.Contains(text, "<details") {
		if p.folds == 0 {
			p.outer = p.section
		}
		p.folds++
	}
	if _, rest, ok := strings.Cut(text, "<summary"); ok && p.folds == 1 {
		_, rest, _ = strings.Cut(rest, ">")
		m, ok := milestoneTitle(rest, no, summaryRank)
		p.section = section{m.Version, 0}
		if ok {
			p.milestones = append(p.milestones, m)
		}
	}
	if strings.Contains(text, "</details") && p.folds > 0 {
		if p.folds--; p.folds == 0 {
			p.section, p.within = p.outer, 0
		}
	}
}

// field reads a line below a phase's heading, such as `**Status:** In progress` or `**Plans:** 2/3 plans`.
func (p *parser) field(no int, text string) {
	key, value, _ := strings.Cut(text, ":")
	f := fact{number: p.phase, line: no, milestone: p.phaseMS}
	var t table // of one phase: its labels are words of a header
	switch t.column(strings.ToLower(strings.Trim(key, "> *_"))) {
	case &t.status:
		f.source, f.status = heading, statusIn(plain(value))
	case &t.plans:
		f.source = planCount
		p.mark(no, planCount, p.phase, nil)
		f.done, f.total = countOf(plain(value))
	}
	if f.status != Unknown || f.total > 0 {
		p.facts = append(p.facts, f)
	}
}

// documentTitle returns Foo for `Roadmap: Foo`, `Foo — Roadmap` and `Foo`.
func documentTitle(text string) string {
	s := plain(text)
	if at := roadmapWord().FindStringIndex(s); at != nil {
		s = s[:at[0]] + s[at[1]:]
	}
	return s
}

// roadmapWord matches the word for the document itself before or after its title.
var roadmapWord = newForm(`(?i)^[^\pL\d]*roadmap\b[ :–—-]*|[ :–—-]*\broadmap$`)
