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

// HeadID returns the commit that HEAD resolves to, as a hash; empty if there is none, or it cannot be read.
func (p Place) HeadID() string {
	if p.dir == "" {
		return ""
	}
	head, _, err := p.head()
	if err != nil {
		return ""
	}
	return head.String()
}
