//go:build unix && !linux

package durable

import (
	"errors"
	"os"
	"testing"
)

// asNobody runs f while dir may not be written to.
func asNobody(t *testing.T, dir string, f func()) {
	if os.Geteuid() == 0 {
		t.Skip("root may write everywhere")
	}
	os.Chmod(dir, 0o555)
	defer os.Chmod(dir, 0o755)
	f()
}

func makeDevice(string) error { return errors.ErrUnsupported }
