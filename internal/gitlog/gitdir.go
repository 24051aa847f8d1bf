package gitlog

// gitdir.go: the files around the objects (gitrepository-layout): which directory is the repository, what
// HEAD comes to, where the history was cut, whose objects are borrowed. go-git's dotgit reads most of
// these, and costs 0.2 ms at every start for the configuration and the URLs it reads besides.

import (
	"bytes"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"

	"github.com/go-git/go-git/v5/plumbing"

	"github.com/gsd-cli/gsd/internal/durable"
)

// place is where a repository is.
type place struct {
	top    string // of the working tree
	dir    string // the ".git" of this working tree: its HEAD
	common string // the one that all its working trees share: references and objects
	budget *durable.Budget
}

// findRepository looks from dir upwards. A ".git" that is neither a directory with a repository in it nor a
// file is passed over, as git does; the rest of setup.c (a bare repository around dir, the border of a file
// system) is left out.
func findRepository(dir string) (place, error) {
	for {
		dot := filepath.Join(dir, ".git")
		// Stat opens nothing, so a FIFO does not hold us up.
		if info, err := os.Stat(dot); err == nil && info.IsDir() {
			if common, ok := repositoryIn(dot); ok {
				return place{top: dir, dir: dot, common: common}, nil
			}
		} else if err == nil && info.Mode().IsRegular() {
			line, err := readLine(dot)
			if err != nil {
				return place{}, err
			}
			to, ok := strings.CutPrefix(line, "gitdir: ")
			if to = within(dir, to); ok {
				if common, ok := repositoryIn(to); ok {
					return place{top: dir, dir: to, common: common}, nil
				}
			}
			return place{}, fmt.Errorf("%w: %s leads to no repository", ErrNone, dot)
		}
		up := filepath.Dir(dir)
		if up == dir {
			return place{}, fmt.Errorf("%w: no repository", ErrNone)
		}
		dir = up
	}
}

// repositoryIn reports whether dir looks like a repository to git, and which directory has what is shared.
func repositoryIn(dir string) (common string, ok bool) {
	common = dir
	if line, err := readLine(filepath.Join(dir, "commondir")); err == nil {
		common = within(dir, line)
	} else if !missing(err) {
		return "", false
	}
	if _, err := os.Lstat(filepath.Join(dir, "HEAD")); err != nil {
		return "", false
	}
	for _, name := range []string{"objects", "refs"} {
		if !isDir(filepath.Join(common, name)) {
			return "", false
		}
	}
	return common, true
}

func isDir(path string) bool {
	info, err := os.Stat(path)
	return err == nil && info.IsDir()
}

// within gives the place of path, which is in slashes, seen from dir.
func within(dir, path string) string {
	path = filepath.FromSlash(path)
	if filepath.IsAbs(path) {
		return filepath.Clean(path)
	}
	return filepath.Join(dir, path)
}

// head gives the object that HEAD comes to. ErrNone if its branch has no commit yet.
func (p place) head() (plumbing.Hash, error) {
	path := filepath.Join(p.dir, "HEAD")
	line, err := readLine(path)
	// The HEAD of repositories of long ago is a symbolic link.
	if to, err2 := os.Readlink(path); err2 == nil && strings.HasPrefix(to, "refs/") {
		line, err = "ref: "+to, nil
	}
	for range 6 { // git follows five
		if err != nil {
			return plumbing.ZeroHash, err
		}
		name, symbolic := strings.CutPrefix(line, "ref:")
		if !symbolic {
			return parseRef(line)
		}
		line, err = p.ref(strings.TrimSpace(name))
	}
	return plumbing.ZeroHash, fmt.Errorf("%w: references in a circle", errCorrupt)
}

// ref gives the line that stands for a reference.
func (p place) ref(name string) (string, error) {
	if name == "refs/heads/.invalid" {
		return "", fmt.Errorf("%w: references in the reftable format", ErrUnsupported)
	}
	path := filepath.FromSlash(name)
	if !strings.HasPrefix(name, "refs/") || !fs.ValidPath(name) || !filepath.IsLocal(path) {
		return "", fmt.Errorf("%w: a reference to %q", errCorrupt, name)
	}
	path = filepath.Join(p.refsOf(name), path)
	line, err := readLine(path)
	if missing(err) || errors.Is(err, durable.ErrNotRegular) && isDir(path) {
		return p.packedRef(name)
	}
	return line, err
}

// refsOf gives the directory where a reference is: a few are of one working tree alone.
func (p place) refsOf(name string) string {
	for _, own := range []string{"refs/bisect/", "refs/worktree/", "refs/rewritten/"} {
		if strings.HasPrefix(name, own) {
			return p.dir
		}
	}
	return p.common
}

func parseRef(line string) (plumbing.Hash, error) {
	var h plumbing.Hash
	word, _, _ := strings.Cut(strings.TrimRight(line, " \t"), " ")
	switch {
	case parseHash([]byte(word), &h):
		return h, nil
	case len(word) == 64 && strings.Trim(word, "0123456789abcdef") == "":
		return h, fmt.Errorf("%w: SHA-256 object names", ErrUnsupported)
	}
	return h, fmt.Errorf("%w: a reference that is no object's name", errCorrupt)
}

// packedRef gives the value of a reference that has no file of its own: all those stand in one.
func (p place) packedRef(name string) (string, error) {
	const most = 32 << 20 // half a million references
	data, err := p.budget.ReadAt(filepath.Join(p.common, "packed-refs"), most)
	if err != nil && !missing(err) {
		return "", err
	}
	end := []byte(" " + name)
	for line := range bytes.Lines(data) {
		if value, ok := bytes.CutSuffix(bytes.TrimRight(line, "\r\n"), end); ok {
			return string(value), nil
		}
	}
	return "", fmt.Errorf("%w: no commit on %s", ErrNone, name)
}

// shallow gives the commits whose parents a shallow clone does not have.
func (p place) shallow() (map[plumbing.Hash]bool, error) {
	const most = 4 << 20 // 100,000 commits; a clone of one branch has a handful
	data, err := p.budget.ReadAt(filepath.Join(p.common, "shallow"), most)
	if err != nil && !missing(err) {
		return nil, err
	}
	var edge map[plumbing.Hash]bool
	for line := range bytes.Lines(data) {
		var h plumbing.Hash
		if parseHash(bytes.TrimSpace(line), &h) {
			if edge == nil {
				edge = make(map[plumbing.Hash]bool)
			}
			edge[h] = true
		}
	}
	return edge, nil
}

// Bounds for alternates. Git has none but the depth; but each directory is asked for every object that is not found
// before, and people borrow from one or two.
const (
	mostAlternates     = 64   // directories
	mostAlternateLines = 1024 // in all files together: most of a hostile one name the same directory in other ways
	alternatesDepth    = 5    // git's
)

// objects gives the directories that have objects: the repository's own, and those that it borrows from,
// and those that these borrow from, five deep as in git. more tells that there are others, which are not looked at.
func (p place) objects() (dirs []string, more bool) {
	dirs = []string{filepath.Join(p.common, "objects")}
	const most = 1 << 20
	known, lines := map[string]bool{physical(dirs[0]): true}, 0
	for depth, from := 0, 0; depth <= alternatesDepth && from < len(dirs); depth++ {
		level := dirs[from:]
		from = len(dirs)
		for _, dir := range level {
			// One that cannot be read lends nothing, with a warning in git.
			data, _ := p.budget.ReadAt(filepath.Join(dir, "info", "alternates"), most)
			for line := range strings.Lines(string(data)) {
				if lines++; lines > mostAlternateLines || len(dirs) > mostAlternates {
					return dirs, true
				}
				line = strings.TrimSuffix(line, "\n")
				if unquoted, err := strconv.Unquote(line); err == nil && line[0] == '"' {
					line = unquoted
				}
				// One that is not there is left out, and so is one that is known under another name.
				if to := physical(within(physical(dir), line)); to != "" && !known[to] {
					known[to] = true
					dirs = append(dirs, to)
				}
			}
		}
	}
	return dirs, false
}

// physical resolves the links in a path; empty where nothing is there.
func physical(path string) string {
	to, err := filepath.EvalSymlinks(path)
	if err != nil {
		return ""
	}
	return to
}

// readLine gives what stands in a file of one line.
func readLine(path string) (string, error) {
	const most = 64 << 10
	data, err := (*durable.Budget)(nil).ReadAt(path, most)
	return strings.TrimRight(string(data), "\r\n"), err
}

// missing reports whether err says that there is no such file, or no such directory on the way to it.
func missing(err error) bool {
	return errors.Is(err, fs.ErrNotExist) || errors.Is(err, syscall.ENOTDIR)
}
