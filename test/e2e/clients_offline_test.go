//go:build e2e && unix

package e2e

import (
	"os"
	"path/filepath"
	"strings"
)

// clients_offline_test.go: Copilot, OpenCode and Qwen Code, which talk to a provider of one's own and need no account then,
// and Gemini in a terminal.

var geminiUI = ui{
	args:   []string{"--model", "gemini-2.5-flash"},
	resume: []string{"--resume", "latest"}, resumesTwice: true,
	ready:   "Type your message",
	clear:   "/clear",
	compact: "/compress", compacted: "Chat history compressed",
	quit: "/quit",
	asks: "Allow execution of",
	yes:  "Enter",
	subagent: func(prompt string) reply {
		return reply{tool: "invoke_agent", input: map[string]any{"agent_name": "generalist", "prompt": prompt}}
	},
	lacks: map[string]string{"status line": "not available: Gemini's takes no program", worktree: notTried},
}

func copilot() client {
	return client{
		host:    "copilot",
		program: "copilot",
		command: "/hydrate-gsd",
		config: func(w *world, _ string) map[string]string {
			return map[string]string{".copilot/config.json": `{"trustedFolders": [` + encode(w.project) + `]}`}
		},
		env: func(w *world, url string) []string {
			env := []string{
				"COPILOT_PROVIDER_BASE_URL=" + url + "/v1", "COPILOT_MODEL=stand-in", "COPILOT_PROVIDER_MAX_PROMPT_TOKENS=100000",
				"COPILOT_OFFLINE=true", "COPILOT_AUTO_UPDATE=false",
			}
			if dir := os.Getenv("GSD_CLIENTS"); dir != "" {
				// It unpacks 235 MB at its first start.
				env = append(env, "COPILOT_PKG_CACHE_HOME="+filepath.Join(dir, "copilot"))
			}
			return env
		},
		ui: ui{
			resume:  []string{"--continue"},
			ready:   "/ commands",
			clear:   "/clear",
			compact: "/compact", compacted: "Compaction completed",
			quit: "/exit",
			asks: "Do you want to run this command?",
			yes:  "Enter",
			subagent: func(prompt string) reply {
				return reply{tool: "task", input: map[string]any{
					"description": "look", "prompt": prompt, "agent_type": "general-purpose", "name": "look", "mode": "sync",
				}}
			},
			mute:           true, // it has no place for a hook's message
			userStatusLine: true,
			lacks:          map[string]string{worktree: notTried},
		},
	}
}

func opencode() client {
	return client{
		host:    "opencode",
		program: "opencode",
		command: "/hydrate-gsd",
		config: func(_ *world, url string) map[string]string {
			return map[string]string{
				".config/opencode/opencode.json": strings.ReplaceAll(`{
  "autoupdate": false, "share": "disabled", "model": "stand-in/stand-in", "small_model": "stand-in/stand-in",
  "provider": {"stand-in": {
    "npm": "@ai-sdk/openai-compatible", "options": {"baseURL": "HERE/v1", "apiKey": "made-up"},
    "models": {"stand-in": {"tool_call": true, "limit": {"context": 100000, "output": 8000}}}
  }}
}`, "HERE", url),
				// When it finds a plugin, it asks npm's registry for a package of its own, which it can do without.
				".npmrc": "registry=http://127.0.0.1:9/\n",
				// Nobody looks at what moves.
				".local/state/opencode/kv.json": `{"animations_enabled": false}`,
			}
		},
		env: func(*world, string) []string {
			return []string{
				"OPENCODE_DISABLE_AUTOUPDATE=1", "OPENCODE_DISABLE_MODELS_FETCH=1", "OPENCODE_DISABLE_LSP_DOWNLOAD=1", "OPENCODE_DISABLE_SHARE=1",
				"npm_config_fetch_retries=0", // of the package that it asks for as soon as there is a plugin
			}
		},
		ui: ui{
			resume:  []string{"--continue"},
			ready:   "ctrl+p commands",
			clear:   "/new",
			compact: "/compact", compacted: "Compaction ·",
			quit: "/exit",
			asks: "Permission required",
			yes:  "Enter",
			subagent: func(prompt string) reply {
				return reply{tool: "task", input: map[string]any{"description": "look", "prompt": prompt, "subagent_type": "general"}}
			},
			lacks: map[string]string{"status line": "not available: OpenCode has none", worktree: "not available: OpenCode makes none"},
		},
	}
}

func qwen() client {
	return client{
		host:    "qwen",
		program: "qwen",
		seed: map[string]string{".qwen/settings.json": "{\n  // of the project\n  \"$version\": 4,\n  \"hooks\": {\"SessionStart\": [\n    {\"hooks\": [{\"type\": \"command\", \"command\": \"" +
			theOther + "\"}]}\n  ]}\n}\n"},
		config: func(*world, string) map[string]string {
			// It adds the version of its settings to those that have none.
			return map[string]string{".qwen/settings.json": "{\n  \"$version\": 4,\n  \"security\": {\"auth\": {\"selectedType\": \"openai\"}},\n" +
				"  \"privacy\": {\"usageStatisticsEnabled\": false}, // no telemetry\n  \"general\": {\"enableAutoUpdate\": false},\n" +
				"  \"memory\": {\"enableManagedAutoMemory\": false}, // about both it asks a model after each turn\n" +
				"  \"ui\": {\"enableFollowupSuggestions\": false}\n}\n"}
		},
		env: func(_ *world, url string) []string {
			return []string{
				"OPENAI_BASE_URL=" + url + "/v1", "OPENAI_API_KEY=made-up", "OPENAI_MODEL=stand-in",
				"QWEN_CODE_NO_RELAUNCH=true", // it starts itself again for more memory
			}
		},
		args:    []string{"--approval-mode", "yolo", "-p"},
		endless: true,
		command: "/hydrate-gsd",
		typed:   "Run `gsd hydrate --inline`.",
		times:   1,
		ui: ui{
			// Auto mode, which is the default, asks a model about each command.
			args:       []string{"--approval-mode", "default"},
			delegating: []string{"--allowed-tools", "agent"},
			resume:     []string{"--continue"},
			ready:      "Type your message",
			clear:      "/clear",
			compact:    "/compress", compacted: "Chat history compressed",
			quit: "/quit",
			asks: "Do you want to proceed?",
			yes:  "Enter",
			subagent: func(prompt string) reply {
				return reply{tool: "agent", input: map[string]any{"description": "look", "prompt": prompt, "subagent_type": "general-purpose"}}
			},
			mute: true, // it shows no message of a hook at the start
			lacks: map[string]string{
				"status line": "not available: gsd sets none", worktree: notTried,
				"subagent sent to a plan": "not available: Qwen drops what its hook prints",
			},
		},
	}
}
