package identity

// On Windows the configuration is never read instead of git: whether a repository is the user's own cannot be
// told cheaply, and git for Windows takes HOME and its system file from several places. The reading only serves
// where there is no git at all.

import (
	"io/fs"
	"os"
	"os/user"
	"strings"
)

const platformDoubt = "on Windows git is always asked"

// owner: there are no numbers for users; every file counts as one's own.
func owner(fs.FileInfo) int { return os.Geteuid() }

func device(fs.FileInfo) uint64 { return 0 }

// osUser gives the user's name without the domain.
func osUser() (string, error) {
	u, err := user.Current()
	if err != nil {
		return "", err
	}
	return u.Username[strings.LastIndexByte(u.Username, '\\')+1:], nil
}
