package host

import (
	"regexp"
	"strings"
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

// The program in a command line: bare, with its directories, or quoted.
const programForm = `("[^"\x60\n]*[/\\]gsd(?:\.exe)?"|'[^'\n]*/gsd'|(?:[^\s"'\x60;&|<>]*[/\\])?gsd(?:\.exe)?)`

// ourForm is a command line as we write it; the three groups behind the program are what it does.
const ourForm = `^` + programForm + ` (?:(hydrate) --host [a-z]+ --pid=\$PPID|(hook (?:end|task)) --host [a-z]+ --pid=\$PPID|(statusline))$`

// gsdForm is any command line that does what ours do, as people write it.
const gsdForm = `^\s*` + programForm + `\s+(?:(hydrate)\s+(?:\S+\s+)*?--host|(hook\s+\w+)|(statusline))(?:[\s=]|$)`

// kindOf tells which of our commands a command line is, as we write it: hydrate, hook end, hook task or statusline; ""
// for any other. Only those are ours to change and to take away.
func kindOf(command string) string {
	_, kind := takeApart(ourForm, command)
	return kind
}

// callsUs tells what a command line does that calls us, also one that somebody has written in their own way.
func callsUs(command string) string {
	program, kind := takeApart(gsdForm, command)
	if strings.ContainsAny(strings.Replace(command, program, "", 1), ";&|<>`\n") { // it does more than that
		return ""
	}
	return strings.Join(strings.Fields(kind), " ")
}

// programIn gives how a command line of ours calls us; "" for any other.
func programIn(command string) string {
	program, _ := takeApart(ourForm, command)
	return program
}

func takeApart(form, command string) (program, kind string) {
	m := regexp.MustCompile(form).FindStringSubmatch(command)
	if m == nil {
		return "", ""
	}
	return m[1], m[2] + m[3] + m[4]
}
