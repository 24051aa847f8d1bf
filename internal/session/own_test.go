package session

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"testing"
	"time"
)

// TestOwnDirectory: nothing is written where a link, or anything but a directory, is in the place of the session directory or of the one
// that it is in, wherever it leads.
func TestOwnDirectory(t *testing.T) {
	for name, test := range map[string]struct{ link, to string }{
		"into the project":              {".planning/sessions/user", "../../src"},
		"to another user's":             {".planning/sessions/user", "other"},
		"out of the project":            {".planning/sessions/user", "../../../outside"},
		"to nothing":                    {".planning/sessions/user", "../../nothing"},
		"to a file":                     {".planning/sessions/user", "../../src/main.go"},
		"to itself":                     {".planning/sessions/user", "user"},
		"sessions into the project":     {".planning/sessions", "../src"},
		"sessions out of the project":   {".planning/sessions", "../../outside"},
		"sessions to nothing":           {".planning/sessions", "../nothing"},
		"sessions to a file":            {".planning/sessions", "../src/main.go"},
		"a file":                        {".planning/sessions/user", ""},
		"a file in the place of others": {".planning/sessions", ""},
	} {
		t.Run(name, func(t *testing.T) {
			top := t.TempDir()
			dir := filepath.Join(top, "project")
			for _, name := range []string{"project/src/user", "project/.planning/sessions/other", "outside/user"} {
				if err := os.MkdirAll(filepath.Join(top, name), 0o755); err != nil {
					t.Fatal(err)
				}
			}
			ok := func(err error) {
				t.Helper()
				if err != nil {
					t.Fatal(err)
				}
			}
			ok(os.WriteFile(filepath.Join(dir, "src/main.go"), []byte("package main\n"), 0o644))
			ok(os.RemoveAll(filepath.Join(dir, test.link)))
			if test.to == "" {
				ok(os.WriteFile(filepath.Join(dir, test.link), nil, 0o644))
			} else if err := os.Symlink(test.to, filepath.Join(dir, test.link)); err != nil {
				t.Skip(err)
			}
			before := listing(t, top)
			root, err := os.OpenRoot(dir)
			ok(err)
			defer root.Close()
			d := At(root, ".planning", "user")
			if err := d.CheckWritable(); !errors.Is(err, ErrNotOwn) {
				t.Errorf("CheckWritable: %v", err)
			}
			if g, err := d.Lock(t.Context(), time.Second); !errors.Is(err, ErrNotOwn) {
				t.Errorf("Lock: %v", err)
				if err == nil {
					ok(g.Unlock())
				}
			}
			SweepTemps(root, planning, time.Now().Add(time.Hour), false)
			if after := listing(t, top); after != before {
				t.Errorf("was\n%sis\n%s", before, after)
			}
		})
	}
}

// listing lists all files below a directory.
func listing(t *testing.T, dir string) (all string) {
	t.Helper()
	err := filepath.WalkDir(dir, func(name string, d fs.DirEntry, err error) error {
		all += name + "\n"
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return all
}
