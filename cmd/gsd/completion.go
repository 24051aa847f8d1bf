package main

import (
	"context"
	"embed"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/urfave/cli/v2"

	"github.com/gsd-cli/gsd/hydrate"
	"github.com/gsd-cli/gsd/internal/agent"
	"github.com/gsd-cli/gsd/internal/history"
	"github.com/gsd-cli/gsd/internal/text"
	"github.com/gsd-cli/gsd/internal/work"
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
					fmt.Fprintln(&inv.out, candidate)
				}
			}
			return nil
		},
	}
}

// candidates returns what may replace the last word. It never fails: without a project there is less to offer.
func (inv *invocation) candidates(ctx context.Context, words []string) []string {
	current := ""
	if len(words) > 0 {
		current, words = words[len(words)-1], words[:len(words)-1]
	}
	dir := inv.dir
	var given []string // the command and its arguments
	for i := 0; i < len(words); i++ {
		switch {
		case takesValue(words[i]):
			if i++; i == len(words) {
				return inv.flagValues(words[i-1])
			}
			if words[i-1] == "-C" {
				dir = join(inv.dir, words[i])
			}
		case !strings.HasPrefix(words[i], "-"):
			given = append(given, words[i])
		}
	}
	if len(given) == 0 {
		return names()
	}
	command := inv.find(given[0])
	if command != nil && len(command.Subcommands) > 0 {
		if len(given) == 1 {
			return subcommands(command)
		}
		command = command.Command(given[1])
	}
	switch {
	case command == nil:
		return nil
	case strings.HasPrefix(current, "-"):
		return flagNames(command)
	case command.Name == "mark" && len(given) == 2:
		return statuses
	case len(given) > 1:
		return nil
	}
	switch command.Name {
	case "completion":
		return shells
	case "install":
		return agent.Names()
	case "mark", "done":
		return inv.taskNumbers(ctx, dir)
	case "bootstrap", "tasks":
		return inv.planIDs(dir)
	case "restore":
		return inv.lostIDs()
	}
	return nil
}

// flagValues returns what may follow a flag: nothing for a directory or a duration, which the shell completes better.
func (inv *invocation) flagValues(flag string) []string {
	switch strings.TrimLeft(flag, "-") {
	case "format":
		return formats
	case "status":
		return work.RunStatusWords()
	case "host":
		return agent.Names()
	case "dismiss":
		return inv.lostIDs()
	case "scope":
		return scopes
	}
	return nil
}

func (inv *invocation) lostIDs() (ids []string) {
	if lost, err := history.Lost(inv.world(), inv.now()); err == nil {
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

func (inv *invocation) taskNumbers(ctx context.Context, dir string) (numbers []string) {
	// Without a session there are none.
	_ = inv.projectAt(ctx, dir, reads, func(p *hydrate.Project, user string) error {
		list, err := p.Tasks(hydrate.TasksOptions{User: user})
		if err == nil {
			for _, t := range list.Tasks {
				numbers = append(numbers, strconv.Itoa(t.Number))
			}
		}
		return err
	})
	return numbers
}

func (inv *invocation) planIDs(dir string) []string {
	p, err := inv.open(dir)
	if err != nil {
		return nil
	}
	defer p.Close() // it was only read through
	return p.PlanIDs()
}
