package durable

import (
	"errors"
	"io/fs"
	"os"
	"time"

	"golang.org/x/sys/windows"
)

// openNonblock: a directory on Windows holds no FIFOs, and os.Root refuses device names.
const openNonblock = 0

// openDirectory: to list what is no directory fails here.
const openDirectory = 0

// thatDirectory: nothing that blocks has a path, and a dot would be taken for a name behind a long one.
const thatDirectory = ""

// transient reports errors that pass once a scanner, an indexer or a reader of another program has closed the file.
func transient(err error) bool {
	return errors.Is(err, windows.ERROR_ACCESS_DENIED) ||
		errors.Is(err, windows.ERROR_SHARING_VIOLATION)
}

// changeTime is zero: a replaced file has another file index on Windows, which
// os.SameFile compares, and package os does not tell the change time.
func changeTime(fs.FileInfo) time.Time { return time.Time{} }

// keepOwner: a new file inherits owner and access rights from its directory.
func keepOwner(_ *os.File, old fs.FileInfo) (fs.FileMode, error) {
	return old.Mode().Perm(), nil
}

// Inherit does nothing, and neither does giveDir: who may do what with a new file is inherited from its directory.
func Inherit(*os.File, *os.Root) {}

func giveDir(*os.Root, string, bool) error { return nil }

// Linked reports nothing: to learn the number of names takes another call with an open handle, and nothing of what is
// changed in place is anybody else's on Windows.
func Linked(fs.FileInfo) bool { return false }

// syncDir does nothing: Windows has no way to flush a directory (FlushFileBuffers wants a handle with write access,
// which a directory does not give), and NTFS journals its names.
func syncDir(*os.File) error { return nil }

// IDOf knows nothing here: links to directories need a right of their own on Windows, and git makes none there
// unless it is told to.
func IDOf(fs.FileInfo) FileID { return FileID{} }
