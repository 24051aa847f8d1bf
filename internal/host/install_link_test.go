package host

import (
	"bytes"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// Settings that somebody has moved elsewhere and linked are emptied of ours there, and the link stays.
func TestRemoveLinkedSettings(t *testing.T) {
	t.Parallel()
	w := newWhere(t, Claude, User)
	install(t, w)
	settings, kept := w.path("settings.json"), filepath.Join(w.Home, "dotfiles.json")
	if err := os.Rename(settings, kept); err != nil {
		t.Fatal(err)
	}
	link(t, kept, settings)
	uninstall(t, w)
	if text, err := os.ReadFile(settings); err != nil || string(text) != "{}\n" {
		t.Errorf("%q, %v", text, err)
	}
	if to, err := os.Readlink(settings); err != nil || to != kept {
		t.Errorf("the link became %q, %v", to, err)
	}
}

// A command file of ours that somebody keeps elsewhere stays there; the link to it goes, and one to nowhere stops nothing.
func TestRemoveLinkedCommand(t *testing.T) {
	t.Parallel()
	w := newWhere(t, Claude, User)
	put(t, w.path("mine"), nil)
	install(t, w)
	root := filepath.Dir(w.Project)
	mark, kept := w.path("commands/gsd/mark.md"), filepath.Join(root, "dot", "mark.md")
	text, _ := os.ReadFile(mark)
	put(t, kept, text)
	if err := os.Remove(mark); err != nil {
		t.Fatal(err)
	}
	link(t, kept, mark)
	installed(t, w)
	uninstall(t, w)
	if is, err := os.ReadFile(kept); err != nil || !bytes.Equal(is, text) {
		t.Errorf("it became %q, %v", is, err)
	}
	if _, err := os.Lstat(w.path("commands")); err == nil {
		t.Error("the link is left")
	}
	for _, scope := range []Scope{User, Project} {
		w.Scope = scope
		install(t, w)
		gone := w.path("commands/gsd/mark.md")
		if err := os.Remove(gone); err != nil {
			t.Fatal(err)
		}
		link(t, filepath.Join(root, "nowhere"), gone)
		_, err := Install(w)
		wantError(t, err, Refused)
		if p := uninstall(t, w); p.State != Partly || len(p.Changes) != 4 {
			t.Errorf("%s: %s, %d changes", scope, p.State, len(p.Changes))
		}
		if _, err := os.Lstat(w.path("settings.json")); err == nil {
			t.Errorf("%s: settings are left", scope)
		}
		if to, err := os.Readlink(gone); err != nil || filepath.Base(to) != "nowhere" {
			t.Errorf("%s: the link became %q, %v", scope, to, err)
		}
	}
}

// A link that somebody puts in the place of another in the meantime stays.
func TestRemoveLinkedConflict(t *testing.T) {
	t.Parallel()
	w := newWhere(t, Claude, User)
	install(t, w)
	mark, kept := w.path("commands/gsd/mark.md"), filepath.Join(w.Home, "mark.md")
	if err := os.Rename(mark, kept); err != nil {
		t.Fatal(err)
	}
	link(t, kept, mark)
	p, err := Remove(w)
	mustPlan(t, p, err)
	if err := os.Remove(mark); err != nil {
		t.Fatal(err)
	}
	put(t, mark, []byte("mine"))
	wantError(t, p.Apply(), Conflict)
	if text, err := os.ReadFile(mark); err != nil || string(text) != "mine" {
		t.Errorf("%q, %v", text, err)
	}
}

func link(t *testing.T, to, name string) {
	t.Helper()
	if err := os.MkdirAll(filepath.Dir(name), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.Symlink(to, name); err != nil {
		t.Skip("no links here: ", err)
	}
}

// A link inside of the project may be how it keeps its files.
func TestInstallLinkInside(t *testing.T) {
	w := newWhere(t, Claude, Project)
	put(t, filepath.Join(w.Project, "config/claude/settings.json"), []byte("{}"))
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
