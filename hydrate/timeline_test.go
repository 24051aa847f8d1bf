package hydrate

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

func timelineOf(t *testing.T, p *Project) (*Status, []string) {
	t.Helper()
	p.scanned, p.metas = nil, nil // a project is opened for one command
	st, err := p.Status(StatusOptions{User: "ada", Timeline: true})
	if err != nil {
		t.Fatal(err)
	}
	var all []string
	for _, s := range st.Timeline {
		text := fmt.Sprintf("%s of %s in %s: %d-%d x%d", s.ID, s.Phase, strings.TrimPrefix(s.Path, ".planning/"), s.First.UTC().Minute(), s.Last.UTC().Minute(), s.Commits)
		if s.Done {
			text += fmt.Sprintf(" done %d", s.Finished.UTC().Minute())
		}
		all = append(all, text)
	}
	return st, all
}

// What is missing of the history is a warning, told once, and what could be read is shown.
func TestTimelineOfABrokenHistory(t *testing.T) {
	p := projectOf(t, filesIn("phases/03-a/03-01-PLAN.md"))
	commitAll(t, p, 1, "docs: plan")
	head, err := os.ReadFile(filepath.Join(p.Dir, ".git", "refs", "heads", "main"))
	if err != nil {
		t.Fatal(err)
	}
	commitAll(t, p, 2, "feat(03-01): x")
	id := strings.TrimSpace(string(head))
	name := filepath.Join(p.Dir, ".git", "objects", id[:2], id[2:])
	if err := os.Chmod(name, 0o666); err != nil {
		t.Fatal(err)
	}
	write(t, name, "no object")
	st, spans := timelineOf(t, p)
	broken := slices.DeleteFunc(slices.Clone(st.Warnings), func(w Warning) bool { return w.Code != HistoryUnreadable })
	if len(broken) == 0 || broken[0].Detail == "" {
		t.Errorf("warnings %+v", st.Warnings)
	}
	if want := []string{"03-01 of 3 in phases/03-a/03-01-PLAN.md: 2-2 x1"}; !slices.Equal(spans, want) {
		t.Errorf("got %q, want %q", spans, want)
	}
	t.Run("once", func(t *testing.T) {
		if len(broken) != 1 {
			t.Errorf("warnings %+v", broken)
		}
	})
}
