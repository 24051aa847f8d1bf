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

// TestBusy: who waits in vain is told who holds the guard; what the holder states of itself is not trusted.
func TestBusy(t *testing.T) {
	project, d := newProject(t)
	lock(t, d)
	before := time.Now()
	_, err := d.Lock(context.Background(), 5*time.Millisecond)
	var busy *BusyError
	if !errors.As(err, &busy) || time.Since(before) < 5*time.Millisecond {
		t.Fatal(err)
	}
	is := busy.Holder
	if is.PID != os.Getpid() || is.Command == "" || time.Since(is.Since) > time.Minute || busy.Session != d.Path() {
		t.Errorf("%+v", busy)
	}
	dir := filepath.Join(project, d.Path())
	root, err := os.OpenRoot(dir)
	wantNone(t, err)
	defer root.Close()
	stated := Holder{PID: 5, Command: "gsd", Host: "box", Since: time.Date(2026, 1, 2, 3, 4, 5, 0, time.UTC)}
	const nobody = "S is in use by another process"
	for text, want := range map[string]string{
		"":                         nobody,
		"{":                        nobody,
		`{"pid":0}`:                nobody,
		`{"pid":-5}`:               nobody,
		strings.Repeat(" ", 5<<10): nobody,
		`{"pid":5,"command":"a\u001b[31m\nb\u202e` + strings.Repeat("c", 99) + `","host":""}`: "S is in use by a[31mb" +
			strings.Repeat("c", 58) + " (pid 5 on ?)",
	} {
		writeFile(t, filepath.Join(dir, holderFile), text)
		if err := (&BusyError{Session: "S", Holder: readHolder(root)}); err.Error() != want {
			t.Errorf("%.30q: %v\nwant %s", text, err, want)
		}
	}
	// What the kernel says counts, and what a file states is added to it, where it is about the same process.
	for kernel, want := range map[Holder]string{
		{}: "gsd (pid 5 on box) since 2026-01-02T03:04:05Z",
		{PID: 5, Command: "x", Host: "here", User: "eve"}:     "gsd (pid 5 of eve on box) since 2026-01-02T03:04:05Z",
		{PID: 6, Command: "flock", Host: "here", User: "eve"}: "flock (pid 6 of eve on here)",
	} {
		if err := (&BusyError{Session: "S", Holder: kernel.or(stated)}); err.Error() != "S is in use by "+want {
			t.Errorf("%+v: %q, want %q", kernel, err, want)
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

// TestNoIncrementIsLost: many, each with the project opened for itself, and all from nothing: the directories are made
// at once, too.
func TestNoIncrementIsLost(t *testing.T) {
	const writers, each = 8, 15
	project, d := newProject(t)
	increment := func(d Dir) error {
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
		return g.Write(chunks(strconv.Itoa(n+1)), was)
	}
	var all sync.WaitGroup
	for range writers {
		d := openProject(t, project)
		all.Go(func() {
			for range each {
				if err := increment(d); err != nil {
					t.Error(err)
				}
			}
		})
	}
	all.Wait()
	wantSession(t, d, strconv.Itoa(writers*each))
	wantNames(t, project, fileName)
	wantFile(t, project, ignoreFile, ignoreAll)
}
