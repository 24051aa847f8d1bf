package agent

import (
	"encoding/json"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/gsd-cli/gsd/internal/hookinput"
)

func delegationIn(t *testing.T, input string) *hookinput.Delegation {
	t.Helper()
	in, err := hookinput.Read(strings.NewReader(input), time.Minute)
	noError(t, err)
	return in.Delegation
}

// Whatever else the tool is called with stays as it was, and its prompt, however long it is, comes first.
func TestRenderDelegation(t *testing.T) {
	t.Parallel()
	long := strings.Repeat("larch ", 30_000) + "<end>"
	input := func(name string, more string) string {
		return `{"tool_name":"` + name + `","tool_input":{"model":"x","n":12345678901234567890,"deep":{"b":1,"a":[2]},` + more + `}}`
	}
	for _, c := range []struct{ host, input, field, event, decision string }{
		{Claude, input("Agent", `"prompt":"`+long+`\n"`), "prompt", "PreToolUse", ""},
		{Codex, input("spawn_agent", `"message":"`+long+`"`), "message", "PreToolUse", "allow"},
		{OpenCode, input("task", `"prompt":"`+long+`"`), "prompt", "PreToolUse", ""},
		{Gemini, input("invoke_agent", `"prompt":"`+long+`"`), "prompt", "BeforeTool", ""},
	} {
		out := RenderDelegation(c.host, delegationIn(t, c.input), []string{"One.", "Two."}, "(more)")
		var got struct {
			Output struct {
				HookEventName, PermissionDecision string
				UpdatedInput                      map[string]json.RawMessage
				Gemini                            map[string]json.RawMessage `json:"tool_input"`
			} `json:"hookSpecificOutput"`
		}
		if err := json.Unmarshal(out, &got); err != nil {
			t.Fatal(err)
		}
		want := map[string]string{"model": `"x"`, "n": "12345678901234567890", "deep": `{"b":1,"a":[2]}`, c.field: quotedText(long + "\n\nOne.\n\nTwo.")}
		is := map[string]string{}
		changed := got.Output.UpdatedInput
		if c.host == Gemini {
			changed = got.Output.Gemini
		}
		for name, v := range changed {
			is[name] = string(v)
		}
		if diff := cmp.Diff(want, is); diff != "" || got.Output.HookEventName != c.event || got.Output.PermissionDecision != c.decision {
			t.Errorf("%s: %+v\n%s", c.host, got.Output.PermissionDecision, diff)
		}
	}
	d := delegationIn(t, input("Agent", `"prompt":"Do."`))
	if out := RenderDelegation(Claude, d, []string{strings.Repeat("line\n", 10_000)}, "(more)"); len(out) > 2*MaxText || !strings.Contains(string(out), "(more)") {
		t.Errorf("%d bytes of a text that is too long", len(out))
	}
	if out := RenderDelegation(Claude, d, nil, "(more)"); out != nil {
		t.Errorf("nothing to say is %s", out)
	}
	if out := RenderDelegation(Claude, nil, []string{"One."}, ""); out != nil {
		t.Errorf("no delegation is %s", out)
	}
}

func quotedText(s string) string { return strings.TrimSuffix(string(encode(s)), "\n") }
