package main

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"

	"github.com/gsd-cli/gsd/hydrate"
	"github.com/gsd-cli/gsd/identity"
	"github.com/gsd-cli/gsd/internal/gitexec"
	"github.com/gsd-cli/gsd/internal/text"
	"github.com/gsd-cli/gsd/testdata"
)

// keepSample leaves the sample project in a directory, as a repository of its own, and says what to type there. If that fails, the
// directory is as it was.
func keepSample(ctx context.Context, inv *invocation, name string) error {
	dir := join(inv.dir, name)
	if identity.FindGit(inv.env.get("PATH")) == "" {
		return &hydrate.Error{Kind: hydrate.MissingInput, Text: "there is no git program in PATH", Hint: "install git: the sample project has a name for you in its own configuration"}
	}
	made, err := emptyDir(dir)
	if err == nil {
		err = fillSample(ctx, inv.env, dir)
	}
	if err != nil {
		if made {
			_ = os.RemoveAll(dir)
		}
		failed, ok := errors.AsType[*hydrate.Error](err)
		if !ok {
			failed = &hydrate.Error{Kind: hydrate.CannotCreate, Text: "the sample project: " + err.Error(), Hint: "nothing was left there", Err: err}
		}
		return failed
	}
	shown := text.Cut(text.Line(name), longestError)
	inv.printf("the sample project is in %s, where your name is %s\nchange to that directory, and try a day's work:\n\n", shown, sampleUser)
	for _, step := range dayInSample {
		inv.printf("  %-24s %s\n", step.command, inv.style.Dim(step.does))
	}
	inv.printf("\ngsd done --summary ends a plan whose tasks are all done; gsd help has the rest\n"+
		"when you have seen enough: gsd archive, and then delete %s\n", shown)
	return nil
}

// dayInSample are the commands of a day.
var dayInSample = []struct{ command, does string }{
	{"gsd bootstrap 01-02", "start a session on a plan"},
	{"gsd done 1", "its first task is done"},
	{"gsd mark 2 in-progress", "and the second one is begun"},
	{"gsd hydrate", "you have lost the thread: where was I?"},
	{"gsd next", "which plan comes next, and why?"},
	{"gsd status", "how far is the whole project?"},
}

// emptyDir makes a directory, or finds that it is there and empty; made says which.
func emptyDir(dir string) (made bool, err error) {
	if err := os.Mkdir(dir, 0o777); !errors.Is(err, fs.ErrExist) {
		return err == nil, err
	}
	entries, err := os.ReadDir(dir)
	if err == nil && len(entries) > 0 {
		err = &hydrate.Error{Kind: hydrate.CannotCreate, Text: filepath.Base(dir) + " is not empty", Hint: "name a directory that is empty or does not exist yet; nothing was changed"}
	}
	return false, err
}

// fillSample makes the sample project and its repository in an empty directory. If it fails, what it made is removed.
func fillSample(ctx context.Context, env environ, dir string) (err error) {
	defer func() {
		if err != nil {
			_ = errors.Join(os.RemoveAll(filepath.Join(dir, ".planning")), os.RemoveAll(filepath.Join(dir, ".git")))
		}
	}()
	if err := os.CopyFS(dir, testdata.Sample()); err != nil {
		return err
	}
	phase := filepath.Join(dir, ".planning", "phases", "02-sharing")
	if err := os.Mkdir(phase, 0o777); err != nil {
		return err
	}
	if err := os.WriteFile(filepath.Join(phase, "02-01-PLAN.md"), []byte(sampleNextPlan), 0o666); err != nil {
		return err
	}
	return commitSample(ctx, env, dir)
}

// commitSample makes the repository. Nothing that the user has configured for others takes part: no template, no signature, no ignored files.
func commitSample(ctx context.Context, env environ, dir string) error {
	ofOther := func(kv string) bool { return strings.HasPrefix(kv, "GIT_") } // such as GIT_DIR
	git := gitexec.Git{Dir: dir, Env: slices.DeleteFunc(slices.Clone(env), ofOther)}
	for _, args := range [][]string{
		{"init", "-q", "--template=", "-b", "main"},
		{"config", "user.name", sampleUser},
		{"config", "user.email", "ada@example.org"},
		{"add", "--force", ".planning"},
		{"-c", "commit.gpgSign=false", "commit", "-q", "-m", "docs: plan phases 1 and 2"},
	} {
		if _, err := git.Run(ctx, "", args...); err != nil {
			said := err.Error()
			if failed, ok := errors.AsType[*exec.ExitError](err); ok && len(failed.Stderr) > 0 {
				said, _, _ = strings.Cut(string(failed.Stderr), "\n")
			}
			return fmt.Errorf("git %s: %s", args[0], said)
		}
	}
	return nil
}

// sampleUser is who works on the sample project.
const sampleUser = "Ada Lovelace"

// sampleNextPlan is what comes next once the sample's plan is done.
const sampleNextPlan = `---
phase: 02-sharing
plan: 01
type: execute
wave: 1
depends_on: ["01-02"]
files_modified: [share.go]
---

<objective>
Send a note to somebody.
</objective>

<tasks>

<task type="auto">
  <name>Task 1: Print a link</name>
  <files>share.go, share_test.go</files>
  <action>
Print a link that has the text of the note in it, so that nothing has to be stored for it.
  </action>
  <verify><automated>go test -run Link ./...</automated></verify>
  <done>"notes share 1" prints one link.</done>
</task>

</tasks>
`
