package session

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/gsd-cli/gsd/internal/durable"
)

// TestCloneID: of whatever copies of a clone's directory there are, on whatever machines, only one has its id.
func TestCloneID(t *testing.T) {
	const here, there = "0123", "4567"
	at := func(name string) string { return filepath.Join(t.TempDir(), name) }
	made := func(dir, machine string) string {
		t.Helper()
		c, err := MakeCloneID(durable.Writer{}, dir, machine, false)
		if err != nil || c.ID == "" {
			t.Fatal(c, err)
		}
		if again := CloneAt(dir, machine); again != c {
			t.Errorf("%+v, and then %+v", c, again)
		}
		return c.ID
	}
	copied := func(from, to string) string {
		t.Helper()
		if err := os.CopyFS(to, os.DirFS(from)); err != nil {
			t.Fatal(err)
		}
		return to
	}
	first := at(".git")
	if err := os.Mkdir(first, 0o777); err != nil {
		t.Fatal(err)
	}
	if c := CloneAt(first, here); c != (CloneID{}) {
		t.Errorf("%+v", c)
	}
	if a, _ := MakeCloneID(durable.Writer{}, first, here, true); a.ID == "" || CloneAt(first, here).ID != "" {
		t.Errorf("it is kept: %+v", a)
	}
	id := made(first, here)
	if made(first, here) != id {
		t.Error("it has another one")
	}
	if durable.IDOf(info(t, first)).Number() != 0 && made(first, there) != id {
		t.Error("what is known of the machine was lost, and so is the id")
	}
	made(first, here)

	other := copied(first, at("copy"))
	if c := CloneAt(other, here); c.ID != "" || c.Was != id {
		t.Errorf("the copy is %+v", c)
	}
	if made(other, here) == id || made(first, here) != id || CloneAt(other, here).Was != id {
		t.Error("the copy, or the original")
	}
	moved := at("moved")
	if err := os.Rename(first, moved); err != nil {
		t.Fatal(err)
	}
	if c := CloneAt(copied(moved, at("both")), here); durable.IDOf(info(t, moved)).Number() != 0 && (c.ID != "" || c.Was != id) {
		t.Errorf("the copy of what was moved is %+v", c)
	}
	elsewhere := copied(moved, at("rsync"))
	if c := CloneAt(elsewhere, there); c.ID != "" { // a copy on another machine, where the original never was
		t.Errorf("%+v", c)
	}
	if made(moved, here) != id {
		t.Error("it was moved, and has another id")
	}
	link := at("link")
	_ = os.Symlink(moved, link)
	if _, err := os.Stat(link); err == nil && made(link, here) != id { // where there are links; wine only says so
		t.Error("by another path it has another id")
	}
	for _, text := range []string{"", "{", `{"id":"../../x"}`, `{"id":"0123456789ab","was":"/"}`} {
		if err := os.WriteFile(filepath.Join(moved, filepath.FromSlash(cloneFile)), []byte(text), 0o666); err != nil {
			t.Fatal(err)
		}
		if c := CloneAt(moved, here); c != (CloneID{}) {
			t.Errorf("%q: %+v", text, c)
		}
		made(moved, here)
	}
}

func info(t *testing.T, name string) os.FileInfo {
	t.Helper()
	is, err := os.Stat(name)
	if err != nil {
		t.Fatal(err)
	}
	return is
}
