package status_test

import (
	"os"
	"path/filepath"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/gsd-cli/gsd/hydrate"
	"github.com/gsd-cli/gsd/internal/status"
)

// TestLinkedWorkstream: a link to a workstream is another name of it, to be chosen by, and no other workstream.
func TestLinkedWorkstream(t *testing.T) {
	p := projectOf(t, map[string]string{"workstreams/api/phases/01-a/01-01-PLAN.md": "wave: 1"})
	if err := os.Symlink("api", filepath.Join(p.Dir, ".planning", "workstreams", "current")); err != nil {
		t.Skip("no links here:", err)
	}
	for _, name := range []string{"", "api", "current"} {
		p := reopen(t, p.Dir)
		p.ChooseRoot("", name)
		st := statusOf(t, p, "ada")
		if st.Next.ID != "01-01" || st.Next.Ambiguous || len(st.Warnings) > 0 {
			t.Errorf("%q: next %+v, warnings %+v", name, st.Next, st.Warnings)
		}
	}
}

// gsd next and gsd status name the same plan.
func TestNextIsStatusNext(t *testing.T) {
	for _, c := range []struct {
		name  string
		files map[string]string
		want  string // the phase
	}{
		{name: "plain", files: map[string]string{"phases/03-a/03-01-PLAN.md": ""}, want: "3"},
		{
			name: "archived phases that the roadmap does not tick",
			files: map[string]string{
				"ROADMAP.md": "## v1.0 Old\n### Phase 1: A\n## v1.1 New\n### Phase 2: B\n", "milestones/v1.0-phases/01-a/01-01-PLAN.md": "",
				"milestones/v1.0-phases/01-a/01-01-SUMMARY.md": "",
			},
			want: "2",
		},
	} {
		t.Run(c.name, func(t *testing.T) {
			p := projectOf(t, c.files)
			answer, err := reopen(t, p.Dir).Next("ada", time.Now())
			if err != nil {
				t.Fatal(err)
			}
			n, st := answer.Next, statusOf(t, p, "ada")
			if n.Phase != c.want || st.Next.Phase != c.want || st.Next.Plan != n.Plan {
				t.Errorf("next is %q of phase %q, in status %q of phase %q; want phase %q", n.Plan, n.Phase, st.Next.Plan, st.Next.Phase, c.want)
			}
		})
	}
}

func TestNextReadsOnly(t *testing.T) {
	p := projectOf(t, map[string]string{"phases/03-a/03-01-PLAN.md": "", "ROADMAP.md": "### Phase 3: A\n"})
	before := takePicture(t, p.Dir)
	if _, err := reopen(t, p.Dir).Next("ada", time.Now()); err != nil {
		t.Fatal(err)
	}
	if _, err := status.Of(p, status.Options{User: "ada", Timeline: true}); err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(before, takePicture(t, p.Dir)); diff != "" {
		t.Error(diff)
	}
}

func statusOf(t *testing.T, p *hydrate.Project, user string) *status.Status {
	t.Helper()
	st, err := status.Of(p, status.Options{User: user})
	if err != nil {
		t.Fatal(err)
	}
	return st
}

func TestStatusWaiting(t *testing.T) {
	p := projectOf(t, map[string]string{"phases/03-a/03-01-PLAN.md": "", "phases/03-a/03-02-PLAN.md": "depends_on: [03-01]\n"})
	st, err := status.Of(p, status.Options{User: "ada", Timeline: true})
	if err != nil {
		t.Fatal(err)
	}
	if len(st.Waiting) != 1 || st.Waiting[0].ID != "03-02" || len(st.Waiting[0].For) != 1 || st.Waiting[0].For[0].ID != "03-01" {
		t.Errorf("%+v", st.Waiting)
	}
}
