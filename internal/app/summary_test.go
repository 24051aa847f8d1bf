package app_test

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/gsd-cli/gsd/internal/answer"
	"github.com/gsd-cli/gsd/internal/app"
	"github.com/gsd-cli/gsd/internal/apptest"
	"github.com/gsd-cli/gsd/internal/durable"
	"github.com/gsd-cli/gsd/internal/planref"
	"github.com/gsd-cli/gsd/internal/problem"
	"github.com/gsd-cli/gsd/planfile"
)

func TestYAMLWord(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]string{
		"01-notes": "01-notes", "a/b_c.go": "a/b_c.go", "": `""`, "-x": `"-x"`, "a: b": `"a: b"`, "x\ny: z": `"x y: z"`, `a"b\`: `"a\"b\\"`, "é": `"\u00e9"`, "---": `"---"`,
	} {
		if got := app.YAMLWord(text); got != want {
			t.Errorf("%q: %s, want %s", text, got, want)
		}
	}
}

func TestMarkdown(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]string{
		"a `b` <!-- c": "a 'b' &lt;!-- c", "*x* [y](z)": `\*x\* \[y](z)`, "one\n## two": "one ## two",
	} {
		if got := app.Markdown(text); got != want {
			t.Errorf("%q: %s, want %s", text, got, want)
		}
	}
}

// TestSummarize: what the draft leaves out is said in it.
func TestSummarize(t *testing.T) {
	t.Parallel()
	const plan = "phases/03-a/03-01-PLAN.md"
	p := projectOf(t, filesIn(plan))
	commitAll(t, p, 0, "docs: plan")
	for i := range app.MaxSummaryFiles + 7 {
		write(t, filepath.Join(p.Dir, fmt.Sprint(i)), "x")
	}
	commitAll(t, p, 1, "feat(03-01): x")
	old := git(t, p.Dir, "", "rev-parse", "HEAD")
	write(t, filepath.Join(p.Dir, "0"), "y")
	commitAll(t, p, 2, "feat(03-01): y")
	startOn(t, p, "ada", plan, 2)
	name := filepath.Join(p.Dir, planref.Planning, "phases", "03-a", "03-01-SUMMARY.draft.md")
	const (
		more    = "\n- and 7 more\n"
		partial = "\n[Not all of the history could be read"
	)
	for _, shallow := range []string{"", old} {
		if shallow != "" {
			write(t, filepath.Join(p.Dir, ".git", "shallow"), shallow)
			p = reopen(t, p.Dir)
		}
		if _, err := p.Summarize(t.Context(), app.SummaryOptions{User: "ada"}); err != nil {
			t.Fatal(err)
		}
		text, err := os.ReadFile(name)
		if got := string(text); err != nil || strings.Contains(got, more) != (shallow == "") || strings.Contains(got, partial) == (shallow == "") { // what a commit at the edge changed is not known
			t.Errorf("shallow %q: %v, %s", shallow, err, got)
		}
		if err := os.Remove(name); err != nil {
			t.Fatal(err)
		}
	}
}

// A session that somebody changes after it was judged has no summary: a task may be open now.
func TestSummarizeWhatChanges(t *testing.T) {
	t.Parallel()
	const plan = "phases/03-a/03-01-PLAN.md"
	p := projectOf(t, filesIn(plan))
	startOn(t, p, "ada", plan, 2)
	file := filepath.Join(p.Dir, planref.Planning, "sessions", "ada", "current-plan.md")
	for _, name := range []string{"ada/.gitignore", "ada/.guard"} { // which are made again when the guard is taken
		if err := os.Remove(filepath.Join(p.Dir, planref.Planning, "sessions", name)); err != nil {
			t.Fatal(err)
		}
	}
	p.Write.Before = func(durable.Step) error {
		text, err := os.ReadFile(file)
		if err != nil {
			return err
		}
		return os.WriteFile(file, []byte(strings.Replace(string(text), `"complete"`, `"pending"`, 1)), 0o666)
	}
	_, err := p.Summarize(t.Context(), app.SummaryOptions{User: "ada"})
	wantKind(t, err, problem.Busy)
	if names := p.Planning.Names(planref.Planning + "/phases/03-a"); len(names) != 1 {
		t.Errorf("it was written: %v", names)
	}
}

// TestDraft: a draft closes nothing until its author has written what is in brackets, and then becomes the summary, byte for byte.
func TestDraft(t *testing.T) {
	t.Parallel()
	const plan, dir = "phases/03-a/03-01-PLAN.md", planref.Planning + "/phases/03-a/"
	p := projectOf(t, filesIn(plan))
	startOn(t, p, "ada", plan, 2)
	options := app.SummaryOptions{User: "ada"}
	draft := filepath.Join(p.Dir, filepath.FromSlash(dir+"03-01-SUMMARY.draft.md"))
	first, err := p.Summarize(t.Context(), options)
	if err != nil || first.Draft == nil || first.Draft.Path != dir+"03-01-SUMMARY.draft.md" || len(first.Draft.Left) != 3 {
		t.Fatalf("%+v, %v", first, err)
	}
	for _, text := range []string{"", "\xff\xfe\x00\x01", "# Own\n\n**" + answer.DraftSentence + "**\n", "# Own\n\n- " + answer.DraftNext, "-"} {
		if text != "-" { // a person has written it
			write(t, draft, text)
		} else if err := os.Remove(draft); err != nil || os.Mkdir(draft, 0o777) != nil {
			t.Fatal(err)
		}
		p = reopen(t, p.Dir)
		_, err := p.Summarize(t.Context(), options)
		wantKind(t, err, problem.BadData) // it is not written yet
		r, err := p.Hydrate("ada")
		if err != nil || r.Verdict != answer.Finished || r.Draft == nil || r.Draft.Written() || r.Summarize().Kind != "" || p.Planning.SummaryOf(r.On) != "" {
			t.Errorf("%q: %v, %s, %+v", text, err, r.Verdict, r.Draft)
		}
		if now, _ := os.ReadFile(draft); text != "-" && string(now) != text {
			t.Errorf("%q was overwritten: %q", text, now)
		}
	}
	const written = "# Own\n\n**A list.** See [the issue](x), \\[What the next plan should know].\n"
	if err := os.Remove(draft); err != nil {
		t.Fatal(err)
	}
	write(t, draft, written)
	p = reopen(t, p.Dir)
	if r, err := p.Hydrate("ada"); err != nil || !r.Draft.Written() || r.Summarize().Kind == "" {
		t.Errorf("%v, %+v", err, r.Draft)
	}
	last, err := p.Summarize(t.Context(), options)
	if err != nil || last.Draft != nil || last.Summary != dir+"03-01-SUMMARY.md" {
		t.Fatalf("%+v, %v", last, err)
	}
	p = reopen(t, p.Dir)
	summary, err := p.Planning.Read(last.Summary)
	if _, gone := os.Stat(draft); err != nil || string(summary) != written || gone == nil {
		t.Errorf("%q, %v, the draft: %v", summary, err, gone)
	}
	if r, err := p.Hydrate("ada"); err != nil || r.Plan.Summary != last.Summary {
		t.Errorf("%v, %+v", err, r.Plan)
	}
}

// A draft that somebody is still writing while it becomes the summary is not lost.
func TestDraftMeanwhile(t *testing.T) {
	t.Parallel()
	const plan, dir = "phases/03-a/03-01-PLAN.md", planref.Planning + "/phases/03-a/"
	for _, step := range []durable.Step{durable.StepCreate, durable.StepLink} {
		p := projectOf(t, filesIn(plan))
		startOn(t, p, "ada", plan, 2)
		options := app.SummaryOptions{User: "ada"}
		draft, summary := filepath.Join(p.Dir, dir+"03-01-SUMMARY.draft.md"), filepath.Join(p.Dir, dir+"03-01-SUMMARY.md")
		write(t, draft, "one")
		p.Write.Before = func(at durable.Step) error {
			if at != step {
				return nil
			}
			return os.WriteFile(draft, []byte("two"), 0o666)
		}
		if _, err := p.Summarize(t.Context(), options); err != nil || readText(t, summary) != "one" {
			t.Errorf("%s: %v, %q", step, err, readText(t, summary))
		}
		p = reopen(t, p.Dir)
		if _, err := p.Summarize(t.Context(), options); err == nil || readText(t, draft) != "two" {
			t.Errorf("%s: the draft is %q; again: %v", step, readText(t, draft), err)
		}
	}
}

// TestDraftKilled: killed before any of its writes, gsd done --summary leaves the draft or the whole summary, and the next one comes to
// the same end.
func TestDraftKilled(t *testing.T) {
	t.Parallel()
	const plan, dir, text = "phases/03-a/03-01-PLAN.md", planref.Planning + "/phases/03-a/", "# Done\n"
	killed, kills := errors.New("killed"), 0
	for n := 1; ; n++ {
		p := projectOf(t, filesIn(plan))
		startOn(t, p, "ada", plan, 2)
		draft, summary := filepath.Join(p.Dir, dir+"03-01-SUMMARY.draft.md"), filepath.Join(p.Dir, dir+"03-01-SUMMARY.md")
		write(t, draft, text)
		left := n
		p.Write.Before = func(durable.Step) error {
			if left--; left <= 0 {
				return killed
			}
			return nil
		}
		options := app.SummaryOptions{User: "ada"}
		_, _ = p.Summarize(t.Context(), options)
		if left > 0 {
			break
		}
		kills++
		waits, _ := os.ReadFile(draft)
		if done, err := os.ReadFile(summary); err == nil && string(done) != text || err != nil && string(waits) != text {
			t.Errorf("step %d: the draft is %q, the summary %q, %v", n, waits, done, err)
		}
		p = reopen(t, p.Dir)
		if _, err := p.Summarize(t.Context(), options); err != nil && string(waits) == text {
			t.Errorf("step %d, and then: %v", n, err)
		}
		done, err := os.ReadFile(summary)
		if _, there := os.Stat(draft); err != nil || string(done) != text || there == nil {
			t.Errorf("step %d, at the end: %q, %v, the draft: %v", n, done, err, there)
		}
	}
	if kills < 5 {
		t.Errorf("%d steps", kills)
	}
}

// TestDraftText: what was skipped is named twice, with the reason and what it leaves incomplete left to its author. Without a skipped
// task, what the plan requires is complete.
func TestDraftText(t *testing.T) {
	t.Parallel()
	const plan = "---\nrequirements:\n  - AUTH-01\n  - \"a: b\"\n---\n<task type=\"auto\">\n<name>Task 1: One</name>\n</task>\n<task type=\"auto\">\n<name>Task 2: [Why it was skipped]</name>\n</task>\n"
	p := projectOf(t, nil)
	write(t, filepath.Join(p.Dir, planref.Planning, "phases/03-a/03-01-PLAN.md"), plan)
	r := &answer.Report{On: planref.Planning + "/phases/03-a/03-01-PLAN.md"}
	r.Session = planfile.Parse([]byte(plan))
	r.Session.Tasks[1].Status = "skipped"
	r.Skipped = 1
	got := app.DraftText(t.Context(), p, r)
	for _, want := range []string{
		"\nrequirements-completed: []\n", "\n1. **Task 1: One**\n", "\n2. **Task 2: \\[Why it was skipped]** - skipped\n",
		"\n- **Task 2: \\[Why it was skipped]** was skipped: [Why it was skipped]\n- " + answer.DraftRequirements + "AUTH-01, a: b]\n\n[None - plan executed exactly as written.",
	} {
		if !strings.Contains(got, want) {
			t.Errorf("no %q in %s", want, got)
		}
	}
	left := answer.Placeholders([]byte(got))
	if len(left) != 5 {
		t.Errorf("%v", left)
	}
	wrapped := strings.NewReplacer(" plan executed", "\nplan executed", "One sentence: what", "one sentence:  What").Replace(got)
	if again := answer.Placeholders([]byte(wrapped)); len(again) != len(left) {
		t.Errorf("wrapped, and changed a little: %v", again)
	}
	r.Skipped, r.Session.Tasks[1].Status = 0, planfile.Complete
	if got := app.DraftText(t.Context(), p, r); !strings.Contains(got, "\nrequirements-completed: [AUTH-01, \"a: b\"]\n") {
		t.Error(got)
	}
}

// TestMeasured: a summary says how many commits there are since the one before the plan's first, as upstream's verify-work counts them.
func TestMeasured(t *testing.T) {
	t.Parallel()
	const plan, dir = "phases/03-a/03-01-PLAN.md", planref.Planning + "/phases/03-a/"
	for _, test := range []struct {
		name     string
		subjects []string // of the commits, one a minute
		before   int      // which of them was HEAD before; -1 for none
	}{
		{"the plan's first has a parent", []string{"docs: plan", "chore: x", "feat(03-01): x", "chore: y", "feat(03-01): y"}, 1},
		{"one that fits no task is the plan's", []string{"docs: plan", "test(03-01): nothing that a task says", "feat(03-01): y"}, 0},
		{"the plan's first is the first", []string{"feat(03-01): x"}, -1},
		{"none is the plan's", []string{"docs: plan", "chore: x", "chore: y", "chore: z"}, 2}, // the session was started two minutes in
	} {
		p := projectOf(t, filesIn(plan))
		var ids []string
		for i, subject := range test.subjects {
			write(t, filepath.Join(p.Dir, fmt.Sprint(i)), subject)
			commitAll(t, p, i, subject)
			ids = append(ids, strings.TrimSpace(git(t, p.Dir, "", "rev-parse", "HEAD")))
		}
		started := time.Date(2026, 3, 6, 12, 2, 0, 0, time.UTC)
		if _, err := apptest.At(p, started).Bootstrap(t.Context(), app.BootstrapOptions{User: "ada", Plan: planref.Planning + "/" + plan}); err != nil {
			t.Fatal(err)
		}
		for n := range 2 {
			if _, err := apptest.At(p, started).Mark(t.Context(), app.MarkOptions{User: "ada", Number: n + 1, Status: planfile.Complete}); err != nil {
				t.Fatal(err)
			}
		}
		p = reopen(t, p.Dir)
		options := app.SummaryOptions{User: "ada"}
		if _, err := p.Summarize(t.Context(), options); err != nil {
			t.Fatal(err)
		}
		draft := filepath.Join(p.Dir, filepath.FromSlash(dir+"03-01-SUMMARY.draft.md"))
		src, err := os.ReadFile(draft)
		said := func(commits int) string {
			return fmt.Sprintf("\ncommits: %d\nplan_head_before: %s\n", commits, ids[test.before])
		}
		if test.before < 0 {
			if err != nil || strings.Contains(string(src), "commits:") || strings.Contains(string(src), "plan_head_before:") {
				t.Errorf("%s: %v\n%s", test.name, err, src)
			}
			continue
		}
		if commits := len(ids) - 1 - test.before; err != nil || !strings.Contains(string(src), said(commits)) {
			t.Errorf("%s: %v, want %q in\n%s", test.name, err, said(commits), src)
		}
		for _, left := range answer.Placeholders(src) {
			src = []byte(strings.Replace(string(src), left.Text, "Done.", 1))
		}
		write(t, draft, string(src))
		commitAll(t, p, len(ids), "chore: while the draft was written")
		p = reopen(t, p.Dir)
		last, err := p.Summarize(t.Context(), options)
		if err != nil || last.Draft != nil {
			t.Fatalf("%s: %+v, %v", test.name, last, err)
		}
		if now, err := os.ReadFile(filepath.Join(p.Dir, last.Summary)); err != nil || !strings.Contains(string(now), said(len(ids)-test.before)) || len(now) != len(src) {
			t.Errorf("%s: once it is the summary: %v\n%s", test.name, err, now)
		}
	}
}
