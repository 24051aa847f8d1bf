package durable

import "os"

// Open opens the regular file name below root for reading. Like [Read] it follows a link that stays inside root
// and never blocks; unlike it, it says nothing of a file that changes while it is read. It is for files that only
// grow, and for those that are too large to be held in memory.
//
// Errors: fs.ErrNotExist, fs.ErrPermission, [ErrNotRegular], [ErrEscapes].
func Open(root *os.Root, name string) (*os.File, error) {
	f, _, err := openRegular(root, name)
	return f, Failed("read", name, root, err)
}
