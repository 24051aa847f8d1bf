package agent

import (
	"cmp"
	"regexp"
	"strings"
	"sync"
)

// program is how a command line calls us by default: the bare name works on every machine, and keeps Codex's trust.
const program = "gsd"

// Module is the module of this program, which --version names: other programs are called gsd, too.
const Module = "github.com/gsd-cli/gsd"

// IsVersion reports whether what a program called gsd prints with --version is the answer of a version of this one.
func IsVersion(said string) bool {
	return strings.HasPrefix(said, "gsd version ") && strings.Contains(said, " of "+Module)
}

// The kinds of our commands in settings files: the words after the program, by which a command is recognised as ours.
const (
	startKind   = "hook start"
	promptKind  = "hook prompt"
	compactKind = "hook compact"
	agentKind   = "hook agent"
	askKind     = "hook ask"
	endKind     = "hook end"
	lineKind    = "statusline"
)

// pidOption passes on the agent's process, which started the hook's shell.
const pidOption = " --pid=$PPID"

// callOf is the command line of a hook, or of the status line, without what guards it. program is how we are called.
func callOf(program, kind, host string) string {
	if kind == lineKind {
		return program + " " + kind
	}
	return program + " " + kind + " --host " + host + pidOption
}

// A guard makes the line that a shell runs for a call. Settings are committed, so they are also run where gsd is missing, does not know
// the hook or the host yet, or is broken: then the line ends with 0 and prints nothing, because hosts show everything else to people, and
// some refuse the prompt. A call that fails may have printed half an answer, or its usage, so that what it prints is held back until it
// has ended. Codex trusts the text of a command, and asks people again if it changes.
type guard func(call string) string

// commandMember is a member of a handler with a command line, and how that is guarded.
type commandMember struct {
	name  string
	guard guard
}

// inShell is for any POSIX shell. The redirection is around it all, since the shell itself says that a program is missing, or was killed.
func inShell(call string) string {
	return `{ o=$(` + call + `) && printf %s "$o"; } 2>/dev/null; exit 0`
}

// inAnyShell is for the shell of a person, which may be fish: it only has to know a word in single quotes and a variable. Where that is
// not set, there is no number of a process.
func inAnyShell(call string) string {
	line := inShell(strings.Replace(call, "$PPID", "$0", 1))
	return `sh -c '` + strings.ReplaceAll(line, `'`, `'\''`) + `' $PPID`
}

// inPowerShell is for PowerShell 5 and later, which has no || before 7. It holds nothing back, as it would decode what a program prints.
func inPowerShell(call string) string {
	return `try { & ` + withoutPID(call) + ` 2>$null } catch {}; exit 0`
}

// inCmd is for Windows' own shell.
func inCmd(call string) string { return withoutPID(call) + ` 2>nul & exit 0` }

// inEither is for a POSIX shell and for PowerShell, where a host takes one on some systems and the other on others, and has one command
// line for all. To PowerShell, what is before #> is a comment, and to the other shell what is behind it.
func inEither(call string) string {
	return eitherBegins + inShell(call) + " #> | Out-Null; " + inPowerShell(call)
}

const eitherBegins = "echo `# <#` >/dev/null; "

// withoutPID is a call without the agent's process: Windows' shells know no $PPID.
func withoutPID(call string) string { return strings.TrimSuffix(call, pidOption) }

// programForm is how we may be called: by a bare name or an absolute path, in double quotes or as it is. A shell reads $ in double quotes,
// and a relative path is another program in each directory: such lines are somebody's own.
const programForm = `"(?:[A-Za-z]:)?[/\\](?:[^"$\x60\n]*[/\\])?gsd(?:\.exe)?"|` +
	`(?:(?:[A-Za-z]:)?[/\\](?:[^\s"'$\x60;&|<>()]*[/\\])?)?gsd(?:\.exe)?`

var wholeProgram = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`^(?:` + programForm + `)$`) })

// isProgram reports whether our command lines can call us so.
func isProgram(bin string) bool { return wholeProgram().MatchString(bin) }

// guarded finds the call in a line that a guard has made.
var guarded = sync.OnceValue(func() *regexp.Regexp {
	hook := strings.Join([]string{startKind, promptKind, compactKind, agentKind, askKind, endKind}, "|")
	return regexp.MustCompile(`(?:^|\$\(|& )(` + programForm + `) (?:(` + hook + `) --host ([a-z]+)|` + lineKind + `)`)
})

// mention finds the word gsd where it may be the name of a program, and what follows may be a command of it.
var mention = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`(?:^|[^\w.-])gsd(?:\.exe)?["']?\s`) })

// splitCommand returns how a command line of gsd calls it, and its kind; nothing for any other. It is gsd's if gsd writes it exactly so.
func splitCommand(command string) (program, kind string) {
	m := guarded().FindStringSubmatch(command)
	if m == nil {
		return "", ""
	}
	kind = cmp.Or(m[2], lineKind)
	for _, bin := range []string{m[1], strings.ReplaceAll(m[1], `'\''`, `'`)} {
		for _, guard := range []guard{inEither, inShell, inAnyShell, inPowerShell, inCmd} {
			if guard(callOf(bin, kind, m[3])) == command {
				return bin, kind
			}
		}
	}
	return "", ""
}
