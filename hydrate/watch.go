package hydrate

import (
	"path"
	"path/filepath"

	"github.com/gsd-cli/gsd/internal/gitlog"
)

// maxWatched is how many directories are watched: more than any project has, fewer than systems allow.
const maxWatched = 4000

// WatchDirs lists the directories in which a change may change the project's status, absolute, the planning
// directory first. Those of git that tell of a new commit are among them, wherever they are.
func (p *Project) WatchDirs() []string {
	names := []string{planning}
	var walk func(dir string, depth int)
	walk = func(dir string, depth int) {
		for _, name := range p.names(dir) {
			name = path.Join(dir, name)
			if info, err := p.root.Lstat(name); err != nil || !info.IsDir() || len(names) >= maxWatched {
				continue
			}
			if names = append(names, name); depth > 1 {
				walk(name, depth-1)
			}
		}
	}
	walk(planning, 4)
	dirs := make([]string, len(names))
	for i, name := range names {
		dirs[i] = filepath.Join(p.Dir, filepath.FromSlash(name))
	}
	return append(dirs, gitlog.Dirs(p.work)...)
}
