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
	if _, err := d.checkOwn(); err != nil {
		return err
	}
	for name := d.Path(); name != "."; name = path.Dir(name) {
		info, err := d.describe(name, (*os.Root).Stat)
		if errors.Is(err, fs.ErrNotExist) {
			if _, err := d.describe(name, (*os.Root).Lstat); !errors.Is(err, fs.ErrNotExist) {
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
			for _, file := range []string{guardFile, fileName} {
				info, err := d.describe(d.join(file), (*os.Root).Lstat)
				if err == nil {
					err = durable.CheckRegular(info)
				}
				if err != nil && !errors.Is(err, fs.ErrNotExist) {
					return durable.Failed("look up", d.join(file), d.root, err)
				}
			}
		}
		return CheckDirectory(d.root, name)
	}
	return nil
}

// describe looks at a name in the project, from the directory that it is in.
func (d Dir) describe(name string, stat func(*os.Root, string) (fs.FileInfo, error)) (info fs.FileInfo, err error) {
	if d.Beside == nil {
		return stat(d.root, name)
	}
	err = d.Beside(path.Dir(name), path.Base(name), func(root *os.Root, name string) error {
		info, err = stat(root, name)
		return err
	})
	return info, err
}
