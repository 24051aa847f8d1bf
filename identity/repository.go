package identity

// Which repository git would settle on (git's setup.c: from the directory upwards, ".git" before the
// directory itself, stop at a file system boundary).
//
// The law: only a plain repository of the user's own is recognised: a real directory ".git" with a HEAD,
// objects and refs, owned like the directory around it by the user who runs us. Anything else that git
// might take for a repository, or might refuse as one, is a doubt.

import (
	"bytes"
	"path/filepath"
)

// facts is what lstat says about one path.
type facts struct {
	isDir, regular bool
	owner          int
	device         uint64
}

// findRepository looks from dir, a physical path, upwards. It gives the path of the ".git" directory, ""
// if there is no repository, and the reason why git may see it otherwise. With a doubt the path is still
// the best that can be said.
func findRepository(dir string, me int) (gitDir, doubt string) {
	start, err := lstat(dir)
	if err != nil || !start.isDir {
		return "", "the directory cannot be looked at"
	}
	here, crossed := start, false
	for {
		dot := filepath.Join(dir, ".git")
		switch f, err := lstat(dot); {
		case err == nil && f.isDir:
			if here.owner != me || f.owner != me {
				return "", "a repository of another user"
			}
			if crossed {
				doubt = "a repository on another file system"
			} else {
				doubt = checkGitDir(dot)
			}
			return dot, doubt
		case err == nil:
			return "", "a .git that is no directory"
		case !isMissing(err):
			return "", "a .git that cannot be looked at"
		}
		// A bare repository has its HEAD right here; so has the inside of a ".git".
		if _, err := lstat(filepath.Join(dir, "HEAD")); !isMissing(err) {
			return "", "a HEAD outside a .git"
		}
		up := filepath.Dir(dir)
		if up == dir {
			return "", ""
		}
		dir = up
		if here, err = lstat(dir); err != nil {
			return "", "a parent directory cannot be looked at"
		}
		crossed = crossed || here.device != start.device
	}
}

// checkGitDir says why git might not take gitDir for a repository, or not for a plain one.
func checkGitDir(gitDir string) (doubt string) {
	for _, name := range [...]string{"commondir", "config.worktree"} {
		if _, err := lstat(filepath.Join(gitDir, name)); !isMissing(err) {
			return ".git/" + name
		}
	}
	for _, name := range [...]string{"objects", "refs"} {
		path := filepath.Join(gitDir, name)
		if f, err := lstat(path); err != nil || !f.isDir || !mayEnter(path) {
			return "a .git without " + name
		}
	}
	const enough = 4096
	head := filepath.Join(gitDir, "HEAD")
	if f, err := lstat(head); err != nil || !f.regular {
		return "a HEAD that is no file"
	}
	data, _, err := readRegular(head, enough)
	if err != nil || !plainHead(data) {
		return "an unusual HEAD"
	}
	return ""
}

// plainHead accepts what git itself writes: a reference below refs/, or the 40 or 64 digits of a commit.
func plainHead(data []byte) bool {
	line, rest, found := bytes.Cut(data, []byte("\n"))
	if !found || len(rest) != 0 {
		return false
	}
	if ref, ok := bytes.CutPrefix(line, []byte("ref: refs/")); ok {
		return len(ref) > 0
	}
	for _, c := range line {
		if !('0' <= c && c <= '9' || 'a' <= c && c <= 'f') {
			return false
		}
	}
	return len(line) == 40 || len(line) == 64
}
