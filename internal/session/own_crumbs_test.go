package session

import (
	"errors"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/gsd-cli/gsd/internal/durable"
)

// ownSample is a crumb of the user of newProject, in a project.
func ownSample(project string) Crumb {
	c := sample()
	c.Project, c.User = project, "user"
	return c.filled()
}

// TestOwnCrumb: a crumb in the session's own directory is written, found, archived and removed like one in the state directory.
func TestOwnCrumb(t *testing.T) {
	project, d := newProject(t)
	dir := filepath.Join(project, ".planning/sessions/user")
	c := ownSample(project)
	if _, _, ok := d.Crumb(project, c.ID); ok || d.HasCrumbs() || d.Crumbs(project, "") != nil {
		t.Error("there is one")
	}
	noError(t, d.RemoveCrumb(durable.Writer{}, c.ID))
	if _, err := os.Lstat(dir); !os.IsNotExist(err) {
		t.Errorf("looking made a directory: %v", err)
	}
	noError(t, d.CheckCrumbs())
	noError(t, d.WriteCrumb(durable.Writer{}, c))
	noError(t, d.CheckCrumbs())
	wantDir(t, dir, IgnoreFile, crumbsDir)
	wantDir(t, filepath.Join(dir, crumbsDir), c.ID+crumbSuffix)
	if runtime.GOOS != "windows" {
		for name, want := range map[string]os.FileMode{"": privateDirPerm, c.ID + crumbSuffix: privateFilePerm} {
			if info, err := os.Lstat(filepath.Join(dir, crumbsDir, name)); err != nil || info.Mode().Perm() != want {
				t.Errorf("%q: %v, %v", name, info.Mode(), err)
			}
		}
	}
	found, written, ok := d.Crumb(project, c.ID)
	if diff := cmp.Diff(c, found); diff != "" || !ok || time.Since(written) > time.Hour {
		t.Errorf("%v, %v\n%s", ok, written, diff)
	}

	c.Archive = "current-plan.20260303100000.stale"
	noError(t, d.WriteCrumb(durable.Writer{}, c))
	wantDir(t, filepath.Join(dir, crumbsDir), c.ID+archivedSuffix)
	next := c
	next.Started, next.Archive = "2026-03-03T10:00:00Z", ""
	next = next.filled()
	noError(t, d.WriteCrumb(durable.Writer{}, next))
	if found, written, ok = d.Crumb(project, c.ID); !ok || found.Archive == "" || written.IsZero() {
		t.Errorf("%+v, %v, %v", found, written, ok)
	}
	if all := d.Crumbs(project, next.ID); len(all) != 1 || all[0].ID != c.ID || len(d.Crumbs(project, "")) != 2 {
		t.Errorf("%+v", all)
	}
	noError(t, d.RemoveCrumb(durable.Writer{}, c.ID))
	if !d.HasCrumbs() {
		t.Error("the other one is gone")
	}
	noError(t, d.RemoveCrumb(durable.Writer{}, next.ID))
	wantDir(t, dir, IgnoreFile)

	large := c
	large.Plan = "../PLAN.md"
	if err := d.WriteCrumb(durable.Writer{}, large); err == nil {
		t.Error("one that could not be read again is written")
	}
	if err := At(d.root, planning, "../x").WriteCrumb(durable.Writer{}, c); err == nil {
		t.Error("a user's name that there cannot be")
	}
}

// TestOwnCrumbOfOthers: a crumb in the directory that is of another user or project, or not one, does not count. It may have come in an archive.
func TestOwnCrumbOfOthers(t *testing.T) {
	project, d := newProject(t)
	crumb := ownSample(project)
	for name, change := range map[string]func(*Crumb){
		"of another project":                  func(c *Crumb) { c.Project = at("/work/project"); *c = c.filled() },
		"of another user":                     func(c *Crumb) { c.User = "grace"; *c = c.filled() },
		"of another project with this id":     func(c *Crumb) { c.Project = at("/work/project") },
		"of another user with this id":        func(c *Crumb) { c.User = "grace" },
		"of a plan outside of the project":    func(c *Crumb) { c.Plan = "../PLAN.md"; *c = c.filled() },
		"with a current task that it has not": func(c *Crumb) { c.Current = 9 },
	} {
		c := crumb
		change(&c)
		for _, stem := range []string{crumb.ID, c.ID} {
			writeFile(t, filepath.Join(project, ".planning/sessions/user/crumbs", stem+crumbSuffix), encodedAs(t, c))
			if _, _, ok := d.Crumb(project, stem); ok || len(d.Crumbs(project, "")) != 0 {
				t.Errorf("%s: it counts", name)
			}
			noError(t, d.RemoveCrumb(durable.Writer{}, stem))
		}
	}
	for _, id := range []string{"", "../user/x", "a/b"} {
		if _, _, ok := d.Crumb(project, id); ok {
			t.Errorf("%q", id)
		}
	}
}

// encodedAs is the text of a crumb as it is, with an id that may not be its own.
func encodedAs(t *testing.T, c Crumb) string {
	t.Helper()
	text, err := c.encode()
	noError(t, err)
	return string(text)
}

// TestOwnCrumbLinks: no crumb is read, written or removed where a link leads, or where there is anything but a directory.
func TestOwnCrumbLinks(t *testing.T) {
	for name, test := range map[string]struct{ link, to string }{
		"the crumbs into the project":   {"project/.planning/sessions/user/crumbs", "../../../src"},
		"the crumbs out of the project": {"project/.planning/sessions/user/crumbs", "../../../../outside"},
		"the crumbs to another user's":  {"project/.planning/sessions/user/crumbs", "../other"},
		"the crumbs to the session":     {"project/.planning/sessions/user/crumbs", "."},
		"the crumbs to nothing":         {"project/.planning/sessions/user/crumbs", "nothing"},
		"the crumbs are a file":         {"project/.planning/sessions/user/crumbs", ""},
		"the session's directory":       {"project/.planning/sessions/user", "../../src"},
		"the session's directory, out":  {"project/.planning/sessions/user", "../../../outside"},
		"the directory of all sessions": {"project/.planning/sessions", "../src"},
		"the crumb itself":              {"project/.planning/sessions/user/crumbs/ID", "../../../../src/ID"},
	} {
		t.Run(name, func(t *testing.T) {
			top, err := filepath.EvalSymlinks(t.TempDir())
			noError(t, err)
			project := filepath.Join(top, "project")
			c := ownSample(project)
			link := filepath.Join(top, test.link)
			if filepath.Base(link) == "ID" {
				link = filepath.Join(filepath.Dir(link), c.ID+crumbSuffix)
			}
			to := filepath.FromSlash(test.to)
			if filepath.Base(to) == "ID" {
				to = filepath.Join(filepath.Dir(to), c.ID+crumbSuffix)
			}
			text := encodedAs(t, c)
			for _, dir := range []string{
				"project/src", "project/src/user/crumbs", "project/src/crumbs", "outside", "outside/user/crumbs", "outside/crumbs",
				"project/.planning/sessions/other", "project/.planning/sessions/user",
			} {
				writeFile(t, filepath.Join(top, dir, c.ID+crumbSuffix), text)
			}
			writeFile(t, filepath.Join(project, ".planning/sessions/user", IgnoreFile), ignoreAll)
			mkdir(t, filepath.Dir(link))
			noError(t, os.RemoveAll(link))
			if to == "" {
				writeFile(t, link, "")
			} else if err := os.Symlink(to, link); err != nil {
				t.Skip(err)
			}
			d := openProject(t, project)
			before := contents(t, top)
			inPlace := filepath.Ext(link) == ".json" // the link is the crumb
			if _, _, ok := d.Crumb(project, c.ID); ok {
				t.Error("it is read")
			}
			changed := c
			changed.Current = 1
			if err := d.WriteCrumb(durable.Writer{}, changed); !errors.Is(err, ErrNotOwn) && !(inPlace && errors.Is(err, durable.ErrNotRegular)) {
				t.Errorf("WriteCrumb: %v", err)
			}
			if err := d.CheckCrumbs(); !inPlace && !errors.Is(err, ErrNotOwn) {
				t.Errorf("CheckCrumbs: %v", err)
			}
			d.SweepCrumbs(time.Now().Add(time.Hour), false)
			if !inPlace {
				if err := d.RemoveCrumb(durable.Writer{}, c.ID); err != nil && !errors.Is(err, ErrNotOwn) {
					t.Errorf("RemoveCrumb: %v", err)
				}
			}
			if diff := cmp.Diff(before, contents(t, top)); diff != "" {
				t.Error(diff)
			}
		})
	}
}

// contents returns the text of all regular files below a directory.
func contents(t *testing.T, dir string) map[string]string {
	t.Helper()
	all := map[string]string{}
	for name := range strings.Lines(listing(t, dir)) {
		name = strings.TrimSuffix(name, "\n")
		if info, err := os.Lstat(name); err == nil && info.Mode().IsRegular() {
			text, err := os.ReadFile(name)
			noError(t, err)
			all[name] = string(text)
		}
	}
	return all
}
