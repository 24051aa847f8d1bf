package main

// The scripts in testdata/contract and testdata/script run the real main, each in a directory and with a HOME of its own, and
// say what a person at a terminal would see. The contract is what gsd promises, in the order in which to read it; the others
// are rules that no package's test can have. "go test -run Script -update" writes what cmp saw into them.
//
// Besides testscript's own commands there are those of the map in TestScript; each tells above its
// function what it does. A command that is to fail is written "fails CODE gsd …", which also holds it to
// the law of main.go: nothing on standard output, "gsd: what happened" and "hint: what to do" on the other.

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"os"
	"os/exec"
	"os/signal"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	"github.com/rogpeppe/go-internal/testscript"

	"github.com/gsd-cli/gsd/internal/session"
	_ "github.com/gsd-cli/gsd/testdata/memory"
)

var update = flag.Bool("update", false, "write what cmp saw into the scripts")

func TestMain(m *testing.M) {
	setUmask()
	testscript.Main(heeding{m}, map[string]func(){
		"gsd":         tested,
		"guardholder": guardHolder, // for holdguard
		"asnobody":    asNobody,    // "exec asnobody gsd …": without the rights of root
		"brokenpipe":  brokenPipe,  // "exec brokenpipe gsd …": nobody reads what it prints
		"livingagent": livingAgent, // for agent
	})
}

// tested is gsd. PATIENCE says how long it waits for another process that is writing, and LIFETIME how long a run lives whose process
// cannot be checked.
func tested() {
	g := newProgram()
	g.patience, _ = time.ParseDuration(g.env.get("PATIENCE"))
	g.lifetime, _ = time.ParseDuration(g.env.get("LIFETIME"))
	os.Exit(g.run(context.Background(), os.Args[1:]))
}

// lazyRegexp compiles a pattern when it is first asked for it. The scripts start this program some thousand times as gsd, which
// has no use for the patterns of tests.
func lazyRegexp(expr string) func() *regexp.Regexp {
	return sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(expr) })
}

// heeding runs the tests as if nothing had been ignored when they were started: what they start would ignore it, too, and a
// test that ends a program with a hangup would wait for ever under nohup.
type heeding struct{ *testing.M }

func (m heeding) Run() int {
	for _, s := range []os.Signal{syscall.SIGHUP, syscall.SIGINT, syscall.SIGQUIT} {
		if signal.Ignored(s) {
			signal.Notify(make(chan os.Signal, 1), s)
		}
	}
	if testing.CoverMode() != "" { // what runs as nobody leaves its counts in go test's directory, too
		dir := os.Getenv("GOCOVERDIR")
		_ = os.Chmod(dir, 0o777)
		for range 2 {
			dir = filepath.Dir(dir)
			_ = os.Chmod(dir, 0o755)
		}
	}
	return m.M.Run()
}

func TestScript(t *testing.T) {
	testscript.Run(t, testscript.Params{
		Files:               scripts(t),
		RequireExplicitExec: true,
		RequireUniqueNames:  true,
		UpdateScripts:       *update,
		Setup:               setUp,
		Condition:           condition,
		Cmds: map[string]func(*testscript.TestScript, bool, []string){
			"exitcode":     cmdExitCode,
			"fails":        cmdFails,
			"sample":       cmdSample,
			"snapshot":     cmdSnapshot,
			"unchanged":    cmdUnchanged,
			"escapes":      cmdEscapes,
			"setenv":       cmdSetenv,
			"replace":      cmdReplace,
			"sub":          cmdSub,
			"json":         cmdJSON,
			"schema":       cmdSchema,
			"safe":         cmdSafe,
			"columns":      cmdColumns,
			"touched":      cmdTouched,
			"archives":     cmdArchives,
			"started":      cmdStarted,
			"talked":       cmdTalked,
			"digest":       cmdDigest,
			"mode":         cmdMode,
			"fifo":         cmdFIFO,
			"device":       cmdDevice,
			"sparse":       cmdSparse,
			"many":         cmdMany,
			"tmpfs":        cmdTmpfs,
			"fill":         cmdFill,
			"holdguard":    cmdHoldGuard,
			"releaseguard": cmdReleaseGuard,
			"watch":        cmdWatch,
			"awaitopen":    cmdAwaitOpen,
			"agent":        cmdAgent,
			"killagent":    cmdKillAgent,
			"crumb":        cmdCrumb,
			"take":         cmdTake,
			"hostilefile":  cmdHostileFile,
			"free":         cmdFree,
		},
	})
}

// scripts returns the names of the scripts: those of testdata/contract, in their order, and, unless the test is short, those of
// testdata/script.
func scripts(t *testing.T) []string {
	t.Helper()
	dirs := []string{"contract", "script"}
	if testing.Short() {
		dirs = dirs[:1]
	}
	var all []string
	for _, dir := range dirs {
		names, err := filepath.Glob(filepath.Join("..", "..", "testdata", dir, "*.txtar"))
		if err != nil || len(names) == 0 {
			t.Fatalf("no scripts in %s: %v", dir, err)
		}
		all = append(all, names...)
	}
	return all
}

// TestContract holds the index of the contract, which -update writes: each script begins with a comment that says what is promised.
func TestContract(t *testing.T) {
	index := "# What gsd promises\n\nEach script is a terminal session that `go test ./cmd/gsd -run TestScript` replays. Read them in this order.\n\n"
	for i, name := range scripts(t) {
		if filepath.Base(filepath.Dir(name)) != "contract" {
			break
		}
		text, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		number, title, _ := strings.Cut(strings.TrimSuffix(filepath.Base(name), ".txtar"), "-")
		var promise []string
		for line := range strings.Lines(string(text)) {
			rest, ok := strings.CutPrefix(line, "# ")
			if !ok {
				break
			}
			promise = append(promise, strings.TrimSpace(rest))
		}
		if number != fmt.Sprintf("%02d", i+1) || len(promise) == 0 {
			t.Errorf("%s: number %d is wanted, and a comment at the top", name, i+1)
		}
		index += fmt.Sprintf("%d. [%s](%s): %s\n", i+1, strings.ReplaceAll(title, "-", " "), filepath.Base(name), strings.Join(promise, " "))
	}
	name := filepath.Join("..", "..", "testdata", "contract", "README.md")
	if *update {
		if err := os.WriteFile(name, []byte(index), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	if got, err := os.ReadFile(name); err != nil || string(got) != index {
		t.Errorf("%s is not the index of the scripts beside it, which -update writes: %v", name, err)
	}
}

// setUp gives a script its own HOME, in which the user is Ada Lovelace, and no other configuration. Only
// the variables that testscript sets are there: no XDG, no GIT_*, no NO_COLOR.
func setUp(env *testscript.Env) error {
	home := filepath.Join(env.WorkDir, "home")
	if err := os.MkdirAll(home, 0o755); err != nil {
		return err
	}
	env.Setenv("HOME", home)
	env.Setenv("USERPROFILE", home)
	env.Setenv("TERM", "xterm")
	env.Setenv("COLUMNS", strings.TrimPrefix(anyWidth, "COLUMNS="))
	env.Setenv("GORACE", os.Getenv("GORACE")) // .ci/run takes a second off every program under the detector
	env.Setenv("SESSION", ".planning/sessions/ada-lovelace/current-plan.md")
	env.Setenv("STATE", string(session.FindStateDir(env.Getenv)))
	env.Setenv("RUNS", ".planning/sessions/ada-lovelace/runs.json")
	env.Setenv("PLAN", ".planning/phases/01-notes/01-02-PLAN.md")
	env.Values[stateKey{}] = &state{snapshots: map[string]snapshot{}, agents: map[string]func(){}, began: time.Now()}
	config := "[user]\n\tname = Ada Lovelace\n\temail = ada@example.com\n" +
		"[maintenance]\n\tauto = false\n[receive]\n\tautogc = false\n" // which take a process after each commit
	if err := os.WriteFile(filepath.Join(home, ".gitconfig"), []byte(config), 0o644); err != nil {
		return err
	}
	profile := "PATH='" + env.Getenv("PATH") + "'\n" // that of the machine may set another one
	if err := os.WriteFile(filepath.Join(home, ".bash_profile"), []byte(profile), 0o644); err != nil {
		return err
	}
	openUp(env.WorkDir)
	return nil
}

// state is what a script's commands remember from one line to the next.
type state struct {
	snapshots map[string]snapshot
	began     time.Time
	holder    *exec.Cmd
	release   func() error
	watched   func() error
	agents    map[string]func() // by the name of the variable, what kills it
}

type stateKey struct{}

func stateOf(ts *testscript.TestScript) *state { return ts.Value(stateKey{}).(*state) }

func condition(cond string) (bool, error) {
	switch cond {
	case "git":
		_, err := exec.LookPath("git")
		return err == nil, nil
	case "nobody": // whether asnobody can get at the scripts' directories
		return mayDropRights(), nil
	case "mknod":
		return mayMakeDevices(), nil
	case "tmpfs":
		return mayMount(), nil
	case "watch":
		return canWatch, nil
	}
	return false, fmt.Errorf("unknown condition %q", cond)
}

// cmdHoldGuard takes the guard of a session in another process: "holdguard FILE", FILE being its .guard.
// The id of that process is $HOLDER.
func cmdHoldGuard(ts *testscript.TestScript, neg bool, args []string) {
	s := stateOf(ts)
	if s.holder != nil {
		ts.Fatalf("the guard is held")
	}
	program, err := exec.LookPath("guardholder")
	ts.Check(err)
	args[len(args)-1] = ts.MkAbs(args[len(args)-1])
	holder := exec.Command(program, args...)
	holder.Stderr = os.Stderr
	stdin, err := holder.StdinPipe()
	ts.Check(err)
	stdout, err := holder.StdoutPipe()
	ts.Check(err)
	ts.Check(holder.Start())
	s.holder, s.release = holder, func() error {
		s.holder = nil
		return errors.Join(stdin.Close(), holder.Wait())
	}
	ts.Defer(func() {
		if s.holder != nil {
			s.release()
		}
	})
	if n, err := stdout.Read(make([]byte, 16)); n == 0 {
		ts.Fatalf("the guard was not taken: %v", err)
	}
	ts.Setenv("HOLDER", strconv.Itoa(holder.Process.Pid))
}

// cmdReleaseGuard lets the guard go and waits for its holder's end.
func cmdReleaseGuard(ts *testscript.TestScript, neg bool, args []string) {
	if stateOf(ts).holder == nil {
		ts.Fatalf("nobody holds the guard")
	}
	ts.Check(stateOf(ts).release())
}

// cmdAwaitOpen waits until somebody has opened the file that watch watches: a gsd that opens the guard has
// looked for the session and is about to wait.
func cmdAwaitOpen(ts *testscript.TestScript, neg bool, args []string) {
	if stateOf(ts).watched == nil {
		ts.Fatalf("nothing is watched")
	}
	ts.Check(stateOf(ts).watched())
}

// runAs runs the rest of the command line as a program of its own, with standard output where the script says
// to, and ends as that program ends.
func runAs(stdout *os.File) {
	cmd := exec.Command(os.Args[1], os.Args[2:]...)
	cmd.Stdin, cmd.Stdout, cmd.Stderr = os.Stdin, stdout, os.Stderr
	err := cmd.Run()
	if exit, ok := errors.AsType[*exec.ExitError](err); ok {
		os.Exit(exit.ExitCode())
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(126)
	}
}

// brokenPipe is a program: it runs another one whose standard output is a pipe that nobody reads.
func brokenPipe() {
	r, w, err := os.Pipe()
	if err == nil {
		err = r.Close()
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(126)
	}
	runAs(w)
}
