// Package worktree compares files of a working tree with git's index and HEAD, as git status does, but only those that it is asked for.
//
// It only reads, and runs nothing of the repository: no filter, no hook, no monitor, no git. So it says less than git status, and what
// it says is so: where a filter, an index of another kind, a link or the case of a name could make it wrong, it says nothing of the
// file. git status is the oracle of the tests.
package worktree

import (
	"bytes"
	"crypto/sha1"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"
	"syscall"
	"time"

	"github.com/go-git/go-git/v5/plumbing"

	"github.com/gsd-cli/gsd/internal/durable"
	"github.com/gsd-cli/gsd/internal/gitlog"
)

// State is how a file differs from the last commit.
type State string

// The states. As the last commit has it, ignored, or not known is "".
const (
	Changed   State = "changed"
	Added     State = "added"     // it is in the index, and the last commit does not have it
	Deleted   State = "deleted"   // it is gone, from the working tree at least
	Untracked State = "untracked" // git does not have it; that somebody's own configuration ignores it is not known
	Unmerged  State = "unmerged"  // a merge left a conflict
)

// File is a file and its state.
type File struct {
	Path  string // as it was asked for
	State State
}

// Uncommitted is what no commit on the branch has.
type Uncommitted struct {
	Files   []File
	Stashes int       // how many the repository has, which all its working trees share
	Stashed time.Time // when the latest was made
}

// Add adds what no commit has of another repository, with a prefix for the paths of its files.
func (u *Uncommitted) Add(prefix string, uncommitted Uncommitted) {
	for _, f := range uncommitted.Files {
		u.Files = append(u.Files, File{prefix + f.Path, f.State})
	}
	if u.Stashes += uncommitted.Stashes; uncommitted.Stashed.After(u.Stashed) {
		u.Stashed = uncommitted.Stashed
	}
}

// Limits for the contents that are compared, where size and time do not say whether a file is the same.
const (
	maxContent  = 256 << 10 // bytes of a file
	maxContents = 1 << 20   // of all
)

// Look returns those of some files that differ from the last commit, in their order. Their names are relative to the directory at which the
// repository was found.
// A name may be anything: what is not a file in the working tree is ignored. What is read is charged to the budget.
func Look(at gitlog.Place, names []string, budget *durable.Budget) (found Uncommitted) {
	dir, common := at.Dir(), at.Common()
	top, own := at.WorkingTree()
	if top == "" {
		return found
	}
	found.Stashes, found.Stashed = gitlog.Stashes(common)
	below, err := filepath.Rel(top, dir)
	if err != nil {
		return found
	}
	l := &look{repository: at, dir: dir, top: top, common: common, budget: budget, left: maxContents, dirs: map[string]kind{".": real}, ruled: map[string][]string{}}
	defer l.close()
	paths := make([]string, len(names))
	for i, name := range names {
		paths[i] = inTree(filepath.ToSlash(below), name)
	}
	if l.index, err = readIndex(own, paths, budget); err != nil {
		return found
	}
	for i, name := range paths {
		if name == "" {
			continue
		}
		if state := l.state(name); state != "" {
			found.Files = append(found.Files, File{names[i], state})
		}
	}
	return found
}

// inTree returns the path of a file relative to the top of the working tree, "" if it is outside of that or is git's own.
func inTree(below, name string) string {
	if len(name) > maxPath {
		return ""
	}
	name = path.Clean(filepath.ToSlash(name))
	if !filepath.IsLocal(filepath.FromSlash(path.Join(below, name))) || path.IsAbs(name) || name == "." {
		return ""
	}
	name = path.Join(below, name)
	for part := range strings.SplitSeq(name, "/") {
		if strings.EqualFold(part, ".git") || strings.EqualFold(part, "git~1") { // which is .git on Windows
			return ""
		}
	}
	return name
}

// look is a comparison of a few files.
type look struct {
	repository       gitlog.Place
	dir, top, common string
	index            *index
	budget           *durable.Budget
	left             int64 // of maxContents
	dirs             map[string]kind
	ruled            map[string][]string // the lines of files of patterns and attributes, nil for one that cannot be read

	isOpened bool
	repo     *gitlog.Repo // nil if HEAD has no commit that can be read
}

// kind is what is at the path of a directory.
type kind int

const (
	gone  kind = iota + 1
	real       // a directory, as all above it
	other      // a link, for example, beyond which git has no files
)

func (l *look) close() {
	if l.repo != nil {
		l.repo.Close() // it was only read
	}
}

// at returns the path of the system of a file.
func (l *look) at(name string) string { return filepath.Join(l.top, filepath.FromSlash(name)) }

// kindOf returns what is at the path of a directory.
func (l *look) kindOf(dir string) (k kind) {
	if k = l.dirs[dir]; k != 0 {
		return k
	}
	if k = l.kindOf(path.Dir(dir)); k == real {
		info, err := os.Lstat(l.at(dir))
		switch {
		case isMissing(err):
			k = gone
		case err != nil || !info.IsDir():
			k = other
		}
	}
	l.dirs[dir] = k
	return k
}

// state returns the state of a file.
func (l *look) state(name string) State {
	e, isTracked := l.index.entries[name]
	dir := l.kindOf(path.Dir(name))
	switch {
	case l.index.unclear[name] || dir == other || isTracked && (e.hidden || e.mode&kindMask != regular):
		return ""
	case e.unmerged:
		return Unmerged
	}
	info, err := os.Lstat(l.at(name))
	if isGone := isMissing(err); isGone && isTracked && !e.intended || isGone && !isTracked && l.wasRemoved(name) {
		return Deleted
	}
	switch {
	case err != nil || !info.Mode().IsRegular():
		return ""
	case !isTracked && l.isUntracked(name):
		return Untracked
	case !isTracked:
		return ""
	case e.intended:
		return Added
	}
	staged := l.staged(name, &e)
	if staged == "" && l.isModified(name, &e, info) {
		return Changed
	}
	return staged
}

// opened opens the repository, unless the index is what HEAD has.
func (l *look) opened() bool {
	if !l.isOpened {
		l.isOpened = true
		repo, err := l.repository.Open(l.budget)
		if err == nil {
			l.repo = repo
		}
	}
	return l.repo != nil
}

// isCommitted reports whether nothing is known to be staged.
func (l *look) isCommitted() bool { return !l.index.root.IsZero() || !l.opened() }

// staged returns how the index differs from HEAD.
func (l *look) staged(name string, e *entry) State {
	if l.isCommitted() {
		return ""
	}
	switch id, err := l.repo.InHead(name); {
	case err != nil || id == e.id:
		return ""
	case id.IsZero():
		return Added
	}
	return Changed
}

// wasRemoved reports whether HEAD has a file that is not in the index.
func (l *look) wasRemoved(name string) bool {
	if l.isCommitted() {
		return false
	}
	id, err := l.repo.InHead(name)
	return err == nil && !id.IsZero()
}

// isModified reports whether a file certainly has another content than the index.
func (l *look) isModified(name string, e *entry, info fs.FileInfo) bool {
	size, when := info.Size(), info.ModTime()
	stamped := time.Unix(int64(e.sec), int64(e.nsec))
	isSameTime := when.Equal(stamped) || e.nsec == 0 && when.Unix() == stamped.Unix()
	isSized := e.size != 0 // or it was changed in the moment in which the index was written, for example
	switch {
	case isSized && size < 1<<32 && uint32(size) != e.size: // git looks no further, either
		return true
	case isSized && isSameTime && stamped.Before(l.index.written), size > min(maxContent, l.left), l.index.width != len(e.id):
		return false
	}
	l.left -= size
	content, err := (*durable.Budget)(nil).ReadAt(l.at(name), maxContent)
	if err != nil || blobName(content) == e.id {
		return false
	}
	if bytes.Contains(content, []byte("\r\n")) || bytes.Contains(content, []byte("$Id")) || l.mayConvert(name) { // git may store another content
		return false
	}
	if !isSized {
		return true
	}
	// What the repository says nothing of may convert it, too, but then mostly to another size.
	if !l.opened() {
		return false
	}
	stored, err := l.repo.Size(e.id)
	return err == nil && int64(stored) == size
}

// blobName returns the object name of a file's content.
func blobName(content []byte) (id plumbing.Hash) {
	h := sha1.New()
	fmt.Fprintf(h, "blob %d\x00", len(content))
	h.Write(content)
	copy(id[:], h.Sum(nil))
	return id
}

// mayConvert reports whether attributes in the repository may have git store another content than a file has.
func (l *look) mayConvert(name string) bool {
	files := []string{filepath.Join(l.common, "info", "attributes")}
	for dir := path.Dir(name); ; dir = path.Dir(dir) {
		files = append(files, l.at(path.Join(dir, ".gitattributes")))
		if dir == "." {
			break
		}
	}
	converts := func(line string) bool { return strings.Contains(line, "filter") || strings.Contains(line, "encoding") }
	return slices.ContainsFunc(files, func(file string) bool {
		lines, ok := l.rules(file)
		return !ok || slices.ContainsFunc(lines, converts)
	})
}

// maxListed is how many names in a directory are read.
const maxListed = 4096

// isUntracked reports whether a file that the index does not have is one that git status would name.
func (l *look) isUntracked(name string) bool {
	for dir := path.Dir(name); dir != "."; dir = path.Dir(dir) {
		if _, err := os.Lstat(l.at(path.Join(dir, ".git"))); !isMissing(err) { // another repository's
			return false
		}
	}
	d, err := durable.DirAt(l.at(path.Dir(name)))
	if err != nil {
		return false
	}
	defer d.Close()
	names, _ := d.Readdirnames(maxListed)
	return slices.Contains(names, path.Base(name)) && // where several names lead to one file, git may have another of them
		!l.mayIgnore(name)
}

// isMissing reports whether an error means that there is no such file.
func isMissing(err error) bool {
	return errors.Is(err, fs.ErrNotExist) || errors.Is(err, syscall.ENOTDIR)
}
