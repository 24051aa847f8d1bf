package identity

// Reading user.name without git: which files apply in a directory, and whether git might disagree.
//
// A repository is plain if it is a real directory ".git" with a HEAD, objects and refs, and if it and its parent are
// owned by the user who runs this process. Anything else that git might accept or refuse as a repository is a doubt.
//
// The system's configuration file is not read: a name in it is the weakest, so without another one git is asked.

import (
	"cmp"
	"errors"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"syscall"

	"github.com/gsd-cli/gsd/internal/durable"
)

// Sizes of a configuration file, in bytes. One larger than maxConfig is left to git. One larger than maxAsked git is
// not made to read: it keeps a hundred bytes for each name in it.
const (
	maxConfig = 1 << 20
	maxAsked  = 4 << 20
)

// configResult is the result of reading the configuration.
type configResult struct {
	reading
	endless string // which file git must not be made to read, and why, "" for none
}

// readConfig reads the configuration that applies in dir. It reads on after a doubt: without a git program, the best name
// must do.
func (w World) readConfig(dir string) (g configResult) {
	if platformDoubt != "" {
		g.suspect(platformDoubt)
	}
	me := os.Geteuid()
	switch env := w.env; {
	case env.steering != "":
		g.suspect(env.steering + " is set")
	case !filepath.IsAbs(env.home):
		g.suspect("HOME is not an absolute path")
	case env.xdg != "" && !filepath.IsAbs(env.xdg):
		g.suspect("XDG_CONFIG_HOME is not an absolute path")
	case me != os.Getuid():
		// git checks access as the former and ownership as the latter.
		g.suspect("the real and the effective user differ")
	case me == 0 && env.sudo != "":
		g.suspect("root with SUDO_UID")
	case w.git != "" && !isBinary(w.git):
		g.suspect("git is a script, or cannot be looked at")
	}

	// In order of precedence. The first name counts, but every file is read to its end: git does not answer at all if one
	// of them is broken.
	gitDir, own := g.repository(dir, me)
	if gitDir != "" {
		g.checkGitDir(gitDir)
		path := filepath.Join(gitDir, "config")
		data := g.read(path)
		if data == nil {
			g.suspect("a .git without config")
		}
		if own {
			g.add(path, data)
		}
	}
	for _, path := range w.env.globalFiles() {
		g.add(path, g.read(path))
	}
	if !g.named {
		g.suspect("no user.name in the user's own files")
	}
	return g
}

// add takes over what a file says, unless one with precedence said it.
func (g *configResult) add(path string, data []byte) {
	r := readConfig(string(data))
	if !g.named {
		g.name, g.named = r.name, r.named
	}
	if r.doubt != "" {
		g.suspect(path + ": " + r.doubt)
	}
}

// read returns the content of a file that git reads too, nil for a missing one. It never blocks.
func (g *configResult) read(path string) []byte {
	data, err := readFile(path)
	if err != nil && !isMissing(err) {
		g.suspect(path + " cannot be read here")
		g.endless = cmp.Or(g.endless, endless(path))
	}
	return data
}

func readFile(path string) ([]byte, error) { return (*durable.Budget)(nil).ReadAt(path, maxConfig) }

// endless returns why git would not reach the end of a file, or not soon, or "". In a FIFO it waits for a writer, at a
// terminal for a person, and /dev/zero never ends. /dev/null, a common link target, does.
func endless(path string) string {
	info, err := os.Stat(path)
	if err != nil {
		return ""
	}
	null, _ := os.Stat(os.DevNull)
	switch mode := info.Mode(); {
	case mode.IsRegular() && info.Size() > maxAsked:
		return path + " is larger than 4 MiB, too large for a configuration"
	case mode&(fs.ModeNamedPipe|fs.ModeCharDevice) != 0 && !os.SameFile(info, null):
		return path + " is not a regular file, and git would wait for it"
	}
	return ""
}

// repository finds the repository around dir as git does: upwards, within one file system. own is false if git may not
// use its configuration.
func (g *configResult) repository(dir string, me int) (gitDir string, own bool) {
	if !filepath.IsAbs(dir) || dir != filepath.Clean(dir) {
		if dir = g.physical(dir); dir == "" {
			return "", false
		}
	}
	var below fs.FileInfo
	for crossed := false; ; {
		here, err := os.Stat(dir)
		if err != nil || !here.IsDir() {
			g.suspect("a directory cannot be looked at")
			return "", false
		}
		crossed = crossed || below != nil && device(below) != device(here)
		dot := filepath.Join(dir, ".git")
		switch info, err := os.Lstat(dot); {
		case isMissing(err):
			// A bare repository has its HEAD here, and so has a ".git" itself.
			if _, err := os.Lstat(filepath.Join(dir, "HEAD")); !isMissing(err) {
				g.suspect("a HEAD outside a .git")
			}
		case err != nil || !info.IsDir():
			g.suspect("a .git that is not a directory")
			line, _ := readFile(dot) // that of a linked worktree names the directory
			if target, ok := strings.CutPrefix(string(line), "gitdir: "); ok {
				dot = pathIn(dir, target)
			}
			return dot, false
		case owner(here) != me || owner(info) != me:
			g.suspect("a repository of another user")
			return dot, false
		default:
			if crossed {
				g.suspect("a repository on another file system")
			}
			return dot, true
		}
		if below == nil { // from here on it matters which links led here
			if dir = g.physical(dir); dir == "" {
				return "", false
			}
		}
		up := filepath.Dir(dir)
		if up == dir {
			return "", false
		}
		dir, below = up, here
	}
}

// checkGitDir looks for reasons why gitDir may not be a repository, or not a plain one.
func (g *configResult) checkGitDir(gitDir string) {
	commonDir := filepath.Join(gitDir, "commondir")
	if _, err := os.Lstat(commonDir); !isMissing(err) {
		g.suspect(".git/commondir")
		g.read(filepath.Join(pathIn(gitDir, string(g.read(commonDir))), "config"))
	}
	worktree := filepath.Join(gitDir, "config.worktree")
	if _, err := os.Lstat(worktree); !isMissing(err) {
		g.suspect(".git/config.worktree")
		g.read(worktree)
	}
	for _, name := range []string{"objects", "refs"} {
		if _, err := os.Lstat(gitDir + "/" + name + "/."); err != nil { // the dot needs the right to enter
			g.suspect("a .git without " + name)
		}
	}
	path := filepath.Join(gitDir, "HEAD")
	head := g.read(path)
	if info, err := os.Lstat(path); err != nil || !info.Mode().IsRegular() || !isPlainHead(head) {
		g.suspect("an unusual HEAD")
	}
}

// isPlainHead reports whether a HEAD is one that git writes: a reference below refs/, or the 40 or 64 digits of a
// commit.
func isPlainHead(head []byte) bool {
	line, rest, found := strings.Cut(string(head), "\n")
	if !found || rest != "" {
		return false
	}
	if ref, ok := strings.CutPrefix(line, "ref: refs/"); ok {
		return ref != ""
	}
	return (len(line) == 40 || len(line) == 64) && strings.Trim(line, "0123456789abcdef") == ""
}

// pathIn returns the path that a file consists of, relative to dir.
func pathIn(dir, line string) string {
	line = strings.TrimRight(line, "\r\n")
	if filepath.IsAbs(line) {
		return line
	}
	return filepath.Join(dir, line)
}

// physical returns the path that getcwd would return in dir, or "" and a doubt: git ignores PWD when it searches. The path is not
// cleaned before its links are resolved: "link/.." is the parent of the link's target.
func (g *configResult) physical(dir string) string {
	var err error
	if !filepath.IsAbs(dir) {
		var wd string
		wd, err = os.Getwd()
		dir = wd + string(filepath.Separator) + dir
	}
	if err == nil {
		dir, err = filepath.EvalSymlinks(dir)
	}
	if err != nil {
		g.suspect("the directory cannot be looked at")
		return ""
	}
	return dir
}

// isBinary reports whether a program is not a script, which might set variables before it calls the real git.
func isBinary(path string) bool {
	f, _, err := durable.OpenAt(path)
	if err != nil {
		return false
	}
	defer f.Close()
	var magic [2]byte
	_, err = io.ReadFull(f, magic[:])
	return err == nil && string(magic[:]) != "#!"
}

// isMissing reports whether err is one of the two that git takes for a missing file.
func isMissing(err error) bool {
	return errors.Is(err, fs.ErrNotExist) || errors.Is(err, syscall.ENOTDIR)
}
