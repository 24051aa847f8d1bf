// Package durable reads and replaces regular files so that whoever looks, at
// any moment and after any crash, finds the old file or the new one.
//
// The law:
//
//   - All access goes through an *os.Root: a path or link that leads out of it is refused ([ErrEscapes]).
//   - Only regular files. Everything else is refused before it is opened, because opening a FIFO blocks and opening a
//     device may do things.
//   - New content goes to a temporary file beside the old one, is synced, and takes the name in one rename; then the
//     directory is synced.
//   - A file that is no longer the one that was read is not replaced ([ErrChanged]); bytes that are already there are
//     not written.
//   - Appending is the one change that is made in place: one write at the end, behind a last line that is whole. It is
//     refused where the file has a second name ([ErrLinked]): who looks there asked for no change. (Windows says how
//     many names there are only for a price; there nobody looks.)
//   - Reading follows a link that stays inside the root, writing refuses it: a rename would put a file in the link's
//     place.
//   - A failure leaves the old file as it was, and no temporary; only when the last sync fails is the new one there
//     ([ErrUnsynced]). A crash may leave a temporary; [SweepTemps] knows it by its name.
//
// Names are relative to the root and separated by slashes. Errors are
// *fs.PathError with that name, and wrap the system's errno or a sentinel of
// this package. Nothing here excludes other writers: callers hold a lock.
//
// What a rename cannot carry over is lost: extended attributes, access control lists, further hard links.
package durable

import (
	"errors"
	"io/fs"
	"os"
)

var (
	// ErrTooLarge means that a file is over the limit that the caller gave.
	ErrTooLarge = errors.New("file too large")
	// ErrNotRegular means a directory, FIFO, socket, device or, for writing, a link.
	ErrNotRegular = errors.New("not a regular file")
	// ErrLinked means that a file has another name, a hard link.
	ErrLinked = errors.New("it has more than one hard link")
	// ErrChanged means that a file is not the version that was asked for:
	// changed, replaced, removed or created in the meantime.
	ErrChanged = errors.New("file changed in the meantime")
	// ErrUnsynced means that a new file is in place, whole, and everybody sees
	// it, but that syncing its directory failed: it may not outlast a power cut.
	ErrUnsynced = errors.New("the new file is in place, but may not outlast a power cut")
	// ErrEscapes means that a path or link leads out of the root.
	ErrEscapes = errors.New("path leads out of its root directory")
)

// Failed wraps err once, with the operation and the name that the caller used.
// The names inside err (of temporaries, of path elements) are dropped; errnos
// and sentinels stay visible to errors.Is. root is nil for a path of the system.
func Failed(op, name string, root *os.Root, err error) error {
	if err == nil {
		return nil
	}
	if root != nil && escapes(root, err) {
		err = ErrEscapes
	}
	return &fs.PathError{Op: op, Path: name, Err: bare(err)}
}

// Below puts the path of a directory into the error that this package gave for the bare name of a file in it.
func Below(dir string, err error) error {
	if pe, ok := errors.AsType[*fs.PathError](err); ok {
		return &fs.PathError{Op: pe.Op, Path: dir + "/" + pe.Path, Err: pe.Err}
	}
	return err
}

// bare strips the path from the errors of package os, however often wrapped.
func bare(err error) error {
	for {
		switch e := err.(type) { //nolint:errorlint // it takes off one layer at a time
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

// escapes reports whether err is os.Root's refusal to leave root. Package os
// does not export that error, so it is asked for one.
func escapes(root *os.Root, err error) bool {
	_, refusal := root.Lstat("..")
	refusal = bare(refusal)
	return refusal != nil && !errors.Is(refusal, fs.ErrClosed) && errors.Is(err, refusal)
}

// kind names what is in the way, for error messages.
func kind(mode fs.FileMode) string {
	switch mode.Type() {
	case fs.ModeDir:
		return "a directory"
	case fs.ModeSymlink:
		return "a symbolic link"
	case fs.ModeNamedPipe:
		return "a named pipe"
	case fs.ModeSocket:
		return "a socket"
	}
	if mode&fs.ModeDevice != 0 {
		return "a device"
	}
	return "a special file"
}
