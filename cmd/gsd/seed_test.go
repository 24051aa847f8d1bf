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

// seedExceptions say what the original script reads otherwise, and why. The first that fits counts.
var seedExceptions = []struct {
	why  string
	fits func(text string, s *planfile.File) bool
}{
	{"a file without a plan, a task or a status is no session", func(_ string, s *planfile.File) bool {
		return s.Header.Plan == "" || len(s.Tasks) == 0 || !s.HasStatus()
	}},
	{"it passes over a status that it does not know, where gsd resumes", func(_ string, s *planfile.File) bool {
		return slices.ContainsFunc(s.Tasks, func(t planfile.Task) bool { return !t.Status.Known() })
	}},
}

// check compares what the original script reads in each with what gsd does.
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
		s := planfile.Parse([]byte(text))
		want := seedtest.Wanted(s)
		if skipped += s.Count(planfile.Skipped); read[i] == want {
			continue
		}
		known := false
		for _, e := range seedExceptions {
			if known = e.fits(text, s); known {
				excepted[e.why]++
				break
			}
		}
		if !known {
			t.Errorf("%s: the script reads %+v, gsd %+v\n%s", all[text], read[i], want, text)
		}
	}
	t.Logf("the original script read %d sessions, with %d skipped tasks; exceptions: %v", len(texts), skipped, excepted)
}
