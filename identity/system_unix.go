//go:build unix

package identity

// What the operating system is asked on Unix. Files are looked at before they are opened and opened without
// blocking: a FIFO where a configuration should be must not hang a session's start.

import (
	"context"
	"errors"
	"io"
	"os"
	"os/exec"
	"os/user"
	"path/filepath"
	"strconv"
	"strings"
	"time"

	"golang.org/x/sys/unix"
)

// platformDoubt is a reason for asking git that holds on the whole platform.
const platformDoubt = ""

var (
	errNotRegular = errors.New("not a regular file")
	errTooLarge   = errors.New("too large")
)

// effectiveUser gives the effective user id. only is false where git itself would mix two users up: it
// checks access as the real one and ownership as the effective one.
func effectiveUser() (id int, only bool) {
	id = unix.Geteuid()
	return id, id == unix.Getuid()
}

func lstat(path string) (facts, error) {
	var st unix.Stat_t
	if err := retry(func() error { return unix.Lstat(path, &st) }); err != nil {
		return facts{}, err
	}
	kind := uint32(st.Mode) & unix.S_IFMT //nolint:unconvert // 16 bits on macOS
	return facts{
		isDir:   kind == unix.S_IFDIR,
		regular: kind == unix.S_IFREG,
		owner:   int(st.Uid),
		device:  uint64(st.Dev), //nolint:unconvert // an int32 on macOS
	}, nil
}

// mayEnter asks what git asks: access(2) for execution.
func mayEnter(path string) bool { return unix.Access(path, unix.X_OK) == nil }

// isMissing knows the two errors that git too takes for "there is no such file".
func isMissing(err error) bool {
	return errors.Is(err, unix.ENOENT) || errors.Is(err, unix.ENOTDIR)
}

// readRegular reads a regular file of at most limit bytes, through symbolic links, and says whose it is.
func readRegular(path string, limit int) (data []byte, owner int, err error) {
	var st unix.Stat_t
	if err := retry(func() error { return unix.Stat(path, &st) }); err != nil {
		return nil, 0, err
	}
	switch st.Mode & unix.S_IFMT {
	case unix.S_IFREG:
	case unix.S_IFIFO:
		return nil, 0, errFIFO
	default:
		return nil, 0, errNotRegular
	}
	var fd int
	err = retry(func() (err error) {
		fd, err = unix.Open(path, unix.O_RDONLY|unix.O_NONBLOCK|unix.O_CLOEXEC|unix.O_NOCTTY, 0)
		return err
	})
	if err != nil {
		return nil, 0, err
	}
	defer func() { _ = unix.Close(fd) }() // it was only read
	// Another file may have taken its place since.
	if err := unix.Fstat(fd, &st); err != nil {
		return nil, 0, err
	}
	switch st.Mode & unix.S_IFMT {
	case unix.S_IFREG:
	case unix.S_IFIFO:
		return nil, 0, errFIFO
	default:
		return nil, 0, errNotRegular
	}
	if st.Size > int64(limit) {
		return nil, 0, errTooLarge
	}
	// One byte more than it says, so that the end is seen without asking twice.
	data = make([]byte, 0, st.Size+1)
	for {
		var n int
		err := retry(func() (err error) {
			n, err = unix.Read(fd, data[len(data):cap(data)])
			return err
		})
		if err != nil {
			return nil, 0, err
		}
		if n == 0 {
			return data, int(st.Uid), nil
		}
		if data = data[:len(data)+n]; len(data) == cap(data) {
			return nil, 0, io.ErrShortBuffer // it is growing
		}
	}
}

// isEndless reports whether whoever opens a file and reads it to its end waits for somebody else: in a FIFO for a writer,
// at a terminal for a person, in /dev/zero for ever. /dev/null, which many link their configuration to, has an end.
func isEndless(path string) bool {
	var st, null unix.Stat_t
	if err := retry(func() error { return unix.Stat(path, &st) }); err != nil {
		return false
	}
	switch st.Mode & unix.S_IFMT {
	case unix.S_IFIFO:
		return true
	case unix.S_IFCHR:
		return unix.Stat(os.DevNull, &null) != nil || null.Rdev != st.Rdev
	}
	return false
}

// readStart reads the first n bytes of a program.
func readStart(path string, n int) ([]byte, error) {
	fd, err := unix.Open(path, unix.O_RDONLY|unix.O_NONBLOCK|unix.O_CLOEXEC|unix.O_NOCTTY, 0)
	if err != nil {
		return nil, err
	}
	defer func() { _ = unix.Close(fd) }() // it was only read
	data := make([]byte, n)
	n, err = unix.Read(fd, data)
	return data[:max(n, 0)], err
}

// retry repeats what a signal interrupted.
func retry(call func() error) error {
	for {
		if err := call(); !errors.Is(err, unix.EINTR) {
			return err
		}
	}
}

// lookGit walks through PATH. Empty and relative entries mean the current directory, which belongs to
// whoever wrote the project: no git is taken from there.
func lookGit(env []string) string {
	path := ""
	for _, kv := range env {
		if value, ok := strings.CutPrefix(kv, "PATH="); ok {
			path = value
		}
	}
	for dir := range strings.SplitSeq(path, ":") {
		if !filepath.IsAbs(dir) {
			continue
		}
		git := filepath.Join(dir, "git")
		var st unix.Stat_t
		if unix.Stat(git, &st) == nil && st.Mode&unix.S_IFMT == unix.S_IFREG && mayEnter(git) {
			return git
		}
	}
	return ""
}

// osUser gives the name of the effective user, as whoami does. Without cgo Go sees only /etc/passwd on
// Linux; users of a directory service are known to the system's own id(1).
func osUser() (string, error) {
	uid := strconv.Itoa(os.Geteuid())
	u, err := user.LookupId(uid)
	if err == nil {
		return u.Username, nil
	}
	const wait = 2 * time.Second
	ctx, cancel := context.WithTimeout(context.Background(), wait)
	defer cancel()
	for _, id := range []string{"/usr/bin/id", "/bin/id"} {
		cmd := exec.CommandContext(ctx, id, "-un")
		cmd.WaitDelay = lastBreath
		if out, runErr := cmd.Output(); runErr == nil {
			return strings.TrimSuffix(string(out), "\n"), nil
		}
	}
	return "", err
}
