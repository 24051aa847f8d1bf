// Package gitexec runs the program git in a repository that anybody may have made. Nothing that the repository brings is executed:
// neither what its configuration names, nor its hooks, nor the program of a remote. Runs that reach a remote are those of package
// gitremote, in a repository of gsd's own.
package gitexec

import (
	"cmp"
	"context"
	"os"
	"os/exec"
	"slices"
	"strings"
)

// plain are options for git with which nothing that is configured runs a program, or changes what git prints. They are for every command
// that gsd runs in a repository of somebody's: none of these edits, pages, signs, converts files, or shows what a driver makes of them.
var plain = []string{
	"--no-pager", "-c", "core.hooksPath=" + os.DevNull, "-c", "core.fsmonitor=false", "-c", "gc.auto=0", "-c", "maintenance.auto=false",
	"-c", "log.showSignature=false", "-c", "i18n.logOutputEncoding=UTF-8",
}

// offline are variables with which git reaches no remote: in a partial clone, it would fetch what is missing, with the programs that the
// configuration names. Not every git knows the first.
var offline = []string{"GIT_NO_LAZY_FETCH=1", "GIT_ALLOW_PROTOCOL=none"}

// Git is where git runs, and with which environment.
type Git struct {
	Program string // empty for the git in PATH
	Dir     string
	Env     []string // as in os.Environ; nil for that of the process
}

// Command returns a run of git that executes nothing of the repository, and reaches no remote.
func (g Git) Command(ctx context.Context, args ...string) *exec.Cmd {
	cmd := exec.CommandContext(ctx, cmp.Or(g.Program, "git"), slices.Concat(plain, args)...)
	if cmd.Env = g.Env; cmd.Env == nil {
		cmd.Env = os.Environ()
	}
	cmd.Dir, cmd.Env = g.Dir, append(slices.Clip(cmd.Env), offline...)
	return cmd
}

// Run runs git with in as its standard input, and returns its output. An error is that of exec.
func (g Git) Run(ctx context.Context, in string, args ...string) (string, error) {
	cmd := g.Command(ctx, args...)
	cmd.Stdin = strings.NewReader(in)
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
