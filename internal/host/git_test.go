package host

import (
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

const bothLines = ".planning/**/STATE.md merge=gsd\n.planning/**/ROADMAP.md merge=gsd\n"

// gitWhere is a project with these bytes in .gitattributes and .git/config; "-" stands for no file.
func gitWhere(t *testing.T, attributes, config string) Where {
	dir := t.TempDir()
	w := Where{Host: Git, Scope: Project, Project: dir, GitDir: filepath.Join(dir, ".git"), Getenv: func(string) string { return "" }}
	if err := os.Mkdir(w.GitDir, 0o755); err != nil {
		t.Fatal(err)
	}
	for name, text := range map[string]string{".gitattributes": attributes, ".git/config": config} {
		if text == "-" {
			continue
		}
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	return w
}

func gitFilesOf(t *testing.T, w Where) (attributes, config string) {
	read := func(name string) string {
		text, err := os.ReadFile(filepath.Join(w.Project, name))
		if errors.Is(err, os.ErrNotExist) {
			return "-"
		}
		if err != nil {
			t.Fatal(err)
		}
		return string(text)
	}
	return read(".gitattributes"), read(".git/config")
}

func TestGitGivesBack(t *testing.T) {
	state, roadmap, _ := strings.Cut(bothLines, "\n")
	attributes := []string{
		"-", "", "\n", "*.png binary", "*.png binary\n", "*.png binary\r\n", "a\r", "a\r\nb", "a\nb\r\n", "sub/" + state + "\n", "# " + state + "\n",
		"# .planning/...\nsub/" + state, state + "\n", state, roadmap, state + "\r\n", "x\n" + state + "\ny\n", "# " + bothLines,
	}
	configs := []string{"-", "", "[core]\n\tbare = false\n", "[core]\n\tbare = false", "[core]\r\n\tbare = false\r\n", "[a]\n\n# [merge \"gsd\"]\n"}
	for _, a := range attributes {
		for _, c := range configs {
			w := gitWhere(t, a, c)
			p, err := Install(w)
			apply(t, mustPlan(t, p, err))
			if p, err := Install(w); mustPlan(t, p, err).State != Complete || len(p.Changes) > 0 {
				t.Errorf("%q, %q: %s, %d changes after an installation", a, c, p.State, len(p.Changes))
			}
			p, err = Remove(w)
			apply(t, mustPlan(t, p, err))
			if gotA, gotC := gitFilesOf(t, w); gotA != a || gotC != c {
				t.Errorf("%q, %q: got %q, %q", a, c, gotA, gotC)
			}
		}
	}
}

// What somebody adds after an installation stays.
func TestGitGivesBackBesides(t *testing.T) {
	const before = "[core]\n\tbare = false\n"
	for added, kept := range map[string]bool{
		"\n[user]\n\tname = a\n": false, "# mine\n[user]\n\tname = a\n": false, "\n\n": false, "\trecursive = binary\n": true,
		"\n[merge \"gsd\"] # mine\n\trecursive = binary\n": false, "\tdriver = foo\n": true,
	} {
		w := gitWhere(t, "-", before)
		p, err := Install(w)
		apply(t, mustPlan(t, p, err))
		_, config := gitFilesOf(t, w)
		if err := os.WriteFile(filepath.Join(w.GitDir, "config"), []byte(config+added), 0o644); err != nil {
			t.Fatal(err)
		}
		p, err = Remove(w)
		apply(t, mustPlan(t, p, err))
		want := before + added
		if kept {
			want = config + added
		}
		if a, c := gitFilesOf(t, w); a != "-" || c != want {
			t.Errorf("%q: got %q, %q", added, a, c)
		}
		if left := strings.Contains(want, gitSection); left != p.Kept || left != (len(p.Notes) > 0) {
			t.Errorf("%q: kept %t, %q", added, p.Kept, p.Notes)
		}
	}
	w := gitWhere(t, "x\n.planning/**/STATE.md merge=gsd\n", before)
	if p, err := Remove(w); err != nil || len(p.Changes) > 0 || !p.Kept || len(p.Notes) != 1 {
		t.Errorf("a line of the user's own: %+v, %v", p, err)
	}
}

func TestGitRefusesOthers(t *testing.T) {
	for _, config := range []string{
		"[merge \"gsd\"]\n\tdriver = foo %A\n", "[merge \"gsd\"] # mine\n\tdriver = foo %A\n", "[Merge  \"gsd\"]driver = foo\n",
		"[merge.gsd]\r\n\tdriver = foo\r\n", "[merge \"gsd\"]\n\tname = gsd\n\tdriver = foo\n", gitConfig("gsd") + "\tdriver = foo\n",
		gitConfig("gsd") + "[merge \"gsd\"]; mine\n\tdriver = foo\n",
	} {
		w := gitWhere(t, "-", config)
		p, err := Install(w)
		var refused *Error
		if err := mustPlan(t, p, err).Apply(); !errors.As(err, &refused) || refused.Kind != Refused || refused.Hint == "" {
			t.Errorf("%q: %v", config, err)
		}
		if a, c := gitFilesOf(t, w); a != "-" || c != config {
			t.Errorf("%q: got %q, %q", config, a, c)
		}
	}
}
