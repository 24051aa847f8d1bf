package main

import (
	"fmt"
	"slices"
	"strings"

	"github.com/urfave/cli/v2"

	"github.com/gsd-cli/gsd/internal/problem"
	"github.com/gsd-cli/gsd/internal/view"
)

// command completes the definition of a command. Its arguments are checked against its ArgsUsage.
func command(c *cli.Command) *cli.Command {
	c.OnUsageError = usageError
	c.HideHelpCommand = true
	if len(c.Subcommands) == 0 {
		c.Before = checkArguments
	}
	return c
}

// inDirectory is command for commands that act in a directory: it adds -C and --ws.
func inDirectory(inv *invocation, c *cli.Command) *cli.Command {
	c.Flags = append(c.Flags, &cli.StringFlag{Name: "C", Usage: "run as if started in `DIR`", Destination: &inv.in},
		&cli.StringFlag{Name: "ws", Usage: "act in the workstream or sub-project `NAME`", Destination: &inv.root})
	return command(c)
}

// answering is inDirectory for commands that print an answer: it adds --json.
func answering(inv *invocation, c *cli.Command) *cli.Command {
	c = inDirectory(inv, c)
	c.Flags = append(c.Flags, boolFlag(&inv.json, "json", "print JSON, as described by schema.json"))
	return c
}

// boolFlag defines a flag that sets value.
func boolFlag(value *bool, name, usage string) cli.Flag {
	return &cli.BoolFlag{Name: name, Usage: usage, DisableDefaultText: true, Destination: value}
}

// exclusive refuses a command line with more than one of these flags.
func exclusive(c *cli.Context, names ...string) error {
	given := slices.DeleteFunc(names, func(name string) bool { return !c.IsSet(name) })
	if len(given) > 1 {
		return usage("use one of them", "--%s and --%s can't be used together", given[0], given[1])
	}
	return nil
}

// or lists words as a person does: "a, b or c".
func or(words []string) string {
	last := len(words) - 1
	return strings.Join(words[:last], ", ") + " or " + words[last]
}

// usage is the error of an invalid command line.
func usage(hint, format string, args ...any) error {
	return &problem.Error{Kind: problem.Usage, Text: fmt.Sprintf(format, args...), Hint: hint}
}

// checkArguments counts the arguments of a command: its ArgsUsage has a WORD for each that is required, a [WORD] for each
// that is optional, ends with [WORD…] if there may be any number of them, and begins with -- if there may be anything.
func checkArguments(c *cli.Context) error {
	words := strings.Fields(c.Command.ArgsUsage)
	if len(words) > 0 && (words[0] == "--" || strings.HasSuffix(c.Command.ArgsUsage, "…]")) {
		return nil
	}
	optional := 0
	for _, word := range words {
		if word[0] == '[' {
			optional++
		}
	}
	if n := c.NArg(); n < len(words)-optional || n > len(words) {
		name := c.Command.HelpName
		return usage("`"+strings.TrimSpace(name+" "+c.Command.ArgsUsage)+"`", "%s: %s given",
			strings.TrimPrefix(name, "gsd "), view.Count(n, "argument"))
	}
	return nil
}
