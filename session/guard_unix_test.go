//go:build unix

package session

import (
	"context"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"golang.org/x/sys/unix"

	"github.com/gsd-cli/gsd/internal/durable"
)

// TestFIFOsDoNotHang: a FIFO in the place of any file of ours is refused or
// replaced, never waited for.
func TestFIFOsDoNotHang(t *testing.T) {
	for _, tt := range []struct {
		name       string
		read, lock error
	}{
		{fileName, durable.ErrNotRegular, nil},
		{guardFile, fs.ErrNotExist, durable.ErrNotRegular},
		{holderFile, fs.ErrNotExist, nil},
	} {
		project, d := newProject(t)
		dir := filepath.Join(project, ".planning/sessions/user")
		os.MkdirAll(dir, 0o755)
		if err := unix.Mkfifo(filepath.Join(dir, tt.name), 0o666); err != nil {
			t.Fatal(err)
		}
		_, _, err := d.Read(limit)
		wantErr(t, err, tt.read)
		g, err := d.Lock(context.Background(), 0)
		wantErr(t, err, tt.lock)
		if g != nil {
			g.Unlock()
		}
	}
}

func TestMissingPermission(t *testing.T) {
	project, d := newProject(t)
	g, was := start(t, d, old)
	g.Unlock()
	dir := filepath.Join(project, ".planning/sessions/user")

	// A directory that may be read: so may the session, and nothing more.
	asNobody(t, project, []string{dir}, func() {
		wantSession(t, d, old)
		g, err := d.Lock(context.Background(), 0)
		if err == nil {
			defer g.Unlock()
			err = g.Write(chunks(next), was)
			wantErr(t, err, fs.ErrPermission)
			_, err = g.Supersede(chunks(next), was, noon)
		}
		wantErr(t, err, fs.ErrPermission)
	})
	// A guard that is somebody else's.
	os.Chmod(filepath.Join(dir, guardFile), 0)
	asNobody(t, project, nil, func() {
		_, err := d.Lock(context.Background(), 0)
		wantErr(t, err, fs.ErrPermission)
		if err != nil && !strings.HasPrefix(err.Error(), "lock .planning/sessions/user/.guard: ") {
			t.Error(err)
		}
	})
	// A project in which nothing may be made.
	project, d = newProject(t)
	asNobody(t, project, []string{filepath.Join(project, ".planning")}, func() {
		_, err := d.Lock(context.Background(), 0)
		wantErr(t, err, fs.ErrPermission)
	})
}

func TestModeIsKept(t *testing.T) {
	defer unix.Umask(unix.Umask(0o022))
	project, d := newProject(t)
	g, _ := start(t, d, old)
	path := filepath.Join(project, d.File())
	mode := func() fs.FileMode {
		info, err := os.Lstat(path)
		if err != nil {
			t.Fatal(err)
		}
		return info.Mode()
	}
	if got := mode(); got != 0o644 {
		t.Errorf("new session has mode %v", got)
	}
	os.Chmod(path, 0o640)
	if _, err := g.Supersede(chunks(next), stamp(t, d), noon); err != nil {
		t.Fatal(err)
	}
	if got := mode(); got != 0o640 {
		t.Errorf("mode is now %v", got)
	}
}

// TestLeaseFIFO: in the place of the lease or of the journal, too.
func TestLeaseFIFO(t *testing.T) {
	project, d := newProject(t)
	g := lock(t, d)
	dir := filepath.Join(project, ".planning/sessions/user")
	mkfifo(t, filepath.Join(dir, leaseFile))
	_, err := d.Lease()
	wantErr(t, err, ErrLeaseUnreadable)
	if err := g.WriteLease(aLease()); err != nil {
		t.Error(err)
	}
	wantAside(t, project, leaseFile, true)

	project, d = newProject(t)
	g = lock(t, d)
	mkfifo(t, filepath.Join(project, ".planning/sessions/user", journalFile))
	if was, err := g.ClearJournal(); !was || err != nil {
		t.Errorf("%v, %v", was, err)
	}
	wantAside(t, project, journalFile, false)
}
