// Command gsd gives coding agents their memory of a plan back: whose session this is, whether it is
// still about the plan that the project is on, and at which task it goes on.
//
// This package is the command line and nothing else. Each command is one file with an options struct,
// which the parsing half fills in and the running half takes; the rules are in package hydrate and
// below. Where text goes:
//
//   - What was asked for goes to standard output, warnings about it included, in one write at the end: a
//     command that fails half-way has printed nothing that looks like an answer.
//   - Errors go to standard error: "gsd: what happened", lower case, no period, then "hint: what to do".
//   - Text from .planning/ is somebody else's. It is cleaned before it reaches a terminal, and quoted before it
//     becomes part of a command to run (package view). Where all text leaves, what looks like the markup of an agent's
//     client loses that look, so that no printer has to think of it.
//
// There is one place that exits, main, and one that maps errors to exit codes, exit.go.
package main

import (
	"context"
	"os"
	"os/signal"
	"syscall"
	"time"

	"github.com/gsd-cli/gsd/internal/view"
)

func main() {
	// A closed pipe is an error like any other, not a silent death: a hook must be able to tell.
	signal.Ignore(syscall.SIGPIPE)
	dir, err := os.Getwd()
	if err != nil {
		dir = "."
	}
	a := &app{
		stdin: stdinOf(os.Stdin), stdout: os.Stdout, stderr: os.Stderr,
		env: os.Environ(), dir: dir, now: time.Now,
		style: view.StyleFor(os.Stdout, os.Getenv),
	}
	os.Exit(a.run(context.Background(), os.Args[1:]))
}
