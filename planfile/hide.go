package planfile

import (
	"bytes"
	"slices"
	"sort"
)

// Plans hold examples of plans: in fenced code and in comments. They are no tasks. But the agents that write plans also
// leave fences open, close them once too often, and nest them, so that a block as CommonMark reads it may begin in
// one task and end in another. Hence the one rule: a block or a comment hides what is in it as long as that cuts no task
// in two, with as many start tags as end tags, a start tag first. Else its first line is text, and hides nothing.
//
// All of it is linear in the number of marks.

// Fence is a line of at least three backticks or tildes, which opens or closes a block of code.
type Fence struct {
	char byte
	bare bool // nothing follows, so that it may close a block
	run  int
}

// ParseFence reads a fence from a line without its indentation, as CommonMark does; ok is false for another line.
func ParseFence(line []byte) (f Fence, ok bool) {
	if len(line) == 0 || line[0] != '`' && line[0] != '~' {
		return f, false
	}
	info := bytes.TrimLeft(line, string(line[:1]))
	f.char, f.run = line[0], len(line)-len(info)
	info = bytes.TrimSpace(info)
	f.bare = len(info) == 0
	inline := f.char == '`' && bytes.IndexByte(info, '`') >= 0
	return f, f.run >= 3 && !inline
}

// Closes reports whether f closes a block that open opened before.
func (f Fence) Closes(open Fence) bool { return f.bare && f.char == open.char && f.run >= open.run }

// hides reports whether m is a fence or a comment, which may hide other marks.
func (m mark) hides() bool { return m.kind == markFence || m.kind == markComment }

// hide drops the marks that lie in fenced blocks and comments, and the marks of those themselves. It also notes
// the fenced blocks that hide a start tag.
func (x *lexed) hide() {
	if !slices.ContainsFunc(x.marks, mark.hides) {
		return
	}
	h := newHider(x)
	kept := make([]mark, 0, len(x.marks))
	for i := 0; i < len(x.marks); {
		m := x.marks[i]
		if !m.hides() {
			kept = append(kept, m)
			i++
			continue
		}
		after := h.after(i)
		if m.kind == markFence && int(h.nextTag[i]) < after {
			x.examples = append(x.examples, span{m.at.to, x.marks[after-1].at.from})
		}
		i = after
	}
	x.marks = kept
}

// hider answers for a fence or a comment what it hides, from tables that are filled once.
type hider struct {
	*lexed
	closer  []int32 // the mark that closes the block which mark i opens, 0 for none
	depth   []int32 // how many more start tags than end tags there are before mark i
	nextTag []int32 // the first start or end tag at or after mark i
}

func newHider(x *lexed) *hider {
	n := len(x.marks)
	h := &hider{lexed: x, closer: make([]int32, n), depth: make([]int32, n+1), nextTag: make([]int32, n+1)}
	for i, m := range x.marks {
		h.depth[i+1] = h.depth[i]
		switch {
		case m.kind == markOpen && !x.tasks[m.n].empty:
			h.depth[i+1]++
		case m.kind == markClose:
			h.depth[i+1]--
		}
	}
	// Backwards: for each character and length of an opening fence the next one that closes it; longer ones than
	// anybody writes are as long as each other.
	next := map[byte]*[10]int32{'`': {}, '~': {}}
	h.nextTag[n] = int32(n)
	for i := n - 1; i >= 0; i-- {
		m := x.marks[i]
		h.nextTag[i] = h.nextTag[i+1]
		switch m.kind {
		case markOpen, markClose:
			h.nextTag[i] = int32(i)
		case markFence:
			f, _ := ParseFence(m.at.of(x.src))
			closers := next[f.char]
			run := min(f.run, len(closers)-1)
			h.closer[i] = closers[run]
			for k := 0; f.bare && k <= run; k++ {
				closers[k] = int32(i)
			}
		}
	}
	return h
}

// after gives the mark to go on with after the fence or comment that is mark i: the first behind what it hides, or the
// next one where it hides nothing.
func (h *hider) after(i int) int {
	m := h.marks[i]
	var last, next int // the marks between i and last are in it
	if m.kind == markComment {
		last = sort.Search(len(h.marks), func(j int) bool { return j > i && h.marks[j].at.from >= m.at.to })
		next = last
	} else {
		last = int(h.closer[i])
		next = last + 1
	}
	if last > i && h.whole(i+1, last) {
		return next
	}
	return i + 1
}

// whole reports whether the marks from…to-1 cut no task in two.
func (h *hider) whole(from, to int) bool {
	first := int(h.nextTag[from])
	return h.depth[from] == h.depth[to] && (first >= to || h.marks[first].kind == markOpen)
}
