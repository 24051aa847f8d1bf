package gitlog

// gitdir.go: the files around the objects (gitrepository-layout): the repository's directory, HEAD, shallow and
// alternates. go-git's dotgit reads most of these, but also the configuration and its URLs, which costs 0.2 ms at every
// start.

import (
	"bytes"
	"cmp"
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

// A Place is where the repository of a directory is. The zero value is that of a directory outside of one. It is found once for all that is
// asked of it: what moves, such as HEAD, is read again each time.
type Place struct {
	of     string // the directory that was asked about, absolute and without links
	top    string // the working tree
	dir    string // the ".git" of this working tree, with its HEAD
	common string // the directory that all working trees share, with references and objects
	plain  bool   // ".git" is that directory, so it has no links in its path either
	name   string // see FindBelow
	err    error  // why there is none
	budget *durable.Budget
}

// Find searches the repository of a directory, an absolute path without symbolic links, from there upwards, for a ".git" that is a repository
// or points to one (linked worktrees, submodules). Like git it ignores one that is neither a repository's directory nor a
// file; unlike git's setup.c it does not detect a bare repository around dir, and it crosses file systems.
func Find(dir string) Place {
	of := dir
	for {
		p, ok := findAt(dir)
		if ok {
			p.of = of
			return p
		}
		up := filepath.Dir(dir)
		if up == dir {
			return Place{err: fmt.Errorf("%w: no repository", ErrNone)}
		}
		dir = up
	}
}

// findAt returns the repository whose working tree is dir, or why the one there cannot be used. It returns false if there is none.
func findAt(dir string) (Place, bool) {
	dot := filepath.Join(dir, ".git")
	// Neither opens the file, so a FIFO does not block.
	info, err := os.Lstat(dot)
	plain := err == nil && info.IsDir()
	if err == nil && !plain && !info.Mode().IsRegular() {
		info, err = os.Stat(dot)
	}
	if err == nil && info.IsDir() {
		common, ok := repositoryIn(dot)
		return Place{of: dir, top: dir, dir: dot, common: common, plain: plain && common == dot}, ok
	}
	if err != nil || !info.Mode().IsRegular() {
		return Place{}, false
	}
	line, err := readLine(dot)
	if err != nil {
		return Place{err: err}, true
	}
	if to, ok := gitDirIn(dir, line); ok {
		if common, ok := repositoryIn(to); ok {
			return Place{of: dir, top: dir, dir: to, common: common}, true
		}
	}
	return Place{err: fmt.Errorf("%w: %s leads to no repository", ErrNone, dot)}, true
}

// Err returns why there is no repository: [ErrNone], or an error of reading a file; nil if there is one.
func (p Place) Err() error {
	if p.dir == "" {
		return cmp.Or(p.err, ErrNone)
	}
	return nil
}

// gitDirIn returns the directory that the line of a file .git in dir names.
func gitDirIn(dir, line string) (string, bool) {
	to, ok := strings.CutPrefix(line, "gitdir: ")
	return within(dir, to), ok
}

// IsRepository reports whether dir is a repository's directory, as git sees it.
func IsRepository(dir string) bool {
	_, ok := repositoryIn(dir)
	return ok
}

// repositoryIn reports whether dir looks like a repository to git, and returns its common directory.
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

// within resolves path, which has slashes, relative to dir.
func within(dir, path string) string {
	path = filepath.FromSlash(path)
	if filepath.IsAbs(path) {
		return filepath.Clean(path)
	}
	return filepath.Join(dir, path)
}

// head returns the commit that HEAD resolves to, or ErrNone if its branch has no commit yet, and the branch; "" for none.
func (p Place) head() (id plumbing.Hash, branch string, err error) {
	path := filepath.Join(p.dir, "HEAD")
	line, err := readLine(path)
	if err != nil { // in very old repositories HEAD is a symbolic link, which leads nowhere if its branch is packed
		if to, err2 := os.Readlink(path); err2 == nil && strings.HasPrefix(to, "refs/") {
			line, err = "ref: "+to, nil
		}
	}
	branch = branchIn(line)
	for range 6 { // git follows five
		if err != nil {
			return id, branch, err
		}
		name, symbolic := strings.CutPrefix(line, "ref:")
		if !symbolic {
			id, err = parseRef(line)
			return id, branch, err
		}
		line, err = p.ref(strings.TrimSpace(name))
	}
	return id, branch, fmt.Errorf("%w: references in a circle", errCorrupt)
}

// ref returns the line that is the value of a reference.
func (p Place) ref(name string) (string, error) {
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

// refsOf returns the directory that holds a reference: a few belong to one working tree.
func (p Place) refsOf(name string) string {
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

// packedRef returns the value of a reference that has no file of its own.
func (p Place) packedRef(name string) (string, error) {
	const limit = 32 << 20 // half a million references
	data, err := p.budget.ReadAt(filepath.Join(p.common, "packed-refs"), limit)
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

// shallow returns the commits whose parents a shallow clone does not have.
func (p Place) shallow() (map[plumbing.Hash]bool, error) {
	const limit = 4 << 20 // 100,000 commits; a clone of one branch has a handful
	data, err := p.budget.ReadAt(filepath.Join(p.common, "shallow"), limit)
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

// Limits for alternates. Git only limits the depth, but here each directory costs a lookup for every object that is not
// found before it. Real repositories have one or two.
const (
	maxAlternates     = 64   // directories
	maxAlternateLines = 1024 // in all files: a hostile one may name the same directory in many ways
	alternatesDepth   = 5    // git's limit
)

// objects returns the object directories: the repository's own and its alternates, recursively and five levels deep as
// in git. more reports whether there are further ones beyond the limits.
func (p Place) objects() (dirs []string, more bool) {
	dirs = []string{filepath.Join(p.common, "objects")}
	const limit = 1 << 20
	known, lines := map[string]bool{}, 0
	for depth, from := 0, 0; depth <= alternatesDepth && from < len(dirs); depth++ {
		level := dirs[from:]
		from = len(dirs)
		for _, dir := range level {
			// A file that cannot be read is ignored; git warns of it.
			data, _ := p.budget.ReadAt(filepath.Join(dir, "info", "alternates"), limit)
			for line := range strings.Lines(string(data)) {
				if lines == 0 {
					known[physical(dirs[0])] = true
				}
				if lines++; lines > maxAlternateLines || len(dirs) > maxAlternates {
					return dirs, true
				}
				line = strings.TrimSuffix(line, "\n")
				if unquoted, err := strconv.Unquote(line); err == nil && line[0] == '"' {
					line = unquoted
				}
				// Missing directories are left out, as are those known by another name.
				if to := physical(within(physical(dir), line)); to != "" && !known[to] {
					known[to] = true
					dirs = append(dirs, to)
				}
			}
		}
	}
	return dirs, false
}

// physical resolves the symbolic links in a path; it returns "" if the path does not exist.
func physical(path string) string {
	to, err := filepath.EvalSymlinks(path)
	if err != nil {
		return ""
	}
	return to
}

// readLine returns the content of a file of one line, without the line ending.
func readLine(path string) (string, error) {
	const limit = 64 << 10
	data, err := (*durable.Budget)(nil).ReadAt(path, limit)
	return strings.TrimRight(string(data), "\r\n"), err
}

// missing reports whether err means that a file, or a directory on its path, does not exist.
func missing(err error) bool {
	return errors.Is(err, fs.ErrNotExist) || errors.Is(err, syscall.ENOTDIR)
}
