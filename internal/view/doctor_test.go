package view

import (
	"testing"

	"github.com/gsd-cli/gsd/internal/action"
	"github.com/gsd-cli/gsd/internal/doctor"
	"github.com/gsd-cli/gsd/internal/printer"
	"github.com/gsd-cli/gsd/internal/problem"
)

func TestDiagnosis(t *testing.T) {
	t.Parallel()
	for _, test := range []struct {
		d    doctor.Diagnosis
		want string
	}{
		{
			doctor.Diagnosis{User: "ada", Project: "/notes", Plans: 1, Users: 2, Hosts: 1, Git: true, Notes: []problem.Warning{{Code: "n", Says: "so it\nis"}}},
			"note: so it is (n)\nnothing needs doing: you are ada, 1 open plan\nlooked at: 1 open plan, the sessions of 2 users, runs, breadcrumbs, hand-off notes, git's configuration, the gsd in PATH, gsd's state directory, the hooks of 1 host\n",
		},
		{doctor.Diagnosis{Project: "/notes"}, "nothing needs doing: 0 open plans\n"},
		{doctor.Diagnosis{User: "ada"}, "nothing needs doing: you are ada, not in a project\nlooked at: the gsd in PATH, gsd's state directory, the hooks of 0 hosts\n"},
		{doctor.Diagnosis{Findings: []doctor.Finding{
			{Warning: problem.Warning{Code: "a", Says: "it is\nbroken\x1b[2J", Path: "x\u202ey.md", Line: 7}, Fix: action.Action{Kind: action.AllowReading, ID: "/it's here/xy.md"}},
			{Warning: problem.Warning{Code: "b", Says: "so is it", Path: "y.md"}, Fix: action.Action{Kind: action.Reset, Task: 1}},
			{Warning: problem.Warning{Code: "c", Says: "only a person can"}},
		}, Warnings: []problem.Warning{{Code: "d", Says: "not all was read"}}}, `xy.md:7: it is broken (a)
  fix: chmod u+r '/it'\''s here/xy.md'   (lets you read it)
y.md: so is it (b)
  fix: gsd mark 1 pending -C notes   (sets it back, so that it is done again)
only a person can (c)
warning: not all was read (d)
`},
	} {
		var out printer.Buffer
		p := Printer{Writer: printer.NewWriter(&out, printer.Style{}, 0)}
		p.At.In = "notes"
		if p.Diagnosis(&test.d); out.String() != test.want {
			t.Errorf("%s, want %s", out.String(), test.want)
		}
	}
}
