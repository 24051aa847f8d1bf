// Package durable reads and replaces regular files so that any reader, at any moment and after any crash, finds either
// the old file or the new one.
//
// The rules:
//
//   - All access goes through an *os.Root: a path or link that leads out of it is refused ([ErrEscapes]).
//   - Only regular files. Everything else is refused before it is opened, because opening a FIFO blocks and opening a
//     device may have side effects.
//   - New content goes to a temporary file beside the old one, is synced, and takes the name in one rename. Then the
//     directory is synced.
//   - A file that is no longer the version that was read is not replaced ([ErrChanged]).
//   - Reading follows a link that stays inside the root. Writing refuses it: a rename would replace the link by a file.
//   - A failure leaves the old file as it was and no temporary, except that the new file is in place if only the last
//     sync failed ([ErrUnsynced]). A crash may leave a temporary, which [SweepTemps] recognizes by its name.
//
// Names are relative to the root and separated by slashes. Errors are *fs.PathError with that name, and wrap the
// system's errno or a sentinel of this package. Nothing here excludes other writers: callers hold a lock.
//
// What a rename cannot carry over is lost: extended attributes, access control lists, further hard links.
package durable

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
)

var (
	// ErrTooLarge means that a file exceeds the caller's limit.
	ErrTooLarge = errors.New("file too large")
	// ErrNotRegular means a directory, FIFO, socket, device or, for writing, a link.
	ErrNotRegular = errors.New("not a regular file")
	// ErrChanged means that a file is not the expected version: it was changed, replaced, removed or created meanwhile.
	ErrChanged = errors.New("file changed in the meantime")
	// ErrInUse means that another program has the file open, and does not let others read or replace it meanwhile. Only
	// Windows has that; it lasted for two seconds at least.
	ErrInUse = errors.New("another program has it open")
	// ErrUnsynced means that the new file is complete and in place, but that syncing its directory failed: it may not
	// survive a power cut.
	ErrUnsynced = errors.New("the new file is in place, but may not outlast a power cut")
	// ErrEscapes means that a path or link leads out of the root.
	ErrEscapes = errors.New("path leads out of its root directory")
)

// Failed wraps err once, with the operation and the name that the caller used. The names inside err (of temporaries, of
// path elements) are dropped; errnos and sentinels stay visible to errors.Is. root is nil for a path of the system.
func Failed(op, name string, root *os.Root, err error) error {
	if err == nil {
		return nil
	}
	switch {
	case root != nil && escapes(root, err):
		err = ErrEscapes
	case inUse(err):
		err = fmt.Errorf("%w: %w", ErrInUse, bare(err))
	}
	return &fs.PathError{Op: op, Path: name, Err: bare(err)}
}

// Below prefixes the name in an error of this package with the path of the directory that the file is in.
func Below(dir string, err error) error {
	if pe, ok := errors.AsType[*fs.PathError](err); ok {
		return &fs.PathError{Op: pe.Op, Path: dir + "/" + pe.Path, Err: pe.Err}
	}
	return err
}

// bare strips the paths from the errors of package os, however often they are wrapped.
func bare(err error) error {
	for {
		switch e := err.(type) { //nolint:errorlint // one layer at a time
		case *fs.PathError:
			err = e.Err
		case *os.LinkError:
			err = e.Err
		case *os.SyscallError:
			err = e.Err
		default:
			return err
		}
	}
}

// escapes reports whether err is os.Root's refusal to leave root. Package os does not export that error, so escapes
// provokes one to compare.
func escapes(root *os.Root, err error) bool {
	_, refusal := root.Lstat("..")
	refusal = bare(refusal)
	return refusal != nil && !errors.Is(refusal, fs.ErrClosed) && errors.Is(err, refusal)
}
