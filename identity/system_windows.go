package identity

// On Windows git is always asked: whether the user owns a repository cannot be determined cheaply, and git for Windows
// has several places for HOME and its system file. Its files are only read if there is no git.

import (
	"io/fs"
	"os"
	"os/user"
	"strings"
)

const platformDoubt = "on Windows git is always asked"

// owner: users have no numbers; every file counts as the user's own.
func owner(fs.FileInfo) int { return os.Geteuid() }

func device(fs.FileInfo) uint64 { return 0 }

// osUser returns the user's name without the domain.
func osUser() (string, error) {
	u, err := user.Current()
	if err != nil {
		return "", err
	}
	return u.Username[strings.LastIndexByte(u.Username, '\\')+1:], nil
}
