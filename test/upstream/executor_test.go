package upstream

// executor_test.go: upstream's executors, whose prompts and whose checks before a commit are those of its workflow, and the program that
// they run in. A script does what its model would.

import (
	"bufio"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

// scene is a repository with two plans of one wave.
type scene struct {
	t         *testing.T
	bin, lib  string // the directories of the two programs
	root, app string
	clients   int
	worktrees int
}

// tasks are those of the two plans, each with a file.
var tasks = map[string][]string{
	"01-01": {"Write the store", "Read notes back", "Sync the file", "Lock the file"},
	"01-02": {"Add a note", "List notes", "Find notes", "Drop a note"},
}

// fileOf returns the file of a task.
func fileOf(task string) string {
	first, _, _ := strings.Cut(strings.ToLower(task), " ")
	return first + ".go"
}

func (s *scene) start(t *testing.T) {
	t.Helper()
	root, err := filepath.EvalSymlinks(t.TempDir())
	must(t, err)
	s.t, s.root, s.app = t, root, filepath.Join(root, "app")
	write := func(name, text string) {
		t.Helper()
		name = filepath.Join(root, name)
		must(t, os.MkdirAll(filepath.Dir(name), 0o777))
		must(t, os.WriteFile(name, []byte(text), 0o666)) //nolint:gosec // as others would
	}
	write("home/.gitconfig", "[user]\n\tname = Ada Lovelace\n\temail = ada@example.org\n")
	write("app/.planning/ROADMAP.md", "# Roadmap: Notes\n\n- [ ] **Phase 1: Notes** - keep notes\n\n### Phase 1: Notes\n\nPlans:\n- [ ] 01-01: Store\n- [ ] 01-02: Commands\n")
	write("app/.planning/config.json", `{"git": {"allow_default_branch_commits": true}}`) // or the executor commits nothing in the main tree
	for id, names := range tasks {
		plan := "---\nphase: 01-notes\nplan: " + id[3:] + "\nwave: 1\ndepends_on: []\nautonomous: true\n---\n<tasks>\n"
		for i, name := range names {
			plan += fmt.Sprintf("<task type=\"auto\">\n<name>Task %d: %s</name>\n<files>%s</files>\n<action>Do it well.</action>\n</task>\n", i+1, name, fileOf(name))
		}
		write("app/.planning/phases/01-notes/"+id+"-PLAN.md", plan+"</tasks>\n")
	}
	s.claude(t).run(s.app, "git init -q -b main && git add -A && git commit -qm 'docs(01): plan phase'")
}

// claude is a process whose children are what an agent calls, and the hooks of its host.
type claude struct {
	*scene
	session string
	cmd     *exec.Cmd
	in      io.Writer
	out     *bufio.Reader
}

func (s *scene) claude(t *testing.T) *claude {
	t.Helper()
	s.clients++
	c := &claude{scene: s, session: fmt.Sprint("conversation-", s.clients), cmd: exec.Command("bash")}
	c.cmd.Dir = s.root
	c.cmd.Env = []string{"HOME=" + filepath.Join(s.root, "home"), "PATH=" + s.bin + ":" + os.Getenv("PATH"), "GIT_CONFIG_NOSYSTEM=1"}
	in, err := c.cmd.StdinPipe()
	must(t, err)
	out, err := c.cmd.StdoutPipe()
	must(t, err)
	c.in, c.out = in, bufio.NewReader(out)
	must(t, c.cmd.Start())
	t.Cleanup(c.kill)
	return c
}

func (c *claude) kill() {
	if c.cmd.ProcessState == nil {
		c.cmd.Process.Kill()
		c.cmd.Wait()
	}
}

// quote quotes a text for the shell.
func quote(text string) string { return "'" + strings.ReplaceAll(text, "'", `'\''`) + "'" }

// run runs a script in a directory, and returns what it prints.
func (c *claude) run(dir, script string) string {
	c.t.Helper()
	fmt.Fprintf(c.in, "cd %s; bash -c %s </dev/null 2>&1; printf '\\n=%%d=\\n' $?\n", quote(dir), quote(script))
	var text strings.Builder
	for {
		line, err := c.out.ReadString('\n')
		if err != nil || line == "=0=\n" {
			must(c.t, err)
			return strings.TrimSuffix(text.String(), "\n")
		}
		if text.WriteString(line); len(line) > 2 && line[0] == '=' && strings.HasSuffix(line, "=\n") {
			c.t.Fatalf("$ %s\n%s", script, text.String())
		}
	}
}

// hook runs a hook of gsd with an input from the host, and returns what the model reads.
func (c *claude) hook(dir, name string, input map[string]any) string {
	c.t.Helper()
	input["session_id"], input["cwd"] = c.session, dir
	text, err := json.Marshal(input)
	must(c.t, err)
	file := filepath.Join(c.root, "input.json")
	must(c.t, os.WriteFile(file, text, 0o666)) //nolint:gosec // as others would
	var said struct {
		Output struct {
			Context string                  `json:"additionalContext"`
			Input   struct{ Prompt string } `json:"updatedInput"`
		} `json:"hookSpecificOutput"`
	}
	out := c.run(dir, fmt.Sprintf("gsd hook %s --host claude --pid=$PPID <%s", name, quote(file)))
	if out != "" {
		must(c.t, json.Unmarshal([]byte(out), &said))
	}
	return said.Output.Context + said.Output.Input.Prompt
}

// worktree makes a worktree for an agent as Claude does.
func (c *claude) worktree() string {
	c.t.Helper()
	c.worktrees++
	name := fmt.Sprint("agent-", c.worktrees)
	at := filepath.Join(c.app, ".claude", "worktrees", name)
	c.run(c.app, fmt.Sprintf("git worktree add -q %s -b worktree-%s && git worktree lock --reason \"claude agent %s (pid $PPID)\" %s", quote(at), name, name, quote(at)))
	return at
}

// remove removes a worktree, but not its branch.
func (c *claude) remove(at string) {
	c.t.Helper()
	c.run(c.app, fmt.Sprintf("git worktree unlock %s && git worktree remove --force %s", quote(at), quote(at)))
}

// drop removes a worktree and its branch.
func (c *claude) drop(at string) {
	c.t.Helper()
	c.remove(at)
	c.run(c.app, "git branch -q -D worktree-"+filepath.Base(at))
}

// sends sends upstream's executor to a plan, and returns what gsd adds to its prompt: nothing for a plan of which nothing is done.
func (c *claude) sends(dir, plan string, isolated bool) string {
	c.t.Helper()
	input := map[string]any{"description": "Execute plan", "subagent_type": "gsd-executor", "prompt": c.prompt(dir, plan, isolated), "run_in_background": true}
	if isolated {
		input["isolation"] = "worktree"
	}
	prompt := c.hook(dir, "agent", map[string]any{"hook_event_name": "PreToolUse", "tool_name": "Agent", "tool_input": input})
	brief, ok := strings.CutPrefix(prompt, strings.TrimRight(input["prompt"].(string), " \n"))
	if !ok && prompt != "" {
		c.t.Fatalf("upstream's prompt was changed:\n%.500s", prompt)
	}
	return brief
}

// upstream returns a file of upstream.
func (s *scene) upstream(name string) string {
	s.t.Helper()
	text, err := os.ReadFile(filepath.Join(s.lib, name))
	must(s.t, err)
	return string(text)
}

// between returns what stands between two texts.
func (s *scene) between(text, begin, end string) string {
	s.t.Helper()
	_, after, ok := strings.Cut(text, begin)
	found, _, closed := strings.Cut(after, end)
	if !ok || !closed {
		s.t.Fatalf("upstream's workflow has changed: it has no %q … %q", begin, end)
	}
	return found
}

// script returns the first script after a text.
func (s *scene) script(text, after string) string {
	s.t.Helper()
	_, found, _ := strings.Cut(s.between(text, after, "```\n"), "```bash\n")
	return found
}

// prompt is what execute-phase sends an executor.
func (c *claude) prompt(dir, plan string, isolated bool) string {
	c.t.Helper()
	workflow := c.upstream("gsd-core/workflows/execute-phase.md")
	prompt := c.between(workflow, "     prompt=\"\n", "\n     \"\n   )")
	guard := "<worktree_branch_check>" + c.between(c.upstream("gsd-core/references/worktree-branch-check.md"), "\n<worktree_branch_check>", "</worktree_branch_check>") + "</worktree_branch_check>"
	embed := func(tag, text string) {
		prompt = strings.Replace(prompt, c.between(prompt, "<"+tag+">\n", "</"+tag+">"), text, 1)
	}
	embed("execution_context", c.upstream("gsd-core/workflows/execute-plan.md")+c.upstream("gsd-core/templates/summary.md")+c.upstream("gsd-core/references/worktree-path-safety.md"))
	if isolated {
		embed("worktree_branch_check", strings.ReplaceAll(guard, "{EXPECTED_BASE}", strings.TrimSpace(c.run(dir, "git rev-parse HEAD"))))
	} else {
		embed("worktree_branch_check", "")
		embed("parallel_execution", c.between(workflow, "<sequential_execution>", "</sequential_execution>"))
	}
	return strings.NewReplacer("{plan_number}", plan[3:], "{phase_number}", "01", "{phase_name}", "notes", "{plan_id}", plan,
		"{phase_dir}", ".planning/phases/01-notes", "{plan_file}", plan+"-PLAN.md").Replace(prompt)
}

// execute has an executor carry out two tasks of a plan, and leave a file of the third.
func (c *claude) execute(at, plan string, isolated bool, left string) {
	c.t.Helper()
	from := c.app
	prompt := c.prompt(from, plan, isolated)
	if told := c.sends(from, plan, isolated); told != "" {
		c.t.Errorf("the first executor reads\n%s", told)
	}
	if isolated {
		c.run(at, c.script(prompt, "<worktree_branch_check>"))
	}
	agent := c.upstream("agents/gsd-executor.md")
	for _, name := range tasks[plan][:2] {
		script := ""
		for _, step := range []string{"**0a. ", "**0. ", "**0c. "} { // in the order of the text, but for the ledger before the first commit
			script += strings.NewReplacer("{phase}", "01", "{plan}", plan[3:]).Replace(c.script(agent, step))
		}
		subject := strings.NewReplacer("{type}", "feat", "{phase}", "01", "{plan}", plan[3:], "{concise task description}", strings.ToLower(name)).
			Replace(c.between(c.between(agent, "**Otherwise (standard single-repo):**", "```\n"), "git commit -m \"", "\n"))
		c.run(at, script+fmt.Sprintf("\necho package notes >%s && git add %s && git commit -q -m %s", fileOf(name), fileOf(name), quote(subject)))
	}
	if left != "" {
		c.run(at, "echo package notes >"+left)
	}
}
