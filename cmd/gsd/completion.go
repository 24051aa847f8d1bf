package main

import (
	"context"
	"fmt"
	"strings"

	"github.com/urfave/cli/v2"

	"github.com/gsd-cli/gsd/host"
	"github.com/gsd-cli/gsd/hydrate"
	"github.com/gsd-cli/gsd/identity"
)

// A shell hands the words so far, the last one unfinished, to "gsd __complete -- WORDS"; what that
// prints, one a line, are the candidates, and the shell picks those that fit.
var completionScripts = map[string]string{
	// Not compgen -W: that expands its words, and a file's name would be run.
	"bash": `_gsd() {
  local candidate current=${COMP_WORDS[COMP_CWORD]}
  COMPREPLY=()
  while IFS= read -r candidate; do
    [[ $candidate == "$current"* ]] && COMPREPLY+=("$candidate")
  done < <(gsd __complete -- "${COMP_WORDS[@]:1:COMP_CWORD}" 2>/dev/null)
}
complete -o default -F _gsd gsd
`,
	"zsh": `#compdef gsd
_gsd() {
  local -a candidates
  candidates=("${(@f)$(gsd __complete -- "${(@)words[2,CURRENT]}" 2>/dev/null)}")
  compadd -- "${candidates[@]}"
}
if [ "$funcstack[1]" = "_gsd" ]; then _gsd "$@"; else compdef _gsd gsd; fi
`,
	"fish": `function __gsd_complete
  set -l words (commandline -opc) (commandline -ct)
  gsd __complete -- $words[2..-1] 2>/dev/null
end
complete -c gsd -f -a '(__gsd_complete)'
`,
}

func (a *app) completionCommand() *cli.Command {
	return &cli.Command{
		Name:            "completion",
		Usage:           "print the completion script of a shell",
		ArgsUsage:       "bash|zsh|fish",
		HideHelpCommand: true,
		OnUsageError:    usageError,
		Description: `EXAMPLES
   source <(gsd completion bash)
   gsd completion zsh > "${fpath[1]}/_gsd"
   gsd completion fish > ~/.config/fish/completions/gsd.fish

` + exitStatusHelp,
		Action: func(c *cli.Context) error {
			script, ok := completionScripts[c.Args().First()]
			if !ok || c.NArg() != 1 {
				return &hydrate.Error{Kind: hydrate.Usage, Text: "completion is for one of the shells bash, zsh and fish", Hint: "gsd completion bash"}
			}
			a.raw.WriteString(script)
			return nil
		},
	}
}

func (a *app) completeCommand() *cli.Command {
	return &cli.Command{
		Name:            "__complete",
		Hidden:          true,
		HideHelpCommand: true,
		Action: func(c *cli.Context) error {
			for _, candidate := range a.candidates(c, c.Args().Slice()) {
				if isWord(candidate) { // it goes on the command line as it stands, to be run at the next Enter
					fmt.Fprintln(&a.out, candidate)
				}
			}
			return nil
		},
	}
}

// candidates gives what may stand in place of the last word. It never fails: without a project there is
// just less to offer.
func (a *app) candidates(c *cli.Context, words []string) []string {
	current := ""
	if len(words) > 0 {
		current, words = words[len(words)-1], words[:len(words)-1]
	}
	dir := a.dir
	var given []string // without flags: the command and its arguments
	for i := 0; i < len(words); i++ {
		switch {
		case takesValue(words[i]):
			if i++; i == len(words) {
				return flagValues(words[i-1])
			}
			if words[i-1] == "-C" {
				dir = join(a.dir, words[i])
			}
		case !strings.HasPrefix(words[i], "-"):
			given = append(given, words[i])
		}
	}
	if len(given) == 0 {
		var names []string
		for _, command := range c.App.VisibleCommands() {
			names = append(names, command.Name)
		}
		return names
	}
	command := c.App.Command(given[0])
	switch {
	case command == nil:
		return nil
	case strings.HasPrefix(current, "-"):
		return flagNames(command)
	case command.Name == "completion" && len(given) == 1:
		return []string{"bash", "zsh", "fish"}
	case command.Name == "run" && len(given) == 1:
		return []string{"start", "end"}
	case command.Name == "install" && len(given) == 1:
		return host.Names()
	case command.Name == "hook" && len(given) == 1:
		return hookVerbs
	case command.Name == "orphans" && len(given) == 1:
		return []string{"dismiss"}
	case command.Name == "orphans" && len(given) == 2, command.Name == "restore" && len(given) == 1:
		return a.orphanIDs()
	case command.Name == "mark" && len(given) == 1:
		return a.taskNumbers(c.Context, dir)
	case command.Name == "mark" && len(given) == 2:
		return []string{"complete", "in-progress", "pending"}
	case (command.Name == "bootstrap" || command.Name == "tasks" || command.Name == "recover") && len(given) == 1:
		return a.planIDs(dir)
	}
	return nil
}

// flagValues gives what may follow a flag; nothing for a directory or a duration, which the shell knows better.
func flagValues(flag string) []string {
	switch strings.TrimLeft(flag, "-") {
	case "format":
		return formats
	case "status":
		return hydrate.RunStatusWords()
	case "host":
		return host.Names()
	case "scope":
		return scopeWords()
	}
	return nil
}

func (a *app) orphanIDs() []string {
	orphans, _, _ := hydrate.Orphans(a.world().StateDir, a.now()) // what cannot be read cannot be offered
	var ids []string
	for _, o := range orphans {
		ids = append(ids, o.ID)
	}
	return ids
}

func flagNames(command *cli.Command) []string {
	var names []string
	for _, flag := range command.VisibleFlags() {
		if name := flag.Names()[0]; len(name) == 1 {
			names = append(names, "-"+name)
		} else {
			names = append(names, "--"+name)
		}
	}
	return names
}

func (a *app) taskNumbers(ctx context.Context, dir string) []string {
	var numbers []string
	// Without a session there are none.
	_ = a.withUser(ctx, dir, func(p *hydrate.Project, u identity.User) error {
		list, err := p.SessionTasks(u.Name)
		if err == nil {
			for _, t := range list.File.Tasks {
				numbers = append(numbers, number(t.Number))
			}
		}
		return err
	})
	return numbers
}

func (a *app) planIDs(dir string) []string {
	p, err := a.open(dir)
	if err != nil {
		return nil
	}
	defer p.Close() // it was only read through
	return p.PlanIDs()
}
