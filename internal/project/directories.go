package project

import (
	"errors"
	"io/fs"
	"maps"
	"os"
	"path"
	"slices"
	"strings"

	"github.com/gsd-cli/gsd/internal/durable"
	"github.com/gsd-cli/gsd/internal/problem"
)

// A tree lists the directories of a project.
type tree struct {
	Files
	warnings
	existing     map[string]bool           // see Exists
	listed       map[durable.FileID]string // the path under which each listed directory of a phase counts
	relist       bool                      // a link was listed before its directory; see settle
	handOffNotes []string                  // hand-off notes in directories that were listed
	state        map[string][]byte         // see StateRead; by path
}

// HandOffNotes returns the hand-off notes that were seen in the directories of phases that have been listed.
func (t *tree) HandOffNotes() []string { return t.handOffNotes }

// Beside reads at most so many bytes from the beginning of a file that upstream keeps beside the plans. It returns nothing for one that is
// not there, that cannot be read, or that is no regular file: a link may lead anywhere.
func (t *tree) Beside(name string, most int64) []byte {
	if info, err := t.Lstat(name); err != nil || !info.Mode().IsRegular() {
		return nil
	}
	src, _, err := t.budget.Head(t.root, name, most)
	t.OverBudget(err, name)
	if err != nil {
		return nil
	}
	return src
}

// Names lists a directory of the project, in no order; one that cannot be read is empty. It is listed once; see Forget.
func (t *tree) Names(dir string) []string {
	names, err := t.namesIn(dir, dir, ".", nil)
	t.OverBudget(err, dir)
	return names
}

// namesIn lists the directory dir, which is name in the directory at. It is not listed if wanted, which may be nil, returns false.
func (t *tree) namesIn(dir, at, name string, wanted func(durable.FileID) bool) ([]string, error) {
	known, ok := t.names[dir]
	if ok && (wanted == nil || known.id != durable.FileID{}) {
		if wanted != nil && !wanted(known.id) {
			return nil, nil
		}
		return slices.Clone(known.names), nil
	}
	known, ok = listing{}, true
	var see func(durable.FileID) bool
	if wanted != nil {
		see = func(id durable.FileID) bool {
			known.id, ok = id, wanted(id)
			return ok
		}
	}
	err := t.In(at, name, func(root *os.Root, name string) (err error) {
		known.names, err = t.budget.List(root, name, see)
		return err
	})
	if err == nil && ok {
		if t.names == nil {
			t.names = map[string]listing{}
		}
		t.names[dir] = known
	}
	return slices.Clone(known.names), err
}

// list is Names for the directories of phases. They are opened from the directory above them, which is cheaper. It warns of
// one that exists but cannot be read, because its plans would be missing silently. A directory that links also lead to is
// listed once; see isMain.
func (t *tree) list(dir string) []string {
	names, err := t.namesIn(dir, path.Dir(dir), path.Base(dir), func(id durable.FileID) bool { return t.isMain(dir, id) })
	switch {
	case t.OverBudget(err, dir):
	case errors.Is(err, fs.ErrPermission):
		t.Warn(problem.Warning{Code: problem.DirectoryUnreadable, Path: dir})
	case errors.Is(err, durable.ErrEscapes):
		t.Warn(problem.Warning{Code: problem.DirectoryOutside, Path: dir})
	}
	for _, name := range names {
		if IsHandOff(name) {
			t.handOffNotes = append(t.handOffNotes, path.Join(dir, name))
		}
	}
	return names
}

// listUntilStable calls list, and repeats it if a link was listed before the directory that it leads to; see isMain.
func (t *tree) listUntilStable(list func()) {
	warned, passed := slices.Clone(t.warned), len(t.handOffNotes)
	for list(); t.relist; list() {
		t.warned, t.handOffNotes, t.relist = slices.Clone(warned), t.handOffNotes[:passed], false
	}
}

// isMain reports whether a directory counts under the path dir: its own path, or else that of the first link to it. Without
// this, a thousand links to a directory would cost a thousand times as much.
func (t *tree) isMain(dir string, id durable.FileID) bool {
	main, known := t.listed[id]
	switch {
	case t.listed == nil || id == durable.FileID{}:
		return true
	case !known:
		t.listed[id] = dir
		return true
	case main == dir:
		return true
	case t.isLink(main) && !t.isLink(dir):
		maps.DeleteFunc(t.listed, func(_ durable.FileID, at string) bool { return strings.HasPrefix(at, main+"/") })
		t.listed[id], t.relist = dir, true
	}
	t.Warn(problem.Warning{Code: problem.DirectoryRepeated, Path: dir, Other: main})
	return false
}

func (t *tree) isLink(dir string) bool {
	info, err := t.Lstat(dir)
	return err == nil && info.Mode()&fs.ModeSymlink != 0
}

// Exists reports whether there is anything of that name in the project. Each name is looked up once.
func (t *tree) Exists(name string) bool {
	return Memo(&t.existing, name, func() bool {
		_, err := t.Lstat(name)
		return err == nil
	})
}

// Directories lists a directory of the project, and those in it that are at most so many levels below it and no links.
func (t *tree) Directories(top string, depth int) []string {
	names := []string{top}
	var walk func(dir string, depth int)
	walk = func(dir string, depth int) {
		for _, name := range t.Names(dir) {
			name = path.Join(dir, name)
			if info, err := t.Lstat(name); err != nil || !info.IsDir() || len(names) >= mostDirectories {
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

// IsHandOff reports whether a file of that name is a hand-off note in any directory.
func IsHandOff(name string) bool {
	return strings.HasPrefix(name, ".continue-here") && strings.HasSuffix(name, ".md")
}

// mostDirectories is how many directories are listed: more than any project has.
const mostDirectories = 4000
