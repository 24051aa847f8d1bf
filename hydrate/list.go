package hydrate

import (
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"os"
	"path"
	"slices"
	"strings"

	"github.com/gsd-cli/gsd/internal/durable"
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

// list is names for the directories of phases. They are opened from the one above them, which is cheaper. One that is
// there and may not be read is a warning: what is in it would be missing without a word. One that links lead to as well
// is listed once; see scan.
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
			p.passed = append(p.passed, path.Join(dir, name))
		}
	}
	return names
}

// phases lists the phases of a root. Each root is listed once.
func (p *Project) phases(root string) *roadmap.Disk {
	if p.scanned[root] == nil {
		if p.scanned == nil {
			p.scanned = map[string]*roadmap.Disk{}
		}
		disk := p.scan(root)
		if len(disk.Archived) > 0 {
			disk.Activate(p.roadmapIn(root))
		}
		p.scanned[root] = disk
	}
	return p.scanned[root]
}

// roadmapIn is the roadmap of a root as far as it can be read; why it cannot be, survey tells.
func (p *Project) roadmapIn(root string) *roadmap.Roadmap {
	if _, parsed, err := p.nearestRoadmap(path.Join(root, "x")); err == nil && parsed != nil {
		return parsed
	}
	return roadmap.Parse(nil, p.namedMilestone(root))
}

// scan lists the phases of a root, each directory under one path: a link to another that is listed has nothing of its
// own, and a thousand of them would cost a thousand times as much.
func (p *Project) scan(root string) (disk *roadmap.Disk) {
	p.listed = map[durable.FileID]string{}
	p.settle(func() { disk = roadmap.ScanPhases(p.list, root) })
	return disk
}

// settle lists directories, and once more where a link came before the directory that it leads to; see isMain.
func (p *Project) settle(list func()) {
	warned, passed := slices.Clone(p.warned), len(p.passed)
	for list(); p.again; list() {
		p.warned, p.passed, p.again = slices.Clone(warned), p.passed[:passed], false
	}
}

// isMain reports whether a directory counts under this path: the first that it was listed under, but rather its own than
// a link's.
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
		p.listed[id], p.again = dir, true
	}
	p.warn(DirectoryRepeated, dir+" is the same directory as "+main+"; its plans count once")
	return false
}

// isLink reports whether a directory is a symbolic link, itself and not by what is above it.
func (p *Project) isLink(dir string) bool {
	info, err := p.lstat(dir)
	return err == nil && info.Mode()&fs.ModeSymlink != 0
}

// exists reports whether there is anything of that name in the project. Each name is looked for once.
func (p *Project) exists(name string) bool {
	is, known := p.present[name]
	if !known {
		if p.present == nil {
			p.present = map[string]bool{}
		}
		_, err := p.lstat(name)
		is = err == nil
		p.present[name] = is
	}
	return is
}

func (p *Project) lstat(name string) (info fs.FileInfo, err error) {
	err = p.from(path.Dir(name), path.Base(name), func(root *os.Root, name string) error {
		info, err = root.Lstat(name)
		return err
	})
	return info, err
}

// warn keeps what next and status have to tell of what they could not look at.
func (p *Project) warn(code, detail string) {
	p.warned = withWarning(p.warned, Warning{code, detail})
}

// stopped says where the command stopped reading.
func stopped(name string) string {
	return fmt.Sprintf("gsd stopped reading at %s: it has reached its read limit, which GSD_MAX_FILE_MIB raises", name)
}

// overBudget reports whether err says that the command has read as much as it may, and warns of it once.
func (p *Project) overBudget(err error, name string) bool {
	if !errors.Is(err, durable.ErrBudget) {
		return false
	}
	if !slices.ContainsFunc(p.warned, func(w Warning) bool { return w.Code == ReadingStopped }) {
		p.warn(ReadingStopped, stopped(name))
	}
	return true
}

// rootAt opens a directory of the project to look at several things in it, one after another: from the project's root
// each name on the way costs an open of its own. Two are kept open, such as a session's and its plan's.
func (p *Project) rootAt(dir string) (*os.Root, error) {
	switch dir {
	case p.near[0].dir:
	case p.near[1].dir:
		p.near[0], p.near[1] = p.near[1], p.near[0]
	default:
		root, err := durable.OpenRoot(p.root, dir)
		if err != nil {
			return nil, err
		}
		p.near[1].close()
		p.near[0], p.near[1] = near{dir, root}, p.near[0]
	}
	return p.near[0].root, nil
}

// head reads the first bytes of a file.
func (p *Project) head(name string, most int64) (data []byte, err error) {
	err = p.from(path.Dir(name), path.Base(name), func(root *os.Root, name string) error {
		data, _, err = p.budget.Head(root, name, most)
		return err
	})
	return data, err
}

// from looks at something in a directory of the project through that directory, which is kept open: files are read one
// beside the other. Where a link leads out of the directory, or that may not be read, it looks once more from the project's
// root.
func (p *Project) from(dir, name string, look func(root *os.Root, name string) error) error {
	root, err := p.rootAt(dir)
	if err == nil {
		err = look(root, name)
	}
	if errors.Is(err, durable.ErrEscapes) || errors.Is(err, fs.ErrPermission) {
		err = look(p.root, path.Join(dir, name))
	}
	return err
}

// directory is one that was listed.
type directory struct {
	dir   string
	names []string
}

// near is a directory that something was looked at in.
type near struct {
	dir  string // "" for none
	root *os.Root
}

func (n *near) close() {
	if n.root != nil {
		n.root.Close() // it was only read through
		*n = near{}
	}
}

// leave closes the directories that rootAt keeps open.
func (p *Project) leave() {
	for i := range p.near {
		p.near[i].close()
	}
}
