package memory

import (
	"os"
	"syscall"
)

func init() {
	const dir, enough, noExec = "/dev/shm", 2 << 30, 8
	var space syscall.Statfs_t
	if os.Getenv("TMPDIR") == "" && syscall.Statfs(dir, &space) == nil &&
		space.Bavail*uint64(space.Bsize) >= enough && space.Flags&noExec == 0 && syscall.Access(dir, 2) == nil {
		os.Setenv("TMPDIR", dir)
	}
}
