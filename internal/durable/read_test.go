package durable

import (
	"errors"
	"io/fs"
	"math"
	"os"
	"path/filepath"
	"testing"
)

func TestRead(t *testing.T) {
	root, dir := newRoot(t)
	outside := t.TempDir()
	write(t, outside, "secret", "secret")
	write(t, dir, "file", "hello")
	write(t, dir, "empty", "")
	os.Mkdir(filepath.Join(dir, "sub"), 0o755)
	write(t, dir, "sub/deep", "deep")
	links := map[string]string{
		"inside":   "sub/deep",
		"sub/up":   "../file",
		"dangling": "nothing",
		"out":      "../" + filepath.Base(outside) + "/secret",
		"abs":      filepath.Join(outside, "secret"),
		"outdir":   outside,
		"loop":     "loop",
		"device":   os.DevNull,
	}
	for name, to := range links {
		if err := os.Symlink(to, filepath.Join(dir, name)); err != nil {
			t.Skip("no symbolic links here:", err)
		}
	}
	sparse, err := os.Create(filepath.Join(dir, "sparse"))
	noError(t, err)
	sparse.Truncate(17 << 20)
	sparse.Close()

	for _, tt := range []struct {
		name string
		want string
		err  error
	}{
		{"file", "hello", nil},
		{"empty", "", nil},
		{"sub/deep", "deep", nil},
		{"inside", "deep", nil},
		{"sub/up", "hello", nil},
		{"missing", "", fs.ErrNotExist},
		{"missing/file", "", fs.ErrNotExist},
		{"dangling", "", fs.ErrNotExist},
		{"out", "", ErrEscapes},
		{"abs", "", ErrEscapes},
		{"outdir/secret", "", ErrEscapes},
		{"../" + filepath.Base(outside) + "/secret", "", ErrEscapes},
		{"device", "", ErrEscapes},
		{"sub", "", ErrNotRegular},
		{".", "", ErrNotRegular},
		{"sparse", "", ErrTooLarge},
	} {
		data, stamp, err := Read(root, tt.name, 16<<20)
		if !errors.Is(err, tt.err) {
			t.Errorf("%s: error %v, want %v", tt.name, err, tt.err)
		}
		if string(data) != tt.want {
			t.Errorf("%s: %q, want %q", tt.name, data, tt.want)
		}
		if (err == nil) == stamp.IsZero() {
			t.Errorf("%s: stamp is zero: %v, error %v", tt.name, stamp.IsZero(), err)
		}
		if links[tt.name] != "" {
			tt.want, tt.err = "", ErrNotRegular
		}
		if data, _, err := (*Budget)(nil).ReadOwn(root, tt.name, 16<<20); !errors.Is(err, tt.err) || string(data) != tt.want {
			t.Errorf("ReadOwn(%s) = %q, %v; want %q, %v", tt.name, data, err, tt.want, tt.err)
		}
	}
	if _, _, err := Read(root, "loop", 1); err == nil {
		t.Error("a link to itself was read")
	}
	if _, _, err := Read(root, "", 1); err == nil {
		t.Error("the empty name was read")
	}
}

// TestHead: a longer file is cut, whatever its size.
func TestHead(t *testing.T) {
	root, dir := newRoot(t)
	write(t, dir, "file", "12345")
	write(t, dir, "huge", "begins")
	if err := os.Truncate(filepath.Join(dir, "huge"), 20<<30); err != nil {
		t.Skip("no sparse files here:", err)
	}
	for _, tt := range []struct {
		name string
		most int64
		want string
	}{{"file", 3, "123"}, {"file", 5, "12345"}, {"file", 6, "12345"}, {"file", 0, ""}, {"huge", 6, "begins"}} {
		data, stamp, err := (*Budget)(nil).Head(root, tt.name, tt.most)
		if err != nil || string(data) != tt.want || stamp.IsZero() {
			t.Errorf("Head(%s, %d) = %q, %v, %v; want %q", tt.name, tt.most, data, stamp, err, tt.want)
		}
	}
}

// TestReadAt: files by their paths of the system, through whatever links, out of a budget.
func TestReadAt(t *testing.T) {
	_, dir := newRoot(t)
	write(t, dir, "file", "12345")
	os.Symlink(filepath.Join(dir, "file"), filepath.Join(dir, "link"))
	b := NewBudget(12)
	for _, tt := range []struct {
		name  string
		limit int64
		want  string
		err   error
		left  int64
	}{
		{"file", 5, "12345", nil, 7},
		{"file", 4, "", ErrTooLarge, 7},
		{".", 9, "", ErrNotRegular, 7},
		{"missing", 9, "", fs.ErrNotExist, 7},
		{"link", 9, "12345", nil, 2},
		{"file", 5, "", ErrBudget, 2},
	} {
		data, err := b.ReadAt(filepath.Join(dir, tt.name), tt.limit)
		if string(data) != tt.want || !errors.Is(err, tt.err) || b.Left() != tt.left {
			t.Errorf("%s: %q, %v, %d left; want %q, %v, %d", tt.name, data, err, b.Left(), tt.want, tt.err, tt.left)
		}
	}
	if d, err := DirAt(filepath.Join(dir, "file")); err == nil {
		d.Close()
		if openDirectory != 0 {
			t.Error("a file is listed")
		}
	}
	f, info, err := OpenAt(filepath.Join(dir, "link"))
	if err != nil || info.Size() != 5 {
		t.Fatalf("%+v, %v", info, err)
	}
	defer f.Close()
	if _, err := f.Write([]byte("x")); err == nil {
		t.Error("opened for writing")
	}
	if left := (*Budget)(nil).Left(); left != math.MaxInt64 {
		t.Errorf("no budget has %d left", left)
	}
}
