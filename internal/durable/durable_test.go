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
)

// zero is the Writer that the program uses.
var zero Writer

// newRoot opens a fresh directory, and returns its path too.
func newRoot(t testing.TB) (*os.Root, string) {
	t.Helper()
	dir := t.TempDir()
	root, err := os.OpenRoot(dir)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { root.Close() })
	return root, dir
}

func write(t testing.TB, dir, name, text string) {
	t.Helper()
	if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o644); err != nil {
		t.Fatal(err)
	}
}

// content returns a file's text, "" and false if there is none.
func content(t testing.TB, dir, name string) (string, bool) {
	t.Helper()
	data, err := os.ReadFile(filepath.Join(dir, name))
	if errors.Is(err, fs.ErrNotExist) {
		return "", false
	}
	if err != nil {
		t.Fatal(err)
	}
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
	if err != nil {
		t.Fatal(err)
	}
	var got []string
	for _, e := range entries {
		got = append(got, e.Name())
	}
	slices.Sort(want)
	if !slices.Equal(got, want) {
		t.Errorf("directory holds %q, want %q", got, want)
	}
}

func wantErr(t testing.TB, err error, want ...error) {
	t.Helper()
	for _, w := range want {
		if !errors.Is(err, w) {
			t.Errorf("error is %v, want %v", err, w)
		}
	}
}

func stampOfFile(t testing.TB, root *os.Root, name string) Stamp {
	t.Helper()
	_, s, err := Read(root, name, 1<<30)
	if err != nil {
		t.Fatal(err)
	}
	return s
}

// stampInPlace is stampOfFile for a file that nothing needs to be read of, the
// zero Stamp if there is none.
func stampInPlace(t interface{ Fatal(...any) }, root *os.Root, name string) Stamp {
	s, err := stampAt(root, name)
	if err != nil {
		t.Fatal(err)
	}
	return s
}

func chunks(parts ...string) [][]byte {
	var out [][]byte
	for _, p := range parts {
		out = append(out, []byte(p))
	}
	return out
}

func TestErrorsNameTheFileOnce(t *testing.T) {
	root, dir := newRoot(t)
	write(t, dir, "big", "123456789")
	_, _, err := Read(root, "big", 8)
	if got, want := err.Error(), "read big: file too large: 9 bytes, at most 8 are read"; got != want {
		t.Errorf("got %q, want %q", got, want)
	}
	err = zero.Replace(root, "missing/file", chunks("x"), 0o644, Stamp{})
	if !strings.HasPrefix(err.Error(), "write missing/file: ") || strings.Contains(err.Error(), "openat") {
		t.Errorf("got %q", err)
	}
	// Package os puts a path into the error of a sync, too.
	err = Writer{Before: func(s Step) error {
		if s == StepSyncDir {
			return &fs.PathError{Op: "sync", Path: dir, Err: syscall.EIO}
		}
		return nil
	}}.Replace(root, "new", chunks("x"), 0o644, Stamp{})
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
	again := func(err error) bool { return err == passing }

	calls := 0
	err := retry(func() error {
		if calls++; calls < 3 {
			return passing
		}
		return nil
	}, again, time.Now().Add(time.Minute))
	if err != nil || calls != 3 {
		t.Errorf("after %d calls: %v", calls, err)
	}

	calls = 0
	err = retry(func() error { calls++; return lasting }, again, time.Now().Add(time.Minute))
	if err != lasting || calls != 1 {
		t.Errorf("a lasting error was tried %d times: %v", calls, err)
	}

	err = retry(func() error { return passing }, again, time.Now().Add(5*time.Millisecond))
	if err != passing {
		t.Errorf("out of patience: %v", err)
	}
}

func TestSweepTemps(t *testing.T) {
	root, dir := newRoot(t)
	os.Mkdir(filepath.Join(dir, "d"), 0o755)
	in := filepath.Join(dir, "d")
	for _, swept := range []string{".a.0123456789abcdef.tmp", ".current-plan.md.ffffffffffffffff.tmp", "..gitignore.0000000000000000.tmp"} {
		write(t, in, swept, "x")
	}
	keep := []string{
		"a.0123456789abcdef.tmp", ".a.0123456789abcdef", ".a.0123456789abcde.tmp", ".a.0123456789abcdef0.tmp",
		".a.0123456789ABCDEF.tmp", ".0123456789abcdef.tmp", ".a.tmp", ".tmp", "..0123456789abcdef.tmp", ".guard", "current-plan.md",
	}
	for _, name := range keep {
		write(t, in, name, "x")
	}
	os.Mkdir(filepath.Join(in, ".dir.0123456789abcdef.tmp"), 0o755)
	keep = append(keep, ".dir.0123456789abcdef.tmp")
	if os.Symlink("a", filepath.Join(in, ".link.0123456789abcdef.tmp")) == nil {
		keep = append(keep, ".link.0123456789abcdef.tmp")
	}
	n, err := SweepTemps(root, "d")
	if n != 3 || err != nil {
		t.Errorf("swept %d, %v; want 3", n, err)
	}
	wantNames(t, in, keep...)

	_, err = SweepTemps(root, "missing")
	wantErr(t, err, fs.ErrNotExist)
}

func TestTempNamesAreSwept(t *testing.T) {
	root, dir := newRoot(t)
	for _, base := range []string{"a", "current-plan.md", ".gitignore"} {
		f, name, err := createTemp(root, base, 0o600)
		if err != nil {
			t.Fatal(err)
		}
		f.Close()
		if !isTemp(name) {
			t.Errorf("%s is not known as a temporary", name)
		}
	}
	if n, err := SweepTemps(root, "."); n != 3 || err != nil {
		t.Errorf("swept %d, %v", n, err)
	}
	wantNames(t, dir)
}

func TestMkdirAll(t *testing.T) {
	root, dir := newRoot(t)
	for range 2 { // the second finds all there
		if err := MkdirAll(root, "a/b/c", 0o777); err != nil {
			t.Fatal(err)
		}
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
