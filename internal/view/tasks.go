package view

import (
	"cmp"
	"fmt"
	"strconv"
	"strings"

	"github.com/gsd-cli/gsd/hydrate"
	"github.com/gsd-cli/gsd/internal/host"
	"github.com/gsd-cli/gsd/planfile"
)

// Tasks prints a list of tasks, or one in full.
func (p *Printer) Tasks(list *hydrate.TaskList) {
	if len(list.Tasks) == 1 && list.Tasks[0].Text != "" {
		text := list.Tasks[0].Text
		p.Printf("%s", host.Clean(text))
		if !strings.HasSuffix(text, "\n") {
			p.Printf("\n")
		}
	} else {
		p.taskRows(list)
	}
	p.Warnings(list.Warnings)
}

func (p *Printer) taskRows(list *hydrate.TaskList) {
	p.Printf("%s: %s\n", Line(list.Path), Count(len(list.Tasks), "task"))
	digits, types := len(strconv.Itoa(len(list.Tasks))), 0
	for _, t := range list.Tasks {
		types = max(types, len(Line(t.Type)))
	}
	types = min(types, len("checkpoint:human-action"))
	for _, t := range list.Tasks {
		status := ""
		if list.Session {
			status = p.status(t.Status)
		}
		p.Printf("%*d  %s%-*s  %s\n", digits, t.Number, status, types, Line(t.Type), TaskTitle(t.Name, t.Number))
	}
}

// status returns a status, padded.
func (p *Printer) status(s planfile.Status) string {
	text := fmt.Sprintf("%-11s  ", cmp.Or(Line(string(s)), "?"))
	switch s {
	case planfile.Complete:
		return p.Style.Green(text)
	case planfile.InProgress:
		return p.Style.Yellow(text)
	}
	return text
}
