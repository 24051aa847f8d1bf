package hydrate_test

import (
	"fmt"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"github.com/gsd-cli/gsd/hydrate"
	"github.com/gsd-cli/gsd/internal/verdict"
	"github.com/gsd-cli/gsd/planfile"
)

// named is a session whose tasks have these names.
func named(t rapid.TB, names ...string) *planfile.File {
	t.Helper()
	var text strings.Builder
	for _, name := range names {
		text.WriteString("<task type=\"auto\">\n  <name>" + strings.NewReplacer("&", "&amp;", "<", "&lt;", ">", "&gt;").Replace(name) + "</name>\n</task>\n")
	}
	s := planfile.Parse([]byte(text.String()))
	if len(s.Tasks) != len(names) {
		t.Fatalf("%d tasks\n%s", len(s.Tasks), text.String())
	}
	return s
}

func TestFindTask(t *testing.T) {
	plain := []string{"Add a note", "Show notes", "List notes"}
	numbered := []string{"Task 1: Add a note", "Task 2: Show notes", "Task 3: List notes"}
	for _, c := range []struct {
		names   []string
		plan    string
		subject string
		want    int // 0 for none
	}{
		{plain, "03-01", "Show notes", 2},
		{plain, "03-01", "show NOTES", 2},
		{plain, "03-01", "  Show\t notes \u00a0", 2},
		{plain, "03-01", "Task 2: Show notes", 2},
		{plain, "03-01", "task 2 - Show notes", 2},
		{plain, "03-01", "Task 2 – Show notes", 2},
		{plain, "03-01", "Task 2 — Show notes", 2},
		{plain, "03-01", "Task 2. Show notes", 2},
		{plain, "03-01", "Task 2) Show notes", 2},
		{plain, "03-01", "Task 2 Show notes", 2},
		{plain, "03-01", "T2: Show notes", 2},
		{plain, "03-01", "t2 show notes", 2},
		{plain, "03-01", "03-01 T2: Show notes", 2},
		{plain, "03-01", "03-01: T2: Show notes", 2},
		{plain, "03-01", "03-01, Task 2: Show notes", 2},
		{plain, "03-01", "03-01 Show notes", 2},
		{plain, "03-01", "03-01: Show notes", 2},
		{plain, "03-01", "03-01 T2", 2},
		{plain, "03-01", "3-1 T2", 2},
		{plain, "03-01", "3-1 T2:", 2},
		{plain, "03-01", "3-01 Task 02", 2},
		{plain, "3-1", "003-001 T2", 2},
		{plain, "03.1-02", "3.1-2 T3", 3},
		{plain, "3A-01", "3a-1 T3: List notes", 3},
		{numbered, "03-01", "Task 2: Show notes", 2},
		{numbered, "03-01", "Show notes", 2},
		{numbered, "03-01", "T2: Show notes", 2},
		{numbered, "03-01", "03-01 T2: Show notes", 2},
		{numbered, "03-01", "03-01 T2: Task 2: Show notes", 2},
		{numbered, "03-01", "03-01 Task 2: Show notes", 2},

		{plain, "03-01", "", 0},
		{plain, "03-01", " \t", 0},
		{plain, "03-01", "T2", 0}, // of which plan?
		{plain, "03-01", "Task 2", 0},
		{plain, "03-01", "Task 2:", 0},
		{plain, "03-01", "03-01", 0},
		{plain, "03-01", "03-01:", 0},
		{plain, "03-01", "Show", 0},
		{plain, "03-01", "Show notes twice", 0},
		{plain, "03-01", "Show notes.", 0},
		{plain, "03-01", "notes", 0},
		{plain, "03-01", "03-02 T2: Show notes", 0}, // another plan's
		{plain, "03-01", "13-1 T2", 0},
		{plain, "03-01", "3-10 T2", 0},
		{plain, "03-01", "30-1 T2", 0},
		{plain, "03-01", "03-02 Show notes", 0},
		{plain, "", "03-01 T2", 0}, // of a plan that has no id
		{plain, "", "T2: Show notes", 2},
		{plain, "", "Show notes", 2},
		{plain, "03-01", "03-01 T0", 0},
		{plain, "03-01", "03-01 T4", 0},
		{plain, "03-01", "03-01 T-1", 0},
		{plain, "03-01", "03-01 T999999", 0},
		{plain, "03-01", "03-01 T99999999999999999999", 0},
		{plain, "03-01", "03-01 T4: Show notes", 0},
		{plain, "03-01", "Task 1: Show notes", 0}, // a number, and another one's name
		{plain, "03-01", "T1: Show notes", 0},
		{plain, "03-01", "03-01 T1: Show notes", 0},
		{plain, "03-01", "03-01 T1: something else", 0},
		{plain, "03-01", "03-01 T1, T2", 0},
		{plain, "03-01", "T2 T2: Show notes", 0},
		{numbered, "03-01", "Task 1: Show notes", 0},
		{numbered, "03-01", "03-01 T1: Task 2: Show notes", 0},

		// Names that are there twice, and names that look like the rest of a form.
		{[]string{"Test", "Add", "test"}, "03-01", "Test", 0},
		{[]string{"Test", "Add", "test"}, "03-01", "T3: Test", 3},
		{[]string{"Test", "Add", "test"}, "03-01", "03-01 T1: Test", 1},
		{[]string{"Task 1: Test", "Task 2: Test"}, "03-01", "Test", 0},
		{[]string{"Task 1: Test", "Task 2: Test"}, "03-01", "Task 2: Test", 2},
		{[]string{"3 columns", "2 rows"}, "03-01", "2 rows", 2},
		{[]string{"3 columns", "2 rows"}, "03-01", "T2: 2 rows", 2},
		{[]string{"3 columns", "2 rows"}, "03-01", "03-01 T1: 3 columns", 1},
		{[]string{"3 columns", "2-1 ratios"}, "03-01", "03-01 T2: 2-1 ratios", 2},
		{[]string{"3 columns", "2-1 ratios"}, "03-01", "Task 2: 2-1 ratios", 2},
		{[]string{"3 columns", "2-1 ratios"}, "03-01", "2-1 ratios", 2},
		{[]string{"3 columns", "3-1 ratios"}, "03-01", "3-1 ratios", 2},
		{[]string{"T1 line", "Telephone"}, "03-01", "Telephone", 2},
		{[]string{"Telephone", "T1 line"}, "03-01", "T1 line", 2},
		{[]string{"Telephone", "T1 line"}, "03-01", "T2: T1 line", 2},
		{[]string{"Telephone", "T1 line"}, "03-01", "03-01 T2: T1 line", 2},
		{[]string{"line", "T1 line"}, "03-01", "T1 line", 2}, // called just so
		{[]string{"T-shirts", "Tests"}, "03-01", "T-shirts", 1},
		{[]string{"Tasks", "Task list"}, "03-01", "Task list", 2},
		{[]string{"Task 3: A", "Task 4: B", "C"}, "03-01", "Task 4: B", 2}, // numbered by somebody else
		{[]string{"Task 3: A", "Task 4: B", "B"}, "03-01", "Task 3: B", 3},
		{[]string{"Task 3: B", "A", "B"}, "03-01", "Task 3: B", 1}, // called just so
		{[]string{"Task 2: Test", "Task 3: Test"}, "03-01", "Task 2: Test", 1},
		{[]string{"Task 2: Test", "Task 3: Test"}, "03-01", "03-01 T2: Test", 0}, // its own name says that it is another
		{[]string{"Task 1:", "Task 2:"}, "03-01", "Task 2:", 0},
		{[]string{"", ""}, "03-01", "Task 2", 0}, // what those without a name are called
		{[]string{"", ""}, "03-01", "03-01 Task 2", 2},
		{[]string{"größe", "Ünit"}, "03-01", "ÜNIT", 2},
		{nil, "03-01", "a", 0},
	} {
		s := &planfile.File{}
		if c.names != nil {
			s = named(t, c.names...)
		}
		if got, ok := hydrate.FindTask(s, c.plan, c.subject); got != c.want || ok != (c.want > 0) {
			t.Errorf("%q in %s of %q: %d, %v; want %d", c.subject, c.plan, c.names, got, ok, c.want)
		}
	}
}

// TestFindTaskLaw: a number that is found is a task's; and of names that cannot be taken for each other, each is found
// in every form that this program names it in.
func TestFindTaskLaw(t *testing.T) {
	word := rapid.SampledFrom([]string{"add", "Add", "note", "T1", "T2:", "Task", "3", "03-01", "3-1", "2-1:", "—", "(x)", "<b>", "é", "T-shirts", "Test."})
	name := rapid.Custom(func(r *rapid.T) string {
		return strings.Join(rapid.SliceOfN(word, 1, 4).Draw(r, "words"), " ")
	})
	const plan = "03-01"
	forms := func(name string, n int) []string {
		return []string{
			name, fmt.Sprintf("Task %d: %s", n, name), fmt.Sprintf("T%d: %s", n, name),
			fmt.Sprintf("03-01 T%d: %s", n, name), fmt.Sprintf("3-1 T%d: %s", n, strings.ToUpper(name)), fmt.Sprintf("03-01 Task %d: %s", n, name),
		}
	}
	rapid.Check(t, func(r *rapid.T) {
		names := rapid.SliceOfN(name, 1, 4).Draw(r, "names")
		for i := range names {
			if rapid.IntRange(0, 2).Draw(r, "numbered") == 0 {
				names[i] = fmt.Sprintf("Task %d: %s", i+1, names[i])
			}
		}
		s := named(r, names...)
		subject := rapid.OneOf(name, rapid.String(), rapid.StringMatching(`((03-01|3-1|9-9)[ :] ?)?(T|Task )[0-9]{1,3}[:. ] ?(add|Add note)?`)).Draw(r, "subject")
		if n, ok := hydrate.FindTask(s, plan, subject); ok != (n > 0) || n < 0 || n > len(names) {
			r.Fatalf("%q: %d, %v", subject, n, ok)
		}
		// Names that cannot be taken for each other: even without their numbers, one is no other's.
		own := func(i int) []string {
			is, all := names[i], []string{}
			for {
				all = append(all, strings.ToLower(is))
				bare := verdict.BareName(is)
				if bare == is {
					return all
				}
				is = bare
			}
		}
		for i := range names {
			for j := range names {
				if i != j && slices.ContainsFunc(own(i), func(name string) bool { return slices.Contains(own(j), name) }) {
					return
				}
			}
		}
		for i, name := range names {
			alone := verdict.SubjectForm().FindStringSubmatch(name)[3] == ""
			for k, form := range forms(name, i+1) {
				if alone && k == 0 { // as "Task 2", a number alone
					continue
				}
				if n, ok := hydrate.FindTask(s, plan, form); !ok || n != i+1 {
					r.Fatalf("%q: %d, %v; want %d of %q", form, n, ok, i+1, names)
				}
			}
		}
	})
}

// sessionText is the session's file, nothing where there is none.
func sessionText(p *hydrate.Project) string {
	return textOfFile(p, ".planning/sessions/"+user+"/current-plan.md")
}

// TestMirrorSkipped: what was skipped stays so, whatever a host's list calls it.
func TestMirrorSkipped(t *testing.T) {
	p := newProject(t)
	bootstrapAt(t, p, planPath, now)
	mark(t, p, 1, planfile.Skipped)
	mark(t, p, 2, planfile.Skipped)
	items := []hydrate.Item{{Subject: "A", Status: planfile.Complete}, {Subject: "B", Status: planfile.InProgress}, {Subject: "C", Status: planfile.InProgress}}
	marked, err := p.Mirror(t.Context(), hydrate.MirrorOptions{User: user, Items: items, Now: now})
	if err != nil || !slices.Equal(marked, []int{3}) || strings.Count(sessionText(p), `status="skipped"`) != 2 {
		t.Errorf("marked %v, %v\n%s", marked, err, sessionText(p))
	}
}

// In a session that is not live nothing is marked, nothing is written, and nothing is said of it.
func TestMirrorSilent(t *testing.T) {
	for verdict, make := range map[hydrate.Verdict]func(*testing.T, *hydrate.Project){
		hydrate.None: func(*testing.T, *hydrate.Project) {},
		hydrate.Stale: func(t *testing.T, p *hydrate.Project) {
			bootstrapAt(t, p, planPath, now)
			write(t, filepath.Join(p.Dir, filepath.FromSlash(strings.Replace(planPath, "PLAN", "SUMMARY", 1))), "done")
		},
		hydrate.Corrupt: func(t *testing.T, p *hydrate.Project) {
			bootstrapAt(t, p, planPath, now)
			write(t, filepath.Join(p.Dir, ".planning/sessions", user, "current-plan.md"), "no session\n")
		},
		hydrate.Finished: func(t *testing.T, p *hydrate.Project) {
			bootstrapAt(t, p, planPath, now)
			for n := range 3 {
				mark(t, p, n+1, planfile.Complete)
			}
		},
	} {
		p := newProject(t)
		make(t, p)
		if r, err := p.Hydrate(user); err != nil || r.Verdict != verdict {
			t.Fatalf("%s: %+v, %v", verdict, r, err)
		}
		text := sessionText(p)
		items := []hydrate.Item{{Subject: "A", Status: planfile.Complete}, {Subject: "03-01 T2", Status: planfile.Complete}, {Subject: "C", Status: planfile.InProgress}}
		marked, err := p.Mirror(t.Context(), hydrate.MirrorOptions{User: user, Items: items, Now: now, Wait: patience})
		if marked != nil || err != nil {
			t.Errorf("%s: marked %v, %v", verdict, marked, err)
		}
		if is := sessionText(p); is != text || verdict != hydrate.None && is == "" {
			t.Errorf("%s: the session became %q", verdict, is)
		}
	}
}
