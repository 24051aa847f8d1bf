//go:build linux

package main

import (
	"maps"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// holdDoctor holds what doctor prints in a state, which is not frozen, against the law.
func (s *scene) holdDoctor() {
	s.t.Helper()
	l := newLaw(bounds{dir: s.dir, project: filepath.Join(s.root, "notes"), state: s.at("~/.local/state/gsd")})
	l.hold(s.run("", "doctor", "--json").out, true)
	for _, b := range l.breaches {
		s.t.Errorf("%s: gsd doctor: %s: %s", s.name, b.command, b.why)
	}
}

// TestAllowedFrozen holds the frozen answers, which are all that gsd prints in those states, against the law.
func TestAllowedFrozen(t *testing.T) {
	t.Parallel()
	l := newLaw(bounds{dir: "/frozen/notes", project: "/frozen/notes", state: "/frozen/home/.local/state/gsd"})
	known := golden{}
	known.read(t)
	colours := lazyRegexp(`␛\[\d*m`)
	for _, name := range slices.Sorted(maps.Keys(known)) {
		if strings.Contains(name, "help") || strings.Contains(name, ": *install ") { // which describe flags, and show files
			continue
		}
		text := colours().ReplaceAllString(known[name], "")
		if strings.Contains(name, ": *hook start") {
			text = strings.ReplaceAll(text, "\\n\n", "\\n") // see normal
		}
		before := len(l.breaches)
		l.hold(text, false)
		for _, b := range l.breaches[before:] {
			t.Errorf("%s: %s: %s", name, b.command, b.why)
		}
	}
	if len(l.known) < 1000 {
		t.Errorf("only %d lines were held", len(l.known))
	}
}
