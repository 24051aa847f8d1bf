package session

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"syscall"

	"github.com/gsd-cli/gsd/internal/durable"
)

// CheckDirectory returns why nothing can be written in a directory of the project, as far as that shows without writing; nil if
// nothing speaks against it.
func CheckDirectory(root *os.Root, name string) error {
	return checkAccess(filepath.Join(root.Name(), filepath.FromSlash(name)))
}

// CheckWritable returns why a writer would fail, as far as that shows without writing; nil if nothing speaks against it. The error is
// one of [Dir.Lock]'s or [Guard.Write]'s.
func (d Dir) CheckWritable() error {
	if err := d.checkOwn(); err != nil {
		return err
	}
	for name := d.Path(); name != "."; name = path.Dir(name) {
		info, err := d.root.Stat(name)
		if errors.Is(err, fs.ErrNotExist) {
			if _, err := d.root.Lstat(name); !errors.Is(err, fs.ErrNotExist) {
				return durable.Failed("write", name, d.root, fmt.Errorf("%w: it is a link to nothing", durable.ErrNotRegular))
			}
			continue // it would be made
		}
		if err == nil && !info.IsDir() {
			err = syscall.ENOTDIR
		}
		if err != nil {
			return durable.Failed("write", name, d.root, err)
		}
		if name == d.Path() {
			for _, file := range []string{d.join(guardFile), d.File()} {
				if _, err := durable.StampOf(d.root, file); err != nil {
					return err
				}
			}
		}
		return CheckDirectory(d.root, name)
	}
	return nil
}
