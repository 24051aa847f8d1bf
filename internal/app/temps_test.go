package app_test

import (
	"os"
	"path/filepath"
	"slices"
	"testing"
	"time"

	"github.com/gsd-cli/gsd/internal/status"
)

// TestTrackedTemps: what killed writers left goes with the next write of the same file, or with a sweep; nothing else goes.
func TestTrackedTemps(t *testing.T) {
	const digits = ".0123456789abcdef.tmp"
	p := projectOf(t, map[string]string{"ROADMAP.md": "- [x] Phase 1: A\n- [ ] Phase 2: B\n"})
	p.Now = time.Now()
	at := func(name string) string { return filepath.Join(p.Dir, name) }
	all := map[string]bool{ // whether it is removed at last
		".planning/.STATE.md" + digits: true, ".planning/phases/01-a/.01-01-SUMMARY.md" + digits: true, ".claude/.settings.json" + digits: true,
		"..gitattributes" + digits: true, "..merge_file_x" + digits: true,
		".planning/.notes.md" + digits: false, ".planning/STATE.md" + digits: false, ".planning/.STATE.md.0123.tmp": false,
		".planning/.STATE.md.1123456789abcdef.tmp": false, ".x" + digits: false,
	}
	for name := range all {
		write(t, at(name), "half")
		old := time.Now().Add(-2 * time.Hour)
		if name == ".planning/.STATE.md.1123456789abcdef.tmp" { // its writer may be at work
			old = time.Now()
		}
		if err := os.Chtimes(at(name), old, old); err != nil {
			t.Fatal(err)
		}
	}
	if err := os.Mkdir(at(".planning/.STATE.md.2123456789abcdef.tmp"), 0o755); err != nil {
		t.Fatal(err)
	}
	left := func() (names []string) {
		for name := range all {
			if _, err := os.Lstat(at(name)); err == nil {
				names = append(names, name)
			}
		}
		slices.Sort(names)
		return names
	}
	if _, err := status.StateOf(p, status.StateOptions{User: user, Write: true}); err != nil {
		t.Fatal(err)
	}
	if names := left(); len(names) != len(all)-1 || slices.Contains(names, ".planning/.STATE.md"+digits) {
		t.Errorf("after a write: %q", names)
	}
	if n := p.SweepTracked(true); n != 4 || len(left()) != len(all)-1 {
		t.Errorf("a dry run found %d, and left %q", n, left())
	}
	p.SweepTracked(false)
	for _, name := range left() {
		if all[name] {
			t.Errorf("%s is left", name)
		}
		delete(all, name)
	}
	for name, goes := range all {
		if !goes {
			t.Errorf("%s is gone", name)
		}
	}
	if _, err := os.Lstat(at(".planning/.STATE.md.2123456789abcdef.tmp")); err != nil {
		t.Error(err)
	}
}
