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

func TestTimeline(t *testing.T) {
	p := projectOf(t, filesIn("phases/03-a/03-01-PLAN.md"))
	if st, spans := timelineOf(t, p); len(spans) > 0 || len(st.Warnings) > 0 {
		t.Errorf("without git: %q, %+v", spans, st.Warnings)
	}
	at := func(name string) string { return filepath.Join(p.Dir, ".planning", filepath.FromSlash(name)) }
	commitAll(t, p, 1, "docs: plan")
	commitAll(t, p, 2, "feat(03-01): x")
	write(t, at("phases/04-b/04-01-PLAN.md"), onePlan("wave: 1"))
	commitAll(t, p, 3, "docs: plan more")
	write(t, at("phases/03-a/03-01-SUMMARY.md"), "done")
	commitAll(t, p, 4, "docs(03-01): complete it")
	commitAll(t, p, 5, "chore: else")
	_, spans := timelineOf(t, p)
	want := []string{"03-01 of 3 in phases/03-a/03-01-PLAN.md: 1-4 x3 done 4", "04-01 of 4 in phases/04-b/04-01-PLAN.md: 3-3 x1"}
	if !slices.Equal(spans, want) {
		t.Errorf("got\n%s\nwant\n%s", strings.Join(spans, "\n"), strings.Join(want, "\n"))
	}

	write(t, at("milestones/README.md"), "")
	if err := os.Mkdir(at("milestones/v1.0-phases"), 0o777); err != nil {
		t.Fatal(err)
	}
	if err := os.Rename(at("phases/03-a"), at("milestones/v1.0-phases/03-a")); err != nil {
		t.Fatal(err)
	}
	commitAll(t, p, 6, "chore: archive v1.0")
	p = reopen(t, p.Dir)
	want[0] = "03-01 of 3 in milestones/v1.0-phases/03-a/03-01-PLAN.md: 1-4 x3 done 4"
	if _, spans = timelineOf(t, p); !slices.Equal(spans, want) {
		t.Errorf("archived: got\n%s\nwant\n%s", strings.Join(spans, "\n"), strings.Join(want, "\n"))
	}
	if st := statusOf(t, p, "ada"); len(st.Timeline) > 0 {
		t.Errorf("unasked: %+v", st.Timeline)
	}
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
