package agent

import (
	"slices"
	"strconv"
	"strings"
)

// Caller is who calls this program. The zero value is a person's shell.
type Caller struct {
	Host         string // "", or a host's name
	Conversation string // the host's id of it; empty if the environment has none
	PID          int    // the agent's own process; 0 if the environment has none
}

// hostVariables are the variables that a host sets for the programs it starts.
type hostVariables struct {
	host string
	// flags identify the host, if one of them is set to anything but 0, false or the empty string.
	flags []string
	// conversation names the variables with its id, the first of which counts.
	conversation []string
	// pid names the variable with its process, "" if there is none.
	pid string
}

// known lists the hosts in the order in which Detect looks for them. It contains only variables that a host itself sets,
// and none that a person sets for it: CODEX_HOME, GEMINI_API_KEY, COPILOT_GITHUB_TOKEN, COPILOT_MODEL and
// OPENCODE_CLIENT say what is installed, CURSOR_TRACE_ID and TERM_PROGRAM in which editor a person types, and
// CLAUDE_PROJECT_DIR is an alias that Gemini and Cursor set for their hooks too.
var known = [...]hostVariables{
	// CURSOR_AGENT=1 is in every shell of the agent, in the editor and in the cloud (git-ai-project/git-ai#1289,
	// vercel/vercel packages/detect-agent); CURSOR_CONVERSATION_ID beside it, but not for MCP servers
	// (gleanwork/glean-plugins-vnext#12). Hooks have CURSOR_PROJECT_DIR, a plugin's CURSOR_PLUGIN_ROOT; their
	// conversation is on standard input. No process id.
	{Cursor, []string{"CURSOR_AGENT", "CURSOR_PLUGIN_ROOT", "CURSOR_PROJECT_DIR"}, []string{"CURSOR_CONVERSATION_ID"}, ""},
	// COPILOT_CLI=1 and COPILOT_AGENT_SESSION_ID are in its subprocesses, as a dump of a real environment shows
	// (moonrepo/proto#1028, watson/is-ci#28). No process id.
	{Copilot, []string{"COPILOT_CLI", "COPILOT_AGENT_SESSION_ID"}, []string{"COPILOT_AGENT_SESSION_ID"}, ""},
	// GEMINI_CLI=1 is in every shell and MCP server (google-gemini/gemini-cli, shellExecutionService.ts,
	// "to identify that they were executed from within Gemini CLI"); hooks have GEMINI_PROJECT_DIR and
	// GEMINI_SESSION_ID (hookRunner.ts). No process id.
	{Gemini, []string{"GEMINI_CLI", "GEMINI_PROJECT_DIR", "GEMINI_SESSION_ID"}, []string{"GEMINI_SESSION_ID"}, ""},
	// CODEX_THREAD_ID is in every command that Codex runs (openai/codex#10096). A subagent has its own (#16882), and
	// CODEX_SESSION_ID is that of the conversation that it works for (measured with 0.169.0). CODEX_SANDBOX is where a
	// sandbox is on, CODEX_CI in its command environment (both: vercel/vercel packages/detect-agent 1.2.0). No process id
	// (openai/codex#11537).
	{
		Codex,
		[]string{"CODEX_SESSION_ID", "CODEX_THREAD_ID", "CODEX_SANDBOX", "CODEX_CI"},
		[]string{"CODEX_SESSION_ID", "CODEX_THREAD_ID"},
		"",
	},
	// OPENCODE=1 and OPENCODE_PID, the process's own, are set when it starts (anomalyco/opencode,
	// packages/opencode/src/index.ts; vercel/vercel#15834). It names no conversation: OPENCODE_SESSION_ID was
	// proposed repeatedly and not accepted (anomalyco/opencode#12158, #28185, #50006).
	{OpenCode, []string{"OPENCODE", "OPENCODE_PID"}, nil, "OPENCODE_PID"},
	// CLAUDECODE=1 since 0.2.47 (anthropics/claude-code#531), CLAUDE_CODE_SESSION_ID in hooks and, since 2.1.132,
	// in Bash, CLAUDE_CODE_CHILD_SESSION=1 since 2.1.172 (code.claude.com/docs/en/env-vars), CLAUDE_PID. Editors'
	// extensions set CLAUDECODE alone in the terminals of people, too: such a person is taken for Claude, without a
	// conversation or process.
	{
		Claude,
		[]string{"CLAUDECODE", "CLAUDE_CODE_SESSION_ID", "CLAUDE_CODE_CHILD_SESSION"},
		[]string{"CLAUDE_CODE_SESSION_ID"},
		"CLAUDE_PID",
	},
}

// Detect returns the caller according to the environment, which getenv reads as os.Getenv does. An explicit --host or
// --id is better: a host that was started from another's shell inherits its variables, and they do not show which of
// the two is the inner one. Then the first in the order Cursor, Copilot, Gemini, Codex, OpenCode, Claude is taken.
// Claude is last because its variables are most often where they do not belong: it is the one that runs the others, and
// editors set CLAUDECODE for people.
//
// Conversation and PID are those of the host that was taken. A PID is a claim like the rest: a host inside one of its
// own kind may show the outer one's.
func Detect(getenv func(string) string) Caller {
	for _, m := range known {
		if !m.isSet(getenv) {
			continue
		}
		c := Caller{Host: m.host}
		for _, name := range m.conversation {
			if id := getenv(name); c.Conversation == "" && ValidConversation(id) {
				c.Conversation = id
			}
		}
		if pid, err := strconv.ParseUint(getenv(m.pid), 10, 31); err == nil { // 1 is valid, in a container
			c.PID = int(pid)
		}
		return c
	}
	return Caller{}
}

// SharesProcess reports whether several conversations of a host may run in one process: all of Codex's terminals have one
// app-server (measured with 0.169.0), OpenCode's server has every session, and Cursor's editor every chat. Elsewhere
// another conversation of a process takes the place of the former, as after Claude's /clear, whatever source its hook
// states (anthropics/claude-code#49937).
func SharesProcess(host string) bool { return host == Codex || host == OpenCode || host == Cursor }

// Borrows reports whether a hook of Claude's settings is run by another host: Copilot and Cursor read those files, too,
// and set no variable of Claude's but the alias of its directory (measured with Copilot 1.0.102; Cursor's loader,
// @cursor/sdk 1.0.32). If one of them was started by Claude, or Claude by it, the variables of both are there, and the
// conversation that the hook is told of decides. Without one it is taken for Claude: a brief that is not read does less
// harm than a conversation without a brief.
func Borrows(getenv func(string) string, conversation string) bool {
	c := Detect(getenv)
	if c.Host != Copilot && c.Host != Cursor {
		return false
	}
	claudes := getenv("CLAUDE_CODE_SESSION_ID")
	switch {
	case getenv("CLAUDECODE") == "":
		return true
	case conversation == "":
		return false
	}
	return c.Conversation == conversation || claudes != "" && claudes != conversation
}

func (m hostVariables) isSet(getenv func(string) string) bool {
	for _, name := range m.flags {
		if !slices.Contains([]string{"", "0", "false"}, strings.ToLower(getenv(name))) {
			return true
		}
	}
	return false
}
