package host

import (
	"fmt"
	"path/filepath"
	"strings"
	"time"
)

// Scope is for whom gsd is installed.
type Scope string

// The scopes.
const (
	Project Scope = "project" // everybody who works on the project
	Local   Scope = "local"   // the user, in this project; only claude has it
	User    Scope = "user"    // the user, in every project
)

// Scopes lists the scopes that a host has. Local is a file of Claude's own, which git ignores.
func Scopes(host string) []Scope {
	if host == Claude {
		return []Scope{Project, Local, User}
	}
	return []Scope{Project, User}
}

// setup is what is installed for one host in one scope. Paths are relative to a base directory, with slashes.
type setup struct {
	settings string  // the file that is shared with others; empty where the host has none
	strict   bool    // the host reads it as JSON without comments
	version  string  // the value of its member "version", which goes with hooks; "" if the host knows none
	entries  []entry // what of ours is in it
	files    []file  // whole files of ours
}

// file is a whole file of ours.
type file struct {
	path string
	text string // without the signature that says it is ours
}

// Seconds that our hooks may take: hydrate waits for git, which may have to be found on a cold disk. Codex allows the
// end of a session no more than three (measured with 0.169), and says so at each start where it is given more.
const (
	hookSeconds = 10
	endSeconds  = 3
)

// Deadline is when a hook of ours prints what it has and ends: after four fifths of the host's own time-out, because
// what comes later is thrown away, and after two seconds at the latest, because an agent waits for it. ends says that
// it is a hook of a conversation's course or end, not of its start. Claude gives all hooks of an end 1.5 seconds
// together where a plugin brings them; our own plugin for OpenCode waits a second when it exits.
func Deadline(host string, ends bool) time.Duration {
	switch {
	case ends && host == OpenCode:
		return 800 * time.Millisecond
	case ends && host == Claude:
		return 1200 * time.Millisecond
	}
	return 2 * time.Second
}

// setupOf returns what is installed for a host. bin is how we are called.
func setupOf(host string, scope Scope, bin string, statusline bool) setup {
	var s setup
	// nested is a group with one handler, as Claude, Codex and Gemini have them.
	nested := func(event, matcher, kind string, timeout int) {
		group := ""
		if matcher != "" {
			group = `"matcher":` + quoted(matcher) + `,`
		}
		s.entries = append(s.entries, entry{event, fmt.Sprintf(`{%s"hooks":[{"type":"command","command":%s,"timeout":%d}]}`,
			group, quoted(hookCommand(bin, kind, host)), timeout)})
	}
	// flat is a handler alone, as Copilot and Cursor have them.
	flat := func(event, before, kind, unit string, timeout int) {
		command := quoted(hookCommand(bin, kind, host))
		if host == Cursor { // takes // for a comment even between quotes, and that may be how a path begins
			command = strings.ReplaceAll(command, "//", `/\/`)
		}
		s.entries = append(s.entries, entry{event, fmt.Sprintf(`{%s"command":%s,%q:%d}`, before, command, unit, timeout)})
	}
	switch host {
	case Claude:
		s.settings, s.strict = "settings.json", true
		if scope == Local {
			s.settings = "settings.local.json"
		}
		nested("SessionStart", "", startKind, hookSeconds)
		nested("SessionEnd", "", endKind, endSeconds)
		nested("TaskCompleted", "", taskKind, hookSeconds)
		nested("PostToolUse", "TodoWrite", taskKind, hookSeconds)
		if statusline {
			s.entries = append(s.entries, entry{"", `{"type":"command","command":` + quoted(bin+" "+lineKind) + `}`})
		}
	case Codex:
		s.settings, s.strict = "hooks.json", true
		nested("SessionStart", "", startKind, hookSeconds)
		nested("SessionEnd", "", endKind, endSeconds)
		nested("PostToolUse", "update_plan", taskKind, hookSeconds)
	case Gemini: // counts in milliseconds
		s.settings = "settings.json"
		nested("SessionStart", "", startKind, 1000*hookSeconds)
		nested("SessionEnd", "", endKind, 1000*endSeconds)
		nested("AfterTool", "write_todos", taskKind, 1000*hookSeconds)
	case Copilot: // a file of our own among those of its directory
		s.settings, s.strict, s.version = "hooks/gsd.json", true, "1"
		flat("SessionStart", `"type":"command",`, startKind, "timeoutSec", hookSeconds)
		flat("SessionEnd", `"type":"command",`, endKind, "timeoutSec", endSeconds)
	case Cursor:
		s.settings, s.version = "hooks.json", "1"
		flat("sessionStart", "", startKind, "timeout", hookSeconds)
		flat("sessionEnd", "", endKind, "timeout", endSeconds)
	}
	if scope != Local {
		s.files = filesOf(host, bin)
	}
	return s
}

func quoted(s string) string { return strings.TrimSuffix(string(encode(s)), "\n") }

// base returns the directory below which the host looks for its files: absolute. The host's own variable for it counts.
func (w Where) base() string {
	if w.Scope != User {
		if w.Host == Copilot {
			return filepath.Join(w.Project, ".github")
		}
		return filepath.Join(w.Project, "."+w.Host)
	}
	own := func(variable, standard string) string {
		if dir := w.Getenv(variable); filepath.IsAbs(dir) {
			return dir
		}
		return filepath.Join(w.Home, filepath.FromSlash(standard))
	}
	switch w.Host {
	case Claude:
		return own("CLAUDE_CONFIG_DIR", ".claude")
	case Codex:
		return own("CODEX_HOME", ".codex")
	case Copilot:
		return own("COPILOT_HOME", ".copilot")
	case OpenCode:
		if dir := w.Getenv("XDG_CONFIG_HOME"); filepath.IsAbs(dir) && !filepath.IsAbs(w.Getenv("OPENCODE_CONFIG_DIR")) {
			return filepath.Join(dir, "opencode")
		}
		return own("OPENCODE_CONFIG_DIR", ".config/opencode")
	case Gemini:
		return filepath.Join(own("GEMINI_CLI_HOME", "."), ".gemini")
	}
	return filepath.Join(w.Home, "."+w.Host)
}
