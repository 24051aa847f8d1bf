package agent

import (
	"bytes"
	"encoding/json"
	"slices"

	"github.com/gsd-cli/gsd/internal/text"
)

// MaxText is how much an agent is given to read, in bytes, its envelope included (docs/design.md, Output and exit
// codes). Claude Code puts longer texts into a file, which the agent may not open, at 10,000 characters, and Codex at
// 10,000 bytes (measured).
const MaxText = 9000

// contextEvents are the events whose hooks may hand a text to the model under the event's own name. Any other name
// would void the envelope. BeforeAgent is Gemini's, which does not look at the name.
var contextEvents = [...]string{"SessionStart", "UserPromptSubmit", "SubagentStart"}

// longestNotice is the length of the longest text for the person, in characters.
const longestNotice = 200

const geminiPrompt = "BeforeAgent"

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

// envelope returns the text, and what is for the person, in the form of a host. Our plugin for OpenCode shows the latter; it
// takes anything that is not an object for the text.
func envelope(host, event, text, notice string) []byte {
	switch host {
	case Copilot:
		return encode(map[string]string{"additionalContext": text})
	case Cursor:
		return encode(map[string]string{"additional_context": text})
	case Claude, Codex, Gemini:
		if !slices.Contains(contextEvents[:], event) && (host != Gemini || event != geminiPrompt) {
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
	case OpenCode:
		if notice != "" {
			return encode(struct {
				Text   string `json:"additionalContext"`
				Notice string `json:"systemMessage"`
			}{text, notice})
		}
	}
	return []byte(text + "\n")
}

// encode returns a value as JSON on one line, without the escapes for HTML.
func encode(v any) []byte {
	var out bytes.Buffer
	e := json.NewEncoder(&out)
	e.SetEscapeHTML(false)
	_ = e.Encode(v) // strings always can be
	return out.Bytes()
}
