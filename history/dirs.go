package history

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
)

// Dirs lists the directories in which something changes when the history of the project in dir goes on: where
// HEAD lies, its log, and the branches, also where these are not in the project (linked worktrees, a repository
// above it). Absolute, only those that are there; none without a repository.
func Dirs(dir string) []string {
	dir, err := filepath.EvalSymlinks(dir)
	if err != nil {
		return nil
	}
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
	dirs = slices.DeleteFunc(dirs, func(name string) bool {
		info, err := os.Stat(name)
		return err != nil || !info.IsDir()
	})
	return slices.Compact(dirs)
}
