//go:build unix

package session

import (
	"context"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"

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

// TestGuardMode: who may not change the session may not hold its guard either, be the umask what it may.
func TestGuardMode(t *testing.T) {
	defer unix.Umask(unix.Umask(0))
	project, d := newProject(t)
	guard := filepath.Join(project, ".planning/sessions/user", guardFile)
	for range 2 {
		lock(t, d).Unlock()
		if info, err := os.Lstat(guard); err != nil || info.Mode() != 0o600 {
			t.Errorf("%v, %v", info.Mode(), err)
		}
		os.Chmod(guard, 0o664) // as an earlier version made it
	}
}

// TestLinked: a file that has more than one hard link is somebody else's too. It is not appended to, and its mode stays;
// where it is the guard, in a copy that cp -al made, there is another guard.
func TestLinked(t *testing.T) {
	project, d := newProject(t)
	lock(t, d).Unlock()
	dir := filepath.Join(project, ".planning/sessions/user")
	victim := filepath.Join(t.TempDir(), "victim")
	os.WriteFile(victim, []byte("precious"), 0o644)
	for _, name := range []string{journalFile, guardFile} {
		os.Remove(filepath.Join(dir, name))
		if err := os.Link(victim, filepath.Join(dir, name)); err != nil {
			t.Skip("no hard links here:", err)
		}
		g, err := d.Lock(context.Background(), time.Minute)
		if err != nil {
			t.Fatal(err)
		}
		if name == journalFile {
			wantErr(t, g.Begin(Start{ID: "a", At: noon}), durable.ErrLinked)
			wantErr(t, g.End(End{Of: "a", Status: Success, Cause: CauseUser}), durable.ErrLinked)
		} else if info, err := os.Lstat(filepath.Join(dir, name)); err != nil || durable.Linked(info) {
			t.Errorf("the guard: %v, %v", info, err)
		}
		g.Unlock()
		info, err := os.Lstat(victim)
		text, _ := os.ReadFile(victim)
		if err != nil || string(text) != "precious" || info.Mode() != 0o644 {
			t.Errorf("%v: %q, %v", name, text, info.Mode())
		}
		os.Remove(filepath.Join(dir, name))
	}
}

// TestCrashedRotation: the archive of a rotation that crashed is the journal itself. It is no reason to refuse the
// journal, and goes; a second name elsewhere stays one.
func TestCrashedRotation(t *testing.T) {
	project, d := newProject(t)
	g := lock(t, d)
	if err := g.Begin(Start{ID: "a", At: noon}); err != nil {
		t.Fatal(err)
	}
	dir := filepath.Join(project, ".planning/sessions/user")
	journal := filepath.Join(dir, journalFile)
	os.WriteFile(filepath.Join(dir, "journal.20260101000000.jsonl"), []byte("an old one\n"), 0o644)
	for _, name := range []string{"journal.20260102000000.jsonl", "journal.20260102000000-2.jsonl"} {
		if err := os.Link(journal, filepath.Join(dir, name)); err != nil {
			t.Skip("no hard links here:", err)
		}
	}
	if err := g.Begin(Start{ID: "b", At: noon}); err != nil {
		t.Error(err)
	}
	wantNames(t, project, journalFile, "journal.20260101000000.jsonl")
	if j, err := d.Journal(""); err != nil || len(j.Runs) != 2 {
		t.Errorf("%+v, %v", j, err)
	}
	os.Link(journal, filepath.Join(dir, "journal.20260102000000.jsonl"))
	os.Link(journal, filepath.Join(t.TempDir(), "elsewhere"))
	wantErr(t, g.Begin(Start{ID: "c", At: noon}), durable.ErrLinked)
	if j, err := d.Journal(""); err != nil || len(j.Runs) != 2 {
		t.Errorf("%+v, %v", j, err)
	}
}

// TestSharedProject: the first user's umask keeps nobody else of the group out, and nobody into the first one's own
// directory.
func TestSharedProject(t *testing.T) {
	project, d := newProject(t)
	os.Chmod(filepath.Join(project, ".planning"), 0o775|fs.ModeSetgid)
	defer unix.Umask(unix.Umask(0o077))
	lock(t, d).Unlock()
	for name, want := range map[string]fs.FileMode{
		"":            fs.ModeDir | fs.ModeSetgid | 0o775,
		".gitignore":  0o664,
		"user":        fs.ModeDir | fs.ModeSetgid | 0o700,
		"user/.guard": 0o600,
	} {
		info, err := os.Lstat(filepath.Join(project, sessionsDir, name))
		if err != nil || info.Mode() != want {
			t.Errorf("%q: %v, %v; want %v", name, info.Mode(), err, want)
		}
	}
}

// TestRootsFiles: one command with sudo leaves nothing that stops the user's next.
func TestRootsFiles(t *testing.T) {
	if os.Geteuid() != 0 {
		t.Skip("only root makes something in the name of others")
	}
	project, d := newProject(t)
	const uid = 65534
	if err := os.Chown(filepath.Join(project, ".planning"), uid, uid); err != nil {
		t.Skip("no other users here:", err)
	}
	g, _ := start(t, d, old)
	if err := errors.Join(g.Begin(Start{ID: "a", At: noon}), g.WriteLease(aLease())); err != nil {
		t.Fatal(err)
	}
	g.Unlock()
	err := filepath.WalkDir(filepath.Join(project, ".planning"), func(path string, e fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		info, err := e.Info()
		if err == nil && info.Sys().(*syscall.Stat_t).Uid != uid {
			t.Errorf("%s is not the user's", path)
		}
		return err
	})
	if err != nil {
		t.Error(err)
	}
	asNobody(t, project, nil, func() {
		g := lock(t, d)
		defer g.Unlock()
		if err := errors.Join(g.Begin(Start{ID: "b", At: noon}), g.WriteLease(aLease()), g.Write(chunks(next), stamp(t, d))); err != nil {
			t.Error(err)
		}
	})
	// A guard that an earlier version made as root.
	guard := filepath.Join(project, d.Path(), guardFile)
	os.Remove(guard)
	os.WriteFile(guard, nil, 0o644)
	os.Chown(guard, 0, 0)
	lock(t, d).Unlock()
	asNobody(t, project, nil, func() { lock(t, d).Unlock() })
}
