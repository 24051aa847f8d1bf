package hydrate

import (
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"

	"github.com/gsd-cli/gsd/internal/durable"
	"github.com/gsd-cli/gsd/internal/gitlog"
	"github.com/gsd-cli/gsd/roadmap"
)

// names lists a directory of the project, in no order; one that cannot be read is empty.
func (p *Project) names(dir string) (names []string) {
	err := p.from(dir, ".", func(root *os.Root, name string) (err error) {
		names, err = p.budget.List(root, name, nil)
		return err
	})
	p.overBudget(err, dir)
	return names
}

// list is names for the directories of phases. They are opened from the directory above them, which is cheaper. It warns of
// one that exists but cannot be read, because its plans would be missing silently. A directory that links also lead to is
// listed once; see isMain.
func (p *Project) list(dir string) []string {
	var names []string
	err := p.from(path.Dir(dir), path.Base(dir), func(root *os.Root, name string) (err error) {
		names, err = p.budget.List(root, name, func(id durable.FileID) bool { return p.isMain(dir, id) })
		return err
	})
	switch {
	case p.overBudget(err, dir):
	case errors.Is(err, fs.ErrPermission):
		p.warn(DirectoryUnreadable, dir+" cannot be read; its plans do not count")
	case errors.Is(err, durable.ErrEscapes):
		p.warn(DirectoryUnreadable, dir+" leads out of the project; its plans do not count")
	}
	for _, name := range names {
		if isHandOff(name) {
			p.handOffNotes = append(p.handOffNotes, path.Join(dir, name))
		}
	}
	return names
}

func (p *Project) phases(root string) *roadmap.Disk {
	return memo(&p.scanned, root, func() (disk *roadmap.Disk) {
		p.listed = map[durable.FileID]string{}
		p.settle(func() { disk = roadmap.ScanPhases(p.list, root) })
		if len(disk.Archived) == 0 {
			return disk
		}
		_, parsed, _ := p.nearestRoadmap(path.Join(root, "x")) // survey reports the error
		if parsed == nil {
			parsed = roadmap.Parse(nil, p.namedMilestone(root))
		}
		disk.Activate(parsed)
		return disk
	})
}

// settle calls list, and repeats it if a link was listed before the directory that it leads to; see isMain.
func (p *Project) settle(list func()) {
	warned, passed := slices.Clone(p.warned), len(p.handOffNotes)
	for list(); p.relist; list() {
		p.warned, p.handOffNotes, p.relist = slices.Clone(warned), p.handOffNotes[:passed], false
	}
}

// isMain reports whether a directory counts under the path dir: its own path, or else that of the first link to it. Without
// this, a thousand links to a directory would cost a thousand times as much.
func (p *Project) isMain(dir string, id durable.FileID) bool {
	main, known := p.listed[id]
	switch {
	case p.listed == nil || id == durable.FileID{}:
		return true
	case !known:
		p.listed[id] = dir
		return true
	case main == dir:
		return true
	case p.isLink(main) && !p.isLink(dir):
		maps.DeleteFunc(p.listed, func(_ durable.FileID, at string) bool { return strings.HasPrefix(at, main+"/") })
		p.listed[id], p.relist = dir, true
	}
	p.warn(DirectoryRepeated, dir+" is the same directory as "+main+"; its plans count once")
	return false
}

func (p *Project) isLink(dir string) bool {
	info, err := p.lstat(dir)
	return err == nil && info.Mode()&fs.ModeSymlink != 0
}

// exists reports whether there is anything of that name in the project. Each name is looked up once.
func (p *Project) exists(name string) bool {
	return memo(&p.existing, name, func() bool {
		_, err := p.lstat(name)
		return err == nil
	})
}

func (p *Project) lstat(name string) (info fs.FileInfo, err error) {
	err = p.from(path.Dir(name), path.Base(name), func(root *os.Root, name string) error {
		info, err = root.Lstat(name)
		return err
	})
	return info, err
}

// warn adds a warning to the answer.
func (p *Project) warn(code, detail string) { p.warned = withWarning(p.warned, Warning{code, detail}) }

func stopped(name string) string {
	return fmt.Sprintf("gsd stopped reading at %s: it has reached its read limit, which GSD_MAX_FILE_MIB raises",
		name)
}

// overBudget reports whether err means that the command has reached its read limit, and warns of that once.
func (p *Project) overBudget(err error, name string) bool {
	if !errors.Is(err, durable.ErrBudget) {
		return false
	}
	if !slices.ContainsFunc(p.warned, func(w Warning) bool { return w.Code == ReadingStopped }) {
		p.warn(ReadingStopped, stopped(name))
	}
	return true
}

// rootAt opens a directory of the project. It keeps the last two open, such as a session's and its plan's, because opening a
// file from the project's root opens every directory on the way.
func (p *Project) rootAt(dir string) (*os.Root, error) {
	switch dir {
	case p.openDirs[0].dir:
	case p.openDirs[1].dir:
		p.openDirs[0], p.openDirs[1] = p.openDirs[1], p.openDirs[0]
	default:
		root, err := durable.OpenRoot(p.root, dir)
		if err != nil {
			return nil, err
		}
		p.openDirs[1].close()
		p.openDirs[0], p.openDirs[1] = directory{dir, root}, p.openDirs[0]
	}
	return p.openDirs[0].root, nil
}

func (p *Project) head(name string, most int64) (data []byte, err error) {
	err = p.from(path.Dir(name), path.Base(name), func(root *os.Root, name string) error {
		data, _, err = p.budget.Head(root, name, most)
		return err
	})
	return data, err
}

// from calls look with a directory of the project, opened by rootAt. If a link leads out of the directory, or the directory
// may not be read, it calls look again with the project's root. It notes what cannot be read.
func (p *Project) from(dir, name string, look func(root *os.Root, name string) error) error {
	root, err := p.rootAt(dir)
	if err == nil {
		err = look(root, name)
	}
	if errors.Is(err, durable.ErrEscapes) || errors.Is(err, fs.ErrPermission) {
		err = look(p.root, path.Join(dir, name))
	}
	p.noteUnread(path.Join(dir, name), err)
	return err
}

// noteUnread keeps the error with which a file that exists could not be read.
func (p *Project) noteUnread(name string, err error) {
	if err == nil || isMissing(err) {
		return
	}
	if p.unread == nil {
		p.unread = map[string]error{}
	}
	p.unread[name] = err
}

type directory struct {
	dir  string // "" for none
	root *os.Root
}

func (d *directory) close() {
	if d.root != nil {
		d.root.Close() // it was only read through
		*d = directory{}
	}
}

func (p *Project) closeDirs() {
	p.openDirs[0].close()
	p.openDirs[1].close()
}

// directories lists a directory of the project, and those in it that are at most so many levels below it and no links.
func (p *Project) directories(top string, depth int) []string {
	names := []string{top}
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
	walk(top, depth)
	return names
}

// maxWatched is how many directories are watched: more than any project has, fewer than systems allow.
const maxWatched = 4000

// WatchDirs lists the absolute paths of the directories whose changes may affect the project's status, the planning directory
// first. They include those of the sessions in other worktrees, and the directories of git in which a new commit shows, wherever
// those are.
func (p *Project) WatchDirs() []string {
	names := p.directories(planning, 4)
	dirs := make([]string, len(names))
	for i, name := range names {
		dirs[i] = filepath.Join(p.Dir, filepath.FromSlash(name))
	}
	for _, other := range p.worktrees() {
		for _, user := range other.users() {
			dirs = append(dirs, filepath.Join(other.Dir, filepath.FromSlash(other.session(user).Path())))
		}
	}
	return append(dirs[:min(len(dirs), maxWatched)], gitlog.Dirs(p.work)...)
}
