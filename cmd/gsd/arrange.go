package main

import (
	"slices"
	"strings"
)

// arrange puts a command line in the order that the library wants, which stops looking for flags at the
// first word that is none: the command, its flags, "--", everything else. So "gsd mark 2 complete --json"
// and "gsd -C dir mark -1 complete" mean what they say. Words after "--" are never flags, and neither is
// a negative number. --help and --version are understood anywhere, and "gsd help COMMAND" too.
func arrange(args []string) []string {
	command, found := "", false
	var flags, words []string
	for i := 0; i < len(args); i++ {
		arg := args[i]
		switch {
		case arg == "--":
			words = append(words, args[i+1:]...)
			i = len(args)
		case takesValue(arg) && i+1 == len(args):
			return append(path(command, words), arg) // the library says what is missing
		case takesValue(arg):
			flags = append(flags, arg, args[i+1])
			i++
		case len(arg) > 1 && arg[0] == '-' && (arg[1] < '0' || arg[1] > '9'):
			flags = append(flags, arg)
		case !found:
			command, found = arg, true
		default:
			words = append(words, arg)
		}
	}
	if !found && len(words) > 0 {
		command, words, found = words[0], words[1:], true
	}
	version := slices.Contains(flags, "--version") || slices.Contains(flags, "-v")
	switch {
	case version:
		return []string{"--version"}
	case !found:
		return flags
	case command == "help" && len(words) > 0 && topics[words[0]] != "":
		return []string{"help", words[0]}
	case command == "help" && len(words) > 0:
		return append(words, "--help")
	case command == "help":
		return []string{"--help"}
	}
	// The library would take a word behind --help for a topic.
	help := slices.Contains(flags, "--help") || slices.Contains(flags, "-h")
	names := path(command, words)
	words = words[len(names)-1:]
	arranged := append(names, flags...)
	if len(words) > 0 && !help {
		arranged = append(append(arranged, "--"), words...)
	}
	return arranged
}

// path returns the words that name a command: two for those that have commands of their own, such as gsd run list.
func path(command string, words []string) []string {
	switch {
	case command == "":
		return nil
	case (command == "run" || command == "hook") && len(words) > 0:
		return []string{command, words[0]}
	}
	return []string{command}
}

// takesValue reports whether arg is a flag whose value is the next word.
func takesValue(arg string) bool {
	switch strings.TrimLeft(arg, "-") {
	case "C", "commits", "dismiss", "from", "min-confidence", "wait", "format", "host", "id", "pid", "run", "scope", "status", "ttl":
		return strings.HasPrefix(arg, "-")
	}
	return false
}
