package agent

import (
	"bytes"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// relocate moves a file, and leaves a link to it.
func relocate(t *testing.T, name, to string) {
	t.Helper()
	text, err := os.ReadFile(name)
	if err == nil {
		err = os.Remove(name)
	}
	noError(t, err)
	put(t, to, text)
	link(t, to, name)
}

func link(t *testing.T, to, name string) {
	t.Helper()
	noError(t, os.MkdirAll(filepath.Dir(name), 0o755))
	if err := os.Symlink(to, name); err != nil {
		t.Skip("no links here: ", err)
	}
}

// wantFile checks what is in a file, and where it leads if it is a link, "" for none.
func wantFile(t *testing.T, name, text, to string) {
	t.Helper()
	is, err := os.ReadFile(name)
	if leads, _ := os.Readlink(name); err != nil || string(is) != text || leads != to {
		t.Errorf("%s: %q, a link to %q, %v; want %q, %q", name, is, leads, err, text, to)
	}
}

// Settings that a user has moved elsewhere and linked lose what is ours there, and the link stays, even if nothing else
// is in them. Of a command only the link goes.
func TestRemoveLinked(t *testing.T) {
	t.Parallel()
	for _, theirs := range []string{"", "{\"a\": 1}\n"} {
		w := newWhere(t, Claude, User)
		settings, mark := w.path("settings.json"), w.path("commands/gsd.mark.md")
		if theirs != "" {
			put(t, settings, []byte(theirs))
		}
		install(t, w)
		command, _ := os.ReadFile(mark)
		dotfiles := filepath.Join(w.Home, "dotfiles")
		relocate(t, settings, filepath.Join(dotfiles, "s.json"))
		relocate(t, mark, filepath.Join(dotfiles, "mark.md"))
		installed(t, w)
		uninstall(t, w)
		if theirs == "" {
			theirs = "{}\n"
		}
		wantFile(t, settings, theirs, filepath.Join(dotfiles, "s.json"))
		wantFile(t, filepath.Join(dotfiles, "mark.md"), string(command), "")
		if _, err := os.Lstat(w.path("commands")); err == nil {
			t.Error("the link to the command is left")
		}
	}
}

// A link that leads nowhere stops an installation, but no removal.
func TestRemoveDangling(t *testing.T) {
	t.Parallel()
	for _, scope := range []Scope{User, Project} {
		w := newWhere(t, Claude, scope)
		install(t, w)
		gone := w.path("commands/gsd.mark.md")
		relocate(t, gone, filepath.Join(w.Home, "mark.md"))
		noError(t, os.Remove(filepath.Join(w.Home, "mark.md")))
		_, err := Install(w)
		wantError(t, err, Refused)
		if p := uninstall(t, w); p.State != Partly || len(p.Changes) != 4 {
			t.Errorf("%s: %s, %d changes", scope, p.State, len(p.Changes))
		}
		if _, err := os.Lstat(w.path("settings.json")); err == nil {
			t.Errorf("%s: settings are left", scope)
		}
		if _, err := os.Readlink(gone); err != nil {
			t.Errorf("%s: %v", scope, err)
		}
	}
}

// What somebody puts in the place of a link in the meantime stays.
func TestRemoveLinkedConflict(t *testing.T) {
	t.Parallel()
	w := newWhere(t, Claude, User)
	install(t, w)
	mark := w.path("commands/gsd.mark.md")
	relocate(t, mark, filepath.Join(w.Home, "mark.md"))
	p := planned(t, Remove, w)
	noError(t, os.Remove(mark))
	put(t, mark, []byte("mine"))
	wantError(t, p.Apply(), Conflict)
	wantFile(t, mark, "mine", "")
}

// A link inside of the project may be how it keeps its files.
func TestInstallLinkInside(t *testing.T) {
	w := newWhere(t, Claude, Project)
	put(t, filepath.Join(w.Project, "config/claude/settings.json"), []byte(`{"a": 1}`))
	link(t, "config/claude", w.base())
	before := treeOf(t, w.Project)
	install(t, w)
	installed(t, w)
	if text, err := os.ReadFile(filepath.Join(w.Project, "config/claude/settings.json")); err != nil || !bytes.Contains(text, []byte("gsd hook start")) {
		t.Errorf("%s, %v", text, err)
	}
	uninstall(t, w)
	sameTree(t, "removed", treeOf(t, w.Project).kept(), before.kept())
}

// A person's own settings may be links into their dotfiles: what they lead to is changed, and they stay.
func TestInstallDotfiles(t *testing.T) {
	for _, host := range Names() {
		for _, whole := range []bool{true, false} {
			t.Run(fmt.Sprint(host, whole), func(t *testing.T) {
				w := newWhere(t, host, User)
				root := filepath.Dir(w.Project)
				dotfiles := filepath.Join(root, "dotfiles")
				s, _ := w.setup()
				if whole {
					put(t, filepath.Join(dotfiles, "README"), []byte("mine"))
					link(t, dotfiles, w.base())
				} else {
					if s.settings == "" {
						t.Skip("no settings")
					}
					put(t, filepath.Join(dotfiles, "s.json"), []byte("{\"a\": 1}\n"))
					link(t, filepath.Join(dotfiles, "s.json"), w.path(s.settings))
					link(t, dotfiles, w.path("commands"))
				}
				before := treeOf(t, root)
				install(t, w)
				installed(t, w)
				after := treeOf(t, root)
				for name, is := range before {
					if is[0] == 'L' && after[name] != is {
						t.Errorf("the link %s became %q", name, after[name])
					}
				}
				if !whole && !strings.Contains(after["dotfiles/s.json"], "gsd hook start") {
					t.Errorf("the link was not followed: %q", after["dotfiles/s.json"])
				}
				uninstall(t, w)
				sameTree(t, "removed", treeOf(t, root).kept(), before.kept())
			})
		}
	}
}
