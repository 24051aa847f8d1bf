package durable

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"syscall"
	"testing"
	"time"

	_ "github.com/gsd-cli/gsd/testdata/memory" // sync is slow on a disk
)

// zero is the Writer that the program uses.
var zero Writer

// newRoot opens a fresh directory, and returns its path too.
func newRoot(t testing.TB) (*os.Root, string) {
	t.Helper()
	dir := t.TempDir()
	root, err := os.OpenRoot(dir)
	noError(t, err)
	t.Cleanup(func() { root.Close() })
	return root, dir
}

func write(t testing.TB, dir, name, text string) {
	t.Helper()
	noError(t, os.WriteFile(filepath.Join(dir, name), []byte(text), 0o644))
}

// content returns a file's text, "" and false if there is none.
func content(t testing.TB, dir, name string) (string, bool) {
	t.Helper()
	data, err := os.ReadFile(filepath.Join(dir, name))
	if errors.Is(err, fs.ErrNotExist) {
		return "", false
	}
	noError(t, err)
	return string(data), true
}

func wantContent(t testing.TB, dir, name, want string) {
	t.Helper()
	if got, ok := content(t, dir, name); !ok || got != want {
		t.Errorf("%s holds %.40q (there: %v), want %.40q", name, got, ok, want)
	}
}

func wantNames(t testing.TB, dir string, want ...string) {
	t.Helper()
	entries, err := os.ReadDir(dir)
	noError(t, err)
	var got []string
	for _, e := range entries {
		got = append(got, e.Name())
	}
	slices.Sort(want)
	if !slices.Equal(got, want) {
		t.Errorf("directory holds %q, want %q", got, want)
	}
}

// wantErr expects one of the errors, nil for none.
func wantErr(t testing.TB, err error, want ...error) {
	t.Helper()
	if !slices.ContainsFunc(want, func(w error) bool { return errors.Is(err, w) }) {
		t.Errorf("error is %v, want %v", err, want)
	}
}

func stampOfFile(t testing.TB, root *os.Root, name string) Stamp {
	t.Helper()
	_, s, err := Read(root, name, 1<<30)
	noError(t, err)
	return s
}

// stampInPlace is stampOfFile without reading; it also accepts a missing file.
func stampInPlace(t interface{ Fatal(...any) }, root *os.Root, name string) Stamp {
	s, err := stampAt(root, name)
	noError(t, err)
	return s
}

func TestErrorsNameTheFileOnce(t *testing.T) {
	root, dir := newRoot(t)
	write(t, dir, "big", "123456789")
	_, _, err := Read(root, "big", 8)
	if got, want := err.Error(), "read big: file too large: 9 bytes, at most 8 are read"; got != want {
		t.Errorf("got %q, want %q", got, want)
	}
	err = zero.Replace(root, "missing/file", [][]byte{[]byte("x")}, 0o644, Stamp{})
	if !strings.HasPrefix(err.Error(), "write missing/file: ") || strings.Contains(err.Error(), "openat") {
		t.Errorf("got %q", err)
	}
	// Package os puts a path into the error of a sync, too.
	err = Writer{Before: func(s Step) error {
		if s == StepSyncDir {
			return &fs.PathError{Op: "sync", Path: dir, Err: syscall.EIO}
		}
		return nil
	}}.Replace(root, "new", [][]byte{[]byte("x")}, 0o644, Stamp{})
	if got, want := err.Error(), "write new: "+ErrUnsynced.Error()+": "+syscall.EIO.Error(); got != want {
		t.Errorf("got %q, want %q", got, want)
	}
	root.Close()
	_, _, err = Read(root, "big", 8)
	wantErr(t, err, fs.ErrClosed)
	if errors.Is(err, ErrEscapes) {
		t.Error("a closed root is taken for an escape")
	}
}

func TestRetryIsBoundedAndSelective(t *testing.T) {
	passing, lasting := errors.New("passing"), errors.New("lasting")
	for _, tt := range []struct {
		fails    []error // then it succeeds
		patience time.Duration
		want     error
		calls    int // 0 for any number
	}{
		{[]error{passing, passing}, time.Minute, nil, 3},
		{[]error{passing, lasting, passing}, time.Minute, lasting, 2},
		{slices.Repeat([]error{passing}, 1000), 5 * time.Millisecond, passing, 0},
	} {
		calls := 0
		err := retry(func() error {
			if calls++; calls <= len(tt.fails) {
				return tt.fails[calls-1]
			}
			return nil
		}, func(err error) bool { return err == passing }, time.Now().Add(tt.patience))
		if err != tt.want || tt.calls != 0 && calls != tt.calls {
			t.Errorf("%v after %d calls, want %v after %d", err, calls, tt.want, tt.calls)
		}
	}
}

func TestMkdirAll(t *testing.T) {
	root, dir := newRoot(t)
	for range 2 { // the second finds all there
		noError(t, MkdirAll(root, "a/b/c", 0o777))
	}
	if info, err := os.Stat(filepath.Join(dir, "a", "b", "c")); err != nil || !info.IsDir() {
		t.Fatal(err)
	}
	write(t, dir, "file", "")
	if err := MkdirAll(root, "file", 0o777); err == nil {
		t.Error("a file was taken for a directory")
	}
	if err := MkdirAll(root, "file/below", 0o777); err == nil {
		t.Error("a file was taken for a directory above")
	}
	wantErr(t, MkdirAll(root, "../out", 0o777), ErrEscapes)
}

// keepDoing calls f again and again until stop is called.
func keepDoing(f func() error) (stop func()) {
	asked, done := make(chan struct{}), make(chan struct{})
	go func() {
		defer close(done)
		for {
			select {
			case <-asked:
				return
			default:
				f()
			}
		}
	}()
	return func() { close(asked); <-done }
}

// noError ends a test that cannot go on after an error.
func noError(t interface{ Fatal(args ...any) }, err error) {
	if t, ok := t.(interface{ Helper() }); ok {
		t.Helper()
	}
	if err != nil {
		t.Fatal(err)
	}
}
