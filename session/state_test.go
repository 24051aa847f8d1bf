package session

import (
	"io/fs"
	"os"
	"path/filepath"
	"runtime"
	"testing"

	"github.com/gsd-cli/gsd/internal/durable"
)

const stateName = ".planning/STATE.md"

func TestWriteState(t *testing.T) {
	project, d := newProject(t)
	at := filepath.Join(project, filepath.FromSlash(stateName))
	if err := WriteState(d.root, stateName, []byte("one\n"), durable.Stamp{}); err != nil {
		t.Fatal(err)
	}
	wantFile(t, project, stateName, "one\n")
	was := stampOf(t, at)

	wantErr(t, WriteState(d.root, stateName, []byte("two\n"), durable.Stamp{}), durable.ErrChanged, fs.ErrExist)
	wantFile(t, project, stateName, "one\n")

	if runtime.GOOS != "windows" {
		if err := os.Chmod(at, 0o640); err != nil {
			t.Fatal(err)
		}
		was = stampOf(t, at)
	}
	if err := WriteState(d.root, stateName, []byte("two, longer\n"), was); err != nil {
		t.Fatal(err)
	}
	wantFile(t, project, stateName, "two, longer\n")
	if info, err := os.Stat(at); err != nil || runtime.GOOS != "windows" && info.Mode().Perm() != 0o640 {
		t.Errorf("the mode is %v, %v", info.Mode(), err)
	}
	wantErr(t, WriteState(d.root, stateName, []byte("three\n"), was), durable.ErrChanged)
	wantFile(t, project, stateName, "two, longer\n")

	// No lock is taken, and nothing is left behind.
	entries, err := os.ReadDir(filepath.Join(project, ".planning"))
	if err != nil || len(entries) != 1 {
		t.Errorf("in .planning: %v, %v", entries, err)
	}
}

func TestWriteStateSameBytes(t *testing.T) {
	project, d := newProject(t)
	at := filepath.Join(project, filepath.FromSlash(stateName))
	if err := os.WriteFile(at, []byte("one\n"), 0o666); err != nil {
		t.Fatal(err)
	}
	was := stampOf(t, at)
	if err := WriteState(d.root, stateName, []byte("one\n"), was); err != nil {
		t.Fatal(err)
	}
	if !stampOf(t, at).Equal(was) {
		t.Error("the same bytes were written")
	}
}

func TestWriteStateRefuses(t *testing.T) {
	project, d := newProject(t)
	outside := filepath.Join(t.TempDir(), "STATE.md")
	if err := os.WriteFile(outside, []byte("outside\n"), 0o666); err != nil {
		t.Fatal(err)
	}
	at := filepath.Join(project, filepath.FromSlash(stateName))
	if err := os.Symlink(outside, at); err != nil {
		t.Skip("no links here: ", err)
	}
	for name, was := range map[string]durable.Stamp{"as new": {}, "as it is": stampOf(t, outside)} {
		if err := WriteState(d.root, stateName, []byte("x\n"), was); err == nil {
			t.Errorf("%s: a link was replaced", name)
		}
	}
	if target, err := os.Readlink(at); err != nil || target != outside {
		t.Errorf("the link is %q, %v", target, err)
	}
	wantFile(t, filepath.Dir(outside), "STATE.md", "outside\n")

	if err := WriteState(d.root, "../STATE.md", []byte("x\n"), durable.Stamp{}); err == nil {
		t.Error("a file outside the project was written")
	}
	wantErr(t, WriteState(d.root, ".planning/workstreams/gone/STATE.md", []byte("x\n"), durable.Stamp{}), fs.ErrNotExist)
	if _, err := os.Lstat(filepath.Join(project, ".planning", "workstreams")); !os.IsNotExist(err) {
		t.Errorf("a directory was made: %v", err)
	}
}

// Users lists directories that a user could have, whatever else lies there.
func TestUsers(t *testing.T) {
	project, d := newProject(t)
	if users := Users(d.root); len(users) > 0 {
		t.Errorf("without sessions: %q", users)
	}
	for _, name := range []string{"eve", "ada", "bob-2", "Upper", "under_score", ".hidden", "a b"} {
		if err := os.MkdirAll(filepath.Join(project, ".planning", "sessions", name), 0o777); err != nil {
			t.Fatal(err)
		}
	}
	if err := os.WriteFile(filepath.Join(project, ".planning", "sessions", ".gitignore"), []byte("*\n"), 0o666); err != nil {
		t.Fatal(err)
	}
	users := Users(d.root)
	if len(users) != 3 || users[0] != "ada" || users[1] != "bob-2" || users[2] != "eve" {
		t.Errorf("%q", users)
	}
}
