package agent

import (
	"encoding/json"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
)

func delegationIn(t *testing.T, input string) *Delegation {
	t.Helper()
	in, err := ReadInput(strings.NewReader(input), time.Minute)
	if err != nil {
		t.Fatal(err)
	}
	return in.Delegation
}

func TestDelegation(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		input             string
		prompt            string
		isolated, looksOn bool
	}{
		{`{"tool_name":"Agent","tool_input":{"prompt":"Do.\nAll.","subagent_type":"gsd-executor","isolation":"worktree"}}`, "Do.\nAll.", true, false},
		{`{"tool_name":"Task","tool_input":{"prompt":"Do."}}`, "Do.", false, false},
		{`{"tool_name":"spawn_agent","tool_input":{"message":"Do.","agent_type":"worker"}}`, "Do.", false, false},
		{`{"tool_name":"spawn_agent","tool_input":{"message":"Do.","agent_type":"explorer"}}`, "Do.", false, true},
		{`{"tool_name":"task","tool_input":{"prompt":"Do.","subagent_type":"explore"}}`, "Do.", false, true},
		{`{"tool_name":"Agent","tool_input":{"prompt":"Do.","subagent_type":"Plan"}}`, "Do.", false, true},
		{`{"tool_name":"Agent","tool_input":{"prompt":"Do.","subagent_type":"gsd-verifier"}}`, "Do.", false, true},
		{`{"tool_name":"Agent","tool_input":{"prompt":"Do.","subagent_type":"rust-specialist"}}`, "Do.", false, false},
		{`{"tool_name":"invoke_agent","tool_input":{"prompt":"Do.","agent_name":"generalist"}}`, "Do.", false, false},
		{`{"tool_name":"invoke_agent","tool_input":{"prompt":"Do.","agent_name":"codebase_investigator"}}`, "Do.", false, true},
		{`{"tool_name":"Bash","tool_input":{"prompt":"Do."}}`, "", false, false},
		{`{"tool_name":"Agent","tool_input":{"prompt":7}}`, "", false, false},
		{`{"tool_name":"Agent","tool_input":"Do."}`, "", false, false},
		{`{"tool_name":"Agent"}`, "", false, false},
	} {
		d := delegationIn(t, c.input)
		if d == nil && c.prompt != "" || d != nil && (d.Prompt != c.prompt || d.Isolated != c.isolated || d.LooksOn != c.looksOn) {
			t.Errorf("%s: %+v", c.input, d)
		}
	}
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
