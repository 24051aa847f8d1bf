package main

// The script commands about runs and lost sessions.

import (
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"sync"

	"github.com/rogpeppe/go-internal/testscript"
)

// livingAgent is a program: it does nothing for as long as it lives. It says so, and ends by itself with its standard
// input: when the test that started it is gone.
func livingAgent() {
	fmt.Println("alive")
	io.Copy(io.Discard, os.Stdin)
}

// startAgent starts the program livingagent. kill may be called more than once; after it the process is not there any
// more, not even as a zombie.
func startAgent() (cmd *exec.Cmd, kill func(), err error) {
	program, err := exec.LookPath("livingagent")
	if err != nil {
		return nil, nil, err
	}
	cmd = exec.Command(program)
	stdin, err := cmd.StdinPipe()
	if err != nil {
		return nil, nil, err
	}
	stdout, err := cmd.StdoutPipe()
	if err != nil {
		return nil, nil, err
	}
	if err := cmd.Start(); err != nil {
		return nil, nil, err
	}
	kill = sync.OnceFunc(func() {
		_ = cmd.Process.Kill()
		_ = cmd.Wait() // it was killed
		_ = stdin.Close()
	})
	if _, err := stdout.Read(make([]byte, 16)); err != nil {
		kill()
		return nil, nil, err
	}
	return cmd, kill, nil
}

// cmdAgent starts a process that an agent could be: "agent [NAME]" puts its id into the variable NAME, or AGENT.
func cmdAgent(ts *testscript.TestScript, neg bool, args []string) {
	name := agentName(args)
	cmd, kill, err := startAgent()
	ts.Check(err)
	ts.Defer(kill)
	stateOf(ts).agents[name] = kill
	ts.Setenv(name, strconv.Itoa(cmd.Process.Pid))
}

// cmdKillAgent kills it, and comes back when it is gone: "killagent [NAME]".
func cmdKillAgent(ts *testscript.TestScript, neg bool, args []string) {
	kill := stateOf(ts).agents[agentName(args)]
	if kill == nil {
		ts.Fatalf("no agent %s", agentName(args))
	}
	kill()
}

func agentName(args []string) string {
	if len(args) > 0 {
		return args[0]
	}
	return "AGENT"
}

// cmdCrumb finds the breadcrumbs there are: "crumb NAME…" puts their ids into variables, the oldest first.
func cmdCrumb(ts *testscript.TestScript, neg bool, args []string) {
	files, err := filepath.Glob(filepath.Join(ts.Getenv("STATE"), "crumbs", "*.crumb.json"))
	ts.Check(err)
	if len(files) != len(args) {
		ts.Fatalf("%d breadcrumbs, want %d: %q", len(files), len(args), files)
	}
	written := func(name string) int64 {
		info, err := os.Stat(name)
		ts.Check(err)
		return info.ModTime().UnixNano()
	}
	slices.SortFunc(files, func(a, b string) int { return int(written(a) - written(b)) })
	for i, name := range args {
		ts.Setenv(name, strings.TrimSuffix(filepath.Base(files[i]), ".crumb.json"))
	}
}

// cmdTake puts what a pattern finds on standard output into a variable: "take NAME PATTERN", its first group if it
// has one.
func cmdTake(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) != 2 {
		ts.Fatalf("usage: take name pattern")
	}
	pattern, err := regexp.Compile("(?m)" + args[1])
	ts.Check(err)
	found := pattern.FindStringSubmatch(ts.ReadFile("stdout"))
	if found == nil {
		ts.Fatalf("no %s in %q", args[1], ts.ReadFile("stdout"))
	}
	ts.Setenv(args[0], found[len(found)-1])
}

// cmdFree takes the lease of ada's session from the run that has it: "free".
func cmdFree(ts *testscript.TestScript, neg bool, args []string) {
	cmdSub(ts, neg, []string{ts.Getenv("RUNS"), `"holder":"[^"]+"`, `"holder":""`})
}

// cmdHostileFile copies a file to a name with escapes: "hostilefile NAME FILE".
func cmdHostileFile(ts *testscript.TestScript, neg bool, args []string) {
	name := ts.MkAbs(unescape(ts, args[0]))
	ts.Check(os.MkdirAll(filepath.Dir(name), 0o777))
	ts.Check(os.WriteFile(name, []byte(ts.ReadFile(args[1])), 0o666))
}
