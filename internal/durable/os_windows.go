package durable

import (
	"errors"
	"io/fs"
	"os"
	"time"

	"golang.org/x/sys/windows"
)

// openNonblock: directories on Windows contain no FIFOs, and os.Root refuses device names.
const openNonblock = 0

// openDirectory: listing anything but a directory fails here.
const openDirectory = 0

// dirSuffix: nothing that blocks has a path, and after a long path a dot would be taken for a name.
const dirSuffix = ""

// transient reports errors that pass once a scanner, an indexer or another reader has closed the file.
func transient(err error) bool {
	return errors.Is(err, windows.ERROR_ACCESS_DENIED) ||
		errors.Is(err, windows.ERROR_SHARING_VIOLATION)
}

// changeTime is zero: a replaced file has another file index on Windows, which os.SameFile compares, and package os
// does not report the change time.
func changeTime(fs.FileInfo) time.Time { return time.Time{} }

// keepOwner: a new file inherits owner and access rights from its directory.
func keepOwner(_ *os.File, old fs.FileInfo) (fs.FileMode, error) {
	return old.Mode().Perm(), nil
}

// Inherit does nothing, like inheritDir: a new file inherits its access rights from its directory.
func Inherit(*os.File, *os.Root) {}

func inheritDir(*os.Root, string, bool) error { return nil }

// Linked is not determined: the number of names would take another call with an open handle.
func Linked(fs.FileInfo) bool { return false }

// syncDir does nothing: Windows cannot flush a directory (FlushFileBuffers needs a handle with write access, which
// directories do not give), and NTFS journals its names.
func syncDir(*os.File) error { return nil }

// IDOf is unknown: links to directories need a special right on Windows, and git makes none there by default.
func IDOf(fs.FileInfo) FileID { return FileID{} }
