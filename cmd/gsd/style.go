package main

import (
	"os"

	"golang.org/x/term"
)

// style is how to emphasise; its zero value does not.
type style struct{ colour bool }

// styleFor follows NO_COLOR, FORCE_COLOR and TERM=dumb, in that order; else a terminal has colour.
func styleFor(f *os.File, getenv func(string) string) style {
	switch {
	case getenv("NO_COLOR") != "":
		return style{}
	case getenv("FORCE_COLOR") != "" && getenv("FORCE_COLOR") != "0":
		return style{colour: true}
	case getenv("TERM") == "dumb":
		return style{}
	}
	return style{colour: term.IsTerminal(int(f.Fd()))}
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
