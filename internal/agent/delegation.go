package agent

import (
	"encoding/json"
	"slices"
	"strings"

	"github.com/gsd-cli/gsd/internal/text"
)

// A Delegation is a call of a host's tool that starts another agent, before it is carried out.
type Delegation struct {
	Prompt   string // for the other agent: untrusted
	Isolated bool   // it works in a worktree of its own
	LooksOn  bool   // agents of its kind look at things, and carry out none

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
	d.Isolated = value(d.input["isolation"], maxValue) != ""
	for _, name := range []string{"subagent_type", "agent_type", "agent_name"} {
		d.LooksOn = d.LooksOn || looksOn(value(d.input[name], maxValue))
	}
	return d
}

// looksOn reports whether agents of a kind carry out no plan: those for which their hosts have no tools that change a file, and all
// of upstream's but its executors.
func looksOn(kind string) bool {
	kind = strings.ToLower(kind)
	return slices.Contains([]string{"explore", "explorer", "plan", "codebase_investigator"}, kind) || strings.HasPrefix(kind, "gsd-") && !strings.Contains(kind, "execut")
}

// RenderDelegation returns what a hook prints so that the other agent reads a text after its prompt: the whole input of the tool with
// another prompt. Blocks and more are as in [Render], and the text is as short. The prompt itself is not changed, however long it is.
//
// Claude and Codex start a subagent's own hook without its prompt (2.1.329, 0.169), and several may be started at once. So the one place
// where it is certain which of them reads the text is the prompt.
func RenderDelegation(host string, d *Delegation, blocks []string, more string) []byte {
	fitted := text.FitBytes(blocks, MaxText, more)
	if fitted == "" || d == nil {
		return nil
	}
	changed := fields{}
	for name, v := range d.input {
		changed[name] = v
	}
	changed[d.field] = encode(strings.TrimRight(d.Prompt, " \t\r\n") + "\n\n" + fitted)
	type output struct {
		Event    string `json:"hookEventName"`
		Decision string `json:"permissionDecision,omitempty"`
		Updated  fields `json:"updatedInput,omitempty"`
		Input    fields `json:"tool_input,omitempty"`
	}
	h := find(host)
	out := output{Event: "PreToolUse", Decision: h.decides, Updated: changed}
	if h.beforeTool != "" {
		out = output{Event: h.beforeTool, Input: changed}
	}
	return encode(struct {
		Output output `json:"hookSpecificOutput"`
	}{out})
}
