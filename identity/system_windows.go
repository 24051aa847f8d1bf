package identity

// What the operating system is asked on Windows. There the configuration is never read instead of git:
// whether a repository is the user's own cannot be told cheaply, and git for Windows takes HOME and its
// system file from several places. The reading here only serves where there is no git at all.

import (
	"errors"
	"io"
	"io/fs"
	"os"
	"os/user"
	"path/filepath"
	"strings"
)

const platformDoubt = "on Windows git is always asked"

var errNotRegular = errors.New("not a regular file")

// effectiveUser: there are no numbers for users; every file counts as one's own.
func effectiveUser() (id int, only bool) { return 0, true }

func lstat(path string) (facts, error) {
	info, err := os.Lstat(path)
	if err != nil {
		return facts{}, err
	}
	return facts{
		isDir:   info.IsDir(),
		regular: info.Mode().IsRegular(),
	}, nil
}

func mayEnter(string) bool { return true }

func isMissing(err error) bool { return errors.Is(err, fs.ErrNotExist) }

func readRegular(path string, limit int) (data []byte, owner int, err error) {
	info, err := os.Stat(path)
	if err != nil {
		return nil, 0, err
	}
	if !info.Mode().IsRegular() {
		return nil, 0, errNotRegular
	}
	f, err := os.Open(path)
	if err != nil {
		return nil, 0, err
	}
	defer f.Close()
	data, err = io.ReadAll(io.LimitReader(f, int64(limit)+1))
	if err == nil && len(data) > limit {
		err = errors.New("too large")
	}
	return data, 0, err
}

// isEndless: files here are no FIFOs.
func isEndless(string) bool { return false }

func readStart(path string, n int) ([]byte, error) {
	f, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	data := make([]byte, n)
	n, err = io.ReadFull(f, data)
	return data[:n], err
}

// lookGit walks through PATH with the endings of PATHEXT. The current directory, which Windows would
// search first, and relative entries are left out.
func lookGit(env []string) string {
	path, endings := "", ".com;.exe;.bat;.cmd"
	for _, kv := range env {
		switch key, value, _ := strings.Cut(kv, "="); strings.ToUpper(key) {
		case "PATH":
			path = value
		case "PATHEXT":
			if value != "" {
				endings = value
			}
		}
	}
	for _, dir := range filepath.SplitList(path) {
		if !filepath.IsAbs(dir) {
			continue
		}
		for ending := range strings.SplitSeq(strings.ToLower(endings), ";") {
			git := filepath.Join(dir, "git"+ending)
			if info, err := os.Stat(git); ending != "" && err == nil && info.Mode().IsRegular() {
				return git
			}
		}
	}
	return ""
}

// osUser gives the user's name without the domain.
func osUser() (string, error) {
	u, err := user.Current()
	if err != nil {
		return "", err
	}
	return u.Username[strings.LastIndexByte(u.Username, '\\')+1:], nil
}
