package session

import (
	"io/fs"
	"os"
	"path/filepath"
	"testing"

	"github.com/gsd-cli/gsd/internal/durable"
)

// TestWriteState: a STATE.md is made and replaced, and never another version than the one that was read.
func TestWriteState(t *testing.T) {
	const name = ".planning/STATE.md"
	project, d := newProject(t)
	wantNone(t, WriteState(d.root, name, []byte("one\n"), durable.Stamp{}))
	wantErr(t, WriteState(d.root, name, []byte("two\n"), durable.Stamp{}), durable.ErrChanged, fs.ErrExist)
	wantFile(t, project, name, "one\n")
	was, err := durable.Look(d.root, name)
	wantNone(t, err)
	wantNone(t, WriteState(d.root, name, []byte("two, longer\n"), was))
	wantErr(t, WriteState(d.root, name, []byte("three\n"), was), durable.ErrChanged)
	wantFile(t, project, name, "two, longer\n")
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
