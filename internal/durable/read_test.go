package durable

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"runtime"
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
	if err != nil {
		t.Fatal(err)
	}
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
	}
	if _, _, err := Read(root, "loop", 1); err == nil {
		t.Error("a link to itself was read")
	}
	if _, _, err := Read(root, "", 1); err == nil {
		t.Error("the empty name was read")
	}
}

func TestReadLimitIsInclusive(t *testing.T) {
	root, dir := newRoot(t)
	write(t, dir, "file", "12345")
	if _, _, err := Read(root, "file", 5); err != nil {
		t.Error(err)
	}
	_, _, err := Read(root, "file", 4)
	wantErr(t, err, ErrTooLarge)
}

// TestHead: a longer file is cut, whatever its size, and everything else is as for Read.
func TestHead(t *testing.T) {
	root, dir := newRoot(t)
	write(t, dir, "file", "12345")
	write(t, dir, "empty", "")
	os.Mkdir(filepath.Join(dir, "sub"), 0o755)
	os.Symlink("file", filepath.Join(dir, "link"))
	os.Symlink("..", filepath.Join(dir, "out"))
	huge, err := os.Create(filepath.Join(dir, "huge"))
	if err != nil {
		t.Fatal(err)
	}
	huge.WriteString("begins")
	if err := huge.Truncate(20 << 30); err != nil {
		t.Skip("no sparse files here:", err)
	}
	huge.Close()
	for _, tt := range []struct {
		name string
		most int64
		want string
		err  error
	}{
		{"file", 3, "123", nil},
		{"file", 5, "12345", nil},
		{"file", 6, "12345", nil},
		{"file", 0, "", nil},
		{"empty", 3, "", nil},
		{"link", 2, "12", nil},
		{"huge", 6, "begins", nil},
		{"missing", 3, "", fs.ErrNotExist},
		{"sub", 3, "", ErrNotRegular},
		{"out/file", 3, "", ErrEscapes},
	} {
		data, stamp, err := (*Budget)(nil).Head(root, tt.name, tt.most)
		if !errors.Is(err, tt.err) || string(data) != tt.want || (err == nil) == stamp.IsZero() {
			t.Errorf("Head(%s, %d) = %q, %v, %v; want %q, %v", tt.name, tt.most, data, stamp, err, tt.want, tt.err)
		}
	}
}

// TestReadWithin: a budget pays for what is read, and for nothing else.
func TestReadWithin(t *testing.T) {
	root, dir := newRoot(t)
	write(t, dir, "file", "12345")
	b := NewBudget(9)
	if _, _, err := b.Read(root, "file", 4); !errors.Is(err, ErrTooLarge) {
		t.Error(err)
	}
	if data, _, err := b.Read(root, "file", 5); err != nil || string(data) != "12345" {
		t.Errorf("%q, %v", data, err)
	}
	_, _, err := b.Read(root, "file", 5)
	wantErr(t, err, ErrBudget)
	if data, _, err := b.Head(root, "file", 4); err != nil || string(data) != "1234" {
		t.Errorf("%q, %v", data, err)
	}
	_, _, err = b.Head(root, "file", 1)
	wantErr(t, err, ErrBudget)
	if _, _, err := b.Head(root, "file", 0); err != nil {
		t.Error(err)
	}
}

// TestReadAllocatesTheFileOnce: at 30 MB a second copy is felt.
func TestReadAllocatesTheFileOnce(t *testing.T) {
	root, dir := newRoot(t)
	const size = 8 << 20
	if err := os.WriteFile(filepath.Join(dir, "file"), make([]byte, size), 0o644); err != nil {
		t.Fatal(err)
	}
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	if _, _, err := Read(root, "file", size); err != nil {
		t.Fatal(err)
	}
	runtime.ReadMemStats(&after)
	if got := after.TotalAlloc - before.TotalAlloc; got > size+64<<10 {
		t.Errorf("allocated %d bytes for %d", got, size)
	}
}

// TestReadIsOneVersion reads a file that another goroutine appends to: what
// comes back is a version that was there, or an error.
func TestReadIsOneVersion(t *testing.T) {
	root, dir := newRoot(t)
	write(t, dir, "file", "")
	f, err := os.OpenFile(filepath.Join(dir, "file"), os.O_WRONLY|os.O_APPEND, 0)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	stop, stopped := make(chan struct{}), make(chan struct{})
	go func() {
		defer close(stopped)
		for {
			select {
			case <-stop:
				return
			default:
				f.WriteString("0123456789")
			}
		}
	}()
	for range 50 {
		data, stamp, err := Read(root, "file", 1<<30)
		if err != nil {
			wantErr(t, err, ErrChanged)
		} else if int64(len(data)) != stamp.info.Size() {
			t.Errorf("%d bytes with a stamp for %d", len(data), stamp.info.Size())
		}
	}
	close(stop)
	<-stopped
}
