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

// Reachable iterates over all commits reachable from HEAD through any parent, each once, so that those of merged
// branches are included. They come in the order of their committer times, newest first, except that a parent never
// comes before the first child that leads to it. Reachable ends as Log does; if part of one branch is missing, it
// visits the others first and returns the error at the end.
func (r *Repo) Reachable(ctx context.Context) iter.Seq2[*Commit, error] {
	return func(yield func(*Commit, error) bool) {
		var queue newest
		seen := map[plumbing.Hash]bool{}
		var cut, failed error // the first ErrTruncated, and the first other error
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
				heap.Push(&queue, queued{c.When.Unix(), id})
			}
		}
		add(r.head)
		for len(queue) > 0 && !errors.Is(failed, durable.ErrBudget) {
			if err := ctx.Err(); err != nil {
				yield(nil, err)
				return
			}
			c := read(heap.Pop(&queue).(queued).id)
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
			cut = nil // the walk did not get far enough to know
		}
		if err := errors.Join(failed, cut); err != nil {
			yield(nil, err)
		}
	}
}

// queued is a commit still to be visited. It is read again then, because a merge may have any number of parents.
type queued struct {
	when int64
	id   plumbing.Hash
}

// newest is a heap of commits with the newest at the top.
type newest []queued

func (h newest) Len() int           { return len(h) }
func (h newest) Less(i, j int) bool { return h[i].when > h[j].when }
func (h newest) Swap(i, j int)      { h[i], h[j] = h[j], h[i] }
func (h *newest) Push(c any)        { *h = append(*h, c.(queued)) }

func (h *newest) Pop() any {
	last := len(*h) - 1
	c := (*h)[last]
	*h = (*h)[:last]
	return c
}
