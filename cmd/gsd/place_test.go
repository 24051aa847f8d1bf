package main

import (
	"bytes"
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"github.com/gsd-cli/gsd/testdata"
)

// anyWidth keeps lines from being broken, for tests that look for sentences.
const anyWidth = "COLUMNS=32767"

// A place is a project in a temporary directory, and a HOME, in which commands are run.
type place struct {
	t         *testing.T
	dir, home string
}

func newPlace(t *testing.T) *place {
	p := &place{t, filepath.Join(t.TempDir(), "project"), t.TempDir()}
	if err := os.CopyFS(p.dir, testdata.Sample()); err != nil {
		t.Fatal(err)
	}
	p.name("Ada Lovelace")
	return p
}

func (p *place) name(name string) {
	p.t.Helper()
	if err := os.WriteFile(filepath.Join(p.home, ".gitconfig"), []byte("[user]\n\tname = "+name+"\n"), 0o666); err != nil {
		p.t.Fatal(err)
	}
}

// write writes a file of the project; an empty text removes it.
func (p *place) write(name, text string) {
	p.t.Helper()
	name = filepath.Join(p.dir, filepath.FromSlash(name))
	err := os.MkdirAll(filepath.Dir(name), 0o777)
	if text == "" {
		err = errors.Join(err, os.RemoveAll(name))
	} else {
		err = errors.Join(err, os.WriteFile(name, []byte(text), 0o666))
	}
	if err != nil {
		p.t.Fatal(err)
	}
}

// run runs the real main, which must succeed, and gives what it printed.
func (p *place) run(line string) []byte {
	p.t.Helper()
	cmd := exec.Command("gsd", strings.Fields(line)...)
	cmd.Dir = p.dir
	cmd.Env = p.env()
	var stderr bytes.Buffer
	cmd.Stderr = &stderr
	out, err := cmd.Output()
	if err != nil {
		p.t.Fatalf("gsd %s: %v\n%s", line, err, stderr.Bytes())
	}
	return out
}

// env is what the programs that run in the place see.
func (p *place) env() []string {
	return []string{"PATH=" + os.Getenv("PATH"), "HOME=" + p.home, "USERPROFILE=" + p.home, "SYSTEMROOT=" + os.Getenv("SYSTEMROOT"), "GORACE=" + os.Getenv("GORACE"), "GOCOVERDIR=" + os.Getenv("GOCOVERDIR"), anyWidth}
}

// git runs git in the project.
func (p *place) git(args ...string) {
	p.t.Helper()
	cmd := exec.Command("git", append([]string{"-c", "user.name=Ada", "-c", "user.email=ada@example.com"}, args...)...)
	cmd.Dir, cmd.Env = p.dir, append(p.env(), "GIT_CONFIG_NOSYSTEM=1")
	if out, err := cmd.CombinedOutput(); err != nil {
		p.t.Fatalf("git %q: %v\n%s", args, err, out)
	}
}

// agent starts a process that lives until kill, which waits for its end. Its id is pid.
func (p *place) agent() (pid string, kill func()) {
	p.t.Helper()
	cmd, kill, err := startAgent()
	if err != nil {
		p.t.Fatal(err)
	}
	p.t.Cleanup(kill)
	return strconv.Itoa(cmd.Process.Pid), kill
}

// The parts of what --json prints that tests read. What is null there is empty here.
type (
	jsonRun struct {
		ID, State, Status, Cause string
		PID                      int
		Own                      bool
		ResumeID                 string `json:"resume_id"`
	}
	jsonRuns struct{ Runs []jsonRun }
)
