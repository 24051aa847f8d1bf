package gitlog

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"
)

// Dirs returns the directories that change when the history of the project in dir does: those of HEAD, its log and the
// branches, which may be outside the project (linked worktrees, a repository above it). dir is a path without symbolic
// links. The paths are absolute and exist; the result is nil without a repository.
func Dirs(dir string) []string {
	at, err := findRepository(dir)
	if err != nil {
		return nil
	}
	heads := filepath.Join(at.common, "refs", "heads")
	dirs := []string{at.dir, filepath.Join(at.dir, "logs"), heads}
	if head, err := readLine(filepath.Join(at.dir, "HEAD")); err == nil {
		// A branch such as feature/x is in a subdirectory.
		if branch, ok := strings.CutPrefix(head, "ref: refs/heads/"); ok && filepath.IsLocal(branch) {
			dirs = append(dirs, filepath.Dir(filepath.Join(heads, filepath.FromSlash(branch))))
		}
	}
	return slices.Compact(slices.DeleteFunc(dirs, func(name string) bool { return !isDir(name) }))
}

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
