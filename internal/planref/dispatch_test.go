package planref

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// upstreamDispatch is the beginning and the end of gsd-core's prompt for an executor (1.14, workflows/execute-phase.md).
const upstreamDispatch = `
       <objective>
       Execute plan 02 of phase 03-api.
       [gsd:dispatch phase="03" plan="03-02"]
       Commit each task atomically. Create SUMMARY.md.
       </objective>

       <execution_context>
       Execute 01-01-PLAN.md [Plan X of Y for Phase Z]. cat .planning/phases/XX-name/{phase}-{plan}-PLAN.md; ls *-PLAN.md
       </execution_context>

       <required_reading>
       - ${PROJECT_ROOT}/.planning/phases/03-api/03-02-PLAN.md (Plan)
       - ${PROJECT_ROOT}/.planning/STATE.md (State)
       - ${PROJECT_ROOT}/.planning/phases/03-api/03-01-SUMMARY.md
       </required_reading>
`

func TestParseDispatch(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		name, prompt string
		want         Dispatch
		not          bool
	}{
		{name: "upstream's", prompt: upstreamDispatch, want: Dispatch{
			IDs:    []string{"03-02"},
			Chosen: []string{"01-01-PLAN.md", "/.planning/phases/03-api/03-02-PLAN.md"},
			Paths:  []string{"01-01-PLAN.md", "/.planning/phases/03-api/03-02-PLAN.md"},
		}},
		{name: "a mark with a slug, far down", prompt: "You are the executor.\n" + strings.Repeat("x\n", requestBytes) + `[gsd:dispatch phase="2.1" plan="02.1-03-auth"]`, want: Dispatch{IDs: []string{"02.1-03-auth"}}},
		{name: "a mark with the plan's number alone", prompt: `[gsd:dispatch plan="3" phase="2"]`, want: Dispatch{IDs: []string{"02-03"}}},
		{name: "a mark without a plan", prompt: `[gsd:dispatch phase="2"]`, not: true},
		{name: "a mark that is a template", prompt: `[gsd:dispatch phase="{phase_number}" plan="{plan_id}"]`, not: true},
		{name: "a quick task's", prompt: "\nExecute quick task 260101-abc.\n\n<required_reading>\n- .planning/quick/260101-abc-note/260101-abc-PLAN.md (Plan)\n", want: Dispatch{
			Chosen: []string{".planning/quick/260101-abc-note/260101-abc-PLAN.md"}, Paths: []string{".planning/quick/260101-abc-note/260101-abc-PLAN.md"},
		}},
		{name: "a path and its dependencies", prompt: "Execute the plan at @.planning/phases/01-a/01-02-PLAN.md.\nIt depends on .planning/phases/01-a/01-01-PLAN.md.", want: Dispatch{
			Chosen: []string{"@.planning/phases/01-a/01-02-PLAN.md"},
			Paths:  []string{"@.planning/phases/01-a/01-02-PLAN.md", ".planning/phases/01-a/01-01-PLAN.md"},
		}},
		{name: "in code", prompt: "Please implement `/w/p/.planning/phases/1-a/1-2-PLAN.md`, all tasks.", want: Dispatch{
			Chosen: []string{"/w/p/.planning/phases/1-a/1-2-PLAN.md"}, Paths: []string{"/w/p/.planning/phases/1-a/1-2-PLAN.md"},
		}},
		{name: "an id", prompt: "You are a careful engineer. Continue plan 02.1-03, from task 2.", want: Dispatch{IDs: []string{"02.1-03"}}},
		{name: "a named phase's", prompt: "**Task:** execute plan AUTH-01", want: Dispatch{IDs: []string{"AUTH-01"}}},
		{name: "an id at the end of a sentence", prompt: "Pick up plan 01-02.", want: Dispatch{IDs: []string{"01-02"}}},
		{name: "numbers of both", prompt: "I want you to carry out plan 2 in phase 3.", want: Dispatch{IDs: []string{"03-02"}}},
		{name: "in a tag", prompt: "<task>Execute plan 01-02</task>", want: Dispatch{IDs: []string{"01-02"}}},
		{name: "as your task", prompt: "Your task: execute plan 01-02", want: Dispatch{IDs: []string{"01-02"}}},
		{name: "in a list", prompt: "To do:\n1. Execute plan 01-02\n- Execute plan 01-03", want: Dispatch{IDs: []string{"01-02", "01-03"}}},
		{name: "a mark with a file's stem", prompt: `[gsd:dispatch phase="01" plan="01-PLAN"]`, want: Dispatch{IDs: []string{"01-01"}}},
		{name: "no number", prompt: "Execute plan B.", want: Dispatch{}},
		{name: "a review", prompt: "Review .planning/phases/01-a/01-02-PLAN.md before somebody can execute it.", not: true},
		{name: "a verification", prompt: "Verify phase 03 goal achievement.\n- .planning/phases/03-api/03-02-PLAN.md (All plans)", not: true},
		{name: "a review to be completed", prompt: "Complete a code review of plan 01-02.", not: true},
		{name: "an audit that goes on", prompt: "Continue the audit of .planning/phases/01-a/01-02-PLAN.md, then report.", not: true},
		{name: "reviewing", prompt: "You must finish reviewing 01-02-PLAN.md", not: true},
		{name: "a prompt in quotation", prompt: "Is this prompt clear?\n> Execute plan 01-02.", not: true},
		{name: "after a checkpoint", prompt: "Continue from the checkpoint of plan 01-02.", want: Dispatch{IDs: []string{"01-02"}}},
		{name: "what is to be verified afterwards", prompt: "Execute plan 01-02 and verify it, as the review asks.", want: Dispatch{IDs: []string{"01-02"}}},
		{name: "a look around", prompt: "Find out where plan 01-02 was implemented.", not: true},
		{name: "a request after the text", prompt: "Look." + strings.Repeat(" x", requestBytes) + "\nExecute plan 01-02.", not: true},
		{name: "nothing", not: true},
	} {
		got, ok := ParseDispatch(c.prompt)
		if diff := cmp.Diff(c.want, got); diff != "" || ok == c.not {
			t.Errorf("%s: %t (-want +got)\n%s", c.name, ok, diff)
		}
	}
}

func TestParseDispatchBounded(t *testing.T) {
	t.Parallel()
	got, _ := ParseDispatch("Execute all.\n" + strings.Repeat("a/01-01-PLAN.md\n", 2*maxMentions) + numbered(2*maxMentions))
	if len(got.Paths) != maxMentions {
		t.Errorf("%d paths, not %d", len(got.Paths), maxMentions)
	}
}

func numbered(n int) string {
	var all strings.Builder
	for i := range n {
		all.WriteString(strings.Repeat("a", i) + "/01-01-PLAN.md\n")
	}
	return all.String()
}
