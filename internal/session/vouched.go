package session

import (
	"os"
	"path/filepath"
	"time"
)

// vouchedDir has an empty file for each repository that a person lets gsd sync: what git runs with a remote is in the repository's own
// configuration, which somebody else may have written.
const vouchedDir = "vouched"

// Vouch records that a person lets gsd sync a repository by itself, whose directory of git that is. Where it cannot be recorded, it is
// not.
func (s StateDir) Vouch(gitDir string) {
	if gitDir == "" || s.Vouched(gitDir) {
		return
	}
	state, err := s.openOrMake()
	if err != nil {
		return
	}
	defer state.Close()
	if err := state.Mkdir(vouchedDir, privateDirPerm); err != nil && !os.IsExist(err) {
		return
	}
	_ = touch(state, filepath.Join(vouchedDir, shortHash(gitDir)), time.Now())
}

// Vouched reports whether a person lets gsd sync a repository by itself.
func (s StateDir) Vouched(gitDir string) bool {
	if s == "" {
		return false
	}
	info, err := os.Lstat(filepath.Join(string(s), vouchedDir, shortHash(gitDir)))
	return err == nil && info.Mode().IsRegular()
}
