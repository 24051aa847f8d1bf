package agent

import (
	"regexp"
	"strings"
	"sync"
)

// Codex is the name of Codex.
const Codex = "codex"

func codex() Host {
	return Host{
		identity: identity{
			name:         Codex,
			resume:       []string{"codex", "resume"},
			afterInstall: "codex only runs hooks that you trust: start it in a directory that you trust, and open /hooks",
			precedence:   5,
			// CODEX_THREAD_ID is in every command that Codex runs (openai/codex#10096). A subagent has its own (#16882), and
			// CODEX_SESSION_ID is that of the conversation that it works for (measured with 0.169.0). CODEX_SANDBOX is where a
			// sandbox is on, CODEX_CI in its command environment (both: vercel/vercel packages/detect-agent 1.2.0). No process id
			// (openai/codex#11537).
			flags:         []string{"CODEX_SESSION_ID", "CODEX_THREAD_ID", "CODEX_SANDBOX", "CODEX_CI"},
			conversations: []string{"CODEX_SESSION_ID", "CODEX_THREAD_ID"},
			sharesProcess: true, // all its terminals have one app-server (measured with 0.169.0)
		},
		settings: settings{
			homeVariable: "CODEX_HOME",
			file:         func(Scope) string { return "hooks.json" },
			strict:       true,
			plugins:      Where.codexPlugins,
		},
		hooks: hooks{
			form:      `"type":"command",%s,"timeout":%d`,
			lines:     []commandMember{{"command", inAnyShell}, {"commandWindows", inCmd}}, // by the person's shell, and by %COMSPEC%
			isGrouped: true,
			// It trusts a hook by its position and its exact command: where one of them changes, people are asked again.
			list: []hook{
				{"SessionStart", "", startKind},
				{"UserPromptSubmit", "", promptKind}, // upstream starts executors by codex exec, of which the start knows no prompt
				{"SessionEnd", "", endKind},
				{"PreToolUse", "spawn_agent", agentKind},
				{"SubagentStart", "", agentKind},
			},
			decides:  "allow", // it refuses to change an input otherwise (0.169); that allows nothing else
			envelope: hookOutput(""),
		},
		commands: commands{
			// It runs `bash -lc`, or the shell of the user (measured with 0.169.0). Claude and Copilot start such a shell, too, but keep
			// their own PATH (2.1.331, 1.0.102); Gemini and OpenCode start none.
			loginShell: true,
			policy:     codexPolicy,
		},
	}
}

// codexPolicy returns the rules that allow our commands, and have it ask where it would run one in its sandbox without a question.
func codexPolicy(_ Scope, bin string) file {
	var words []string
	for _, command := range allowedCommands {
		words = append(words, quoted(command))
	}
	name := quoted(strings.Trim(bin, `"'`))
	return file{path: "rules/gsd.rules", text: "# gsd's commands for the work on a plan run without a question, and outside of the sandbox.\n" +
		"prefix_rule(pattern = [" + name + ", [" + strings.Join(words, ", ") + "]], decision = \"allow\")\n" +
		"# What may take work away from somebody is asked about.\n" +
		"prefix_rule(pattern = [" + name + ", " + quoted(askedCommand) + "], decision = \"prompt\")\n"}
}

// codexPlugins lists our plugins in Codex, which takes those for Claude, too.
func (w Where) codexPlugins() (enabled []string) {
	if w.Home == "" {
		return nil
	}
	w.Scope = User
	change, _ := w.read("config.toml")
	for _, m := range codexPlugin().FindAllSubmatch(unix(change.Before), -1) {
		enabled = append(enabled, string(m[1]))
	}
	return enabled
}

// codexPlugin finds our plugin in Codex's configuration, as Codex writes it.
var codexPlugin = sync.OnceValue(func() *regexp.Regexp {
	return regexp.MustCompile(`(?m)^\[plugins\."(` + pluginName + `[\w.-]+)"\]\n(?:[^\[\n].*\n)*?enabled = true$`)
})
