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

	"github.com/gsd-cli/gsd/internal/agent"
	"github.com/gsd-cli/gsd/internal/mergedriver"
)

// installedRow returns the cells of the row of a host in the table "What is installed" of docs/hosts.md: what is in the project, what is
// for one user, and the events of its hooks.
func installedRow(t *testing.T, host string) (cells []string) {
	t.Helper()
	_, table, _ := strings.Cut(pages(t, "docs/hosts.md")["docs/hosts.md"], "\n## What is installed\n")
	_, row, found := strings.Cut(table, "\n| "+host+" | ")
	row, _, _ = strings.Cut(row, "\n")
	cells = strings.Split(row, " | ")
	if !found || len(cells) != 3 {
		t.Fatalf("docs/hosts.md, What is installed: the row of %s has %q", host, cells)
	}
	return cells
}

// codes returns what a text has between backticks.
func codes(text string) (all []string) {
	for _, found := range inline().FindAllStringSubmatch(text, -1) {
		all = append(all, found[1])
	}
	return all
}

// docs/hosts.md names the events that each host has hooks for, and what of each, and no others. `gsd install HOST --dry-run` shows the
// hooks themselves.
func TestDocsHooks(t *testing.T) {
	p := newPlace(t)
	for _, name := range agent.Names() {
		w := agent.Where{Host: name, Scope: agent.Project, Project: p.dir, Home: p.home, Getenv: func(string) string { return "" }}
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
		named := codes(installedRow(t, "`"+name+"`")[2])
		slices.Sort(want)
		slices.Sort(named)
		if !slices.Equal(want, named) {
			t.Errorf("%s: installed are %q, named %q", name, want, named)
		}
	}
}

// docs/hosts.md names every file that an installation writes: in the table, or, of the scope that only Claude has, in its section.
func TestDocsFiles(t *testing.T) {
	p := newPlace(t)
	_, claude, _ := strings.Cut(pages(t, "docs/hosts.md")["docs/hosts.md"], "\n## Claude Code\n")
	claude, _, _ = strings.Cut(claude, "\n## ")
	for _, name := range agent.Names() {
		row, others := installedRow(t, "`"+name+"`"), []string{"", ""}
		if name != agent.Claude {
			others = installedRow(t, "all but `claude`")
		}
		said := map[agent.Scope]string{agent.Project: row[0] + others[0], agent.User: row[1] + others[1], agent.Local: claude}
		for _, scope := range agent.Scopes(name) {
			w := agent.Where{Host: name, Scope: scope, Project: p.dir, Home: p.home, Getenv: func(string) string { return "" }}
			plan, err := agent.Install(w)
			if err != nil {
				t.Fatal(err)
			}
			for _, c := range plan.Changes {
				file := display(w)(c.Path)
				named := func(pattern string) bool { // which covers what is below it, and has * for a part of a name
					form := strings.ReplaceAll(regexp.QuoteMeta(pattern), `\*`, `[^/]*`)
					return regexp.MustCompile("^" + strings.TrimSuffix(form, "/") + "(/.*)?$").MatchString(file)
				}
				if !slices.ContainsFunc(codes(said[scope]), named) {
					t.Errorf("docs/hosts.md: %s, scope %s: no %s in %q", name, scope, file, said[scope])
				}
			}
		}
	}
}

// TestDocsMergeDriver: a person who types what docs/sync.md says has the driver.
func TestDocsMergeDriver(t *testing.T) {
	page, err := os.ReadFile(filepath.Join("..", "..", "docs", "sync.md"))
	if err != nil {
		t.Fatal(err)
	}
	for _, want := range append(strings.Split(mergedriver.Attributes, "\n"), "git config merge.gsd.driver '"+mergedriver.Command+"'\n") {
		if !strings.Contains(string(page), want) {
			t.Errorf("docs/sync.md has no %s", want)
		}
	}
}

// TestVersion: the plugin's manifest has the version, and the changelog begins with what is new in it.
func TestVersion(t *testing.T) {
	manifest, err := os.ReadFile("../../plugin/.claude-plugin/plugin.json")
	if err != nil {
		t.Fatal(err)
	}
	var plugin struct{ Version string }
	if err := json.Unmarshal(manifest, &plugin); err != nil {
		t.Fatal(err)
	}
	_, latest, _ := strings.Cut(pages(t, "CHANGELOG.md")["CHANGELOG.md"], "\n## ")
	latest, _, _ = strings.Cut(latest, ",")
	if plugin.Version == "" || latest != plugin.Version {
		t.Errorf("the changelog begins with %q, the plugin is %q", latest, plugin.Version)
	}
}
