package planfile

import (
	"bytes"
	"slices"
	"strings"
	"testing"

	"github.com/gsd-cli/gsd/internal/replay"
)

// relabelled are the versions of plans that tasks.tsv calls one task because it counts nothing but elements and "## Task N", by the
// beginning of their ids, and the tasks that a person finds in them.
var relabelled = map[string]int{
	// Numbered lists below "Implementation Steps" and the like.
	"b3d1876": 5, "0a28215": 5, "8dcd23d": 5, "e02e104": 8, "5458dee": 8, "e554247": 9, "a00068e": 9, "941bd5b": 5,
	// Headings with numbers below "Implementation Tasks".
	"83ee684": 6, "1a77d28": 6, "0dcf458": 6, "f2b83e5": 6,
	// Numbered lists of quick tasks.
	"e215e63": 3, "8ca7728": 3, "e9579f0": 2, "d977ef7": 4, "b743b3a": 2, "f24fa95": 2, "35ebd9d": 3, "bc8deed": 3, "796ab9e": 2, "214bc23": 2,
}

// TestReplay compares the reading of real plans with tasks.tsv, which labels each version with its dialect and number
// of tasks.
func TestReplay(t *testing.T) {
	read := 0
	for _, p := range replay.Plans(t) {
		bundle, blob, dialect, tasks := p.Bundle, p.Blob, Dialect(p.Dialect), p.Tasks
		if n := relabelled[blob[:7]]; n > 0 {
			dialect, tasks = DialectHeading, n
		}
		if err := Check(p.Source); err != nil {
			t.Errorf("%s %s refused: %v", bundle, blob, err)
			continue
		}
		read++
		f := Parse(p.Source)
		if !bytes.Equal(f.Bytes(), p.Source) {
			t.Errorf("%s %s: Parse then Bytes is not the identity", bundle, blob)
		}
		if f.Dialect != dialect || len(f.Tasks) != tasks {
			t.Errorf("%s %s: %d tasks of dialect %s, labelled %d of %s (%s)", bundle, blob, len(f.Tasks), f.Dialect, tasks, dialect, p.Path)
		}
		if err := checkSessionLaws(t, f); err != nil {
			t.Errorf("%s %s: %v", bundle, blob, err)
		}
		for _, task := range f.Tasks {
			if name := f.Name(task.Number); strings.ContainsAny(name, "\n\r") || name == "" {
				t.Errorf("%s %s: task %d is named %q", bundle, blob, task.Number, name)
			}
		}
	}
	t.Logf("%d plan versions read", read)
}

// The most plans of the 33 real projects, of all versions of all plans, whose tasks cannot be distinguished.
const mostIndistinct = 33

// TestReplayIndistinct counts the versions of plans whose tasks cannot be distinguished, in all of the history of every project.
func TestReplayIndistinct(t *testing.T) {
	versions, whole, some, plans := 0, 0, 0, map[string]bool{}
	bundles := replay.Bundles(t, "full", "more")
	for _, bundle := range bundles {
		objects, seen := replay.Open(t, bundle), map[string]bool{}
		for line := range strings.Lines(objects.Git("log", "--all", "--format=", "--raw", "--no-abbrev", "--no-renames", "--", ".planning/")) {
			changed, name, _ := strings.Cut(strings.TrimSpace(line), "\t")
			field := strings.Fields(changed)
			if len(field) != 5 || field[4] == "D" || !strings.HasSuffix(name, "PLAN.md") || seen[field[3]] {
				continue
			}
			seen[field[3]] = true
			src, _ := objects.Get(field[3])
			f := Parse(src)
			versions++
			switch same := f.Indistinct(); {
			case !slices.Contains(same, false):
				whole++
				plans[bundle+" "+name] = true
			case slices.Contains(same, true):
				some++
				t.Logf("%s %s: some of %d tasks are the same", bundle, name, len(same))
			}
		}
	}
	t.Logf("%d projects, %d versions of plans: the tasks of %d (%d plans) cannot be told apart, and some of those of %d", len(bundles), versions, whole, len(plans), some)
	if whole > mostIndistinct {
		t.Errorf("more than %d", mostIndistinct)
	}
}
