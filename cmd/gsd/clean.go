package main

import (
	"fmt"
	"strings"
	"unicode/utf8"

	"github.com/gsd-cli/gsd/host"
)

// What stands in .planning/ may have been written by anybody. Before it is printed, host.Clean takes from it
// whatever could act on a terminal or be invisible to its reader; these are the shapes in which it is printed. What
// could be taken for the markup of an agent's client is dealt with once, where text leaves: in output and complain.

// output is all that goes to standard output.
func (a *app) output() string { return host.Defang(a.out.String()) + a.raw.String() }

// complain writes a text to standard error.
func (a *app) complain(format string, args ...any) {
	fmt.Fprintf(a.stderr, "%s", host.Defang(fmt.Sprintf(format, args...)))
}

const longestName = 200

// line cleans a text that is to stand on one line.
func line(s string) string { return strings.Join(strings.Fields(host.Clean(s)), " ") }

// title cleans a task's name: one line of at most 200 characters.
func title(s string) string { return cut(line(s), longestName) }

// cut shortens a text that nobody reads to its end.
func cut(s string, most int) string {
	if utf8.RuneCountInString(s) <= most {
		return s
	}
	return string([]rune(s)[:most-1]) + "…"
}

// taskTitle is the name of task n without the "Task n:" that most begin with, to stand behind "task n".
func taskTitle(name string, n int) string {
	name = title(name)
	if rest, ok := strings.CutPrefix(name, fmt.Sprintf("Task %d:", n)); ok && strings.TrimSpace(rest) != "" {
		return strings.TrimSpace(rest)
	}
	return name
}

// quote makes a text one word for a POSIX shell, on one line, and no flag.
func quote(s string) string {
	s = strings.NewReplacer("\n", " ", "\t", " ").Replace(host.Clean(s))
	if isWord(s) && s[0] != '-' {
		return s
	}
	return "'" + strings.ReplaceAll(s, "'", `'\''`) + "'"
}

// isWord tells a text that every shell takes as it stands.
func isWord(s string) bool {
	return s != "" && strings.IndexFunc(s, func(r rune) bool {
		return !(r >= 'a' && r <= 'z' || r >= 'A' && r <= 'Z' || r >= '0' && r <= '9' || strings.ContainsRune("._-/+:,@%", r))
	}) < 0
}
