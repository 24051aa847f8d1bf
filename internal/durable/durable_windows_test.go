package durable

import (
	"os"
	"path/filepath"
	"testing"
	"time"

	"golang.org/x/sys/windows"
)

// hold opens a file as another program does, which shares it as far as it says.
func hold(t *testing.T, path string, share uint32) (release func()) {
	t.Helper()
	name, err := windows.UTF16PtrFromString(path)
	noError(t, err)
	h, err := windows.CreateFile(name, windows.GENERIC_READ, share, nil, windows.OPEN_EXISTING, 0, 0)
	noError(t, err)
	return func() { windows.CloseHandle(h) }
}

const (
	readers = windows.FILE_SHARE_READ
	writers = readers | windows.FILE_SHARE_WRITE
	all     = writers | windows.FILE_SHARE_DELETE
)

// TestInUse: what another program holds open and does not share is not changed, and nothing is left beside it.
func TestInUse(t *testing.T) {
	read := func(root *os.Root, _ Stamp) error {
		_, _, err := Read(root, "file", 100)
		return err
	}
	replace := func(root *os.Root, was Stamp) error { return replaceFile(zero, root, was) }
	keep := func(root *os.Root, was Stamp) error { return keepFile(zero, root, was) }
	remove := func(root *os.Root, _ Stamp) error { return zero.Remove(root, "file") }
	for _, tt := range []struct {
		name  string
		share uint32
		do    func(*os.Root, Stamp) error
		want  error
	}{
		{"read", 0, read, ErrInUse},
		{"read, shared with readers", readers, read, nil},
		{"replace", 0, replace, ErrInUse},
		{"replace, shared with writers", writers, replace, ErrInUse},
		{"keep, shared with writers", writers, keep, ErrInUse},
		{"keep, shared", all, keep, nil},
		{"remove, shared with writers", writers, remove, ErrInUse},
		{"remove, shared", all, remove, nil},
	} {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			root, dir := newRoot(t)
			write(t, dir, "file", old)
			was := stampOfFile(t, root, "file")
			release := hold(t, filepath.Join(dir, "file"), tt.share)
			err := Failed("use", "file", root, tt.do(root, was))
			release()
			wantErr(t, err, tt.want)
			if err != nil {
				wantNames(t, dir, "file")
				wantContent(t, dir, "file", old)
			}
		})
	}
}

// TestInUseForAMoment: a virus scanner closes the file again.
func TestInUseForAMoment(t *testing.T) {
	root, dir := newRoot(t)
	write(t, dir, "file", old)
	time.AfterFunc(patience/20, hold(t, filepath.Join(dir, "file"), 0))
	if data, _, err := Read(root, "file", 100); string(data) != old || err != nil {
		t.Errorf("%q, %v", data, err)
	}
}
