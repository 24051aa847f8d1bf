package main

import (
	"testing"

	"github.com/urfave/cli/v2"
)

func TestNearest(t *testing.T) {
	t.Parallel()
	statuses := []string{"complete", "in-progress", "pending", "skipped"}
	for _, test := range []struct {
		word  string
		names []string
		want  string
	}{
		{"makr", names(), "mark"}, // two letters that changed places are one mistake
		{"mrk", names(), "mark"},
		{"hydarte", names(), "hydrate"},
		{"dnoe", names(), "done"},
		{"stat", names(), "state"}, // one letter from it, two from status
		{"boot", names(), "bootstrap"},
		{"comp", names(), "completion"},
		{"sta", names(), "state"},
		{"bo", names(), ""},
		{"frobnicate", names(), ""},
		{"exce", names(), "exec"},
		{"do", names(), ""}, // done as much as demo
		{"", names(), ""},
		{"mark2mark2mark2mark2mark2mark2mark2mark2mark2", names(), ""},
		{"in_progres", statuses, "in-progress"},
		{"skpped", statuses, "skipped"},
		{"in", statuses, ""},
		{"jsn", []string{"json", "all"}, "json"},
		{"al", []string{"json", "all"}, "all"},
	} {
		if got := nearest(test.word, test.names); got != test.want {
			t.Errorf("%q: %q, want %q", test.word, got, test.want)
		}
	}
}

// arrange has to know which flags have a value before it knows the command.
func TestTakesValue(t *testing.T) { // not in parallel: the library's help flag is a shared variable
	var check func(*cli.Command)
	check = func(c *cli.Command) {
		for _, flag := range c.Flags {
			_, isBool := flag.(*cli.BoolFlag)
			for _, name := range flag.Names() {
				if got := takesValue(dashed(name)); got == isBool {
					t.Errorf("%s %s: takesValue is %v", c.Name, dashed(name), got)
				}
			}
		}
		for _, sub := range c.Subcommands {
			check(sub)
		}
	}
	for _, m := range commands() {
		check(m.make(&invocation{program: &program{}}))
	}
}
