//go:build !unix

package durable

import "io/fs"

// fileID knows nothing here: links to directories need a right of their own on Windows, and git makes none there
// unless it is told to.
func fileID(fs.FileInfo) FileID { return FileID{} }
