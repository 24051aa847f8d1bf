package durable

import (
	"fmt"
	"io/fs"
	"os"
	"time"
)

// A Stamp distinguishes one version of a file from every other: which file it is, its size, its modification time and,
// on Unix, its change time.
//
// The change time catches an editor that restores the modification time, and a reused inode number. It also moves with
// chmod and link, which change no bytes. Taking those for a change is the safe side: the caller reads once more.
//
// The zero Stamp is the version "no such file".
type Stamp struct {
	info    fs.FileInfo
	changed time.Time
}

// IsZero reports whether s is the version "no such file".
func (s Stamp) IsZero() bool { return s.info == nil }

// ModTime returns when the file was last written, the zero time for no such file.
func (s Stamp) ModTime() time.Time {
	if s.info == nil {
		return time.Time{}
	}
	return s.info.ModTime()
}

// Equal reports whether s and other are the same version of the same file.
func (s Stamp) Equal(other Stamp) bool {
	return s.sameBytes(other) && s.changed.Equal(other.changed)
}

// sameBytes is Equal without the change time, for use after a link of our own.
func (s Stamp) sameBytes(other Stamp) bool {
	if s.info == nil || other.info == nil {
		return s.info == nil && other.info == nil
	}
	return os.SameFile(s.info, other.info) && s.info.Size() == other.info.Size() &&
		s.info.ModTime().Equal(other.info.ModTime())
}

func stampOf(info fs.FileInfo) Stamp { return Stamp{info: info, changed: changeTime(info)} }

// stampAt returns the version of name, without following a link: the zero Stamp for a missing file, ErrNotRegular for
// anything that is not regular.
func stampAt(dir *os.Root, name string) (Stamp, error) {
	info, err := lstat(dir, name)
	switch {
	case isNotExist(err):
		return Stamp{}, nil
	case err == nil:
		err = CheckRegular(info)
	}
	if err != nil {
		return Stamp{}, err
	}
	return stampOf(info), nil
}

// StampOf returns the version of the regular file name below root, the zero Stamp if there is none. It follows no link:
// [ErrNotRegular].
func StampOf(root *os.Root, name string) (Stamp, error) {
	s, err := stampAt(root, name)
	return s, Failed("look up", name, root, err)
}

// CheckRegular returns [ErrNotRegular], with what it is, for anything but a regular file.
func CheckRegular(info fs.FileInfo) error {
	if info.Mode().IsRegular() {
		return nil
	}
	return fmt.Errorf("%w: it is %s", ErrNotRegular, kind(info.Mode()))
}

// kind names the type of a file, for error messages.
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
