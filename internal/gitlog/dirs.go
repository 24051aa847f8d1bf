package gitlog

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"
)

// Dirs lists the directories that change when the project's history does: where HEAD, its log and the branches are, also
// outside of the project (linked worktrees, a repository above it). dir is a path without links. The paths are absolute and
// exist; nil without a repository.
func Dirs(dir string) []string {
	at, err := findRepository(dir)
	if err != nil {
		return nil
	}
	heads := filepath.Join(at.common, "refs", "heads")
	dirs := []string{at.dir, filepath.Join(at.dir, "logs"), heads}
	if head, err := readLine(filepath.Join(at.dir, "HEAD")); err == nil {
		// A branch such as feature/x lies deeper.
		if branch, ok := strings.CutPrefix(head, "ref: refs/heads/"); ok && filepath.IsLocal(branch) {
			dirs = append(dirs, filepath.Dir(filepath.Join(heads, filepath.FromSlash(branch))))
		}
	}
	return slices.Compact(slices.DeleteFunc(dirs, func(name string) bool { return !isDir(name) }))
}

// Moved tells when HEAD of the project in dir, a path without links, last came to another commit, by the time of its
// log; false where there is no log: git keeps none in a bare repository, or where it was told so.
func Moved(dir string) (time.Time, bool) {
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
