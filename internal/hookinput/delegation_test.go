package hookinput

import (
	"strings"
	"testing"
	"time"
)

func delegationIn(t *testing.T, input string) *Delegation {
	t.Helper()
	in, err := Read(strings.NewReader(input), time.Minute)
	if err != nil {
		t.Fatal(err)
	}
	return in.Delegation
}

func TestDelegation(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		input              string
		prompt             string
		isolated, readOnly bool
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
		{`{"tool_name":"Agent","tool_input":{"prompt":"Do \ud83c."}}`, "", false, false}, // a host that cuts a text cuts such a pair
		{"{\"tool_name\":\"Agent\",\"tool_input\":{\"prompt\":\"Do \xff.\"}}", "", false, false},
		{`{"tool_name":"Bash","tool_input":{"prompt":"Do."}}`, "", false, false},
		{`{"tool_name":"Agent","tool_input":{"prompt":7}}`, "", false, false},
		{`{"tool_name":"Agent","tool_input":"Do."}`, "", false, false},
		{`{"tool_name":"Agent"}`, "", false, false},
	} {
		d := delegationIn(t, c.input)
		if d == nil && c.prompt != "" || d != nil && (d.Prompt != c.prompt || d.Isolated != c.isolated || d.ReadOnly != c.readOnly) {
			t.Errorf("%s: %+v", c.input, d)
		}
	}
}
