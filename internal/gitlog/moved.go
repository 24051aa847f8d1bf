package gitlog

import (
	"os"
	"path/filepath"
	"time"
)

// HeadMoved returns when HEAD of the project in dir, a path without symbolic links, last moved to another commit, which
// is the modification time of its reflog. It returns false if there is none, as in a bare repository or if git is
// configured not to keep one.
func HeadMoved(dir string) (time.Time, bool) {
	at, err := findRepository(dir)
	if err != nil {
		return time.Time{}, false
	}
	info, err := os.Stat(filepath.Join(at.dir, "logs", "HEAD"))
	if err != nil || !info.Mode().IsRegular() {
		return time.Time{}, false
	}
	return info.ModTime(), true
}

// HeadID returns the commit that HEAD of the project in dir resolves to, as a hash; empty if there is none, or it cannot be read.
func HeadID(dir string) string {
	at, err := findRepository(dir)
	if err != nil {
		return ""
	}
	head, err := at.head()
	if err != nil {
		return ""
	}
	return head.String()
}
