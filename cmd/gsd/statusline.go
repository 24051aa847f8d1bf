package main

import (
	"context"
	"fmt"
	"strconv"
	"strings"

	"github.com/urfave/cli/v2"

	"github.com/gsd-cli/gsd/hydrate"
	"github.com/gsd-cli/gsd/identity"
)

const (
	// defaultColumns is how wide a line is where nobody says.
	defaultColumns = 80
	// lineBar is how wide the bar is, in columns; a line that is short of them does without.
	lineBar = 8
	// leastName is how much of a task's name is worth showing, in columns.
	leastName = 12
)

func (a *app) statuslineCommand() *cli.Command {
	return inDirectory(&cli.Command{
		Name:  "statusline",
		Usage: "print one line for a host's status line",
		Description: `Reads the host's JSON from standard input, for the directory, and prints one line: the plan, a bar, how many of its tasks
are complete, the current task, and a warning sign where the session is stale or was interrupted. It is as wide as
COLUMNS says, at most, and blank outside of a project. It ends with 0 whatever happens.

EXAMPLES
   gsd statusline < input.json
   gsd install claude --statusline`,
		Action: func(c *cli.Context) error {
			if err := arguments(c, 0, 0); err != nil {
				return err
			}
			return a.statusline(c.Context, c.String("C"))
		},
	})
}

func (a *app) statusline(ctx context.Context, given string) error {
	in := a.readInput()
	return a.inHook(ctx, a.startDirs(given, in.CWD), a.caller(), func(p *hydrate.Project, u identity.User) error {
		r, err := p.Hydrate(u.Name)
		if err != nil {
			return err
		}
		if text := a.statusWords(r, p.Interrupted(r, a.now()), a.columns()); text != "" {
			a.out.WriteString(text + "\n")
		}
		return nil
	})
}

// columns is how wide a line may be, as COLUMNS has it: hosts set it, because what they read from is no terminal.
func (a *app) columns() int {
	n, err := strconv.ParseUint(strings.TrimSpace(a.getenv("COLUMNS")), 10, 15)
	if err != nil || n == 0 {
		return defaultColumns
	}
	return int(n)
}

// statusWords is the line: what is most worth knowing is kept longest where there is little room.
func (a *app) statusWords(r *hydrate.Report, interrupted bool, columns int) string {
	sign, says := "", ""
	switch r.Verdict {
	case hydrate.None:
		return fitted("no session on a plan", columns)
	case hydrate.Corrupt:
		return fitted("⚠ the session file is none", columns)
	case hydrate.Stale:
		sign, says = "⚠", "stale: "+strings.Join(staleReasons(r.Stale), ", ")
	case hydrate.Finished:
		says = "complete"
		if r.Summary != "" {
			says = "summary is due"
		}
	case hydrate.Resume:
		says = fmt.Sprintf("%d: %s", r.Resume, taskTitle(r.Session.Name(r.Resume), r.Resume))
		if interrupted {
			sign, says = "⚠", "interrupted, task "+says
		}
	}
	done, total := r.Done(), len(r.Session.Tasks)
	head := strings.TrimSpace(fitted(title(hydrate.PlanName(r.Plan.Path)), 2*leastName))
	ratio := fmt.Sprintf("%d/%d", done, total)
	bar := strings.Repeat("█", done*lineBar/max(1, total)) + strings.Repeat("░", lineBar-done*lineBar/max(1, total))
	text := spaced(head, ratio, sign)
	if width(text)+1+lineBar+1+leastName <= columns {
		text = spaced(head, bar, ratio, sign)
	}
	if left := columns - width(text) - 1; left >= leastName {
		text = spaced(text, fitted(says, left))
	}
	if width(text) > columns {
		text = fitted(spaced(sign, ratio), columns)
	}
	return text
}

// spaced joins the words that are there with a blank.
func spaced(words ...string) string {
	var there []string
	for _, w := range words {
		if w != "" {
			there = append(there, w)
		}
	}
	return strings.Join(there, " ")
}
