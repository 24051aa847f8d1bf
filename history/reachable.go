package history

import (
	"container/heap"
	"context"
	"errors"
	"iter"

	"github.com/go-git/go-git/v5/plumbing"
)

// Reachable goes through all commits that HEAD reaches, by every parent, each once: those on a branch are
// seen although it was merged. The newest comes first by the committers' clocks, but never a parent before
// its child is known. It ends as Log does; what is missing on one branch does not hide the others, and is
// told at the end.
func (r *Repo) Reachable(ctx context.Context) iter.Seq2[*Commit, error] {
	return func(yield func(*Commit, error) bool) {
		head, err := r.headCommit()
		if err != nil {
			yield(nil, err)
			return
		}
		open, seen := newest{head}, map[plumbing.Hash]bool{}
		var missing error
		for len(open) > 0 {
			if err := ctx.Err(); err != nil {
				yield(nil, err)
				return
			}
			c := heap.Pop(&open).(*Commit)
			if !yield(c, nil) {
				return
			}
			if c.parent.IsZero() {
				continue
			}
			if !seen[c.parent] {
				seen[c.parent] = true
				older, err := c.firstParent()
				if missing = errors.Join(missing, err); err == nil {
					heap.Push(&open, older)
				}
			}
			for _, id := range c.merged {
				if c.shallow || seen[id] {
					continue
				}
				seen[id] = true
				older, err := r.commit(id)
				if missing = errors.Join(missing, err); err == nil {
					heap.Push(&open, older)
				}
			}
		}
		if missing != nil {
			yield(nil, missing)
		}
	}
}

// newest is a heap of commits.
type newest []*Commit

func (h newest) Len() int           { return len(h) }
func (h newest) Less(i, j int) bool { return h[i].When.After(h[j].When) }
func (h newest) Swap(i, j int)      { h[i], h[j] = h[j], h[i] }
func (h *newest) Push(c any)        { *h = append(*h, c.(*Commit)) }

func (h *newest) Pop() any {
	last := len(*h) - 1
	c := (*h)[last]
	*h = (*h)[:last]
	return c
}
