package session

import "path/filepath"

// clonesDir has a directory for each clone: what others have shared, and whether gsd may sync it by itself. It is not in the repository,
// because what is there may have come with it.
const clonesDir = "clones"

// Clone returns the directory for what gsd knows of a clone of a repository, which need not exist. gitDir is the directory that all of
// its working trees share. It is empty without a state directory or a repository.
func (s StateDir) Clone(gitDir string) string {
	if s == "" || gitDir == "" {
		return ""
	}
	return filepath.Join(string(s), clonesDir, shortHash(gitDir))
}

// MakeClone makes the directory that [StateDir.Clone] returns, and missing ones above it.
func (s StateDir) MakeClone(gitDir string) (string, error) {
	state, err := s.openOrMake()
	if err != nil {
		return "", err
	}
	defer state.Close()
	return s.Clone(gitDir), state.MkdirAll(filepath.Join(clonesDir, shortHash(gitDir)), privateDirPerm)
}
