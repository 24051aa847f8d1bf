package agent

import (
	"cmp"
	"fmt"
	"path/filepath"
	"slices"
	"strings"
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
	if find(host).settings.hasLocal {
		return []Scope{Project, Local, User}
	}
	return []Scope{Project, User}
}

// settings is where a host looks for its files, and what it reads there.
type settings struct {
	hasLocal     bool                     // it has the scope Local
	worktrees    string                   // how it makes worktrees of the project by itself, in which it then starts; empty if it does not
	projectDir   string                   // its directory in a project, if not a dot and its name
	homeVariable string                   // the user's directory, if it is set
	homeBelow    string                   // what is below that variable's directory, if not the files themselves
	xdg          string                   // the user's directory below XDG_CONFIG_HOME, if it follows that
	file         func(scope Scope) string // with our hooks, shared with others; nil where the host has none
	strict       bool                     // it is read as JSON without comments
	version      string                   // the value of its member "version", which goes with hooks; "" if the host knows none
	dedups       bool                     // the host runs a command once that several settings files have in the same words
	lineScopes   []Scope                  // those that have a status line
	lineFile     string                   // the settings file that has it, if not this one
	plugins      func(w Where) []string   // see Where.plugins
	hooksOff     func(w Where) string     // see Where.hooksOff
}

// setup is what is installed for one host in one scope. Paths are relative to a base directory, with slashes.
type setup struct {
	settings string  // the file that is shared with others; empty where the host has none
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

// hasStatusLine reports whether a host has gsd's status line in that scope.
func hasStatusLine(host string, scope Scope) bool {
	return slices.Contains(find(host).settings.lineScopes, scope)
}

// statusLineOf returns our status line. bin is how we are called.
func statusLineOf(bin string) entry {
	const value = `{"type":"command","command":%s,"refreshInterval":%d}`
	return entry{kind: lineKind, handler: fmt.Sprintf(value, quoted(inEither(callOf(bin, lineKind, ""))), lineSeconds)}
}

// setupOf returns what is installed for a host. bin is how we are called.
func setupOf(host string, scope Scope, bin string, statusline bool) setup {
	h := find(host)
	s := setup{}
	if h.settings.file != nil {
		s.settings = h.settings.file(scope)
	}
	for _, k := range h.hooks.list {
		s.entries = append(s.entries, h.entry(k, bin))
	}
	switch has := hasStatusLine(host, scope); {
	case has && h.settings.lineFile != "":
		s.line = h.settings.lineFile
	case has && statusline:
		s.entries = append(s.entries, statusLineOf(bin))
	}
	if scope != Local {
		s.files = filesOf(host, bin)
	}
	return s
}

// allowing adds what allows our commands, if permit is set.
func (s setup) allowing(host string, scope Scope, bin string, permit bool) setup {
	s.permit = permit
	if f := policyOf(host, scope, bin); f.path != "" {
		s.files, s.policy = append(s.files, f), f.path
	}
	if find(host).commands.hasRules && permit && canAllow(bin) {
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
		if h := find(name); h.settings.homeVariable != "" {
			w := Where{Host: name, Scope: User, Home: "~", Getenv: func(string) string { return "" }}
			homes = append(homes, Home{name, h.settings.homeVariable, filepath.ToSlash(w.base())})
		}
	}
	return homes
}

// base returns the directory below which the host looks for its files, absolute. The host's own variable for it counts.
func (w Where) base() string {
	h := find(w.Host)
	if w.Scope != User {
		return filepath.Join(w.Project, cmp.Or(h.settings.projectDir, "."+w.Host))
	}
	own, config := w.Getenv(h.settings.homeVariable), w.Getenv("XDG_CONFIG_HOME")
	switch {
	case filepath.IsAbs(own) && h.settings.homeBelow != "":
		return filepath.Join(own, h.settings.homeBelow)
	case filepath.IsAbs(own):
		return own
	case h.settings.xdg != "" && filepath.IsAbs(config):
		return filepath.Join(config, h.settings.xdg)
	case h.settings.xdg != "":
		return filepath.Join(w.Home, ".config", h.settings.xdg)
	}
	return filepath.Join(w.Home, "."+w.Host)
}
