package session

import (
	"os"
	"path/filepath"
	"testing"
)

// Each repository is vouched for on its own, and nothing is where the state directory cannot be written.
func TestVouched(t *testing.T) {
	dir := t.TempDir()
	s := StateDir(filepath.Join(dir, "gsd"))
	if s.Vouched("/a/.git") {
		t.Error("before anybody did")
	}
	s.Vouch("")
	if _, err := os.Stat(string(s)); err == nil {
		t.Error("no repository made a directory")
	}
	s.Vouch("/a/.git")
	s.Vouch("/a/.git")
	if !s.Vouched("/a/.git") || s.Vouched("/b/.git") {
		t.Errorf("/a/.git: %t, /b/.git: %t", s.Vouched("/a/.git"), s.Vouched("/b/.git"))
	}
	if err := os.WriteFile(filepath.Join(dir, "file"), nil, 0o600); err != nil {
		t.Fatal(err)
	}
	for _, s := range []StateDir{"", StateDir(filepath.Join(dir, "file"))} {
		if s.Vouch("/a/.git"); s.Vouched("/a/.git") {
			t.Errorf("in %q", s)
		}
	}
}
