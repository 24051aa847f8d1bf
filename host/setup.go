package host

import (
	"fmt"
	"path/filepath"
	"strings"
	"time"
)

// Scope says for whom an installation is.
type Scope string

// The scopes: everybody who works on the project, you in this project, you everywhere.
const (
	Project Scope = "project"
	Local   Scope = "local"
	User    Scope = "user"
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
	entries  []entry // what of ours is in it
	files    []file  // whole files of ours
}

// version is the value of the member of that name that comes with hooks; "" where the host knows none.
func (s setup) version() string {
	for _, e := range s.entries {
		if e.isVersion() {
			return e.value
		}
	}
	return ""
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
// together where a plugin brings them (hosts.md, section 1); our own plugin for OpenCode waits a second when it exits.
func Deadline(host string, ends bool) time.Duration {
	switch {
	case ends && host == OpenCode:
		return 800 * time.Millisecond
	case ends && host == Claude:
		return 1200 * time.Millisecond
	}
	return 2 * time.Second
}

// setupOf gives what is installed for a host. bin is how we are called.
func setupOf(host string, scope Scope, bin string, statusline bool) setup {
	c := commands{host, bin}
	var s setup
	switch host {
	case Claude:
		s.settings, s.strict = "settings.json", true
		if scope == Local {
			s.settings = "settings.local.json"
		}
		s.entries = []entry{
			nested("SessionStart", "", c.hydrate(), hookSeconds),
			nested("SessionEnd", "", c.end(), endSeconds),
			nested("TaskCompleted", "", c.task(), hookSeconds),
			nested("PostToolUse", "TodoWrite", c.task(), hookSeconds),
		}
		if statusline {
			s.entries = append(s.entries, entry{path: []string{"statusLine"}, value: object("type", "command", "command", bin+" statusline")})
		}
	case Codex:
		s.settings, s.strict = "hooks.json", true
		s.entries = []entry{
			nested("SessionStart", "", c.hydrate(), hookSeconds),
			nested("SessionEnd", "", c.end(), endSeconds),
			nested("PostToolUse", "update_plan", c.task(), hookSeconds),
		}
	case Gemini: // counts in milliseconds
		s.settings = "settings.json"
		s.entries = []entry{
			nested("SessionStart", "", c.hydrate(), 1000*hookSeconds),
			nested("SessionEnd", "", c.end(), 1000*endSeconds),
			nested("AfterTool", "write_todos", c.task(), 1000*hookSeconds),
		}
	case Copilot: // a file of our own among those of its directory
		s.settings, s.strict = "hooks/gsd.json", true
		s.entries = []entry{
			{path: []string{"version"}, value: "1"},
			flat("SessionStart", "timeoutSec", c.hydrate(), hookSeconds, "type", "command"),
			flat("SessionEnd", "timeoutSec", c.end(), endSeconds, "type", "command"),
		}
	case Cursor:
		s.settings = "hooks.json"
		s.entries = []entry{
			{path: []string{"version"}, value: "1"},
			flat("sessionStart", "timeout", c.hydrate(), hookSeconds),
			flat("sessionEnd", "timeout", c.end(), endSeconds),
		}
		for i := range s.entries { // it takes // for a comment even between quotes, and that may be how a path begins
			s.entries[i].value = strings.ReplaceAll(s.entries[i].value, "//", `/\/`)
		}
	}
	if scope != Local {
		s.files = filesOf(host, bin)
	}
	return s
}

// nested is a group with one handler, as Claude, Codex and Gemini have them.
func nested(event, matcher, command string, timeout int) entry {
	group := ""
	if matcher != "" {
		group = `"matcher":` + quoted(matcher) + `,`
	}
	return entry{path: []string{"hooks", event}, list: true, value: fmt.Sprintf(
		`{%s"hooks":[{"type":"command","command":%s,"timeout":%d}]}`, group, quoted(command), timeout)}
}

// flat is a handler, as Copilot and Cursor have them.
func flat(event, unit, command string, timeout int, before ...string) entry {
	return entry{path: []string{"hooks", event}, list: true, value: strings.TrimSuffix(
		object(append(before, "command", command)...), "}") + fmt.Sprintf(`,%q:%d}`, unit, timeout)}
}

// object writes names and values of strings as JSON.
func object(pairs ...string) string {
	var members []string
	for i := 0; i+1 < len(pairs); i += 2 {
		members = append(members, quoted(pairs[i])+":"+quoted(pairs[i+1]))
	}
	return "{" + strings.Join(members, ",") + "}"
}

func quoted(s string) string { return strings.TrimSuffix(string(encode(s)), "\n") }

// base gives the directory below which the host looks for its files: absolute. The host's own variable for it counts.
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
