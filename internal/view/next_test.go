package view

import (
	"testing"

	"github.com/gsd-cli/gsd/hydrate"
	"github.com/gsd-cli/gsd/internal/verdict"
)

func TestNext(t *testing.T) {
	t.Parallel()
	const plan = ".planning/phases/03-a/03-01-PLAN.md"
	also := []verdict.PlanRef{{Plan: "a", ID: "03-02"}, {Plan: "b-PLAN.md", Begun: true}}
	for _, test := range []struct {
		name string
		next verdict.Next
		want string
	}{
		{
			"a plan",
			verdict.Next{Plan: plan, ID: "03-01", Phase: "3", Autonomous: true, Because: []string{"it is\nin flight"}, AlsoReady: also},
			"next: 03-01 " + plan + "\n  it is in flight\nalso ready  03-02  a\n            b-PLAN.md  (in flight)\n",
		},
		{
			"what it says of itself",
			verdict.Next{Plan: plan, ID: "03-01", Wave: new(0), Gaps: true},
			"next: 03-01 " + plan + "  (wave 0, not autonomous, closes gaps)\n",
		},
		{"no id", verdict.Next{Plan: "x-PLAN.md", Autonomous: true}, "next: x-PLAN.md\n"},
		{
			"only the summary is missing",
			verdict.Next{Plan: plan, ID: "03-01", Summary: "03-01-SUMMARY.md", Autonomous: true},
			"next: write the summary of 03-01 03-01-SUMMARY.md\n",
		},
		{"a phase", verdict.Next{Phase: "4", Wave: new(1), Autonomous: true, AlsoReady: also[:1]}, "next: plan phase 4\nleft open  03-02  a\n"},
		{
			"not verified",
			verdict.Next{Phase: "4", Verification: "gaps_found", Autonomous: true, AlsoReady: also[:1]},
			"next: finish phase 4\nalso ready  03-02  a\n",
		},
		{"a long number", verdict.Next{Phase: "PROJECT-4711", Autonomous: true}, "next: plan phase PROJECT-4711\n"},
		{"too long a number", verdict.Next{Phase: "PROJECT-47110", Autonomous: true}, "next: plan phase PROJECT-471…\n"},
		{"left behind", verdict.Next{Autonomous: true, AlsoReady: also[:1]}, "no next plan\nleft open  03-02  a\n"},
		{"nothing", verdict.Next{Autonomous: true, Because: []string{"every plan has its summary"}}, "no plans left\n  every plan has its summary\n"},
	} {
		if got := printed(Style{}, func(p *Printer) { p.Next(&test.next) }); got != test.want {
			t.Errorf("%s:\n%s\nwant\n%s", test.name, got, test.want)
		}
	}
}

func TestNextAnswer(t *testing.T) {
	t.Parallel()
	answer := &hydrate.NextAnswer{
		Next:     &verdict.Next{Plan: "a b-PLAN.md", Autonomous: true},
		Commands: []hydrate.Command{{Words: []string{"gsd", "bootstrap", "a b-PLAN.md"}, Does: "starts"}, {Words: []string{"gsd", "hydrate"}, Does: "looks"}},
		Warnings: []hydrate.Warning{{Code: "code", Detail: "it is\nodd"}},
	}
	const want = "next: a b-PLAN.md\ntry: gsd bootstrap 'a b-PLAN.md'   (starts)\ntry: gsd hydrate   (looks)\nwarning: it is odd (code)\n"
	if got := printed(Style{}, func(p *Printer) { p.NextAnswer(answer) }); got != want {
		t.Errorf("%s\nwant\n%s", got, want)
	}
}
