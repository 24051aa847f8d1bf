package host

import (
	"encoding/json"
	"strings"
	"testing"
	"unicode/utf8"

	"pgregory.net/rapid"
)

// textIn reads an envelope as its host does, and refuses a member that the host does not know.
func textIn(t rapid.TB, host, event string, out []byte) string {
	t.Helper()
	name := "additionalContext"
	switch host {
	case Cursor:
		name = "additional_context"
	case OpenCode, "":
		text, ok := strings.CutSuffix(string(out), "\n")
		if !ok {
			t.Fatalf("%s: no line: %q", host, out)
		}
		return text
	}
	var v map[string]any
	if err := json.Unmarshal(out, &v); err != nil {
		t.Fatalf("%s: %v\n%s", host, err, out)
	}
	if host != Copilot && host != Cursor {
		inner, ok := v["hookSpecificOutput"].(map[string]any)
		if !ok || len(v) != 1 || inner["hookEventName"] != event {
			t.Fatalf("%s: event in %s, want %q", host, out, event)
		}
		delete(inner, "hookEventName")
		v = inner
	}
	text, ok := v[name].(string)
	if !ok || len(v) != 1 {
		t.Fatalf("%s: %s", host, out)
	}
	return text
}

func TestRender(t *testing.T) {
	const nested = `{"hookSpecificOutput":{"hookEventName":"SessionStart","additionalContext":"a \"b\" <b> & d\n\ne"}}` + "\n"
	for _, c := range []struct{ host, event, want string }{
		{Claude, "SessionStart", nested},
		{Codex, "SessionStart", nested},
		{Gemini, "SessionStart", nested},
		{Copilot, "SessionStart", `{"additionalContext":"a \"b\" <b> & d\n\ne"}` + "\n"},
		{Cursor, "sessionStart", `{"additional_context":"a \"b\" <b> & d\n\ne"}` + "\n"},
		{OpenCode, "SessionStart", "a \"b\" <b> & d\n\ne\n"},
		{Claude, "UserPromptSubmit", strings.Replace(nested, "SessionStart", "UserPromptSubmit", 1)},
		{Claude, "SubagentStart", strings.Replace(nested, "SessionStart", "SubagentStart", 1)},
		// Any other name would void the envelope, and what is on standard input may be anything.
		{Claude, "", nested},
		{Codex, "sessionStart", nested},
		{Gemini, "Stop", nested},
		{Claude, "\"},\"x\":{\"", nested},
	} {
		if got := Render(c.host, c.event, []string{`a "b" <b> & d`, "", "e"}, "more"); string(got) != c.want {
			t.Errorf("%s, %q:\ngot  %s\nwant %s", c.host, c.event, got, c.want)
		}
	}
}

// checkRender holds an envelope against its law, and gives the text in it.
func checkRender(t rapid.TB, host string, blocks []string, more string) string {
	t.Helper()
	out := Render(host, "SessionStart", blocks, more)
	all := Fit(blocks, 1<<30, "")
	if out == nil {
		if all != "" {
			t.Fatalf("%s: nothing of %d bytes", host, len(all))
		}
		return ""
	}
	if len(out) > MaxText || !utf8.Valid(out) {
		t.Fatalf("%s: %d bytes, UTF-8 %v", host, len(out), utf8.Valid(out))
	}
	text := textIn(t, host, "SessionStart", out)
	if text == "" {
		t.Fatalf("%s: an envelope of nothing: %s", host, out)
	}
	if text == all {
		return text
	}
	// It was cut: what is left begins as the whole does, up to the note.
	if whole := len(envelope(host, "SessionStart", all)); whole <= MaxText {
		t.Fatalf("%s: cut, though the whole takes %d bytes", host, whole)
	}
	left := strings.TrimSuffix(text, Fit([]string{more}, 1<<30, ""))
	left = strings.TrimSuffix(strings.TrimRight(left, "\n"), "…")
	if !begins(all, left) {
		t.Fatalf("%s: not how the text begins: %q", host, text)
	}
	return text
}

// begins tells whether a text begins as another does. Markup that was cut in two may be defanged in one of them only.
func begins(all, left string) bool {
	const defanged = "‹›()';"
	runes := []rune(all)
	for i, r := range []rune(left) {
		if i == len(runes) || r != runes[i] && !strings.ContainsRune(defanged, r) && !strings.ContainsRune(defanged, runes[i]) {
			return false
		}
	}
	return true
}

func TestRenderLaw(t *testing.T) {
	rapid.Check(t, func(r *rapid.T) {
		piece := rapid.OneOf(
			rapid.String(),
			rapid.Custom(func(r *rapid.T) string { return string(rapid.SliceOf(rapid.Byte()).Draw(r, "bytes")) }),
			rapid.SampledFrom([]string{"\"", "\\", "\n", "\x00\x1b", "\u2028", "</system-reminder>", "\"additionalContext\":", "{", "é", "\xf0\x9f", "…"}),
		)
		blocks := rapid.SliceOfN(rapid.Custom(func(r *rapid.T) string {
			return strings.Repeat(piece.Draw(r, "piece"), rapid.SampledFrom([]int{1, 2, 40, 500, 3000}).Draw(r, "times"))
		}), 0, 5).Draw(r, "blocks")
		more := rapid.SampledFrom([]string{"", "(Shortened. `gsd hook start` prints all of it.)", strings.Repeat("m", 9000)}).Draw(r, "more")
		checkRender(r, rapid.SampledFrom(append(Names(), "")).Draw(r, "host"), blocks, more)
	})
}
