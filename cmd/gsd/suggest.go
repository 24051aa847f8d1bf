package main

import (
	"strings"

	"github.com/urfave/cli/v2"
	"github.com/xrash/smetrics"

	"github.com/gsd-cli/gsd/internal/problem"
	"github.com/gsd-cli/gsd/internal/text"
)

// meant has the command that was meant by a word that is not a command, where the spelling does not show it.
var meant = map[string]string{"resume": "hydrate", "start": "bootstrap", "version": "--version", "environment": "config", "settings": "config"}

// unknownCommand is the error for a word after gsd, or after gsd run, that is not a command. It suggests the one that was meant.
func unknownCommand(after, word string, names []string) error {
	hint := "`" + after + " --help` lists the commands"
	near := nearest(word, names)
	if after == "gsd" && meant[word] != "" {
		near = meant[word]
	}
	if near != "" && near != "takeover" { // which gsd never suggests
		hint = "did you mean `" + after + " " + near + "`?"
	}
	word = text.Cut(text.Line(word), longestWord)
	return usage(hint, "no command %q", strings.TrimPrefix(after+" "+word, "gsd "))
}

// usageError is the error for flags that the library cannot read.
func usageError(c *cli.Context, err error, _ bool) error {
	says, hint := err.Error(), "`gsd --help`"
	if c.Command != nil && c.Command.HelpName != "" {
		says, hint = flagError(c.Command, says)
	}
	return &problem.Error{Kind: problem.Usage, Text: says, Hint: hint, Err: err}
}

// flagError returns in gsd's words what the library says of the flags of a command, and a hint: for a flag that the command does not have,
// the one that was meant.
func flagError(c *cli.Command, library string) (says, hint string) {
	const unknown, valueless = "flag provided but not defined: -", "flag needs an argument: -"
	hint = "`" + c.HelpName + " --help`"
	command := ""
	if name, ok := strings.CutPrefix(c.HelpName, "gsd "); ok {
		command = name + ": "
	}
	if name, ok := strings.CutPrefix(library, valueless); ok {
		return command + dashed(name) + " needs a value", hint
	}
	word, ok := strings.CutPrefix(library, unknown)
	if !ok {
		return library, hint
	}
	if near := nearest(word, longNames(c)); near != "" {
		hint = "did you mean `" + dashed(near) + "`?"
	}
	return command + "no flag " + dashed(text.Cut(text.Line(word), longestWord)), hint
}

// longNames returns the names of a command's flags that have more than one letter.
func longNames(c *cli.Command) (names []string) {
	for _, flag := range c.VisibleFlags() {
		for _, name := range flag.Names() {
			if len(name) > 1 {
				names = append(names, name)
			}
		}
	}
	return names
}

// dashed returns a flag as it is typed.
func dashed(name string) string {
	if len(name) == 1 {
		return "-" + name
	}
	return "--" + name
}

// choices is the hint for a word that is not one of names: the name that was meant, else all of them.
func choices(word string, names []string) string {
	if near := nearest(word, names); near != "" {
		return "did you mean " + near + "?"
	}
	return or(names)
}

// nearest returns the name that is one or two typing mistakes away from word, or the only one that begins with word; "" for none.
func nearest(word string, names []string) string {
	best, least := "", 3
	if len(word) > longestWord {
		return ""
	}
	for _, name := range names {
		if n := mistakes(word, name); n < least && 2*n < len(name) {
			best, least = name, n
		}
	}
	if best != "" || len(word) < shortestBeginning {
		return best
	}
	for _, name := range names {
		switch {
		case !strings.HasPrefix(name, word):
		case best != "":
			return ""
		default:
			best = name
		}
	}
	return best
}

// shortestBeginning is how many letters of a name have to be typed for it to be recognised: three leave one name in most cases.
const shortestBeginning = 3

// mistakes counts the typing mistakes that make word of name: a letter too many, missing or wrong, or two that changed places.
func mistakes(word, name string) int {
	least := smetrics.WagnerFischer(word, name, 1, 1, 1)
	for i := 1; i < len(word); i++ {
		swapped := word[:i-1] + word[i:i+1] + word[i-1:i] + word[i+1:]
		least = min(least, 1+smetrics.WagnerFischer(swapped, name, 1, 1, 1))
	}
	return least
}

// quoted returns a word of the command line as an error shows it.
func quoted(word string) string { return `"` + text.Cut(text.Line(word), longestWord) + `"` }

// longestWord is how many characters of such a word are shown. A longer one is not compared with names.
const longestWord = 40
