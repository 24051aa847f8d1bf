package main

// What the pages of the repository say can be followed: links lead somewhere, commands and flags exist, and each flag has its use.

import (
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/urfave/cli/v2"
)

const root = "../../"

// pages returns the pages with these patterns below the root of the repository.
func pages(t *testing.T, patterns ...string) map[string]string {
	t.Helper()
	all := map[string]string{}
	for _, pattern := range patterns {
		names, err := filepath.Glob(root + pattern)
		if err != nil || len(names) == 0 {
			t.Fatalf("no page %s: %v", pattern, err)
		}
		for _, name := range names {
			text, err := os.ReadFile(name)
			if err != nil {
				t.Fatal(err)
			}
			all[strings.TrimPrefix(filepath.ToSlash(name), root)] = string(text)
		}
	}
	return all
}

var (
	link    = lazyRegexp(`\]\(([^)\s]+)\)`)
	heading = lazyRegexp(`(?m)^#{1,6} +(.*?) *#*$`)
	fenced  = lazyRegexp("(?ms)^ *```([a-z-]*)\n(.*?)^ *```$")
	inline  = lazyRegexp("`([^`\n]+)`")
)

// Every link of a page leads to a file, and to a heading of it.
func TestLinks(t *testing.T) {
	for page, text := range pages(t, "*.md", "docs/*.md", "plugin/*/*.md") {
		for _, found := range link().FindAllStringSubmatch(fenced().ReplaceAllString(text, ""), -1) {
			if strings.Contains(found[1], "://") {
				continue
			}
			file, anchor, _ := strings.Cut(found[1], "#")
			to := filepath.Join(filepath.Dir(page), file)
			if file == "" {
				to = page
			}
			if _, err := os.Stat(root + to); err != nil {
				t.Errorf("%s: %s leads nowhere", page, found[1])
			} else if anchor != "" && !slices.Contains(anchors(pages(t, to)[filepath.ToSlash(to)]), anchor) {
				t.Errorf("%s: %s has no heading %q", page, to, anchor)
			}
		}
	}
}

// anchors returns the anchors of the headings of a page, as GitHub makes them: in lower case, without punctuation, with hyphens in
// place of spaces, and with a number where a page has the same one before.
func anchors(page string) []string {
	var all []string
	for _, found := range heading().FindAllStringSubmatch(fenced().ReplaceAllString(page, ""), -1) {
		words := regexp.MustCompile(`\[([^]]*)\]\([^)]*\)`).ReplaceAllString(found[1], "$1")
		words = regexp.MustCompile(`[^\pL\pN\pM_ -]`).ReplaceAllString(strings.ToLower(words), "")
		name := strings.ReplaceAll(words, " ", "-")
		anchor := name
		for n := 1; slices.Contains(all, anchor); n++ {
			anchor = fmt.Sprintf("%s-%d", name, n)
		}
		all = append(all, anchor)
	}
	return all
}

func TestAnchors(t *testing.T) {
	for page, want := range map[string]string{
		"# What the agent may run":            "what-the-agent-may-run",
		"## `STATE.md`, and *more*":           "statemd-and-more",
		"## From `/gsd:pause-work`, and back": "from-gsdpause-work-and-back",
		"## a - b":                            "a---b",
		"## snake_case":                       "snake_case",
		"## Größe 2":                          "größe-2",
		"## [gsd](README.md) here":            "gsd-here",
		"## What now? ##":                     "what-now",
		"# One\n# One\n# One":                 "one one-1 one-2",
		"# One\n# One 1\n# One":               "one one-1 one-2",
		"# In\n\n```sh\n# no heading\n```\n":  "in",
		"#hashtag\n####### seven":             "",
	} {
		if got := strings.Join(anchors(page), " "); got != want {
			t.Errorf("%q: %q, want %q", page, got, want)
		}
	}
}

// A page names only commands and flags that gsd has, in its blocks as in its sentences.
func TestPagesNameCommands(t *testing.T) {
	named := 0
	for page, text := range pages(t, "README.md", "CONTRIBUTING.md", "SECURITY.md", "docs/*.md", "plugin/*/*.md") {
		for _, line := range commandLines(text) {
			named++
			if wrong := unknownWord(line); wrong != "" {
				t.Errorf("%s: there is no %s: gsd %s", page, wrong, line)
			}
		}
	}
	if named < 300 {
		t.Errorf("only %d commands were found", named)
	}
}

// commandLines returns what a page has after the word gsd in code, up to where the shell would end the command.
func commandLines(page string) (lines []string) {
	starts := regexp.MustCompile(`(?:^|[\s$(;&"])gsd ([^;&>"()…]+)`)
	var code []string
	for _, block := range fenced().FindAllStringSubmatch(page, -1) {
		for line := range strings.Lines(block[2]) {
			switch command, prompted := strings.CutPrefix(line, "$ "); {
			case prompted, block[1] == "sh":
				code = append(code, strings.TrimSpace(command))
			default:
				for _, found := range inline().FindAllStringSubmatch(line, -1) {
					code = append(code, found[1])
				}
			}
		}
	}
	for _, found := range inline().FindAllStringSubmatch(fenced().ReplaceAllString(page, ""), -1) {
		code = append(code, found[1])
	}
	for _, line := range code {
		line, _, _ = strings.Cut(line, " # ") // a comment
		for _, found := range starts.FindAllStringSubmatch(line, -1) {
			command, _, _ := strings.Cut(found[1], " | ")
			lines = append(lines, strings.TrimSpace(command))
		}
	}
	return lines
}

// unknownWord returns the command or flag of a command line that gsd does not have, "" for none. Words in capitals stand for others,
// brackets for what may be missing, and bars are between words of which one is meant.
func unknownWord(line string) string {
	var at *cli.Command
	for _, word := range strings.Fields(line) {
		if word == "--" {
			break
		}
		for _, word := range strings.Split(strings.Trim(strings.ReplaceAll(word, `\|`, "|"), "[].,:'*"), "|") {
			name, _, _ := strings.Cut(word, "=")
			switch isFlag := strings.HasPrefix(name, "--"); {
			case name == "--help", name == "--version", name == "" || name != strings.ToLower(name):
			case isFlag && (at == nil || !hasFlag(at, name)):
				return name
			case !isFlag && at == nil && name != "help":
				if at = (&invocation{}).find(name); at == nil {
					return name
				}
			case !isFlag && at != nil && len(at.Subcommands) > 0:
				sub := slices.IndexFunc(at.Subcommands, func(c *cli.Command) bool { return c.Name == name })
				if sub < 0 {
					return name
				}
				if !strings.Contains(line, name+"|") {
					at = at.Subcommands[sub]
				}
			}
		}
	}
	return ""
}

// hasFlag reports whether a command or one of those below it has a flag.
func hasFlag(c *cli.Command, flag string) bool {
	return slices.ContainsFunc(c.Flags, func(f cli.Flag) bool { return slices.Contains(f.Names(), flag[len("--"):]) }) ||
		slices.ContainsFunc(c.Subcommands, func(sub *cli.Command) bool { return hasFlag(sub, flag) })
}

func TestUnknownWord(t *testing.T) {
	for line, want := range map[string]string{
		"hydrate --json":                    "",
		"-C DIR hydrate":                    "",
		"hydrat":                            "hydrat",
		"hydrate --jsn":                     "--jsn",
		"bootstrap [PLAN] [--fresh|--anew]": "--anew",
		"run start|end|list":                "",
		"run begin":                         "begin",
		"run sweep --reset-tasks":           "",
		"run list --reset-tasks":            "--reset-tasks",
		"exec --host codex -- codex exec --full-auto": "",
		"COMMAND --help":    "",
		"--fresh bootstrap": "--fresh",
	} {
		if got := unknownWord(line); got != want {
			t.Errorf("gsd %s: %q, want %q", line, got, want)
		}
	}
}

// Every flag has a row in docs/commands.md that says when somebody wants it, but for those that all commands have.
func TestEveryFlagHasItsUse(t *testing.T) {
	_, table, _ := strings.Cut(pages(t, "docs/commands.md")["docs/commands.md"], "## Flags")
	table, _, _ = strings.Cut(table, "\n## ")
	uses := map[string]bool{} // by command and flag
	for _, row := range regexp.MustCompile(`(?m)^\| (.*) \| \S.* \|$`).FindAllStringSubmatch(table, -1) {
		command := ""
		for _, code := range inline().FindAllStringSubmatch(row[1], -1) {
			words := strings.Fields(strings.TrimPrefix(code[1], "gsd "))
			if !strings.HasPrefix(words[0], "--") {
				command = words[0]
				if len(words) > 1 && words[0] == "run" {
					command += " " + words[1]
				}
			}
			for _, word := range words {
				uses[command+" "+word] = true
			}
		}
	}
	var wants func(name string, c *cli.Command)
	wants = func(name string, c *cli.Command) {
		for _, f := range c.Flags {
			flag := "--" + f.Names()[0]
			isEverywhere := flag == "--C" || flag == "--ws" || flag == "--json"
			if v, ok := f.(cli.VisibleFlag); ok && v.IsVisible() && !isEverywhere && !uses[name+" "+flag] {
				t.Errorf("docs/commands.md does not say when somebody wants gsd %s %s", name, flag)
			}
		}
		for _, sub := range c.Subcommands {
			wants(name+" "+sub.Name, sub)
		}
	}
	for _, name := range names() {
		wants(name, (&invocation{}).find(name))
	}
}
