package main

import (
	"os"

	"golang.org/x/term"
)

// style is how to emphasise; its zero value does not.
type style struct {
	colour bool
	bars   bool // somebody looks at it: bars and ages in words
}

// styleFor follows NO_COLOR, FORCE_COLOR and TERM=dumb, in that order; else a terminal has colour. Bars need no
// colour.
func styleFor(f *os.File, getenv func(string) string) style {
	seen := getenv("TERM") != "dumb" && term.IsTerminal(int(f.Fd()))
	forced := getenv("FORCE_COLOR") != "" && getenv("FORCE_COLOR") != "0"
	return style{colour: getenv("NO_COLOR") == "" && (forced || seen), bars: forced || seen}
}

func (s style) bold(text string) string   { return s.wrap("1", text) }
func (s style) dim(text string) string    { return s.wrap("2", text) }
func (s style) yellow(text string) string { return s.wrap("33", text) }
func (s style) green(text string) string  { return s.wrap("32", text) }

func (s style) wrap(code, text string) string {
	if !s.colour || text == "" {
		return text
	}
	return "\x1b[" + code + "m" + text + "\x1b[0m"
}
