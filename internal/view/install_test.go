package view

import (
	"path/filepath"
	"strings"
	"testing"

	"github.com/gsd-cli/gsd/internal/agent"
	"github.com/gsd-cli/gsd/internal/printer"
)

func TestInstall(t *testing.T) {
	t.Parallel()
	changes := []agent.Change{
		{Path: "/p/new", After: []byte("a\n")},
		{Path: "/p/old", Before: []byte("a\n")},
		{Path: "/p/both", Before: []byte("a\n"), After: []byte("b\n")},
	}
	const did, would = "  created  new\n  removed  old\n  changed  both\n", "  would create  new\n  would remove  old\n  would change  both\n"
	const undo = "try: gsd install claude --remove   (undoes it)\n"
	for _, test := range []struct {
		name   string
		action InstallAction
		plan   agent.Plan
		want   string
		works  bool
	}{
		{"installed", "install", agent.Plan{Changes: changes}, "claude, scope project: installed\n" + did + agent.AfterInstall("claude") + "\n" + undo, false},
		{"shared", "install", agent.Plan{Changes: changes, Shared: true}, "claude, scope project: installed\n" + did +
			"commit these files, and everybody who works on the project has it; colleagues without gsd are not disturbed\n" + agent.AfterInstall("claude") + "\n" + undo, false},
		{"already", "install", agent.Plan{State: agent.Complete}, "claude, scope project: already installed\n", true},
		{"removed", "remove", agent.Plan{Changes: changes, State: agent.Partly}, "claude, scope project: removed\n" + did, false},
		{
			"removed from git", "remove",
			agent.Plan{Changes: changes, State: agent.Partly, Shared: true},
			"claude, scope project: removed\n" + did + "if git tracks these files, commit this, too: until then everybody else has them\n", false,
		},
		{"nothing", "remove", agent.Plan{}, "claude, scope project: not installed, nothing to remove\n", false},
		{
			"checked", "check",
			agent.Plan{State: agent.Outdated, Changes: changes, Notes: []string{"a\nnote"}},
			"claude, scope project: installed in another form; `gsd install` brings it up to date\n" + would + "note: a note\n", false,
		},
		{"absent", "check", agent.Plan{State: agent.Absent, Inactive: true}, "claude, scope project: not installed\n", false},
		{"idle", "check", agent.Plan{State: agent.Complete, Inactive: true}, "claude, scope project: installed, but its hooks will not run\n", false},
		{"twice", "check", agent.Plan{State: agent.Complete, Twice: true}, "claude, scope project: installed, but another installation also runs gsd\n", false},
		{"works", "check", agent.Plan{State: agent.Complete}, "claude, scope project: installed\n", true},
		{
			"dry", "dry-run",
			agent.Plan{Changes: changes[2:], Notes: []string{"note"}},
			"diff a/both b/both\n--- a/both\n+++ b/both\n@@ -1,1 +1,1 @@\n-a\n+b\nnote: note\n", false,
		},
		{"dry removal of nothing", "dry-run-remove", agent.Plan{}, "", false},
	} {
		test.plan.Where = agent.Where{Host: agent.Claude, Scope: agent.Project, Show: filepath.Base}
		in := NewInstall(&test.plan, test.action)
		if got := printed(printer.Style{}, func(p *Printer) { p.Install(in) }); got != test.want || in.Works() != test.works {
			t.Errorf("%s, works %v:\n%s\nwant\n%s", test.name, in.Works(), got, test.want)
		}
	}
	user := &Install{Host: agent.Claude, Scope: agent.User, Action: "install", Changes: []InstallChange{{}}}
	if got := printed(printer.Style{}, func(p *Printer) { p.Install(user) }); !strings.Contains(got, "gsd install claude --scope user --remove") {
		t.Errorf("%s", got)
	}
}

func TestHosts(t *testing.T) {
	t.Parallel()
	hosts := []agent.Installed{
		{Host: agent.Claude, Found: true, Scopes: []agent.InScope{
			{Scope: agent.Project, State: agent.Outdated},
			{Scope: agent.User, State: agent.Complete, Faults: []agent.Fault{{}}},
			{Scope: agent.Local, Problem: "cannot be\nread"},
			{Scope: agent.Local, State: agent.Absent},
		}, Notes: []string{"one\nnote"}},
		{Host: agent.OpenCode, Scopes: []agent.InScope{{Scope: agent.User, State: agent.Absent}}},
	}
	const want = "claude    found; installed in another form for project, installed for user, but its hooks will not run, local: cannot be read\n" +
		"          note: one note\nopencode  not found on this machine; not installed\n" +
		"`gsd install HOST` installs it in this project; `gsd install HOST --scope user` in all your projects\n"
	if got := printed(printer.Style{}, func(p *Printer) { p.Hosts(Hosts{hosts}) }); got != want {
		t.Errorf("%s\nwant\n%s", got, want)
	}
}
