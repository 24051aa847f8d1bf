package main

import (
	"context"
	"flag"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/gsd-cli/gsd/internal/agent"
	"github.com/gsd-cli/gsd/testdata"
)

var updateDocs = flag.Bool("update-docs", false, "rewrite the examples in docs/")

// The two forms of a time that an agent reads: of what it reads itself, to the second, and of a task, to the minute.
var (
	briefTime = lazyRegexp(`State of \d{4}-\d\d-\d\d \d\d:\d\d:\d\d UTC`)
	taskTime  = lazyRegexp(`as of \d{4}-\d\d-\d\d \d\d:\d\d UTC`)
)

// The pages of docs/ show what gsd prints and installs; here they are held to it.
func TestDocs(t *testing.T) {
	dir := sampleProject(t)
	run := func(args ...string) string {
		t.Helper()
		var out, errs strings.Builder
		a := &program{stdout: &out, stderr: &errs, env: []string{"HOME=" + filepath.Join(dir, "home"), "XDG_STATE_HOME=" + filepath.Join(dir, "state")}, dir: dir, now: time.Now}
		if code := a.run(context.Background(), args); code != 0 {
			t.Fatalf("gsd %s: exit %d\n%s", strings.Join(args, " "), code, errs.String())
		}
		return out.String()
	}
	run("bootstrap", "01-02")
	run("mark", "1", "complete")
	run("mark", "2", "in-progress")
	brief := briefTime().ReplaceAllLiteralString(run("hydrate", "--inline"), "State of 2026-01-02 03:04:05 UTC")
	holdTo(t, "hosts.md", "```markdown\n", taskTime().ReplaceAllLiteralString(brief, "as of 2026-01-02 03:04 UTC"))
	for name, settings := range map[string]string{
		agent.Claude: ".claude/settings.json", agent.Codex: ".codex/hooks.json", agent.Gemini: ".gemini/settings.json",
		agent.Copilot: ".github/hooks/gsd.json", agent.Cursor: ".cursor/hooks.json",
	} {
		run("install", name)
		text, err := os.ReadFile(filepath.Join(dir, settings))
		if err != nil {
			t.Fatal(err)
		}
		holdTo(t, name+".md", "```json\n", string(text))
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

// holdTo compares the first block of a page that begins with a fence.
func holdTo(t *testing.T, page, fence, want string) {
	t.Helper()
	name := filepath.Join("..", "..", "docs", page)
	text, err := os.ReadFile(name)
	if err != nil {
		t.Fatal(err)
	}
	before, rest, ok := strings.Cut(string(text), fence)
	is, after, closed := strings.Cut(rest, "\n```\n") // not the one of a quoted example
	if !ok || !closed {
		t.Fatalf("%s has no such block", page)
	}
	if is+"\n" == want {
		return
	}
	if *updateDocs {
		if err := os.WriteFile(name, []byte(before+fence+want+"```\n"+after), 0o644); err != nil {
			t.Fatal(err)
		}
		return
	}
	t.Errorf("docs/%s does not show what gsd writes: go test ./cmd/gsd -run TestDocs -args -update-docs\n%s", page, want)
}
