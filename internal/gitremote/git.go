package gitremote

// git.go: one run of the program git, without questions, hooks, or an end that somebody has to wait for. A remote is reached from a bare
// repository of our own, whose configuration we wrote: git never reads the user's repository while it may start a program.

import (
	"bytes"
	"context"
	"errors"
	"io"
	"os/exec"
	"path/filepath"
	"runtime"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/gsd-cli/gsd/internal/gitexec"
)

// notPassed are the variables that would make git use another repository (git rev-parse --local-env-vars, set while it runs a
// hook) or print more. The configuration of git -c is passed on.
var notPassed = []string{
	"GIT_DIR", "GIT_WORK_TREE", "GIT_INDEX_FILE", "GIT_OBJECT_DIRECTORY", "GIT_ALTERNATE_OBJECT_DIRECTORIES", "GIT_COMMON_DIR",
	"GIT_NAMESPACE", "GIT_PREFIX", "GIT_CONFIG", "GIT_GRAFT_FILE", "GIT_SHALLOW_FILE", "GIT_NO_REPLACE_OBJECTS",
	"GIT_REPLACE_REF_BASE", "GIT_INTERNAL_SUPER_PREFIX", "GIT_IMPLICIT_WORK_TREE", "GIT_QUARANTINE_PATH", "GIT_PROTOCOL",
	"GIT_TRACE", "GIT_TRACE_PACKET", "GIT_TRACE_CURL", "GIT_CURL_VERBOSE", "GIT_SSH_COMMAND", "GIT_ASKPASS", "SSH_ASKPASS",
	"SSH_ASKPASS_REQUIRE", "LANGUAGE",
}

// The configuration of a run that reaches a remote, and of one that fetches or pushes. What others pushed is checked when it is
// read; if git checked it, one bad object would keep all from being fetched.
var (
	connecting = []string{"protocol.version=2", "credential.interactive=false", "http.lowSpeedLimit=1"}
	transfers  = []string{
		"core.hooksPath=/dev/null", "core.fsmonitor=false", "gc.auto=0", "maintenance.auto=false",
		"push.followTags=false", "push.gpgSign=false", "push.pushOption=", "push.negotiate=false", "push.useForceIfIncludes=false",
		"fetch.negotiationAlgorithm=noop", "fetch.unpackLimit=100", "fetch.fsckObjects=false", "transfer.fsckObjects=false", "fetch.bundleURI=", bigFileThreshold(),
	}
)

// output is what a run printed. Of standard error only the end is kept.
type output struct {
	stdout []byte
	stderr string
}

const maxStderr = 32 << 10

var errTooMuch = errors.New("git printed too much")

// waitDelay is how long a pipe may stay open after git's end; an ssh that serves later connections inherits it.
const waitDelay = time.Second

// inOwn returns a run of git in the repository of our own, with settings on its command line.
func (r *Repo) inOwn(ctx context.Context, env, config []string, args ...string) *exec.Cmd {
	var all []string
	for _, c := range config {
		all = append(all, "-c", c)
	}
	cmd := exec.CommandContext(ctx, r.git, append(all, args...)...)
	cmd.Dir, cmd.Env = r.place(), append(r.environ(), "GIT_DIR="+r.place())
	cmd.Env = append(cmd.Env, env...)
	return cmd
}

// run runs git as start prepares it. An error is that of ctx if it is over, errTooMuch, or that of exec.
func (r *Repo) run(ctx context.Context, stdin []byte, most int, start func(ctx context.Context) *exec.Cmd) (output, error) {
	ctx, cancel := context.WithCancelCause(ctx)
	defer cancel(nil)
	cmd := start(ctx)
	if stdin != nil {
		cmd.Stdin = bytes.NewReader(stdin)
	}
	out := &head{most: most, full: func() { cancel(errTooMuch) }}
	errs := &tail{most: maxStderr}
	cmd.Stdout, cmd.Stderr = out, errs
	cmd.WaitDelay = waitDelay
	alone(cmd)
	cmd.Cancel = func() error { return killAll(cmd.Process) }

	runtime.LockOSThread() // Linux kills git when the thread that started it ends
	defer runtime.UnlockOSThread()
	err := cmd.Run()
	if errors.Is(err, exec.ErrWaitDelay) && cmd.ProcessState.Success() {
		err = nil
	}
	if err != nil && ctx.Err() != nil {
		err = context.Cause(ctx)
	}
	return output{out.data, string(errs.data)}, err
}

// environ returns the environment of git: the user's, without what is dangerous or asks questions.
func (r *Repo) environ() []string {
	var env []string
	for _, e := range r.env {
		if name, _, _ := strings.Cut(e, "="); !contains(notPassed, name) {
			env = append(env, e)
		}
	}
	return append(env, "LC_ALL=C", "GIT_TERMINAL_PROMPT=0", "GIT_ASKPASS=", "SSH_ASKPASS=", "SSH_ASKPASS_REQUIRE=never", "GCM_INTERACTIVE=never",
		"GIT_OPTIONAL_LOCKS=0", "GIT_NO_LAZY_FETCH=1")
}

func contains(names []string, name string) bool {
	for _, n := range names {
		if n == name || runtime.GOOS == "windows" && strings.EqualFold(n, name) {
			return true
		}
	}
	return false
}

func (r *Repo) getenv(name string) string {
	value := ""
	for _, e := range r.env { // the last one counts
		if n, v, _ := strings.Cut(e, "="); n == name {
			value = v
		}
	}
	return value
}

// ssh returns the variable that keeps ssh from asking, or none if the user has chosen another program.
func (r *Repo) ssh(rm *Remote) []string {
	command := r.getenv("GIT_SSH_COMMAND")
	switch {
	case command != "":
	case rm.sshCommand != "":
		command = rm.sshCommand
	case r.getenv("GIT_SSH") != "":
		return nil
	default:
		command = "ssh"
	}
	program, rest, _ := strings.Cut(command, " ")
	switch strings.ToLower(filepath.Base(filepath.FromSlash(strings.Trim(program, `"'`)))) {
	case "ssh", "ssh.exe": // what comes first counts
		command = strings.TrimSuffix(program+" -o BatchMode=yes "+rest, " ")
	}
	return []string{"GIT_SSH_COMMAND=" + command}
}

// ask asks git something about the repository, of which nothing is executed. That the answer is no, exit status 1, is not an error.
func (r *Repo) ask(ctx context.Context, args ...string) ([]byte, error) {
	return r.askOf(ctx, nil, args...)
}

// askOf is ask with something on standard input.
func (r *Repo) askOf(ctx context.Context, stdin []byte, args ...string) ([]byte, error) {
	return r.answer(ctx, stdin, func(ctx context.Context) *exec.Cmd {
		return gitexec.Git{Program: r.git, Dir: r.dir, Env: r.environ()}.Command(ctx, args...)
	})
}

func (r *Repo) answer(ctx context.Context, stdin []byte, start func(ctx context.Context) *exec.Cmd) ([]byte, error) {
	out, err := r.run(ctx, stdin, 4<<20, start)
	if code := new(exec.ExitError); errors.As(err, &code) && code.ExitCode() == 1 {
		err = nil
	}
	if err != nil {
		return nil, classify(nil, err, out.stderr, false)
	}
	return out.stdout, nil
}

func (rm *Remote) timeout() time.Duration {
	if rm.Timeout > 0 {
		return rm.Timeout
	}
	return DefaultTimeout
}

// remote runs git with a remote, for as long as the remote may take.
func (r *Repo) remote(ctx context.Context, rm *Remote, env []string, stdin []byte, most int, args ...string) (output, error) {
	timeout := rm.timeout()
	config := append([]string{"http.lowSpeedTime=" + strconv.Itoa(int(timeout/time.Second)+1)}, connecting...)
	if args[0] != "ls-remote" { // which does nothing else; each costs it time
		config = append(config, transfers...)
	}
	config = append(config, rm.config...)
	if err := r.prepare(); err != nil {
		return output{}, err
	}
	personal, err := r.conditional(ctx)
	if err != nil {
		return output{}, err
	}
	if r.Progress != nil {
		r.Progress("waiting for " + rm.String() + ": git " + args[0])
	}
	limited, cancel := context.WithTimeoutCause(ctx, timeout, errTimedOut)
	defer cancel()
	out, err := r.run(limited, stdin, most, func(ctx context.Context) *exec.Cmd {
		return r.inOwn(ctx, slices.Concat(r.ssh(rm), personal, env), config, args...)
	})
	if err != nil {
		if ctx.Err() != nil && errors.Is(ctx.Err(), context.Canceled) {
			return out, ctx.Err()
		}
		return out, classify(rm, err, out.stderr, args[0] == "push")
	}
	return out, nil
}

// head keeps the first bytes, and calls full once there are more.
type head struct {
	data []byte
	most int
	full func()
}

func (h *head) Write(p []byte) (int, error) {
	if len(h.data)+len(p) > h.most {
		h.full()
		return 0, io.ErrShortWrite
	}
	h.data = append(h.data, p...)
	return len(p), nil
}

// tail keeps the last bytes.
type tail struct {
	data []byte
	most int
}

func (t *tail) Write(p []byte) (int, error) {
	t.data = append(t.data, p...)
	if len(t.data) > 2*t.most {
		t.data = append(t.data[:0], t.data[len(t.data)-t.most:]...)
	}
	return len(p), nil
}
