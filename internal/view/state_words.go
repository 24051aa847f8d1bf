package view

import (
	"strings"

	"github.com/gsd-cli/gsd/planfile"
)

// A vocabulary is the type of states that are constants of gsd, with hyphens: in-progress.
type vocabulary interface{ ~string }

// StateWord is a state of gsd's own vocabulary as people read it: in progress.
func StateWord[S vocabulary](state S) string { return strings.ReplaceAll(string(state), "-", " ") }

// statusWord is the status of a task as people read it. One that gsd does not know is as the file has it.
func statusWord(s planfile.Status) string {
	if s == planfile.InProgress {
		return StateWord(s)
	}
	return string(s)
}
