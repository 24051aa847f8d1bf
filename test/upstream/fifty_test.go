package upstream

// fifty_test.go: what a session of fifty tool calls costs in Claude Code with gsd, with upstream, with both and with neither.

import (
	"bytes"
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"runtime"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"
)

// The session, a tool call a line: agents are sent to two plans, of which one is half done, and the second is then carried out here.
const (
	fiftyBegin = `Read .planning/ROADMAP.md
Bash git log --oneline -5
Bash gsd next
Agent 01-01
Agent 01-02
Bash gsd bootstrap 01-02
Read .planning/phases/01-notes/01-02-PLAN.md
Bash gsd mark 1 in-progress
`
	fiftyTask = `Grep package
Read write.go
Write FILE
Read FILE
Edit FILE
Edit FILE
Bash go test ./...
Bash git diff --stat
Bash git add FILE && git commit -qm 'feat(01-02): SUBJECT'
Bash gsd done NUMBER
`
	fiftyEnd = `Write .planning/phases/01-notes/01-02-SUMMARY.md
Bash git add .planning/phases && git commit -qm 'docs(01-02): complete plan'
`
)

// A played session, and what was added to it.
type played struct {
	*scene
	by       *claude // whose directory is the project's
	env      []string
	settings []hookSettings
	cost
}

type cost struct {
	listed, first, later int // bytes for the model: lists of commands and agents, from hooks at the start, and after it
	hooks                int // how many ran
	took, cpu            time.Duration
	line                 string // one rendering of the status line
	commands             []ownCommand
}

// ownCommand is what gsd's own commands of one name print.
type ownCommand struct {
	name         string
	times, bytes int
	cpu          time.Duration
}

// hookSettings is a settings file of Claude's.
type hookSettings struct {
	Hooks map[string][]struct {
		Matcher string
		Hooks   []struct{ Type, Command, If string }
	}
	StatusLine struct{ Command string }
}

// TestFifty plays the session with the hooks that the installers wrote, as Claude runs them, and compares docs/figures.md with what they
// cost. Times are written there, and not compared.
func TestFifty(t *testing.T) {
	core := os.Getenv("GSD_CORE")
	if core == "" {
		t.Skip("GSD_CORE is not set to the directory in which test/upstream/install.sh installed upstream")
	}
	if runtime.GOOS == "windows" {
		t.Skip("the hooks are run by a POSIX shell")
	}
	bin, lib := t.TempDir(), filepath.Join(core, "node_modules", "@opengsd", "gsd-core")
	if out, err := exec.Command("go", "build", "-o", bin, "../../cmd/gsd").CombinedOutput(); err != nil {
		t.Fatalf("go build: %v\n%s", err, out)
	}
	must(t, os.WriteFile(filepath.Join(bin, "npm"), []byte("#!/bin/sh\nexit 1\n"), 0o777)) //nolint:gosec // it is run; upstream asks it for its latest version
	costs := map[string]cost{}
	text := fiftyText
	for _, installed := range []string{"nothing", "gsd", "gsd-core", "both"} {
		s := &scene{bin: bin, lib: lib}
		s.start(t)
		p := &played{scene: s, by: s.claude(t)}
		p.play(installed == "gsd" || installed == "both", installed == "gsd-core" || installed == "both")
		c := p.cost
		costs[installed] = c
		t.Logf("%s: waited for hooks for %d ms", installed, c.took.Milliseconds())
		text += fmt.Sprintf("| %s | %d | %d | %d | %d | %s | %s |\n", installed, c.listed, c.first, c.later, c.hooks, milliseconds(c.cpu), c.line)
	}
	text += commandsText
	for _, c := range costs["gsd"].commands {
		text += fmt.Sprintf("| `gsd %s` | %d | %d | %s |\n", c.name, c.times, c.bytes, milliseconds(c.cpu))
	}
	none, gsd, theirs, both := costs["nothing"], costs["gsd"], costs["gsd-core"], costs["both"]
	for what, is := range map[string][2]int{
		"nothing":              {none.listed + none.first + none.later + none.hooks, 0},
		"gsd: lists":           {gsd.listed, 240},
		"gsd: at the start":    {gsd.first, 1200},
		"gsd: after the start": {gsd.later, 800},
		"gsd: hooks":           {gsd.hooks, 14},
		"both: bytes":          {both.listed + both.first + both.later, gsd.listed + gsd.first + gsd.later + theirs.listed + theirs.first + theirs.later},
		"both: hooks":          {both.hooks, gsd.hooks + theirs.hooks},
	} {
		if is[0] > is[1] {
			t.Errorf("%s: %d, want at most %d", what, is[0], is[1])
		}
	}
	if theirs.hooks < 50 || gsd.first == 0 || gsd.later == 0 {
		t.Errorf("not everything ran: %+v\n%+v", gsd, theirs)
	}
	if t.Failed() {
		return
	}
	page, err := os.ReadFile(figures)
	must(t, err)
	before, after, _ := strings.Cut(string(page), fiftyHeading)
	_, after, _ = strings.Cut(after, "\n## ")
	compareDoc(t, figures, string(page), before+fiftyHeading+text+"\n## "+after)
}

// milliseconds is a time with two digits: more are not the same a second time.
func milliseconds(d time.Duration) string {
	ms, unit := d.Milliseconds(), int64(1)
	for ms/unit >= 100 {
		unit *= 10
	}
	return fmt.Sprintf("%d ms", (ms+unit/2)/unit*unit)
}

// play installs what is asked for, and plays the session.
func (p *played) play(ours, theirs bool) {
	p.t.Helper()
	m := &machine{filepath.Join(p.lib, "bin", "install.js"), filepath.Join(p.bin, "gsd"), "claude", "project", p.root, p.app}
	must(p.t, os.Mkdir(filepath.Join(p.root, "tmp"), 0o755))
	p.by.run(p.app, `for f in write read; do echo package notes >$f.go && git add $f.go && git commit -qm "feat(01-01): $f the store"; done`)
	if ours {
		m.ours(p.t, "--statusline")
	}
	if theirs {
		m.theirs(p.t, "--force-statusline")
	}
	p.by.run(p.app, "git add -A && git commit -q --allow-empty -m 'chore: install'")
	for _, name := range []string{"app/.claude/settings.local.json", "app/.claude/settings.json", "home/.claude/settings.json"} { // the nearest first
		var file hookSettings
		if text, err := os.ReadFile(filepath.Join(p.root, name)); err == nil {
			must(p.t, json.Unmarshal(text, &file))
		}
		p.settings = append(p.settings, file)
	}
	p.env = []string{
		"HOME=" + filepath.Join(p.root, "home"), "TMPDIR=" + filepath.Join(p.root, "tmp"), "PATH=" + p.bin + ":" + os.Getenv("PATH"), "GIT_CONFIG_NOSYSTEM=1",
		"CLAUDECODE=1", "CLAUDE_CODE_ENTRYPOINT=cli", "CLAUDE_CODE_SESSION_ID=" + p.by.session, "CLAUDE_PROJECT_DIR=" + p.app,
		"HTTPS_PROXY=http://127.0.0.1:9", "HTTP_PROXY=http://127.0.0.1:9",
	}
	p.list()
	p.first = p.event("SessionStart", "startup", "", map[string]any{"source": "startup", "model": "claude-sonnet-5"})
	p.event("UserPromptSubmit", "", "", map[string]any{"prompt": "Go on with phase 1."})
	script := fiftyBegin
	for i, name := range tasks["01-02"] {
		script += strings.NewReplacer("FILE", fileOf(name), "SUBJECT", strings.ToLower(name), "NUMBER", fmt.Sprint(i+1)).Replace(fiftyTask)
	}
	calls := strings.Split(strings.TrimSpace(script+fiftyEnd), "\n")
	if len(calls) != 50 {
		p.t.Fatalf("%d tool calls", len(calls))
	}
	for _, call := range calls {
		tool, what, _ := strings.Cut(call, " ")
		if strings.HasPrefix(what, "gsd ") && !ours {
			what = "git status --short"
		}
		p.call(tool, what)
	}
	p.event("Stop", "", "", map[string]any{"stop_hook_active": false})
	p.status()
	p.event("SessionEnd", "prompt_input_exit", "", map[string]any{"reason": "prompt_input_exit"})
	p.later -= p.first
}

// call plays a tool call: the hooks before it, what it does, and the hooks after it.
func (p *played) call(tool, what string) {
	p.t.Helper()
	at := filepath.Join(p.app, what)
	input, response := map[string]any{"file_path": at}, map[string]any{"filePath": at}
	switch tool {
	case "Bash":
		input = map[string]any{"command": what, "description": "Run it"}
	case "Grep":
		input = map[string]any{"pattern": what, "output_mode": "files_with_matches"}
	case "Write":
		input["content"] = "package notes\n"
	case "Edit":
		input["old_string"], input["new_string"] = "package", "// More.\npackage"
	case "Agent":
		input = map[string]any{"description": "Execute plan " + what, "subagent_type": "gsd-executor", "prompt": p.by.prompt(p.app, what, true), "isolation": "worktree"}
	}
	fields := map[string]any{"tool_name": tool, "tool_input": input, "tool_use_id": "toolu_1"}
	p.event("PreToolUse", tool, what, fields)
	switch tool {
	case "Bash":
		if program, _, _ := strings.Cut(what, " "); program != "go" { // the tests of the project are no matter here
			response = map[string]any{"stdout": p.bash(what), "stderr": "", "interrupted": false}
		}
	case "Read":
		text, err := os.ReadFile(at)
		must(p.t, err)
		response = map[string]any{"type": "text", "file": map[string]any{"filePath": at, "content": string(text)}}
	case "Write":
		must(p.t, os.WriteFile(at, []byte(input["content"].(string)), 0o666)) //nolint:gosec // as others would
	case "Edit":
		text, err := os.ReadFile(at)
		must(p.t, err)
		must(p.t, os.WriteFile(at, bytes.Replace(text, []byte("package"), []byte("// More.\npackage"), 1), 0o666)) //nolint:gosec // as others would
	case "Agent":
		agent := map[string]any{"agent_id": "a" + what, "agent_type": "gsd-executor"}
		p.event("SubagentStart", "gsd-executor", "", agent)
		p.event("SubagentStop", "gsd-executor", "", agent)
		response = map[string]any{"status": "completed"}
	}
	fields["tool_response"] = response
	p.event("PostToolUse", tool, what, fields)
}

// bash runs a command, and keeps what one of gsd's own costs.
func (p *played) bash(command string) string {
	p.t.Helper()
	did := p.exec(command, nil)
	if did.code != 0 {
		p.t.Fatalf("$ %s\n%s%s", command, did.out, did.stderr)
	}
	if words := strings.Fields(command); words[0] == "gsd" {
		i := slices.IndexFunc(p.commands, func(c ownCommand) bool { return c.name == words[1] })
		if i < 0 {
			i, p.commands = len(p.commands), append(p.commands, ownCommand{name: words[1]})
		}
		c := &p.commands[i]
		c.times, c.bytes, c.cpu = c.times+1, c.bytes+len(did.out)+len(did.stderr), c.cpu+did.cpu
	}
	return did.out
}

// ran is how a command ended. In what it printed, paths have one length on every machine.
type ran struct {
	out, stderr string
	code        int
	cpu         time.Duration // with that of the programs that it waited for
}

// exec runs a command in the project, as Claude does.
func (p *played) exec(command string, stdin []byte) ran {
	cmd := exec.Command("sh", "-c", command)
	cmd.Dir, cmd.Env, cmd.Stdin = p.app, p.env, bytes.NewReader(stdin)
	var out, stderr bytes.Buffer
	cmd.Stdout, cmd.Stderr = &out, &stderr
	if err := cmd.Run(); cmd.ProcessState == nil {
		return ran{stderr: err.Error(), code: -1}
	}
	placed := func(b bytes.Buffer) string { return strings.ReplaceAll(b.String(), p.root, "/home/ada") }
	return ran{placed(out), placed(stderr), cmd.ProcessState.ExitCode(), cmd.ProcessState.UserTime() + cmd.ProcessState.SystemTime()}
}

// event runs the hooks of an event, all at once, as Claude does, and returns how many bytes the model reads of them.
func (p *played) event(name, matched, what string, fields map[string]any) (size int) {
	p.t.Helper()
	var commands []string
	for _, file := range p.settings {
		for _, group := range file.Hooks[name] {
			for _, h := range group.Hooks {
				if h.Type != "command" {
					p.t.Fatalf("a hook of type %s", h.Type)
				}
				if matches(group.Matcher, matched) && permits(h.If, matched, what) && !slices.Contains(commands, h.Command) {
					commands = append(commands, h.Command)
				}
			}
		}
	}
	if len(commands) == 0 {
		return 0
	}
	all := map[string]any{"session_id": p.by.session, "transcript_path": filepath.Join(p.root, "t.jsonl"), "cwd": p.app, "permission_mode": "default", "hook_event_name": name}
	for field, value := range fields {
		all[field] = value
	}
	input, err := json.Marshal(all)
	must(p.t, err)
	did := make([]ran, len(commands))
	begin := time.Now()
	var wg sync.WaitGroup
	for i, command := range commands {
		wg.Go(func() { did[i] = p.exec(command, input) })
	}
	wg.Wait()
	p.took += time.Since(begin)
	p.hooks += len(commands)
	for _, d := range did {
		p.cpu += d.cpu
		size += d.reaches(name, strings.ReplaceAll(string(input), p.root, "/home/ada"))
	}
	p.later += size
	return size
}

// reaches returns how many bytes the model reads of what a hook answered to an input.
func (d ran) reaches(event, input string) int {
	var said struct {
		Decision, Reason string
		Output           struct {
			Context string         `json:"additionalContext"`
			Denied  string         `json:"permissionDecisionReason"`
			Updated map[string]any `json:"updatedInput"`
		} `json:"hookSpecificOutput"`
	}
	switch plain := json.Unmarshal([]byte(d.out), &said) != nil; {
	case d.code == 2:
		return len(d.stderr)
	case plain && d.code == 0 && (event == "SessionStart" || event == "UserPromptSubmit"):
		return len(strings.TrimSpace(d.out))
	case plain || d.code != 0:
		return 0
	}
	size := len(said.Output.Context) + len(said.Output.Denied) + len(said.Reason)
	if said.Output.Updated != nil {
		var was struct {
			Input map[string]any `json:"tool_input"`
		}
		json.Unmarshal([]byte(input), &was)
		size += len(fmt.Sprint(said.Output.Updated)) - len(fmt.Sprint(was.Input))
	}
	return size
}

// matches reports whether a matcher of a hook is for a tool, or for what else the event matches: names, or a regular expression.
func matches(matcher, value string) bool {
	if matcher == "" || matcher == "*" {
		return true
	}
	if regexp.MustCompile(`^[\w|]+$`).MatchString(matcher) {
		return slices.Contains(strings.Split(matcher, "|"), value)
	}
	return regexp.MustCompile(matcher).MatchString(value)
}

// permits reports whether a rule in a hook's "if" is for a tool call: of a command line, one of its commands has to match.
func permits(rule, tool, what string) bool {
	name, form, limited := strings.Cut(strings.TrimSuffix(rule, ")"), "(")
	if rule == "" || !limited || name != tool {
		return rule == "" || name == tool
	}
	form = strings.ReplaceAll(regexp.MustCompile(`[: ]\\\*$`).ReplaceAllString(regexp.QuoteMeta(form), `( \*)?`), `\*`, ".*")
	for _, command := range regexp.MustCompile(`&&|\|\|?|;|\n`).Split(what, -1) {
		if regexp.MustCompile("(?s)^" + form + "$").MatchString(strings.TrimSpace(command)) {
			return true
		}
	}
	return false
}

func TestPermits(t *testing.T) {
	for _, x := range []struct {
		rule, tool, what string
		want             bool
	}{
		{"", "Read", "a.go", true},
		{"Bash", "Bash", "ls", true},
		{"Bash", "Read", "a.go", false},
		{"Bash(gsd:*)", "Bash", "gsd", true},
		{"Bash(gsd:*)", "Bash", "gsd done 1", true},
		{"Bash(gsd *)", "Bash", "git add . && gsd done 1", true},
		{"Bash(gsd:*)", "Bash", "gsd-tools state", false},
		{"Bash(gsd:*)", "Bash", "echo gsd done", false},
		{"Bash(gsd done 1)", "Bash", "gsd done 12", false},
		{"Bash(*/gsd done:*)", "Bash", "/opt/gsd done 1", true},
	} {
		if permits(x.rule, x.tool, x.what) != x.want {
			t.Errorf("%s for %s %q: %t", x.rule, x.tool, x.what, !x.want)
		}
	}
	for matcher, want := range map[string]bool{"": true, "*": true, "Edit|Write": true, "Edi": false, "Ed.*": true, "Bash": false} {
		if matches(matcher, "Edit") != want {
			t.Errorf("%q: %t", matcher, !want)
		}
	}
}

// list counts the lines in which Claude tells the model of commands and agents: "- NAME: DESCRIPTION", and the tools of an agent.
func (p *played) list() {
	p.t.Helper()
	for _, dir := range []string{"commands", "agents"} {
		files, err := filepath.Glob(filepath.Join(p.app, ".claude", dir, "*.md"))
		must(p.t, err)
		lines := map[string]string{} // by name: upstream has some agents twice, of which Claude lists one
		for _, file := range files {
			text, err := os.ReadFile(file)
			must(p.t, err)
			field := func(form string) string {
				if found := regexp.MustCompile(`(?m)^` + form).FindSubmatch(text); found != nil {
					return string(found[1])
				}
				return ""
			}
			name, tools := strings.TrimSuffix(filepath.Base(file), ".md"), ""
			if dir == "agents" {
				list := field(`tools: *(.+)$`) + strings.Join(strings.Split(field(`tools:\n((?: +- .*\n)+)`), "\n  - "), ", ")
				name, tools = field(`name: *(.*)$`), " (Tools: "+strings.TrimSpace(strings.TrimPrefix(list, "  - "))+")"
			}
			lines[name] = "- " + name + ": " + field(`description: *"?(.*?)"?$`) + tools + "\n"
		}
		for _, line := range lines {
			p.listed += len(line)
		}
	}
}

// status renders the status line once.
func (p *played) status() {
	p.t.Helper()
	p.line = "none"
	i := slices.IndexFunc(p.settings, func(s hookSettings) bool { return s.StatusLine.Command != "" })
	if i < 0 {
		return
	}
	input, err := json.Marshal(map[string]any{
		"session_id": p.by.session, "cwd": p.app, "model": map[string]string{"display_name": "Sonnet"}, "workspace": map[string]string{"current_dir": p.app, "project_dir": p.app},
		"context_window": map[string]int{"remaining_percentage": 60, "context_window_size": 200000},
	})
	must(p.t, err)
	did := p.exec(p.settings[i].StatusLine.Command, input)
	p.line = milliseconds(did.cpu)
	if did.code != 0 || did.out == "" {
		p.t.Errorf("the status line: %+v", did)
	}
}

// figures has the section, before another one.
const figures, fiftyHeading = "../../docs/figures.md", "\n## What it adds to a session\n"

const fiftyText = `
A session of Claude Code with 50 tool calls: a prompt, agents sent to two plans of which one is half done, and four tasks carried out, committed
and marked. ` + "`TestFifty` in [test/upstream/](../test/upstream)" + ` installs gsd and gsd-core (with its own installer) in a project, runs the
hooks that they wrote as Claude does, and writes this. Bytes are those that the model reads: the lists of commands and agents, and what hooks
give it. Times are those of the processor, for all hooks of the session together, and for one rendering of the status line, which gsd only
sets with ` + "`--statusline`" + `. The bars for gsd: 240 bytes of lists, 1,200 at the start, 800 later, and 14 hooks; what both add is at most the sum.
The texts of these tasks are short: the text that an agent gets for a real one is [below](#how-often-right).

| installed | bytes of lists | from hooks at the start | later | hooks run | their time | status line |
|---|---|---|---|---|---|---|
`

const commandsText = `
The agent calls these in that session with gsd, and reads what they print:

| command | times | bytes | time |
|---|---|---|---|
`
