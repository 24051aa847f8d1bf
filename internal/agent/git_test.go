package agent

import (
	"bytes"
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

// gitWhere is a project in a repository, with these bytes at the end of its configuration.
func gitWhere(t *testing.T, config string) Where {
	t.Helper()
	if _, err := exec.LookPath("git"); err != nil {
		t.Skip("no git program")
	}
	dir := t.TempDir()
	w := Where{
		Host: Git, Scope: Project, Project: dir, GitDir: filepath.Join(dir, ".git"), Getenv: func(string) string { return "" },
		Env: append(os.Environ(), "GIT_CONFIG_NOSYSTEM=1", "GIT_CONFIG_GLOBAL="+filepath.Join(dir, "global"), "GIT_DIR="+os.DevNull),
	}
	if _, err := w.git("init", "-q", "--template="); err != nil {
		t.Fatal(err)
	}
	putFile(t, dir, "global", "")
	putFile(t, dir, ".git/config", readFile(t, dir, ".git/config")+config)
	return w
}

func putFile(t *testing.T, dir, name, text string) {
	t.Helper()
	name = filepath.Join(dir, name)
	noError(t, os.MkdirAll(filepath.Dir(name), 0o755))
	noError(t, os.WriteFile(name, []byte(text), 0o644))
}

// readFile returns "-" for no file.
func readFile(t *testing.T, dir, name string) string {
	t.Helper()
	text, err := os.ReadFile(filepath.Join(dir, name))
	if errors.Is(err, os.ErrNotExist) {
		return "-"
	}
	noError(t, err)
	return string(text)
}

func installGit(t *testing.T, w Where) *Plan {
	t.Helper()
	p, err := Install(w)
	apply(t, mustPlan(t, p, err))
	return p
}

func removeGit(t *testing.T, w Where) *Plan {
	t.Helper()
	p, err := Remove(w)
	apply(t, mustPlan(t, p, err))
	return p
}

func TestGitLines(t *testing.T) {
	comment, lines, _ := strings.Cut(gitLines, "\n")
	state, roadmap, _ := strings.Cut(lines, "\n")
	texts := []string{
		"", "\n", "*.png binary", "*.png binary\n", "*.png binary\r\n", "a\r", "a\r\nb", "a\nb\r\n", "sub/" + state + "\n", comment, comment + "\n",
		state + "\n", state, roadmap, state + "\r\n", "x\n" + state + "\ny\n", "# " + lines, lines, "x\n" + lines, "# " + gitLines,
	}
	if got := cutLines(addLines(nil)); got != nil {
		t.Errorf("got %q for no file", got)
	}
	for _, text := range texts {
		if got := cutLines([]byte(text)); string(got) != text {
			t.Errorf("%q: cut to %q", text, got)
		}
		with := addLines([]byte(text))
		if got := cutLines(with); string(got) != text || got == nil {
			t.Errorf("%q: got %q", text, got)
		}
		if bytes.HasSuffix(with, []byte("\n")) { // what somebody adds stays
			if got := cutLines(append(with, "more\n"...)); string(got) != text+"more\n" {
				t.Errorf("%q: got %q", text, got)
			}
		}
	}
}

func TestGitGivesBack(t *testing.T) {
	for _, config := range []string{"", "[user]\n\tname = a\n", "[user]\r\n\tname = a\r\n", "[merge]\n\ttool = x\n", "[merge \"gsd\"]\n\trecursive = binary\n"} {
		w := gitWhere(t, config)
		before := readFile(t, w.Project, ".git/config")
		installGit(t, w)
		if p, err := Install(w); mustPlan(t, p, err).State != Complete || len(p.Changes) > 0 {
			t.Errorf("%q: %s, %d changes after an installation", config, p.State, len(p.Changes))
		}
		p := removeGit(t, w)
		a, c := readFile(t, w.Project, ".gitattributes"), readFile(t, w.Project, ".git/config")
		if a != "-" || c != before || p.Kept || len(p.Notes) > 0 {
			t.Errorf("%q: got %q, %q, %q", config, a, c, p.Notes)
		}
	}
}

// What somebody adds after an installation stays.
func TestGitGivesBackBesides(t *testing.T) {
	w := gitWhere(t, "")
	before := readFile(t, w.Project, ".git/config")
	installGit(t, w)
	const added = "\trecursive = binary\n# mine\n[user]\n\tname = a\n"
	putFile(t, w.Project, ".git/config", readFile(t, w.Project, ".git/config")+added)
	removeGit(t, w)
	if c := readFile(t, w.Project, ".git/config"); c != before+"[merge \"gsd\"]\n"+added {
		t.Errorf("got %q", c)
	}
	_, lines, _ := strings.Cut(gitLines, "\n")
	putFile(t, w.Project, ".gitattributes", lines)
	p := removeGit(t, w)
	if a := readFile(t, w.Project, ".gitattributes"); a != lines || !p.Kept || len(p.Notes) != 1 {
		t.Errorf("lines of the user's own: %q, %q", a, p.Notes)
	}
}

// Another driver of this name, in whatever form git reads it, is neither replaced nor removed.
func TestGitRefusesOthers(t *testing.T) {
	ours := "[merge \"gsd\"]\n\tdriver = \"" + strings.ReplaceAll(driverOf("gsd"), `"`, `\"`) + "\"\n"
	for _, test := range []struct{ name, config string }{
		{".git/config", "[merge \"gsd\"]\n\tdriver = foo %A\n"},
		{".git/config", "[merge \"g\\sd\"] driver = foo %A\n"},
		{".git/config", "[a] [merge \"gsd\"]\n\tdriver = foo %A\n"},
		{".git/config", "[merge.gsd]\n\tdriver = foo %A\n"},
		{".git/config", ours + "\tdriver = foo %A\n"},
		{".git/config", "[include]\n\tpath = ../global\n[core]\n"},
		{"global", "[merge \"gsd\"]\n\tdriver = foo state merge %O\n"},
	} {
		w := gitWhere(t, "")
		if strings.Contains(test.config, "include") {
			putFile(t, w.Project, "global", "[merge \"gsd\"]\n\tdriver = foo %A\n")
		}
		putFile(t, w.Project, test.name, readFile(t, w.Project, test.name)+test.config)
		before := readFile(t, w.Project, ".git/config")
		p, err := Install(w)
		if mustPlan(t, p, err); p.Refused == nil || p.Refused.Kind != Refused || p.State == Complete || len(p.Notes) != 1 || len(p.Changes) > 0 {
			t.Errorf("%q: %+v", test.config, p)
		}
		if err := p.Apply(); !errors.Is(err, p.Refused) {
			t.Errorf("%q: %v", test.config, err)
		}
		if p := removeGit(t, w); !p.Kept || len(p.Notes) != 1 {
			t.Errorf("%q: removed, %q", test.config, p.Notes)
		}
		if c := readFile(t, w.Project, ".git/config"); c != before {
			t.Errorf("%q: got %q", test.config, c)
		}
	}
}

// A driver in the user's own configuration is one, and stays.
func TestGitInGlobal(t *testing.T) {
	w := gitWhere(t, "")
	if _, err := w.git("config", "--global", gitDriver, driverOf("gsd")); err != nil {
		t.Fatal(err)
	}
	if p := installGit(t, w); len(p.Changes) != 1 {
		t.Errorf("%d changes", len(p.Changes))
	}
	if p, err := Install(w); mustPlan(t, p, err).State != Complete {
		t.Errorf("%s", p.State)
	}
	if p := removeGit(t, w); !p.Kept || len(p.Changes) != 1 || len(p.Notes) != 1 {
		t.Errorf("%d changes, %q", len(p.Changes), p.Notes)
	}
}

// An attribute that overrides ours is noticed. In the same file, ours go to its end.
func TestGitOverridden(t *testing.T) {
	w := gitWhere(t, "")
	installGit(t, w)
	putFile(t, w.Project, ".gitattributes", readFile(t, w.Project, ".gitattributes")+"*.md merge=union\n")
	p := installGit(t, w)
	if a := readFile(t, w.Project, ".gitattributes"); p.State != Outdated || a != "*.md merge=union\n"+gitLines {
		t.Errorf("%s: %q", p.State, a)
	}
	putFile(t, w.Project, ".planning/.gitattributes", "ROADMAP.md -merge\n")
	p, err := Install(w)
	if mustPlan(t, p, err); p.State != Partly || len(p.Changes) > 0 || len(p.Notes) != 1 || !strings.Contains(p.Notes[0], "ROADMAP.md: merge: unset") {
		t.Errorf("%s, %d changes, %q", p.State, len(p.Changes), p.Notes)
	}
	putFile(t, w.Project, ".gitattributes", "")
	if p := installGit(t, w); len(p.Notes) != 1 {
		t.Errorf("after an installation: %q", p.Notes)
	}
}

func TestGitCalls(t *testing.T) {
	w := gitWhere(t, "")
	w.Program = `"/opt/the tools/gsd"`
	installGit(t, w)
	if _, driver, _ := w.driver(); driver != driverOf(w.Program) {
		t.Errorf("got %q", driver)
	}
	w.Program = "" // as the driver that is there does
	if p, err := Install(w); mustPlan(t, p, err).State != Complete {
		t.Errorf("%s", p.State)
	}
	w.Program = "/bin/gsd"
	if p := installGit(t, w); p.State != Outdated || len(p.Changes) != 1 {
		t.Errorf("%s, %d changes", p.State, len(p.Changes))
	}
	for driver, want := range map[string]string{
		driverOf("gsd"): "gsd", driverOf(`"C:\a b\gsd.exe"`): `"C:\a b\gsd.exe"`, driverOf("agsd"): "", "gsd state merge": "", "": "",
		"'/a b/gsd' state merge %O %A": "'/a b/gsd'",
	} {
		if got := programOf(driver); got != want {
			t.Errorf("%q: %q", driver, got)
		}
	}
	noError(t, os.WriteFile(filepath.Join(w.GitDir, "config"), []byte("[core\n"), 0o644))
	var failed *Error
	if _, err := Install(w); !errors.As(err, &failed) || failed.Kind != Failed || !strings.Contains(failed.Text, "bad config") {
		t.Errorf("a broken configuration: %v", err)
	}
}
