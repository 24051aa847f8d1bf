package view

import (
	"testing"

	"github.com/gsd-cli/gsd/hydrate"
	"github.com/gsd-cli/gsd/internal/action"
	"github.com/gsd-cli/gsd/internal/doctor"
	"github.com/gsd-cli/gsd/internal/printer"
)

func TestDiagnosis(t *testing.T) {
	t.Parallel()
	for _, test := range []struct {
		d    doctor.Diagnosis
		want string
	}{
		{
			doctor.Diagnosis{User: "ada", Project: "/notes", Plans: 1, LookedAt: []string{"1 open plan", "runs"}, Notes: []doctor.Note{{Code: "n", Detail: "so it\nis"}}},
			"note: so it is (n)\nnothing needs doing: you are ada, 1 open plan\nlooked at: 1 open plan, runs\n",
		},
		{doctor.Diagnosis{Project: "/notes", LookedAt: []string{"0 open plans"}}, "nothing needs doing: 0 open plans\n"},
		{doctor.Diagnosis{User: "ada", LookedAt: []string{"runs"}}, "nothing needs doing: you are ada, not in a project\nlooked at: runs\n"},
		{doctor.Diagnosis{Findings: []doctor.Finding{
			{Code: "a", Detail: "it is\nbroken\x1b[2J", Path: "x\u202ey.md", Line: 7, Fix: action.Action{Kind: action.AllowReading, ID: "/it's here/xy.md"}},
			{Code: "b", Detail: "so is it", Path: "y.md", Fix: action.Action{Kind: action.Reset, Task: 1}},
			{Code: "c", Detail: "only a person can"},
		}, Warnings: []hydrate.Warning{{Code: "d", Detail: "not all was read"}}}, `xy.md:7: it is broken (a)
  fix: chmod u+r '/it'\''s here/xy.md'   (lets you read it)
y.md: so is it (b)
  fix: gsd -C notes mark 1 pending   (sets it back, so that it is done again)
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
