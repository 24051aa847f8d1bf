package main

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/urfave/cli/v2"
	"github.com/xrash/smetrics"

	"github.com/gsd-cli/gsd/internal/text"
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
		{plan, "mark", markCommand},
		{plan, "done", doneCommand},
		{plan, "tasks", tasksCommand},
		{plan, "next", nextCommand},
		{project, "status", statusCommand},
		{project, "state", stateCommand},
		{lost, "restore", restoreCommand},
		{team, "sync", syncCommand},
		{runs, "run", runCommand},
		{runs, "exec", execCommand},
		{setup, "install", installCommand},
		{setup, "doctor", doctorCommand},
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

var aliases = map[string]string{"resume": "hydrate", "start": "bootstrap"}

// find makes the command with a name or alias, nil if there is none.
func (inv *invocation) find(name string) *cli.Command {
	if long, ok := aliases[name]; ok {
		name = long
	}
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

// words returns the names and aliases of the commands that the help lists.
func words() []string { return slices.AppendSeq(names(), maps.Keys(aliases)) }

const helpHead = `gsd gives a coding agent its memory of a plan back: whose session this is, whether it is still
valid, and which task comes next.

Usage: gsd COMMAND [flags] [arguments]
`

const helpTail = `
Flags of most commands:
  -C DIR       run as if started in DIR
  --json       print JSON, as described by schema.json
  -h, --help   show help

More: gsd help COMMAND, gsd help environment, gsd help exit-status.
`

// topics are what gsd help explains besides the commands.
var topics = map[string]string{
	"exit-status": `Exit status of gsd:

   0  success, whatever the verdict: an agent's host aborts a slash command on anything else.
      With gsd hydrate --exit-code, 1 means that there is no session, and 2 that it is stale.
   1  gsd install --check: gsd is not installed, or not correctly; gsd doctor: something needs doing
  64  invalid command line
  65  invalid data in a file
  66  no such plan, task, session or run
  69  not in a project
  73  no permission to write
  74  input or output failed
  75  another process is writing, another run is active, or somebody else has the plan in hand
  77  refused for safety; the hint says what would allow it

gsd exec exits with the status of the command that it runs, or with 126 if that cannot be run and 127 if it is not found.
`,
	"environment": `Environment of gsd:

  GSD_MAX_FILE_MIB   size of the largest plan or session that is read, in MiB (default 16); a command reads at most 16 times
                     as much in all
  GSD_WORKSTREAM     workstream to use for plan ids, next, status and state if no session names one
  GSD_PROJECT        the same for a sub-project; if both are set, the workstream is one of that sub-project
  GSD_RUN            run that the caller belongs to; set by gsd exec, printed by gsd run start --porcelain
  XDG_STATE_HOME     where breadcrumbs are kept (default ~/.local/state; %LocalAppData% on Windows)
  NO_COLOR, FORCE_COLOR, TERM=dumb
                     whether to use colour; the default is only on a terminal
`,
}

// helpCommand explains a topic; arrange turns every other use of gsd help into --help.
func helpCommand(inv *invocation) *cli.Command {
	return &cli.Command{
		Name: "help", Hidden: true, HideHelpCommand: true,
		Action: func(c *cli.Context) error {
			inv.printf("%s", topics[c.Args().First()])
			return nil
		},
	}
}

// help returns the overview of all commands.
func help() string {
	var b strings.Builder
	b.WriteString(helpHead)
	group := ""
	for _, m := range commands() {
		if m.group == "" {
			break
		}
		if m.group != group {
			group = m.group
			fmt.Fprintf(&b, "\n%s:\n", group)
		}
		name := m.name
		for alias, long := range aliases {
			if long == name {
				name += ", " + alias
			}
		}
		fmt.Fprintf(&b, "  %-18s %s\n", name, m.make(&invocation{}).Usage)
	}
	b.WriteString(helpTail)
	return b.String()
}

// verbs completes the definition of a command that has only subcommands.
func verbs(c *cli.Command) *cli.Command {
	c.Action = func(ctx *cli.Context) error {
		if ctx.NArg() == 0 {
			return usage("gsd "+c.Name+" --help lists them", "%s needs a command", c.Name)
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

// unknownCommand is the error for a word after gsd, or after gsd run, that is not a command. It suggests the nearest name.
func unknownCommand(after, word string, names []string) error {
	hint := after + " --help lists the commands"
	if near := nearest(word, names); near != "" {
		hint = "did you mean " + after + " " + near + "?"
	}
	word = text.Cut(text.Line(word), longestWord)
	return usage(hint, "no command %q", strings.TrimPrefix(after+" "+word, "gsd "))
}

// nearest returns the name that is one or two typing mistakes away from word, "" for none.
func nearest(word string, names []string) string {
	best, least := "", 3
	for _, name := range names {
		if len(word) > longestWord {
			break
		}
		if d := smetrics.WagnerFischer(word, name, 1, 1, 1); d < least && 2*d < len(name) {
			best, least = name, d
		}
	}
	return best
}
