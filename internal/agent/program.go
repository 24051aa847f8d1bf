package agent

import (
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
	taskKind    = "hook task"
	agentKind   = "hook agent"
	endKind     = "hook end"
	lineKind    = "statusline"
)

// pidOption passes on the agent's process, which started the hook's shell.
const pidOption = " --pid=$PPID"

// hookCommand is the command line of a hook.
func hookCommand(program, kind, host string) string {
	return program + " " + kind + " --host " + host + pidOption
}

// withoutPID is a command line of gsd, or the JSON of one, as it is where the hook's shell has no such number.
func withoutPID(command string) string { return strings.Replace(command, pidOption, "", 1) }

// ourForm is a command line as we write it, but for its host. The program is a bare name or an absolute path, quoted or
// not. A shell reads $ in double quotes, and a relative path is another program in each directory: such lines are
// somebody's own.
var ourForm = sync.OnceValue(func() *regexp.Regexp {
	const bin = `("(?:[A-Za-z]:)?[/\\](?:[^"$\x60\n]*[/\\])?gsd(?:\.exe)?"|'/(?:[^'$\n]*/)?gsd'|` +
		`(?:(?:[A-Za-z]:)?[/\\](?:[^\s"'$\x60;&|<>]*[/\\])?)?gsd(?:\.exe)?)`
	hook := strings.Join([]string{startKind, promptKind, compactKind, taskKind, agentKind, endKind}, "|")
	return regexp.MustCompile(`^` + bin + ` (?:(` + hook + `) --host [a-z]+(?: --pid=\$PPID)?|(` + lineKind + `))$`)
})

// callForm finds a call of gsd in a command line of theirs. The call begins the line, follows the end of a command outside
// of quotes and comments, or is the argument of a shell's -c. Variables, and words that run what follows, may precede it.
// Anywhere else, our name may be a mere mention. gsd hydrate counts, because at a start it prints what our hook does.
var callForm = sync.OnceValue(func() *regexp.Regexp {
	const before = `^(?:[^"'#<]|"[^"]*"|'[^']*'|#[^\n]*\n)*?`
	const shell = `\b(?:ba|da|k|z)?sh(?:\.exe)?\s(?:[^"'#<]*\s)?-\w*c\s+["'](?:[^"'#<]*[;&|({\x60\n])?`
	const begin = `(?:(?m:^)|[;&|({\x60]|` + shell + `)\s*`
	const word = `[!{]|do|elif|else|if|then|until|while|builtin|command|env|exec|nice|nohup|time|timeout`
	const lead = `(?:(?:` + word + `)\s+(?:[-\d]\S*\s+)*|\w+=\S*\s+)*`
	const bin = `gsd(?:\.exe)?`
	const name = `(?:"(?:[^"]*[/\\])?` + bin + `"|'(?:[^']*[/\\])?` + bin + `'|(?:[^\s"'=#;&|]*[/\\])?` + bin + `)`
	const flags = `(?:\s+(?:-C\s+(?:"[^"]*"|'[^']*'|\S+)|--\S+))*`
	return regexp.MustCompile(before + begin + lead + name + flags + kindForm)
})

// nameForm finds our name and a kind anywhere: it may be a call that callForm does not recognise.
var nameForm = sync.OnceValue(func() *regexp.Regexp {
	const name = `(?:^|[\s"'\x60;&|<>(=/\\])gsd(?:\.exe|@[\w.-]+)?["']?`
	const flags = `(?:\s+-\S+(?:\s+(?:"[^"]*"|'[^']*'|\S+))?)*`
	return regexp.MustCompile(name + flags + kindForm)
})

// kindForm is a kind after our name. gsd hydrate counts as a start hook.
const kindForm = `\s+["']?(hydrate|hook\s+(?:start|prompt|compact|task|agent|end)|statusline)(?:[^\w-]|$)`

// splitCommand returns how a command line of gsd calls it, and its kind; nothing for any other.
func splitCommand(command string) (program, kind string) {
	m := ourForm().FindStringSubmatch(command)
	if m == nil {
		return "", ""
	}
	return m[1], m[2] + m[3]
}

// kindOf returns the kind of a command line as we write it; "" for any other. Only those are ours to change and remove.
func kindOf(command string) string {
	_, kind := splitCommand(command)
	return kind
}

// kindBy returns the kind of our command that a form finds in a command line, in whatever way somebody has written it;
// "" if none.
func kindBy(form *regexp.Regexp, command string) string {
	m := form.FindStringSubmatch(command)
	switch {
	case m == nil:
		return ""
	case m[1] == "hydrate":
		return startKind
	}
	return strings.Join(strings.Fields(m[1]), " ")
}
