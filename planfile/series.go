package planfile

import (
	"bytes"
	"cmp"
	"slices"

	"github.com/gsd-cli/gsd/internal/markdown"
)

// series.go: the tasks of a plan that does not call them so. They are a series, of headings or of the items of a list, in the section whose
// heading says that tasks follow (sectionRank) or right below the plan's own title.

// series returns the offsets of the headings that are the tasks, and the rank of the heading that they are below: of the highest rank, the
// first two or more headings of one level below one heading, with the same word or none before their ids, and the ids in ascending
// order. Below the title the word must be one for a step, or T, as others are parts of
// a document; so are headings of level 2 that have a bare number, "## 1. Overview".
func (x lexed) series() (chosen map[offset]bool, rank int) {
	type key struct {
		parent int32 // its mark, -1 for none
		level  int32
		form   string
	}
	type row struct {
		at     []offset
		last   string
		broken bool // its ids are in no order
		rank   int  // how surely it is one of tasks
	}
	rows, order := map[key]*row{}, []*row(nil)
	var around [7]int32 // the heading of each level that a heading is below, as mark + 1; 0 for none
	for i, m := range x.marks {
		level := m.level()
		if m.kind != markHeading || level >= int32(len(around)) {
			continue
		}
		around[level] = int32(i) + 1
		clear(around[level+1:])
		if level < 2 || level > 4 {
			continue
		}
		k := key{parent: -1, level: level}
		for above := level - 1; above > 0 && k.parent < 0; above-- {
			k.parent = around[above] - 1
		}
		l, ok := parseLabel(x.headingText(m))
		k.form = l.form
		if !ok {
			continue
		}
		rank := x.rank(k.parent)
		if !x.mayHave(k.parent, rank, level, l.form) {
			continue
		}
		r := rows[k]
		if r == nil {
			r = &row{rank: rank}
			rows[k], order = r, append(order, r)
		}
		r.broken = r.broken || len(r.at) > 0 && !follows(l.id, r.last)
		r.at, r.last = append(r.at, m.at.from), l.id
	}
	slices.SortStableFunc(order, func(a, b *row) int { return cmp.Compare(b.rank, a.rank) })
	for _, r := range order {
		if len(r.at) < 2 || r.broken {
			continue
		}
		chosen = make(map[offset]bool, len(r.at))
		for _, at := range r.at {
			chosen[at] = true
		}
		return chosen, r.rank
	}
	return nil, 0
}

// rank returns the sectionRank of a heading, 0 for -1.
func (x lexed) rank(heading int32) int {
	if heading < 0 {
		return 0
	}
	return sectionRank(x.headingText(x.marks[heading]))
}

// mayHave reports whether headings of a level with that word before their ids may be tasks below a heading of a rank, -1 for none.
func (x lexed) mayHave(parent int32, rank int, level int32, form string) bool {
	switch {
	case form == "" && level == 2:
		return false
	case rank == 2:
		return true
	case rank == 0 && parent >= 0 && x.marks[parent].level() > 1:
		return false
	}
	return stepWords[form] || form == "t" || form == ""
}

// maxItems is how many items a list of tasks has. Real ones have up to eleven.
const maxItems = 1000

// list returns the tasks that are the items of a list: a numbered list or a check list right below the heading of a section of tasks, or
// right below the title if the plan has no other heading; only below one of at least that rank. An item ends where the next begins, the
// last one at the next heading, or where the plan continues with an element.
func (x lexed) list(rank int) []Task {
	headings := 0
	for _, m := range x.marks {
		if m.kind == markHeading {
			headings++
		}
	}
	for i, m := range x.marks {
		if m.kind != markHeading {
			continue
		}
		if own := x.rank(int32(i)); own < rank || own == 0 && (headings > 1 || m.level() > 1) {
			continue
		}
		end := len(x.src)
		for _, next := range x.marks[i+1:] {
			if next.kind == markHeading || next.kind == markEnd {
				end = int(next.at.from)
				break
			}
		}
		if tasks := x.items(m, end); len(tasks) > 1 {
			return tasks
		}
	}
	return nil
}

// items returns the items of the list that begins right below a heading, as tasks.
func (x lexed) items(heading mark, end int) (tasks []Task) {
	indent, last, line := 0, "", int(heading.line)
	var fence markdown.Fence
	open := false
	for at := int(heading.at.to); at < end; at = lineEnd(x.src, at) {
		line++
		from := skip(x.src[:end], at, " \t")
		to := min(lineEnd(x.src, at), end)
		text := x.src[from:to]
		if f, ok := markdown.ParseFence(text); ok {
			if !open {
				fence, open = f, true
			} else if f.Closes(fence) {
				open = false
			}
			continue
		}
		id, isItem := parseItem(text)
		switch {
		case open || len(bytes.TrimSpace(text)) == 0:
			continue
		case len(tasks) == 0 && isItem:
			indent = from - at
		case len(tasks) == 0:
			return nil
		case from-at <= indent && text[0] == '<':
			end = at
			continue
		case !isItem || from-at > indent:
			continue
		case id != "" && !follows(id, last) || (id == "") != (last == "") || len(tasks) == maxItems:
			return nil
		}
		if n := len(tasks); n > 0 {
			tasks[n-1].inner.to, tasks[n-1].end = offset(at), offset(at)
		}
		tasks, last = append(tasks, Task{Line: line, tag: between(at, to), inner: between(to, to)}), id
	}
	if n := len(tasks); n > 0 {
		tasks[n-1].inner.to, tasks[n-1].end = offset(end), offset(end)
	}
	return tasks
}

// parseItem reports whether a line without its indentation begins an item of a numbered list or of a check list. Its id is the
// number, "" in a check list.
func parseItem(text []byte) (id string, ok bool) {
	if n := bullet(text); n > 0 {
		return "", boxLen(text[n:]) > 0
	}
	id = digits(string(text[:min(len(text), maxID)]))
	rest := text[len(id):]
	return id, id != "" && len(rest) > 1 && (rest[0] == '.' || rest[0] == ')') && (rest[1] == ' ' || rest[1] == '\t')
}
