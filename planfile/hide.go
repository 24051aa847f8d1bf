package planfile

import (
	"bytes"
	"sort"
)

// Plans hold examples of plans: in fenced code and in comments. They are no tasks. But the agents
// that write plans also leave fences open, close them once too often, and nest them, so a fence that
// is paired as CommonMark pairs it may begin in one task and end in another. The rules here:
//
//   - A fence is read as its author meant it: inside a fenced block a line with an info string
//     (```go) opens an inner block. Failing that, as CommonMark reads it. Failing that, it is a
//     stray line of backticks that hides nothing.
//   - A reading that would cut a task in two is wrong. A block or a comment may hide whole tasks
//     only: as many start tags as end tags, a start tag first, an end tag last.
//   - Where a block would hide whole tasks, but leaves the fences after it without partners while
//     they would pair without it, the fence is stray.
//
// All of it is linear in the number of marks.

// fence is one line of backticks or tildes.
type fence struct {
	char byte
	run  int  // how many of them, at least 3
	bare bool // nothing follows, so that it may close a block
}

// fenceLine reads a fence from a line without its indentation.
func fenceLine(text []byte) (fence, bool) {
	f := fence{char: text[0]}
	for f.run < len(text) && text[f.run] == f.char {
		f.run++
	}
	if f.run < 3 {
		return f, false
	}
	info := bytes.TrimSpace(text[f.run:])
	f.bare = len(info) == 0
	if f.char == '`' && bytes.IndexByte(info, '`') >= 0 {
		return f, false // inline code
	}
	return f, true
}

// hide drops the marks that lie in fenced blocks and comments, and the marks of those themselves.
func (x *lexed) hide() []mark {
	if len(x.fences) == 0 && !x.hasComment() {
		return x.marks
	}
	h := newHider(x)
	kept := make([]mark, 0, len(x.marks))
	for i := 0; i < len(x.marks); {
		switch m := x.marks[i]; m.kind {
		case markFence:
			i = h.afterFence(i)
		case markComment:
			i = h.afterComment(i)
		default:
			kept = append(kept, m)
			i++
		}
	}
	return kept
}

func (x *lexed) hasComment() bool {
	for _, m := range x.marks {
		if m.kind == markComment {
			return true
		}
	}
	return false
}

// hider answers for a fence where its block ends, from tables that are filled once.
type hider struct {
	*lexed
	fenceMarks []int // fence number → mark number
	nested     []int // fence number → number of the fence that closes it as meant, -1 for none
	common     []int // the same as CommonMark reads it
	paired     []bool
	opens      []int // how many start tags there are before mark i
	closes     []int
	headings   []int
	nextTag    []int // the first start or end tag at or after mark i
}

func newHider(x *lexed) *hider {
	h := &hider{lexed: x, fenceMarks: make([]int, 0, len(x.fences))}
	n := len(x.marks)
	h.opens, h.closes, h.headings = make([]int, n+1), make([]int, n+1), make([]int, n+1)
	for i, m := range x.marks {
		h.opens[i+1], h.closes[i+1], h.headings[i+1] = h.opens[i], h.closes[i], h.headings[i]
		switch m.kind {
		case markOpen:
			h.opens[i+1]++
			if x.tasks[m.n].empty {
				h.closes[i+1]++
			}
		case markClose:
			h.closes[i+1]++
		case markHeading:
			if m.n < 0 {
				h.headings[i+1]++
			}
		case markFence:
			h.fenceMarks = append(h.fenceMarks, i)
		}
	}
	h.nextTag = make([]int, n+1)
	h.nextTag[n] = n
	for i := n - 1; i >= 0; i-- {
		h.nextTag[i] = h.nextTag[i+1]
		if k := x.marks[i].kind; k == markOpen || k == markClose {
			h.nextTag[i] = i
		}
	}
	h.pairFences()
	return h
}

// pairFences fills nested, common and paired from the last fence to the first.
func (h *hider) pairFences() {
	n := len(h.fences)
	h.nested, h.common, h.paired = make([]int, n), make([]int, n), make([]bool, n+1)
	h.paired[n] = true
	const longest = 16 // longer runs are treated alike
	type class struct {
		char byte
		run  int
	}
	// unclosed[c] is the first fence from here on that would close a block of class c if every inner
	// block closes itself; following[c] the first fence of class c from here on.
	unclosed := map[class]int{}
	var bare [2][longest + 1]int // the first bare fence from here on of that character and at least that run
	for c := range bare {
		for r := range bare[c] {
			bare[c][r] = -1
		}
	}
	firstUnclosed := make([]int, n) // unclosed as it was at fence i, for jumping over an inner block
	nextSame := make([]int, n)      // the next fence of the same class, -1 for none
	latest := map[class]int{}
	get := func(of map[class]int, c class) int {
		if i, ok := of[c]; ok {
			return i
		}
		return -1
	}
	for i := n - 1; i >= 0; i-- {
		f := h.fences[i]
		c := class{f.char, min(f.run, longest)}
		side := 0
		if f.char == '~' {
			side = 1
		}
		h.common[i] = bare[side][c.run]
		h.nested[i] = get(unclosed, c)
		nextSame[i] = get(latest, c)
		latest[c] = i
		if f.bare {
			unclosed[c] = i
			for r := 3; r <= c.run; r++ {
				bare[side][r] = i
			}
		} else if closer := h.nested[i]; closer >= 0 && nextSame[closer] >= 0 {
			unclosed[c] = firstUnclosed[nextSame[closer]]
		} else {
			unclosed[c] = -1
		}
		firstUnclosed[i] = unclosed[c]
		if end := h.blockEnd(i); end >= 0 {
			h.paired[i] = h.paired[end+1]
		}
	}
}

// blockEnd gives the fence that ends the block of fence f by the first reading there is, -1 for none.
func (h *hider) blockEnd(f int) int {
	if h.nested[f] >= 0 {
		return h.nested[f]
	}
	return h.common[f]
}

// afterFence gives the mark to go on with after the fence that is mark i: behind its block, or the
// next mark where the fence is stray.
func (h *hider) afterFence(i int) int {
	f := int(h.marks[i].n)
	for _, closer := range [...]int{h.nested[f], h.common[f]} {
		if closer >= 0 && h.mayHide(i+1, h.fenceMarks[closer], f, closer) {
			return h.fenceMarks[closer] + 1
		}
	}
	return i + 1
}

// mayHide applies the second and third rule to the marks from…to-1 between fences f and closer.
func (h *hider) mayHide(from, to, f, closer int) bool {
	if h.opens[to] == h.opens[from] && h.closes[to] == h.closes[from] && h.headings[to] == h.headings[from] {
		return true
	}
	return h.whole(from, to) && (h.paired[closer+1] || !h.paired[f+1])
}

// whole tells whether the marks from…to-1 cut no task in two.
func (h *hider) whole(from, to int) bool {
	if h.opens[to]-h.opens[from] != h.closes[to]-h.closes[from] {
		return false
	}
	first := h.nextTag[from]
	return first >= to || h.marks[first].kind == markOpen
}

// afterComment gives the mark to go on with after the comment that is mark i.
func (h *hider) afterComment(i int) int {
	inside := h.marks[i+1:]
	to := i + 1 + sort.Search(len(inside), func(j int) bool { return inside[j].at.from >= h.marks[i].at.to })
	if h.whole(i+1, to) {
		return to
	}
	return i + 1
}
