//go:build unix && !linux

package session

import (
	"os"
	"testing"
)

// asNobody runs f while the directories closed may not be written to.
func asNobody(t *testing.T, _ string, closed []string, f func()) {
	if os.Geteuid() == 0 {
		t.Skip("root may write everywhere")
	}
	for _, dir := range closed {
		os.Chmod(dir, 0o555)
		defer os.Chmod(dir, 0o755)
	}
	f()
}
