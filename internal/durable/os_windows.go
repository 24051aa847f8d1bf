package durable

import (
	"errors"
	"io/fs"
	"os"
	"time"
	"unsafe"

	"golang.org/x/sys/windows"
)

// openNonblock: directories on Windows contain no FIFOs, and os.Root refuses device names.
const openNonblock = 0

// openDirectory: listing anything but a directory fails here.
const openDirectory = 0

// dirSuffix: nothing that blocks has a path, and after a long path a dot would be mistaken for a name.
const dirSuffix = ""

// inUse reports errors that mean that another program has the file open, or locked, and does not share it.
func inUse(err error) bool {
	return errors.Is(err, windows.ERROR_SHARING_VIOLATION) || errors.Is(err, windows.ERROR_LOCK_VIOLATION)
}

// replaceable returns an error, see [inUse], if another program has the file open and does not let others rename or remove it.
// Without being asked, the system links such a file, but does not remove the link; and to a rename in its place it only says
// that access is denied.
func (p place) replaceable() error {
	name, err := windows.NewNTUnicodeString(p.base)
	if err != nil {
		return err
	}
	dir, err := p.open()
	if err != nil {
		return err
	}
	defer dir.Close()
	file := windows.OBJECT_ATTRIBUTES{
		RootDirectory: windows.Handle(dir.Fd()), ObjectName: name, Attributes: windows.OBJ_CASE_INSENSITIVE,
	}
	file.Length = uint32(unsafe.Sizeof(file))
	var h windows.Handle
	const share = windows.FILE_SHARE_READ | windows.FILE_SHARE_WRITE | windows.FILE_SHARE_DELETE
	err = windows.NtCreateFile(&h, windows.DELETE, &file, &windows.IO_STATUS_BLOCK{}, nil, 0, share, windows.FILE_OPEN,
		windows.FILE_OPEN_REPARSE_POINT|windows.FILE_OPEN_FOR_BACKUP_INTENT, 0, 0)
	if err == nil {
		return windows.CloseHandle(h)
	}
	if status, ok := errors.AsType[windows.NTStatus](err); ok && inUse(status.Errno()) {
		return status.Errno()
	}
	return nil // the rename itself will fail
}

// transient reports errors that pass once a scanner, an indexer or another reader has closed the file.
func transient(err error) bool {
	return errors.Is(err, windows.ERROR_ACCESS_DENIED) || inUse(err)
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
