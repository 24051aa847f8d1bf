package roadmap

// items.go: the plans that a roadmap lists as check boxes.

import (
	"strings"

	"github.com/gsd-cli/gsd/internal/planref"
)

// Item is one plan of a list.
type Item struct {
	Phase, Plan planref.Number
	ID          string // 03-01, as PlanID names the plan's file
	Title       string
	Done        bool
	Line        int // 1-based
	Milestone   string
}

// plan counts the check box of a plan to its phase's list; the list's line is that of its first plan that is not
// done. False where the box is no plan's.
func (p *parser) plan(no int, mark byte, text string) bool {
	item, ok := p.item(text)
	if !ok {
		return false
	}
	item.Line, item.Done = no, mark == 'x' || mark == 'X'
	p.items = append(p.items, item)
	if p.planFact == 0 || planref.Compare(p.facts[p.planFact-1].Number, item.Phase) != 0 {
		p.add(Fact{Number: item.Phase, Line: no, Source: PlanList, Milestone: item.Milestone})
		p.planFact = len(p.facts)
	}
	f := &p.facts[p.planFact-1]
	if item.Done {
		f.Done++
	} else if f.Done == f.Total {
		f.Line = no
	}
	f.Total++
	return true
}

// item reads what follows a box: `03-01-PLAN.md — title`, `**03-01**: title`, `[02.1-03-PLAN.md](x)`. Numbers that are
// no plan's: `2026-03-06: meeting`, `5-10 users`.
func (p *parser) item(text string) (Item, bool) {
	item := Item{Milestone: p.milestone}
	phase, rest, ok := planref.CutNumber(skipMarkup(text))
	if !ok || len(rest) < 2 || rest[0] != '-' || !isDigit(rest[1]) {
		return item, false
	}
	plan, rest, ok := planref.CutNumber(rest[1:])
	if !ok {
		return item, false
	}
	item.Phase, item.Plan = phase, plan
	item.ID = phase.Padded() + "-" + plan.Padded()
	if planref.Compare(phase, p.phase) == 0 {
		item.Milestone = p.phaseMS
	}
	end := 0
	for end < len(rest) && (isWord(rest[end]) || rest[end] == '-' || rest[end] == '.') {
		end++
	}
	file, title := rest[:end], rest[end:]
	if !strings.Contains(strings.ToUpper(file), "PLAN") && (isRange(file) || !endsID(title)) {
		return item, false
	}
	if strings.HasPrefix(title, "](") {
		_, title, _ = strings.Cut(title, ")")
	}
	item.Title = cutText(cutName(strings.TrimLeft(plain(title), " \t:-–—])|")))
	return item, true
}

// endsID reports whether what follows an id sets it off: nothing, a mark, a dash between blanks.
func endsID(s string) bool {
	if s == "" || strings.IndexByte(":*`]_~)(|", s[0]) >= 0 {
		return true
	}
	s = strings.TrimLeft(s, " \t")
	return strings.HasPrefix(s, ":") || strings.HasPrefix(s, "-") || strings.HasPrefix(s, "—") || strings.HasPrefix(s, "–")
}

// mergeItems keeps each plan once, where it is told first; it is done if any of its lines says so.
func mergeItems(items []Item) []Item {
	type id struct{ milestone, phase, plan string }
	seen := map[id]int{}
	merged := items[:0]
	for _, item := range items {
		key := id{item.Milestone, item.Phase.Key(), item.Plan.Key()}
		if at, known := seen[key]; known {
			merged[at].Done = merged[at].Done || item.Done
			continue
		}
		seen[key] = len(merged)
		merged = append(merged, item)
	}
	return merged
}
