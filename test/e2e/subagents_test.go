//go:build e2e && unix

package e2e

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// dispatch is upstream's prompt for an executor (gsd-core 1.14, workflows/execute-phase.md), without the files that it puts in.
const dispatch = `
<objective>
Execute plan 01 of phase 01-larch.
[gsd:dispatch phase="01" plan="01-01"]
Commit each task atomically. Create SUMMARY.md.
Do NOT update STATE.md or ROADMAP.md.
</objective>

<required_reading>
- ${PROJECT_ROOT}/.planning/phases/01-larch/01-01-PLAN.md (Plan)
- ${PROJECT_ROOT}/.planning/STATE.md (State)
</required_reading>
`

// executor is upstream's agent, if $GSD_CORE has its package, else one of the same name.
func executor(t *testing.T) string {
	t.Helper()
	if core := os.Getenv("GSD_CORE"); core != "" {
		text, err := os.ReadFile(filepath.Join(core, "node_modules", "@opengsd", "gsd-core", "agents", "gsd-executor.md"))
		if err != nil {
			t.Fatal(err)
		}
		return string(text)
	}
	return "---\nname: gsd-executor\ndescription: Executes plans.\ntools: Read, Bash\n---\n\nYou are a GSD plan executor.\n"
}

// TestExecutor lets Claude's model send upstream's executor to carry out a plan, kills both after the second task was committed, and lets
// it send another one: that one continues at the third.
func TestExecutor(t *testing.T) {
	t.Parallel()
	gsd := build(t)
	for name, isolation := range map[string]string{"in the project": "", "in a worktree of its own": "worktree"} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			c := clients()[0]
			c.args = []string{"--model", "claude-sonnet-5", "--allowedTools", "Bash", "-p"}
			w := newWorld(t, c, gsd)
			w.gsd(t, "archive") // upstream starts no session
			w.gsd(t, "install", c.host)
			write(t, filepath.Join(w.project, ".claude", "agents", "gsd-executor.md"), executor(t))
			w.run(t, w.project, w.env(), "git", "add", ".claude")
			w.run(t, w.project, w.env(), "git", "commit", "-q", "-m", "agents")

			first, err := executes(t, c, w, isolation, reply{shell: "git commit -q --allow-empty -m 'feat(01-01): plant the larch'"},
				reply{shell: "git commit -q --allow-empty -m 'feat(01-01): water the larch'"}, reply{shell: `kill -9 "$CLAUDE_PID"`})
			if err == nil {
				t.Error("the client was not killed")
			}
			if strings.Contains(first.strings(), "how far 01-01 is") {
				t.Errorf("of a plan of which nothing is done, the first executor reads\n%s", first.strings())
			}
			if log := w.run(t, w.project, w.env(), "git", "log", "--all", "--format=%s"); !strings.Contains(log, "water the larch") {
				t.Fatalf("it was killed before it had done two tasks:\n%s", log)
			}

			again, err := executes(t, c, w, isolation)
			if err != nil {
				t.Error(err)
			}
			want := []string{"- 2 of 3 tasks complete by ", "task 1 is complete by ", "task 2 is complete by "}
			if isolation != "" { // whether the new worktree gets them is up to upstream
				want = []string{"- 2 of 3 tasks complete on branch `worktree-agent-", "(in the worktree `" + filepath.Join(w.project, ".claude", "worktrees"), "brings it here\n  - then task 3 is next"}
			}
			told(t, again, 3, 1)
			for _, says := range want {
				if !strings.Contains(again.strings(), says) {
					t.Errorf("the second executor does not read %q:\n%s", says, again.strings())
				}
			}
		})
	}
}

// executes starts the client, whose model sends an executor to carry out the plan, and returns the first question to the executor's model,
// which then follows the script.
func executes(t *testing.T, c client, w *world, isolation string, script ...reply) (request, error) {
	t.Helper()
	s := startStandIn()
	defer s.Close()
	input := map[string]any{"description": "Execute plan 01 of phase 01", "prompt": dispatch, "subagent_type": "gsd-executor"}
	if isolation != "" {
		input["isolation"] = isolation
	}
	s.on("Delegate.", reply{tool: "Agent", input: input})
	s.on("Commit each task atomically.", script...)
	_, err := w.try(t, w.project, w.env(c.env(w, s.URL)...), w.client, append(c.args, "Delegate.")...)
	return s.prompted(t, "Commit each task atomically."), err
}

// TestDelegates lets a model send an agent to look around, and another one to carry out a plan: the first reads which session it works for
// but not the task, and the second marks a task, which counts for the conversation's run.
func TestDelegates(t *testing.T) {
	t.Parallel()
	gsd := build(t)
	for _, c := range clients() {
		if c.delegate == nil {
			continue
		}
		t.Run(c.host, func(t *testing.T) {
			t.Parallel()
			w := newWorld(t, c, gsd)
			w.gsd(t, "install", c.host)
			w.gsd(t, "mark", "1", "complete") // of a plan of which nothing is done, nothing is said
			s := startStandIn()
			defer s.Close()
			for name, text := range c.config(w, s.URL) {
				write(t, filepath.Join(w.home, name), text)
			}
			s.on("Delegate.", c.delegate("Look around."), c.delegate("Execute the plan .planning/phases/01-larch/01-01-PLAN.md."), reply{shell: "sleep 5"})
			s.on("Look around.", reply{text: "A larch."}) // what they answer is passed to the first one, and must not look like a prompt
			s.on("Execute the plan .planning", reply{shell: "gsd mark 2 complete"}, reply{text: "Done."})
			w.run(t, w.project, w.env(c.env(w, s.URL)...), w.client, append(c.args, "Delegate.")...)

			looks := s.prompted(t, "Look around.").strings()
			says := strings.Contains(looks, "the conversation that started this agent has a session on the plan")
			if says == (c.host == "gemini") || strings.Contains(looks, resume[2]) { // Gemini has no hook at the start of an agent
				t.Errorf("who looks around reads\n%s", looks)
			}
			told(t, s.prompted(t, "Execute the plan .planning"), 2, 1)
			runs := runsIn(t, w.gsd(t, "run", "list", "--json"))
			if len(runs) != 1 || len(runs[0].Tasks) != 1 || runs[0].Tasks[0].Number != 2 {
				t.Errorf("the mark of an agent that the conversation started is not of its run: %+v", runs)
			}
		})
	}
}

// waysIn are other ways in which an agent is sent to a plan, each of one host.
var waysIn = []situation{
	{name: "`codex exec --cd WORKTREE PROMPT`", what: "the start knows another plan; the prompt's is told, too", only: "codex", play: func(t *testing.T, p *play) string {
		tree := filepath.Join(p.w.home, "worktree")
		p.commit(t, "docs: two plans", func() {
			write(t, filepath.Join(p.w.project, ".planning", "phases", "01-larch", "01-02-PLAN.md"), plan)
		})
		for _, args := range [][]string{
			{"commit", "-q", "--allow-empty", "-m", "feat(01-01): plant the larch"},
			{"commit", "-q", "--allow-empty", "-m", "feat(01-02): plant the larch"},
			{"worktree", "add", "-q", "-b", "larch", tree},
		} {
			p.w.run(t, p.w.project, p.w.env(), "git", args...)
		}
		p.model.on("Commit each task atomically.")
		p.headless(t, append(slices.Clone(p.args), "--cd", tree, dispatch)...)
		reads(t, p.model.prompted(t, "Commit each task atomically."), "01-02 is in flight", "how far 01-01 is", "1 of 3 tasks complete", resume[2])
		return ""
	}},
	{name: "executor of a `Workflow`", what: "it reads how far the plan is that its worktree's commits name, and nothing of a plan in a new worktree", only: "claude", play: func(t *testing.T, p *play) string {
		tree := filepath.Join(p.w.project, ".claude", "worktrees", "larch")
		p.commit(t, "agents", func() {
			write(t, filepath.Join(p.w.project, ".claude", "agents", "gsd-executor.md"), executor(t))
		})
		for _, args := range [][]string{
			{"worktree", "add", "-q", "-b", "larch", tree},
			{"-C", tree, "commit", "-q", "--allow-empty", "-m", "feat(01-01): plant the larch"},
		} {
			p.w.run(t, p.w.project, p.w.env(), "git", args...)
		}
		const script = "export const meta = { name: 'larch', description: 'larch', phases: [{ title: 'larch' }] }\n" +
			"await agent('Execute plan 01-01 in a new worktree.', { agentType: 'gsd-executor', isolation: 'worktree' })\n" +
			"await agent('Execute plan 01-01 here.', { agentType: 'gsd-executor' })\n"
		p.model.on("Delegate.", reply{shell: "cd " + tree}, reply{tool: "Workflow", input: map[string]any{"script": script}}, reply{shell: "sleep 10"})
		p.model.on("Execute plan 01-01 in a new worktree.")
		p.model.on("Execute plan 01-01 here.")
		p.headless(t, "--model", "claude-sonnet-5", "--allowedTools", "Bash,Workflow", "-p", "Delegate.")
		asked := p.model.prompted(t, "Execute plan 01-01 in a new worktree.").strings()
		for _, bad := range []string{"the conversation that started this agent has a session", "## gsd:"} {
			if strings.Contains(asked, bad) {
				t.Errorf("the executor in a new worktree reads %q:\n%s", bad, asked)
			}
		}
		reads(t, p.model.prompted(t, "Execute plan 01-01 here."), "how far 01-01 is", "1 of 3 tasks complete", resume[2])
		return ""
	}},
	{name: "`SendMessage` to an agent", what: "it reads the message, to which nothing is added", only: "claude", play: func(t *testing.T, p *play) string {
		p.w.gsd(t, "mark", "1", "complete")
		look := p.delegate("Look around.")
		look.input["name"] = "looker"
		p.model.on("Delegate.", look, reply{shell: "sleep 2"},
			reply{tool: "SendMessage", input: map[string]any{"to": "looker", "summary": "go on", "message": "Execute plan 01-01 now."}}, reply{shell: "sleep 10"})
		p.model.on("Look around.")
		p.model.on("Execute plan 01-01 now.")
		p.headless(t, "--model", "claude-sonnet-5", "--allowedTools", "Bash,Agent,SendMessage", "-p", "Delegate.")
		asked := p.model.prompted(t, "Execute plan 01-01 now.")
		reads(t, asked, "the conversation that started this agent has a session on the plan")
		told(t, asked, 2, 0)
		return ""
	}},
}

// commit commits all that is in the project, after a change.
func (p *play) commit(t *testing.T, subject string, change func()) {
	t.Helper()
	change()
	p.w.run(t, p.w.project, p.w.env(), "git", "add", ".")
	p.w.run(t, p.w.project, p.w.env(), "git", "commit", "-q", "-m", subject)
}

// headless runs the client without a terminal.
func (p *play) headless(t *testing.T, args ...string) {
	t.Helper()
	p.w.run(t, p.w.project, p.w.env(p.env(p.w, p.model.URL)...), p.w.client, args...)
}

// reads checks that the model reads all of the texts.
func reads(t *testing.T, r request, texts ...string) {
	t.Helper()
	for _, text := range texts {
		if !strings.Contains(r.strings(), text) {
			t.Errorf("the model does not read %q:\n%s", text, r.strings())
		}
	}
}
