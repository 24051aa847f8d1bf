package session

import (
	"errors"

	"golang.org/x/sys/unix"
)

// checkFileSystem returns an error if a directory is in a file system in which nobody makes files, not even root, whom modes do not stop.
func checkFileSystem(dir string) error {
	var is unix.Statfs_t
	if unix.Statfs(dir, &is) == nil && (is.Type == unix.PROC_SUPER_MAGIC || is.Type == unix.SYSFS_MAGIC) {
		return errors.New("no files can be made there")
	}
	return nil
}
