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
		head, err := r.headCommit()
		if err != nil {
			yield(nil, err)
			return
		}
		open, seen := newest{opened{head.When.Unix(), head.id, head}}, map[plumbing.Hash]bool{}
		var cut, failed error // the first of what is missing, and of what cannot be read
		keep := func(err error) {
			if errors.Is(err, ErrTruncated) {
				cut = cmp.Or(cut, err)
			} else {
				failed = cmp.Or(failed, err)
			}
		}
		add := func(id plumbing.Hash, read func() (*Commit, error)) {
			if seen[id] {
				return
			}
			seen[id] = true
			older, err := read()
			if keep(err); err != nil {
				return
			}
			next := opened{older.When.Unix(), id, older}
			if len(open) >= mostOpen {
				next.commit = nil
			}
			heap.Push(&open, next)
		}
		for len(open) > 0 && !errors.Is(failed, durable.ErrBudget) {
			if err := ctx.Err(); err != nil {
				yield(nil, err)
				return
			}
			c, err := r.opened(heap.Pop(&open).(opened))
			if keep(err); err != nil {
				continue
			}
			if !yield(c, nil) {
				return
			}
			if c.parent.IsZero() {
				continue
			}
			add(c.parent, c.firstParent)
			c.older = nil
			for _, id := range c.merged {
				if !c.shallow {
					add(id, func() (*Commit, error) { return r.commit(id) })
				}
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

func (r *Repo) opened(o opened) (*Commit, error) {
	if o.commit != nil {
		return o.commit, nil
	}
	return r.commit(o.id)
}

// opened is a commit whose turn is to come.
type opened struct {
	when   int64
	id     plumbing.Hash
	commit *Commit // nil for one that is read again in its turn
}

// mostOpen is how many of them are kept in memory: a merge may have any number of parents.
const mostOpen = 1000

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
