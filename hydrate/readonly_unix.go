//go:build unix

package hydrate

import (
	"errors"
	"syscall"
)

// isReadOnly reports a file system that is mounted read-only.
func isReadOnly(err error) bool { return errors.Is(err, syscall.EROFS) }
