//go:build unix

package identity

import (
	"context"
	"io/fs"
	"os"
	"os/exec"
	"os/user"
	"strconv"
	"strings"
	"syscall"
	"time"
)

// platformDoubt is a reason to ask git on the whole platform.
const platformDoubt = ""

func owner(info fs.FileInfo) int { return int(info.Sys().(*syscall.Stat_t).Uid) }

func device(info fs.FileInfo) uint64 {
	return uint64(info.Sys().(*syscall.Stat_t).Dev) //nolint:unconvert // an int32 on macOS
}

// osUser returns the name of the effective user, as whoami does. Without cgo, Go only reads /etc/passwd on Linux; id(1)
// also knows the users of a directory service.
func osUser() (string, error) {
	u, err := user.LookupId(strconv.Itoa(os.Geteuid()))
	if err == nil {
		return u.Username, nil
	}
	const wait = 2 * time.Second
	ctx, cancel := context.WithTimeout(context.Background(), wait)
	defer cancel()
	cmd := exec.CommandContext(ctx, "/usr/bin/id", "-un")
	cmd.WaitDelay = waitDelay
	out, runErr := cmd.Output()
	if runErr != nil {
		return "", err
	}
	return strings.TrimSuffix(string(out), "\n"), nil
}
