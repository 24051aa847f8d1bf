package durable

import (
	"io/fs"
	"syscall"
	"time"
)

// changeTime returns when the inode last changed.
func changeTime(info fs.FileInfo) time.Time {
	if st, ok := info.Sys().(*syscall.Stat_t); ok {
		return time.Unix(st.Ctim.Unix())
	}
	return time.Time{}
}
