//go:build linux

package main

import (
	"fmt"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"syscall"
	"testing"
)

// readingCommands only read, as do those of the other lists without "*"; what they print is tested elsewhere.
const readingCommands = `
doctor
doctor --plans
whoami
config
install
install --check
install claude --dry-run
restore --dry-run
sync --dry-run
`

// A reader checks that commands which only read leave everything as it is: the project with .git, the home with the settings and
// the state directory.
type reader struct {
	*scene
	before map[string]string
	lines  []string // what was run since; none if nothing is checked now
}

// add says that a command is run now which only reads.
func (r *reader) add(line string) {
	if r.lines == nil {
		r.before = r.stamps()
	}
	r.lines = append(r.lines, line)
}

// stamps returns what the system says of every file and directory: also one that was written with the same bytes, or that came and
// went, has another stamp.
func (s *scene) stamps() map[string]string {
	s.t.Helper()
	all := map[string]string{}
	s.check(filepath.WalkDir(s.root, func(name string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		info, err := d.Info()
		if err == nil {
			is := info.Sys().(*syscall.Stat_t)
			all[strings.TrimPrefix(name, s.root)] = fmt.Sprint(is.Ino, info.Mode(), is.Size, is.Mtim, is.Ctim)
		}
		return err
	}))
	return all
}

// check reports which of the commands has changed something, and forgets them.
func (r *reader) check() {
	r.t.Helper()
	lines := r.lines
	if r.lines = nil; lines == nil || maps.Equal(r.before, r.stamps()) {
		return
	}
	found := false
	for _, line := range lines {
		r.putBack()
		before := r.stamps()
		r.gsd(strings.TrimPrefix(line, "+"), false)
		if changed := difference(before, r.stamps()); len(changed) > 0 {
			found = true
			r.t.Errorf("%s: gsd %s only reads, and has changed %q", r.name, line, changed)
		}
	}
	if !found {
		r.t.Errorf("%s: one of %q has changed %q", r.name, lines, difference(r.before, r.stamps()))
	}
	r.putBack()
}

// putBack undoes what commands have written since the state was settled.
func (s *scene) putBack() {
	s.t.Helper()
	changed := difference(s.settled, s.stamps())
	for _, name := range changed {
		if _, ok := s.settled[name]; !ok {
			s.check(os.RemoveAll(s.root + name))
		}
	}
	for _, name := range changed { // a directory before what is in it
		if _, ok := s.settled[name]; ok {
			s.putBackFile(name)
		}
	}
	for _, name := range slices.Backward(changed) {
		if _, ok := s.settled[name]; ok {
			info, err := os.Lstat(s.root + ".saved" + name)
			s.check(err)
			s.check(os.Chtimes(s.root+name, info.ModTime(), info.ModTime()))
		}
	}
	if len(changed) > 0 {
		s.settled = s.stamps()
	}
}

// putBackFile brings a file or directory back as it was when the state was settled.
func (s *scene) putBackFile(name string) {
	s.t.Helper()
	from, to := s.root+".saved"+name, s.root+name
	info, err := os.Lstat(from)
	s.check(err)
	if now, err := os.Lstat(to); err == nil && (!info.IsDir() || !now.IsDir()) {
		s.check(os.RemoveAll(to))
	}
	if info.IsDir() {
		s.check(os.MkdirAll(to, 0o755))
	} else {
		text, err := os.ReadFile(from)
		s.check(err)
		s.check(os.WriteFile(to, text, 0o600))
	}
	s.check(os.Chmod(to, info.Mode().Perm()))
}

func difference(a, b map[string]string) (names []string) {
	for name := range a {
		if a[name] != b[name] {
			names = append(names, name)
		}
	}
	for name := range b {
		if _, ok := a[name]; !ok {
			names = append(names, name)
		}
	}
	slices.Sort(names)
	return names
}

// TestReader: what a command must not do is noticed.
func TestReader(t *testing.T) {
	s := projectState{}.make(t)
	for _, line := range []string{"bootstrap", "state --write", "run start", "install claude"} {
		before := s.stamps()
		s.gsd(line, false)
		if len(difference(before, s.stamps())) == 0 {
			t.Errorf("gsd %s has changed nothing", line)
		}
	}
}
