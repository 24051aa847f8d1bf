package main

import (
	"slices"
	"strings"
)

// arrange reorders a command line for the library, which parses no flags after the first argument: the command, its flags,
// "--", everything else. So "gsd mark 2 complete --json" and "gsd -C dir mark -1 complete" work as
// written. Words after "--" are never flags, and neither is a negative number. --help and --version are recognised anywhere,
// and "gsd help COMMAND" is "gsd COMMAND --help".
func arrange(args []string) []string {
	var flags, words []string
	found := false // the command, which comes before all arguments
	for i := 0; i < len(args); i++ {
		arg := args[i]
		switch {
		case arg == "--":
			words = append(words, args[i+1:]...)
			found = found || len(words) > 0
			i = len(args)
		case takesValue(arg) && i+1 == len(args):
			if !found {
				return []string{arg}
			}
			return append(commandWords(words), arg) // the library reports the missing value
		case takesValue(arg):
			flags = append(flags, arg, args[i+1])
			i++
		case len(arg) > 1 && arg[0] == '-' && (arg[1] < '0' || arg[1] > '9'):
			flags = append(flags, arg)
		default:
			words, found = append(words, arg), true
		}
	}
	switch {
	case slices.Contains(flags, "--version") || slices.Contains(flags, "-v"):
		return []string{"--version"}
	case !found:
		return flags
	case words[0] == "help" && len(words) > 1 && topic(words[1]) != nil:
		return words[:2]
	case words[0] == "help":
		return append(words[1:], "--help")
	}
	names := commandWords(words)
	rest := words[len(names):]
	if len(names) == 2 && names[0] == "state" {
		names = []string{stateMerge}
	}
	arranged := append(slices.Clone(names), flags...)
	// After --help the library would take an argument for a topic.
	if len(rest) > 0 && !slices.Contains(flags, "--help") && !slices.Contains(flags, "-h") {
		arranged = append(append(arranged, "--"), rest...)
	}
	return arranged
}

// commandWords returns the words that name the command: two for a subcommand, such as run list.
func commandWords(words []string) []string {
	if len(words) > 1 && (words[0] == "run" || words[0] == "hook" || words[0] == "state" && words[1] == "merge") {
		return words[:2:2]
	}
	return words[:1:1]
}

// takesValue reports whether arg is a flag whose value is the next word.
func takesValue(arg string) bool {
	switch strings.TrimLeft(arg, "-") {
	case "C", "auto", "format", "host", "id", "keep", "pid", "reason", "scope", "status", "ws":
		return strings.HasPrefix(arg, "-")
	}
	return false
}
