package hydrate

import (
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"testing"
	"time"
)

// A project is read with memory and time that its size on disk has little to do with: what is repeated by links or is
// far too large must not reach an agent's start.

// TestPlansAreNotKept: 200 plans of 2 MB cost no more memory than what is said of their order.
func TestPlansAreNotKept(t *testing.T) {
	p := projectOf(t, nil)
	at := filepath.Join(p.Dir, ".planning", "phases", "01-a")
	write(t, filepath.Join(at, "01-01-PLAN.md"), "---\nwave: 1\n---\n"+strings.Repeat(" ", 2<<20)+"\n<task></task>\n")
	for i := range 200 {
		if err := os.Symlink("01-01-PLAN.md", filepath.Join(at, fmt.Sprintf("01-%02d-PLAN.md", i+2))); err != nil {
			t.Skip("no links here:", err)
		}
	}
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	n, err := p.Next("ada", time.Now())
	if err != nil || n.Next.ID != "01-01" || n.Next.Wave == nil || *n.Next.Wave != 1 {
		t.Fatalf("%+v, %v", n, err)
	}
	runtime.ReadMemStats(&after)
	if grown := after.TotalAlloc - before.TotalAlloc; grown > 40<<20 { // the heads are 13 MB, the first plan is read whole
		t.Errorf("next allocated %d MB", grown>>20)
	}
}

// TestReadingStops: one command reads so much and no more, says where it stopped, and goes on with what it has.
func TestReadingStops(t *testing.T) {
	files := map[string]string{}
	for i := range 40 {
		files[fmt.Sprintf("phases/01-a/01-%02d-PLAN.md", i+1)] = "wave: 1\nabout: " + strings.Repeat("x", 400)
	}
	p := projectOf(t, files)
	p.Allow(1000, CommandFiles) // sixteen thousand in all, and a name costs 256
	n, err := p.Next("ada", time.Now())
	if err != nil {
		t.Fatal(err)
	}
	i := slices.IndexFunc(n.Warnings, func(w Warning) bool { return w.Code == ReadingStopped })
	if i < 0 || !strings.Contains(n.Warnings[i].Detail, "GSD_MAX_FILE_MIB raises") {
		t.Errorf("warnings %+v", n.Warnings)
	}
	if n.Next.ID != "01-01" {
		t.Errorf("next %+v", n.Next)
	}
}

// TestLinkedDirectories: a directory that links lead to counts once, under its first name, and is not read again.
func TestLinkedDirectories(t *testing.T) {
	p := projectOf(t, map[string]string{"phases/01-a/01-01-PLAN.md": "wave: 1"})
	phases := filepath.Join(p.Dir, ".planning", "phases")
	for _, link := range []struct{ to, name string }{{".", "02-b"}, {"01-a", "03-c"}, {"..", "04-d"}, {"01-a", "00-before"}, {"01-a", "00-also"}} {
		if err := os.Symlink(link.to, filepath.Join(phases, link.name)); err != nil {
			t.Skip("no links here:", err)
		}
	}
	st := statusOf(t, reopen(t, p.Dir), "ada")
	if pos := st.Position; pos.AllPlans != 1 || st.Next.ID != "01-01" || st.Next.Ambiguous {
		t.Errorf("position %+v, next %+v", pos, st.Next)
	}
	var repeated []string
	for _, w := range st.Warnings {
		if w.Code == DirectoryRepeated {
			repeated = append(repeated, w.Detail)
		}
	}
	slices.Sort(repeated)
	want := []string{
		".planning/phases/00-also is the same directory as .planning/phases/01-a; its plans count once",
		".planning/phases/00-before is the same directory as .planning/phases/01-a; its plans count once",
		".planning/phases/02-b is the same directory as .planning/phases; its plans count once",
		".planning/phases/03-c is the same directory as .planning/phases/01-a; its plans count once",
	}
	if runtime.GOOS != "windows" && !slices.Equal(repeated, want) {
		t.Errorf("warnings\n%s", strings.Join(repeated, "\n"))
	}
}

// TestLinkedPlans: what lies below a directory that is reached by a link first is not lost with the link.
func TestLinkedPlans(t *testing.T) {
	p := projectOf(t, map[string]string{"phases/01-setup/plans/01-01-PLAN.md": "wave: 1"})
	if err := os.Symlink("01-setup", filepath.Join(p.Dir, ".planning", "phases", "01-aa")); err != nil {
		t.Skip("no links here:", err)
	}
	st := statusOf(t, reopen(t, p.Dir), "ada")
	if st.Next.Plan != ".planning/phases/01-setup/plans/01-01-PLAN.md" || st.Position.AllPlans != 1 {
		t.Errorf("next %+v, position %+v, warnings %+v", st.Next, st.Position, st.Warnings)
	}
}

// TestLinkedQuickTasks: a link that comes before the quick task that it leads to is no task of its own.
func TestLinkedQuickTasks(t *testing.T) {
	p := projectOf(t, map[string]string{"quick/005-zzz/005-PLAN.md": "wave: 1"})
	if err := os.Symlink("005-zzz", filepath.Join(p.Dir, ".planning", "quick", "001-aaa")); err != nil {
		t.Skip("no links here:", err)
	}
	st := statusOf(t, reopen(t, p.Dir), "ada")
	want := Warning{DirectoryRepeated, ".planning/quick/001-aaa is the same directory as .planning/quick/005-zzz; its plans count once"}
	if len(st.Quick) != 1 || st.Quick[0].Path != ".planning/quick/005-zzz/005-PLAN.md" || runtime.GOOS != "windows" && !slices.Contains(st.Warnings, want) {
		t.Errorf("quick %+v, warnings %+v", st.Quick, st.Warnings)
	}
}

// TestWarningsEnd: a project with a thousand faults of a kind is told of some of them.
func TestWarningsEnd(t *testing.T) {
	p := &Project{}
	for i := range 1000 {
		p.warn(PlanUnreadable, fmt.Sprint(i%500))
		p.warn(DirectoryUnreadable, fmt.Sprint(i%10))
	}
	more := Warning{PlanUnreadable, "more warnings of this kind were left out"}
	if all := p.warnings(p.warned); len(all) != maxAlike+1+10 || !slices.Contains(all, more) || !slices.Equal(p.warnings(all), all) {
		t.Errorf("%v", all)
	}
}

// TestLinkedWorkstream: a link to a workstream is another name of it, to be chosen by, and no other workstream.
func TestLinkedWorkstream(t *testing.T) {
	p := projectOf(t, map[string]string{"workstreams/api/phases/01-a/01-01-PLAN.md": "wave: 1"})
	if err := os.Symlink("api", filepath.Join(p.Dir, ".planning", "workstreams", "current")); err != nil {
		t.Skip("no links here:", err)
	}
	for _, name := range []string{"", "api", "current"} {
		p := reopen(t, p.Dir)
		p.Workstream = name
		st := statusOf(t, p, "ada")
		if st.Next.ID != "01-01" || st.Next.Ambiguous || len(st.Warnings) > 0 {
			t.Errorf("%q: next %+v, warnings %+v", name, st.Next, st.Warnings)
		}
	}
}
