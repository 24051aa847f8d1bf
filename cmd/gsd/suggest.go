package main

import (
	"strings"

	"github.com/urfave/cli/v2"
	"github.com/xrash/smetrics"

	"github.com/gsd-cli/gsd/hydrate"
	"github.com/gsd-cli/gsd/internal/text"
)

// meant are commands that people try, and those that do it.
var meant = map[string]string{"resume": "hydrate", "start": "bootstrap", "environment": "config", "settings": "config"}

// unknownCommand is the error for a word after gsd, or after gsd run, that is not a command. It suggests the one that was meant.
func unknownCommand(after, word string, names []string) error {
	hint := after + " --help lists the commands"
	near := nearest(word, names)
	if after == "gsd" && meant[word] != "" {
		near = meant[word]
	}
	if near != "" {
		hint = "did you mean " + after + " " + near + "?"
	}
	word = text.Cut(text.Line(word), longestWord)
	return usage(hint, "no command %q", strings.TrimPrefix(after+" "+word, "gsd "))
}

// usageError is the error for flags that the library cannot read. For one that the command does not have, it suggests the one that was
// meant.
func usageError(c *cli.Context, err error, _ bool) error {
	const unknown, valueless = "flag provided but not defined: -", "flag needs an argument: -"
	said, hint := err.Error(), "gsd --help"
	if c.Command == nil || c.Command.HelpName == "" {
		return &hydrate.Error{Kind: hydrate.Usage, Text: said, Hint: hint, Err: err}
	}
	hint = c.Command.HelpName + " --help"
	of := ""
	if name, ok := strings.CutPrefix(c.Command.HelpName, "gsd "); ok {
		of = name + ": "
	}
	if name, ok := strings.CutPrefix(said, valueless); ok {
		said = of + dashed(name) + " needs a value"
	} else if word, ok := strings.CutPrefix(said, unknown); ok {
		said = of + "no flag " + dashed(text.Cut(text.Line(word), longestWord))
		if near := nearest(word, longNames(c.Command)); near != "" {
			hint = "did you mean " + dashed(near) + "?"
		}
	}
	return &hydrate.Error{Kind: hydrate.Usage, Text: said, Hint: hint, Err: err}
}

// longNames returns the names of a command's flags that are words.
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

// choices is the hint for a word in place of one of names: the one that was meant, else all of them.
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

// shortestBeginning is how much of a name has to be typed for it to be recognised: three letters leave one name in most cases.
const shortestBeginning = 3

// mistakes counts the typing mistakes that make word of name: a character more, less or another, or two that changed places, which is
// one mistake to whoever types.
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

const longestWord = 40
