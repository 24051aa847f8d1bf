package session

import (
	"os"
	"path/filepath"
	"runtime"
	"testing"

	"golang.org/x/sys/unix"
)

// asNobody runs f while the directories closed may not be written to. For
// root, whom no mode stops, f runs with another user's rights: they are the
// thread's on Linux.
func asNobody(t *testing.T, project string, closed []string, f func()) {
	if os.Geteuid() != 0 {
		for _, dir := range closed {
			os.Chmod(dir, 0o555)
			defer os.Chmod(dir, 0o755)
		}
		f()
		return
	}
	os.Chmod(filepath.Dir(project), 0o755) // t.TempDir is closed to others above it
	runtime.LockOSThread()
	defer runtime.UnlockOSThread()
	if err := unix.Setfsuid(65534); err != nil {
		t.Skip(err)
	}
	defer unix.Setfsuid(0)
	f()
}
