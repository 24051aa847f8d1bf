// Package sample makes the sample project of gsd demo into a directory that stays, for somebody who wants to try gsd.
package sample

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

	"github.com/gsd-cli/gsd/internal/gitexec"
	"github.com/gsd-cli/gsd/testdata"
)

// ErrNotEmpty is the error of Keep for a directory that has something in it.
var ErrNotEmpty = errors.New("not empty")

// Keep makes the sample project in a directory that is empty or does not exist yet, as a git repository whose own configuration has the
// name of User. Variables of git in env, such as GIT_DIR, are ignored. If there is an error, the directory is as it was.
func Keep(ctx context.Context, env []string, dir string) error {
	made, err := emptyDir(dir)
	if err == nil {
		err = fill(ctx, env, dir)
	}
	if err != nil && made {
		_ = os.Remove(dir)
	}
	return err
}

// emptyDir makes a directory, or checks that the one that is there is empty; made says which.
func emptyDir(dir string) (made bool, err error) {
	if err := os.Mkdir(dir, 0o777); !errors.Is(err, fs.ErrExist) {
		return err == nil, err
	}
	entries, err := os.ReadDir(dir)
	if err == nil && len(entries) > 0 {
		err = ErrNotEmpty
	}
	return false, err
}

// fill makes the sample project and its repository in an empty directory. If it fails, what it made is removed.
func fill(ctx context.Context, env []string, dir string) (err error) {
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
	if err := os.WriteFile(filepath.Join(phase, "02-01-PLAN.md"), []byte(nextPlan), 0o666); err != nil {
		return err
	}
	return commit(ctx, env, dir)
}

// commit makes a repository of dir, with one commit. What the user has configured for all repositories does not apply: no template, no
// signature, no ignored files.
func commit(ctx context.Context, env []string, dir string) error {
	isGits := func(kv string) bool { return strings.HasPrefix(kv, "GIT_") }
	git := gitexec.Git{Dir: dir, Env: slices.DeleteFunc(slices.Clone(env), isGits)}
	for _, args := range [][]string{
		{"init", "-q", "--template=", "-b", "main"},
		{"config", "user.name", User},
		{"config", "user.email", "ada@example.org"},
		{"config", "commit.gpgSign", "false"},
		{"add", "--force", ".planning"},
		{"commit", "-q", "-m", "docs: plan phases 1 and 2"},
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

// User is who works on the sample project.
const User = "Ada Lovelace"

// nextPlan is what comes next once the sample's plan is done.
const nextPlan = `---
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
