package agent

// Cursor is the name of Cursor.
const Cursor = "cursor"

func cursor() Host {
	return Host{
		identity: identity{
			name:         Cursor,
			program:      "cursor-agent",
			afterInstall: "cursor picks it up at its next start; hooks may have to be enabled first",
			precedence:   1,
			// CURSOR_AGENT=1 is in every shell of the agent, in the editor and in the cloud (git-ai-project/git-ai#1289,
			// vercel/vercel packages/detect-agent); CURSOR_CONVERSATION_ID beside it, but not for MCP servers
			// (gleanwork/glean-plugins-vnext#12). Hooks have CURSOR_PROJECT_DIR, a plugin's CURSOR_PLUGIN_ROOT; their
			// conversation is on standard input. No process id.
			flags:         []string{"CURSOR_AGENT", "CURSOR_PLUGIN_ROOT", "CURSOR_PROJECT_DIR"},
			conversations: []string{"CURSOR_CONVERSATION_ID"},
			startedIn:     "CURSOR_PROJECT_DIR",
			endings:       map[string]Ending{"error": Erred, "aborted": BrokenOff},
			sharesProcess: true, // its editor has every chat
			readsOthers:   true, // Claude's
		},
		settings: settings{
			file:    func(Scope) string { return "hooks.json" },
			version: "1",
		},
		hooks: hooks{
			form: `%s,"timeout":%d`,
			list: []hook{{"sessionStart", "", startKind}, {"sessionEnd", "", endKind}},
			envelope: func(_, text, _ string) []byte {
				return encode(map[string]string{"additional_context": text})
			},
		},
	}
}
