package session

import (
	"context"
	"errors"
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
		noError(t, g.Unlock())
	}
	wantErr(t, g.Write(chunks(next), was), fs.ErrClosed)
	_, _, err := g.Read(limit)
	wantErr(t, err, fs.ErrClosed)
	_, err = g.Supersede(chunks(next), was, noon)
	wantErr(t, err, fs.ErrClosed)
	wantSession(t, d, old)

	if _, err := os.Lstat(filepath.Join(project, d.Path(), guardFile)); err != nil {
		t.Error("the guard file is gone:", err)
	}
	// A second Unlock does not release a guard that has a new holder.
	lock(t, d)
	g.Unlock()
	_, err = d.Lock(context.Background(), 0)
	if !errors.As(err, new(*BusyError)) {
		t.Error("locked twice:", err)
	}
}

func TestBusy(t *testing.T) {
	_, d := newProject(t)
	lock(t, d)
	before := time.Now()
	_, err := d.Lock(context.Background(), 5*time.Millisecond)
	var busy *BusyError
	if !errors.As(err, &busy) || time.Since(before) < 5*time.Millisecond || busy.Session != d.Path() {
		t.Fatal(err)
	}
	for holder, want := range map[Holder]string{
		{}:                                      "S is in use by another process",
		{PID: 5, Command: "gsd"}:                "S is in use by gsd (pid 5)",
		{PID: 6, Command: "flock", User: "eve"}: "S is in use by flock (pid 6 of eve)",
	} {
		if err := (&BusyError{Session: "S", Holder: holder}); err.Error() != want {
			t.Errorf("%q, want %q", err, want)
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

	// Not while the guard is held: its holder may be writing that file.
	_, err := d.Lock(context.Background(), 0)
	if !errors.As(err, new(*BusyError)) {
		t.Fatal(err)
	}
	wantNames(t, project, fileName, ".current-plan.md.0123456789abcdef.tmp", "notes.tmp")

	if n := d.Temps(); n != 1 {
		t.Errorf("counted %d", n)
	}
	g.Unlock()
	if g := lock(t, d); g.Swept != 1 {
		t.Errorf("removed %d", g.Swept)
	}
	wantNames(t, project, fileName, "notes.tmp")
}

// TestOnlyTheHolderWrites: one that has not got the guard writes nothing, because its holder would sweep the temporary.
func TestOnlyTheHolderWrites(t *testing.T) {
	project, d := newProject(t)
	lock(t, d)
	ignore := filepath.Join(project, ".planning/sessions/user", IgnoreFile)
	noError(t, os.Remove(ignore))
	if _, err := d.Lock(context.Background(), 0); !errors.As(err, new(*BusyError)) {
		t.Fatal(err)
	}
	if _, err := os.Lstat(ignore); !errors.Is(err, fs.ErrNotExist) {
		t.Error("written without the guard", err)
	}
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
		n, _ := strconv.Atoi(string(data)) // 0 for none
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
	wantFile(t, project, d.join(IgnoreFile), ignoreAll)
}
