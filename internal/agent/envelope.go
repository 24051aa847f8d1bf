package agent

import (
	"bytes"
	"encoding/json"
	"slices"

	"github.com/gsd-cli/gsd/internal/hookinput"
	"github.com/gsd-cli/gsd/internal/text"
)

// MaxText is how much an agent is given to read, in bytes, its envelope included (docs/design.md, Output and exit
// codes). Claude Code puts longer texts into a file, which the agent may not open, at 10,000 characters, and Codex at
// 10,000 bytes (measured).
const MaxText = 9000

// contextEvents are the events whose hooks may hand a text to the model under the event's own name. Any other name
// would void the envelope.
var contextEvents = [...]string{"SessionStart", "UserPromptSubmit", "SubagentStart"}

// longestNotice is the length of the longest text for the person, in characters.
const longestNotice = 200

// Render returns what a hook prints to give a text to the model: exactly the host's envelope, without unknown members,
// because some hosts refuse those and others accept two forms and show the text twice. The text is the result of [text.FitBytes] for
// blocks, with more as its last line if it had to be cut. With its envelope it is never longer than [MaxText]. event is the
// hook's own, as the host wrote it. An empty text is printed as nothing.
//
// notice is for the person, not for the model: one cleaned line that the host shows. "" is for none, and it is left out for a
// host that cannot show it.
func Render(host, event string, blocks []string, more, notice string) []byte {
	notice = text.Defang(text.Cut(text.Line(notice), longestNotice))
	for most := MaxText; most > 0; {
		fitted := text.FitBytes(blocks, most, more)
		if fitted == "" {
			break
		}
		out := envelope(host, event, fitted, notice)
		if len(out) <= MaxText {
			return out
		}
		// In proportion, because JSON escapes take up to six times the room: after a subtraction nothing might be left.
		most = min(most, len(fitted)) * MaxText / len(out)
	}
	return nil
}

// RenderDelegation returns what a hook prints so that the other agent reads a text after its prompt: the whole input of the tool with
// another prompt. Blocks and more are as in [Render], and the text is as short. The prompt itself is not changed, however long it is.
//
// Claude and Codex start a subagent's own hook without its prompt (2.1.329, 0.169), and several may be started at once. So the one place
// where it is certain which of them reads the text is the prompt. If another hook changes the same input, the host takes one of both.
func RenderDelegation(host string, d *hookinput.Delegation, blocks []string, more string) []byte {
	fitted := text.FitBytes(blocks, MaxText, more)
	if fitted == "" || d == nil {
		return nil
	}
	changed := d.Extended(fitted)
	type output struct {
		Event    string         `json:"hookEventName"`
		Decision string         `json:"permissionDecision,omitempty"`
		Updated  map[string]any `json:"updatedInput,omitempty"`
		Input    map[string]any `json:"tool_input,omitempty"`
	}
	h := find(host)
	out := output{Event: "PreToolUse", Decision: h.hooks.decides, Updated: changed}
	if h.hooks.beforeTool != "" {
		out = output{Event: h.hooks.beforeTool, Input: changed}
	}
	return encode(struct {
		Output output `json:"hookSpecificOutput"`
	}{out})
}

// RenderAsk returns what Claude's hook before a tool prints so that a person is asked whether the tool may run, with the reason, which is
// one cleaned line.
func RenderAsk(reason string) []byte {
	type output struct {
		Event    string `json:"hookEventName"`
		Decision string `json:"permissionDecision"`
		Reason   string `json:"permissionDecisionReason"`
	}
	return encode(struct {
		Output output `json:"hookSpecificOutput"`
	}{output{"PreToolUse", "ask", text.Defang(text.Line(reason))}})
}

// envelope returns the text, and what is for the person, in the form of a host.
func envelope(host, event, text, notice string) []byte {
	if form := find(host).hooks.envelope; form != nil {
		return form(event, text, notice)
	}
	return plain(text)
}

// plain is a text in no envelope.
func plain(text string) []byte { return []byte(text + "\n") }

// hookOutput is the envelope of several hosts. more is an event of the host, besides contextEvents, that may name itself.
func hookOutput(more string) func(event, text, notice string) []byte {
	return func(event, text, notice string) []byte {
		if !slices.Contains(contextEvents[:], event) && (more == "" || event != more) {
			event = contextEvents[0]
		}
		type output struct {
			Event string `json:"hookEventName"`
			Text  string `json:"additionalContext"`
		}
		return encode(struct {
			Output output `json:"hookSpecificOutput"`
			Notice string `json:"systemMessage,omitempty"`
		}{output{event, text}, notice})
	}
}

// encode returns a value as JSON on one line, without the escapes for HTML.
func encode(v any) []byte {
	var out bytes.Buffer
	e := json.NewEncoder(&out)
	e.SetEscapeHTML(false)
	_ = e.Encode(v) // strings always can be
	return out.Bytes()
}
