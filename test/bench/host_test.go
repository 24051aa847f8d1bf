package bench

import (
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
)

// BenchmarkHooks runs the commands of hooks as whole processes: Claude's at the start of a conversation, which also records the run, when it
// continues, after a compaction or with a prompt, when it sends an agent to a plan, and at its end; and Gemini's for a prompt with nothing due.
func BenchmarkHooks(b *testing.B) {
	began, goesOn, ended, prompt, sends := newSession(b, 3), newSession(b, 3), newSession(b, 3), newSession(b, 3), newSession(b, 3)
	hook := []string{"hook", "start", "--host", "claude", "--pid=" + strconv.Itoa(os.Getpid())}
	end := []string{"hook", "end", "--host", "claude", hook[4]}
	agent := []string{"hook", "agent", "--host", "claude", hook[4]}
	gsd := must(b, gsdBinary)

	n := 0
	begins := began.changing(b, "gsd hook start --host claude, begins", gsd, func() []string {
		if n > 0 { // the one before has ended
			began.hook(b, "SessionEnd", n, end...)
		}
		n++
		began.writeInput(b, "SessionStart", n)
		return hook
	})
	begins.input = began.writeInput(b, "SessionStart", 1)
	again := goesOn.changing(b, "gsd hook start --host claude, goes on", gsd, func() []string {
		goesOn.source++ // at the same event as before, it would print nothing
		goesOn.writeInput(b, "SessionStart", 1)
		return hook
	})
	again.input = goesOn.writeInput(b, "SessionStart", 1)
	ends := 0
	over := ended.changing(b, "gsd hook end --host claude", gsd, func() []string {
		ends++
		ended.hook(b, "SessionStart", ends, hook...)
		ended.writeInput(b, "SessionEnd", ends)
		return end
	})
	over.input = ended.writeInput(b, "SessionEnd", 1)
	asked := prompt.contender(b, "gsd hook start --host claude, a prompt", gsd, hook...)
	asked.input = prompt.writeInput(b, "UserPromptSubmit", 1)
	due := prompt.contender(b, "gsd hook prompt --host gemini, nothing due", gsd, "hook", "prompt", "--host", "gemini", hook[4])
	due.input = asked.input
	sent := sends.contender(b, "gsd hook agent --host claude", gsd, agent...)
	sent.input = filepath.Join(filepath.Dir(sends.dir), "input-"+filepath.Base(sends.dir)+".json")
	write(b, sent.input, `{"session_id":"c","hook_event_name":"PreToolUse","tool_name":"Agent","tool_input":{"description":"Execute plan 01 of phase 03",`+
		`"prompt":"<objective>\nExecute plan 01 of phase 03-auth.\n</objective>\n- .planning/phases/03-auth/03-01-PLAN.md (Plan)\n","subagent_type":"gsd-executor"}}`)
	line := prompt.contender(b, "gsd statusline", gsd, "statusline")
	line.input = asked.input
	git := began.contender(b, "git config user.name", "git", "config", "user.name")
	empty := began.contender(b, "empty Go program", must(b, emptyBinary))

	if got := goesOn.hook(b, "SessionStart", 1, hook...); !strings.Contains(got, "resume at task 1") || !strings.Contains(goesOn.gsd(b, "run", "list"), "active") {
		b.Fatalf("%s\n%s", got, goesOn.gsd(b, "run", "list"))
	}
	in, err := os.Open(sent.input)
	noError(b, err)
	defer in.Close()
	if got, err := sends.tryWith(in, gsd, agent...); err != nil || !strings.Contains(got, "0 of 3 tasks complete") {
		b.Fatal(got, err)
	}
	race(b, manyRounds, begins, again, over, asked, due, sent, line, git, empty)
	for p, n := range map[*project]int{began: n, ended: ends} {
		if runs := p.gsd(b, "run", "list"); strings.Count(runs, "success") < min(n-1, 20) {
			b.Fatal(runs)
		}
	}

	r := newReport(b, timesHead)
	r.times(begins, again, over, asked, due, sent, line, empty, git)
	atMost(b, r, begins, git, "of-git", 2.2)
	atMost(b, r, over, git, "end/git", 5)
	atMost(b, r, sent, git, "agent/git", 4)
	atMost(b, r, due, git, "prompt/git", 1.6)
}

// writeInput writes Claude's input for a hook and returns the file.
func (p *project) writeInput(t testing.TB, event string, conversation int) string {
	t.Helper()
	name := filepath.Join(filepath.Dir(p.dir), "input-"+filepath.Base(p.dir)+".json")
	write(t, name, fmt.Sprintf(`{"session_id":"c%d","transcript_path":"/t.jsonl","cwd":%q,"hook_event_name":%q,"source":"startup-%d","reason":"other"}`, conversation, p.dir, event, p.source))
	return name
}

// hook runs gsd as a hook.
func (p *project) hook(t testing.TB, event string, conversation int, args ...string) string {
	t.Helper()
	in, err := os.Open(p.writeInput(t, event, conversation))
	noError(t, err)
	defer in.Close()
	out, err := p.tryWith(in, must(t, gsdBinary), args...)
	noError(t, err)
	return out
}
