package project

// has.go: whether a commit is here: what was done there is done here.

import (
	"context"
	"slices"

	"github.com/gsd-cli/gsd/internal/gitlog"
)

// mostPassed is how many commits of HEAD's history are read to find one.
const mostPassed = 2000

// HasCommit reports whether a commit is in the history of HEAD of the project's own repository. One that is further back than is read is not:
// it is on a branch that was left, or what it says is old. Where history is missing, in a shallow clone or without a repository, nothing is
// known, and it is.
func (p *Project) HasCommit(id string) bool {
	return Memo(&p.has, id, func() bool {
		own := p.own()
		if own == nil {
			return true
		}
		is, known := own.Has(context.Background(), id, mostPassed)
		return is || !known && own.Shallow()
	})
}

// Knows reports whether the project's own repository has a commit, on whichever branch.
func (p *Project) Knows(id string) bool {
	own := p.own()
	if own == nil {
		return false
	}
	_, err := own.Commit(id)
	return err == nil
}

// HasLike reports whether one of the latest commits in HEAD's history has the subject of another one, as after a rebase or an amend.
func (p *Project) HasLike(id string) bool {
	own := p.own()
	if own == nil {
		return true
	}
	commit, err := own.Commit(id)
	if err != nil {
		return false
	}
	seen := 0
	for c := range p.log.Commits() {
		if c.Subject == commit.Subject {
			return true
		}
		if seen++; seen == mostBeside {
			break
		}
	}
	return false
}

// BranchWith returns the other branch that has a commit which HEAD's history has not, as far as a bounded look goes; "" for none. One that is
// in no branch any more was amended, rebased or reset away.
func (p *Project) BranchWith(id string) string {
	if p.beside == nil {
		var all []gitlog.Beside
		if own := p.own(); own != nil {
			all = own.Beside(context.Background(), own.Branches(isAgents, mostSides), mostBeside)
		}
		p.beside = &all
	}
	for _, b := range *p.beside {
		if slices.ContainsFunc(b.Commits, func(c *gitlog.Commit) bool { return c.ID == id }) {
			return b.Name
		}
	}
	return ""
}
