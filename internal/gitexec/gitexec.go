// Package gitexec runs the program git for what is not read from its files, so that nothing that the user configured has to do with
// it. Runs that reach a remote are those of package gitremote.
package gitexec

import (
	"context"
	"os"
	"os/exec"
	"slices"
	"strings"
)

// plain are options for git with which nothing that the user configured runs a program, or changes what git prints.
var plain = []string{
	"-c", "core.hooksPath=" + os.DevNull, "-c", "core.fsmonitor=false", "-c", "log.showSignature=false",
	"-c", "i18n.logOutputEncoding=UTF-8",
}

// offline are variables with which git reaches no remote: in a partial clone, it would fetch what is missing, with the programs that the
// configuration names. Not every git knows the first.
var offline = []string{"GIT_NO_LAZY_FETCH=1", "GIT_ALLOW_PROTOCOL=none"}

// Args returns arguments of git, after the options with which nothing that the user configured has to do with it.
func Args(args ...string) []string { return slices.Concat(plain, args) }

// Git is where git runs, and with which environment.
type Git struct {
	Dir string
	Env []string // as in os.Environ; nil for that of the process
	// Fetches lets git fetch what a partial clone lacks. Otherwise, it reaches no remote.
	Fetches bool
}

// Run runs git with in as its standard input, and returns its output. An error is that of exec.
func (g Git) Run(ctx context.Context, in string, args ...string) (string, error) {
	cmd := exec.CommandContext(ctx, "git", Args(args...)...)
	cmd.Dir, cmd.Stdin = g.Dir, strings.NewReader(in)
	if cmd.Env = g.Env; cmd.Env == nil {
		cmd.Env = os.Environ()
	}
	if !g.Fetches {
		cmd.Env = append(slices.Clip(cmd.Env), offline...)
	}
	out, err := cmd.Output()
	return string(out), err
}

// Ask runs git for an answer of one line, empty if it fails.
func (g Git) Ask(ctx context.Context, args ...string) string {
	out, err := g.Run(ctx, "", args...)
	if err != nil {
		return ""
	}
	return strings.TrimSpace(out)
}

// IsMerged reports whether a file's name is one that git gives to a merge driver.
func IsMerged(base string) bool { return strings.HasPrefix(base, ".merge_file_") }
