package agent

// Copilot is the name of GitHub Copilot CLI.
const Copilot = "copilot"

func copilot() Host {
	return Host{
		identity: identity{
			name:         Copilot,
			resume:       []string{"copilot", "--resume"},
			afterInstall: "copilot picks it up at its next start; a repository's hooks run only in folders that you trust",
			precedence:   2,
			// COPILOT_CLI=1 and COPILOT_AGENT_SESSION_ID are in its subprocesses, as a dump of a real environment shows
			// (moonrepo/proto#1028, watson/is-ci#28). No process id.
			flags:         []string{"COPILOT_CLI", "COPILOT_AGENT_SESSION_ID"},
			conversations: []string{"COPILOT_AGENT_SESSION_ID"},
			endings:       map[string]Ending{"error": Erred, "abort": BrokenOff, "timeout": BrokenOff},
			readsOthers:   true, // Claude's, and its plugins
		},
		settings: settings{
			projectDir:   ".github",
			homeVariable: "COPILOT_HOME",
			file:         func(Scope) string { return "hooks/gsd.json" }, // a file of our own among those of its directory
			strict:       true,
			version:      "1",
			lineScopes:   []Scope{User}, // it reads it there alone (tried with 1.0.102)
			lineFile:     "settings.json",
		},
		hooks: hooks{
			form:  `"type":"command",%s,"timeoutSec":%d`,
			lines: []commandMember{{"bash", inShell}, {"powershell", inPowerShell}},
			list: []hook{
				{"SessionStart", "", startKind},
				{"userPromptSubmitted", "", promptKind},
				{"preCompact", "", compactKind}, // no hook is called afterwards, so the brief comes with the next prompt
				{"SessionEnd", "", endKind},
				{"PreToolUse", "Agent|task", agentKind}, // it calls its task Agent in this event, as Claude does, and matches the whole name
				{"subagentStart", "", agentKind},
			},
			asAgents: true, // 1.0.102
			envelope: func(_, text, _ string) []byte {
				return encode(map[string]string{"additionalContext": text})
			},
		},
	}
}
