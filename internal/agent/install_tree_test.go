package agent

// install_tree_test.go: trees of files to install in, and how they compare.

import (
	"errors"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"
)

// newWhere is a project and a home of its own, in a directory that holds nothing else.
func newWhere(t testing.TB, host string, scope Scope) Where {
	t.Helper()
	root, err := filepath.EvalSymlinks(t.TempDir())
	noError(t, err)
	return whereIn(t, root, host, scope)
}

func whereIn(t rapid.TB, root, host string, scope Scope) Where {
	t.Helper()
	w := Where{Host: host, Scope: scope, Project: filepath.Join(root, "project"), Home: filepath.Join(root, "home")}
	w.Getenv = func(string) string { return "" }
	for _, dir := range []string{w.Project, w.Home} {
		noError(t, os.MkdirAll(dir, 0o755))
	}
	return w
}

// put writes a file, and the directories above it.
func put(t rapid.TB, name string, text []byte) {
	t.Helper()
	err := os.MkdirAll(filepath.Dir(name), 0o755)
	if err == nil {
		err = os.WriteFile(name, text, 0o644)
	}
	noError(t, err)
}

// tree is everything below a directory: names to modes and bytes, or where a link leads.
type tree map[string]string

func treeOf(t rapid.TB, root string) tree {
	t.Helper()
	all := tree{}
	err := filepath.WalkDir(root, func(name string, d fs.DirEntry, err error) error {
		if err != nil || name == root {
			return err
		}
		info, err := d.Info()
		if err != nil {
			return err
		}
		var text []byte
		switch {
		case info.Mode().IsRegular():
			text, err = os.ReadFile(name)
		case info.Mode()&fs.ModeSymlink != 0:
			var to string
			to, err = os.Readlink(name)
			text = []byte(to)
		}
		below, _ := filepath.Rel(root, name)
		all[filepath.ToSlash(below)] = info.Mode().String() + " " + string(text)
		return err
	})
	noError(t, err)
	return all
}

func sameTree(t rapid.TB, what string, got, want tree) {
	t.Helper()
	for name := range want {
		if got[name] != want[name] {
			t.Fatalf("%s: %s\ngot:  %q\nwant: %q", what, name, got[name], want[name])
		}
	}
	for name := range got {
		if _, ok := want[name]; !ok {
			t.Fatalf("%s: %s is new: %.60q", what, name, got[name])
		}
	}
}

// kept is a tree without the directories that hold no file: git and hosts know none, and Remove takes them away.
func (all tree) kept() tree {
	kept := maps.Clone(all)
	for name, is := range all {
		if strings.HasPrefix(is, "d") && !slices.ContainsFunc(slices.Collect(maps.Keys(all)), func(other string) bool {
			return strings.HasPrefix(other, name+"/") && !strings.HasPrefix(all[other], "d")
		}) {
			delete(kept, name)
		}
	}
	return kept
}

// planned is what an installation or a removal would change.
func planned(t rapid.TB, plan func(Where) (*Plan, error), w Where) *Plan {
	t.Helper()
	p, err := plan(w)
	if err != nil {
		t.Fatalf("plan: %v", err)
	}
	return p
}

// apply carries a plan out, without waiting for the disk.
func apply(t rapid.TB, p *Plan) {
	t.Helper()
	p.writer.Lazy = true
	if err := p.Apply(); err != nil {
		t.Fatalf("apply: %v", err)
	}
}

func install(t rapid.TB, w Where) *Plan {
	t.Helper()
	p := planned(t, Install, w)
	apply(t, p)
	return p
}

func uninstall(t rapid.TB, w Where) *Plan {
	t.Helper()
	p := planned(t, Remove, w)
	apply(t, p)
	return p
}

// installed asserts that there is nothing left to do.
func installed(t rapid.TB, w Where) {
	t.Helper()
	p := planned(t, Install, w)
	if p.State != Complete || len(p.Changes) != 0 {
		t.Fatalf("%s, %s: %s, and %d changes are left", w.Host, w.Scope, p.State, len(p.Changes))
	}
}

func wantError(t rapid.TB, err error, kind Kind) {
	t.Helper()
	var e *Error
	if !errors.As(err, &e) || e.Kind != kind || e.Text == "" || e.Hint == "" {
		t.Fatalf("error %#v, want one of kind %d with a hint", err, kind)
	}
}
