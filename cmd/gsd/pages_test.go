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

// TestCommandsPage: the tables of docs/commands.md are made from the help; -args -update writes them.
func TestCommandsPage(t *testing.T) {
	const page = "docs/commands.md"
	text := pages(t, page)[page]
	for mark, made := range map[string]string{
		"commands": commandTable(), "flags": flagTable(), "exit-status": "```\n" + string(topic("exit-status")) + "```\n",
	} {
		start := "<!-- " + mark + " -->\n"
		before, rest, found := strings.Cut(text, start)
		_, after, ended := strings.Cut(rest, "<!-- end -->\n")
		if !found || !ended {
			t.Fatalf("%s has no part %s", page, mark)
		}
		text = before + start + "\n" + made + "\n<!-- end -->\n" + after
	}
	if text == pages(t, page)[page] {
		return
	}
	if !*update {
		t.Fatalf("%s is not what the help says: go test ./cmd/gsd -run TestCommandsPage -args -update", page)
	}
	if err := os.WriteFile(root+page, []byte(text), 0o644); err != nil { //nolint:gosec // a page of the repository
		t.Fatal(err)
	}
}

// commandTable has a row for each command that the help lists, and for each below it.
func commandTable() string {
	var b strings.Builder
	b.WriteString("| | command | what it does |\n|---|---|---|\n")
	group := ""
	for _, m := range commands() {
		heading := ""
		if m.group == "" {
			break
		} else if m.group != group {
			group, heading = m.group, m.group
		}
		c := m.make(&invocation{})
		for _, c := range append([]*cli.Command{c}, c.Subcommands...) {
			name := c.Name
			if name != m.name {
				name = m.name + " " + name
			}
			row := strings.TrimSpace("gsd " + name + " " + c.ArgsUsage)
			fmt.Fprintf(&b, "| %s | `%s` | %s |\n", heading, strings.ReplaceAll(row, "|", `\|`), c.Usage)
			heading = ""
		}
	}
	return b.String()
}

// flagTable has a row for each flag but those that nearly all commands have.
func flagTable() string {
	var b strings.Builder
	b.WriteString("| flag | what it does |\n|---|---|\n")
	var rows func(name string, c *cli.Command)
	rows = func(name string, c *cli.Command) {
		for _, f := range c.Flags {
			v, isVisible := f.(cli.DocGenerationFlag)
			flag := f.Names()[0]
			if visible, ok := f.(cli.VisibleFlag); !isVisible || !ok || !visible.IsVisible() || flag == "C" || flag == "ws" || flag == "json" {
				continue
			}
			value, usage := "", v.GetUsage()
			if v.TakesValue() { // the word between backticks stands for it
				_, rest, _ := strings.Cut(usage, "`")
				value, _, _ = strings.Cut(rest, "`")
			}
			row := strings.TrimSpace("gsd " + name + " --" + flag + " " + value)
			fmt.Fprintf(&b, "| `%s` | %s |\n", row, strings.ReplaceAll(strings.ReplaceAll(usage, "`", ""), "|", `\|`))
		}
		for _, sub := range c.Subcommands {
			rows(name+" "+sub.Name, sub)
		}
	}
	for _, name := range names() {
		rows(name, (&invocation{}).find(name))
	}
	return b.String()
}
