//go:build unix

package main

import (
	"bytes"
	"cmp"
	"encoding/json"
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/gsd-cli/gsd/internal/run"
)

// sh runs a script in the place, however it ends, and gives all that it said.
func (p *place) sh(script string) string {
	p.t.Helper()
	out, err := p.command("sh", "-c", script).CombinedOutput()
	if _, ok := errors.AsType[*exec.ExitError](err); err != nil && !ok {
		p.t.Fatal(err)
	}
	return string(out)
}

// offered lists the conversations that may be resumed, of the last run first, "-" for none.
func (p *place) offered() string {
	p.t.Helper()
	var all []string
	for _, r := range p.runsOf() {
		all = append(all, cmp.Or(r.ResumeID, "-"))
	}
	return strings.Join(all, " ")
}

// recorded is what the lease and the journal hold.
func (p *place) recorded() string {
	p.t.Helper()
	var all []byte
	for _, name := range []string{"lease.json", "journal.jsonl"} {
		text, err := os.ReadFile(filepath.Join(p.dir, ".planning", "sessions", "ada-lovelace", name))
		if err != nil && !errors.Is(err, os.ErrNotExist) {
			p.t.Fatal(err)
		}
		all = append(all, text...)
	}
	return string(all)
}

// X1 ended well; then a run of the same conversation dies. It may be resumed no more: neither before the sweep, which
// nobody may ever ask for, nor afterwards, when it is not even written anywhere.
func TestConversationThatDied(t *testing.T) {
	t.Parallel()
	for name, dies := range map[string]string{
		"in exec":                    `gsd exec --host claude -- sh -c 'gsd run start --host claude --id X1; kill -s KILL $$'`,
		"with exec":                  `gsd exec --host claude -- sh -c 'gsd run start --host claude --id X1; kill -s KILL $PPID; kill -s KILL $$'`,
		"as a process":               `sh -c 'gsd run start --host claude --id X1 --pid $$; kill -s KILL $$'`,
		"as a process of no host":    `sh -c 'gsd run start --id X1 --pid $$; kill -s KILL $$'`,
		"as one of another host":     `sh -c 'gsd run start --host codex --id X1 --pid $$; kill -s KILL $$'`,
		"by a hook":                  `gsd exec --host claude -- sh -c 'echo "{\"session_id\": \"X1\"}" | gsd run start --host claude --hook; kill -s KILL $$'`,
		"in exec, of no host":        `gsd exec --host claude -- sh -c 'gsd run start --id X1; kill -s KILL $$'`,
		"in another host's exec":     `gsd exec --host codex -- sh -c 'gsd run start --host claude --id X1; kill -s KILL $$'`,
		"before another one":         `gsd exec --host claude -- sh -c 'gsd run start --host claude --id X1; gsd run start --host claude --id Y; kill -s KILL $$'`,
		"after its lease":            `gsd exec --host claude -- sh -c 'gsd run start --host claude --id X1; gsd run unlock; kill -s KILL $PPID; kill -s KILL $$'`,
		"having failed in exec":      `gsd exec --host claude -- sh -c 'gsd run start --host claude --id X1; gsd run end --host claude --id X1 --status failure'`,
		"having said that it failed": `sh -c 'gsd run start --host claude --id X1 --pid $$; gsd run end --host claude --id X1 --status failure'`,
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			p := newPlace(t)
			p.run("bootstrap 01-02")
			p.run("run start --host claude --id X1")
			p.run("run end --host claude --id X1 --status success")
			if got := p.offered(); got != "X1" {
				t.Fatalf("after its success %q is offered", got)
			}
			said := p.sh(dies)
			if got := p.offered(); got != "- -" {
				t.Errorf("%q is offered\n%s", got, said)
			}
			if text := p.run("hydrate --json"); bytes.Contains(text, []byte("X1")) {
				t.Errorf("hydrate tells of it: %s", text)
			}
			p.run("run sweep")
			if got := p.offered(); got != "- -" {
				t.Errorf("after the sweep %q is offered", got)
			}
			if text := p.recorded(); strings.Contains(text, "X1") {
				t.Errorf("after the sweep it is there: %s", text)
			}
		})
	}
}

// What goes on inside of a run is a part of it: it neither ends the run, nor takes its lease, nor has another
// conversation offered for it than its own.
func TestPartsOfARun(t *testing.T) {
	t.Parallel()
	const own = `gsd run start --host claude --id OUT --pid $$ >&2; `
	for _, tc := range []struct {
		name, script string
		status       string // of the one run, afterwards
		offered      string
	}{
		{"its conversation ended in exec, and exec's command was killed", `gsd exec --host claude -- sh -c 'gsd run start --host claude --id X1; gsd run end --host claude --id X1 --status success; gsd run list; cat $LEASE; kill -s KILL $$'`, "interrupted", "-"},
		{"another host's in exec", `gsd exec --host claude -- sh -c 'gsd run start --host claude --id C; gsd run start --host codex --id D; gsd run list; cat $LEASE'`, "success", "C"},
		{"another host's in exec, first", `gsd exec --host claude -- sh -c 'gsd run start --host codex --id D; gsd run list; cat $LEASE'`, "success", "-"},
		{"another of its host", `sh -c '` + own + `gsd run start --host claude --id IN; gsd run end --host claude --id IN --status failure; gsd run list; cat $LEASE; gsd run end --host claude --id OUT --status success'`, "success", "OUT"},
		{"another of its host, and both are killed", `sh -c '` + own + `gsd run start --host claude --id IN; gsd run list; cat $LEASE; kill -s KILL $$'`, "", "-"},
		{"exec", `sh -c '` + own + `gsd exec -- true; gsd exec --host other -- sh -c "exit 3"; gsd run list; cat $LEASE; gsd run end --host claude --id OUT --status success'`, "success", "OUT"},
		{"exec in exec", `gsd exec --host claude -- sh -c 'gsd run start --host claude --id OUT; gsd exec --host other -- sh -c "exit 3"; gsd run list; cat $LEASE'`, "success", "OUT"},
	} {
		t.Run(tc.name, func(t *testing.T) {
			t.Parallel()
			p := newPlace(t)
			p.run("bootstrap 01-02")
			said := p.sh(`LEASE=.planning/sessions/ada-lovelace/lease.json; export LEASE; ` + tc.script)
			// While it went on: one run, which holds the lease, by the process that began it.
			if !strings.Contains(said, "  active       claude  ") || strings.Count(said, "> ") != 1 || !strings.Contains(said, `"host": "claude"`) {
				t.Errorf("it said %s", said)
			}
			_, text, _ := strings.Cut(said, "{\n")
			text, _, _ = strings.Cut(text, "\n}")
			var lease run.Lease
			if err := json.Unmarshal([]byte("{"+text+"}"), &lease); err != nil {
				t.Fatal(err)
			}
			if supervised := strings.HasPrefix(tc.script, "gsd exec"); lease.Supervised != supervised || slices.ContainsFunc(lease.Members, func(m run.Member) bool { return m.PID > 0 }) {
				t.Errorf("the lease was %+v", lease)
			}
			runs := p.runsOf()
			if len(runs) != 1 || runs[0].PID == 0 || lease.PID != runs[0].PID || lease.Run != runs[0].ID {
				t.Fatalf("the lease was %+v, the runs are %+v", lease, runs)
			}
			p.wantRun(tc.status)
			if got := p.offered(); got != tc.offered {
				t.Errorf("%q is offered, want %q", got, tc.offered)
			}
		})
	}
}

// An end that names another run than that above it ends no run.
func TestEndOfAnother(t *testing.T) {
	t.Parallel()
	p := newPlace(t)
	p.run("bootstrap 01-02")
	pid, _ := p.agent()
	p.write("named.json", `{"session_id": "zz"}`)
	script := `gsd run start --host claude --id OUT --pid $$ >/dev/null
while read -r code flags; do
	gsd run end --status success $flags <named.json >/dev/null 2>&1; was=$?
	test $was = $code || echo "$flags: $was, want $code"
done <flags
gsd run end --status success --host claude --id OUT
`
	p.write("flags", strings.ReplaceAll(`66 --id zz
66 --pid PID
66 --pid 1
75 --host codex
66 --host claude --id zz
66 --host codex --id OTHER
66 --host claude --pid PID
66 --hook
66 --hook --host claude
66 --hook --host codex
66 --run 0123456789abcdef
`, "PID", pid))
	p.write("ends.sh", script)
	got := p.sh("sh ends.sh")
	if !strings.HasPrefix(got, "run ") || !strings.HasSuffix(got, " ended: success\n") || strings.Count(got, "\n") != 1 {
		t.Errorf("it said %s", got)
	}
	p.wantRun("success")
}

// The word in GSD_RUN, which every program below has inherited, makes no difference to that.
func TestEndOfAnotherWithTheWord(t *testing.T) {
	t.Parallel()
	for flags, code := range map[string]string{
		"--id zz": "66", "--pid 1": "66", "--hook": "66", "--hook --host claude": "66", "--hook --host codex": "66",
		"--host codex": "66", "--host claude": "0", "": "0",
	} {
		t.Run(flags, func(t *testing.T) {
			t.Parallel()
			p := newPlace(t)
			p.run("bootstrap 01-02")
			p.write("named.json", `{"session_id": "zz"}`)
			got := p.sh(`GSD_RUN=$(gsd run start --host claude --id OUT --pid $$ --porcelain); export GSD_RUN; gsd run end --status success ` + flags + ` <named.json >/dev/null 2>&1; echo $?; gsd run list`)
			if !strings.HasPrefix(got, code+"\n") || (code == "0") == strings.Contains(got, " active ") {
				t.Errorf("it said %s, want %s", got, code)
			}
		})
	}
}

// A conversation that ends within exec ends no run: exec will see how it ends.
func TestEndWithinExec(t *testing.T) {
	t.Parallel()
	p := newPlace(t)
	p.run("bootstrap 01-02")
	got := p.sh(`gsd exec --host claude -- sh -c 'gsd run start --host claude --id X1 >/dev/null; gsd run end --host claude --id X1 --status success; kill -s KILL $$'`)
	if !strings.HasPrefix(got, "run ") || !strings.Contains(got, " continues: gsd exec will record its end\n") {
		t.Errorf("it said %s", got)
	}
	p.wantRun("interrupted")
}

// The late end of a conversation that another one of the same process has superseded is its own.
func TestEndOfTheSuperseded(t *testing.T) {
	t.Parallel()
	p := newPlace(t)
	p.run("bootstrap 01-02")
	got := p.sh(`gsd run start --host claude --id ONE --pid $$; gsd run start --host claude --id TWO --pid $$ --json >/dev/null; gsd run end --host claude --id ONE --status failure; gsd run list`)
	runs := p.runsOf()
	if len(runs) != 2 || runs[0].Status != "" || runs[1].Status == "" || runs[1].Status != "failure" || !strings.Contains(got, "> "+runs[0].ID+"  active ") {
		t.Errorf("%+v\n%s", runs, got)
	}
}

// Two that have the same word from a shell that both come from are two: the second is told who is at work.
func TestExecSameWord(t *testing.T) {
	t.Parallel()
	p := newPlace(t)
	p.run("bootstrap 01-02")
	word := "GSD_RUN=" + strings.TrimSpace(string(p.run("run start --porcelain")))
	p.run("run end --status success")
	first := p.heard(p.spawn("env", word, "gsd", "exec", "--", p.listener(), "1"))
	cmd := p.command("env", word, "gsd", "exec", "--", "touch", "started")
	out, err := cmd.CombinedOutput()
	if _, gone := os.Stat(filepath.Join(p.dir, "started")); ended(err) != "75" || gone == nil || !bytes.Contains(out, []byte("(pid "+strconv.Itoa(first.cmd.Process.Pid))) {
		t.Errorf("%v, %s; started: %v", err, out, gone)
	}
	if got := first.end(); got != "0" {
		t.Errorf("the first one ended with %s", got)
	}
	// So it is with the word of a run that lives elsewhere.
	pid, _ := p.agent()
	word = "GSD_RUN=" + strings.TrimSpace(string(p.run("run start --porcelain --pid "+pid)))
	out, err = p.command("env", word, "gsd", "exec", "--", "true").CombinedOutput()
	if ended(err) != "75" || !bytes.Contains(out, []byte("(pid "+pid)) {
		t.Errorf("%v, %s", err, out)
	}
}

// Tasks that somebody else had begun are not put back.
func TestExecSparesTasks(t *testing.T) {
	t.Parallel()
	p := newPlace(t)
	p.run("bootstrap 01-02")
	p.run("mark 1 in-progress")
	p.sh(`gsd exec --reset-tasks -- sh -c 'gsd mark 2 in-progress; exit 1'`)
	if got := p.statuses(); got != "in-progress pending pending" {
		t.Errorf("the tasks are %s", got)
	}
}
