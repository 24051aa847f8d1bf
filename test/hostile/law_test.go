//go:build linux

package hostile

// law_test.go: what must hold for every command in every project, however hostile.

import (
	"bytes"
	"encoding/json"
	"fmt"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"
)

const (
	// hookPeak is the maximum resident memory of a hook in bytes.
	hookPeak = 100_000_000
	// hookRead and commandRead limit the bytes that one command may read: twice its budget, because packs are read in
	// blocks that are larger than an object, and git reads its configuration.
	hookRead    = 2 * 64 << 20
	commandRead = 2 * 256 << 20
	// mostCalls limits the system calls on files of gsd next, which reads everything.
	mostCalls = 200_000

	// brief is the number of bytes that a hook may print.
	brief = 9000
	// patience is how long a command may work, or wait, before it is killed and has failed. It keeps a command that never ends
	// from blocking the tests; nothing is measured by it.
	patience = 30 * time.Second
	// deadline is the time after which a hook prints what it knows by then, and what it left out. On a busy machine it
	// does less in that time, never more, so its processor time is checked, part of which the garbage collector spends
	// on other processors.
	deadline = 2 * time.Second
	// hostPatience is the timeout that gsd install writes into a host's settings: a hook that takes longer is killed,
	// and the agent starts without its brief.
	hostPatience = 10 * time.Second
)

// leftOut are the phrases by which a brief says that it left something out because there was too much.
var leftOut = regexp.MustCompile(`left out|time was up|\((deadline|deadline-early|reading-stopped|too-many-[a-z]+|roadmap-cut)\)`)

// statuses are the exit statuses of the README without that of a wrong command line. Everything else, 2 above all, is the
// runtime's own.
var statuses = []int{0, 65, 66, 69, 73, 74, 75, 77}

// trial is one project in which commands are tried, and their highest costs.
type trial struct {
	*project
	t     *testing.T // fails here; the project's ends the test
	hooks worst
	other worst
	hung  int // commands that did not end
}

// mostHung is the number of commands that do not end after which a trial is over, because nothing more can be learned.
const mostHung = 2

// worst is the highest value of each figure, with its command line.
type worst struct {
	runs                     int
	peak, read, reads, calls int64
	cpu                      time.Duration
	of                       string // that took longest
	broken                   []string
}

func (w *worst) add(u *usage, line string) {
	w.runs++
	w.peak, w.read, w.reads, w.calls = max(w.peak, u.Peak), max(w.read, u.Read), max(w.reads, u.Reads), max(w.calls, u.Calls)
	if u.CPU > w.cpu || w.of == "" {
		w.cpu, w.of = u.CPU, line
	}
}

// broke reports that a command broke a law.
func (t *trial) broke(w *worst, u *usage, line, format string, args ...any) {
	t.t.Helper()
	why := fmt.Sprintf(format, args...)
	if where := u.where(); where != "" {
		why += ", in " + where
	}
	t.t.Errorf("gsd %s: %s (%v)", line, why, u)
	if u.Hung {
		t.hung++
	}
	if word, _, _ := strings.Cut(line, " "); !slices.Contains(w.broken, word) {
		w.broken = append(w.broken, word)
	}
}

// command tries a command that a person runs.
func (t *trial) command(line string) usage {
	t.t.Helper()
	if t.hung >= mostHung {
		return usage{}
	}
	u := t.run(manner{limited: true, most: patience}, strings.Fields(line)...)
	t.other.add(&u, line)
	switch why, crashed := u.crashed(); {
	case u.Hung:
		t.broke(&t.other, &u, line, "it does not end within %v", patience)
	case crashed:
		t.broke(&t.other, &u, line, "%s", why)
	case u.Exit == 1 && strings.HasSuffix(line, "--check"): // not installed
	case !slices.Contains(statuses, u.Exit):
		t.broke(&t.other, &u, line, "exit status %d", u.Exit)
	case u.Read > commandRead:
		t.broke(&t.other, &u, line, "it reads %s MB", megabytes(u.Read))
	}
	t.t.Logf("gsd %s: %v, %d bytes printed", line, &u, u.out.size)
	return u
}

// countCalls counts the system calls of a command.
func (t *trial) countCalls(line string) {
	t.t.Helper()
	if t.hung >= mostHung {
		return
	}
	u := t.run(manner{most: patience, calls: true}, strings.Fields(line)...)
	if t.other.calls = u.Calls; u.Hung || u.Calls > mostCalls {
		t.broke(&t.other, &u, line, "%d system calls about files", u.Calls)
	}
}

// hook tries a command line that a host runs, with its input.
func (t *trial) hook(line, stdin string) usage {
	t.t.Helper()
	return t.hookAs(manner{stdin: stdin}, line)
}

func (t *trial) hookAs(how manner, line string) usage {
	t.t.Helper()
	if t.hung >= mostHung {
		return usage{Hung: true}
	}
	how.limited, how.most = true, patience
	u := t.run(how, strings.Fields(line)...)
	t.hooks.add(&u, line)
	broke := func(format string, args ...any) { t.t.Helper(); t.broke(&t.hooks, &u, line, format, args...) }
	switch why, crashed := u.crashed(); {
	case u.Hung:
		broke("it does not end within %v", patience)
	case crashed:
		broke("%s", why)
	case u.Exit != 0:
		broke("exit status %d", u.Exit)
	case u.errs.size > 0:
		broke("standard error: %.200q", u.errs.text)
	case u.out.size > brief:
		broke("%d bytes printed", u.out.size)
	}
	if !u.Hung && u.Peak > hookPeak {
		broke("%s MB of memory", megabytes(u.Peak))
	}
	if !u.Hung && (u.CPU > 2*deadline || u.CPU > deadline && u.Wall > hostPatience) {
		broke("it goes on beyond its deadline")
	}
	if !u.Hung && u.Wall > hostPatience && u.CPU < u.Wall/4 {
		broke("it waits longer than its host")
	}
	if u.Read > hookRead {
		broke("it reads %s MB", megabytes(u.Read))
	}
	t.t.Logf("gsd %s: %v, %d bytes printed", line, &u, u.out.size)
	return u
}

// start tries the hook for the start of a conversation, which must always print something, the first time that it hears of
// it.
func (t *trial) start(host, event string) {
	t.t.Helper()
	t.forget()
	line := "hook start --host " + host
	u := t.hook(line, event)
	if u.Hung || u.Exit != 0 || u.out.size > brief {
		return // told
	}
	text, err := textOf(host, u.out.text)
	switch {
	case err != nil:
		t.broke(&t.hooks, &u, line, "%v: %.200q", err, u.out.text)
	case !strings.HasPrefix(text, "## gsd: "):
		t.broke(&t.hooks, &u, line, "the brief is %.200q", text)
	case min(u.CPU, u.Wall) > deadline && !leftOut.MatchString(text):
		t.broke(&t.hooks, &u, line, "it does not say what it left out")
	}
}

// textOf extracts the brief from a host's envelope.
func textOf(host string, out []byte) (string, error) {
	if host == "opencode" && !bytes.HasPrefix(out, []byte{'{'}) { // an object only if there is a line for the person, too
		return string(out), nil
	}
	switch host {
	case "opencode", "copilot":
		var envelope struct {
			Text string `json:"additionalContext"`
		}
		err := json.Unmarshal(out, &envelope)
		return envelope.Text, err
	case "cursor":
		var envelope struct {
			Text string `json:"additional_context"`
		}
		err := json.Unmarshal(out, &envelope)
		return envelope.Text, err
	}
	var envelope struct {
		Output struct {
			Event string `json:"hookEventName"`
			Text  string `json:"additionalContext"`
		} `json:"hookSpecificOutput"`
	}
	err := json.Unmarshal(out, &envelope)
	if err == nil && envelope.Output.Event == "" {
		err = fmt.Errorf("no event")
	}
	return envelope.Output.Text, err
}

const (
	starts    = `{"session_id":"a","hook_event_name":"SessionStart","source":"startup"}`
	compacted = `{"session_id":"a","hook_event_name":"SessionStart","source":"compact"}`
	ends      = `{"session_id":"a","hook_event_name":"SessionEnd","reason":"other"}`
	prompts   = `{"session_id":"a","hook_event_name":"BeforeAgent","prompt":"go on"}`
)

// allHooks tries all hooks of hosts, first on the project as it is, and if it has no session, again with one.
func (t *trial) allHooks(hosts ...string) {
	t.t.Helper()
	for _, host := range hosts {
		t.start(host, starts)
	}
	if !t.has(session) {
		if !t.has(own) {
			t.mkdir(own)
		}
		t.write(session, honestSession(3, "pending"))
		t.start(hosts[0], compacted)
	}
	t.hook("hook start --host "+hosts[0], compacted) // again
	t.hook("hook compact --host gemini", prompts)
	t.hook("hook prompt --host gemini", prompts)
	t.hook("statusline", starts)
	t.hook("hook end --host claude", ends)
}

// inputsTable has one line for each input.
var inputsTable = newTable("input", "hooks: MB", "MB read", "CPU", "others: MB", "MB read", "CPU", "file calls", "the longest", "broken")

// report adds the trial to the table.
func (t *trial) report(name string) {
	broken := "-"
	if all := slices.Concat(t.hooks.broken, t.other.broken); len(all) > 0 {
		broken = strings.Join(slices.Compact(all), ", ")
	}
	calls := "-"
	if t.other.calls > 0 {
		calls = fmt.Sprint(t.other.calls)
	}
	inputsTable.row(name, megabytes(t.hooks.peak), megabytes(t.hooks.read), seconds(t.hooks.cpu),
		megabytes(t.other.peak), megabytes(t.other.read), seconds(t.other.cpu), calls, t.other.of, broken)
}

func seconds(d time.Duration) string { return fmt.Sprintf("%.3f s", d.Seconds()) }
