package view

import (
	"strconv"

	"github.com/gsd-cli/gsd/internal/answer"
	"github.com/gsd-cli/gsd/internal/text"
)

// Text from .planning/ may have been written by anybody, and is cleaned as it is printed (package printer); these are the shapes in which it
// is printed. What could be taken for the markup of an agent's client is dealt with once, where text leaves the program (text.Defang).

// LongestName is how many characters of a name are shown.
const LongestName = 200

// Title returns a name cleaned, on one line and cut to [LongestName] characters.
func Title(s string) string { return text.Cut(text.Line(s), LongestName) }

// TaskTitle returns the name of task n as [answer.WithoutNumber] does, as a [Title].
func TaskTitle(name string, n int) string { return answer.WithoutNumber(Title(name), n) }

// Count returns n with what it counts: "1 task", "2 tasks".
func Count(n int, what string) string {
	if n == 1 {
		return "1 " + what
	}
	return strconv.Itoa(n) + " " + what + "s"
}
