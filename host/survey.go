package host

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"

	"github.com/gsd-cli/gsd/internal/durable"
)

// Installed is how one host stands.
type Installed struct {
	Host   string
	Found  bool // the host has left a directory of its own, or its program can be run
	Scopes []InScope
	Notes  []string
}

// InScope is how far gsd is installed for a host in one scope.
type InScope struct {
	Scope   Scope
	State   State  // empty where nobody can tell
	Problem string // why
	Idle    bool   // as of a [Plan]; the host's notes say why
}

// Survey tells how every host stands: for a user and, where there is one, a project. It only reads.
func Survey(w Where) []Installed {
	var all []Installed
	for _, name := range Names() {
		w.Host = name
		its := Installed{Host: name, Found: w.isThere()}
		for _, w.Scope = range Scopes(name) {
			if w.Scope != User && w.Project == "" {
				continue
			}
			in := InScope{Scope: w.Scope}
			var failed *Error
			var idle []string
			plan, err := w.plan(false, func(p *Plan, s setup, is looked) error {
				idle = p.Where.idle(s, is)
				return is.bad
			})
			switch {
			case err == nil:
				if in.State = plan.State; in.State != Absent {
					in.Idle = len(idle) > 0
					its.Notes = append(its.Notes, idle...)
				}
			case errors.As(err, &failed):
				in.Problem = failed.Text
			default:
				in.Problem = err.Error()
			}
			its.Scopes = append(its.Scopes, in)
		}
		slices.Sort(its.Notes)
		its.Notes = append(slices.Compact(its.Notes), w.copies("")...)
		all = append(all, its)
	}
	return all
}

// isThere tells whether the host is on this machine, as far as can be seen without running it.
func (w Where) isThere() bool {
	w.Scope = User
	if in, err := durable.NamesAt(w.base()); err == nil && len(in) > 0 && w.Home != "" { // an empty one a removal of ours leaves
		return true
	}
	bin := w.Host
	if w.Host == Cursor {
		bin = "cursor-agent"
	}
	for _, dir := range filepath.SplitList(w.Getenv("PATH")) {
		if filepath.IsAbs(dir) {
			if _, err := exec.LookPath(filepath.Join(dir, bin)); err == nil {
				return true
			}
		}
	}
	return false
}

// copies says which hooks would fire more than once: those of several scopes, and those of the plugin. Claude's in a
// project, which Copilot and Cursor run as well, say nothing there (see Borrows). scope is one that is about to be installed;
// empty for those that are there.
func (w Where) copies(scope Scope) []string {
	var in, files []string
	for _, other := range Scopes(w.Host) {
		w.Scope = other
		if other != scope && !w.fires() {
			continue
		}
		if file := w.path(setupOf(w.Host, other, program, false).settings); !slices.Contains(files, file) { // a home may be a project
			in, files = append(in, string(other)), append(files, file)
		}
	}
	if w.Host == Claude && w.plugin() {
		in = append(in, "the plugin")
	}
	var notes []string
	if len(in) > 1 {
		notes = append(notes, fmt.Sprintf("the hooks would fire more than once, from %s; what they say is safe to be there twice, but one of them is enough", strings.Join(in, " and ")))
	}
	return notes
}

// fires tells whether a hook in the settings of a scope calls us at a start.
func (w Where) fires() bool {
	s, err := w.setup()
	if err != nil || s.settings == "" {
		return false
	}
	p := &Plan{Where: w}
	change, err := p.read(s.settings)
	if err != nil || change.Before == nil {
		return false
	}
	ours, err := findEntries(change.Before, kindOf)
	others, _ := findTheirs(change.Before) // fails no other way
	return err == nil && (slices.ContainsFunc(ours, func(h found) bool { return h.kind == "hydrate" }) ||
		slices.ContainsFunc(others, func(t theirs) bool { return t.kind == "hydrate" && t.calls }))
}

// claudeSettings are those of Claude's settings that say whether hooks run, and for whom.
type claudeSettings struct {
	file     string
	plugins  map[string]json.RawMessage
	hooksOff json.RawMessage // nil where it is not there
}

// claudeSettings reads Claude's settings, the nearest scope first. What Claude does not read is left out, and so is a member
// of another type than it has.
func (w Where) claudeSettings() []claudeSettings {
	var all []claudeSettings
	for _, w.Scope = range []Scope{Local, Project, User} {
		if w.Scope != User && w.Project == "" || w.Scope == User && w.Home == "" {
			continue
		}
		p := &Plan{Where: w}
		change, err := p.read(setupOf(Claude, w.Scope, program, false).settings)
		var members map[string]json.RawMessage // a struct's would be found in any case
		if err != nil || json.Unmarshal(bytes.TrimPrefix(change.Before, []byte("\ufeff")), &members) != nil {
			continue
		}
		is := claudeSettings{file: change.Path, hooksOff: members["disableAllHooks"]}
		if json.Unmarshal(members["enabledPlugins"], &is.plugins) != nil {
			is.plugins = nil
		}
		all = append(all, is)
	}
	return all
}

// plugin tells whether Claude's settings switch our plugin on. The nearest scope that names it decides.
func (w Where) plugin() bool {
	decided := map[string]bool{}
	for _, is := range w.claudeSettings() {
		for name, on := range is.plugins {
			if _, known := decided[name]; !known && strings.HasPrefix(name, "gsd@") {
				decided[name] = string(on) == "true"
			}
		}
	}
	return slices.Contains(slices.Collect(maps.Values(decided)), true)
}

// hooksOff gives the file of Claude's settings that switches all hooks off; "" where none does. The nearest scope that
// says something of it decides.
func (w Where) hooksOff() string {
	if w.Host != Claude {
		return ""
	}
	for _, is := range w.claudeSettings() {
		if is.hooksOff != nil {
			if string(is.hooksOff) == "true" {
				return is.file
			}
			return ""
		}
	}
	return ""
}
