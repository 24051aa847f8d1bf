package project

import (
	"cmp"
	"encoding/json"
	"os"
	"path"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/gsd-cli/gsd/internal/hookinput"
	"github.com/gsd-cli/gsd/internal/planref"
)

// A promptRow is a row of planref/testdata/prompts.txt, which describes itself.
type promptRow struct{ plan, kind, source, wrong, text string }

func promptRows(t *testing.T) (rows []promptRow) {
	t.Helper()
	table, err := os.ReadFile(filepath.Join("..", "planref", "testdata", "prompts.txt"))
	if err != nil {
		t.Fatal(err)
	}
	for _, row := range strings.Split(string(table), "\n=== ")[1:] {
		head, text, _ := strings.Cut(row, "\n")
		columns := strings.SplitN(head, " | ", 3)
		if len(columns) != 3 {
			t.Fatalf("not a heading: %s", head)
		}
		r := promptRow{plan: columns[0], kind: columns[1], source: columns[2]}
		if why, rest, ok := strings.Cut(text, "\n"); ok && strings.HasPrefix(why, "wrong: ") {
			r.wrong, text = strings.TrimPrefix(why, "wrong: "), rest
		}
		r.text = strings.TrimSuffix(text, "\n")
		rows = append(rows, r)
	}
	return rows
}

// plansFor returns the plans of a project in which a prompt is given: some of two phases and a quick task, and in place of a phase that of the plan
// with others before it.
func plansFor(plan string) map[string]string {
	all := map[string]string{}
	put := func(dir string, names ...string) {
		phase, _, _ := planref.CutPhase(path.Base(dir))
		for name := range all {
			if of, _, ok := planref.CutPhase(path.Base(path.Dir(name))); ok && of == phase && path.Dir(name) != dir {
				delete(all, name)
			}
		}
		for _, name := range names {
			all[dir+"/"+name] = planText
		}
	}
	put("phases/01-notes", "01-01-PLAN.md", "01-02-PLAN.md", "01-03-PLAN.md")
	put("phases/02-api", "02-01-PLAN.md", "02-02-PLAN.md", "02-03-slugged-PLAN.md", "02-04-PLAN.md")
	put("quick/260101-abc-note", "260101-abc-PLAN.md")
	if plan != "-" && all[plan] == "" {
		phase, _, _ := planref.CutPhase(path.Base(path.Dir(plan)))
		put(path.Dir(plan), path.Base(plan), phase.Padded()+"-08-PLAN.md")
	}
	return all
}

const planText = "<objective>\nNotes.\n</objective>\n<task type=\"auto\">\n<name>Task 1: Add a note</name>\n</task>\n"

// TestPrompts: real prompts lead to the plan that they send an agent to, and to none where they do not. With -v it prints the score.
func TestPrompts(t *testing.T) {
	right, rows := 0, promptRows(t)
	for _, r := range rows {
		p := opened(t, plansFor(r.plan))
		prompt := strings.NewReplacer("$PROJECT", p.Dir, "$OTHER", t.TempDir()).Replace(r.text)
		got := "-"
		if sent(t, r.kind, prompt) {
			got = cmp.Or(strings.TrimPrefix(p.Dispatched(p.Dir, prompt), planref.Planning+"/"), "-")
		}
		switch isRight := got == r.plan; {
		case isRight && r.wrong != "":
			t.Errorf("%s: it is right by now, but is marked as wrong: %s", r.source, r.wrong)
		case isRight:
			right++
		case r.wrong == "":
			t.Errorf("%s: %s, want %s, for\n%s", r.source, got, r.plan, r.text)
		}
	}
	t.Logf("%d of %d prompts are understood", right, len(rows))
}

// sent reports whether agents of a kind carry anything out.
func sent(t *testing.T, kind, prompt string) bool {
	t.Helper()
	if kind == "conversation" {
		return true
	}
	input, err := json.Marshal(map[string]any{"tool_name": "Agent", "tool_input": map[string]string{"prompt": prompt, "subagent_type": kind}})
	if err != nil {
		t.Fatal(err)
	}
	in, err := hookinput.Read(strings.NewReader(string(input)), time.Second)
	if err != nil || in.Delegation == nil {
		t.Fatalf("%v: %s", err, input)
	}
	return !in.Delegation.ReadOnly
}
