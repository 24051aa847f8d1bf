package gitlog

import (
	"os"
	"path/filepath"
	"time"
)

// HeadMoved returns when HEAD last moved to another commit, which
// is the modification time of its reflog. It returns false if there is none, as in a bare repository or if git is
// configured not to keep one.
func (p Place) HeadMoved() (time.Time, bool) {
	if p.dir == "" {
		return time.Time{}, false
	}
	info, err := os.Stat(filepath.Join(p.dir, "logs", "HEAD"))
	if err != nil || !info.Mode().IsRegular() {
		return time.Time{}, false
	}
	return info.ModTime(), true
}
