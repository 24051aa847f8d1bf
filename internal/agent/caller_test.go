package agent

import (
	"strings"
	"testing"

	"github.com/gsd-cli/gsd/internal/hookinput"
)

// environment is a getenv over `NAME=value` words.
func environment(words string) func(string) string {
	return func(name string) string {
		for word := range strings.FieldsSeq(words) {
			if value, ok := strings.CutPrefix(word, name+"="); ok {
				return value
			}
		}
		return ""
	}
}

func TestDetect(t *testing.T) {
	const uuid = "019d1afb-b2c7-72d3-b240-f3ee9d31b2c9"
	for _, c := range []struct {
		name, env string
		want      Caller
	}{
		{"a person", "HOME=/home/a TERM=xterm", Caller{}},

		{"claude's shell", "CLAUDECODE=1 CLAUDE_CODE_ENTRYPOINT=cli CLAUDE_CODE_CHILD_SESSION=1 CLAUDE_CODE_SESSION_ID=" + uuid + " CLAUDE_PID=4711", Caller{Claude, uuid, 4711}},
		{"claude's hook", "CLAUDECODE=1 CLAUDE_PROJECT_DIR=/p CLAUDE_CODE_SESSION_ID=" + uuid, Caller{Host: Claude, Conversation: uuid}},
		{"a process without claude", "CLAUDE_PID=4711", Caller{}},

		{"gemini's shell", "GEMINI_CLI=1", Caller{Host: Gemini}},
		{"gemini's hook", "GEMINI_PROJECT_DIR=/p GEMINI_CWD=/p GEMINI_SESSION_ID=" + uuid + " CLAUDE_PROJECT_DIR=/p", Caller{Host: Gemini, Conversation: uuid}},

		{"qwen's shell", "QWEN_CODE=1 QWEN_CODE_SESSION_ID=" + uuid, Caller{Host: Qwen, Conversation: uuid}},
		{"qwen's hook", "QWEN_CODE_SESSION_ID=" + uuid + " QWEN_PROJECT_DIR=/p GEMINI_PROJECT_DIR=/p CLAUDE_PROJECT_DIR=/p", Caller{Host: Qwen, Conversation: uuid}},
		{"a person with qwen's settings", "QWEN_HOME=/q QWEN_MODEL=m QWEN_SANDBOX=1", Caller{}},

		{"copilot", "COPILOT_CLI=1 COPILOT_AGENT_SESSION_ID=5aacf7d0-b61e-47b6-b894-134d2c251297", Caller{Host: Copilot, Conversation: "5aacf7d0-b61e-47b6-b894-134d2c251297"}},

		{"cursor's shell", "CURSOR_AGENT=1 CURSOR_CONVERSATION_ID=" + uuid + " CURSOR_TRACE_ID=z", Caller{Host: Cursor, Conversation: uuid}},
		{"cursor's hook", "CURSOR_PROJECT_DIR=/p CURSOR_VERSION=3.12 CLAUDE_PROJECT_DIR=/p", Caller{Host: Cursor}},
		{"a person in cursor's terminal", "CURSOR_TRACE_ID=z TERM_PROGRAM=vscode", Caller{}},

		{"opencode", "OPENCODE=1 AGENT=1 OPENCODE_PID=99", Caller{Host: OpenCode, PID: 99}},

		// Several: the order is fixed, and nothing is mixed.
		{"codex and claude", "CLAUDECODE=1 CLAUDE_CODE_SESSION_ID=outer CLAUDE_PID=4711 CODEX_THREAD_ID=inner", Caller{Host: Codex, Conversation: "inner"}},
		{"opencode and claude", "CLAUDECODE=1 CLAUDE_CODE_SESSION_ID=outer CLAUDE_PID=4711 OPENCODE=1 OPENCODE_PID=99", Caller{Host: OpenCode, PID: 99}},
		{"all", "CURSOR_AGENT=1 COPILOT_CLI=1 GEMINI_CLI=1 CODEX_THREAD_ID=a OPENCODE=1 CLAUDECODE=1 CLAUDE_PID=4711", Caller{Host: Cursor}},

		// What is switched off, or of no good form.
		{"switched off", "CURSOR_AGENT=0 COPILOT_CLI=false GEMINI_CLI=FALSE CLAUDECODE=1", Caller{Host: Claude}},
		{"an id of another form", "CLAUDECODE=1 CLAUDE_CODE_SESSION_ID=$(rm) CLAUDE_PID=-1", Caller{Host: Claude}},
		{"a subagent of codex", "CODEX_SESSION_ID=parent CODEX_THREAD_ID=own", Caller{Host: Codex, Conversation: "parent"}},
		{"an id that is too long", "CODEX_THREAD_ID=" + strings.Repeat("a", 129), Caller{Host: Codex}},
		{"pid 1, in a container", "CLAUDECODE=1 CLAUDE_PID=1", Caller{Host: Claude, PID: 1}},
		{"pid and more", "CLAUDECODE=1 CLAUDE_PID=4711x", Caller{Host: Claude}},
		{"pid out of range", "CLAUDECODE=1 CLAUDE_PID=2147483648", Caller{Host: Claude}},
	} {
		if got := Detect(environment(c.env)); got != c.want {
			t.Errorf("%s: %+v, want %+v", c.name, got, c.want)
		}
	}
}

func TestBorrows(t *testing.T) {
	for _, c := range []struct {
		name, env, conversation string
		want                    bool
	}{
		{"claude", "CLAUDECODE=1 CLAUDE_CODE_SESSION_ID=a", "a", false},
		{"claude before it told its id", "CLAUDECODE=1", "a", false},
		{"copilot", "COPILOT_CLI=1", "b", true},
		{"copilot, of no conversation", "COPILOT_CLI=1", "", true},
		{"copilot that claude has started, by its own id", "CLAUDECODE=1 COPILOT_CLI=1 COPILOT_AGENT_SESSION_ID=b", "b", true},
		{"copilot that claude has started, by claude's", "CLAUDECODE=1 CLAUDE_CODE_SESSION_ID=a COPILOT_CLI=1", "b", true},
		{"cursor that claude has started", "CLAUDECODE=1 CLAUDE_CODE_SESSION_ID=a CURSOR_PROJECT_DIR=/p", "b", true},
		{"claude that copilot has started", "CLAUDECODE=1 CLAUDE_CODE_SESSION_ID=a COPILOT_CLI=1 COPILOT_AGENT_SESSION_ID=b", "a", false},
		{"claude that cursor has started", "CLAUDECODE=1 CURSOR_AGENT=1 CURSOR_CONVERSATION_ID=b", "a", false},
		{"one of them, and nothing tells which", "CLAUDECODE=1 COPILOT_CLI=1", "a", false},
		{"one of them, of no conversation", "CLAUDECODE=1 CLAUDE_CODE_SESSION_ID=a COPILOT_CLI=1", "", false},
	} {
		if got := Borrows(Claude, environment(c.env), c.conversation); got != c.want {
			t.Errorf("%s: %v", c.name, got)
		}
	}
}

func TestValidConversation(t *testing.T) {
	for id, want := range map[string]bool{
		"a": true, "019d1afb-b2c7-72d3-b240-f3ee9d31b2c9": true, "ses_48Xy": true, "a:b.c": true, strings.Repeat("a", 128): true,
		"": false, " ": false, "a b": false, "a\n": false, "a/b": false, "$(a)": false, "'": false, "é": false, "a\x00": false, "a;b": false,
		"\xff": false, strings.Repeat("a", 129): false,
	} {
		if got := hookinput.ValidConversation(id); got != want {
			t.Errorf("%q: %v", id, got)
		}
	}
}
