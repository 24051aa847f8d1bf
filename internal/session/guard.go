package session

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"math"
	"os"
	"path/filepath"
	"sync"
	"time"

	"github.com/gofrs/flock"

	"github.com/gsd-cli/gsd/internal/durable"
)

const (
	guardFile = ".guard"
	// guardPerm keeps others from holding the guard, which takes no more than the right to read it.
	guardPerm fs.FileMode = 0o600

	// A holder is done in about a millisecond, so the first tries come quickly and none waits longer than two.
	firstPause = 100 * time.Microsecond
	maxPause   = 2 * time.Millisecond
)

// errElsewhere: the operating system locks by path, everything else goes
// through an open directory; the two have to meet in one file.
var errElsewhere = errors.New("the file was moved or replaced while it was being locked")

// A Guard is the right to change one session directory, until Unlock.
type Guard struct {
	Swept int // temporaries of crashed writers that Lock removed

	in    Dir
	dir   *os.Root // the session directory, held open
	lock  *flock.Flock
	write durable.Writer
	text  []byte        // what Read gave last
	was   durable.Stamp // which version that is
	once  sync.Once
	err   error // of Unlock
}

// Lock takes the guard of the session directory, and waits for it at most wait
// (once is tried in any case) or until ctx is done.
//
// It makes what is missing: the directories, the guard file and, with the user's first guard,
// .planning/sessions/.gitignore; one that is there, or was taken away later, is left alone. It also removes the
// temporaries of writers that crashed.
//
// Errors: *[BusyError] naming the holder when wait is over, ctx's error, those
// of package durable, and the system's (fs.ErrPermission, EROFS, …).
func (d Dir) Lock(ctx context.Context, wait time.Duration) (*Guard, error) {
	if err := d.check(); err != nil {
		return nil, err
	}
	dir, err := d.open()
	if err != nil {
		return nil, err
	}
	g := &Guard{
		in:    d,
		dir:   dir,
		write: d.Writer,
		lock: flock.New(filepath.Join(d.root.Name(), filepath.FromSlash(d.join(guardFile))),
			flock.SetFlag(os.O_RDONLY|openFlags)),
	}
	err = g.makeIgnore()
	if err == nil {
		err = g.acquire(ctx, wait)
	}
	if err != nil {
		g.lock.Unlock() // nothing, unless it failed after it was taken
		g.dir.Close()
		return nil, err
	}
	g.signIn(time.Now())
	// Always, though it reads the whole directory: that the last holder signed out does not mean that it left
	// nothing. Nobody syncs the holder file, so a power cut may take it and leave the temporary, which is synced; and
	// it may never have been written. Left-over temporaries take room, they do no harm: the next Lock tries again,
	// and goes on where there were very many.
	g.Swept, _ = durable.SweepTemps(g.dir, ".", time.Time{}, someTemps)
	return g, nil
}

// Root is the session directory, held open until Unlock: for what else is kept in it, by the same guard.
func (g *Guard) Root() *os.Root { return g.dir }

// someTemps is how many temporaries Lock removes; others wait for the guard meanwhile.
const someTemps = 100

// SweepTemps removes the temporaries of crashed writers that Lock left, and returns how many.
func (g *Guard) SweepTemps() int {
	swept, _ := durable.SweepTemps(g.dir, ".", time.Time{}, math.MaxInt) // what is left, the next time takes
	return swept
}

// open returns the session directory, made if need be.
func (d Dir) open() (*os.Root, error) {
	dir, err := durable.OpenRoot(d.root, d.Path())
	if !errors.Is(err, fs.ErrNotExist) {
		return dir, err
	}
	// The first user's umask must not keep the others of a shared project out.
	if err := durable.MkdirShared(d.root, sessionsDir); err != nil {
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
			return &BusyError{Session: g.in.Path(), Holder: g.holder()}
		}
		timer := time.NewTimer(min(pause, left))
		select {
		case <-ctx.Done():
			timer.Stop()
		case <-timer.C:
		}
	}
}

// try takes the lock if it is free. The file is made and looked at through the root, because the library that locks
// opens by path and would follow a link anywhere; afterwards the two must be one file. errElsewhere says they are
// not, which passes if another process is just making the directory anew.
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
			tighten(g.dir, named)
			return true, nil
		}
		// It is a copy's, too (cp -al), and whoever holds it there would keep us out. We make our own; whoever waits for
		// this one finds that it is not the guard any more.
		if err := g.dir.Remove(guardFile); err != nil {
			return false, durable.Failed("remove", guardFile, g.dir, err)
		}
	}
	if err := g.lock.Unlock(); err != nil {
		return false, err
	}
	return false, errElsewhere
}

// makeGuard makes the guard file, which a process beside us may just have done.
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

// makeIgnore keeps git off the sessions. It does so before a user's guard is made for the first time, so that a crash
// in between does it again, and only where nothing of that name is there.
func (g *Guard) makeIgnore() error {
	if _, err := g.dir.Lstat(guardFile); !errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	root := g.in.root
	if _, err := root.Lstat(ignoreFile); !errors.Is(err, fs.ErrNotExist) {
		return durable.Failed("look up", ignoreFile, root, err)
	}
	w := g.write
	w.Shared = true
	err := w.Replace(root, ignoreFile, [][]byte{[]byte(ignoreAll)}, filePerm, durable.Stamp{})
	switch {
	case errors.Is(err, fs.ErrExist):
		return nil // another user's first session, at the same moment
	case errors.Is(err, durable.ErrUnsynced):
		return nil // it is there; whether the disk fails, the session's own write will tell
	}
	return err
}

// Unlock gives the guard back. A second call does nothing and returns what the
// first returned. From then on every other method fails with fs.ErrClosed.
func (g *Guard) Unlock() error {
	g.once.Do(func() {
		g.signOut()
		g.err = errors.Join(g.lock.Unlock(), g.dir.Close())
	})
	return g.err
}
