//go:build unix

package durable

import (
	"io/fs"
	"syscall"
)

func fileID(info fs.FileInfo) FileID {
	if s, ok := info.Sys().(*syscall.Stat_t); ok {
		return FileID{uint64(s.Dev), s.Ino} //nolint:unconvert // Dev is an int32 on macOS
	}
	return FileID{}
}
