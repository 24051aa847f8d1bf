package project

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"iter"
	"slices"
	"strings"

	"github.com/gsd-cli/gsd/internal/evidence"
	"github.com/gsd-cli/gsd/internal/gitlog"
	"github.com/gsd-cli/gsd/internal/next"
	"github.com/gsd-cli/gsd/internal/roadmap"
	"github.com/gsd-cli/gsd/internal/worktree"
)

// gather reads from git's objects what was worked on. A project without git or without commits has no evidence, which is
// not an error. Evidence that was read before an error is returned with it.
func (p *Project) gather(d *roadmap.Disk, progress func(doing string)) (next.Evidence, error) {
	log, err := p.Log(progress)
	if log == nil {
		return next.Evidence{}, err
	}
	ev := next.Gather(log.Commits(), d)
	return ev, log.Err
}

// Log returns the commits that are reachable from HEAD, with those of the repositories below the project; nil if there is no repository. Each is
// read once, for all that ask; after Forget, as long as every HEAD is the same. Close closes it. progress is called, now and then, with how many
// were read; it may be nil.
func (p *Project) Log(progress func(doing string)) (*evidence.Log, error) {
	if progress != nil {
		p.progress = progress // of a log that somebody opened who has none
	}
	if p.isCurrent {
		return p.log, nil
	}
	repos, err := p.openAll()
	if len(repos) == 0 {
		return nil, err
	}
	p.isCurrent = true
	if p.log != nil && slices.EqualFunc(p.repos, repos, (*gitlog.Repo).SameHead) {
		closeAll(repos)
		return p.log, nil
	}
	p.closeLog()
	p.repos, p.logged = repos, nil
	if repos[0].Name() == "" {
		p.logged = repos[0]
	}
	p.log = readLog(gitlog.Together(context.Background(), (*gitlog.Repo).Reachable, repos, err), func(doing string) {
		if p.progress != nil {
			p.progress(doing)
		}
	})
	return p.log, nil
}

// Line is Log along the first parents of every HEAD: a plan that was moved can only be followed along one line of history. The caller
// closes it.
func (p *Project) Line(progress func(doing string)) (*evidence.Log, error) {
	if log, err := p.Log(nil); log == nil {
		return nil, err
	}
	return readLog(gitlog.Together(context.Background(), (*gitlog.Repo).Log, p.repos, nil), progress), nil
}

// IsShallow reports whether a repository that Log reads is a shallow clone.
func (p *Project) IsShallow() bool {
	log, _ := p.Log(nil)
	return log != nil && slices.ContainsFunc(p.repos, (*gitlog.Repo).Shallow)
}

// IsCut reports whether the commits that were read end where a shallow clone does.
func (p *Project) IsCut() bool { return p.IsShallow() && p.log.Truncated }

// Forget has everything read once more, because it may have been changed since, but for the commits as long as HEAD is the same.
func (p *Project) Forget() {
	p.Files.Forget()
	p.isCurrent, p.plansIn = false, nil
}

// HeadID returns the commit that HEAD of the working directory resolves to, as a hash; empty if there is none, or it cannot be read. It is
// the one of the project's own repository that Log starts from.
func (p *Project) HeadID() string {
	if own := p.own(); own != nil {
		return own.Head()
	}
	return p.Checkout().HeadID() // "" says that there are no commits, which is not so where only the rest cannot be read
}

// ChangesOf returns what commits of Log changed outside the planning directory, each after the other, as gitlog.Commit.FileChanges has it.
// What was found before an error is returned with the first one.
func (p *Project) ChangesOf(ids []string) (all []gitlog.Change, failed error) {
	for _, id := range ids {
		name, hash := gitlog.CutID(id)
		for _, repo := range p.repos {
			if repo.Name() != name {
				continue
			}
			c, err := repo.Commit(hash)
			if err == nil {
				var changes []gitlog.Change
				changes, err = c.FileChanges()
				all = append(all, changes...)
			}
			failed = cmp.Or(failed, err)
		}
	}
	return all, failed
}

// own returns the project's own repository, of those that Log reads; nil if it has none.
func (p *Project) own() *gitlog.Repo {
	if log, _ := p.Log(nil); log == nil {
		return nil
	}
	return p.logged
}

func (p *Project) closeLog() {
	if p.log != nil {
		p.log.Close()
		closeAll(p.repos)
	}
}

// closeAll closes repositories, which were only read.
func closeAll(repos []*gitlog.Repo) {
	for _, repo := range repos {
		repo.Close()
	}
}

// History opens the repository of the working directory; nil if there is none.
func (p *Project) History() (*gitlog.Repo, error) {
	repo, err := p.Checkout().Open(p.git)
	if errors.Is(err, gitlog.ErrNone) {
		return nil, nil
	}
	return repo, err
}

// Uncommitted finds which of some files differ from the last commit of the repository in which they are. Their names are relative to Work.
func (p *Project) Uncommitted(names []string) worktree.Uncommitted {
	var below worktree.Uncommitted
	own := names
	for _, at := range p.Below() {
		list, prefix := []string(nil), at.Name()+"/"
		own = slices.DeleteFunc(slices.Clone(own), func(name string) bool {
			name, is := strings.CutPrefix(name, prefix)
			if is {
				list = append(list, name)
			}
			return is
		})
		if len(list) > 0 {
			below.Add(prefix, worktree.Look(at, list, p.git))
		}
	}
	all := worktree.Look(p.Checkout(), own, p.git)
	all.Add("", below)
	slices.SortStableFunc(all.Files, func(a, b worktree.File) int {
		return cmp.Compare(slices.Index(names, a.Path), slices.Index(names, b.Path))
	})
	return all
}

// readLog is evidence.Read, and tells progress, now and then, how many commits have been read; nil for nobody.
func readLog(commits iter.Seq2[*gitlog.Commit, error], progress func(doing string)) *evidence.Log {
	if progress == nil {
		return evidence.Read(commits)
	}
	return evidence.Read(func(yield func(*gitlog.Commit, error) bool) {
		seen := 0
		for c, err := range commits {
			if seen++; seen%1000 == 0 {
				progress(fmt.Sprintf("reading git's history: %d commits", seen))
			}
			if !yield(c, err) {
				return
			}
		}
	})
}
