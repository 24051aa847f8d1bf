package gitlog

// beside.go: whether the files of a branch are here already, and whether they can come here.

import (
	"errors"
	"io/fs"
	"os"
	"path"
	"path/filepath"

	"github.com/go-git/go-git/v5/plumbing"
)

// Names returns the names in a directory below the planning directory, a path like Change.Path, in c; none if it is not there.
func (c *Commit) Names(dir string) (names []string, err error) {
	e, err := c.repo.objects.at(c.tree, path.Join(c.place(), dir))
	if err != nil || !e.isTree() {
		return nil, err
	}
	o, err := c.repo.objects.getKind(e.id, plumbing.TreeObject)
	for rest := o.data; err == nil && len(rest) > 0; {
		if e, rest, err = nextEntry(rest); err == nil {
			names = append(names, string(e.name))
		}
	}
	return names, err
}

// IsHere reports whether every file that the commits of a branch changed is in HEAD as it is there, as after a squash, a rebase or a
// cherry-pick. Merges do not count: what they bring is somebody else's. It is false where that is not known.
func (r *Repo) IsHere(b *Beside) bool {
	head, err := r.commit(r.head)
	if err != nil || len(b.Commits) == 0 {
		return false
	}
	looked := map[string]bool{}
	for _, c := range b.Commits {
		if c.Merge() {
			continue
		}
		changes, err := r.changes(c)
		if err != nil {
			return false
		}
		for _, change := range changes {
			if looked[change.Path] {
				continue
			}
			looked[change.Path] = true
			there, err := r.objects.at(b.Commits[0].tree, change.Path)
			if err != nil {
				return false
			}
			here, err := r.objects.at(head.tree, change.Path)
			if err != nil || here.id != there.id || len(looked) > maxOutside {
				return false
			}
		}
	}
	return len(looked) > 0
}

// changes returns all changes of a commit relative to its first parent, with paths from the top of the repository.
func (r *Repo) changes(c *Commit) ([]Change, error) {
	older, err := c.older()
	if err != nil {
		return nil, err
	}
	var was plumbing.Hash
	if older != nil {
		was = older.tree
	}
	d := differ{objects: r.objects, budget: maxTreeBytes, limit: maxOutside}
	err = d.compare(was, c.tree, "", 0)
	return d.changes, err
}

// mostWritten is how many files Fits compares: most executors of a plan change fewer.
const mostWritten = 100

// midway are what git leaves in a working tree's directory while it merges, picks, reverts, rebases or bisects.
var midway = []string{"MERGE_HEAD", "CHERRY_PICK_HEAD", "REVERT_HEAD", "rebase-merge", "rebase-apply", "BISECT_LOG", "index.lock"}

// Fits reports whether a fast-forward from HEAD to a branch finds every file that it changes in the working tree as HEAD has it. It is
// false where that is not known: of more than a hundred files, of those that git converts, and of anything that is no regular file.
func (r *Repo) Fits(b *Beside) bool {
	head, err := r.commit(r.head)
	if err != nil || !b.FastForward {
		return false
	}
	for _, name := range midway {
		if _, err := os.Lstat(filepath.Join(r.at.dir, name)); err == nil || !missing(err) {
			return false
		}
	}
	d := differ{objects: r.objects, budget: maxTreeBytes, limit: mostWritten}
	if err := d.compare(head.tree, b.Commits[0].tree, "", 0); err != nil {
		return false
	}
	for _, change := range d.changes {
		if !r.isClean(head, change.Path) {
			return false
		}
	}
	return true
}

// isClean reports whether a file of the working tree is as a commit has it.
func (r *Repo) isClean(c *Commit, name string) bool {
	e, err := r.objects.at(c.tree, name)
	if err != nil || !filepath.IsLocal(filepath.FromSlash(name)) {
		return false
	}
	file := filepath.Join(r.at.top, filepath.FromSlash(name))
	info, err := os.Lstat(file)
	if e.mode == 0 {
		return errors.Is(err, fs.ErrNotExist)
	}
	if err != nil || !info.Mode().IsRegular() || e.mode&modeKind != modeFile || physical(filepath.Dir(file)) != filepath.Dir(file) {
		return false
	}
	data, err := r.objects.budget.ReadAt(file, maxObject)
	return err == nil && hash(object{kind: plumbing.BlobObject, data: data}) == e.id
}
