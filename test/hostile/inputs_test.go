//go:build linux

package hostile

import (
	"strings"
	"testing"

	"github.com/gsd-cli/gsd/internal/testenv"
)

// input is a project that is made to do harm, and the commands that it is made for. All hooks are tried with each.
type input struct {
	name     string
	make     func(p *project)
	commands string   // the others that are tried, one a line; next is tried always
	hosts    []string // whose start hooks are tried; claude alone where there are none
	quick    bool     // it is tried in every go test
}

// TestInputs tries every input: hooks keep their laws, and every other command ends without being killed, within its
// memory limit and with a documented exit status.
func TestInputs(t *testing.T) {
	for _, in := range inputs() {
		t.Run(in.name, func(t *testing.T) {
			if !in.quick && !testenv.Thorough() {
				t.Skip("only with GSD_THOROUGH=1")
			}
			t.Parallel()
			p := newProject(t)
			in.make(p)
			tried := &trial{project: p, t: t}
			defer tried.report(in.name)
			hosts := in.hosts
			if len(hosts) == 0 {
				hosts = []string{"claude"}
			}
			tried.allHooks(hosts...)
			for _, line := range splitLines("next\n" + in.commands) {
				tried.command(line)
			}
			tried.countCalls("next")
		})
	}
}

func inputs() []input {
	var all []input
	for _, some := range [][]input{memoryInputs, timeInputs, planInputs, sizeInputs, countInputs, gitInputs, runInputs, syncInputs} {
		all = append(all, some...)
	}
	return all
}

// splitLines returns the command lines of an input.
func splitLines(commands string) []string {
	return strings.FieldsFunc(commands, func(r rune) bool { return r == '\n' })
}
