package agent

import (
	"cmp"
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

// Scopes lists the scopes that a host has.
func Scopes(host string) []Scope {
	if find(host).hasLocal {
		return []Scope{Project, Local, User}
	}
	return []Scope{Project, User}
}

// setup is what is installed for one host in one scope. Paths are relative to a base directory, with slashes.
type setup struct {
	settings string  // the file that is shared with others; empty where the host has none
	strict   bool    // the host reads it as JSON without comments
	version  string  // the value of its member "version", which goes with hooks; "" if the host knows none
	entries  []entry // what gsd has in it
	line     string  // the other settings file that has the status line; empty if there is none
	files    []file  // gsd's whole files
	policy   string  // the one of them that allows our commands; empty if there is none
	permit   bool    // our commands are to be allowed; if not, the policy is removed
}

// file is a whole file of gsd's.
type file struct {
	path   string
	text   string // without the signature that says it is ours
	shared bool   // it is in the directory that most hosts read; see Where.agents
}

// Seconds that our hooks may take: hydrate waits for git, which may have to be found on a cold disk. Codex allows the
// end of a session no more than three (measured with 0.169), and says so at each start if it is given more.
const (
	hookSeconds = 10
	endSeconds  = 3
	lineSeconds = 5 // after which a status line is asked for again, since a task may be marked outside of the host
)

// hasStatusLine reports whether a host has gsd's status line in that scope.
func hasStatusLine(host string, scope Scope) bool {
	has := find(host).hasStatusLine
	return has != nil && has(scope)
}

// statusLineOf returns our status line. bin is how we are called.
func statusLineOf(bin string) entry {
	const value = `{"type":"command","command":%s,"refreshInterval":%d}`
	return entry{kind: lineKind, handler: fmt.Sprintf(value, quoted(inEither(callOf(bin, lineKind, ""))), lineSeconds)}
}

// Deadline returns the time after which one of gsd's hooks prints what it has and exits: two seconds, because an agent waits
// for it, or less if the host would kill it earlier. ends means that the hook is for the end of a conversation.
func Deadline(host string, ends bool) time.Duration {
	if ends {
		return cmp.Or(find(host).endDeadline, 2*time.Second)
	}
	return 2 * time.Second
}

// setupOf returns what is installed for a host. bin is how we are called.
func setupOf(host string, scope Scope, bin string, statusline bool) setup {
	h := find(host)
	s := setup{strict: h.strict, version: h.version}
	if h.settings != nil {
		s.settings = h.settings(scope)
	}
	for _, k := range h.hooks {
		s.entries = append(s.entries, h.entry(k, bin))
	}
	switch has := hasStatusLine(host, scope); {
	case has && h.lineFile != "":
		s.line = h.lineFile
	case has && statusline:
		s.entries = append(s.entries, statusLineOf(bin))
	}
	if scope != Local {
		s.files = filesOf(host, bin)
	}
	return s
}

// commandsOf returns the command lines of a hook of a host.
func (h *Host) commandsOf(kind, bin string) (members []commandMember, lines []string) {
	if members = h.commands; members == nil {
		members = []commandMember{{"command", inEither}}
	}
	for _, m := range members {
		lines = append(lines, m.guard(callOf(bin, kind, h.name)))
	}
	return members, lines
}

// entry returns a hook as it is in the host's settings. bin is how we are called.
func (h *Host) entry(k hook, bin string) entry {
	seconds := hookSeconds
	if k.kind == endKind {
		seconds = endSeconds
	}
	var commands []string
	members, lines := h.commandsOf(k.kind, bin)
	for i, m := range members {
		line := quoted(lines[i])
		if h.escape != nil {
			line = h.escape(line)
		}
		commands = append(commands, quoted(m.name)+":"+line)
	}
	value := `{` + fmt.Sprintf(h.handler, strings.Join(commands, ","), seconds) + `}`
	return entry{event: k.event, matcher: k.matcher, isGrouped: h.isGrouped, kind: k.kind, handler: value}
}

// allowing adds what allows our commands, if permit is set.
func (s setup) allowing(host string, scope Scope, bin string, permit bool) setup {
	s.permit = permit
	if f := policyOf(host, scope, bin); f.path != "" {
		s.files, s.policy = append(s.files, f), f.path
	}
	if find(host).hasRules && permit && canAllow(bin) {
		s.entries = append(s.entries, permissionsOf(allowList, bin), permissionsOf(askList, bin))
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
	return append(dirs, agentsDir)
}

// A Home is the variable that moves the directory in which a host keeps a user's settings.
type Home struct {
	Host, Variable string
	Default        string // the directory without it, with ~ for the home directory
}

// Homes returns the variables of all hosts that have one.
func Homes() (homes []Home) {
	for _, name := range Names() {
		if h := find(name); h.homeVariable != "" {
			w := Where{Host: name, Scope: User, Home: "~", Getenv: func(string) string { return "" }}
			homes = append(homes, Home{name, h.homeVariable, filepath.ToSlash(w.base())})
		}
	}
	return homes
}

// base returns the directory below which the host looks for its files, absolute. The host's own variable for it counts.
func (w Where) base() string {
	h := find(w.Host)
	if w.Scope != User {
		return filepath.Join(w.Project, cmp.Or(h.projectDir, "."+w.Host))
	}
	own, config := w.Getenv(h.homeVariable), w.Getenv("XDG_CONFIG_HOME")
	switch {
	case filepath.IsAbs(own) && h.homeBelow != "":
		return filepath.Join(own, h.homeBelow)
	case filepath.IsAbs(own):
		return own
	case h.xdg != "" && filepath.IsAbs(config):
		return filepath.Join(config, h.xdg)
	case h.xdg != "":
		return filepath.Join(w.Home, ".config", h.xdg)
	}
	return filepath.Join(w.Home, "."+w.Host)
}
