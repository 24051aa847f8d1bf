package session

// own_crumbs.go: crumbs that lie in the session's own directory, because the state directory cannot be written, as in a sandbox: in
// crumbs/ID.crumb.json and crumbs/ID.archived.json there, too. They may have come with the project, in an archive or a clone, so one counts
// only if it is of the user and the project in whose directory it is. No link is followed to one.

import (
	"errors"
	"io/fs"
	"os"
	"path"
	"time"

	"github.com/gsd-cli/gsd/internal/durable"
)

// withCrumbs calls look with a root and the path of the directory's crumbs there, if there is such a directory.
func (d Dir) withCrumbs(look func(root *os.Root, at string)) {
	if d.check() != nil {
		return
	}
	_ = d.WithFile(crumbsDir, func(root *os.Root, at string) error {
		info, err := root.Lstat(at)
		if err != nil || !info.IsDir() { // nearly always there is none
			return err
		}
		if _, err = d.checkOwn(); err == nil {
			look(root, at)
		}
		return err
	})
}

// HasCrumbs reports whether there is a directory of crumbs in the session's own.
func (d Dir) HasCrumbs() (has bool) {
	d.withCrumbs(func(*os.Root, string) { has = true })
	return has
}

// isOwn reports whether a crumb that was found in the directory is of its user's session in the project.
func (d Dir) isOwn(c *Crumb, project string) bool {
	return c.Project == project && c.Root == d.base && c.User == d.user
}

// Crumb reads the crumb id in the directory, and returns when it was written. It reports whether it is good, and of a session here. project
// is the project's directory, as crumbs have it.
func (d Dir) Crumb(project, id string) (c Crumb, written time.Time, ok bool) {
	if !isStem(id) {
		return Crumb{}, time.Time{}, false
	}
	d.withCrumbs(func(root *os.Root, at string) {
		if c, ok = eitherCrumb(d.Budget, root, at, id); !ok || !d.isOwn(&c, project) {
			c, ok = Crumb{}, false
			return
		}
		name, _ := c.file()
		if info, err := root.Lstat(path.Join(path.Dir(at), name)); err == nil {
			written = info.ModTime()
		}
	})
	return c, written, ok
}

// Crumbs reads the good crumbs in the directory that are of sessions here, except the one of the id but.
func (d Dir) Crumbs(project, but string) (all []Crumb) {
	d.withCrumbs(func(root *os.Root, at string) {
		names, err := d.Budget.List(root, at, nil)
		if err != nil {
			return
		}
		files := crumbFiles(names, CrumbPrefix(project, d.user), but, []string{crumbSuffix, archivedSuffix})
		all = nil
		for _, c := range readCrumbs(d.Budget, root, at, files).Good {
			if d.isOwn(&c, project) {
				all = append(all, c)
			}
		}
	})
	return all
}

// CheckCrumbs returns why no crumb can be written in the directory, as far as that shows without writing; nil if nothing speaks against it.
func (d Dir) CheckCrumbs() error {
	if err := d.CheckWritable(); err != nil {
		return err
	}
	name := d.join(crumbsDir)
	switch info, err := d.root.Lstat(name); {
	case errors.Is(err, fs.ErrNotExist):
		return nil // it would be made
	case err != nil:
		return durable.Failed("write", name, d.root, err)
	case !info.IsDir():
		return &fs.PathError{Op: "write", Path: name, Err: ErrNotOwn}
	}
	return CheckDirectory(d.root, name)
}

// WriteCrumb is [StateDir.WriteCrumb] for the directory. An error may also be [ErrNotOwn].
func (d Dir) WriteCrumb(w durable.Writer, c Crumb) error {
	if err := d.check(); err != nil {
		return err
	}
	c, text, err := c.written()
	if err != nil {
		return err
	}
	dir, err := d.open()
	if err != nil {
		return err
	}
	defer dir.Close()
	info, err := dir.Lstat(crumbsDir) // a link that is put there now leads to this directory at most
	if err == nil && !info.IsDir() {
		return &fs.PathError{Op: "write", Path: d.join(crumbsDir), Err: ErrNotOwn}
	}
	if err := ignore(w, dir); err != nil && !errors.Is(err, durable.ErrUnsynced) {
		return durable.Below(d.Path(), err)
	}
	return durable.Below(d.Path(), c.writeIn(dir, w, text))
}

// RemoveCrumb is [StateDir.RemoveCrumb] for the directory. It also removes the directory of its crumbs, if that is empty then.
func (d Dir) RemoveCrumb(w durable.Writer, id string) error {
	if err := d.check(); err != nil || !isStem(id) || !d.HasCrumbs() {
		return err
	}
	dir, err := d.open()
	if err != nil {
		return err
	}
	defer dir.Close()
	if info, err := dir.Lstat(crumbsDir); err != nil || !info.IsDir() {
		return nil // it was replaced since
	}
	err = removeCrumb(w, dir, id)
	_ = dir.Remove(crumbsDir) // there may be others
	return durable.Below(d.Path(), err)
}

// SweepCrumbs removes the temporaries that crashed writers of crumbs left in the directory more than an hour before now, and returns how
// many. With dryRun it only counts them.
func (d Dir) SweepCrumbs(now time.Time, dryRun bool) (swept int) {
	d.withCrumbs(func(root *os.Root, at string) {
		swept = durable.SweepTemps(root, at, now.Add(-durable.TempLife), dryRun)
	})
	return swept
}
