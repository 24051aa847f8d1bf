package hookinput

import (
	"encoding/json"
	"slices"
	"strings"
	"unicode/utf8"
)

// A Delegation is a call of a host's tool that starts another agent, before it is carried out.
type Delegation struct {
	Prompt   string // for the other agent: untrusted
	Isolated bool   // it works in a worktree of its own
	ReadOnly bool   // agents of its kind look at things, and carry out none

	input fields // of the tool, as the host wrote it
	field string // of that, which has the prompt
}

// delegationOf finds the call in a hook's input. Its prompt is prompt with Claude's Agent, which was Task, OpenCode's task and Gemini's
// invoke_agent, and message with Codex's spawn_agent.
func delegationOf(f fields) *Delegation {
	d := &Delegation{}
	switch value(f["tool_name"], maxValue) {
	case "Agent", "Task", "task", "invoke_agent":
		d.field = "prompt"
	case "spawn_agent":
		d.field = "message"
	default:
		return nil
	}
	if json.Unmarshal(f["tool_input"], &d.input) != nil || json.Unmarshal(d.input[d.field], &d.Prompt) != nil || d.Prompt == "" {
		return nil
	}
	if strings.ContainsRune(d.Prompt, utf8.RuneError) { // half of a surrogate pair, perhaps, which would not come out as it went in
		return nil
	}
	d.Isolated = value(d.input["isolation"], maxValue) != ""
	for _, name := range []string{"subagent_type", "agent_type", "agent_name"} {
		d.ReadOnly = d.ReadOnly || readOnly(value(d.input[name], maxValue))
	}
	return d
}

// readOnly reports whether agents of a kind carry out no plan: those for which their hosts have no tools that change a file, and all
// of upstream's but its executors.
func readOnly(kind string) bool {
	kind = strings.ToLower(kind)
	return slices.Contains([]string{"explore", "explorer", "plan", "codebase_investigator"}, kind) || strings.HasPrefix(kind, "gsd-") && !executes(kind)
}

// executes reports whether agents of a kind carry out plans, by its name: gsd-executor.
func executes(kind string) bool { return strings.Contains(strings.ToLower(kind), "execut") }

// Extended returns the whole input of the tool, to be encoded as JSON, with a text after the prompt. The prompt itself is not changed,
// however long it is.
func (d *Delegation) Extended(text string) map[string]any {
	input := map[string]any{}
	for name, v := range d.input {
		input[name] = v
	}
	input[d.field] = strings.TrimRight(d.Prompt, " \t\r\n") + "\n\n" + text
	return input
}
