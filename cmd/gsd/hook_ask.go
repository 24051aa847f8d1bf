package main

import (
	"context"
	"fmt"
	"path"
	"slices"
	"strconv"
	"strings"

	"github.com/gsd-cli/gsd/internal/agent"
	"github.com/gsd-cli/gsd/internal/app"
	"github.com/gsd-cli/gsd/planfile"
)

// ask has a person asked before Claude's agent runs a command of gsd, which the rules of gsd install allow: in plan mode before one that
// writes, and in any mode before one that completes a checkpoint. A person who bypasses all permissions is asked nothing.
func (h *hook) ask(ctx context.Context) error {
	calls, plans := callsIn(h.input.Shell), h.input.Mode == "plan"
	if !plans { // most marks are of no task that is given as complete, and cost nothing more
		calls = slices.DeleteFunc(calls, func(c call) bool { return c.completes == 0 })
	}
	if len(calls) == 0 || h.input.Mode == "bypassPermissions" {
		return nil
	}
	return h.inProject(ctx, h.startDirs(), func(p *app.Project, user string) error {
		for _, c := range calls {
			if plans {
				h.raw.Write(agent.RenderAsk(fmt.Sprintf("gsd %s changes the session of %s, and Claude is in plan mode", c.command, user)))
				return nil
			}
			if found := p.Approval(user, c.completes); found != nil {
				h.raw.Write(agent.RenderAsk(found.Text))
				return nil
			}
		}
		return errNothingToDo
	})
}

// call is a command of gsd's that writes, in a line for a shell.
type call struct {
	command   string
	completes int // the task whose number is given to complete it; 0 for none
}

// callsIn finds gsd's commands that write and need no permission. It is no parser of a shell's language: it takes each word that may be one for it, as
// asking once more than needed does no harm.
func callsIn(line string) (calls []call) {
	words := strings.FieldsFunc(line, func(r rune) bool { return strings.ContainsRune(" \t\r\n;&|()`'\"$", r) })
	first := slices.IndexFunc(words, func(w string) bool {
		return strings.TrimSuffix(path.Base(strings.ReplaceAll(w, `\`, "/")), ".exe") == "gsd"
	})
	if first < 0 {
		return nil
	}
	words = append(words[first:], "", "")
	for i, word := range words[:len(words)-2] {
		n, _ := strconv.Atoi(words[i+1]) // 0 is no task
		status, _ := planfile.ParseStatus(words[i+2])
		switch {
		case word == "bootstrap", word == "mark" && status != planfile.Complete:
			calls = append(calls, call{command: word})
		case word == "mark", word == "done":
			calls = append(calls, call{command: word, completes: n})
		}
	}
	return calls
}
