package verdict

import (
	"testing"

	"github.com/gsd-cli/gsd/internal/progress"
	"github.com/gsd-cli/gsd/internal/project"
	"github.com/gsd-cli/gsd/internal/session"
	"github.com/gsd-cli/gsd/planfile"
)

// TestIsOf: a session file is the session of a breadcrumb, and all of it.
func TestIsOf(t *testing.T) {
	t.Parallel()
	s := planfile.Parse([]byte("<!-- Plan: a/./p -->\n<!-- Started: t -->\n<!-- Plan-Digest: sha256:AA -->\n\n<task status=\"pending\">x</task>\n"))
	for _, test := range []struct {
		c         session.Crumb
		is, holds bool
	}{
		{session.Crumb{Started: "t", Plan: "a/p", Tasks: make([]progress.Task, 1)}, true, true},
		{session.Crumb{Started: "t", Plan: "a/p", Tasks: make([]progress.Task, 2)}, true, false},
		{session.Crumb{Started: "u", Plan: "a/p"}, false, false},
		{session.Crumb{Started: "t", Plan: "q"}, false, false},
		{session.Crumb{Started: "t", Plan: "q", Digest: "sha256:aa"}, true, true},
	} {
		if IsOf(s, &test.c) != test.is || Holds(s, &test.c) != test.holds {
			t.Errorf("%+v", test.c)
		}
	}
	s.Header.Digest = ""
	if IsOf(s, &session.Crumb{Started: "t", Plan: "q"}) {
		t.Error("no digest is a digest")
	}
}

// TestNamed: which headers name no plan, and why.
func TestNamed(t *testing.T) {
	t.Parallel()
	var p Project
	p.Planning = &project.Project{}
	for header, want := range map[string]string{"": "", "../x": "its Plan: header names a file outside .planning/", "a.md": "its Plan: header names a file outside .planning/", ".planning/\x01": "its Plan: header is not a path"} {
		if got := p.Named(planfile.Header{Plan: header}); got.Invalid != want || got.Path != "" {
			t.Errorf("%q: %+v", header, got)
		}
	}
}
