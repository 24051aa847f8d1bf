package main

import (
	"context"
	"errors"
	"os"
	"os/signal"
	"path/filepath"
	"syscall"

	"github.com/gsd-cli/gsd/identity"
	"github.com/gsd-cli/gsd/internal/printer"
	"github.com/gsd-cli/gsd/internal/problem"
	"github.com/gsd-cli/gsd/internal/sample"
)

// keepSample leaves the sample project in a directory, and says what to type there.
func keepSample(ctx context.Context, inv *invocation, name string) error {
	if identity.FindGit(inv.env.get("PATH")) == "" {
		return &problem.Error{Kind: problem.MissingInput, Text: "there is no git program in PATH", Hint: "install git: the sample project has a name for you in its own configuration"}
	}
	ctx, stop := signal.NotifyContext(ctx, os.Interrupt, syscall.SIGTERM) // so that nothing is left there by half
	defer stop()
	err := sample.Keep(ctx, inv.env, join(inv.dir, name))
	switch {
	case errors.Is(err, sample.ErrNotEmpty):
		const hint = "name a directory that is empty or does not exist yet; nothing was changed"
		return &problem.Error{Kind: problem.CannotCreate, Text: filepath.Base(name) + " is not empty", Hint: hint}
	case err != nil:
		return &problem.Error{Kind: problem.CannotCreate, Text: "the sample project: " + err.Error(), Hint: "nothing was left there", Err: err}
	}
	w := printer.NewWriter(&inv.out, inv.style, 0)
	w.Printf("the sample project is in %s, where your name is %s\nchange to that directory, and try a day's work:\n\n", printer.Unbroken(name), sample.User)
	for _, step := range dayInSample {
		w.Printf("  %s %s\n", printer.Pad(step.command, 24), printer.Dim("%s", step.does))
	}
	w.Printf("\n%s ends a plan whose tasks are all done; %s has the rest\n"+
		"when you have seen enough: %s, and then delete %s\n",
		printer.Command("gsd done --summary"), printer.Command("gsd help"), printer.Command("gsd archive"), printer.Unbroken(name))
	return nil
}

// dayInSample has the commands of a day, in an order in which each works in the sample project.
var dayInSample = []struct{ command, does string }{
	{"gsd bootstrap 01-02", "start a session on a plan"},
	{"gsd done 1", "its first task is done"},
	{"gsd mark 2 in-progress", "and start the second one"},
	{"gsd hydrate", "you have lost the thread: where was I?"},
	{"gsd next", "which plan comes next, and why?"},
	{"gsd status", "how far is the whole project?"},
}
