//go:build unix

package verdict

import (
	"errors"
	"os"
	"syscall"

	"github.com/gsd-cli/gsd/internal/project"
)

// Foreign reports whether .planning/ belongs to another user, who may have put it above one of our directories for our agents
// to read (compare git's safe.directory). Directories of root are trusted, and root itself, who works in everybody's
// directories, trusts all.
func (p *Project) Foreign() bool {
	info, err := p.Planning.Root().Stat(project.Planning)
	if err != nil {
		return false
	}
	owner, ok := ownerIn(info)
	return ok && foreign(owner, os.Geteuid())
}

func foreign(owner, me int) bool { return owner != me && owner != 0 && me != 0 }

func isReadOnly(err error) bool { return errors.Is(err, syscall.EROFS) }

// IsOwn reports whether a file belongs to the user who runs gsd.
func IsOwn(info os.FileInfo) bool {
	owner, ok := ownerIn(info)
	return ok && owner == os.Geteuid()
}

// ownerIn returns the number of the user to whom a file belongs.
func ownerIn(info os.FileInfo) (owner int, ok bool) {
	its, ok := info.Sys().(*syscall.Stat_t)
	if !ok {
		return 0, false
	}
	return int(its.Uid), true
}
