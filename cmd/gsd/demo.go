package main

import (
	"context"
	"os"
	"os/signal"
	"path/filepath"
	"strings"
	"syscall"

	"github.com/urfave/cli/v2"

	"github.com/gsd-cli/gsd/internal/printer"
	"github.com/gsd-cli/gsd/internal/problem"
	"github.com/gsd-cli/gsd/internal/sample"
	"github.com/gsd-cli/gsd/testdata"
)

const (
	samplePlan    = ".planning/phases/01-notes/01-02-PLAN.md"
	sampleSummary = ".planning/phases/01-notes/01-02-SUMMARY.md"
)

// demoStep is a comment, then something that happens to the project, then the commands of an agent or a person.
type demoStep struct {
	comment  string
	happens  func(dir string) error
	commands []string
}

var demoStory = []demoStep{
	{comment: "An agent opens a project. Whose session is it, and is there one?", commands: []string{"whoami", "hydrate"}},
	{comment: "It starts on plan 01-02 and works.", commands: []string{"bootstrap 01-02", "done 1", "mark 2 in-progress"}},
	{comment: "Then comes a /clear, a crash or a new terminal: the agent has forgotten everything.\nOne command restores it, and knows that task 2 is in progress.", commands: []string{"hydrate"}},
	{comment: "The agent does task 2 again and marks it.", commands: []string{"done 2"}},
	{comment: "Somebody cleans up the directory, and the session is gone. Its breadcrumb is outside the project.", happens: loseSampleSession, commands: []string{"hydrate", "restore"}},
	{comment: "Meanwhile somebody inserts a task into the plan, before the last one.", happens: addSampleTask, commands: []string{"hydrate"}},
	{comment: "So the session is stale. What is done is carried over to the new plan, and the old session is archived.", commands: []string{"bootstrap 01-02"}},
	{comment: "The remaining tasks are done.", commands: []string{"done 3", "done 4", "hydrate --porcelain"}},
	{comment: "The agent writes the summary. That ends the plan, and the session, too.", happens: writeSampleSummary, commands: []string{"hydrate"}},
	{comment: "And how far is the project now?", commands: []string{"status"}},
}

func demoCommand(inv *invocation) *cli.Command {
	keep := ""
	return command(&cli.Command{
		Name:  "demo",
		Usage: "play a whole story on a sample project in a temporary directory",
		Description: `Prints each command and its real output, and leaves nothing behind.

With --keep, no story is played: the sample project is left in DIR, which must be empty or not exist yet, so that you can type the daily
commands yourself. It is a git repository of its own, in whose configuration your name is Ada Lovelace.

EXAMPLES
   gsd demo
   gsd demo --keep notes`,
		Flags: []cli.Flag{&cli.StringFlag{Name: "keep", Usage: "leave the sample project in `DIR`, and say what to type there", Destination: &keep}},
		Action: func(c *cli.Context) error {
			switch {
			case c.IsSet("keep") && strings.TrimSpace(keep) == "":
				return usage("`gsd demo --keep notes`", "demo: --keep needs a directory")
			case c.IsSet("keep"):
				return keepSample(c.Context, inv, keep)
			}
			return playDemo(c.Context, inv)
		},
	})
}

func playDemo(ctx context.Context, inv *invocation) (err error) {
	ctx, stop := signal.NotifyContext(ctx, os.Interrupt, syscall.SIGTERM) // so that the directory is removed
	defer stop()
	dir, err := os.MkdirTemp("", "gsd-demo-")
	if err != nil {
		return &problem.Error{Kind: problem.CannotCreate, Text: "no temporary directory: " + err.Error(), Hint: "set TMPDIR to an existing directory", Err: err}
	}
	defer func() {
		if failed := os.RemoveAll(dir); failed != nil && err == nil {
			err = &problem.Error{Kind: problem.IO, Text: "the temporary directory was not removed: " + failed.Error(), Hint: "remove " + dir, Err: failed}
		}
	}()
	project, home := filepath.Join(dir, "project"), filepath.Join(dir, "home")
	cannotWrite := func(err error) error {
		return &problem.Error{Kind: problem.IO, Text: "the sample project: " + err.Error(), Hint: "check the disk of " + dir, Err: err}
	}
	if err := createSample(project, home); err != nil {
		return cannotWrite(err)
	}
	actor := &program{
		stdout: &inv.raw, stderr: &inv.raw, dir: project, now: inv.now, style: inv.style,
		// The user of the story, and nothing of the real one's configuration.
		env: []string{"HOME=" + home, "USERPROFILE=" + home, "PATH=" + inv.env.get("PATH"), "SYSTEMROOT=" + inv.env.get("SYSTEMROOT")},
	}
	say := func(t printer.Text) { // among what gsd prints
		var b printer.Buffer
		w := printer.NewWriter(&b, inv.style, 0)
		w.Printf("%s\n", t)
		inv.raw.WriteString(b.String())
	}
	for _, step := range demoStory {
		for text := range strings.SplitSeq(step.comment, "\n") {
			say(printer.Dim("# %s", text))
		}
		if step.happens != nil {
			if err := step.happens(project); err != nil {
				return cannotWrite(err)
			}
		}
		for _, command := range step.commands {
			say(printer.Bold("\n$ gsd %s", command))
			code := actor.run(ctx, strings.Fields(command))
			switch {
			case ctx.Err() != nil:
				return &problem.Error{Kind: problem.IO, Text: "interrupted", Hint: "the temporary directory has been removed", Err: ctx.Err()}
			case code != 0:
				return &problem.Error{Kind: problem.IO, Text: "gsd " + command + " failed", Hint: "this is a bug in gsd; please report it with the output"}
			}
		}
		say(printer.Text{})
	}
	say(printer.Dim("# That was a temporary directory, and it is gone. In a project of your own: %s", printer.Command("gsd bootstrap PLAN")))
	return nil
}

func createSample(project, home string) error {
	if err := os.CopyFS(project, testdata.Sample()); err != nil {
		return err
	}
	if err := os.Mkdir(home, 0o777); err != nil {
		return err
	}
	return os.WriteFile(filepath.Join(home, ".gitconfig"), []byte("[user]\n\tname = "+sample.User+"\n"), 0o666)
}

func addSampleTask(project string) error {
	const before = `<task type="checkpoint:human-verify"`
	const added = `<task type="auto">
  <name>Task 3: Find a note</name>
  <files>find.go</files>
  <action>Print the notes that hold a word.</action>
  <verify>go test -run Find ./...</verify>
  <done>"notes find milk" prints the note about milk.</done>
</task>

`
	name := filepath.Join(project, filepath.FromSlash(samplePlan))
	src, err := os.ReadFile(name)
	if err != nil {
		return err
	}
	return os.WriteFile(name, []byte(strings.Replace(string(src), before, added+before, 1)), 0o666)
}

func loseSampleSession(project string) error {
	return os.RemoveAll(filepath.Join(project, ".planning", "sessions"))
}

func writeSampleSummary(project string) error {
	name := filepath.Join(project, filepath.FromSlash(sampleSummary))
	return os.WriteFile(name, []byte("# Plan 01-02: summary\n\nadd, list and find are there.\n"), 0o666)
}
