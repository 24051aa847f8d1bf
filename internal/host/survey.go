package host

import (
	"bytes"
	"encoding/json"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"

	"github.com/gsd-cli/gsd/internal/durable"
)

// Installed is where gsd is installed for one host.
type Installed struct {
	Host   string    `json:"host"`   // its name, such as claude
	Found  bool      `json:"found"`  // the host has a directory of its own, or its program can be run
	Scopes []InScope `json:"scopes"` // every scope that it has; outside of a project only the user's
	Notes  []string  `json:"notes"`  // what a person should know, such as that the hooks would fire twice
}

// InScope is how far gsd is installed for a host in one scope.
type InScope struct {
	Scope    Scope  `json:"scope"`
	State    State  `json:"state" empty:"null"`   // how far it is installed; null if there is a problem
	Problem  string `json:"problem" empty:"null"` // why the state is not known; null if it is
	Inactive bool   `json:"-"`                    // as in a [Plan]; the host's notes say why
}

// Survey reports what is installed for every host: for the user and, if there is one, the project. It only reads.
func Survey(w Where) []Installed {
	var all []Installed
	for _, name := range Names() {
		w.Host = name
		its := Installed{Host: name, Found: w.isFound()}
		for _, w.Scope = range Scopes(name) {
			if w.Scope != User && w.Project == "" {
				continue
			}
			in := InScope{Scope: w.Scope}
			p, err := w.look(false)
			if err == nil {
				err = p.bad
			}
			if err != nil {
				in.Problem = err.Error()
			} else if in.State = p.State; in.State != Absent {
				inactive := p.inactive()
				in.Inactive = len(inactive) > 0
				its.Notes = append(its.Notes, inactive...)
			}
			its.Scopes = append(its.Scopes, in)
		}
		slices.Sort(its.Notes)
		its.Notes = append(slices.Compact(its.Notes), w.duplicates("")...)
		all = append(all, its)
	}
	return all
}

// isFound reports whether the host is installed on this machine, as far as is known without running it.
func (w Where) isFound() bool {
	w.Scope = User
	names, err := durable.NamesAt(w.base())
	if err == nil && len(names) > 0 && w.Home != "" { // our removals leave empty directories
		return true
	}
	bin := w.Host
	if w.Host == Cursor {
		bin = "cursor-agent"
	}
	return slices.ContainsFunc(filepath.SplitList(w.Getenv("PATH")), func(dir string) bool {
		_, err := exec.LookPath(filepath.Join(dir, bin))
		return filepath.IsAbs(dir) && err == nil
	})
}

// duplicates notes which hooks would fire more than once: those of several scopes, and those of the plugin. Claude's hooks
// in a project, which Copilot and Cursor run as well, print nothing there (see Borrows). scope is one that is about to
// be installed, or empty.
func (w Where) duplicates(scope Scope) []string {
	var in, files []string
	for _, w.Scope = range Scopes(w.Host) {
		file := w.path(setupOf(w.Host, w.Scope, program, false).settings)
		if (w.Scope == scope || w.fires()) && !slices.Contains(files, file) { // the home may be a project
			in, files = append(in, string(w.Scope)), append(files, file)
		}
	}
	if w.Host == Claude && w.plugin() {
		in = append(in, "the plugin")
	}
	if len(in) < 2 {
		return nil
	}
	return []string{"the hooks would fire more than once, from " + strings.Join(in, " and ") +
		"; the text does no harm if it is printed twice, but one of them is enough"}
}

// fires reports whether a hook in the settings of a scope calls us at a start.
func (w Where) fires() bool {
	s, err := w.setup()
	if err != nil || s.settings == "" {
		return false
	}
	change, err := w.read(s.settings)
	if err != nil {
		return false
	}
	d, err := parse(change.Before)
	return err == nil && slices.ContainsFunc(d.handlers(), func(h handler) bool { return h.kind == startKind && h.calls })
}

// claudeSettings yields Claude's settings files and what they hold, the nearest scope first. Files that Claude does not
// read are left out.
func (w Where) claudeSettings(yield func(file string, members map[string]json.RawMessage) bool) {
	for _, w.Scope = range []Scope{Local, Project, User} {
		if w.Scope != User && w.Project == "" || w.Scope == User && w.Home == "" {
			continue
		}
		change, err := w.read(setupOf(Claude, w.Scope, program, false).settings)
		var members map[string]json.RawMessage // a struct's fields would match in any case
		if err != nil || json.Unmarshal(bytes.TrimPrefix(change.Before, []byte("\ufeff")), &members) != nil {
			continue
		}
		if !yield(change.Path, members) {
			return
		}
	}
}

// plugin reports whether Claude's settings enable our plugin. The nearest scope that names it decides.
func (w Where) plugin() bool {
	for _, settings := range w.claudeSettings {
		var plugins map[string]json.RawMessage
		if json.Unmarshal(settings["enabledPlugins"], &plugins) != nil {
			continue
		}
		named, enabled := false, false
		for name, value := range plugins {
			if strings.HasPrefix(name, "gsd@") {
				named, enabled = true, enabled || string(value) == "true"
			}
		}
		if named {
			return enabled
		}
	}
	return false
}

// hooksOff returns the file of Claude's settings that disables all hooks, "" if none does. The nearest scope that
// mentions it decides.
func (w Where) hooksOff() string {
	if w.Host != Claude {
		return ""
	}
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
