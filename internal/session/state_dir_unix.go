//go:build unix

package session

import (
	"io/fs"

	"golang.org/x/sys/unix"
)

// checkAccess returns why nothing can be made in a directory.
func checkAccess(dir string) error {
	if err := unix.Access(dir, unix.W_OK|unix.X_OK); err != nil {
		return &fs.PathError{Op: "write", Path: dir, Err: err}
	}
	return nil
}
