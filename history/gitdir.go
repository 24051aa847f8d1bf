package history

// gitdir.go: the files around the objects (gitrepository-layout): which directory is the repository, what
// HEAD comes to, where the history was cut, whose objects are borrowed. go-git's dotgit reads most of
// these, and costs 0.2 ms at every start for the configuration and the URLs it reads besides.

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"syscall"

	"github.com/go-git/go-git/v5/plumbing"
)

// place is where a repository is.
type place struct {
	top    string // of the working tree
	dir    string // the ".git" of this working tree: its HEAD
	common string // the one that all its working trees share: references and objects
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

// repositoryIn tells whether dir looks like a repository to git, and which directory has what is shared.
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
		if info, err := os.Stat(filepath.Join(common, name)); err != nil || !info.IsDir() {
			return "", false
		}
	}
	return common, true
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
	line, err := readLine(filepath.Join(p.refsOf(name), path))
	if missing(err) || errors.Is(err, syscall.EISDIR) {
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
	case parseHash(word, &h) && !h.IsZero():
		return h, nil
	case len(word) == 64 && strings.Trim(word, "0123456789abcdef") == "":
		return h, fmt.Errorf("%w: SHA-256 object names", ErrUnsupported)
	}
	return h, fmt.Errorf("%w: a reference that is no object's name", errCorrupt)
}

// packedRef gives the value of a reference that has no file of its own.
func (p place) packedRef(name string) (string, error) {
	const most = 256 << 20 // 4 million references
	data, err := readFile(filepath.Join(p.common, "packed-refs"), most)
	if err != nil && !missing(err) {
		return "", err
	}
	end := []byte(" " + name + "\n")
	if !bytes.HasSuffix(data, []byte("\n")) {
		data = append(data, '\n')
	}
	if at := bytes.Index(data, end); at >= 0 {
		return string(data[bytes.LastIndexByte(data[:at], '\n')+1 : at]), nil
	}
	return "", fmt.Errorf("%w: no commit on %s", ErrNone, name)
}

// shallow gives the commits whose parents a shallow clone does not have.
func (p place) shallow() (map[plumbing.Hash]bool, error) {
	const most = 64 << 20
	data, err := readFile(filepath.Join(p.common, "shallow"), most)
	if err != nil && !missing(err) {
		return nil, err
	}
	var edge map[plumbing.Hash]bool
	for line := range strings.Lines(string(data)) {
		var h plumbing.Hash
		if parseHash(strings.TrimSpace(line), &h) {
			if edge == nil {
				edge = make(map[plumbing.Hash]bool)
			}
			edge[h] = true
		}
	}
	return edge, nil
}

// objects gives the directories that have objects: the repository's own, and those that it borrows from,
// and those that these borrow from, five deep as in git.
func (p place) objects() []string {
	dirs := []string{filepath.Join(p.common, "objects")}
	const most = 1 << 20
	for depth, from := 0, 0; depth <= 5 && from < len(dirs); depth++ {
		level := dirs[from:]
		from = len(dirs)
		for _, dir := range level {
			// One that cannot be read lends nothing, with a warning in git.
			data, _ := readFile(filepath.Join(dir, "info", "alternates"), most)
			for line := range strings.Lines(string(data)) {
				line = strings.TrimSuffix(line, "\n")
				if line == "" || line[0] == '#' {
					continue
				}
				if line[0] == '"' {
					if unquoted, err := strconv.Unquote(line); err == nil {
						line = unquoted
					}
				}
				if to := within(dir, line); !slices.Contains(dirs, to) {
					dirs = append(dirs, to)
				}
			}
		}
	}
	return dirs
}

// readLine gives what stands in a file of one line.
func readLine(path string) (string, error) {
	const most = 64 << 10
	data, err := readFile(path, most)
	return strings.TrimRight(string(data), "\r\n"), err
}

func readFile(path string, most int64) ([]byte, error) {
	f, size, err := openRegular(path)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	if size > most {
		return nil, fmt.Errorf("%s: %w", path, errTooLarge)
	}
	data := make([]byte, size)
	n, err := io.ReadFull(f, data)
	if errors.Is(err, io.ErrUnexpectedEOF) || errors.Is(err, io.EOF) {
		err = nil // it has been written since
	}
	return data[:n], err
}

// openRegular opens a file that is one: to open a FIFO would wait for a writer.
func openRegular(path string) (*os.File, int64, error) {
	info, err := os.Stat(path)
	if err != nil {
		return nil, 0, err
	}
	if info.IsDir() {
		return nil, 0, &fs.PathError{Op: "open", Path: path, Err: syscall.EISDIR}
	}
	if !info.Mode().IsRegular() {
		return nil, 0, fmt.Errorf("%s is not a regular file", path)
	}
	f, err := os.Open(path)
	return f, info.Size(), err
}

// missing tells whether err says that there is no such file, or no such directory on the way to it.
func missing(err error) bool {
	return errors.Is(err, fs.ErrNotExist) || errors.Is(err, syscall.ENOTDIR)
}
