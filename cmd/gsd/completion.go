package main

import (
	"context"
	"embed"
	"slices"
	"strconv"
	"strings"

	"github.com/urfave/cli/v2"

	"github.com/gsd-cli/gsd/internal/agent"
	"github.com/gsd-cli/gsd/internal/app"
	"github.com/gsd-cli/gsd/internal/history"
	"github.com/gsd-cli/gsd/internal/text"
)

// completionScripts pass the words so far, the last one unfinished, to "gsd __complete -- WORDS". It prints candidates, one per
// line, and the shell picks those that match: in bash not by compgen -W, which expands its words, so that a file's name would be
// executed. Windows PowerShell drops an empty argument, so a dot stands for it: it matters only whether the last word begins like
// a flag.
//
//go:embed completion
var completionScripts embed.FS

// shells are those that have a script.
var shells = []string{"bash", "zsh", "fish", "pwsh"}

func completionCommand(inv *invocation) *cli.Command {
	return command(&cli.Command{
		Name:      "completion",
		Usage:     "print the completion script of a shell",
		ArgsUsage: strings.Join(shells, "|"),
		Description: `Source the script, or put it where the shell looks for completions.

EXAMPLES
   source <(gsd completion bash)
   gsd completion zsh > "${fpath[1]}/_gsd"
   gsd completion fish > ~/.config/fish/completions/gsd.fish
   gsd completion pwsh >> $PROFILE`,
		Action: func(c *cli.Context) error {
			shell := c.Args().First()
			if !slices.Contains(shells, shell) {
				return usage(choices(shell, shells), "no completion for %s", quoted(shell))
			}
			script, err := completionScripts.ReadFile("completion/gsd." + shell)
			inv.raw.Write(script)
			return err
		},
	})
}

func completeCommand(inv *invocation) *cli.Command {
	return &cli.Command{
		Name:            "__complete",
		Hidden:          true,
		HideHelpCommand: true,
		Action: func(c *cli.Context) error {
			for _, candidate := range inv.candidates(c.Context, c.Args().Slice()) {
				if text.IsWord(candidate) { // it becomes part of a command line unquoted
					inv.plain().Printf("%s\n", candidate)
				}
			}
			return nil
		},
	}
}

// A typedLine is a command line that is not finished, as far as completion has to know it.
type typedLine struct {
	dir     string   // where the command acts
	words   []string // the command and its arguments
	flags   []string // its flags, without their values
	current string   // the word to complete
}

// candidates returns what may replace the last word. It never fails: without a project there is less to offer.
func (inv *invocation) candidates(ctx context.Context, words []string) []string {
	line := typedLine{dir: inv.dir}
	if len(words) > 0 {
		line.current, words = words[len(words)-1], words[:len(words)-1]
	}
	for i := 0; i < len(words); i++ {
		switch {
		case takesValue(words[i]):
			if i++; i == len(words) {
				return inv.flagValues(words[i-1])
			}
			if words[i-1] == "-C" {
				line.dir = join(inv.dir, words[i])
			}
		case strings.HasPrefix(words[i], "-"):
			line.flags = append(line.flags, words[i])
		default:
			line.words = append(line.words, words[i])
		}
	}
	if len(line.words) == 0 {
		return names()
	}
	command := inv.find(line.words[0])
	if command != nil && len(command.Subcommands) > 0 {
		if len(line.words) == 1 {
			return subcommands(command)
		}
		command = command.Command(line.words[1])
	}
	switch {
	case command == nil:
		return nil
	case strings.HasPrefix(line.current, "-"):
		return flagNames(command)
	}
	return inv.arguments(ctx, command.Name, line)
}

// arguments returns what may be the next argument of a command.
func (inv *invocation) arguments(ctx context.Context, command string, line typedLine) []string {
	given := line.words[1:]
	switch {
	case command == "mark" && len(given) == 1:
		return statuses
	case command == "tasks" && len(given) == 1:
		return inv.taskNumbers(ctx, line.dir, app.TasksOptions{Dir: line.dir, Plan: given[0]}, false)
	case command == "end" && len(given) == 1: // of gsd run
		return inv.openRuns(ctx, line.dir)
	case command == "install":
		return slices.DeleteFunc(agent.Names(), func(host string) bool { return slices.Contains(given, host) })
	case len(given) > 0:
		return nil
	}
	switch command {
	case "completion":
		return shells
	case "help":
		return append(names(), topicNames()...)
	case "mark", "done":
		return inv.taskNumbers(ctx, line.dir, app.TasksOptions{}, command == "done")
	case "bootstrap", "takeover":
		return inv.startable(ctx, line)
	case "tasks":
		return inv.planIDs(line.dir)
	case "restore", "forget":
		return inv.lostIDs()
	}
	return nil
}

// flagValues returns what may follow a flag: nothing for a directory, which the shell completes better.
func (inv *invocation) flagValues(flag string) []string {
	switch strings.TrimLeft(flag, "-") {
	case "format":
		return formats
	case "status":
		return app.RunStatusWords()
	case "host":
		return agent.Names()
	case "scope":
		return scopes
	}
	return nil
}

func (inv *invocation) lostIDs() (ids []string) {
	if lost, err := history.Lost(inv.world()); err == nil {
		for _, l := range lost.Lost {
			ids = append(ids, l.ID)
		}
	}
	return ids
}

func flagNames(command *cli.Command) (names []string) {
	for _, flag := range command.VisibleFlags() {
		name := "-" + flag.Names()[0]
		if len(name) > len("-C") {
			name = "-" + name
		}
		names = append(names, name)
	}
	return names
}

// taskNumbers returns the numbers of the tasks that o selects; with left, only of those on which something is left to do.
func (inv *invocation) taskNumbers(ctx context.Context, dir string, o app.TasksOptions, left bool) (numbers []string) {
	// Without a session there are none.
	_ = inv.projectAt(ctx, dir, app.Reads, func(p *app.Project, user string) error {
		o.User = user
		list, err := p.Tasks(o)
		if err == nil {
			for _, t := range list.Tasks {
				if !left || !t.Status.Settled() {
					numbers = append(numbers, strconv.Itoa(t.Number))
				}
			}
		}
		return err
	})
	return numbers
}

// startable returns the plans that gsd bootstrap or takeover takes with the flags of a command line.
func (inv *invocation) startable(ctx context.Context, line typedLine) (ids []string) {
	has := func(name string) bool {
		return slices.Contains(line.flags, "--"+name) || slices.Contains(line.flags, "-"+name)
	}
	_ = inv.projectAt(ctx, line.dir, app.Reads, func(p *app.Project, user string) error {
		ids = app.Startable(p, app.BootstrapOptions{User: user, Again: has("again"), TakeOver: line.words[0] == "takeover"})
		return nil
	})
	return ids
}

// openRuns returns the runs whose end was not recorded.
func (inv *invocation) openRuns(ctx context.Context, dir string) (ids []string) {
	_ = inv.projectAt(ctx, dir, app.Reads, func(p *app.Project, user string) error {
		list, err := p.RunList(user)
		if err == nil {
			for _, r := range list.Runs {
				if r.Status == "" {
					ids = append(ids, r.ID)
				}
			}
		}
		return err
	})
	return ids
}

func (inv *invocation) planIDs(dir string) []string {
	p, err := inv.open(dir)
	if err != nil {
		return nil
	}
	defer p.Close() // it was only read through
	return p.Planning.PlanIDs()
}
