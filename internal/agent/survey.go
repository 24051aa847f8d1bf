package agent

import (
	"cmp"
	"errors"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"

	"github.com/gsd-cli/gsd/internal/durable"
	"github.com/gsd-cli/gsd/internal/hookinput"
)

// Installed is where gsd is installed for one host.
type Installed struct {
	Host   string    `json:"host"`   // its name, such as claude
	Found  bool      `json:"found"`  // the host has a directory of its own, or its program can be run
	Scopes []InScope `json:"scopes"` // every scope that it has; outside of a project only the user's
	// Plugins are gsd's own plugins that are installed and enabled, such as gsd@gsd-cli. They bring the same hooks.
	Plugins []string `json:"plugins"`
	Notes   []string `json:"notes"` // what a person should know, such as that the hooks would fire twice
	// Twice are the scopes, and "the plugin", whose hooks would run one after the other; empty if that is at most one.
	Twice []string `json:"-"`
}

// InScope is how far gsd is installed for a host in one scope.
type InScope struct {
	Scope   Scope  `json:"scope"`
	State   State  `json:"state" empty:"null"`   // how far it is installed; null if there is a problem
	Problem string `json:"problem" empty:"null"` // why the state is not known; null if it is

	Faults      []Fault  `json:"faults"` // why its hooks would not run; the host's notes say so, too
	Mentions    []string `json:"-"`      // command lines of others' hooks that may call gsd in addition to its own hooks
	LoginName   bool     `json:"-"`      // it runs commands in a login shell, and its hooks call gsd by its name
	Unpermitted bool     `json:"-"`      // of our commands, most are allowed without a question, but not gsd mark
}

// A Fault is why hooks would not run although they are there.
type Fault struct {
	Text  string `json:"text"`  // a sentence, which names files and so is untrusted
	Moved bool   `json:"moved"` // they call gsd by a path that does not exist
}

// Survey reports what is installed for every host: for the user and, if there is one, the project. It only reads.
func Survey(w Where) []Installed {
	var all []Installed
	for _, name := range Names() {
		w.Host = name
		installed := Installed{Host: name, Found: w.isFound()}
		for _, w.Scope = range Scopes(name) {
			if w.Scope != User && w.Project == "" {
				continue
			}
			in := InScope{Scope: w.Scope, State: Absent}
			if w.isNew() {
				installed.Scopes = append(installed.Scopes, in)
				continue
			}
			p, err := w.readSetup(false)
			if err == nil {
				err = p.bad
			}
			if err != nil {
				in.State, in.Problem = "", err.Error()
				if failure, ok := errors.AsType[*Error](err); ok && failure.Hint != "" {
					in.Problem += "; " + failure.Hint
				}
			} else if in.State = p.State; in.State != Absent {
				in.Faults, in.Unpermitted = p.faults(), p.document.lacksMark()
				in.Mentions = p.document.mentions()
				in.LoginName = find(name).commands.loginShell && cmp.Or(p.Where.Program, program) == program
				installed.Notes = append(installed.Notes, texts(in.Faults)...)
			}
			installed.Scopes = append(installed.Scopes, in)
		}
		installed.Plugins = w.plugins()
		slices.Sort(installed.Notes)
		installed.Twice = w.repeated("")
		installed.Notes = append(slices.Compact(installed.Notes), noteTwice(installed.Twice)...)
		all = append(all, installed)
	}
	return all
}

// StartedBelow reports whether a conversation runs none of our hooks because it was started below the project: in dir or above it. So
// it is in a host that reads a project's settings in the directory of its start alone, if these have our hooks and nothing else has.
// It is false where that is not certain. dir and the project are without symbolic links.
func (w Where) StartedBelow(conversation, dir string) bool {
	isBelow := find(w.Host).isBelow
	if isBelow == nil || !hookinput.ValidConversation(conversation) || w.Home == "" || len(w.plugins()) > 0 {
		return false
	}
	if rel, err := filepath.Rel(w.Project, dir); err != nil || rel == "." || !filepath.IsLocal(rel) {
		return false
	}
	has := map[Scope]bool{}
	for _, w.Scope = range Scopes(w.Host) {
		has[w.Scope] = len(w.starts()) > 0
	}
	return !has[User] && (has[Project] || has[Local]) && isBelow(w, conversation, dir)
}

// isNew reports whether the host has no directory in a scope, so that nothing is installed there.
func (w Where) isNew() bool {
	if w.Scope == User && w.Home == "" {
		return false
	}
	_, err := os.Lstat(w.base())
	return errors.Is(err, fs.ErrNotExist)
}

// isFound reports whether the host is installed on this machine, as far as is known without running it.
func (w Where) isFound() bool {
	w.Scope = User
	names, err := durable.NamesAt(w.base())
	if err == nil && len(names) > 0 && w.Home != "" { // our removals leave empty directories
		return true
	}
	bin := cmp.Or(find(w.Host).program, w.Host)
	return slices.ContainsFunc(filepath.SplitList(w.Getenv("PATH")), func(dir string) bool {
		_, err := exec.LookPath(filepath.Join(dir, bin))
		return filepath.IsAbs(dir) && err == nil
	})
}

// duplicates notes which hooks would run more than once.
func (w Where) duplicates(scope Scope) []string { return noteTwice(w.repeated(scope)) }

func noteTwice(in []string) []string {
	if in == nil {
		return nil
	}
	return []string{"the hooks run more than once, from " + strings.Join(in, " and ") + "; one of them is enough"}
}

// repeated lists whose hooks would run one after the other: those of several scopes, and those of the plugin. Some hosts
// run a command once that several settings files have in the same words, but the plugin's in any case. Hooks that another host
// runs as well print nothing there (see Borrows). scope is one that is about to be installed, or empty.
func (w Where) repeated(scope Scope) []string {
	var in, files, commands []string
	for _, w.Scope = range Scopes(w.Host) {
		if w.Scope != scope && w.isNew() {
			continue
		}
		file := w.path(setupOf(w.Host, w.Scope, program, false).settings)
		starts := w.starts()
		if w.Scope == scope && len(starts) == 0 {
			h := find(w.Host)
			_, lines := h.commandsOf(startKind, cmp.Or(w.Program, program))
			starts = lines[:1]
		}
		if find(w.Host).settings.dedups {
			starts = slices.DeleteFunc(starts, func(s string) bool { return slices.Contains(commands, s) })
		}
		if len(starts) > 0 && !slices.Contains(files, file) { // the home may be a project
			in, files, commands = append(in, string(w.Scope)), append(files, file), append(commands, starts...)
		}
	}
	if len(w.plugins()) > 0 {
		in = append(in, "the plugin")
	}
	if len(in) < 2 {
		return nil
	}
	return in
}

// starts lists the command lines in the settings of a scope that call us at a start.
func (w Where) starts() (commands []string) {
	settings := find(w.Host).settings.file
	if settings == nil || w.Scope != User && w.Project == "" || w.Scope == User && w.Home == "" {
		return nil
	}
	change, err := w.read(settings(w.Scope))
	if err != nil {
		return nil
	}
	d, err := parse(change.Before)
	if err != nil {
		return nil
	}
	for _, h := range d.ours() {
		if h.kind == startKind {
			commands = append(commands, h.command)
		}
	}
	return commands
}

// pluginName begins the name of our plugin, which ends in that of a marketplace.
const pluginName = "gsd@"

// plugins lists our plugins that a host's settings enable, by their names.
func (w Where) plugins() []string {
	if list := find(w.Host).settings.plugins; list != nil {
		return list(w)
	}
	return nil
}

// hooksOff returns the file of a host's settings that disables all hooks, "" if none does.
func (w Where) hooksOff() string {
	if off := find(w.Host).settings.hooksOff; off != nil {
		return off(w)
	}
	return ""
}
