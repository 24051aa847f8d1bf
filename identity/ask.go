package identity

// Asking git.
//
// The law: exactly the given environment and directory, no input, a bounded answer, a deadline. One value
// of the configuration is all that is asked for, and nothing that a configuration names is run to print it.

import (
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
	patience   = 5 * time.Second
	maxAnswer  = 1 << 20 // of standard output; a longer one is no name
	maxReason  = 4 << 10 // of standard error
	maxDetail  = 300     // of a warning
	lastBreath = 500 * time.Millisecond
)

// nameState is what is known about git's user.name.
type nameState int

const (
	nameUnset  nameState = iota // git has none
	nameSet                     // git has one, perhaps an empty one
	nameBroken                  // git could not say
)

// answer is git's answer, read or asked.
type answer struct {
	state    nameState
	raw      string
	asked    bool   // git was run, or would have been had there been one
	doubt    string // why
	guessed  bool   // git might have said otherwise, and could not be asked
	warnings []Warning
}

// gitName gives git's user.name in dir.
func (w World) gitName(ctx context.Context, dir string) answer {
	git := w.LookGit(w.Env)
	seen := w.look(git, dir)
	a := answer{raw: seen.name, doubt: seen.doubt, asked: seen.doubt != ""}
	if seen.named {
		a.state = nameSet
	}
	if seen.doubt == "" {
		return a
	}
	endless := w.endless(git, dir)
	if git == "" {
		a.guessed = endless != ""
		a.warn(WarnGitMissing, "no git program was found, and its answer may differ: "+seen.doubt)
		return a
	}
	a.state, a.raw = nameUnset, ""
	if endless != "" {
		a.state, a.guessed = nameBroken, true
		a.warn(WarnConfigBroken, endless)
		return a
	}
	w.ask(ctx, git, dir, &a)
	return a
}

// ask runs `git config user.name`.
func (w World) ask(ctx context.Context, git, dir string, a *answer) {
	wait := w.Patience
	if wait <= 0 {
		wait = patience
	}
	ctx, cancel := context.WithTimeout(ctx, wait)
	defer cancel()
	// Printing a single value pages nothing in any known version; --no-pager makes that certain.
	reply := w.RunGit(ctx, GitCall{Path: git, Args: []string{"--no-pager", "config", "user.name"}, Dir: dir, Env: append(slices.Clip(w.Env), "LC_ALL=C", "LANGUAGE=")}) // its reason is read, too
	switch {
	case errors.Is(reply.Err, context.DeadlineExceeded):
		a.state, a.guessed = nameBroken, true
		a.warn(WarnGitTimeout, "git config user.name gave no answer within "+wait.String())
	case reply.Err != nil:
		a.state, a.guessed = nameBroken, true
		a.warn(WarnGitFailed, reply.Err.Error())
	case reply.Exit == 0:
		// git ends the value with one newline of its own; the others belong to the name.
		a.state, a.raw = nameSet, strings.TrimSuffix(string(reply.Stdout), "\n")
	case reply.Exit == 1:
		// user.name is not set
	default:
		why, _, _ := strings.Cut(string(reply.Stderr), "\n")
		if why == "" {
			why = fmt.Sprintf("git config user.name ended with exit code %d", reply.Exit)
		}
		a.warn(WarnConfigBroken, why)
		// A .git file that leads nowhere, as in a container that was given one worktree alone, does so each time:
		// nobody is taken for somebody else by it.
		a.state, a.guessed = nameBroken, !strings.Contains(why, "not a git repository")
	}
}

// warn adds a warning, made fit for one line: git quotes file names and values as they are.
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
	a.warnings = append(a.warnings, Warning{code, strings.TrimSpace(detail)})
}

// GitCall is one run of git: the program's absolute path, its arguments, the directory to run it in, and
// its whole environment.
type GitCall struct {
	Path string
	Args []string
	Dir  string
	Env  []string
}

// GitReply is how a run of git ended. Exit counts only if Err is nil.
type GitReply struct {
	Stdout, Stderr []byte
	Exit           int
	// Err says that git gave no exit code that means something: it could not be started, it was stopped,
	// or it answered too much. It wraps the context's error if that was the cause.
	Err error
}

// runGit runs git for real.
func runGit(ctx context.Context, c GitCall) GitReply {
	out, reason := bounded{room: maxAnswer}, bounded{room: maxReason}
	cmd := exec.CommandContext(ctx, c.Path, c.Args...)
	cmd.Dir = c.Dir
	cmd.Env = append([]string{}, c.Env...) // never nil, which would mean this process's own environment
	cmd.Stdout, cmd.Stderr = &out, &reason
	cmd.WaitDelay = lastBreath // for a child of git's that holds the pipes open
	err := cmd.Run()
	reply := GitReply{Stdout: out.kept, Stderr: reason.kept}
	var exit *exec.ExitError
	switch {
	case ctx.Err() != nil:
		reply.Err = fmt.Errorf("git config user.name: %w", ctx.Err())
	case errors.As(err, &exit):
		if reply.Exit = exit.ExitCode(); reply.Exit < 0 {
			reply.Err = fmt.Errorf("git config user.name: %w", err)
		}
	case err != nil:
		reply.Err = fmt.Errorf("git config user.name: %w", err)
	case out.over:
		reply.Err = fmt.Errorf("git config user.name: an answer of more than %d bytes", maxAnswer)
	}
	return reply
}

// bounded keeps the first bytes and lets the rest go, so that the writer never blocks. It embeds no buffer:
// io.Copy would find the buffer's ReadFrom and go past the bound.
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
