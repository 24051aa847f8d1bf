package session

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/gsd-cli/gsd/internal/durable"
)

func TestUnlockTwice(t *testing.T) {
	project, d := newProject(t)
	g, was := start(t, d, old)
	for range 2 {
		if err := g.Unlock(); err != nil {
			t.Fatal(err)
		}
	}
	wantErr(t, g.Write(chunks(next), was), fs.ErrClosed)
	_, _, err := g.Read(limit)
	wantErr(t, err, fs.ErrClosed)
	_, err = g.Supersede(chunks(next), was, noon)
	wantErr(t, err, fs.ErrClosed)
	wantSession(t, d, old)

	// The guard stays, and who held it is forgotten.
	dir := filepath.Join(project, ".planning/sessions/user")
	if _, err := os.Lstat(filepath.Join(dir, guardFile)); err != nil {
		t.Error(err)
	}
	if _, err := os.Lstat(filepath.Join(dir, holderFile)); !errors.Is(err, fs.ErrNotExist) {
		t.Error("the holder is still named:", err)
	}
	// A second Unlock does not give away a guard that is somebody else's now.
	lock(t, d)
	g.Unlock()
	_, err = d.Lock(context.Background(), 0)
	if !errors.As(err, new(*BusyError)) {
		t.Error("locked twice:", err)
	}
}

func TestBusyNamesTheHolder(t *testing.T) {
	project, d := newProject(t)
	lock(t, d)
	before := time.Now()
	_, err := d.Lock(context.Background(), 5*time.Millisecond)
	var busy *BusyError
	if !errors.As(err, &busy) {
		t.Fatal(err)
	}
	if time.Since(before) < 5*time.Millisecond {
		t.Error("did not wait")
	}
	if busy.Holder.PID != os.Getpid() || busy.Holder.Command == "" || time.Since(busy.Holder.Since) > time.Minute {
		t.Errorf("holder %+v", busy.Holder)
	}
	if msg := err.Error(); !strings.Contains(msg, fmt.Sprintf("(pid %d on ", os.Getpid())) || !strings.HasPrefix(msg, ".planning/sessions/user is in use by ") {
		t.Error(msg)
	}

	// What else may be in that file, and what is shown of it where nobody else says who it is.
	path := filepath.Join(project, ".planning/sessions/user", holderFile)
	const nobody = ".planning/sessions/user is in use by another process"
	root, err := os.OpenRoot(filepath.Dir(path))
	if err != nil {
		t.Fatal(err)
	}
	defer root.Close()
	for text, want := range map[string]string{
		"":                         nobody,
		"{":                        nobody,
		`{"pid":0}`:                nobody,
		`{"pid":-5}`:               nobody,
		`{"pid":"5"}`:              nobody,
		strings.Repeat(" ", 5<<10): nobody,
		`{"pid":5,"command":"a\u001b[31m\nb\u202e` + strings.Repeat("c", 99) + `","host":"","since":"2026-01-02T03:04:05Z"}`: ".planning/sessions/user is in use by a[31mb" +
			strings.Repeat("c", 58) + " (pid 5 on ?) since 2026-01-02T03:04:05Z",
	} {
		os.WriteFile(path, []byte(text), 0o644)
		if err := (&BusyError{Session: d.Path(), Holder: readHolder(root)}); err.Error() != want {
			t.Errorf("%.30q: %v\nwant %s", text, err, want)
		}
	}
}

// TestHolder: what the kernel says counts, and what a file states is added to it, where it is about the same process.
func TestHolder(t *testing.T) {
	since := time.Date(2026, 1, 2, 3, 4, 5, 0, time.UTC)
	stated := Holder{PID: 5, Command: "gsd", Host: "box", Since: since}
	for _, tt := range []struct {
		kernel Holder
		want   string
	}{
		{Holder{}, "gsd (pid 5 on box) since 2026-01-02T03:04:05Z"},
		{Holder{PID: 5, Command: "x", Host: "here"}, "gsd (pid 5 on box) since 2026-01-02T03:04:05Z"},
		{Holder{PID: 5, User: "eve"}, "gsd (pid 5 of eve on box) since 2026-01-02T03:04:05Z"},
		{Holder{PID: 6, Command: "flock", Host: "here", User: "eve"}, "flock (pid 6 of eve on here)"},
	} {
		err := &BusyError{Session: "S", Holder: tt.kernel.or(stated)}
		if want := "S is in use by " + tt.want; err.Error() != want {
			t.Errorf("%+v: %q, want %q", tt.kernel, err, want)
		}
	}
}

func TestLockStopsWithItsContext(t *testing.T) {
	_, d := newProject(t)
	lock(t, d)
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	_, err := d.Lock(ctx, time.Hour)
	wantErr(t, err, context.Canceled)

	ctx, cancel = context.WithTimeout(context.Background(), 5*time.Millisecond)
	defer cancel()
	_, err = d.Lock(ctx, time.Hour)
	wantErr(t, err, context.DeadlineExceeded)
}

func TestLockSweepsTemporaries(t *testing.T) {
	project, d := newProject(t)
	g, _ := start(t, d, old)
	dir := filepath.Join(project, ".planning/sessions/user")
	os.WriteFile(filepath.Join(dir, ".current-plan.md.0123456789abcdef.tmp"), []byte("half"), 0o600)
	os.WriteFile(filepath.Join(dir, "notes.tmp"), []byte("mine"), 0o600)

	// Not while another holds the guard: it may be writing that file.
	_, err := d.Lock(context.Background(), 0)
	if !errors.As(err, new(*BusyError)) {
		t.Fatal(err)
	}
	wantNames(t, project, fileName, ".current-plan.md.0123456789abcdef.tmp", "notes.tmp")

	g.Unlock()
	lock(t, d).Unlock()
	wantNames(t, project, fileName, "notes.tmp")

	// Of very many, some: whoever marks a task meanwhile waits.
	for n := range someTemps + 5 {
		os.WriteFile(filepath.Join(dir, fmt.Sprintf(".x.%016x.tmp", n)), nil, 0o600)
	}
	g = lock(t, d)
	if left := d.Temps(); g.Swept != someTemps || left != 5 {
		t.Errorf("%d removed, and %d left", g.Swept, left)
	}
	if rest := g.SweepTemps(); rest != 5 {
		t.Errorf("then %d", rest)
	}
	wantNames(t, project, fileName, "notes.tmp")
}

func TestGuardIsADirectory(t *testing.T) {
	project, d := newProject(t)
	os.MkdirAll(filepath.Join(project, ".planning/sessions/user", guardFile), 0o755)
	_, err := d.Lock(context.Background(), 0)
	wantErr(t, err, durable.ErrNotRegular)
	if !strings.HasPrefix(err.Error(), "lock .planning/sessions/user/.guard: ") {
		t.Error(err)
	}
}

// increment adds one to the number that is the session, under the guard.
func increment(d Dir) error {
	g, err := d.Lock(context.Background(), patience)
	if err != nil {
		return err
	}
	defer g.Unlock()
	data, was, err := g.Read(limit)
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	n, _ := strconv.Atoi(string(data)) // 0 where there is none
	if err := g.Write([][]byte{strconv.AppendInt(nil, int64(n)+1, 10)}, was); err != nil {
		return err
	}
	return g.Unlock()
}

// TestNoIncrementIsLost: goroutines, each with a project of its own opened, and
// child processes, all from nothing: the directories are made at once, too.
func TestNoIncrementIsLost(t *testing.T) {
	const goroutines, processes, each = 6, 3, 15
	project, d := newProject(t)
	var children []*child
	for range processes {
		children = append(children, spawn(t, "count", project, strconv.Itoa(each)))
	}
	var wg sync.WaitGroup
	for range goroutines {
		d := openProject(t, project)
		wg.Go(func() {
			for range each {
				if err := increment(d); err != nil {
					t.Error(err)
				}
			}
		})
	}
	wg.Wait()
	for _, c := range children {
		c.wait()
	}
	wantSession(t, d, strconv.Itoa((goroutines+processes)*each))
	wantNames(t, project, fileName)
	wantFile(t, project, ignoreFile, ignoreAll)
}

func BenchmarkLock(b *testing.B) {
	_, d := newProject(b)
	for b.Loop() {
		g, err := d.Lock(context.Background(), 0)
		if err != nil {
			b.Fatal(err)
		}
		if err := g.Unlock(); err != nil {
			b.Fatal(err)
		}
	}
}

func BenchmarkLockReadWrite(b *testing.B) {
	_, d := newProject(b)
	for b.Loop() {
		if err := increment(d); err != nil {
			b.Fatal(err)
		}
	}
}
