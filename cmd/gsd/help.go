package main

import (
	"embed"
	"fmt"
	"strings"

	"github.com/urfave/cli/v2"

	"github.com/gsd-cli/gsd/internal/layout"
)

// A maker makes the command with a name. The help lists commands that have a group, under that heading.
type maker struct {
	group, name string
	make        func(*invocation) *cli.Command
}

func commands() []maker {
	const (
		plan    = "Work on a plan"
		project = "Look at the project"
		lost    = "Recover"
		team    = "Work on several machines"
		runs    = "Record agent runs"
		setup   = "Set up"
	)
	return []maker{
		{plan, "hydrate", hydrateCommand},
		{plan, "bootstrap", bootstrapCommand},
		{plan, "takeover", takeOverCommand},
		{plan, "archive", archiveCommand},
		{plan, "mark", markCommand},
		{plan, "done", doneCommand},
		{plan, "tasks", tasksCommand},
		{plan, "next", nextCommand},
		{project, "status", statusCommand},
		{project, "state", stateCommand},
		{lost, "restore", restoreCommand},
		{lost, "forget", forgetCommand},
		{team, "sync", syncCommand},
		{runs, "run", runCommand},
		{runs, "exec", execCommand},
		{setup, "install", installCommand},
		{setup, "doctor", doctorCommand},
		{setup, "config", configCommand},
		{setup, "whoami", whoamiCommand},
		{setup, "demo", demoCommand},
		{setup, "completion", completionCommand},
		{"", "help", helpCommand},
		{"", "hook", hookCommand},
		{"", "statusline", statuslineCommand},
		{"", stateMerge, stateMergeCommand},
		{"", "__complete", completeCommand},
	}
}

// find makes the command with a name, nil if there is none.
func (inv *invocation) find(name string) *cli.Command {
	for _, m := range commands() {
		if m.name == name {
			return m.make(inv)
		}
	}
	return nil
}

// names returns the commands that the help lists.
func names() []string {
	var names []string
	for _, m := range commands() {
		if m.group != "" {
			names = append(names, m.name)
		}
	}
	return names
}

// topics are the texts that gsd help prints besides those of the commands.
//
//go:embed help
var topics embed.FS

// topic returns what gsd help explains about something that is no command, nil if there is nothing.
func topic(name string) []byte {
	text, _ := topics.ReadFile("help/" + name + ".txt") // which name may not be a file
	return text
}

// topicNames returns the topics.
func topicNames() (names []string) {
	files, _ := topics.ReadDir("help") // which is embedded
	for _, f := range files {
		names = append(names, strings.TrimSuffix(f.Name(), ".txt"))
	}
	return names
}

// helpCommand explains a topic; arrange turns every other use of gsd help into --help.
func helpCommand(inv *invocation) *cli.Command {
	return &cli.Command{
		Name: "help", Hidden: true, HideHelpCommand: true,
		Action: func(c *cli.Context) error {
			inv.help.Write(topic(c.Args().First()))
			return nil
		},
	}
}

//go:embed overview.txt
var overview string

// help returns the overview of all commands.
func help() string {
	var b strings.Builder
	group := ""
	for _, m := range commands() {
		if m.group == "" {
			break
		}
		if m.group != group {
			group = m.group
			fmt.Fprintf(&b, "\n%s:\n", group)
		}
		fmt.Fprintf(&b, "  %-11s %s\n", m.name, m.make(&invocation{}).Usage)
	}
	return fmt.Sprintf(overview, b.String())
}

// backticked returns a paragraph of a description with its commands between backticks. There they are between single quotes, because
// a backtick ends its literal.
func backticked(text string) string {
	before, rest, found := strings.Cut(text, "'gsd ")
	if !found {
		return text
	}
	command, after, _ := strings.Cut(rest, "'")
	return before + "`gsd " + command + "`" + backticked(after)
}

// reflow breaks the paragraphs in the description of a command, and of those below it, into lines that fit once the help has indented
// them. A paragraph with an indented line, such as the examples, stays as it is.
func reflow(c *cli.Command, columns int) {
	const indent = 3
	paragraphs := strings.Split(c.Description, "\n\n")
	for i, text := range paragraphs {
		if !strings.Contains(text, "\n   ") && !strings.HasPrefix(text, " ") {
			paragraphs[i] = layout.Paragraph(backticked(text), columns-indent)
		}
	}
	c.Description = strings.Join(paragraphs, "\n\n")
	for _, sub := range c.Subcommands {
		reflow(sub, columns)
	}
}

// fitHelp breaks the lines of a help text that reflow has not seen: its tables of flags and commands, and the summary of a command.
func fitHelp(help string, columns int) string {
	var b strings.Builder
	for line := range strings.Lines(help) {
		if bare := strings.TrimLeft(line, " "); len(line)-len(bare) < 6 || strings.Contains(bare, "  ") {
			line = layout.Wrap(line, columns)
		}
		b.WriteString(line)
	}
	return b.String()
}

// verbs completes the definition of a command that has only subcommands.
func verbs(c *cli.Command) *cli.Command {
	c.Action = func(ctx *cli.Context) error {
		if ctx.NArg() == 0 {
			return usage("`gsd "+c.Name+" --help` lists them", "%s needs a command", c.Name)
		}
		return unknownCommand("gsd "+c.Name, ctx.Args().First(), subcommands(c))
	}
	return command(c)
}

func subcommands(c *cli.Command) []string {
	var names []string
	for _, sub := range c.Subcommands {
		names = append(names, sub.Name)
	}
	return names
}
