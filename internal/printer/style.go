package printer

import (
	"os"

	"golang.org/x/term"
)

// Style is how to emphasise text; the zero value does not.
type Style struct {
	Colour bool
	Bars   bool // for a person: draw bars, and give times as ages
}

// StyleFor returns the style for what is written to f. It follows NO_COLOR, FORCE_COLOR and TERM=dumb, in that order; otherwise
// a terminal has colour. Bars need no colour.
func StyleFor(f *os.File, getenv func(string) string) Style {
	seen := IsTerminal(f, getenv)
	forced := getenv("FORCE_COLOR") != "" && getenv("FORCE_COLOR") != "0"
	return Style{Colour: getenv("NO_COLOR") == "" && (forced || seen), Bars: forced || seen}
}

// IsTerminal reports whether f is a terminal that understands escape sequences.
func IsTerminal(f *os.File, getenv func(string) string) bool {
	return getenv("TERM") != "dumb" && term.IsTerminal(int(f.Fd()))
}

// Size returns the width of the terminal f, and how many lines fit on it above the one that the cursor is left on; 0 and 0 if f is not a terminal.
func Size(f *os.File) (columns, rows int) {
	columns, height, err := term.GetSize(int(f.Fd()))
	if err != nil {
		return 0, 0
	}
	return columns, max(0, height-1)
}
