//go:build linux

package main

// TestStates runs every command in every state that a project can be in: what the commands leave, and what a crash between two
// steps of one leaves. Whatever it prints has to fit the schema and the law of printed commands (allowed_test.go); the exit code
// has to be one that gsd has, and a command that only reads has to leave every file as it is.
//
// The states are in states_list_test.go. Each is made once, in a directory of its own. With GSD_THOROUGH=1 all commands are run in
// each, else an eighth of those that only read and a twenty-fourth of those that write.
//
// What the program says in the states that differ most is in testdata/states, for people to read: a section of a file is one
// command. "go test ./cmd/gsd -run States -args -update" writes these files again.
//
//	-- gsd mark 9 complete --
//	exit 66
//	! gsd: no task 9
//	…
//
// Lines of standard error begin with "! ", and "␄" stands for a line that does not end. What differs from one run to the next
// has names: the directory is /states, new runs are new-run-0001.

import (
	"encoding/json"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/rogpeppe/go-internal/diff"

	"github.com/gsd-cli/gsd/internal/testenv"
)

var (
	goldenDir = filepath.Join("..", "..", "testdata", "states")
	stateNow  = time.Date(2026, 2, 3, 10, 0, 0, 0, time.UTC) // when everybody looks
	stateFrom = stateNow.Add(-26 * time.Hour)                // when the first command of a state is run
)

// hostInput is what hosts hand to their hooks.
var hostInput = map[string]string{
	"start":  `{"hook_event_name":"SessionStart","source":"startup","session_id":"new-conversation"}`,
	"prompt": `{"hook_event_name":"UserPromptSubmit","session_id":"c1","prompt":"go on"}`,
	"end":    `{"hook_event_name":"SessionEnd","reason":"exit","session_id":"c1"}`,
}

// stateCommands are run in every state. "+" is a terminal with colours and bars; "*" writes, and finds the state afresh (all
// others are held to leave everything as it is); what follows "<" is the input.
const stateCommands = `
hydrate
+hydrate
hydrate --json
hydrate --porcelain --exit-code
hydrate --inline
*hook start --host claude <start
tasks
+tasks
tasks 2
tasks --json
tasks 01-02 1
next
+next
next --json
bootstrap --dry-run
bootstrap --dry-run --json
status
+status
+status --all
status --json
status --format html
state
run list
+run list
run list --json
restore --list
+restore --list
restore --list --json
run sweep --dry-run
run sweep --dry-run --json
statusline
*bootstrap
*bootstrap --json
*bootstrap 01-02
*bootstrap 01-02 --json
*bootstrap 01-02 --fresh
*bootstrap 01-01
*takeover 02-01
*archive
*archive --json
*mark 1 complete
*mark 1 skipped
*mark 2 in-progress
*mark 3 complete --json
*mark 1 pending
*mark 9 complete
*state --write
*state --write --json
*run start
*run start --json
*run start --host codex --id c2
*run start --host codex --id c2 --json
*run start --host claude --id c1 --pid 1
*run end --status success
*run end --host claude --id c1 --status failure
*run end --host claude --id c1 --status success --json
*restore
*restore --json
*restore $LOST
*forget $LOST
*forget $LOST --json
*run sweep
*run sweep --json
*run sweep --reset-tasks
*run end
*run end --json
*hook end --host claude <end
`

// moreCommands say in another way what others say; a few states have them.
const moreCommands = `
*hook start --host claude <prompt
*hook start --host gemini <start
state --json
*bootstrap
`

// A trial runs the commands of one state.
type trial struct {
	*scene
	law      *law
	reads    reader
	sections map[string]string // what was printed, by command
	seed     seedSessions      // what it left
}

// do runs a command as it is written in the lists, and undoes what it wrote.
func (r *trial) do(line string) {
	r.t.Helper()
	command, writes := strings.TrimLeft(line, "+*"), line[0] == '*'
	crumbs := r.lost()
	if strings.Contains(command, "$LOST") {
		id := "ffffffffffffffff"
		if len(crumbs) > 0 {
			id = crumbs[0]
		}
		command = strings.ReplaceAll(command, "$LOST", id)
	}
	if writes {
		r.reads.check()
	} else {
		r.reads.add(line)
	}
	dry := result{code: -1}
	if strings.HasPrefix(command, "bootstrap") && !strings.Contains(command, "-") {
		dry = r.scene.run("", append(strings.Fields(command), "--dry-run")...)
	}
	answer := r.answer(command, line[0] == '+')
	if dry.code >= 0 && (dry.code != answer.code || dry.err != answer.err) {
		r.t.Errorf("%s: gsd %s: the dry run said %d %s, but %d %s", r.name, command, dry.code, dry.err, answer.code, answer.err)
	}
	r.hold(command, answer)
	r.holdDo(command, answer, writes)
	r.holdWidth(command, answer)
	if slices.Contains(r.golden, line) && !writes {
		r.holdBreaks(command, line[0] == '+', answer)
	}
	r.sections[line] = r.normal(answer.section(), crumbs, writes)
	if writes {
		r.seed.add(r.name+": gsd "+command, r.at("./"))
		r.putBack()
	}
}

// holdDo holds that an answer's JSON has each command in do that its text has in a line to be copied.
func (r *trial) holdDo(command string, text result, writes bool) {
	r.t.Helper()
	var lines [][]string
	for line := range strings.Lines(colours().ReplaceAllString(text.out, "")) {
		if m := tryCommand().FindStringSubmatch(strings.TrimSuffix(line, "\n")); m != nil {
			words, err := shellWords(m[1])
			r.check(err)
			lines = append(lines, words)
		}
	}
	if len(lines) == 0 || strings.Contains(command, "--inline") || strings.HasPrefix(command, "hook ") {
		return
	}
	if writes {
		r.putBack()
	}
	var got struct {
		Do []struct {
			Argv []string `json:"argv"`
		} `json:"do"`
	}
	answer := r.answer(command+" --json", false)
	r.check(json.Unmarshal([]byte(answer.out), &got))
	for _, words := range lines {
		found := false
		for _, do := range got.Do {
			found = found || slices.Equal(do.Argv, words)
		}
		if !found {
			r.t.Errorf("%s: gsd %s: %q is not in do of %s", r.name, command, words, answer.out)
		}
	}
	heldDo[schemaName(command)] = true
}

// tryCommand matches a command in a line to be copied. What it does may be on the next line.
var tryCommand = lazyRegexp(`^try: (.+?)(?:   \(.*)?$`)

// heldDo are the answers of which the commands were held against the text.
var heldDo = map[string]bool{}

var colours = lazyRegexp("\x1b\\[\\d*m")

// hold holds an answer against the law, but for help and what is installed, which describe flags and show files.
func (r *trial) hold(command string, answer result) {
	r.t.Helper()
	if answer.code > exitStale && !isKnown(answer.code) {
		r.t.Errorf("%s: gsd %s: exit %d", r.name, command, answer.code)
	}
	if strings.Contains(command, "help") || strings.HasPrefix(command, "install ") {
		return
	}
	before := len(r.law.breaches)
	r.law.hold(colours().ReplaceAllString(answer.out, ""), false)
	r.law.hold(colours().ReplaceAllString(answer.err, ""), false)
	for _, b := range r.law.breaches[before:] {
		r.t.Errorf("%s: gsd %s: %s: %s", r.name, command, b.command, b.why)
	}
}

// run runs the golden commands of the state, and of the others those whose turn it is.
func (r *trial) run() {
	r.t.Helper()
	for _, line := range r.golden {
		r.do(line)
	}
	lines := stateCommands + r.lines
	if r.alone {
		lines = r.lines
	}
	n := 0
	for line := range strings.Lines(lines + readingCommands) {
		if line = strings.TrimSpace(line); line == "" {
			continue
		}
		every := 8
		if line[0] == '*' {
			every = 24
		}
		if n++; r.part > 0 && !r.alone && (n+r.part)%every != 0 {
			continue
		}
		if _, done := r.sections[line]; !done {
			r.do(line)
		}
	}
	r.reads.check()
}

// holdDoctor holds what doctor prints in a state against the law.
func (r *trial) holdDoctor() {
	r.t.Helper()
	l := newLaw(r.law.bounds)
	l.hold(r.scene.run("", "doctor", "--json").out, true)
	for _, b := range l.breaches {
		r.t.Errorf("%s: gsd doctor: %s: %s", r.name, b.command, b.why)
	}
}

// compareGolden compares what the golden commands printed with their file.
func (r *trial) compareGolden() {
	r.t.Helper()
	if len(r.golden) == 0 {
		return
	}
	var b strings.Builder
	for _, line := range r.golden {
		fmt.Fprintf(&b, "-- gsd %s --\n%s", line, r.sections[line])
	}
	name := filepath.Join(goldenDir, r.name+".txt")
	if *update {
		r.check(os.WriteFile(name, []byte(b.String()), 0o644))
		return
	}
	want, err := os.ReadFile(name)
	r.check(err)
	if got := b.String(); got != string(want) {
		r.t.Errorf("%s", diff.Diff(name, want, "got", []byte(got)))
	}
}

// compareTwin compares what the same commands printed in two states.
func (r *trial) compareTwin(other map[string]string, name string) {
	r.t.Helper()
	same := 0
	for line, got := range r.sections {
		want, ok := other[line]
		if !ok {
			continue
		}
		// Only when a task was set is another time: that of the file, where the breadcrumb was not written any more.
		if same++; whenSet().ReplaceAllString(got, "") != whenSet().ReplaceAllString(want, "") {
			r.t.Errorf("%s: gsd %s\n%s", r.name, line, diff.Diff(name, []byte(want), r.name, []byte(got)))
		}
	}
	if same == 0 {
		r.t.Errorf("%s has no command in common with %s", r.name, name)
	}
}

var whenSet = lazyRegexp(`"set": "[^"]*"|\d+ [a-z]+ ago|<time .*?</time>`)

// twins are states in which every command answers as in another, which comes before: what differs is for nobody to know.
var twins = map[string]string{
	"session-torn-first-line": "session-corrupt",
	"crash-mark-crumb":        "checkpoint",
	"crash-restore":           "in-progress",
	"crash-summary":           "complete-summary",
	"phase-claim-expired":     "no-session",
}

func TestStates(t *testing.T) { // not beside others: the library's help flag is a shared variable
	if testing.Short() {
		t.Skip("makes all states")
	}
	held, golden, seed := map[string]bool{}, 0, seedSessions{}
	answers := map[string]map[string]string{} // of the states that have a twin
	for i, st := range projectStates {
		s := st.makeOrdered(t)
		twin := twins[st.name]
		if !testenv.Thorough() && !*update {
			s.part = 1 + i
			if twin != "" {
				s.part = 1 + slices.IndexFunc(projectStates, func(st projectState) bool { return st.name == twin })
			}
		}
		within := bounds{dir: s.dir, project: filepath.Join(s.root, "notes"), state: s.at("~/.local/state/gsd")}
		r := &trial{scene: s, law: newLaw(within), reads: reader{scene: s}, sections: map[string]string{}, seed: seed}
		seed.add(st.name, s.at("./"))
		r.holdDoctor()
		for _, wrong := range heldToStarts(s.run) {
			if st.name != "guessed-user" { // a user whom git cannot name only reads so once something would be written
				t.Errorf("%s: %s", st.name, wrong)
			}
		}
		r.run()
		r.compareGolden()
		golden += min(1, len(s.golden))
		if twin != "" {
			r.compareTwin(answers[twin], twin)
		}
		if slices.Contains(slices.Collect(maps.Values(twins)), st.name) {
			answers[st.name] = r.sections
		}
		for line := range r.law.known {
			held[strings.ReplaceAll(line, s.root, "")] = true
		}
		os.RemoveAll(s.root)
	}
	seed.check(t)
	if files, err := os.ReadDir(goldenDir); err != nil || len(files) != golden {
		t.Errorf("%d files in %s for %d states: %v", len(files), goldenDir, golden, err)
	}
	if all := slices.Sorted(maps.Keys(heldDo)); testenv.Thorough() && len(all) < 12 {
		t.Errorf("only the commands of %q were held", all)
	}
	if testenv.Thorough() && len(held) < 1000 {
		t.Errorf("only %d lines were held", len(held))
	}
	checkDescribed(t)
}

// checkDescribed checks that the answers to all commands were checked against a schema.
func checkDescribed(t *testing.T) {
	t.Helper()
	schema, err := answers()
	if err != nil {
		t.Fatal(err)
	}
	all := maps.Clone(schema.Schema().Properties)
	for _, name := range []string{"sync", "summary", "archivedNote"} { // which need more than a quick test has: sync.txtar, 06-done.txtar, 18-handoff.txtar
		delete(all, name)
		delete(described, name)
	}
	want := slices.Sorted(maps.Keys(all))
	if got := slices.Sorted(maps.Keys(described)); !slices.Equal(got, want) {
		t.Errorf("the output of %q was checked, there are schemas for %q", got, want)
	}
}
