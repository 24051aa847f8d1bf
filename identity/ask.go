package identity

// Asking git: with exactly the given environment and directory, no input, a bounded answer and a deadline.

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"os/exec"
	"slices"
	"strings"
	"time"
	"unicode"
)

const (
	maxAnswer = 1 << 20 // bytes of standard output; a longer one is not a name
	maxReason = 4 << 10 // bytes of standard error
	maxDetail = 300     // bytes of a warning
	waitDelay = 500 * time.Millisecond
)

// answer is the answer of git, or of reading its files.
type answer struct {
	name     string // may be empty
	named    bool
	guessed  bool // git might have another answer, and could not be asked
	warnings []Problem
}

// gitName returns git's user.name in dir.
func (w World) gitName(ctx context.Context, dir string) (a answer) {
	g := w.readConfig(dir)
	switch {
	case g.doubt == "":
		a.name, a.named = g.name, g.named
	case w.git == "":
		a.name, a.named = g.name, g.named
		a.guessed = g.endless != ""
		a.warn(WarnGitMissing, "no git program was found, and its answer may differ: "+g.doubt)
	case g.endless != "":
		a.fail(WarnConfigBroken, g.endless)
	default:
		w.ask(ctx, dir, &a)
	}
	return a
}

// ask runs `git config user.name`.
func (w World) ask(ctx context.Context, dir string, a *answer) {
	ctx, cancel := context.WithTimeout(ctx, w.patience)
	defer cancel()
	out, reason := bounded{room: maxAnswer}, bounded{room: maxReason}
	// No known version pages a single value; --no-pager makes that certain.
	cmd := exec.CommandContext(ctx, w.git, "--no-pager", "config", "user.name")
	cmd.Dir = dir
	cmd.Env = append(slices.Clip(w.env.all), "LC_ALL=C", "LANGUAGE=") // the error message is read, too
	cmd.Stdout, cmd.Stderr = &out, &reason
	cmd.WaitDelay = waitDelay // for a child of git that keeps the pipes open
	err := w.run(cmd)
	code := -1 // it did not start, or was killed by a signal
	var exit *exec.ExitError
	if errors.As(err, &exit) {
		code = exit.ExitCode()
	}
	switch {
	case errors.Is(ctx.Err(), context.DeadlineExceeded):
		a.fail(WarnGitTimeout, "git config user.name gave no answer within "+w.patience.String())
	case ctx.Err() != nil:
		a.fail(WarnGitFailed, "git config user.name: "+ctx.Err().Error())
	case out.over:
		a.fail(WarnGitFailed, fmt.Sprintf("git config user.name: an answer of more than %d bytes", maxAnswer))
	case err == nil:
		// git appends one newline; others belong to the name.
		a.name, a.named = strings.TrimSuffix(string(out.kept), "\n"), true
	case code == 1:
		// user.name is not set
	case code < 0:
		a.fail(WarnGitFailed, "git config user.name: "+err.Error())
	default:
		why, _, _ := strings.Cut(string(reason.kept), "\n")
		a.fail(WarnConfigBroken, cmp.Or(why, fmt.Sprintf("git config user.name ended with exit code %d", code)))
		// A .git file that leads nowhere, as in a container with only one worktree, always has this result: the user's name
		// does not change.
		a.guessed = !strings.Contains(why, "not a git repository")
	}
}

// fail records that git could not answer.
func (a *answer) fail(code, detail string) {
	a.guessed = true
	a.warn(code, detail)
}

// warn adds a warning on a single printable line: git quotes file names and values as they are.
func (a *answer) warn(code, detail string) {
	detail = strings.Map(func(r rune) rune {
		if !unicode.IsPrint(r) {
			return -1
		}
		return r
	}, strings.ToValidUTF8(detail, "?"))
	if len(detail) > maxDetail {
		detail = strings.ToValidUTF8(detail[:maxDetail], "")
	}
	a.warnings = append(a.warnings, Problem{code, strings.TrimSpace(detail)})
}

// bounded keeps the first bytes and drops the rest, so that the writer never blocks. It embeds no buffer: io.Copy would
// find the buffer's ReadFrom and ignore the bound.
type bounded struct {
	kept []byte
	room int
	over bool
}

func (b *bounded) Write(p []byte) (int, error) {
	keep := min(len(p), b.room-len(b.kept))
	b.kept = append(b.kept, p[:keep]...)
	b.over = b.over || keep < len(p)
	return len(p), nil
}
