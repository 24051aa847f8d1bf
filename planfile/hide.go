package planfile

import (
	"slices"
	"sort"

	"github.com/gsd-cli/gsd/internal/markdown"
)

// Plans contain examples of plans, in fenced code and in comments, which are not tasks. But the agents that write plans
// also leave fences open, close them twice, and nest them, so a block as CommonMark reads it may begin in one task and
// end in another. Hence the one rule: a block or comment hides its content only if that cuts no task in two, that is,
// if it has as many start tags as end tags and a start tag comes first. Otherwise its first line is plain text.
//
// All of this is linear in the number of marks.

// hides reports whether m is a fence or a comment, which may hide other marks.
func (m mark) hides() bool { return m.kind == markFence || m.kind == markComment }

// hide drops the marks in fenced blocks and comments, and the marks of the fences and comments themselves. It also
// records the fenced blocks that hide a start tag.
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

// hider finds what a fence or comment hides, from tables that are filled once.
type hider struct {
	*lexed
	closer  []int32 // the mark that closes the block that mark i opens, 0 for none
	depth   []int32 // start tags minus end tags before mark i
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
	// From the end: next holds, for each character and length of an opening fence, the fence that closes it. Lengths
	// beyond any in use share one entry.
	next := map[byte]*[10]int32{'`': {}, '~': {}}
	h.nextTag[n] = int32(n)
	for i := n - 1; i >= 0; i-- {
		m := x.marks[i]
		h.nextTag[i] = h.nextTag[i+1]
		switch m.kind {
		case markOpen, markClose:
			h.nextTag[i] = int32(i)
		case markFence:
			f, _ := markdown.ParseFence(m.at.of(x.src))
			closers := next[f.Char]
			run := min(f.Run, len(closers)-1)
			h.closer[i] = closers[run]
			for k := 0; f.Bare && k <= run; k++ {
				closers[k] = int32(i)
			}
		}
	}
	return h
}

// after returns the mark to continue with after the fence or comment that is mark i: the first after what it hides, or
// i+1 if it hides nothing.
func (h *hider) after(i int) int {
	m := h.marks[i]
	var last, next int // the marks between i and last are inside
	if m.kind == markComment {
		last = sort.Search(len(h.marks), func(j int) bool { return j > i && h.marks[j].at.from >= m.at.to })
		next = last
	} else {
		last = int(h.closer[i])
		next = last + 1
	}
	if last > i && h.balanced(i+1, last) {
		return next
	}
	return i + 1
}

// balanced reports whether the marks from…to-1 cut no task in two.
func (h *hider) balanced(from, to int) bool {
	first := int(h.nextTag[from])
	return h.depth[from] == h.depth[to] && (first >= to || h.marks[first].kind == markOpen)
}
