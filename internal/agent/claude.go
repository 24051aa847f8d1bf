package agent

import (
	"bytes"
	"encoding/json"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/gsd-cli/gsd/internal/durable"
)

// Claude is the name of Claude Code.
const Claude = "claude"

func claude() Host {
	return Host{
		identity: identity{
			name:         Claude,
			resume:       []string{"claude", "--resume"},
			afterInstall: "a running claude picks it up at once, and shows it under /hooks",
			// Last, because its variables are most often where they do not belong: it is the one that runs the others, and editors set
			// CLAUDECODE for people.
			precedence: 7,
			// CLAUDECODE=1 since 0.2.47 (anthropics/claude-code#531), CLAUDE_CODE_SESSION_ID in hooks and, since 2.1.132,
			// in Bash, CLAUDE_CODE_CHILD_SESSION=1 since 2.1.172 (code.claude.com/docs/en/env-vars), CLAUDE_PID. Editors'
			// extensions set CLAUDECODE alone in the terminals of people, too: such a person is taken for Claude, without a
			// conversation or process.
			flags:         []string{"CLAUDECODE", "CLAUDE_CODE_SESSION_ID", "CLAUDE_CODE_CHILD_SESSION"},
			conversations: []string{"CLAUDE_CODE_SESSION_ID"},
			startedIn:     "CLAUDE_PROJECT_DIR",
			endings:       map[string]Ending{"clear": Cleared},
			pid:           "CLAUDE_PID",
			isOthers:      isNotClaudes,
			isBelow:       Where.claudeBelow,
		},
		settings: settings{
			hasLocal:     true,
			worktrees:    "claude -w, and subagents with isolation",
			homeVariable: "CLAUDE_CONFIG_DIR",
			file:         claudeFile,
			strict:       true,
			dedups:       true,
			lineScopes:   []Scope{Project, Local, User},
			plugins:      Where.claudePlugins,
			hooksOff:     Where.allHooksOff,
		},
		hooks: hooks{
			form:      `"type":"command",%s,"timeout":%d`,
			isGrouped: true,
			// None for WorktreeRemove: it is called only for worktrees that a WorktreeCreate hook made, and its success counts as the removal
			// itself (2.1.331). The breadcrumb, which is written with every mark, has all that a removed session had.
			list: []hook{
				{"SessionStart", "", startKind},
				{"SessionEnd", "", endKind},
				{"PreToolUse", "Agent|Task", agentKind}, // versions before called it Task
				{"PreToolUse", "Bash", askKind},
				{"SubagentStart", "", agentKind},
			},
			endDeadline: 1200 * time.Millisecond, // it gives all hooks of the end together 1.5 seconds
			envelope:    hookOutput(""),
		},
		commands: commands{
			file: func(c command, name, bin string) file {
				front := frontMatter("description", c.description, "argument-hint", c.arguments, "allowed-tools", c.allowedTools(bin))
				return file{path: "commands/" + name + ".md", text: front + c.render(bin, "$ARGUMENTS", true)}
			},
			hasRules: true,
		},
	}
}

// isNotClaudes reports whether Copilot or Cursor runs a hook of Claude's settings: they set no variable of Claude's but the alias of
// its directory (measured with Copilot 1.0.102; Cursor's loader, @cursor/sdk 1.0.32). If one of them was started by Claude, or
// Claude by it, the variables of both are there, and the conversation in the hook's input decides. Without one it is taken for
// Claude: a brief that is not read does less harm than a conversation without a brief.
func isNotClaudes(getenv func(string) string, c Caller, conversation string) bool {
	claudes := getenv("CLAUDE_CODE_SESSION_ID")
	switch {
	case getenv("CLAUDECODE") == "":
		return true
	case conversation == "":
		return false
	}
	return c.Conversation == conversation || claudes != "" && claudes != conversation
}

// claudeFile returns Claude's settings file of a scope.
func claudeFile(scope Scope) string {
	if scope == Local {
		return "settings.local.json"
	}
	return "settings.json"
}

// claudeSettings yields Claude's settings files and what they hold, the nearest scope first. Files that Claude does not
// read are left out.
func (w Where) claudeSettings(yield func(file string, members map[string]json.RawMessage) bool) {
	for _, w.Scope = range []Scope{Local, Project, User} {
		if w.Scope != User && w.Project == "" || w.Scope == User && w.Home == "" {
			continue
		}
		change, err := w.read(claudeFile(w.Scope))
		var members map[string]json.RawMessage // a struct's fields would match in any case
		if err != nil || json.Unmarshal(bytes.TrimPrefix(change.Before, []byte("\ufeff")), &members) != nil {
			continue
		}
		if !yield(change.Path, members) {
			return
		}
	}
}

// claudePlugins lists those of Claude. The nearest scope that names one decides. A plugin that Claude has not downloaded
// does not run.
func (w Where) claudePlugins() (enabled []string) {
	decided := map[string]bool{}
	for _, settings := range w.claudeSettings {
		var plugins map[string]json.RawMessage
		if json.Unmarshal(settings["enabledPlugins"], &plugins) != nil {
			continue
		}
		for name, value := range plugins {
			if strings.HasPrefix(name, pluginName) && !decided[name] {
				decided[name] = true
				if string(value) == "true" && w.downloaded(name) {
					enabled = append(enabled, name)
				}
			}
		}
	}
	slices.Sort(enabled)
	return enabled
}

// downloaded reports whether Claude has a plugin on this machine, or does not say which it has.
func (w Where) downloaded(plugin string) bool {
	w.Scope = User
	if w.Home == "" {
		return true
	}
	change, err := w.read("plugins/installed_plugins.json")
	var list struct {
		Plugins map[string]json.RawMessage `json:"plugins"`
	}
	if err != nil || json.Unmarshal(change.Before, &list) != nil || list.Plugins == nil {
		return true
	}
	return list.Plugins[plugin] != nil
}

// allHooksOff returns the file of the settings that disables all hooks, "" if none does. The nearest scope that
// mentions it decides.
func (w Where) allHooksOff() string {
	for file, settings := range w.claudeSettings {
		switch off, ok := settings["disableAllHooks"]; {
		case ok && string(off) == "true":
			return file
		case ok:
			return ""
		}
	}
	return ""
}

// claudeBelow reports whether a conversation was started in dir or between it and the project. Claude keeps a conversation in
// projects/START/ID.jsonl below its own directory, where START is the directory of its start with a hyphen for every other character
// than letters and digits (2.1.331; longer ones than 200 characters have another form). The file comes with the first answer: if there
// is none yet, nothing has changed the directory since the start.
func (w Where) claudeBelow(conversation, dir string) bool {
	w.Scope = User
	projects := w.path("projects")
	names, err := durable.NamesAt(projects)
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return false
	}
	started := ""
	for _, name := range names {
		if _, err := os.Stat(filepath.Join(projects, name, conversation+".jsonl")); err == nil {
			started = name
		}
	}
	for ; started != "" && len(dir) > len(w.Project); dir = filepath.Dir(dir) {
		if started == notInName().ReplaceAllString(dir, "-") {
			return true
		}
	}
	return started == ""
}

var notInName = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`[^A-Za-z0-9]`) })
