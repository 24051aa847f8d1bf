//go:build linux

package main

import (
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/gsd-cli/gsd/internal/seedtest"
	"github.com/gsd-cli/gsd/planfile"
)

// seedSessions are session files, by their text, with where they are from. What gsd writes, the original script has to read: which task
// to resume, the status of each, and how many have which.
type seedSessions map[string]string

// add adds the session files below a directory, current or archived.
func (all seedSessions) add(from, dir string) {
	files, _ := filepath.Glob(filepath.Join(dir, ".planning/sessions/*/current-plan*"))
	for _, name := range files {
		if text, err := os.ReadFile(name); err == nil {
			all[string(text)] = from
		}
	}
}

// check compares what the original script reads in each with what gsd does. It may read otherwise only what one of the exceptions says.
func (all seedSessions) check(t *testing.T) {
	t.Helper()
	dir, excepted := t.TempDir(), map[string]int{}
	texts := slices.Sorted(maps.Keys(all))
	var names strings.Builder
	for i, text := range texts {
		fmt.Fprintf(&names, "%d\n", i)
		if err := os.WriteFile(filepath.Join(dir, fmt.Sprint(i)), []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	if err := os.WriteFile(filepath.Join(dir, "names"), []byte(names.String()), 0o644); err != nil {
		t.Fatal(err)
	}
	read := seedtest.Read(t, dir)
	if len(read) != len(texts) {
		t.Fatalf("%d of %d files were read", len(read), len(texts))
	}
	skipped := 0
	for i, text := range texts {
		s := planfile.ParseSession([]byte(text))
		want := seedtest.Wanted(s)
		if skipped += s.Count(planfile.Skipped); read[i] == want {
			continue
		}
		known := slices.IndexFunc(seedtest.Exceptions, func(e seedtest.Exception) bool { return e.Reads != nil && e.Reads(s, want) == read[i] })
		if known < 0 {
			t.Errorf("%s: the script reads %+v, gsd %+v\n%s", all[text], read[i], want, text)
			continue
		}
		excepted[seedtest.Exceptions[known].Why]++
	}
	t.Logf("the original script read %d sessions, with %d skipped tasks; exceptions: %v", len(texts), skipped, excepted)
}
