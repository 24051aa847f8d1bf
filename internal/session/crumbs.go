package session

import (
	"cmp"
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

	"github.com/gsd-cli/gsd/internal/durable"
)

// Crumbs are stored in crumbs/ID.crumb.json below the state directory, one file each; those of archived sessions in
// crumbs/ID.archived.json, so that a hydrate need not read them. For a crumb of a linked working tree there is also an empty
// crumbs/ID.HASH.tree, by whose name it is found from another tree of the repository once its own was removed. Where the state
// directory cannot be written, they are in the session's own directory (own_crumbs.go).
//
// No lock is taken: sessions of one user share none, and a crumb is replaced in one step. A crumb rarely has two
// writers, since each holds its session's guard; the last one wins. Writes are not synced, but removals are: a crumb
// that came back would report a loss that never happened.
const (
	crumbsDir      = "crumbs"
	crumbSuffix    = ".crumb.json"
	archivedSuffix = ".archived.json"
	treeSuffix     = ".tree"
	crumbLimit     = 8 << 20 // bytes; a crumb of 100,000 tasks takes half
	maxStem        = 100     // characters of a file's name before its suffix

	// What one command reads of crumbs. They are removed when their session ends, or a week after its loss was shown: each
	// project has a few.
	maxCrumbs  = 1000
	crumbBytes = 32 << 20
)

// Crumbs are those of a state directory, sorted by their ids.
type Crumbs struct {
	Good   []Crumb
	Bad    []BadCrumb
	Unread int // files beyond what one command reads
}

// A BadCrumb is a file with the name of a crumb and other content.
type BadCrumb struct {
	ID  string // its name without the suffix; [StateDir.RemoveCrumb] takes it
	Why string // a few words of printable ASCII
}

// WriteCrumb makes c the crumb of its session. It sets ID, converts Updated to UTC, and makes missing
// directories. Invalid UTF-8 in names is written as U+FFFD.
//
// Errors: fs.ErrInvalid for a crumb that could not be read again (because a path is not UTF-8 or it has no time stamp,
// say), durable.ErrTooLarge, those of durable.Writer.Replace and the system's. A crumb is
// expendable: the caller continues.
func (s StateDir) WriteCrumb(w durable.Writer, c Crumb) error {
	c, text, err := c.written()
	if err != nil {
		return err
	}
	dir, err := s.openOrMake()
	if err != nil {
		return err
	}
	defer dir.Close()
	if err := c.writeIn(dir, w, text); err != nil || c.Repository == "" {
		return err
	}
	return touch(dir, crumbsDir+"/"+c.ID+"."+treeHash(c.Repository, c.Below, c.User)+treeSuffix, c.Updated)
}

// file returns the name of the crumb's file, and that of the one that it would have if its session were archived, or were not.
func (c *Crumb) file() (name, other string) {
	name, other = crumbsDir+"/"+c.ID+crumbSuffix, crumbsDir+"/"+c.ID+archivedSuffix
	if c.Archive != "" {
		return other, name
	}
	return name, other
}

// written returns the crumb as it is read again, and its text. It is an error if it could not be read again.
func (c Crumb) written() (Crumb, []byte, error) {
	c = c.filled()
	text, err := c.encode()
	switch why := c.fault(); {
	case why != "":
		err = fmt.Errorf("%s: %w", why, fs.ErrInvalid)
	case err == nil && len(text) > crumbLimit:
		err = durable.ErrTooLarge
	}
	if err != nil {
		name, _ := c.file()
		err = &fs.PathError{Op: "write", Path: name, Err: err}
	}
	return c, text, err
}

// writeIn writes the crumb below dir. c and text are what [Crumb.written] returned.
func (c *Crumb) writeIn(dir *os.Root, w durable.Writer, text []byte) error {
	name, other := c.file()
	was, err := durable.StampOf(dir, name) // a file that is not a crumb may be replaced
	if err == nil && was.IsZero() {
		err = durable.MkdirAll(dir, crumbsDir, privateDirPerm)
	}
	if err != nil {
		return err
	}
	w.Lazy = true
	if err := w.Replace(dir, name, [][]byte{text}, privateFilePerm, was); err != nil {
		return err
	}
	if err := dir.Remove(other); err != nil && !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	return nil
}

// treeHash is in the names of all linked working trees of a repository and user, whatever their own names are.
func treeHash(repository, below, user string) string { return shortHash(repository, below, user) }

// RemoveCrumb removes the crumb id, good or bad, of a session that was archived or not: a link, not its target; a directory
// only if it is empty. A missing one is not an error. Any other id is fs.ErrInvalid.
func (s StateDir) RemoveCrumb(w durable.Writer, id string) error {
	if !isStem(id) {
		return &fs.PathError{Op: "remove", Path: fmt.Sprintf("%s/%q", crumbsDir, id+crumbSuffix), Err: fs.ErrInvalid}
	}
	dir, err := s.open()
	if errors.Is(err, fs.ErrNotExist) || errors.Is(err, syscall.ENOTDIR) {
		return nil
	}
	if err != nil {
		return err
	}
	defer dir.Close()
	err = removeCrumb(w, dir, id)
	names, _ := durable.Names(dir, crumbsDir) // what is left of it leads nowhere
	for _, name := range names {
		if strings.HasPrefix(name, id+".") && strings.HasSuffix(name, treeSuffix) {
			err = errors.Join(err, w.Remove(dir, crumbsDir+"/"+name))
		}
	}
	return err
}

// removeCrumb removes the files of the crumb id below dir.
func removeCrumb(w durable.Writer, dir *os.Root, id string) error {
	stem := crumbsDir + "/" + id
	return errors.Join(w.Remove(dir, stem+crumbSuffix), w.Remove(dir, stem+archivedSuffix))
}

// Crumbs reads the crumbs whose id begins with prefix. Files with other names are skipped; one with the name of a crumb
// is good or bad, and never an error. A missing directory contains none. An error means that the directory could not be
// listed.
func (s StateDir) Crumbs(prefix string) (Crumbs, error) {
	return s.crumbs(prefix, "", crumbSuffix, archivedSuffix)
}

// Crumb reads the crumb id, and reports whether it is good.
func (s StateDir) Crumb(id string) (Crumb, bool) {
	if !isStem(id) {
		return Crumb{}, false
	}
	dir, err := s.open()
	if err != nil {
		return Crumb{}, false
	}
	defer dir.Close()
	return eitherCrumb(nil, dir, crumbsDir, id)
}

// eitherCrumb reads the crumb id, of a session that was archived or not, in the directory at below dir, and reports whether it is good.
func eitherCrumb(b *durable.Budget, dir *os.Root, at, id string) (Crumb, bool) {
	c, why, err := readCrumb(b, dir, at, id, crumbSuffix)
	if errors.Is(err, fs.ErrNotExist) {
		c, why, err = readCrumb(b, dir, at, id, archivedSuffix)
	}
	return c, err == nil && why == ""
}

// CrumbWritten returns when the crumb id was last written, the zero time if there is none. It does not open it.
func (s StateDir) CrumbWritten(id string) time.Time {
	info, err := os.Lstat(filepath.Join(string(s), crumbsDir, id+crumbSuffix))
	if err != nil || !isStem(id) || s == "" {
		return time.Time{}
	}
	return info.ModTime()
}

// ShowCrumb records in a good crumb that the loss of its session was shown at now, unless it was shown before.
func (s StateDir) ShowCrumb(w durable.Writer, id string, now time.Time) error {
	c, ok := s.Crumb(id)
	if !ok || !c.Shown.IsZero() {
		return nil
	}
	c.Shown = now
	return s.WriteCrumb(w, c)
}

// A CrumbList is the names of all crumbs at one time, for a command that asks for those of many users.
type CrumbList struct {
	names []string
	err   error
}

// List lists all crumbs.
func (s StateDir) List() *CrumbList {
	names, err := durable.NamesAt(filepath.Join(string(s), crumbsDir))
	return &CrumbList{names, err}
}

// CrumbsOf reads the crumbs of one user's sessions in a planning root of one project, "" for all of them, except the one of the id but, and
// with archived also those of archived sessions. It opens no other file, so every hydrate may call it. Bad ones are included by their names. list may be nil.
func (s StateDir) CrumbsOf(list *CrumbList, project, root, user, but string, archived bool) (Crumbs, error) {
	if s == "" {
		return Crumbs{}, nil
	}
	suffixes := []string{crumbSuffix}
	if archived {
		suffixes = append(suffixes, archivedSuffix)
	}
	// Usually there is none, which the names alone show at a third of the cost.
	if list == nil {
		list = s.List()
	}
	if list.err == nil && len(crumbFiles(list.names, CrumbPrefix(project, user), but, suffixes)) == 0 {
		return Crumbs{}, nil
	}
	found, err := s.crumbs(CrumbPrefix(project, user), but, suffixes...)
	// Eight digits collide sooner or later, and a session that is restored into the wrong project does harm.
	found.Good = slices.DeleteFunc(found.Good, func(c Crumb) bool { return c.Project != project || c.User != user || root != "" && c.Root != root })
	return found, err
}

// SameSession reads those of the crumbs in a list that are of a session with the same plan and beginning as the one of the crumb id, of
// whatever project.
func (s StateDir) SameSession(list *CrumbList, id string) (all []Crumb) {
	const most = 100
	for _, name := range list.names {
		for _, suffix := range []string{crumbSuffix, archivedSuffix} {
			stem, ok := strings.CutSuffix(name, suffix)
			if !ok || stem == id || len(stem) != len(id) || stem[len(id)/2:] != id[len(id)/2:] || len(all) == most {
				continue
			}
			if c, ok := s.Crumb(stem); ok {
				all = append(all, c)
			}
		}
	}
	return all
}

// InTrees reports whether there are crumbs of linked working trees.
func (l *CrumbList) InTrees() bool {
	return slices.ContainsFunc(l.names, func(name string) bool { return strings.HasSuffix(name, treeSuffix) })
}

// CrumbsInTrees reads the crumbs of one user, with those of archived sessions, in the linked working trees of a repository, in which the
// project is below. Bad ones are left out. list is what [StateDir.List] returned.
func (s StateDir) CrumbsInTrees(list *CrumbList, repository, below, user string) (all []Crumb) {
	suffix := "." + treeHash(repository, below, user) + treeSuffix
	for _, name := range list.names {
		id, ok := strings.CutSuffix(name, suffix)
		if !ok || len(all) == maxCrumbs {
			continue
		}
		if c, ok := s.Crumb(id); ok && c.Repository == repository && c.Below == below && c.User == user {
			all = append(all, c)
		}
	}
	return all
}

// crumbs reads those whose id begins with prefix and is not but, in files with one of the suffixes.
func (s StateDir) crumbs(prefix, but string, suffixes ...string) (Crumbs, error) {
	var found Crumbs
	dir, err := s.open()
	var names []string
	if err == nil {
		defer dir.Close()
		names, err = durable.Names(dir, crumbsDir)
	}
	if errors.Is(err, fs.ErrNotExist) {
		return found, nil
	}
	if err != nil {
		return found, err
	}
	return readCrumbs(durable.NewBudget(crumbBytes), dir, crumbsDir, crumbFiles(names, prefix, but, suffixes)), nil
}

// readCrumbs reads the crumbs in files of the directory at below dir.
func readCrumbs(b *durable.Budget, dir *os.Root, at string, files []crumbFile) (found Crumbs) {
	found.Unread = max(0, len(files)-maxCrumbs)
	for _, file := range files[:len(files)-found.Unread] {
		c, why, err := readCrumb(b, dir, at, file.stem, file.suffix)
		switch {
		case errors.Is(err, durable.ErrBudget):
			found.Unread++
		case err != nil: // it was removed since it was listed
		case why != "":
			found.Bad = append(found.Bad, BadCrumb{ID: file.stem, Why: why})
		default:
			found.Good = append(found.Good, c)
		}
	}
	return found
}

// A crumbFile is the name of a crumb's file.
type crumbFile struct{ stem, suffix string }

// crumbFiles returns the names of crumbs' files whose stems begin with prefix and are not but, sorted.
func crumbFiles(names []string, prefix, but string, suffixes []string) []crumbFile {
	var files []crumbFile
	for _, name := range names {
		for _, suffix := range suffixes {
			stem, ok := strings.CutSuffix(name, suffix)
			if ok && stem != but && isStem(stem) && strings.HasPrefix(stem, prefix) {
				files = append(files, crumbFile{stem, suffix})
			}
		}
	}
	slices.SortFunc(files, func(a, b crumbFile) int {
		return cmp.Or(strings.Compare(a.stem, b.stem), strings.Compare(a.suffix, b.suffix))
	})
	return files
}

// isStem reports whether a crumb's file may have s before its suffix.
func isStem(s string) bool {
	const letters = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ"
	return s != "" && len(s) <= maxStem && strings.Trim(s, letters+"0123456789._-") == ""
}

// readCrumb reads the crumb in a file of the directory at below dir; why says what is wrong with it. The error is fs.ErrNotExist or
// durable.ErrBudget.
func readCrumb(b *durable.Budget, dir *os.Root, at, stem, suffix string) (c Crumb, why string, err error) {
	name := path.Join(at, stem+suffix)
	text, _, err := b.ReadOwn(dir, name, crumbLimit)
	switch {
	case err == nil:
		c, why = parseCrumb(stem, text)
		return c, why, nil
	case errors.Is(err, fs.ErrNotExist), errors.Is(err, durable.ErrBudget):
		return Crumb{}, "", err
	case errors.Is(err, durable.ErrNotRegular):
		why = "it is not a regular file"
	case errors.Is(err, durable.ErrTooLarge):
		why = "it is too large"
	case errors.Is(err, durable.ErrChanged):
		why = "it changes while it is read"
	case errors.Is(err, fs.ErrPermission):
		why = "there is no permission to read it"
	default:
		why = "it cannot be read" // the system's own words may be in any language
	}
	return Crumb{}, why, nil
}

// SweepTemps removes the temporaries that crashed writers of crumbs and of the machine's id left more than an hour
// before now, and returns how many. With dryRun it only counts them.
func (s StateDir) SweepTemps(now time.Time, dryRun bool) int {
	dir, err := s.open()
	if err != nil {
		return 0
	}
	defer dir.Close()
	before := now.Add(-durable.TempLife)
	return durable.SweepTemps(dir, ".", before, dryRun) + durable.SweepTemps(dir, crumbsDir, before, dryRun)
}
