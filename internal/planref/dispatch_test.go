package planref

import (
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"
)

// TestParseDispatch pins the forms of what a prompt says. Which prompts send an agent to a plan is in testdata/prompts.txt, which package project
// tests, because the plans decide, too.
func TestParseDispatch(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		name, prompt string
		want         Dispatch
		not          bool
	}{
		{name: "a mark, far down", prompt: "You are the executor.\n" + strings.Repeat("x\n", requestBytes) + `[gsd:dispatch phase="2.1" plan="02.1-03-auth"]`, want: Dispatch{ID: "02.1-03-auth"}},
		{name: "a mark with the plan's number alone", prompt: `[gsd:dispatch plan="3" phase="2"]`, want: Dispatch{ID: "02-03"}},
		{name: "a mark without a plan", prompt: `[gsd:dispatch phase="2"]`, not: true},
		{name: "a mark that is a template", prompt: `[gsd:dispatch phase="{phase_number}" plan="{plan_id}"]`, not: true},
		{name: "numbers of both", prompt: "Execute plan 2 of phase 3.", want: Dispatch{ID: "03-02"}},
		{name: "a path and another", prompt: "Execute plan at @a/01-02-PLAN.md\nNot b/01-01-PLAN.md, nor @a/01-02-PLAN.md.", want: Dispatch{File: "@a/01-02-PLAN.md", Paths: []string{"@a/01-02-PLAN.md", "b/01-01-PLAN.md"}}},
		{name: "a number, and a path with a variable", prompt: "Execute plan 2.\n- ${ROOT}/.planning/01-02-PLAN.md", want: Dispatch{Number: num(t, "2"), Paths: []string{"/.planning/01-02-PLAN.md"}}},
		{name: "a project", prompt: `Execute plan 01-02 of the project C:\a`, want: Dispatch{ID: "01-02", Project: `C:\a`}},
		{name: "a plan, and a look at another", prompt: "Execute plan 01-02 and verify it, as the review of plan 01-01 asks.", want: Dispatch{ID: "01-02"}},
		{name: "no number", prompt: "Execute plan B.", not: true},
		{name: "something about it", prompt: "Run the tests of plan 01-02.", not: true},
		{name: "a look at it to be continued", prompt: "Continue the audit of .planning/phases/01-a/01-02-PLAN.md, then report.", not: true},
		{name: "a quotation", prompt: "Is this prompt clear?\n> Execute plan 01-02.", not: true},
		{name: "a request after the text", prompt: "Look." + strings.Repeat(" x", requestBytes) + "\nExecute plan 01-02.", not: true},
		{name: "nothing", not: true},
	} {
		got, ok := ParseDispatch(c.prompt)
		if diff := cmp.Diff(c.want, got, cmpopts.EquateComparable(Number{})); diff != "" || ok == c.not {
			t.Errorf("%s: %t (-want +got)\n%s", c.name, ok, diff)
		}
	}
}

// FuzzParseDispatch: what is not asked for says nothing, and a plan that a request names by its file is among the files.
func FuzzParseDispatch(f *testing.F) {
	for _, prompt := range []string{
		`[gsd:dispatch phase="02" plan="02-01"] /a/.planning/02-01-PLAN.md`, "Execute phase 1, plan 2", "Could you execute plan 01-02 of phase 1?", "Run the plan at `a/PLAN.md`", "Run *a/PLAN.md*",
	} {
		f.Add(prompt)
	}
	f.Fuzz(func(t *testing.T, prompt string) {
		d, ok := ParseDispatch(prompt)
		if !ok && (d.ID != "" || !d.Number.IsZero() || d.File != "" || d.Paths != nil || d.Project != "") {
			t.Errorf("%+v", d)
		}
		isOf := func(file string) bool { return strings.HasSuffix(file, d.File) } // before it may be a mark of Markdown, or the verb: run/PLAN.md
		if len(d.Paths) > maxMentions || d.File != "" && len(d.Paths) < maxMentions && !slices.ContainsFunc(d.Paths, isOf) {
			t.Errorf("%+v", d)
		}
	})
}
