package planfile

import (
	"bytes"
	"slices"
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
	bare bool  // nothing follows, so that it may close a block
	run  int32 // how many of them, at least 3
}

// fenceLine reads a fence from a line without its indentation.
func fenceLine(text []byte) (fence, bool) {
	f := fence{char: text[0]}
	for int(f.run) < len(text) && text[f.run] == f.char {
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

// hide drops the marks that lie in fenced blocks and comments, and the marks of those themselves. It also gives
// the fenced blocks that hide a start tag.
func (x *lexed) hide() (kept []mark, examples []span) {
	if len(x.fences) == 0 && !x.hasComment() {
		return x.marks, nil
	}
	h := newHider(x)
	kept = make([]mark, 0, len(x.marks))
	for i := 0; i < len(x.marks); {
		switch m := x.marks[i]; m.kind {
		case markFence:
			after := h.afterFence(i)
			if h.opens[after] > h.opens[i] {
				examples = append(examples, span{m.at.to, x.marks[after-1].at.from})
			}
			i = after
		case markComment:
			i = h.afterComment(i)
		default:
			kept = append(kept, m)
			i++
		}
	}
	return kept, examples
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
	fenceMarks []int32 // fence number → mark number
	nested     []int32 // fence number → number of the fence that closes it as meant, -1 for none
	common     []int32 // the same as CommonMark reads it
	paired     []bool  // whether the fences from i on find partners
	opens      []int32 // how many start tags there are before mark i
	closes     []int32
	headings   []int32
	nextTag    []int32 // the first start or end tag at or after mark i
}

func newHider(x *lexed) *hider {
	h := &hider{lexed: x, fenceMarks: make([]int32, 0, len(x.fences))}
	n := len(x.marks)
	h.opens, h.closes, h.headings = make([]int32, n+1), make([]int32, n+1), make([]int32, n+1)
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
			h.fenceMarks = append(h.fenceMarks, int32(i))
		}
	}
	h.nextTag = make([]int32, n+1)
	h.nextTag[n] = int32(n)
	for i := n - 1; i >= 0; i-- {
		h.nextTag[i] = h.nextTag[i+1]
		if k := x.marks[i].kind; k == markOpen || k == markClose {
			h.nextTag[i] = int32(i)
		}
	}
	h.pairFences()
	return h
}

// pairFences fills nested, common and paired from the last fence to the first.
func (h *hider) pairFences() {
	n := len(h.fences)
	h.nested, h.common, h.paired = make([]int32, n), make([]int32, n), make([]bool, n+1)
	h.paired[n] = true

	// A class is all fences that can be closed by the same ones: of one character and length. For each
	// class that occurs, free[i] is the first fence from i on that would close a block of it, if every
	// inner block that begins on the way closes itself; next is the same without inner blocks.
	type class struct {
		fence
		free []int32
		next int32
	}
	var classes []*class
	classOf := make([]uint8, n) // there are at most two characters times eight lengths
	for i, f := range h.fences {
		f := fence{char: f.char, run: min(f.run, longestRun)}
		k := slices.IndexFunc(classes, func(c *class) bool { return c.fence == f })
		if k < 0 {
			k = len(classes)
			classes = append(classes, &class{fence: f, free: make([]int32, n+1), next: -1})
			classes[k].free[n] = -1
		}
		classOf[i] = uint8(k)
	}
	for i := n - 1; i >= 0; i-- {
		f := h.fences[i]
		own := classes[classOf[i]]
		inner := own.free[i+1]
		h.nested[i], h.common[i] = inner, own.next
		for _, c := range classes {
			switch {
			case c.char != f.char || c.run > f.run:
				c.free[i] = c.free[i+1]
			case f.bare:
				c.free[i], c.next = int32(i), int32(i)
			case inner < 0:
				c.free[i] = -1
			default:
				c.free[i] = c.free[inner+1]
			}
		}
		if end := h.blockEnd(i); end >= 0 {
			h.paired[i] = h.paired[end+1]
		}
	}
}

// longestRun bounds the number of classes: longer fences are treated alike.
const longestRun = 10

// blockEnd gives the fence that ends the block of fence f by the first reading there is, -1 for none.
func (h *hider) blockEnd(f int) int32 {
	if h.nested[f] >= 0 {
		return h.nested[f]
	}
	return h.common[f]
}

// afterFence gives the mark to go on with after the fence that is mark i: behind its block, or the
// next mark where the fence is stray.
func (h *hider) afterFence(i int) int {
	f := int(h.marks[i].n)
	for _, closer := range [...]int32{h.nested[f], h.common[f]} {
		if closer >= 0 && h.mayHide(i+1, int(h.fenceMarks[closer]), f, closer) {
			return int(h.fenceMarks[closer]) + 1
		}
	}
	return i + 1
}

// mayHide applies the second and third rule to the marks from…to-1 between fences f and closer. A block
// that is one only as CommonMark reads it has the second fence against it already.
func (h *hider) mayHide(from, to, f int, closer int32) bool {
	if h.opens[to] == h.opens[from] && h.closes[to] == h.closes[from] && h.headings[to] == h.headings[from] {
		return true
	}
	meant := closer == h.nested[f] && h.paired[closer+1]
	return h.whole(from, to) && (meant || !h.paired[f+1])
}

// whole tells whether the marks from…to-1 cut no task in two.
func (h *hider) whole(from, to int) bool {
	if h.opens[to]-h.opens[from] != h.closes[to]-h.closes[from] {
		return false
	}
	first := h.nextTag[from]
	return int(first) >= to || h.marks[first].kind == markOpen
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
