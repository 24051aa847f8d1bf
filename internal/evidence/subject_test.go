package evidence

import (
	"slices"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/google/go-cmp/cmp"
)

func TestParseSubject(t *testing.T) {
	t.Parallel()
	for line, want := range map[string]Subject{
		"":                                    {},
		"feat(03-01): create schema":          {Type: "feat", Plans: []string{"3-1"}, Scoped: true, Text: "create schema"},
		"Feat(3-1)!: create schema":           {Type: "feat", Plans: []string{"3-1"}, Scoped: true, Text: "create schema"},
		"feat(02.1-03): x":                    {Type: "feat", Plans: []string{"2.1-3"}, Scoped: true, Text: "x"},
		"feat(12A-03): x":                     {Type: "feat", Plans: []string{"12A-3"}, Scoped: true, Text: "x"},
		"feat(PROJ-03-01): x":                 {Type: "feat", Plans: []string{"3-1"}, Scoped: true, Text: "x"},
		"feat(03-01-T2): x":                   {Type: "feat", Plans: []string{"3-1"}, Scoped: true, Tasks: []int{2}, Text: "x"},
		"feat(03-01-task-2): x":               {Type: "feat", Plans: []string{"3-1"}, Scoped: true, Tasks: []int{2}, Text: "x"},
		"feat(03-01 task 2): x":               {Type: "feat", Plans: []string{"3-1"}, Scoped: true, Tasks: []int{2}, Text: "x"},
		"feat(03-01.2): x":                    {Type: "feat", Plans: []string{"3-1"}, Scoped: true, Tasks: []int{2}, Text: "x"},
		"feat(03-01, 03-02): x":               {Type: "feat", Plans: []string{"3-1", "3-2"}, Scoped: true, Text: "x"},
		"feat(phase-03): x":                   {Type: "feat", Phase: "3", Text: "x"},
		"feat(phase 3 plan 1): x":             {Type: "feat", Plans: []string{"3-1"}, Scoped: true, Text: "x"},
		"docs(03-data-layer): x":              {Type: "docs", Phase: "3", Text: "x"},
		"docs(03-2fa): x":                     {Type: "docs", Phase: "3", Text: "x"},
		"feat(quick-007): x":                  {Type: "feat", Plans: []string{"quick-7"}, Scoped: true, Text: "x"},
		"feat(auth): x":                       {Type: "feat", Text: "x"},
		"feat(auth): x (03-01)":               {Type: "feat", Plans: []string{"3-1"}, Text: "x (03-01)"},
		"feat(v1): x of plan 3-1":             {Type: "feat", Plans: []string{"3-1"}, Text: "x of plan 3-1"},
		"[03-01] create schema":               {Plans: []string{"3-1"}, Scoped: true, Text: "create schema"},
		"[03-01] feat: create schema":         {Type: "feat", Plans: []string{"3-1"}, Scoped: true, Text: "create schema"},
		"[03-01]: create schema":              {Plans: []string{"3-1"}, Scoped: true, Text: "create schema"},
		"03-01: create schema":                {Plans: []string{"3-1"}, Scoped: true, Text: "create schema"},
		"Phase 3 Plan 1 Task 2: schema":       {Plans: []string{"3-1"}, Scoped: true, Tasks: []int{2}, Text: "schema"},
		"Task 2: create schema":               {Tasks: []int{2}, Text: "create schema"},
		"feat(03-01): Task 2 - schema":        {Type: "feat", Plans: []string{"3-1"}, Scoped: true, Tasks: []int{2}, Text: "schema"},
		"feat(03-01): schema (task 2)":        {Type: "feat", Plans: []string{"3-1"}, Scoped: true, Tasks: []int{2}, Text: "schema (task 2)"},
		"feat(03-01): task 2/3: schema":       {Type: "feat", Plans: []string{"3-1"}, Scoped: true, Tasks: []int{2}, Text: "schema"},
		"feat(03-01): T2: schema":             {Type: "feat", Plans: []string{"3-1"}, Scoped: true, Tasks: []int{2}, Text: "schema"},
		"feat(03-01): schema before task 4":   {Type: "feat", Plans: []string{"3-1"}, Scoped: true, Text: "schema before task 4"},             // F3
		"feat(03-01): task 1-click creation":  {Type: "feat", Plans: []string{"3-1"}, Scoped: true, Text: "task 1-click creation"},            // F3
		"feat(03-01): T2 instances autoscale": {Type: "feat", Plans: []string{"3-1"}, Scoped: true, Text: "T2 instances autoscale"},           // F3
		"feat(03-01): complete task 2":        {Type: "feat", Plans: []string{"3-1"}, Scoped: true, Tasks: []int{2}, Text: "complete task 2"}, // F3
		"schema (03-01, task 2 of 3)":         {Plans: []string{"3-1"}, Tasks: []int{2}, Text: "schema (03-01, task 2 of 3)"},
		`Revert "x (#12)" (#13)`:              {Type: "revert", Text: `Revert "x (#12)" (#13)`, Reverts: "x (#12)"}, // F6
		`⏪ Reverted "x"`:                      {Type: "revert", Text: `⏪ Reverted "x"`, Reverts: "x"},               // F8
		"revert(03-01): x":                    {Type: "revert", Plans: []string{"3-1"}, Scoped: true, Text: "x", Reverts: "x"},
		"revert feat(03-01): x":               {Type: "revert", Text: "revert feat(03-01): x", Reverts: "feat(03-01): x"},
		"tasks 1-3: all":                      {Tasks: []int{1, 2, 3}, Text: "all"},
		"tasks 1, 2 and 4: all":               {Tasks: []int{1, 2, 4}, Text: "all"},
		"feat: tasks 2.5 times as fast":       {Type: "feat", Text: "tasks 2.5 times as fast"},
		"fix: multitask 2":                    {Type: "fix", Text: "multitask 2"},
		"fix: wait 2-3 seconds":               {Type: "fix", Text: "wait 2-3 seconds"},
		"chore: release 2026-03-01":           {Type: "chore", Text: "release 2026-03-01"},
		"chore: bump v1.03-01":                {Type: "chore", Text: "bump v1.03-01"},
		"feat(03-01/2): x":                    {Type: "feat", Plans: []string{"3-1"}, Scoped: true, Tasks: []int{2}, Text: "x"},
		"no type at all":                      {Text: "no type at all"},
		`Revert "feat(03-01): x"`:             {Type: "revert", Text: `Revert "feat(03-01): x"`, Reverts: "feat(03-01): x"},
		`Revert "Revert "x""`:                 {Type: "revert", Text: `Revert "Revert "x""`, Reverts: `Revert "x"`},
		`Reapply "x"`:                         {Type: "revert", Text: `Reapply "x"`, Reverts: `Revert "x"`},
		"revert: feat(03-01): x":              {Type: "revert", Text: "feat(03-01): x", Reverts: "feat(03-01): x"},
		"UNDO: feat(03-01): x":                {Type: "revert", Text: "feat(03-01): x", Reverts: "feat(03-01): x"},
		"[revert] feat(03-01): x":             {Type: "revert", Text: "feat(03-01): x", Reverts: "feat(03-01): x"},
		"revert(feat(03-01)): x":              {Type: "revert", Plans: []string{"3-1"}, Scoped: true, Text: "x", Reverts: "x"},
		`revert(03-01): "x"`:                  {Type: "revert", Plans: []string{"3-1"}, Scoped: true, Text: "x", Reverts: "x"},
		"Revert 'x's y'":                      {Type: "revert", Text: "Revert 'x's y'", Reverts: "x's y"},
		"Revert `x` (#13)":                    {Type: "revert", Text: "Revert `x` (#13)", Reverts: "x"},
		"Reverted “x…":                        {Type: "revert", Text: "Reverted “x…", Reverts: "x…"},
		"feat(03-01): x [skip ci]":            {Type: "feat", Plans: []string{"3-1"}, Scoped: true, Text: "x"},
		"(CI skip) feat(03-01): x":            {Type: "feat", Plans: []string{"3-1"}, Scoped: true, Text: "x"},
		"[WIP] feat(03-01): x":                {Type: "wip", Plans: []string{"3-1"}, Scoped: true, Text: "x"},
		`feat(03-01): revert "x"`:             {Type: "revert", Plans: []string{"3-1"}, Scoped: true, Text: "x", Reverts: "x"},
		"fix: revert x":                       {Type: "revert", Text: "x", Reverts: "x"},
		"Revert commit abc: feat(03-01): x":   {Type: "revert", Text: "Revert commit abc: feat(03-01): x", Reverts: "feat(03-01): x"},
		"feat(03-01): undo x":                 {Type: "feat", Plans: []string{"3-1"}, Scoped: true, Text: "undo x"},
		"feat(03-01 (auth)): x":               {Type: "feat", Plans: []string{"3-1"}, Scoped: true, Text: "x"},
	} {
		if diff := cmp.Diff(want, ParseSubject(line)); diff != "" {
			t.Errorf("%q: want (-), got (+):\n%s", line, diff)
		}
	}
}

// FuzzParseSubject holds the law that a subject names only what is in it, each once and in one spelling, and that
// a plan in the scope is found behind any text.
func FuzzParseSubject(f *testing.F) {
	for _, s := range []string{
		"feat(03-01): create schema", "[3-1] x", "Task 2: x", "tasks 1-3, 5 and 7", `Revert "x"`, "docs(phase-03)!: y",
		"03.1-02-T3: z", "feat(PROJ-3-1 task 2/3): a", "T9) é", "x (03-01, 03-02)", "feat((03-01): )", "quick-007: x",
	} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, line string) {
		s := ParseSubject(line)
		if utf8.ValidString(line) && !utf8.ValidString(s.Text) {
			t.Errorf("text %.50q is not UTF-8", s.Text)
		}
		if s.Reverts == "" && utf8.ValidString(line) && !strings.Contains(line, s.Text) {
			t.Errorf("text %.50q is not in the line", s.Text)
		}
		if s.Scoped != (s.Scoped && len(s.Plans) > 0) || s.Phase != "" && s.Scoped {
			t.Errorf("%+v", s)
		}
		for i, n := range s.Tasks {
			if n < 1 || slices.Contains(s.Tasks[:i], n) || !strings.ContainsAny(line, "0123456789") {
				t.Errorf("tasks %v", s.Tasks)
			}
		}
		for i, key := range s.Plans {
			if slices.Contains(s.Plans[:i], key) || !strings.ContainsAny(line, "-/0123456789") {
				t.Errorf("plans %q", s.Plans)
			}
			if again := ParseSubject("feat(" + key + "): x"); !slices.Contains(again.Plans, key) {
				t.Errorf("%q is read as %q", key, again.Plans)
			}
		}
		if utf8.ValidString(line) && len(line) < longestSubject/2 {
			if got := ParseSubject("feat(03-01): " + line); !slices.Equal(got.Plans, []string{"3-1"}) || !got.Scoped {
				t.Errorf("behind a scope: %+v", got)
			}
		}
	})
}
