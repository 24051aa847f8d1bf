package session

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"strings"

	"github.com/gsd-cli/gsd/internal/durable"
)

// What is made in the state directory is for its user alone: crumbs name projects and their tasks, and lie
// where no repository's modes were ever chosen. The XDG specification asks for 0700.
const (
	privateDirPerm  fs.FileMode = 0o700
	privateFilePerm fs.FileMode = 0o600
)

// StateDir is the directory that this user keeps gsd's state in, on this machine and outside of every project:
// $XDG_STATE_HOME/gsd, ~/.local/state/gsd, %LocalAppData%\gsd. Empty where there is none.
//
// Its own path may lead through links, which is how people move such directories. A link inside of it that
// leads out is refused.
type StateDir string

// belowHome is where the state is where the environment does not say otherwise.
const belowHome = "/.local/state/gsd"

// FindStateDir returns where the state directory is, whether it is there or not; empty where the environment does
// not say. getenv is os.Getenv, goos what runtime.GOOS gives.
//
// A variable that holds no absolute path is passed over, as the XDG specification demands: the state would be
// another one in every working directory.
func FindStateDir(getenv func(string) string, goos string) StateDir {
	type place struct{ above, below string }
	places := []place{
		{getenv("XDG_STATE_HOME"), "gsd"},
		{getenv("HOME"), belowHome[1:]},
	}
	slashes, slash := "/", "/"
	if goos == "windows" {
		places = []place{
			places[0],
			{getenv("LocalAppData"), "gsd"},
			{getenv("USERPROFILE"), `AppData\Local\gsd`},
		}
		slashes, slash = `\/`, `\`
	}
	for _, p := range places {
		if isAbsolute(p.above, goos) {
			// Not cleaned: behind a link, ".." is not what it looks like.
			return StateDir(strings.TrimRight(p.above, slashes) + slash + p.below)
		}
	}
	return ""
}

// isAbsolute is filepath.IsAbs for the system goos, which need not be this one.
func isAbsolute(path, goos string) bool {
	if goos != "windows" {
		return strings.HasPrefix(path, "/")
	}
	path = strings.ReplaceAll(path, "/", `\`)
	if share, ok := strings.CutPrefix(path, `\\`); ok {
		return share != "" && share[0] != '\\'
	}
	return len(path) >= 3 && path[1:3] == `:\` && ('a' <= path[0]|0x20 && path[0]|0x20 <= 'z')
}

// open opens the state directory: fs.ErrNotExist where it is missing.
func (s StateDir) open() (*os.Root, error) {
	if s == "" {
		return nil, fmt.Errorf("the environment names no state directory: %w", fs.ErrNotExist)
	}
	return durable.OpenRootAt(string(s))
}

// openOrMake is open, and makes the directory and those above it that are missing.
func (s StateDir) openOrMake() (*os.Root, error) {
	dir, err := s.open()
	if s == "" || !errors.Is(err, fs.ErrNotExist) {
		return dir, err
	}
	if home, ok := strings.CutSuffix(string(s), belowHome); ok {
		if _, err := os.Stat(home); err != nil { // a user without a home is not given one
			return nil, err
		}
	}
	if err := durable.MkdirAllAt(string(s), privateDirPerm); err != nil {
		return nil, err
	}
	return s.open()
}
