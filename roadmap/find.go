package roadmap

// find.go: from a short name, or from a place where a plan no longer is, to the plans that it may mean.
// An id is only ever compared with names that a directory listing gave, never joined to a path, so no
// id leads out of the planning directory. What is ambiguous comes back as more than one path.

import (
	"errors"
	"io/fs"
	"path"
	"slices"
	"strings"
	"syscall"
)

// FileName is what upstream calls a roadmap, in this case only.
const FileName = "ROADMAP.md"

// Nearest is the roadmap of the plan at path: the first ROADMAP.md upwards from it, at most in the
// planning directory itself (DESIGN.md, Finding the project). A workstream's own comes first. Whatever has
// the name is meant: one that cannot be read is for the caller to tell, not to look past.
func Nearest(fsys fs.FS, plan string) (string, bool) {
	if !fs.ValidPath(plan) {
		return "", false
	}
	for dir := path.Dir(plan); dir != "."; dir = path.Dir(dir) {
		name := path.Join(dir, FileName)
		if _, err := fs.Stat(fsys, name); !errors.Is(err, fs.ErrNotExist) {
			return name, true
		}
		if path.Base(dir) == ".planning" {
			break
		}
	}
	return "", false
}

// FindByID lists the plans below planningDir that id names, sorted: `03-01`, `3-1`, `02.1-03`, `ABC-03-01`
// the plan of a phase; `03` the phase's only `PLAN.md` or `03-PLAN.md`; `quick/001` a quick task, and
// `001` either. Plans that lie in phases/ itself count. Phases of workstreams and sub-projects count; those of archived milestones only where
// nothing live has the name. It reads only directories that can hold such a plan. Where none is found and a
// directory could not be read, the error says which, unless it is missing.
func FindByID(fsys fs.FS, planningDir, id string) ([]string, error) {
	f := finder{fsys: fsys}
	quick, isQuick := strings.CutPrefix(id, "quick/")
	want, isPhase := parseID(id)
	if isPhase {
		f.phases(path.Join(planningDir, "phases"), want)
		for _, dir := range f.dirs(planningDir) {
			switch {
			case dir == "workstreams":
				for _, ws := range f.dirs(path.Join(planningDir, dir)) {
					f.phases(path.Join(planningDir, dir, ws, "phases"), want)
				}
			case !isOwn(dir):
				f.phases(path.Join(planningDir, dir, "phases"), want)
			}
		}
	}
	// A phase's plan may be called like a quick task (260322-14r), which then is the second choice.
	if isQuick || want.plan.IsZero() || len(f.found) == 0 {
		f.quick(path.Join(planningDir, "quick"), quick)
	}
	if isPhase && len(f.found) == 0 {
		archive := path.Join(planningDir, "milestones")
		for _, dir := range f.dirs(archive) {
			if isPhases(dir) {
				f.phases(path.Join(archive, dir), want)
			}
		}
	}
	if len(f.found) == 0 {
		return nil, f.err
	}
	slices.Sort(f.found)
	return f.found, nil // what could not be read beside them does not matter
}

// parseID reads the id of a phase's plan: a phase, and after a dash a plan.
func parseID(id string) (fileName, bool) {
	var n fileName
	phase, rest, ok := cutNumber(id)
	if !ok {
		return n, false
	}
	n.phase = phase
	n.cutPlan(rest)
	return n, n.slug == "" && (rest == "" || rest[0] == '-' && !n.plan.IsZero())
}

// finder collects plans, and the first error that is not a missing directory.
type finder struct {
	fsys  fs.FS
	found []string
	err   error
}

// phases adds the plans with want's numbers in and below dir, a directory of phase directories. A directory
// with another number is not opened; one without a number is, for its files may have theirs.
func (f *finder) phases(dir string, want fileName) {
	var dirs []string
	for _, entry := range f.list(dir) {
		if entry.IsDir() {
			dirs = append(dirs, entry.Name())
		} else {
			f.plan(dir, entry.Name(), Number{}, want)
		}
	}
	for _, sub := range dirs {
		n, _, ok := cutDir(sub)
		if ok && Compare(n, want.phase) != 0 {
			continue
		}
		for _, at := range []string{path.Join(dir, sub), path.Join(dir, sub, "plans")} {
			for _, name := range f.plans(at) {
				f.plan(at, name, n, want)
			}
		}
	}
}

// plan adds the file in dir, a directory of a phase, if it is a plan that has want's numbers.
func (f *finder) plan(dir, name string, phase Number, want fileName) {
	n, ok := parseName(name)
	if !ok || n.kind != planFile || n.isNamed() { // what has no number has no id either
		return
	}
	if n = n.in(phase); Compare(n.phase, want.phase) == 0 && Compare(n.plan, want.plan) == 0 {
		f.found = append(f.found, path.Join(dir, name))
	}
}

// quick adds the plans of the quick tasks that id names: by number (`1` is `001`), by the start of the
// directory's name up to a dash, or by the whole of it.
func (f *finder) quick(dir, id string) {
	if id == "" {
		return
	}
	want, isNumber := ParseNumber(id)
	for _, sub := range f.dirs(dir) {
		n, _, ok := cutDir(sub)
		if sub != id && !strings.HasPrefix(sub, id+"-") && !(ok && isNumber && Compare(n, want) == 0) {
			continue
		}
		for _, name := range f.plans(path.Join(dir, sub)) {
			f.found = append(f.found, path.Join(dir, sub, name))
		}
	}
}

// dirs lists the directories in dir.
func (f *finder) dirs(dir string) []string {
	var names []string
	for _, e := range f.list(dir) {
		if e.IsDir() {
			names = append(names, e.Name())
		}
	}
	return names
}

// plans lists the names of the plans in dir.
func (f *finder) plans(dir string) []string {
	var names []string
	for _, e := range f.list(dir) {
		if !e.IsDir() && IsPlan(e.Name()) {
			names = append(names, e.Name())
		}
	}
	return names
}

// list gives what is in dir.
func (f *finder) list(dir string) []fs.DirEntry {
	var entries []fs.DirEntry
	info, err := fs.Stat(f.fsys, dir)
	if err == nil && info.IsDir() {
		entries, err = fs.ReadDir(f.fsys, dir)
	}
	if err != nil && f.err == nil && !errors.Is(err, fs.ErrNotExist) && !errors.Is(err, syscall.ENOTDIR) {
		f.err = err
	}
	return entries
}

// Plans lists the plans at or below dir, sorted by path. After some thousand files it stops looking.
func Plans(fsys fs.FS, dir string) []string {
	const most = 5000
	var plans []string
	walkPlans(fsys, dir, most, func(name string, _ fs.DirEntry) { plans = append(plans, name) })
	return plans
}

// walkPlans visits the files with a plan's name at or below root, in the order of their paths, until it has
// seen most entries of any kind. The sessions of root are not entered, and nothing that is very deep: a tree
// a thousand deep is no project's, and each step down costs more than the last. An unreadable directory
// hides what is in it and nothing else.
func walkPlans(fsys fs.FS, root string, most int, visit func(name string, entry fs.DirEntry)) {
	const deepest = 16
	seen := 0
	// The callback gives no error but those that steer the walk.
	_ = fs.WalkDir(fsys, root, func(name string, entry fs.DirEntry, err error) error {
		seen++
		switch {
		case seen > most:
			return fs.SkipAll
		case err != nil:
			return nil
		case entry.IsDir() && (name == path.Join(root, "sessions") || strings.Count(name, "/") > deepest):
			return fs.SkipDir
		case !entry.IsDir() && IsPlan(entry.Name()):
			visit(name, entry)
		}
		return nil
	})
}
