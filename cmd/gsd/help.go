package main

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/urfave/cli/v2"
	"github.com/xrash/smetrics"

	"github.com/gsd-cli/gsd/internal/view"
)

// A group is a heading of the help and its commands, in the order in which they are listed.
type group struct {
	title    string
	commands []maker
}

// A maker makes the command of a name. Making them all takes as long as many a command does, so only one is made.
type maker struct {
	name string
	make func() *cli.Command
}

func (a *app) groups() []group {
	return []group{
		{"Work on a plan", []maker{
			{"hydrate", a.hydrateCommand},
			{"bootstrap", a.bootstrapCommand},
			{"mark", a.markCommand},
			{"done", a.doneCommand},
			{"tasks", a.tasksCommand},
			{"next", a.nextCommand},
		}},
		{"Look at the project", []maker{
			{"status", a.statusCommand},
			{"state", a.stateCommand},
		}},
		{"Recover", []maker{
			{"restore", a.restoreCommand},
		}},
		{"Record who is at work", []maker{
			{"run", a.runCommand},
			{"exec", a.execCommand},
		}},
		{"Set up", []maker{
			{"install", a.installCommand},
			{"whoami", a.whoamiCommand},
			{"demo", a.demoCommand},
			{"completion", a.completionCommand},
		}},
		{"", []maker{ // what gsd install and shells call
			{"help", a.helpCommand},
			{"hook", a.hookCommand},
			{"statusline", a.statuslineCommand},
			{"__complete", a.completeCommand},
		}},
	}
}

// aliases are the other names of commands.
var aliases = map[string]string{"resume": "hydrate", "start": "bootstrap"}

// find makes the command of a name, nil where there is none.
func (a *app) find(name string) *cli.Command {
	if long, ok := aliases[name]; ok {
		name = long
	}
	for _, g := range a.groups() {
		for _, m := range g.commands {
			if m.name == name {
				return m.make()
			}
		}
	}
	return nil
}

// names lists the commands that the help lists.
func (a *app) names() []string {
	var names []string
	for _, g := range a.groups() {
		for _, m := range g.commands {
			if g.title != "" {
				names = append(names, m.name)
			}
		}
	}
	return names
}

const helpHead = `gsd gives a coding agent its memory of a plan back: whose session this is, whether it is still
valid, and which task comes next.

Usage: gsd COMMAND [flags] [arguments]
`

const helpTail = `
Flags of every command:
  -C DIR       run as if started in DIR
  --json       print JSON, which schema.json describes
  -h, --help   show help

More: gsd help COMMAND, gsd help environment, gsd help exit-status.
`

// topics are what gsd help explains besides the commands.
var topics = map[string]string{
	"exit-status": `Exit status of gsd:

   0  success. Every verdict is a success: an agent's host aborts a slash command on anything else.
      gsd hydrate --exit-code asks for 1 where there is no session, and 2 where it is stale.
   1  gsd install --check: gsd is not installed, or not as it should be
  64  the command line is wrong
  65  a file holds something that cannot be used
  66  no such plan, task, session or run
  69  not in a project
  73  no permission to write there
  74  input or output failed
  75  another process is writing, or another run is at work
  77  refused for safety: the hint says what allows it

gsd exec exits as the command that it runs; 126 and 127 where that cannot be run or is not found.
`,
	"environment": `Environment of gsd:

  GSD_MAX_FILE_MIB   largest plan or session that is read, in MiB (default 16); a command reads at most 16 times as much
  GSD_WORKSTREAM     workstream that plan ids, next, status and state refer to where no session says
  GSD_PROJECT        the same for a sub-project; with both, the workstream of that sub-project
  GSD_RUN            run that the caller belongs to; gsd exec sets it, gsd run start --porcelain prints it
  XDG_STATE_HOME     where breadcrumbs are kept (default ~/.local/state; %LocalAppData% on Windows)
  NO_COLOR, FORCE_COLOR, TERM=dumb
                     whether to use colour; by default only on a terminal
`,
}

// helpCommand explains a topic; arrange leaves nothing else to it.
func (a *app) helpCommand() *cli.Command {
	return &cli.Command{
		Name: "help", Hidden: true, HideHelpCommand: true,
		Action: func(c *cli.Context) error {
			a.printf("%s", topics[c.Args().First()])
			return nil
		},
	}
}

// help is the overview of all commands.
func (a *app) help() string {
	var b strings.Builder
	b.WriteString(helpHead)
	for _, g := range a.groups() {
		if g.title == "" {
			continue
		}
		fmt.Fprintf(&b, "\n%s:\n", g.title)
		for _, m := range g.commands {
			name := m.name
			for alias, long := range aliases {
				if long == name {
					name += ", " + alias
				}
			}
			fmt.Fprintf(&b, "  %-18s %s\n", name, m.make().Usage)
		}
	}
	b.WriteString(helpTail)
	return b.String()
}

// unknownCommand names the command that was probably meant.
func (a *app) unknownCommand(name string) error {
	hint := "gsd --help lists the commands"
	if near := nearest(name, slices.AppendSeq(a.names(), maps.Keys(aliases))); near != "" {
		hint = "did you mean gsd " + near + "?"
	}
	return usage(hint, "no command %q", view.Cut(view.Line(name), longestWord))
}

// nearest returns the name that one or two typing mistakes turn into word, "" for none.
func nearest(word string, names []string) string {
	word = view.Cut(word, longestWord)
	best, least := "", 3
	for _, name := range names {
		if d := smetrics.WagnerFischer(word, name, 1, 1, 1); d < least && 2*d < len(name) {
			best, least = name, d
		}
	}
	return best
}
