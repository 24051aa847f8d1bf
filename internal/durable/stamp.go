package durable

import (
	"fmt"
	"io/fs"
	"os"
	"time"
)

// A Stamp tells one version of a file from every other: which file it is, its
// size, its modification time and, on Unix, its change time.
//
// The change time is what catches an editor that puts the modification time back, and a file that came to an old
// inode number again. It also moves with chmod and link, which change no bytes: taking those for a change is the safe
// side, the caller reads once more.
//
// The zero Stamp is the version "no such file".
type Stamp struct {
	info    fs.FileInfo
	changed time.Time
}

// IsZero reports whether s is the version "no such file".
func (s Stamp) IsZero() bool { return s.info == nil }

// ModTime is when the file was last written; zero for no such file.
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

// sameBytes is Equal without the change time, for after a link of our own.
func (s Stamp) sameBytes(other Stamp) bool {
	if s.info == nil || other.info == nil {
		return s.info == nil && other.info == nil
	}
	return os.SameFile(s.info, other.info) &&
		s.info.Size() == other.info.Size() &&
		s.info.ModTime().Equal(other.info.ModTime())
}

func stampOf(info fs.FileInfo) Stamp {
	return Stamp{info: info, changed: changeTime(info)}
}

// stampAt looks name up without following a link. A missing file has the zero
// Stamp; anything that is not regular is ErrNotRegular.
func stampAt(dir *os.Root, name string) (Stamp, error) {
	info, err := dir.Lstat(name)
	if isNotExist(err) {
		return Stamp{}, nil
	}
	if err != nil {
		return Stamp{}, err
	}
	if !info.Mode().IsRegular() {
		return Stamp{}, notRegular(info)
	}
	return stampOf(info), nil
}

// Look returns the version of the regular file name below root, the zero Stamp where there is none. It follows
// no link: [ErrNotRegular].
func Look(root *os.Root, name string) (Stamp, error) {
	s, err := stampAt(root, name)
	return s, Failed("look up", name, root, err)
}

func notRegular(info fs.FileInfo) error {
	return fmt.Errorf("%w: it is %s", ErrNotRegular, kind(info.Mode()))
}
