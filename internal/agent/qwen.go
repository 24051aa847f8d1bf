package agent

// Qwen is the name of Qwen Code, which began as a copy of Gemini CLI, and has the hooks and rules of Claude.
const Qwen = "qwen"

func qwen() Host {
	return Host{
		identity: identity{
			name:         Qwen,
			resume:       []string{"qwen", "--resume"},
			afterInstall: "qwen picks it up at its next start; a project's hooks run only in folders that you trust",
			precedence:   3, // before Gemini, whose directory it sets for its hooks, too
			// QWEN_CODE=1 and QWEN_CODE_SESSION_ID are in its shells; hooks have the id and QWEN_PROJECT_DIR (0.24.4). No process id.
			flags:         []string{"QWEN_CODE", "QWEN_CODE_SESSION_ID", "QWEN_PROJECT_DIR"},
			conversations: []string{"QWEN_CODE_SESSION_ID"},
			startedIn:     "QWEN_PROJECT_DIR",
			endings:       map[string]Ending{"clear": Cleared},
		},
		settings: settings{
			homeVariable: "QWEN_HOME",
			file:         func(Scope) string { return "settings.json" },
			dedups:       true,
			hooksOff:     Where.allHooksOff,
		},
		hooks: hooks{
			form:      `"type":"command",%s,"timeout":%d000`, // it reads what is below 1000 as seconds, and its older versions all as milliseconds
			isGrouped: true,
			// A start is also what follows a /clear, a resume and a compaction. None for PreToolUse: it documents that such a hook may
			// change the tool's input, and ignores it (0.24.4), so a subagent reads what its own hook prints.
			list: []hook{
				{"SessionStart", "", startKind},
				{"SessionEnd", "", endKind},
				{"SubagentStart", "", agentKind},
			},
			envelope: hookOutput(""),
		},
		commands: commands{
			hasRules: true,
		},
	}
}
