package planfile

import (
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"github.com/gsd-cli/gsd/internal/testenv"
)

// Each form in which plans without elements write their tasks; names are in order, and there is no other task.
func TestTaskForms(t *testing.T) {
	headings := func(level string, names ...string) string {
		var b strings.Builder
		for _, name := range names {
			fmt.Fprintf(&b, "%s %s\n\nDo it.\n\n", level, name)
		}
		return b.String()
	}
	for _, test := range []struct {
		name, src string
		want      []string
	}{
		{"Tasks before Execution", "# Plan\n## Execution\n" + headings("###", "Phase 1: Backend", "Phase 2: Front") + "## Tasks\n1. Do A\n2. Do B\n3. Do C\n", []string{"1. Do A", "2. Do B", "3. Do C"}},
		{"Tasks before Implementation", "# Plan\n## Implementation\n" + headings("###", "1. Background", "2. Goals") + "## Tasks\n" + headings("###", "1. A", "2. B"), []string{"1. A", "2. B"}},
		{"a list of Tasks before headings below the title", "# Plan\n" + headings("###", "1. Overview", "2. Goals") + "## Tasks\n- [ ] A\n- [ ] B\n", []string{"A", "B"}},
		{"Task N", "# Plan\n\n" + headings("##", "Task 1: A", "Task 2: B"), []string{"Task 1: A", "Task 2: B"}},
		{"Task N.N below waves", "# Plan\n## Wave 1 — x\n" + headings("###", "Task 1.1 — A", "Task 1.2 — B") + "## Wave 2\n" + headings("###", "Task 2.1 — C") + "## Verification\n1. Open it\n", []string{"Task 1.1 — A", "Task 1.2 — B", "Task 2.1 — C"}},
		{"Task P1.1", "# Plan\n## P1 — x\n" + headings("###", "Task P1.1 — A", "Task P1.2 — B"), []string{"Task P1.1 — A", "Task P1.2 — B"}},
		{"Task A", "# Plan\n## What to Build\n" + headings("###", "Task A: x", "Task B: y") + "## Tests\n", []string{"Task A: x", "Task B: y"}},
		{"a check box", "# Plan\n" + headings("###", "[ ] Task 1: A", "[x] Task 2: B"), []string{"Task 1: A", "Task 2: B"}},
		{"Step N", "# Plan\n" + headings("##", "Step 1 — A", "Step 2 — B") + "## Definition of done\n", []string{"Step 1 — A", "Step 2 — B"}},
		{"steps of level 3", "# Plan\n" + headings("###", "Step 1: A", "Step 2: B", "Step 3: C"), []string{"Step 1: A", "Step 2: B", "Step 3: C"}},
		{"T1", "# Plan\n## Tasks\n" + headings("###", "T1: A", "T2: B") + "### Common Pattern\n## Files\n", []string{"T1: A", "T2: B"}},
		{"T1 below the title", "# Plan\n" + headings("###", "T1: A", "T2: B"), []string{"T1: A", "T2: B"}},
		{"T-01", "# Plan\n" + headings("###", "T-01: A", "T-02: B", "T-10: C"), []string{"T-01: A", "T-02: B", "T-10: C"}},
		{"a word in a section of tasks", "# Plan\n## Tasks\n" + headings("###", "Change 1: A", "Change 2: B"), []string{"Change 1: A", "Change 2: B"}},
		{"numbers in a section of tasks", "# Plan\n## Implementation Tasks\n" + headings("###", "1. A", "2. B") + "## Threats\n" + headings("###", "1. C", "2. D"), []string{"1. A", "2. B"}},
		{"numbers and letters", "# Plan\n## Implementation\n" + headings("###", "1a. A", "1b. B", "2a. C"), []string{"1a. A", "1b. B", "2a. C"}},
		{"numbers below the title", "# Plan 8\n" + headings("###", "1. A", "2. B"), []string{"1. A", "2. B"}},
		{"numbers without a title", headings("###", "1) A", "2) B"), []string{"1) A", "2) B"}},
		{"Portuguese", "# Plano\n" + headings("##", "Tarefa 1: A", "Tarefa 2: B"), []string{"Tarefa 1: A", "Tarefa 2: B"}},
		{"French", "# Plan\n" + headings("##", "Tâche 1 : A", "TÂCHE 2 : B"), []string{"Tâche 1 : A", "TÂCHE 2 : B"}},
		{"Russian", "# План\n" + headings("###", "Задача 1. A", "Задача 2. B"), []string{"Задача 1. A", "Задача 2. B"}},
		{"Chinese", "# 计划\n" + headings("##", "任务1：A", "任务2：B"), []string{"任务1：A", "任务2：B"}},
		{"German steps in a German section", "# Plan\n## Aufgaben\n" + headings("###", "Schritt 1: A", "Schritt 2: B"), []string{"Schritt 1: A", "Schritt 2: B"}},
		{"a numbered list", "# Plan\n## Goal\n1. no\n2. no\n## Tasks\n\n1. **A** — do.\n   - more\n\n2. **B** — do.\n```\n3. code\n```\n10. C\n\n## Verification\n1. no\n", []string{"1. **A** — do.", "2. **B** — do.", "10. C"}},
		{"a numbered check list", "## Tasks\n1. [ ] A\n2. [x] B\n", []string{"1. A", "2. B"}},
		{"a check list", "# Plan\n## Task Breakdown\n\n- [x] **A** — done\n- [ ] **B**\n  - [ ] part\n\n* [ ] C\n", []string{"**A** — done", "**B**", "C"}},
		{"a list and elements after it", "## Implementation Steps\n1) A\n2) B\n<verification>\n3) C\n</verification>\n", []string{"1) A", "2) B"}},
		{"a list of tasks in a list of tasks", "</tasks>\n## Tasks\n1. A\n2. B\n</tasks>\n3. C\n", []string{"1. A", "2. B"}},
		{"a list that is the plan", "---\ntype: quick\n---\n\n# Archive\n\n1. A\n2. B\n3. C\n", []string{"1. A", "2. B", "3. C"}},
		{"the first of two series", "# Plan\n## Steps\n" + headings("###", "1. A", "2. B") + "## Tasks\n" + headings("###", "1. C", "2. D"), []string{"1. A", "2. B"}},
		{"headings before a list", "# Plan\n## Steps\n1. no\n2. no\n### Step 1: A\n### Step 2: B\n", []string{"Step 1: A", "Step 2: B"}},
		{"tasks before steps", "# Plan\n" + headings("##", "Step 1: no", "Step 2: no") + headings("##", "Task 7: A"), []string{"Task 7: A"}},
	} {
		for _, newline := range []string{"\n", "\r\n"} {
			f := Parse([]byte(strings.ReplaceAll(test.src, "\n", newline)))
			var names []string
			for _, task := range f.Tasks {
				names = append(names, f.Name(task.Number))
			}
			if diff := cmp.Diff(test.want, names); diff != "" || f.Dialect != DialectHeading {
				t.Errorf("%s: dialect %s (-want +got):\n%s", test.name, f.Dialect, diff)
			}
			if err := checkSessionLaws(t, f); err != nil {
				t.Errorf("%s: %v", test.name, err)
			}
		}
	}
}

// What only looks like tasks: the whole plan is one task.
func TestNoTasks(t *testing.T) {
	for name, src := range map[string]string{
		"chapters":                          "# Plan\n## 1. Overview\n## 2. Schedule\n",
		"chapters of an implementation":     "# Implementation Plan\n## 1. Overview\n## 2. Schedule\n",
		"one step":                          "# Plan\n## Step 1: A\n## Verification\n",
		"one number":                        "## Tasks\n### 1. A\n",
		"numbers elsewhere":                 "# Plan\n## Validation Checks\n### 1. A\n### 2. B\n## Files to Modify\n### 1. C\n### 2. D\n",
		"steps elsewhere":                   "# Plan\n## Verification\n### Step 1: A\n### Step 2: B\n",
		"steps to verify":                   "# Plan\n## Verification Steps\n1. A\n2. B\n",
		"other words below the title":       "# Plan\n## Wave 1: A\n## Wave 2: B\n## Option A: x\n## Option B: y\n",
		"other letters below the title":     "# Plan\n## R1: A\n## R2: B\n",
		"no order":                          "# Plan\n## Tasks\n### 2. A\n### 1. B\n",
		"twice the same":                    "# Plan\n## Tasks\n### 1. A\n### 1. B\n",
		"two forms":                         "# Plan\n## Tasks\n### 1. A\n### Step 2: B\n",
		"two levels":                        "# Plan\n## Tasks\n### 1. A\n#### 2. B\n",
		"two sections":                      "# Plan\n## Tasks\n### 1. A\n## Steps\n### 2. B\n",
		"numbers in names":                  "# Plan\n## Tasks\n### 3 files\n### 4 files\n",
		"a task's description":              "## Task Description\n## Task x\n## Task OAuth2 login\n",
		"plural":                            "## Tasks 1\n",
		"a fence":                           "# Plan\n## Tasks\n```\n### 1. A\n### 2. B\n```\n",
		"a list elsewhere":                  "# Plan\n## Problem\n1. A\n2. B\n",
		"a list below the title among more": "# Plan\n1. A\n2. B\n## Verification\n",
		"a list not right below":            "## Tasks\nSome words.\n1. A\n2. B\n",
		"a list of one":                     "## Tasks\n1. A\n",
		"a list without boxes":              "## Tasks\n- A\n- B\n",
		"two lists in one":                  "## Tasks\n1. A\n2. B\n1. C\n",
		"a list of both kinds":              "## Tasks\n1. A\n- [ ] B\n",
		"a list in a fence":                 "## Tasks\n```\n1. A\n2. B\n```\n",
		"acceptance criteria":               "# Plan\n## Acceptance Criteria\n- [ ] A\n- [ ] B\n",
		"a long list":                       "## Tasks\n" + strings.Repeat("- [ ] A\n", maxItems+1),
	} {
		if f := Parse([]byte(src)); f.Dialect != DialectPlan || len(f.Tasks) != 1 {
			t.Errorf("%s: %d tasks of dialect %s", name, len(f.Tasks), f.Dialect)
		}
	}
	const elements = "<task>\n<name>A</name>\n</task>\n<feature>\n</feature>\n"
	if f := Parse([]byte("# Plan\n## Tasks\n### Task 1: A\n### 2. B\n1. C\n2. D\n" + elements)); f.Dialect != DialectTask || len(f.Tasks) != 1 {
		t.Errorf("%d tasks of dialect %s beside an element", len(f.Tasks), f.Dialect)
	}
}

// Any labels in one form and in order are the tasks, whatever stands between them, and they are these tasks in a session, too.
func TestSeriesLaw(t *testing.T) {
	rapid.Check(testenv.Laws(t), func(t *rapid.T) {
		form := rapid.SampledFrom([]string{"### Task %d: %s", "## Task P%d.1 — %s", "### [ ] Task %d - %s", "### Step %d: %s", "#### T%d: %s", "### T-%03d: %s", "### %d. %s", "### %d) %s", "## Tarefa %d: %s", "%d. %s", "%d. [ ] %s"}).Draw(t, "form")
		between := []string{"", "text\n", "1. step\n2. step\n", "#### More\n", "- [ ] part\n", "```\n### 99. code\n```\n", "<action>\nx\n</action>\n", "##### Step 1: deep\n"}
		isList := form[0] == '%'
		if isList {
			between = []string{"", "   text\n", "   1. step\n   2. step\n", "   - [ ] part\n", "text\n", "   ```\n99. code\n   ```\n"}
		}
		if strings.HasPrefix(form, "## ") || strings.HasPrefix(form, "####") { // no other tasks
			between[3] = "##### More\n"
		}
		var want []string
		var src strings.Builder
		src.WriteString(rapid.SampledFrom([]string{"", "# Plan\n\n", "# Plan\n## Goal\nx\n", "<objective>\nx\n</objective>\n"}).Draw(t, "before"))
		if isList || strings.Contains(src.String(), "Goal") {
			src.WriteString("# Implementation Steps\n")
		}
		number := 0
		for range rapid.IntRange(2, 12).Draw(t, "tasks") {
			number += rapid.IntRange(1, 30).Draw(t, "step")
			line := fmt.Sprintf(form, number, rapid.SampledFrom([]string{"A", "add `x`", "B: c"}).Draw(t, "name"))
			want = append(want, strings.TrimLeft(strings.Replace(line, "[ ] ", "", 1), "# "))
			src.WriteString(line + "\n" + rapid.SampledFrom(between).Draw(t, "between"))
		}
		f := Parse([]byte(src.String()))
		var got []string
		for _, task := range f.Tasks {
			got = append(got, f.Name(task.Number))
		}
		if diff := cmp.Diff(want, got); diff != "" {
			t.Fatalf("%s\n(-want +got):\n%s", src.String(), diff)
		}
		if err := checkSessionLaws(t, f); err != nil {
			t.Fatal(err)
		}
	})
}

func TestFollows(t *testing.T) {
	ids := strings.Fields("01 1a 1b 2 2.1 2.2 2.10 9 10 010a A B P1.1 P1.2 P2.1 P10.1")
	for i, a := range ids {
		for j, b := range ids {
			if got := follows(a, b); got != (i > j) {
				t.Errorf("%s after %s: %v", a, b, got)
			}
		}
	}
	if follows("1", "01") || follows("", "") || follows("", "1") {
		t.Error("an id that is none, or the same, follows")
	}
}

func TestSectionRank(t *testing.T) {
	for text, want := range map[string]bool{
		"Tasks": true, "Task": true, " Implementation Tasks ": true, "3. Implementation": true, "Implementation Order": true, "TASK BREAKDOWN": true, "Steps": true,
		"Execution Plan": true, "Tarefas": true, "Étapes": true, "任务": true,
		"": false, "Plan": false, "Plan 8": false, "Verification Steps": false, "Next Steps": false, "Task Description": false, "Validation Plan": false, "Order": false,
		"task task task task task": false, "Tasks" + strings.Repeat(" ", 4*maxID): false,
	} {
		if (sectionRank([]byte(text)) > 0) != want {
			t.Errorf("%q: %v", text, !want)
		}
	}
}
