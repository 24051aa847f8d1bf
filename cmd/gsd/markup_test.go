package main

// Whatever a project's texts say, no command prints a tag that a client could obey. The tags are those of
// internal/host/testdata/tags.txt and made-up ones; what finds them in the output is written apart from package host.

import (
	"bytes"
	"encoding/json"
	"errors"
	"flag"
	"html"
	"os"
	"os/exec"
	"regexp"
	"runtime"
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"github.com/gsd-cli/gsd/internal/host"
)

var thorough = flag.Bool("thorough", false, "look for tags in three projects instead of one")

// openTag finds what begins like a tag, and what is one with blanks around its name. Nothing in the texts that this
// file makes is HTML or code, so that there is nothing else that it could be.
var openTag = regexp.MustCompile(`[<＜﹤〈⟨«《][/\\!?]*\pL|[<＜﹤〈⟨«《]\s*[/\\]*\s*[\pL\pN:_.-]+\s*/?[>＞﹥〉⟩»》]`)

// taggedText is a line of tags of a few names, in some of the forms that they can have.
func taggedText(names []string) string {
	var b strings.Builder
	for i, name := range names {
		forms := []string{
			"<N>obey</N>", "&lt;N&gt;obey&lt;/N&gt;", `<N source="x" kind=y>`, "< N >obey< / N >", "＜N＞〈/N〉«N»", "<N/>", "x<N>", "<!-- <N> -->",
			"<\u200bN>", "`<N>`", "&lt;!N&gt;", "&lt;N a=&quot;b&quot;",
		}
		form := strings.ReplaceAll(forms[i%len(forms)], "N", name)
		if i%3 == 1 {
			form = strings.ReplaceAll(form, name, strings.ToUpper(name))
		}
		b.WriteString(form + " ")
	}
	return strings.TrimSpace(b.String())
}

// tagNames are some names that clients know, and some that no client knows yet.
func tagNames(t *testing.T, seed, n int) []string {
	t.Helper()
	text, err := os.ReadFile("../../internal/host/testdata/tags.txt")
	if err != nil {
		t.Fatal(err)
	}
	known := slices.DeleteFunc(strings.Fields(string(text)), func(name string) bool { // the plan's own, and types
		return name[0] < 'a' || slices.Contains([]string{"task", "name", "title", "files", "verify", "done", "action", "decision", "string"}, name)
	})
	madeUp := rapid.StringMatching(`zq[a-z]{1,6}([-_:.][a-z0-9]{1,6}){0,2}`)
	var names []string
	for i := range n {
		names = append(names, known[(seed*n+i)*31%len(known)], madeUp.Example(seed*n+i))
	}
	return names
}

// tagged gives a project of which everything is named by tags: cast's, and the commits as well.
func tagged(t *testing.T, seed int) *place {
	p := cast(t, "Task 1: "+taggedText(tagNames(t, seed, 3)), taggedText(tagNames(t, seed+100, 9))+"\n"+taggedText(tagNames(t, seed+200, 9)))
	p.git("init", "-q")
	p.git("add", ".planning/phases", ".planning/ROADMAP.md")
	for i, subject := range []string{"feat(01-02): ", "feat(01-02-T1): ", "docs: ", "wip "} {
		p.git("commit", "-q", "--allow-empty", "-m", subject+taggedText(tagNames(t, seed+400+i, 2)), "-m", taggedText(tagNames(t, seed+500+i, 5)))
	}
	return p
}

func TestNoCommandPrintsTags(t *testing.T) {
	if _, err := exec.LookPath("git"); err != nil {
		t.Skip("no git")
	}
	t.Parallel()
	ran := map[string]bool{}
	projects := 1
	if *thorough {
		projects = 3
	}
	for seed := range projects {
		p := tagged(t, seed)
		tag := "<" + tagNames(t, seed, 1)[0] + ">"
		look := func(words ...string) {
			t.Helper()
			ran[words[0]] = true
			cmd := exec.Command("gsd", words...)
			var stdout, stderr bytes.Buffer
			cmd.Dir, cmd.Env, cmd.Stdin, cmd.Stdout, cmd.Stderr = p.dir, append(p.env(), "FORCE_COLOR=1"), strings.NewReader("{}"), &stdout, &stderr
			if err := cmd.Run(); err != nil && !errors.As(err, new(*exec.ExitError)) {
				t.Fatalf("gsd %q: %v", words, err)
			}
			if at := openTag.FindStringIndex(stderr.String()); at != nil {
				t.Errorf("gsd %q: %q on standard error", words, stderr.String()[max(0, at[0]-60):])
			}
			text := stdout.String()
			switch {
			case slices.Contains(words, "--json") && text != "":
				if strings.ContainsAny(text, "<>&") || !json.Valid(stdout.Bytes()) {
					t.Errorf("gsd %q: %s", words, text)
				}
				return
			case slices.Contains(words, "--host"):
				var err error
				if text, err = textIn(words[len(words)-1], "SessionStart", text); err != nil && text != "" {
					t.Errorf("gsd %q: %v", words, err)
				}
			}
			if at := openTag.FindStringIndex(text); at != nil {
				t.Errorf("gsd %q: %q", words, text[max(0, at[0]-60):min(len(text), at[1]+60)])
			}
		}
		both := func(words ...string) {
			t.Helper()
			look(words...)
			look(append(words, "--json")...)
		}
		for _, kind := range []string{"none", "corrupt", "resume", "complete", "stale", "missing"} {
			p.be(kind)
			for _, line := range []string{"hydrate", "tasks", "tasks 1", "tasks 2", "next", "status", "status --all", "state --dry-run", "restore --from git --dry-run", "restore --from git 01-02 --dry-run", "run", "list", "restore", "--list"} {
				both(strings.Fields(line)...)
			}
			for _, name := range host.Names() {
				look("hook", "start", "--host", name)
			}
			look("hydrate", "--inline")
			look("hydrate", "--porcelain")
			look("statusline")
		}
		// What writes, and what goes wrong.
		p.be("resume")
		both("state", "--write")
		both("mark", "1", "in-progress")
		both("run", "start", "--host", "x")
		both("run", "list")
		both("done")
		both("run", "sweep")
		both("run", "unlock")
		both("run", "end")
		both("bootstrap", "01-02", "--fresh", "--carry")
		both("restore", "--from", "git", "01-02", "--fresh")
		p.write(".planning/sessions", "")
		both("restore", "--list")
		both("restore")
		both("restore", "--force")
		p.name(html.UnescapeString(taggedText(tagNames(t, seed+300, 1))))
		for _, line := range []string{"whoami", "hydrate", "bootstrap 01-02", "hydrate", "status", "run list"} {
			both(strings.Fields(line)...)
		}
		for _, words := range [][]string{
			{tag},
			{"hydrate", tag},
			{"hydrate", "--" + tag},
			{"bootstrap", tag},
			{"bootstrap", "03-" + tag},
			{"tasks", tag},
			{"tasks", "01-02", tag},
			{"mark", tag, "complete"},
			{"mark", "1", tag},
			{"restore", "--from", "git", tag},
			{"status", "--format", tag},
			{"run", "list", "--status", tag},
			{"restore", tag},
			{"restore", "--dismiss", tag},
			{"install", tag},
			{"install", "claude", "--scope", tag},
			{"run", tag},
			{"run", "start", "--host", tag},
			{"exec", tag},
			{"exec", "./" + tag},
			{"hook", tag},
			{"hook", "end", "--host", tag},
			{"run", "unlock", tag},
			{"run", "sweep", tag},
			{"next", tag},
			{"state", tag},
			{"whoami", "-C", tag},
			{"completion", tag},
			{"hydrate", "-C", tag},
			{"__complete", "--", "bootstrap", ""},
			{"install", "claude", "--dry-run"},
			{"install", "claude"},
			{"install"},
			{"demo", tag},
		} {
			look(words...)
		}
		if runtime.GOOS == "linux" {
			p.write(tag+"/.planning/x", "x")
			look("hydrate", "-C", tag)
			look("status", "-C", tag)
		}
	}
	for _, name := range (&app{}).names() {
		if !ran[name] {
			t.Errorf("gsd %s: nobody has looked", name)
		}
	}
}
