package view

import (
	"fmt"
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/gsd-cli/gsd/internal/host"
	"github.com/gsd-cli/gsd/planfile"
)

// Text from .planning/ may have been written by anybody. Before it is printed, host.Clean removes whatever could act
// on a terminal or be invisible to its reader; these are the shapes in which it is printed. What could be taken for the
// markup of an agent's client is dealt with once, where text leaves the program (host.Defang).

// LongestName is how many characters of a name are shown.
const LongestName = 200

// Line returns s cleaned and on one line.
func Line(s string) string { return strings.Join(strings.Fields(host.Clean(s)), " ") }

// Title returns a name cleaned, on one line and cut to [LongestName] characters.
func Title(s string) string { return Cut(Line(s), LongestName) }

// Cut returns s cut to at most most characters, with an ellipsis.
func Cut(s string, most int) string {
	if utf8.RuneCountInString(s) <= most {
		return s
	}
	return string([]rune(s)[:most-1]) + "…"
}

// TaskTitle returns the name of task n without the number that most begin with, to stand behind "task n".
func TaskTitle(name string, n int) string {
	name = Title(name)
	switch number, rest := planfile.SplitNumber(name); {
	case rest != "":
		return rest
	case number != n:
		return fmt.Sprintf("Task %d", n)
	}
	return name
}

// Count returns n with what it counts: "1 task", "2 tasks".
func Count(n int, what string) string {
	if n == 1 {
		return "1 " + what
	}
	return strconv.Itoa(n) + " " + what + "s"
}
