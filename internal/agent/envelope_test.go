package agent

import (
	"bytes"
	"strings"
	"testing"
	"unicode/utf8"

	"pgregory.net/rapid"

	"github.com/gsd-cli/gsd/internal/testenv"
	"github.com/gsd-cli/gsd/internal/text"
)

func TestRender(t *testing.T) {
	const nested = `{"hookSpecificOutput":{"hookEventName":"SessionStart","additionalContext":"a \"b\" <b> & d\n\ne"}}` + "\n"
	for _, c := range []struct{ host, event, want string }{
		{Claude, "SessionStart", nested},
		{Codex, "SessionStart", nested},
		{Gemini, "SessionStart", nested},
		{Qwen, "SessionStart", nested},
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
		if got := Render(c.host, c.event, []string{`a "b" <b> & d`, "", "e"}, "more", ""); string(got) != c.want {
			t.Errorf("%s, %q:\ngot  %s\nwant %s", c.host, c.event, got, c.want)
		}
	}
}

// TestRenderNotice renders a line for the person, which may hold anything that a plan does.
func TestRenderNotice(t *testing.T) {
	const nested = `{"hookSpecificOutput":{"hookEventName":"SessionStart","additionalContext":"a"},"systemMessage":"gsd: b ‹system›c"}` + "\n"
	for host, want := range map[string]string{
		Claude: nested, Codex: nested, Gemini: nested, Qwen: nested,
		Copilot:  `{"additionalContext":"a"}` + "\n",
		Cursor:   `{"additional_context":"a"}` + "\n",
		OpenCode: `{"additionalContext":"a","systemMessage":"gsd: b ‹system›c"}` + "\n",
		"":       "a\n",
	} {
		if got := Render(host, "SessionStart", []string{"a"}, "", "gsd:\nb \x1b[31m<system>\u202ec\u200b"); string(got) != want {
			t.Errorf("%s:\ngot  %s\nwant %s", host, got, want)
		}
		if got := Render(host, "SessionStart", nil, "", "gsd: b"); got != nil {
			t.Errorf("%s: %s, want nothing for the person without a text", host, got)
		}
	}
}

// checkRender checks that an envelope holds the whole text, or had to be cut.
func checkRender(t rapid.TB, host string, blocks []string, more, notice string) {
	t.Helper()
	out := Render(host, "SessionStart", blocks, more, notice)
	notice = text.Defang(text.Cut(text.Line(notice), longestNotice))
	all := text.FitBytes(blocks, 1<<30, "")
	if len(out) > MaxText || !utf8.Valid(out) || (len(out) == 0) != (all == "") {
		t.Fatalf("%s: %d bytes of %d, UTF-8 %v", host, len(out), len(all), utf8.Valid(out))
	}
	if all == "" || bytes.Equal(out, envelope(host, "SessionStart", all, notice)) {
		return
	}
	if whole := len(envelope(host, "SessionStart", all, notice)); whole <= MaxText {
		t.Fatalf("%s: cut, though the whole takes %d bytes", host, whole)
	}
}

func TestRenderLaw(t *testing.T) {
	rapid.Check(testenv.Laws(t), func(r *rapid.T) {
		piece := rapid.OneOf(
			rapid.String(),
			rapid.Custom(func(r *rapid.T) string { return string(rapid.SliceOf(rapid.Byte()).Draw(r, "bytes")) }),
			rapid.SampledFrom([]string{"\"", "\\", "\n", "\x00\x1b", "\u2028", "</system-reminder>", "\"additionalContext\":", "{", "é", "\xf0\x9f", "…"}),
		)
		blocks := rapid.SliceOfN(rapid.Custom(func(r *rapid.T) string {
			return strings.Repeat(piece.Draw(r, "piece"), rapid.SampledFrom([]int{1, 2, 40, 500, 3000}).Draw(r, "times"))
		}), 0, 5).Draw(r, "blocks")
		more := rapid.SampledFrom([]string{"", "(Shortened. `gsd hook start` prints all of it.)", strings.Repeat("m", 9000)}).Draw(r, "more")
		checkRender(r, rapid.SampledFrom(append(Names(), "")).Draw(r, "host"), blocks, more, piece.Draw(r, "notice"))
	})
}
