package gitlog

// below.go: repositories below the project's directory, as submodules or beside each other, whose history is read together with that of the
// project's own repository.

import (
	"context"
	"errors"
	"fmt"
	"iter"
	"path"
	"path/filepath"
	"strings"

	"github.com/go-git/go-git/v5/plumbing"
)

// FindBelow returns the repository whose working tree is the directory called name, a path with slashes, below another one, which is absolute
// and without links. All that git has of it must be below that directory as well, or in common, the directory of the repository of which it
// may be a submodule. Only a linked working tree may belong to a repository elsewhere, because that names it, too: what else leads there may
// have been planted. Without one, Err returns why.
func FindBelow(dir, name, common string) Place {
	at := filepath.Join(dir, filepath.FromSlash(name))
	if !filepath.IsLocal(filepath.FromSlash(name)) || path.Clean(name) != name || name == "." || physical(at) != at {
		return Place{err: fmt.Errorf("%w: %q is no directory below the project", ErrNone, name)}
	}
	p, ok := findAt(at)
	switch {
	case !ok:
		return Place{err: fmt.Errorf("%w: no repository at %q", ErrNone, name)}
	case p.err == nil && !p.isIn(dir, physical(common)) && !p.isLinked():
		return Place{err: fmt.Errorf("%w: the repository at %q is kept outside of the project", ErrNone, name)}
	}
	p.name = name
	return p
}

// Name returns the path of a repository below the project, with slashes; "" for the project's own.
func (p Place) Name() string { return p.name }

// Name returns the name of the repository's Place.
func (r *Repo) Name() string { return r.at.name }

// isIn reports whether the files of the repository are in one of some directories, which have no links.
func (p Place) isIn(dirs ...string) bool {
	for _, part := range []string{p.dir, filepath.Join(p.common, "objects"), filepath.Join(p.common, "refs")} {
		in := false
		for _, dir := range dirs {
			rel, err := filepath.Rel(dir, physical(part))
			in = in || dir != "" && err == nil && filepath.IsLocal(rel)
		}
		if !in {
			return false
		}
	}
	return true
}

// isLinked reports whether the repository says that this is one of its linked working trees. What the file commondir in there says does not
// count: it came with it.
func (p Place) isLinked() bool {
	return p.dir != p.common && treeOf(p.dir) == p.top && physical(filepath.Dir(p.dir)) == physical(filepath.Join(p.common, "worktrees"))
}

// IDBelow returns the ID of a commit of the repository with that name below the project: packages/api@4b825dc….
func IDBelow(name, hash string) string {
	if name == "" {
		return hash
	}
	return name + "@" + hash
}

// CutID returns the name of the repository, "" for the project's own, and the hash in a commit's ID.
func CutID(id string) (name, hash string) {
	at := strings.LastIndexByte(id, '@')
	return id[:max(at, 0)], id[at+1:]
}

// isPlanning reports whether the planning directory is the repository's working tree, as where it is a submodule.
func (r *Repo) isPlanning() bool { return r.at.name == planning }

// beside says what a commit of a repository that does not have the planning directory came to when it was made.
type beside struct {
	planned *Commit // the latest one before it that has the directory; nil if there was none yet
	err     error   // or it is not known
}

// Together iterates over the commits of several repositories, each of which lists its own as each does: the method Reachable or Log. They are
// that of the project, which comes first if there is one, and some below it; a commit that several have is visited once. Plans are in the
// repository that has the planning directory, if any: for the commits of the others, they are as they were there at the time. failed, which
// may be nil, is returned with the errors at the end.
func Together(ctx context.Context, each func(*Repo, context.Context) iter.Seq2[*Commit, error], repos []*Repo, failed error) iter.Seq2[*Commit, error] {
	if len(repos) == 1 && repos[0].at.name == "" && failed == nil {
		return each(repos[0], ctx)
	}
	return func(yield func(*Commit, error) bool) {
		var all []*source
		for _, r := range repos {
			s := &source{repo: r}
			next, stop := iter.Pull2(each(r, ctx))
			defer stop()
			if s.next = next; r.at.name == "" {
				r.below = namesIn(repos, r.project[0])
			}
			s.advance()
			all = append(all, s)
		}
		plans := planner(all)
		seen := map[plumbing.Hash]bool{}
		for {
			var latest *source // of those of one second not the one with the plans: they are there before the work
			for _, s := range all {
				if s.head != nil && (latest == nil || s.head.When.After(latest.head.When) || latest == plans && s.head.When.Equal(latest.head.When)) {
					latest = s
				}
			}
			if latest == nil {
				break
			}
			c := latest.head
			latest.advance()
			if seen[c.id] {
				continue
			}
			seen[c.id] = true
			if plans != nil && latest != plans {
				c.beside = &beside{plans.head, plans.err}
			}
			if !yield(c, nil) {
				return
			}
		}
		for _, s := range all {
			failed = errors.Join(failed, s.err)
		}
		if failed != nil {
			yield(nil, failed)
		}
	}
}

// source is a repository whose commits Together visits.
type source struct {
	repo *Repo
	next func() (*Commit, error, bool)
	head *Commit // the next one; nil after the last
	err  error   // why there are no more
}

func (s *source) advance() {
	c, err, _ := s.next()
	if s.head = c; err != nil && s.repo.at.name != "" {
		err = fmt.Errorf("%s: %w", s.repo.at.name, err)
	}
	s.err = err
}

// planner returns the source whose latest commit has the planning directory; nil for none.
func planner(all []*source) *source {
	for _, s := range all {
		if s.head == nil {
			continue
		}
		if tree, err := s.head.planningTree(); err == nil && !tree.IsZero() {
			return s
		}
	}
	return nil
}

// namesIn returns the paths of the repositories below a project, relative to the top of the one that the project is in.
func namesIn(repos []*Repo, project string) map[string]bool {
	below := map[string]bool{}
	for _, r := range repos {
		if r.at.name != "" {
			below[path.Join(project, r.at.name)] = true
		}
	}
	return below
}
