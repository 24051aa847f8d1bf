//go:build unix

package verdict

import (
	"errors"
	"os"
	"syscall"
)

func isReadOnly(err error) bool { return errors.Is(err, syscall.EROFS) }

// IsOwn reports whether a file belongs to the user who runs gsd.
func IsOwn(info os.FileInfo) bool {
	owner, ok := ownerIn(info)
	return ok && owner == os.Geteuid()
}

// ownerIn returns the number of the user to whom a file belongs.
func ownerIn(info os.FileInfo) (owner int, ok bool) {
	stat, ok := info.Sys().(*syscall.Stat_t)
	if !ok {
		return 0, false
	}
	return int(stat.Uid), true
}
