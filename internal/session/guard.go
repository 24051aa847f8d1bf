package session

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"time"

	"github.com/gofrs/flock"

	"github.com/gsd-cli/gsd/internal/durable"
)

const (
	guardFile = ".guard"
	// guardPerm keeps other users from holding the guard, for which the right to read it would suffice.
	guardPerm fs.FileMode = 0o600

	// The guard is held for about a millisecond, so the first retries come quickly and the pauses stay short.
	firstPause = 100 * time.Microsecond
	maxPause   = 2 * time.Millisecond
)

// errElsewhere means that the lock is on another file than the guard. The operating system locks by path, everything
// else goes through an open directory; the two must meet in one file.
var errElsewhere = errors.New("the file was moved or replaced while it was being locked")

// A BusyError means that another process held the guard for as long as the caller was willing to wait.
type BusyError struct {
	Session string // the directory, relative to the project
	Holder  Holder
}

// A Holder is the process that holds a guard, as far as the kernel says. The zero Holder is unknown.
type Holder struct {
	PID     int
	Command string // the program's name, without a path
	User    string // the owner of the process, if that is another user
}

func (e *BusyError) Error() string {
	h := e.Holder
	switch {
	case h.PID == 0:
		return e.Session + " is in use by another process"
	case h.User == "":
		return fmt.Sprintf("%s is in use by %s (pid %d)", e.Session, h.Command, h.PID)
	}
	return fmt.Sprintf("%s is in use by %s (pid %d of %s)", e.Session, h.Command, h.PID, h.User)
}

// A Guard is the right to change one session directory, until Unlock.
type Guard struct {
	Swept int // temporaries of crashed writers that Lock removed

	in    Dir
	dir   *os.Root // the session directory, held open
	lock  *flock.Flock
	write durable.Writer
	text  []byte        // what Read returned last
	was   durable.Stamp // its version
}

// Lock takes the guard of the session directory. It waits for it at most wait (but tries at least once), or until ctx
// is done.
//
// It makes what is missing: the directories, the guard file, and the directory's .gitignore. It also removes the temporaries of
// writers that crashed.
//
// Errors: *[BusyError] naming the holder when wait is over, ctx's error, those of package durable, and the system's
// (fs.ErrPermission, EROFS, …).
func (d Dir) Lock(ctx context.Context, wait time.Duration) (*Guard, error) {
	if err := d.check(); err != nil {
		return nil, err
	}
	dir, err := d.open()
	if err != nil {
		return nil, err
	}
	path := filepath.Join(d.root.Name(), filepath.FromSlash(d.join(guardFile)))
	g := &Guard{in: d, dir: dir, write: d.Writer, lock: flock.New(path, flock.SetFlag(os.O_RDONLY|openFlags))}
	err = g.acquire(ctx, wait)
	if err == nil {
		g.Swept = durable.SweepTemps(dir, ".", time.Time{}, false)
		err = g.makeIgnore() // now: a holder of the guard would sweep its temporary
	}
	if err != nil {
		g.Unlock() // nothing, unless it failed after it was taken
		return nil, err
	}
	return g, nil
}

// Root returns the session directory, held open until Unlock, for the other files that the guard protects.
func (g *Guard) Root() *os.Root { return g.dir }

// ErrNotOwn means that a session directory, or the one that it is in, is not a directory of its own but a link or something else.
// Whatever is written there would be somebody's: a committed link sessions/ada -> ../../src would hide all sources from git.
var ErrNotOwn = errors.New("not a directory of its own")

// checkOwn returns an ErrNotOwn unless the session directory and those that it is in, below the first, are directories, or missing. own is
// the session directory; nil if it is missing.
func (d Dir) checkOwn() (own fs.FileInfo, err error) {
	parts := strings.Split(d.Path(), "/")
	for i := range parts[1:] {
		name := strings.Join(parts[:i+2], "/")
		own, err = d.describe(name, (*os.Root).Lstat)
		if errors.Is(err, fs.ErrNotExist) {
			own, err = nil, nil
		} else if err == nil && !own.IsDir() {
			err = &fs.PathError{Op: "open", Path: name, Err: ErrNotOwn}
		}
		if err != nil {
			return nil, durable.Failed("open", name, d.root, err)
		}
	}
	return own, nil
}

// open opens the session directory, and makes it if it is missing. Nothing is written through a link that somebody puts there meanwhile.
func (d Dir) open() (*os.Root, error) {
	d.Beside = nil // what was open before may have been replaced
	dir, err := durable.OpenRoot(d.root, d.Path())
	if err != nil {
		if _, odd := d.checkOwn(); odd != nil {
			return nil, odd
		}
	}
	if errors.Is(err, fs.ErrNotExist) {
		dir, err = d.make()
	}
	if err != nil {
		return nil, err
	}
	opened, err := dir.Stat(".")
	var named fs.FileInfo
	if err == nil {
		named, err = d.checkOwn()
	}
	if err == nil && (named == nil || !os.SameFile(opened, named)) {
		err = &fs.PathError{Op: "open", Path: d.Path(), Err: ErrNotOwn}
	}
	if err != nil {
		dir.Close() // nothing was written
		return nil, err
	}
	return dir, nil
}

// make makes the session directory and opens it.
func (d Dir) make() (*os.Root, error) {
	if d.BeforeMake != nil {
		if err := d.BeforeMake(); err != nil {
			return nil, err
		}
	}
	// The first user's umask must not keep the others of a shared project out.
	if err := durable.MkdirShared(d.root, d.sessions()); err != nil {
		return nil, err
	}
	if err := durable.MkdirAll(d.root, d.Path(), dirPerm); err != nil {
		return nil, err
	}
	return durable.OpenRoot(d.root, d.Path())
}

func (g *Guard) acquire(ctx context.Context, wait time.Duration) error {
	until := time.Now().Add(wait)
	for pause := firstPause; ; pause = min(2*pause, maxPause) {
		if err := ctx.Err(); err != nil {
			return fmt.Errorf("lock %s: %w", g.in.join(guardFile), context.Cause(ctx))
		}
		ok, err := g.try()
		left := time.Until(until)
		switch {
		case ok:
			return nil
		case err != nil && (left <= 0 || !errors.Is(err, errElsewhere)):
			return durable.Failed("lock", g.in.join(guardFile), g.in.root, err)
		case left <= 0:
			busy := &BusyError{Session: g.in.Path()}
			if guard, err := g.dir.Lstat(guardFile); err == nil {
				busy.Holder = lockedBy(guard)
			}
			return busy
		}
		select {
		case <-ctx.Done():
		case <-time.After(min(pause, left)):
		}
	}
}

// try takes the lock if it is free. The file is made and checked through the root, because the library that locks opens
// it by path and would follow a link anywhere. Afterwards the two must be the same file; errElsewhere means that they
// are not, which passes if another process is just replacing the directory.
func (g *Guard) try() (bool, error) {
	info, err := g.dir.Lstat(guardFile)
	if errors.Is(err, fs.ErrNotExist) {
		info, err = g.makeGuard()
	}
	if err != nil {
		return false, err
	}
	if !info.Mode().IsRegular() {
		return false, durable.ErrNotRegular
	}
	ok, err := g.lock.TryLock()
	if errors.Is(err, fs.ErrNotExist) {
		return false, errElsewhere
	}
	if !ok || err != nil {
		return false, err
	}
	locked, err := g.lock.Stat()
	if err != nil {
		return false, err
	}
	named, err := g.dir.Lstat(guardFile)
	if err == nil && os.SameFile(locked, named) {
		if !durable.Linked(named) {
			return true, nil
		}
		// A hard link, as cp -al makes it, is also the copy's guard, whose holder would keep us out. Ours becomes a new
		// file; processes that wait for this one find that it is no longer the guard.
		if err := g.dir.Remove(guardFile); err != nil {
			return false, durable.Failed("remove", guardFile, g.dir, err)
		}
	}
	return false, errors.Join(errElsewhere, g.lock.Unlock())
}

// makeGuard makes the guard file, unless another process just did.
func (g *Guard) makeGuard() (fs.FileInfo, error) {
	f, err := g.dir.OpenFile(guardFile, os.O_RDWR|os.O_CREATE|os.O_EXCL, guardPerm)
	if err == nil {
		durable.Inherit(f, g.dir)
		err = f.Close()
	}
	if err != nil && !errors.Is(err, fs.ErrExist) {
		return nil, err
	}
	return g.dir.Lstat(guardFile)
}

// Unlock gives the guard back. A second call does nothing. From then on every other method fails with fs.ErrClosed.
func (g *Guard) Unlock() error { return errors.Join(g.lock.Unlock(), g.dir.Close()) }
