package agent

import "strings"

// Gemini is the name of Gemini CLI.
const Gemini = "gemini"

// geminiPrompt is the event before the agent gets a prompt. Its hook may hand a text to the model.
const geminiPrompt = "BeforeAgent"

// geminiTool is the event before a tool is called. Its hook may change the tool's input.
const geminiTool = "BeforeTool"

func gemini() Host {
	return Host{
		identity: identity{
			name:         Gemini,
			resume:       []string{"gemini", "--resume"},
			afterInstall: "gemini picks it up at its next start; a project's hooks run only in folders that you trust",
			precedence:   4,
			// GEMINI_CLI=1 is in every shell and MCP server (google-gemini/gemini-cli, shellExecutionService.ts,
			// "to identify that they were executed from within Gemini CLI"); hooks have GEMINI_PROJECT_DIR and
			// GEMINI_SESSION_ID (hookRunner.ts). No process id.
			flags:         []string{"GEMINI_CLI", "GEMINI_PROJECT_DIR", "GEMINI_SESSION_ID"},
			conversations: []string{"GEMINI_SESSION_ID"},
			startedIn:     "GEMINI_PROJECT_DIR",
			endings:       map[string]Ending{"clear": Cleared},
		},
		settings: settings{
			homeVariable: "GEMINI_CLI_HOME",
			homeBelow:    ".gemini",
			file:         func(Scope) string { return "settings.json" },
			dedups:       true,
		},
		hooks: hooks{
			form:      `"type":"command",%s,"timeout":%d000`, // in milliseconds
			isGrouped: true,
			list: []hook{
				{"SessionStart", "", startKind},
				{geminiPrompt, "", promptKind},
				{"PreCompress", "manual", compactKind}, // with "auto" it is called before each request, whether or not it is compressed
				{"SessionEnd", "", endKind},
				{geminiTool, "invoke_agent", agentKind},
			},
			beforeTool: geminiTool,
			// It drops the text of a start after /clear and, unless it runs with -p, after --resume (measured with 0.61.0).
			dropsStart: func(source string) bool { return source == "clear" || source == "resume" },
			envelope:   hookOutput(geminiPrompt), // whose name it does not look at
		},
		commands: commands{
			policy: geminiPolicy,
		},
	}
}

// geminiPolicy returns the rule that allows our commands. Gemini reads policies of a user only, and its setting tools.allowed would
// refuse all other commands.
func geminiPolicy(scope Scope, bin string) file {
	if scope != User {
		return file{}
	}
	var prefixes strings.Builder
	for _, command := range allowedCommands {
		prefixes.WriteString("  " + quoted(bin+" "+command) + ",\n")
	}
	return file{path: "policies/gsd.toml", text: "# gsd's commands for the work on a plan run without a question.\n[[rule]]\n" +
		"toolName = \"run_shell_command\"\ncommandPrefix = [\n" + prefixes.String() + "]\n" +
		"decision = \"allow\"\npriority = 100\nmodes = [\"default\", \"autoEdit\", \"yolo\"]\n"}
}
