package app_test

import (
	"testing"

	"github.com/gsd-cli/gsd/internal/app"
	"github.com/gsd-cli/gsd/planfile"
)

// TestDispatchedTo: what is known of a plan that an agent is sent to, while the user has a session on another one, on the same, or on none.
func TestDispatchedTo(t *testing.T) {
	t.Parallel()
	const finished, open = ".planning/phases/01-a/01-01-PLAN.md", ".planning/phases/01-a/01-02-PLAN.md"
	for _, test := range []struct {
		name    string
		session string // the plan that it is on
		to      string
		known   bool
		own     bool
		summary bool
	}{
		{"finished", "", finished, true, false, true},
		{"finished, with a session on another plan", open, finished, true, false, true},
		{"carried out again", finished, finished, true, true, false},
		{"begun", open, open, true, true, false},
		{"not begun", "", open, false, false, false},
		{"not begun, with a session on another plan", finished, open, false, false, false},
		{"no plan", "", ".planning/phases/01-a/01-03-PLAN.md", false, false, false},
	} {
		t.Run(test.name, func(t *testing.T) {
			t.Parallel()
			p := projectOf(t, filesIn("phases/01-a/01-01-PLAN.md phases/01-a/01-01-SUMMARY.md phases/01-a/01-02-PLAN.md"))
			if test.session != "" {
				if _, err := p.Bootstrap(t.Context(), app.BootstrapOptions{User: user, Plan: test.session, Again: true}); err != nil {
					t.Fatal(err)
				}
				mark(t, p, 1, planfile.Complete)
				p.Forget()
			}
			d := p.DispatchedTo(user, test.to)
			if (d != nil) != test.known || d != nil && (d.Own != test.own || (d.Summary != "") != test.summary) {
				t.Errorf("%+v", d)
			}
		})
	}
}
