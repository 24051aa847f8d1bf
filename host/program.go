package host

import (
	"regexp"
	"strings"
	"sync"
)

// program is how a command line calls us: a bare name ports from machine to machine, and keeps Codex's trust.
const program = "gsd"

// commands are what hooks run, by what they do.
type commands struct{ host, program string }

func (c commands) hydrate() string {
	return c.program + " hydrate --host " + c.host + " --pid=$PPID"
}

func (c commands) end() string {
	return c.program + " hook end --host " + c.host + " --pid=$PPID"
}

func (c commands) task() string {
	return c.program + " hook task --host " + c.host + " --pid=$PPID"
}

// The program in a command line as we write it: bare, or an absolute path, quoted or not. A shell reads $ in double
// quotes, and what is relative is another program in each directory: such lines are somebody's own.
const programForm = `("(?:[A-Za-z]:)?[/\\](?:[^"$\x60\n]*[/\\])?gsd(?:\.exe)?"|'/(?:[^'$\n]*/)?gsd'|(?:(?:[A-Za-z]:)?[/\\](?:[^\s"'$\x60;&|<>]*[/\\])?)?gsd(?:\.exe)?)`

// ourForm is a command line as we write it; the three groups behind the program are what it does.
var ourForm = sync.OnceValue(func() *regexp.Regexp {
	return regexp.MustCompile(`^` + programForm + ` (?:(hydrate) --host [a-z]+ --pid=\$PPID|(hook (?:end|task)) --host [a-z]+ --pid=\$PPID|(statusline))$`)
})

// nameForm is our name and what it does anywhere in a command line, be it a call or only talk of one.
var nameForm = sync.OnceValue(func() *regexp.Regexp {
	return regexp.MustCompile(`(?:^|[\s"'\x60;&|<>(=/\\])gsd(?:\.exe|@[\w.-]+)?["']?(?:\s+-\S+(?:\s+(?:"[^"]*"|'[^']*'|\S+))?)*\s+["']?(hydrate|hook\s+(?:end|task)|statusline)(?:[^\w-]|$)`)
})

// kindOf tells which of our commands a command line is, as we write it: hydrate, hook end, hook task or statusline; ""
// for any other. Only those are ours to change and to take away.
func kindOf(command string) string {
	_, kind := takeApart(command)
	return kind
}

// namesUs tells which of our commands a command line speaks of; "" for none. It may run that, in a way that [callsUs]
// does not see.
func namesUs(command string) string {
	if kind := callsUs(command); kind != "" {
		return kind
	}
	if m := nameForm().FindStringSubmatch(command); m != nil {
		return strings.Join(strings.Fields(m[1]), " ")
	}
	return ""
}

// takeApart gives how a command line of ours calls us, and what it does; nothing for any other.
func takeApart(command string) (program, kind string) {
	m := ourForm().FindStringSubmatch(command)
	if m == nil {
		return "", ""
	}
	return m[1], m[2] + m[3] + m[4]
}
