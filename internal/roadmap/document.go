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
	src        string // the lines that are read
	title      string
	facts      []fact
	titles     map[planID]string
	milestones []Milestone
	marks      []mark

	no      int     // of the current line
	section         // that it is in
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

func (p *parser) mark(from source, phase planref.Number) {
	p.marks = append(p.marks, mark{p.no, from, phase.Key(), p.under, p.table})
}

// add adds what the current line states. Its milestone is the given one, unless the line names another, which is a mention of that.
func (p *parser) add(f fact, from source, milestone string) {
	if f.milestone != "" {
		p.milestones = append(p.milestones, Milestone{Version: f.milestone, Label: "v" + f.milestone, Line: p.no})
	}
	f.line, f.source, f.milestone = p.no, from, cmp.Or(f.milestone, milestone)
	p.facts = append(p.facts, f)
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
	previous, table := p.previous, p.table
	p.no, p.previous, p.table = no, text, nil
	switch {
	case isDelimiter(text) && isRow(previous):
		p.table = tableHead(previous)
	case table != nil && isRow(text):
		p.table = table
		p.row(text)
	case text == "":
	case text[0] == '#':
		p.heading(text)
	case text[0] == '<':
		p.fold(text)
	case strings.IndexByte("-*+", text[0]) >= 0 && strings.HasPrefix(text[1:], " "):
		p.bullet(strings.TrimLeft(text[1:], " \t"))
	case !p.phase.IsZero():
		p.field(text)
	}
}

// row reads a row of a table, which may have a column of milestones.
func (p *parser) row(text string) {
	milestone := p.milestone
	if p.table.milestone > 0 {
		milestone = ""
	}
	if f, ok := p.table.row(text); ok {
		p.add(f, tableRow, milestone)
		p.mark(tableRow, f.number)
	}
}

// heading reads a heading of levels 1 to 6: of a phase, `### Phase 02.1: Name (INSERTED)`, of a milestone, or the
// title.
func (p *parser) heading(text string) {
	level := len(text) - len(strings.TrimLeft(text, "#"))
	if level > 6 {
		return
	}
	p.under = text
	text = strings.TrimLeft(text[level:], " \t")
	p.phase, p.list = planref.Number{}, 0
	if f, ok := phaseTitle(text); ok {
		p.phase, p.phaseMS, p.within = f.number, cmp.Or(f.milestone, p.milestone), level
		p.add(f, heading, p.milestone)
		return
	}
	if level <= p.within {
		p.within = 0
	}
	if m, ok := p.mention(text, headingRank); ok || level <= p.level {
		p.section = section{m.Version, level}
	}
	if level == 1 && p.title == "" {
		p.title = cutText(roadmapWord().ReplaceAllString(plain(text), ""))
	}
}

// mention reads the title of a milestone; one in a list must have its phases.
func (p *parser) mention(text string, rank int) (m Milestone, ok bool) {
	m, ok = milestoneTitle(text)
	if ok && (rank != listRank || len(m.ranges) > 0) {
		m.Line, m.rank = p.no, rank
		p.milestones = append(p.milestones, m)
	}
	return m, ok
}

// bullet reads a list item: a phase, `[x] **Phase 3: Name** (completed …)`, whose check box may be missing if it is
// bold (upstream's BULLET_PHASE_LINE_PATTERN, roadmap-parser.cjs), except in the section of a phase, which is about others
// there, as in `**Phase 1 — Name:** its API`; a plan, `[ ] 03-01-PLAN.md`; or a milestone with its phases, `✅ **v1.0 Name** —
// Phases 1-4 (shipped …)`.
func (p *parser) bullet(text string) {
	rest, boxed, done := text, false, false
	if len(text) >= 3 && text[0] == '[' && text[2] == ']' {
		rest, boxed, done = text[3:], true, text[1] == 'x' || text[1] == 'X'
	}
	var about planref.Number
	from := planList
	f, isPhase := phaseTitle(rest)
	switch {
	case isPhase && (boxed || p.within == 0 && strings.Contains(text[:len(text)-len(skipMarkup(text))], "**")):
		if from, about = checkbox, f.number; done {
			f.status = Complete
		}
		p.add(f, checkbox, p.milestone)
	case boxed && p.plan(done, rest):
		about = p.facts[p.list-1].number
	default:
		p.mention(rest, listRank)
	}
	if boxed {
		p.mark(from, about)
	}
}

// plan reads the text after the check box of a plan: `03-01-PLAN.md — title`, `**03-01**: title` or
// `[02.1-03-PLAN.md](x)`, and adds it to its phase's list. It reports whether the item is a plan, unlike `2026-03-06:
// meeting` and `5-10 users`.
func (p *parser) plan(done bool, text string) bool {
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
		p.titles[id] = cutText(readTitle(title).name)
	}
	if p.list == 0 || planref.Compare(p.facts[p.list-1].number, phase) != 0 {
		p.add(fact{number: phase}, planList, milestone)
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
func (p *parser) fold(text string) {
	if strings.Contains(text, "<details") {
		if p.folds == 0 {
			p.outer = p.section
		}
		p.folds++
	}
	if _, rest, ok := strings.Cut(text, "<summary"); ok && p.folds == 1 {
		_, rest, _ = strings.Cut(rest, ">")
		m, _ := p.mention(rest, summaryRank)
		p.section = section{m.Version, 0}
	}
	if strings.Contains(text, "</details") && p.folds > 0 {
		if p.folds--; p.folds == 0 {
			p.section, p.within = p.outer, 0
		}
	}
}

// field reads a line below a phase's heading, such as `**Status:** In progress` or `**Plans:** 2/3 plans`.
func (p *parser) field(text string) {
	key, value, _ := strings.Cut(text, ":")
	f, from := fact{number: p.phase}, heading
	var t table // of one phase: its labels are words of a header
	switch t.column(strings.ToLower(strings.Trim(key, "> *_"))) {
	case &t.status:
		f.status = statusIn(value)
	case &t.plans:
		from = planCount
		f.done, f.total = countOf(plain(value))
		p.mark(planCount, p.phase)
	}
	if f.status != Unknown || f.total > 0 {
		p.add(f, from, p.phaseMS)
	}
}

// roadmapWord matches the word for the document itself before or after its title: `Roadmap: Foo`, `Foo — Roadmap`.
var roadmapWord = newForm(`(?i)^[^\pL\d]*roadmap\b[ :–—-]*|[ :–—-]*\broadmap$`)

// phaseWords matches what other languages call a phase, before its number or alone in the first cell of a header. Upstream answers in the
// language of response_language, and its agents translate the headings, too.
var phaseWords = newForm(`(?im)^([ \t#>|*_~\[\]x✅⬜\x{feff}-]*)(?:` +
	`(?:fases?|etapa|étape|fas|faza|fáze|fázis|vaihe|aşama|giai đoạn|tahap|φάση|этап|фаза|етап|مرحلة|المرحلة|चरण)[ \t]+` +
	`|(?:フェーズ|阶段|階段|단계)[ \t]*|第[ \t]*)(\d[\d.]*|\|)(?:[ \t]*(?:阶段|階段|段階|フェーズ))?`)
