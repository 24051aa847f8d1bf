package view

import (
	"fmt"
	"strconv"

	"github.com/gsd-cli/gsd/internal/text"
	"github.com/gsd-cli/gsd/planfile"
)

// Text from .planning/ may have been written by anybody, and is cleaned as it is printed (package printer); these are the shapes in which it
// is printed. What could be taken for the markup of an agent's client is dealt with once, where text leaves the program (text.Defang).

// LongestName is how many characters of a name are shown.
const LongestName = 200

// Title returns a name cleaned, on one line and cut to [LongestName] characters.
func Title(s string) string { return text.Cut(text.Line(s), LongestName) }

// TaskTitle returns the name of task n without the plain number that most begin with, to stand behind "task n".
func TaskTitle(name string, n int) string {
	name = Title(name)
	label, rest := planfile.SplitLabel(name)
	switch number, err := strconv.Atoi(label); {
	case err != nil: // a text, which says more than the number
		return name
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
