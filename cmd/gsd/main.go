// Command gsd shows a coding agent where it left off in a plan: whose session this is, whether it still matches the plan that
// the project is on, and which task comes next.
//
// This package is the command line and nothing else. Each command is one file: parse, call, print. The rules are in package
// app and below. Where text goes:
//
//   - An answer, warnings included, goes to standard output in one write at the end: a command that fails half-way has
//     printed nothing that looks like an answer.
//   - Errors go to standard error: "gsd: what happened", lower case, no period, then what helps: "hint: a sentence", "try: COMMAND" or both.
//   - Text from .planning/ is untrusted. Package printer cleans every string that is printed, in answers as in errors, and there is
//     no other way to the output. When that is written, anything that looks like the markup of an agent's client is disarmed
//     (text.Defang).
//
// Only main exits, and only exit.go ends with the code of an error.
package main

import (
	"context"
	"io"
	"os"
	"os/signal"
	"runtime/debug"
	"syscall"
	"time"

	"github.com/gsd-cli/gsd/internal/printer"
)

// From these numbers of bytes on, garbage is collected before the heap has doubled. A hook runs beside every agent, and a plan of 15 MB needs
// about half of it; the status of 100,000 plans, in the address space of a small container, nearly all of the other.
const hookMemory, commandMemory = 64 << 20, 128 << 20

func main() { os.Exit(newProgram().run(context.Background(), os.Args[1:])) }

// newProgram returns gsd as this process was started.
func newProgram() *program {
	// A closed pipe is reported as an error of the write instead of killing the program: exit.go decides what it means.
	signal.Ignore(syscall.SIGPIPE)
	switch {
	case os.Getenv("GOMEMLIMIT") != "":
	case isHook(os.Args[1:]):
		debug.SetMemoryLimit(hookMemory)
	default:
		debug.SetMemoryLimit(commandMemory)
	}
	dir, err := os.Getwd()
	if err != nil {
		dir = "."
	}
	g := &program{
		stdin: stdinOf(os.Stdin), stdout: os.Stdout, stderr: os.Stderr,
		env: os.Environ(), dir: dir, now: time.Now, called: os.Args[0],
		style: printer.StyleFor(os.Stdout, os.Getenv), size: sizeOf,
	}
	if printer.IsTerminal(os.Stderr, os.Getenv) {
		g.terminal = os.Stderr
	}
	if printer.IsTerminal(os.Stdin, os.Getenv) && printer.IsTerminal(os.Stdout, os.Getenv) {
		g.keys = os.Stdin
	}
	return g
}

// sizeOf returns how wide the terminal w is, and how many lines fit on it; 0 and 0 if w is not a terminal.
func sizeOf(w io.Writer) (columns, rows int) {
	if f, ok := w.(*os.File); ok {
		return printer.Size(f)
	}
	return 0, 0
}

// stdinOf returns standard input, nil for a terminal.
func stdinOf(f *os.File) io.Reader {
	if info, err := f.Stat(); err != nil || info.Mode()&os.ModeCharDevice != 0 {
		return nil
	}
	return f
}
