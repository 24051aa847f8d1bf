package app_test

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/gsd-cli/gsd/internal/app"
	"github.com/gsd-cli/gsd/internal/apptest"
	"github.com/gsd-cli/gsd/internal/seedtest"
	"github.com/gsd-cli/gsd/planfile"
)

// writtenBySeed makes the original script write a session with every combination of some statuses of three tasks, as files 0, 1 and so on,
// then one in which it began everything that is pending, and the session that it archived. names lists them.
const writtenBySeed = `
set -e
plan=$1
statuses=$2
dir=.planning/sessions/$GSD_USER
file=$dir/current-plan.md
rm -rf "$dir" out
mkdir -p out
n=0
keep() { cp "$1" "out/$n"; echo "$n" >> out/names; n=$((n+1)); }
for a in $statuses; do for b in $statuses; do for c in $statuses; do
  bootstrap_session "$plan" "$dir" > bootstrapped
  update_task_status "$file" 1 $a
  update_task_status "$file" 2 $b
  update_task_status "$file" 3 $c
  keep "$file"
done; done; done
bootstrap_session "$plan" "$dir" > bootstrapped
update_task_status "$file" 2 complete
mark_task_in_progress "$file"
keep "$file"
handle_stale_session "$dir" > archived
keep "$dir"/*.stale
`

const seedPlan = "---\nplan: 1\n---\n\n<objective>Notes.</objective>\n\n<tasks>\n<task type=\"auto\">\n  <name>Task 1: A</name>\n  <action>One.</action>\n</task>\n\n" +
	"<task type=\"checkpoint:human-verify\" gate=\"blocking\">\n  <name>Task 2: B</name>\n  <action>Two.</action>\n</task>\n\n" +
	"<task type=\"auto\" tdd=\"true\">\n  <name>Task 3: C</name>\n  <action>Three.</action>\n</task>\n</tasks>\n"

// TestSeedWrites: gsd reads each session that the original script wrote as the script does: the same task to resume, the same counts. The
// script reads what gsd makes of it.
func TestSeedWrites(t *testing.T) {
	t.Parallel()
	for _, test := range []struct {
		name, plan, statuses string
		want                 int
	}{
		{"plain", seedPlan, "pending in-progress complete skipped", 66},
		{"CRLF", strings.ReplaceAll(seedPlan, "\n", "\r\n"), "pending skipped", 10},
		{"no final newline", strings.TrimSuffix(seedPlan, "\n"), "complete skipped", 10},
		{"comments first", "<!-- A plan. -->\n\n" + seedPlan, "skipped", 3},
	} {
		t.Run(test.name, func(t *testing.T) {
			if testing.Short() && test.want > 3 {
				t.Skip("the script needs seconds to write that many sessions")
			}
			p := newProject(t)
			write(t, filepath.Join(p.Dir, filepath.FromSlash(planPath)), test.plan)
			seedtest.Run(t, p.Dir, writtenBySeed, planPath, test.statuses)
			read := seedtest.Read(t, filepath.Join(p.Dir, "out"))
			if len(read) != test.want {
				t.Fatalf("it wrote %d sessions", len(read))
			}
			for i, want := range read {
				text := textOfFile(p, fmt.Sprintf("out/%d", i))
				write(t, filepath.Join(p.Dir, filepath.FromSlash(sessionPath)), text)
				if got := seedtest.Wanted(planfile.Parse([]byte(text))); got != want {
					t.Fatalf("session %d: gsd reads %+v, the script %+v\n%s", i, got, want, text)
				}
				checkToken(t, p.Dir, want.Resume)
			}
			changedByGSD(t, p.Dir)
		})
	}
}

// checkToken checks what gsd says of the session, in one word.
func checkToken(t *testing.T, dir, want string) {
	t.Helper()
	p, err := app.Open(dir) // each file is read once
	if err != nil {
		t.Fatal(err)
	}
	defer p.Close()
	if r, err := p.Hydrate(user); err != nil || r.Token != want || len(r.Stale) > 0 {
		t.Fatalf("%s %v %v, want %s: %v", r.Verdict, r.Token, r.Stale, want, err)
	}
}

// changedByGSD has gsd change the session that the script wrote: the script continues from there.
func changedByGSD(t *testing.T, dir string) {
	t.Helper()
	p, err := app.Open(dir)
	if err != nil {
		t.Fatal(err)
	}
	defer p.Close()
	p.Now = now
	reads := func(want string) {
		t.Helper()
		write(t, filepath.Join(dir, "names"), sessionPath+"\n")
		if got := seedtest.Read(t, dir); len(got) != 1 || !got[0].Valid || strings.TrimSpace(got[0].Resume+" "+got[0].Statuses) != want {
			t.Errorf("the script reads %+v, want %s", got, want)
		}
	}
	for _, step := range []struct {
		number int
		status planfile.Status
		want   string
	}{
		{1, planfile.Skipped, "3 skipped complete in-progress"},
		{3, planfile.Complete, "ALL_COMPLETE skipped complete complete"},
		{2, planfile.Pending, "2 skipped pending complete"},
		{2, planfile.InProgress, "2 skipped in-progress complete"},
	} {
		if _, err := apptest.At(p, now).Mark(t.Context(), app.MarkOptions{User: user, Number: step.number, Status: step.status}); err != nil {
			t.Fatal(err)
		}
		reads(step.want)
	}
	if _, err := apptest.At(p, now).Archive(t.Context(), app.ArchiveOptions{User: user}); err != nil {
		t.Fatal(err)
	}
	if _, err := os.Stat(filepath.Join(dir, filepath.FromSlash(sessionPath))); err == nil {
		t.Error("it was not archived")
	}
	if _, err := apptest.At(p, now).Bootstrap(t.Context(), app.BootstrapOptions{User: user, Plan: planPath, Wait: time.Second}); err != nil {
		t.Fatal(err)
	}
	reads("2 skipped in-progress complete")
}

// TestSeedArchives: what the script archived is taken up again.
func TestSeedArchives(t *testing.T) {
	t.Parallel()
	p := newProject(t)
	write(t, filepath.Join(p.Dir, filepath.FromSlash(planPath)), seedPlan)
	seedtest.Run(t, p.Dir, writtenBySeed, planPath, "pending")
	checkToken(t, p.Dir, "NO_SESSION")
	done, err := apptest.At(p, now.AddDate(10, 0, 0)).Bootstrap(t.Context(), app.BootstrapOptions{User: user, Plan: planPath, Wait: time.Second})
	if err != nil || done.Token != "1" || done.Session.Count(planfile.InProgress) != 2 || done.Session.Count(planfile.Complete) != 1 {
		t.Errorf("%+v, %v", done, err)
	}
}

// TestSeedExceptions: where the script and gsd read a session otherwise, on purpose.
func TestSeedExceptions(t *testing.T) {
	t.Parallel()
	for _, e := range seedtest.Exceptions {
		text := "<!-- Session progress for ada -->\n<!-- Plan: " + planPath + " -->\n\n" + e.Example
		dir := t.TempDir()
		write(t, filepath.Join(dir, "session"), text)
		write(t, filepath.Join(dir, "names"), "session\n")
		s := planfile.Parse([]byte(text))
		got, gsd := seedtest.Read(t, dir)[0], seedtest.Wanted(s)
		if got.Resume != e.Script || gsd.Resume != e.GSD {
			t.Errorf("%s: the script resumes at %s, gsd at %s", e.Why, got.Resume, gsd.Resume)
		}
		if e.Reads != nil && got != e.Reads(s, gsd) {
			t.Errorf("%s: the script reads %+v, not %+v", e.Why, got, e.Reads(s, gsd))
		}
	}
}
