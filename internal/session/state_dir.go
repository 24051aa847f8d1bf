package session

import (
	"cmp"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"runtime"
	"strings"

	"github.com/gsd-cli/gsd/internal/durable"
)

// The state directory is private: crumbs name projects and their tasks, and no repository's modes apply here. The XDG
// specification asks for 0700.
const (
	privateDirPerm  fs.FileMode = 0o700
	privateFilePerm fs.FileMode = 0o600
)

// StateDir is the directory of this user's state on this machine, outside of every project: $XDG_STATE_HOME/gsd,
// ~/.local/state/gsd, %LocalAppData%\gsd. It is empty if there is none.
//
// Its own path may lead through links, as people move such directories. A link inside it that leads out is refused.
type StateDir string

// belowHome is where the state is unless the environment says otherwise.
const belowHome = "/.local/state/gsd"

// FindStateDir returns the state directory, whether it exists or not, or "" if the environment names none. getenv is
// os.Getenv.
//
// A variable that is not an absolute path is ignored, as the XDG specification demands: every working directory would
// have its own state.
func FindStateDir(getenv func(string) string) StateDir {
	type place struct{ above, below string }
	places := []place{{getenv("XDG_STATE_HOME"), "/gsd"}, {getenv("HOME"), belowHome}}
	if runtime.GOOS == "windows" {
		places = []place{places[0], {getenv("LocalAppData"), "/gsd"}, {getenv("USERPROFILE"), "/AppData/Local/gsd"}}
	}
	for _, p := range places {
		if filepath.IsAbs(p.above) {
			// Not cleaned: after a link, ".." is not what it looks like.
			return StateDir(filepath.FromSlash(strings.TrimRight(filepath.ToSlash(p.above), "/") + p.below))
		}
	}
	return ""
}

// open opens the state directory: fs.ErrNotExist if it is missing.
func (s StateDir) open() (*os.Root, error) {
	if s == "" {
		return nil, fmt.Errorf("the environment names no state directory: %w", fs.ErrNotExist)
	}
	return durable.OpenRootAt(string(s))
}

// CheckWritable returns why no crumb can be written, as far as the system's modes tell; nil if nothing speaks against it, or if
// there is no state directory. It writes nothing.
func (s StateDir) CheckWritable() error {
	if s == "" {
		return nil
	}
	for dir := filepath.Join(string(s), crumbsDir); ; dir = filepath.Dir(dir) {
		info, err := os.Stat(dir)
		switch {
		case errors.Is(err, fs.ErrNotExist) && dir != filepath.Dir(dir):
			continue // it would be made
		case err != nil:
			return err
		case !info.IsDir():
			return &fs.PathError{Op: "write", Path: dir, Err: errors.New("not a directory")}
		}
		if err := checkFileSystem(dir); err != nil {
			return &fs.PathError{Op: "write", Path: dir, Err: err}
		}
		return checkAccess(dir)
	}
}

// openOrMake is open, but makes the directory and its missing parents.
func (s StateDir) openOrMake() (*os.Root, error) {
	dir, err := s.open()
	if s == "" || !errors.Is(err, fs.ErrNotExist) {
		return dir, err
	}
	if home := s.home(); home != "" {
		if _, err := os.Stat(home); err != nil { // the home itself is not made
			return nil, err
		}
	}
	if err := durable.MkdirAllAt(string(s), privateDirPerm); err != nil {
		return nil, err
	}
	return s.open()
}

// home returns the home directory that the state directory is below, which is / for some users in containers; empty if it is elsewhere.
func (s StateDir) home() string {
	home, ok := strings.CutSuffix(string(s), belowHome)
	if !ok {
		return ""
	}
	return cmp.Or(home, "/")
}
