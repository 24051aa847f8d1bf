package gitlog

import (
	"cmp"
	"container/heap"
	"context"
	"errors"
	"iter"

	"github.com/go-git/go-git/v5/plumbing"

	"github.com/gsd-cli/gsd/internal/durable"
)

// Reachable goes through all commits that HEAD reaches, by every parent, each once: those on a branch are
// seen although it was merged. The newest comes first by the committers' clocks, but never a parent before
// its child is known. It ends as Log does; what is missing on one branch does not hide the others, and is
// told at the end.
func (r *Repo) Reachable(ctx context.Context) iter.Seq2[*Commit, error] {
	return func(yield func(*Commit, error) bool) {
		var open newest
		seen := map[plumbing.Hash]bool{}
		var cut, failed error // the first of what is missing, and of what cannot be read
		read := func(id plumbing.Hash) *Commit {
			c, err := r.commit(id)
			if errors.Is(err, ErrTruncated) {
				cut = cmp.Or(cut, err)
			} else {
				failed = cmp.Or(failed, err)
			}
			return c
		}
		add := func(id plumbing.Hash) {
			if seen[id] {
				return
			}
			seen[id] = true
			if c := read(id); c != nil {
				heap.Push(&open, opened{c.When.Unix(), id})
			}
		}
		add(r.head)
		for len(open) > 0 && !errors.Is(failed, durable.ErrBudget) {
			if err := ctx.Err(); err != nil {
				yield(nil, err)
				return
			}
			c := read(heap.Pop(&open).(opened).id)
			if c == nil {
				continue
			}
			if !yield(c, nil) {
				return
			}
			if c.shallow {
				_, err := c.older()
				cut = cmp.Or(cut, err)
				continue
			}
			for _, id := range c.parents {
				add(id)
			}
		}
		if errors.Is(failed, durable.ErrBudget) {
			cut = nil // how much is missing is not known then
		}
		if err := errors.Join(failed, cut); err != nil {
			yield(nil, err)
		}
	}
}

// opened is a commit whose turn is to come. It is read again then: a merge may have any number of parents.
type opened struct {
	when int64
	id   plumbing.Hash
}

// newest is a heap of commits.
type newest []opened

func (h newest) Len() int           { return len(h) }
func (h newest) Less(i, j int) bool { return h[i].when > h[j].when }
func (h newest) Swap(i, j int)      { h[i], h[j] = h[j], h[i] }
func (h *newest) Push(c any)        { *h = append(*h, c.(opened)) }

func (h *newest) Pop() any {
	last := len(*h) - 1
	c := (*h)[last]
	*h = (*h)[:last]
	return c
}
