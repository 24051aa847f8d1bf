package app_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/gsd-cli/gsd/internal/answer"
	"github.com/gsd-cli/gsd/internal/app"
	"github.com/gsd-cli/gsd/internal/apptest"
	"github.com/gsd-cli/gsd/internal/seedtest"
	"github.com/gsd-cli/gsd/planfile"
)

// TestShellSession: a session that the original script made does not say which bytes its plan had. Its text does.
func TestShellSession(t *testing.T) {
	t.Parallel()
	const plan = "---\nplan: 1\n---\n\n<objective>Notes.</objective>\n\n<tasks>\n<task type=\"auto\">\n  <name>A</name>\n  <action>One.</action>\n</task>\n\n" +
		"<task type=\"checkpoint:human-verify\" gate=\"blocking\">\n  <name>B</name>\n  <action>Two.</action>\n</task>\n</tasks>\n"
	for _, test := range []struct{ name, plan string }{
		{"plain", plan},
		{"CRLF", strings.ReplaceAll(plan, "\n", "\r\n")},
		{"no final newline", strings.TrimSuffix(plan, "\n")},
		{"examples", plan + "\nWrite `<task type=\"auto\">` so:\n\n```xml\n<task type=\"auto\">\n</task>\n```\n"},
		{"a status in the plan", strings.Replace(plan, "<task type=\"check", "<task type=\"auto\" status=\"pending\">\n<name>C</name>\n</task>\n<task type=\"check", 1)},
		{"comments first", "<!-- A plan. -->\n\n" + plan},
		{"a tag of several lines", strings.Replace(plan, "<task type=\"check", "<task\n  type=\"check", 1)},
		{"a feature beside", plan + "<feature>\n<name>F</name>\n</feature>\n"},
	} {
		t.Run(test.name, func(t *testing.T) {
			p := newProject(t)
			p.Now = now
			name := filepath.Join(p.Dir, filepath.FromSlash(planPath))
			write(t, name, test.plan)
			isEdited := func(want bool) {
				t.Helper()
				p, err := app.Open(p.Dir) // each file is read once
				if err != nil {
					t.Fatal(err)
				}
				defer p.Close()
				if r, err := p.Hydrate(user); err != nil || r.IsEdited() != want || r.Verdict != answer.Resume {
					t.Fatalf("edited %v, want %v: %s %v %v", r.IsEdited(), want, r.Verdict, r.Warnings, err)
				}
			}
			seedtest.Run(t, p.Dir, "bootstrap_session "+planPath+" .planning/sessions/"+user)
			isEdited(false)
			seedtest.Run(t, p.Dir, "update_task_status .planning/sessions/"+user+"/current-plan.md 1 complete")
			isEdited(false)
			write(t, name, strings.Replace(test.plan, "Two.", "Three.", 1))
			isEdited(true)
			p, err := app.Open(p.Dir)
			if err != nil {
				t.Fatal(err)
			}
			defer p.Close()
			b, err := apptest.At(p, now).Bootstrap(t.Context(), app.BootstrapOptions{User: user, Plan: planPath, Wait: time.Second})
			if err != nil || b.Kept || b.Session.Tasks[0].Status != planfile.Complete {
				t.Fatalf("%v, kept %v, %+v", err, b.Kept, b.Session.Tasks)
			}
			if text, err := os.ReadFile(filepath.Join(p.Dir, filepath.FromSlash(b.Path))); err != nil || !strings.Contains(string(text), "Three.") {
				t.Errorf("%v\n%s", err, text)
			}
			isEdited(false)
		})
	}
}
