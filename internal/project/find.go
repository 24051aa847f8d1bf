package project

// find.go: which project a directory belongs to.
//
// The search goes upwards to the top of the directory's own repository. What is above belongs to it only if one of the two says so: the
// project above declares the repository (sub_repos), or the repository above has it as a submodule. Otherwise a .planning that somebody left
// in a home directory would be the project of every repository below it. Outside of a repository, the search goes up to the root.

import (
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"syscall"
	"unicode"

	"github.com/gsd-cli/gsd/internal/durable"
	"github.com/gsd-cli/gsd/internal/gitlog"
	"github.com/gsd-cli/gsd/internal/planref"
	"github.com/gsd-cli/gsd/internal/problem"
	"github.com/gsd-cli/gsd/internal/worktree"
)

// Open finds the project that dir belongs to: the nearest directory at or above dir that contains .planning/, in dir's own repository or in one
// that dir's belongs to. If there is none and dir is in a linked git worktree, it looks in the main worktree; if that repository is bare, in the
// directory that holds it. Git is not run, and nothing is read of the project before Allow. Errors are of kind NoProject, or MissingInput if dir
// cannot be used.
func Open(dir string) (*Project, error) {
	start, err := dir, error(nil)
	if !filepath.IsAbs(dir) {
		start, err = filepath.Abs(dir)
	}
	if err == nil {
		start, err = filepath.EvalSymlinks(start) // not cleaned first: link/.. is the parent of the link's target
	}
	if err != nil {
		return nil, NoDirectory(dir, err)
	}
	var s search
	found := s.from(start)
	if found != start { // else it is a directory
		info, err := os.Stat(start)
		if err == nil && !info.IsDir() {
			err = &fs.PathError{Op: "open", Path: start, Err: syscall.ENOTDIR}
		}
		if err != nil {
			return nil, NoDirectory(dir, err)
		}
	}
	work := found
	if found == "" {
		place := gitlog.Find(start)
		if main, below := place.MainWorktree(); main != "" {
			found, work = s.from(filepath.Join(main, below)), start
		} else if around := place.AroundBare(); around != "" && s.has(around) {
			found, work = around, start
		}
	}
	if found == "" {
		return nil, s.none(start)
	}
	at, link := found, ""
	if s.isLink {
		if at, err = follow(found); err != nil {
			return nil, err
		} else if at != found {
			link = found
		}
	}
	root, err := durable.OpenRootAt(at)
	if err != nil {
		return nil, &problem.Error{Kind: problem.NoProject, Text: problem.Cause(at, err), Err: err}
	}
	return &Project{Dir: at, From: start, Work: work, link: link, Base: planref.Planning, Default: planref.Planning, tree: tree{Files: Files{root: root}}}, nil
}

// follow returns the directory of the project whose .planning is the one that a link in dir leads to: that directory is the root of all that is
// read and written, and its owner the project's. A link that stays in dir, as from .planning to docs/plans, is like a directory. Git must
// not track any other one: a repository that somebody clones could make them work on, and write into, whatever it chose.
func follow(dir string) (string, error) {
	name := filepath.Join(dir, planref.Planning)
	to, err := os.Readlink(name)
	if err != nil {
		return "", NoDirectory(name, err)
	}
	target, err := filepath.EvalSymlinks(name)
	refused := func(hint, format string, args ...any) (string, error) {
		return "", problem.Fail(problem.Refused, hint, "%s is a link to %s, "+format, append([]any{name, to}, args...)...)
	}
	switch {
	case err != nil:
		return "", NoDirectory(name, err)
	case isBelow(target, dir) && !filepath.IsAbs(to):
		return dir, nil
	case mayBeTracked(dir):
		return refused("if it is to be followed, a person can take it out of git and list it in .git/info/exclude; or make it a directory",
			"which git tracks, so the repository's author chose where it leads")
	case filepath.Base(target) != planref.Planning:
		return refused("a person can move the plans to a directory of that name, such as "+filepath.Join(target, planref.Planning)+", and link that",
			"and gsd follows a link only to another directory called %s", planref.Planning)
	}
	return filepath.Dir(target), nil
}

// mayBeTracked reports whether git may track the link .planning in a directory: it does not where there is no repository.
func mayBeTracked(dir string) bool {
	names, err := durable.NamesAt(dir)
	if err != nil || !slices.Contains(names, planref.Planning) { // where case does not count, git may have it under another name
		return true
	}
	place := gitlog.Find(dir)
	if place.Err() != nil {
		for !isTop(dir) {
			up := filepath.Dir(dir)
			if up == dir {
				return false
			}
			dir = up
		}
		return true // of a repository that cannot be read
	}
	top, _ := place.WorkingTree()
	below, err := filepath.Rel(top, filepath.Join(dir, planref.Planning))
	return err != nil || worktree.TracksLink(place, filepath.ToSlash(below))
}

// A search looks for a project.
type search struct {
	top, passed string // the repository that an existing project above does not declare, and that project; empty for none
	isLink      bool   // the .planning that was found is a link
	broken      string // the nearest .planning that is a link to no directory; empty for none
}

// none is the error for a directory without a project.
func (s *search) none(start string) error {
	hint := "run gsd in a project, or name one with -C DIR"
	if s.broken != "" {
		hint = s.broken + " is a link that leads to no directory; " + hint
	}
	if s.passed == "" {
		return problem.Fail(problem.NoProject, hint, "no %s directory in %s or above it", planref.Planning, start)
	}
	below, _ := filepath.Rel(s.passed, s.top)
	return problem.Fail(problem.NoProject, hint, "no %s directory in %s or above it in its repository", planref.Planning, start).Hinting(
		filepath.Join(s.passed, planref.Planning) + " is outside of that repository, and was passed over; if its plans are about this repository, too, a person can add " +
			strconv.Quote(filepath.ToSlash(below)) + " to the list sub_repos in its config.json")
}

// from returns the directory of the project that dir belongs to; "" for none. dir need not exist.
func (s *search) from(dir string) string {
	for {
		if s.has(dir) {
			return dir
		}
		if isTop(dir) {
			return s.above(dir)
		}
		up := filepath.Dir(dir)
		if up == dir {
			return ""
		}
		dir = up
	}
}

// above returns the directory of the project above a repository that the repository belongs to; "" for none.
func (s *search) above(top string) string {
	if isSubmodule(top) {
		return s.from(filepath.Dir(top))
	}
	for dir := filepath.Dir(top); ; dir = filepath.Dir(dir) {
		if s.has(dir) {
			if declares(dir, top) {
				return dir
			}
			if s.passed == "" {
				s.top, s.passed = top, dir
			}
		}
		if dir == filepath.Dir(dir) {
			return ""
		}
	}
}

// has reports whether there is a project in a directory, and notes whether its .planning is a link.
func (s *search) has(dir string) bool {
	info, err := os.Lstat(filepath.Join(dir, planref.Planning))
	s.isLink = err == nil && info.Mode()&fs.ModeSymlink != 0
	switch {
	case err != nil:
		return false
	case info.IsDir() || hasPlanning(dir): // which it may be on Windows without being a directory or a link
		return true
	case s.isLink && s.broken == "":
		s.broken = filepath.Join(dir, planref.Planning)
	}
	return false
}

// hasPlanning reports whether there is a project in a directory.
func hasPlanning(dir string) bool {
	info, err := os.Stat(filepath.Join(dir, planref.Planning))
	return err == nil && info.IsDir()
}

// isTop reports whether a directory is the top of a repository. As for git, a directory .git that is not a repository does not count, and a file .git
// always does, wherever it leads.
func isTop(dir string) bool {
	info, err := os.Lstat(filepath.Join(dir, ".git"))
	if err != nil || !info.IsDir() {
		return err == nil
	}
	top, _ := gitlog.Find(dir).WorkingTree()
	return top == dir
}

// isSubmodule reports whether a repository is a submodule of the one around it, which both have to say: .gitmodules has its path, so that it
// is no other repository in its place, and its own directory is in the other's, where git puts those of submodules.
func isSubmodule(top string) bool {
	_, own := gitlog.Find(top).WorkingTree()
	outer, outerGit := gitlog.Find(filepath.Dir(top)).WorkingTree()
	if outer == "" || !isBelow(own, filepath.Join(outerGit, "modules")) {
		return false
	}
	below, err := filepath.Rel(outer, top)
	return err == nil && slices.Contains(submodules(nil, outer), filepath.ToSlash(below))
}

// isEmptySubmodule reports whether .planning is a submodule that was not checked out, as in a new linked worktree or a clone without its submodules.
func (p *Project) isEmptySubmodule() bool {
	if len(p.Names(planref.Planning)) > 0 {
		return false
	}
	top, _ := p.Repository().WorkingTree()
	below, err := filepath.Rel(top, filepath.Join(p.Dir, planref.Planning))
	return top != "" && err == nil && slices.Contains(submodules(p.git, top), filepath.ToSlash(below))
}

// CheckWritable returns why no directory of sessions may be made in .planning: git checks out a submodule only where nothing is.
func (p *Project) CheckWritable() error {
	if p.isEmptySubmodule() {
		return problem.Fail(problem.Refused, "git submodule update --init checks it out",
			"%s is a submodule that was not checked out here, so nothing is written there", planref.Planning)
	}
	return nil
}

// isBelow reports whether a path is that of a file in a directory, or below.
func isBelow(name, dir string) bool {
	below, err := filepath.Rel(dir, name)
	return err == nil && below != "." && filepath.IsLocal(below)
}

// declares reports whether a repository below a project's directory belongs to the project: its settings declare it, or it is that of its
// plans.
func declares(dir, top string) bool {
	below, err := filepath.Rel(dir, top)
	if err != nil {
		return false
	}
	below = filepath.ToSlash(below) + "/"
	if strings.HasPrefix(below, planref.Planning+"/") {
		return true
	}
	text, err := (*durable.Budget)(nil).ReadAt(filepath.Join(dir, planref.Planning, "config.json"), maxConfig)
	if err != nil {
		return false
	}
	names, all, _ := parseSubRepos(text)
	if all && strings.Count(below, "/") == 1 {
		return true
	}
	return slices.ContainsFunc(names, func(name string) bool {
		return name != "" && strings.HasPrefix(below, path.Clean(filepath.ToSlash(name))+"/")
	})
}

// Bounds of ProjectsBelow: how far below it looks, at how many files and directories, and how many projects it names.
const (
	belowDepth = 3
	belowLooks = 1000
	belowNames = 20
)

// ProjectsBelow lists the directories below dir that have a project of their own, as in a monorepo or beside a bare repository: the nearest first, as
// paths with slashes below dir. It looks into no link, no directory whose name begins with a dot, and none of installed packages; nor at
// more than a bounded number. A name that would not be printed as it is, is left out.
func ProjectsBelow(dir string) (names []string) {
	looks := belowLooks
	level := []string{"."}
	for range belowDepth {
		var next []string
		for _, above := range level {
			for _, name := range directoriesIn(filepath.Join(dir, filepath.FromSlash(above)), &looks) {
				name = path.Join(above, name)
				if len(names) < belowNames && hasPlanning(filepath.Join(dir, filepath.FromSlash(name))) {
					names = append(names, name)
				}
				next = append(next, name)
			}
		}
		level = next
	}
	return names
}

// directoriesIn lists those directories in dir that Below looks at, sorted, and counts down what it has seen.
func directoriesIn(dir string, looks *int) (names []string) {
	if *looks <= 0 {
		return nil
	}
	d, err := durable.DirAt(dir)
	if err != nil {
		return nil
	}
	defer d.Close() // it was only read
	entries, _ := d.ReadDir(*looks)
	*looks -= len(entries)
	for _, e := range entries {
		isOdd := func(r rune) bool { return r == '`' || !unicode.IsPrint(r) }
		if name := e.Name(); e.IsDir() && !strings.HasPrefix(name, ".") && name != "node_modules" && !strings.ContainsFunc(name, isOdd) {
			names = append(names, name)
		}
	}
	slices.Sort(names)
	return names
}

// HoldsRepository reports whether a directory is the top of a repository, or holds a bare one with its working trees.
func HoldsRepository(dir string) bool {
	return isTop(dir) || gitlog.IsRepository(filepath.Join(dir, ".bare"))
}
