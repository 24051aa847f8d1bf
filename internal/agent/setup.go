package agent

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

// Scopes lists the scopes that a host has. Local is a file of Claude's own.
func Scopes(host string) []Scope {
	if host == Claude {
		return []Scope{Project, Local, User}
	}
	return []Scope{Project, User}
}

// setup is what is installed for one host in one scope. Paths are relative to a base directory, with slashes.
type setup struct {
	settings string   // the file that is shared with others; empty where the host has none
	strict   bool     // the host reads it as JSON without comments
	version  string   // the value of its member "version", which goes with hooks; "" if the host knows none
	entries  []entry  // what of ours is in it
	line     string   // the other settings file that has the status line; empty if there is none
	files    []file   // whole files of ours
	policy   string   // the one of them that allows our commands; empty if there is none
	permit   bool     // our commands are to be allowed; if not, the policy is removed
	former   []string // where earlier versions had such files
}

// file is a whole file of ours.
type file struct {
	path string
	text string // without the signature that says it is ours
}

// Seconds that our hooks may take: hydrate waits for git, which may have to be found on a cold disk. Codex allows the
// end of a session no more than three (measured with 0.169), and says so at each start if it is given more.
const (
	hookSeconds = 10
	endSeconds  = 3
	lineSeconds = 5 // after which a status line is asked for again, since a task may be marked outside of the host
)

// hasStatusLine reports whether a host has a status line of ours in that scope. Copilot reads it from a user's settings
// alone (tried with 1.0.102).
func hasStatusLine(host string, scope Scope) bool {
	return host == Claude || host == Copilot && scope == User
}

// statusLineOf returns our status line. bin is how we are called.
func statusLineOf(bin string) entry {
	const value = `{"type":"command","command":%s,"refreshInterval":%d}`
	return entry{value: fmt.Sprintf(value, quoted(bin+" "+lineKind), lineSeconds)}
}

// Deadline returns the time after which a hook of ours prints what it has and exits: two seconds, because an agent waits
// for it, or less if the host would kill it earlier. ends means that the hook is for the end of a conversation: Claude gives all
// of those together 1.5 seconds, and our plugin for OpenCode waits one second.
func Deadline(host string, ends bool) time.Duration {
	switch {
	case ends && host == OpenCode:
		return 800 * time.Millisecond
	case ends && host == Claude:
		return 1200 * time.Millisecond
	}
	return 2 * time.Second
}

// hooksOf lists our hooks of each host: the event, the tool that they are for, if any, and our command.
var hooksOf = map[string][][3]string{
	Claude: {
		{"SessionStart", "", startKind},
		{"SessionEnd", "", endKind},
		{"TaskCompleted", "", taskKind},
		{"PostToolUse", "TaskUpdate|TodoWrite", taskKind},
	},
	Codex: {{"SessionStart", "", startKind}, {"SessionEnd", "", endKind}, {"PostToolUse", "update_plan", taskKind}},
	Gemini: {
		{"SessionStart", "", startKind},
		{"BeforeAgent", "", promptKind},
		{"PreCompress", "manual", compactKind}, // with "auto" it is called before each request, whether or not it is compressed
		{"SessionEnd", "", endKind},
		{"AfterTool", "write_todos", taskKind},
	},
	Copilot: {
		{"SessionStart", "", startKind},
		{"userPromptSubmitted", "", promptKind},
		{"preCompact", "", compactKind},
		{"SessionEnd", "", endKind},
	},
	Cursor: {{"sessionStart", "", startKind}, {"sessionEnd", "", endKind}},
}

// DropsStart reports whether a host may drop what its start hook prints, depending on why a conversation starts: Gemini
// does so after /clear and, unless it runs with -p, after --resume (measured with 0.61.0). The text is then due with the
// next prompt.
func DropsStart(host, source string) bool {
	return host == Gemini && (source == "clear" || source == "resume")
}

// setupOf returns what is installed for a host. bin is how we are called.
func setupOf(host string, scope Scope, bin string, statusline bool) setup {
	var s setup
	// A handler is alone in its event, or in a group.
	handler, group := `"type":"command","command":%s,"timeout":%d`, true
	switch host {
	case Claude:
		s.settings, s.strict = "settings.json", true
		if scope == Local {
			s.settings = "settings.local.json"
		}
	case Codex:
		s.settings, s.strict = "hooks.json", true
	case Gemini: // counts in milliseconds
		s.settings, handler = "settings.json", handler+"000"
	case Copilot: // a file of our own among those of its directory
		s.settings, s.strict, s.version = "hooks/gsd.json", true, "1"
		handler, group = `"type":"command","command":%s,"timeoutSec":%d`, false
		if scope == User {
			s.line = "settings.json"
		}
	case Cursor:
		s.settings, s.version = "hooks.json", "1"
		handler, group = `"command":%s,"timeout":%d`, false
	}
	for _, h := range hooksOf[host] {
		event, matcher, kind := h[0], h[1], h[2]
		timeout, command := hookSeconds, quoted(hookCommand(bin, kind, host))
		if kind == endKind {
			timeout = endSeconds
		}
		if host == Cursor { // which takes // for a comment even between quotes, and a path may begin with it
			command = strings.ReplaceAll(command, "//", `/\/`)
		}
		value := fmt.Sprintf(`{`+handler+`}`, command, timeout)
		if matcher != "" {
			matcher = `"matcher":` + quoted(matcher) + `,`
		}
		if group {
			value = `{` + matcher + `"hooks":[` + value + `]}`
		}
		s.entries = append(s.entries, entry{event: event, value: value})
	}
	if host == Claude && statusline {
		s.entries = append(s.entries, statusLineOf(bin))
	}
	if scope != Local {
		s.files, s.former = filesOf(host, bin), formerFiles(host)
	}
	return s
}

// allowing adds what allows our commands, if permit is set.
func (s setup) allowing(host string, scope Scope, bin string, permit bool) setup {
	s.permit = permit
	if f := policyOf(host, scope, bin); f.path != "" {
		s.files, s.policy = append(s.files, f), f.path
	}
	if host == Claude && permit && canAllow(bin) {
		s.entries = append(s.entries, entry{allow: permissionsOf(bin)})
	}
	return s
}

// wants reports whether a file of the setup is to be there.
func (s setup) wants(f file) bool { return f.path != s.policy || s.permit }

func quoted(s string) string { return strings.TrimSuffix(string(encode(s)), "\n") }

// ProjectDirs returns the directories of a project in which hosts look for their files, relative to it.
func ProjectDirs() (dirs []string) {
	for _, name := range Names() {
		dirs = append(dirs, Where{Host: name, Scope: Project}.base())
	}
	return dirs
}

// base returns the directory below which the host looks for its files, absolute. The host's own variable for it counts.
func (w Where) base() string {
	switch {
	case w.Scope != User && w.Host == Copilot:
		return filepath.Join(w.Project, ".github")
	case w.Scope != User:
		return filepath.Join(w.Project, "."+w.Host)
	}
	variable := map[string]string{
		Claude: "CLAUDE_CONFIG_DIR", Codex: "CODEX_HOME", Gemini: "GEMINI_CLI_HOME", Copilot: "COPILOT_HOME",
		OpenCode: "OPENCODE_CONFIG_DIR",
	}[w.Host]
	own, config := w.Getenv(variable), w.Getenv("XDG_CONFIG_HOME")
	switch {
	case filepath.IsAbs(own) && w.Host == Gemini:
		return filepath.Join(own, ".gemini")
	case filepath.IsAbs(own):
		return own
	case w.Host == OpenCode && filepath.IsAbs(config):
		return filepath.Join(config, "opencode")
	case w.Host == OpenCode:
		return filepath.Join(w.Home, ".config", "opencode")
	}
	return filepath.Join(w.Home, "."+w.Host)
}
