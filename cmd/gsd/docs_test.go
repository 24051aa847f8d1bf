package main

import (
	"encoding/json"
	"maps"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"github.com/gsd-cli/gsd/internal/agent"
	"github.com/gsd-cli/gsd/internal/mergedriver"
	"github.com/gsd-cli/gsd/testdata"
)

// The page of each host names the events that it has hooks for, and what of each, and no others. `gsd install HOST` --dry-run shows the
// hooks themselves.
func TestDocsHooks(t *testing.T) {
	dir := sampleProject(t)
	for _, name := range agent.Names() {
		w := agent.Where{Host: name, Scope: agent.Project, Project: dir, Home: filepath.Join(dir, "home"), Getenv: func(string) string { return "" }}
		plan, err := agent.Install(w)
		if err != nil {
			t.Fatal(err)
		}
		var settings struct {
			Hooks map[string][]struct{ Matcher string }
		}
		for _, c := range plan.Changes {
			if json.Unmarshal(c.After, &settings) == nil {
				break
			}
		}
		want := slices.Collect(maps.Keys(settings.Hooks))
		for _, groups := range settings.Hooks {
			for _, g := range groups {
				want = append(want, strings.FieldsFunc(g.Matcher, func(r rune) bool { return r == '|' })...)
			}
		}
		_, said, _ := strings.Cut(pages(t, "docs/"+name+".md")["docs/"+name+".md"], "\nHooks for ")
		said, _, _ = strings.Cut(said, "`gsd install")
		var named []string
		for _, word := range inline().FindAllStringSubmatch(said, -1) {
			named = append(named, word[1])
		}
		named = slices.DeleteFunc(named, func(word string) bool { return strings.ContainsAny(word, "./") }) // a file's name
		slices.Sort(want)
		slices.Sort(named)
		if diff := cmp.Diff(want, named, cmpopts.EquateEmpty()); diff != "" {
			t.Errorf("docs/%s.md (-installed +named): %s", name, diff)
		}
	}
}

// The tables of docs/ name every file that an installation writes, in the row of its scope.
func TestDocsTables(t *testing.T) {
	dir := sampleProject(t)
	home := filepath.Join(dir, "home")
	for _, name := range agent.Names() {
		page, err := os.ReadFile(filepath.Join("..", "..", "docs", name+".md"))
		if err != nil {
			t.Fatal(err)
		}
		for _, scope := range agent.Scopes(name) {
			w := agent.Where{Host: name, Scope: scope, Project: dir, Home: home, Getenv: func(string) string { return "" }}
			plan, err := agent.Install(w)
			if err != nil {
				t.Fatal(err)
			}
			_, row, _ := strings.Cut(string(page), "\n| "+string(scope)+" |")
			row, _, _ = strings.Cut(row, "\n")
			for _, c := range plan.Changes {
				file := display(w)(c.Path)
				named := func(pattern string) bool { // which covers what is below it, and has * for a part of a name
					form := strings.ReplaceAll(regexp.QuoteMeta(pattern), `\*`, `[^/]*`)
					return regexp.MustCompile("^" + strings.TrimSuffix(form, "/") + "(/.*)?$").MatchString(file)
				}
				if !slices.ContainsFunc(strings.FieldsFunc(row, func(r rune) bool { return strings.ContainsRune("`| ", r) }), named) {
					t.Errorf("docs/%s.md: scope %s has no %s in %q", name, scope, file, row)
				}
			}
		}
	}
}

// TestDocsMergeDriver: a person who types what docs/git.md says has the driver.
func TestDocsMergeDriver(t *testing.T) {
	page, err := os.ReadFile(filepath.Join("..", "..", "docs", "git.md"))
	if err != nil {
		t.Fatal(err)
	}
	for _, want := range append(strings.Split(mergedriver.Attributes, "\n"), "git config merge.gsd.driver '"+mergedriver.Command+"'\n") {
		if !strings.Contains(string(page), want) {
			t.Errorf("docs/git.md has no %s", want)
		}
	}
}

// sampleProject is the demo's project, with a user.
func sampleProject(t *testing.T) string {
	t.Helper()
	dir := t.TempDir()
	err := os.CopyFS(dir, testdata.Sample())
	if err == nil {
		err = os.MkdirAll(filepath.Join(dir, "home"), 0o755)
	}
	if err == nil {
		err = os.WriteFile(filepath.Join(dir, "home", ".gitconfig"), []byte("[user]\n\tname = Ada Lovelace\n"), 0o644)
	}
	if err != nil {
		t.Fatal(err)
	}
	return dir
}
