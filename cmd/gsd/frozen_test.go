//go:build linux

package main

// The files in testdata/frozen hold what every command prints, in every state that a project can be in: what the commands
// leave, and what a crash between two steps of one leaves. "go test ./cmd/gsd -run Frozen -args -update" writes them again.
//
// The states are in frozen_states_test.go. Each is made once, in a directory of its own. A section of a file is one command:
//
//	-- gsd mark 9 complete --
//	exit 66
//	! gsd: no task 9
//	…
//
// Lines of standard error begin with "! ", and "␄" stands for a line that does not end. A section "as in resume, but" is the difference from what the same
// command prints in the state "resume". With -thorough all of them are run, else half of those that only read and a sixth of those that write, and all of a state that has its own. What differs from one run to the next has names: the directory is /frozen, new runs are new-run-0001.

import (
	"bytes"
	"context"
	"crypto/sha256"
	"fmt"
	"io/fs"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/rogpeppe/go-internal/diff"

	"github.com/gsd-cli/gsd/internal/view"
	"github.com/gsd-cli/gsd/testdata"
)

var (
	frozenDir  = filepath.Join("..", "..", "testdata", "frozen")
	frozenNow  = time.Date(2026, 2, 3, 10, 0, 0, 0, time.UTC) // when everybody looks
	frozenFrom = frozenNow.Add(-26 * time.Hour)               // when the first command of a state is run
)

// frozenPages are the states whose page is kept whole; of the others it is the sum.
var frozenPages = []string{"resume", "hostile", "milestones", "runs-ended", "stale-all", "two-users"}

// frozenStdin is what hosts hand to their hooks.
var frozenStdin = map[string]string{
	"start":  `{"hook_event_name":"SessionStart","source":"startup","session_id":"new-conversation"}`,
	"prompt": `{"hook_event_name":"UserPromptSubmit","session_id":"c1","prompt":"go on"}`,
	"end":    `{"hook_event_name":"SessionEnd","reason":"exit","session_id":"c1"}`,
	"task":   `{"hook_event_name":"TaskCompleted","session_id":"c1","task_subject":"Task 2: List notes"}`,
}

// frozenCommands are run in every state. "+" is a terminal with colours and bars; "*" writes, and finds the state afresh (all others are held to leave everything as it is);
// what follows "<" is the input.
const frozenCommands = `
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
restore --from git --dry-run
restore --from git --dry-run --json
status
+status
+status --all
status --json
status --format html
state
run list
+run list
run list --all
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
*bootstrap 02-01 --force
*mark 1 complete
*mark 2 in-progress
*mark 3 complete --json
*mark 1 pending
*mark 9 complete
*restore --from git
*restore --from git --json
*restore --from git 01-02 --fresh --force
*state --write
*state --write --json
*run start
*run start --json
*run start --host codex --id c2
*run start --host codex --id c2 --force --json
*run start --host claude --id c1 --pid 1
*run end --status success
*run end --host claude --id c1 --status failure
*run end --host claude --id c1 --status success --json
*restore
*restore --json
*restore --force
*restore $LOST --force
*restore --dismiss $LOST
*restore --dismiss $LOST --json
*run sweep
*run sweep --json
*run sweep --reset-tasks
*run sweep --force --json
*run unlock
*run unlock --json
*run unlock --force
*hook task --host claude <task
*hook end --host claude <end
`

// frozenMore says in another way what others say; a few states have it.
const frozenMore = `
*hook start --host claude <prompt
*hook start --host gemini <start
state --json
*bootstrap
`

// frozenOnce do not depend on the state, or show how a command line is refused.
const frozenOnce = `
--help
--version
hydrate --help
bootstrap --help
mark --help
tasks --help
next --help
restore --help
status --help
state --help
run --help
exec --help
run list --help
restore --list --help
restore --help
run sweep --help
run unlock --help
install --help
statusline --help
hook --help
whoami --help
demo --help
completion --help
completion bash
completion zsh
completion fish
completion pwsh
whoami
whoami --json
doctor --plans
doctor --plans --json
install
install --json
install --check
install --check --json
install claude --check
install codex --check --json
*install claude --dry-run
*install claude --dry-run --json
*install claude
*install claude --json
*install claude --scope user --statusline
*install codex
*install gemini
*install copilot
*install cursor
*install opencode --dry-run
*install claude --remove
*hook start --host codex <prompt
*hook start --host gemini <prompt
*hook start --host copilot <prompt
*hook start --host cursor <prompt
*hook start --host opencode <prompt
*exec --host codex -- true
*exec -- false
nonsense
hydr
mark
mark x complete
*mark 1 done
mark 1 complete more
tasks 9
tasks 07-01
bootstrap 07-01
bootstrap ../outside.md
next x
hydrate --json --porcelain
hydrate --pid 7
hook start --host nobody
status --format pdf
restore --from git --min-confidence 7
run
run begin
run end
run end --status splendid
run start --status success
run start --ttl 1ms
run start --id !
run start --pid -1
restore --list forget
restore ffff
install emacs
hook start --host nobody
completion tcsh
doctor --help
`

// A scene is one state: a project, a home, a clock and whoever is at work.
type scene struct {
	t         *testing.T
	name      string
	root, dir string // the project is in root
	env       []string
	now       time.Time
	commits   int
	agent     string            // the number of a process that lives, if there is one
	names     map[string]string // of what differs from run to run
	part      int               // of the commands that write, only every sixth is run; 0 for all of them
	lines     string            // commands of this state alone
	alone     bool              // and no others
	young     []string          // the files that were changed last
}

func newScene(t *testing.T, name string) *scene {
	t.Helper()
	// Of the same length on every machine: lines are cut at a width. What is written is synced, which costs nothing in memory.
	base := "/dev/shm/frozen-"
	if info, err := os.Stat("/dev/shm"); err != nil || !info.IsDir() {
		base = "/tmp/gsd-frozen-"
	}
	root := base + fmt.Sprintf("%08x", time.Now().UnixNano()&0xffffffff)
	t.Cleanup(func() { os.RemoveAll(root) })
	s := &scene{t: t, name: name, root: root, dir: filepath.Join(root, "notes"), now: frozenFrom, names: map[string]string{}}
	if err := os.Mkdir(root, 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.CopyFS(s.dir, testdata.Sample()); err != nil {
		t.Fatal(err)
	}
	s.write("phases/02-sharing/02-01-PLAN.md", sharingPlan)
	s.write("phases/02-sharing/02-02-PLAN.md", strings.Replace(sharingPlan, "wave: 1", "wave: 2\ndepends_on: [\"02-01\"]", 1))
	s.write("~/.gitconfig", "[user]\n\tname = Ada Lovelace\n\temail = ada@example.com\n")
	s.write("~/.local/state/gsd/machine", "0123456789abcdef0123456789abcdef\n")
	git, err := exec.LookPath("git")
	if err != nil {
		t.Skip("no git")
	}
	s.env = []string{"HOME=" + filepath.Join(root, "home"), "PATH=" + filepath.Dir(git) + ":/usr/bin:/bin", "TZ=UTC"}
	return s
}

// at is a file: of .planning, with "./" of the project, with "~/" of the home.
func (s *scene) at(name string) string {
	if rest, ok := strings.CutPrefix(name, "~/"); ok {
		return filepath.Join(s.root, "home", rest)
	}
	if rest, ok := strings.CutPrefix(name, "./"); ok {
		return filepath.Join(s.root, "notes", rest)
	}
	return filepath.Join(s.root, "notes", ".planning", name)
}

func (s *scene) check(err error) {
	s.t.Helper()
	if err != nil {
		s.t.Fatalf("%s: %v", s.name, err)
	}
}

func (s *scene) write(name, text string) {
	s.t.Helper()
	name = s.at(name)
	s.check(os.MkdirAll(filepath.Dir(name), 0o755))
	s.check(os.WriteFile(name, []byte(text), 0o644))
}

func (s *scene) read(name string) string {
	s.t.Helper()
	text, err := os.ReadFile(s.at(name))
	s.check(err)
	return string(text)
}

// described are the schemas that some command's output was checked against.
var described = map[string]bool{}

// gsd runs a command line, and returns what it printed in the form of a section.
func (s *scene) gsd(line string, terminal bool) (section string, code int) {
	s.t.Helper()
	line, input, _ := strings.Cut(line, " <")
	var stdout, stderr bytes.Buffer
	a := &app{stdout: &stdout, stderr: &stderr, env: s.env, dir: s.dir, now: func() time.Time { return s.now }, style: view.Style{Colour: terminal, Bars: terminal}}
	if input != "" {
		a.stdin = strings.NewReader(frozenStdin[input])
	}
	code = a.run(context.Background(), strings.Fields(line))
	if strings.HasSuffix(line, " --json") && stdout.Len() > 0 {
		described[schemaName(line)] = true
		if err := checkSchema(schemaName(line), stdout.Bytes()); err != nil {
			s.t.Errorf("%s: gsd %s: %v\n%s", s.name, line, err, stdout.Bytes())
		}
	}
	var b strings.Builder
	if code != 0 {
		fmt.Fprintf(&b, "exit %d\n", code)
	}
	for text := range strings.Lines(stderr.String()) {
		b.WriteString("! " + text)
	}
	b.Write(stdout.Bytes())
	if stdout.Len() > 0 && !bytes.HasSuffix(stdout.Bytes(), []byte("\n")) {
		b.WriteString("␄\n")
	}
	return b.String(), code
}

// settle takes what differs from run to run out of the files, gives all the same age, and saves a copy.
func (s *scene) settle() {
	s.t.Helper()
	s.now = frozenNow
	host, err := os.Hostname()
	s.check(err)
	ids := strings.NewReplacer(append(s.replaceIDs("00000000%04d"), `"host_name":"`+host, `"host_name":"lab`, `"host_name": "`+host, `"host_name": "lab`)...)
	at := frozenNow.Add(-90 * time.Minute)
	s.walk(func(name string, info fs.FileInfo) {
		if !info.Mode().IsRegular() {
			return
		}
		if strings.Contains(name, "/sessions/") || strings.Contains(name, "/gsd/") {
			text, err := os.ReadFile(name)
			s.check(err)
			s.check(os.WriteFile(name, []byte(ids.Replace(string(text))), info.Mode().Perm()))
		}
		s.check(os.Chtimes(name, at, at))
	})
	for _, name := range s.young {
		s.check(os.Chtimes(name, frozenNow, frozenNow))
	}
	s.copy(s.root, s.root+".saved")
	s.t.Cleanup(func() { os.RemoveAll(s.root + ".saved") })
}

// putBack undoes what a command has written.
func (s *scene) putBack() { s.copy(s.root+".saved", s.root) }

func (s *scene) copy(from, to string) {
	s.t.Helper()
	s.check(os.RemoveAll(to))
	s.check(exec.Command("cp", "-a", from, to).Run())
}

// replaceIDs returns the ids of runs in the files, each followed by what stands for it.
func (s *scene) replaceIDs(format string) (pairs []string) {
	s.t.Helper()
	s.walk(func(name string, info fs.FileInfo) {
		if !info.Mode().IsRegular() || !strings.Contains(name, "/sessions/") {
			return
		}
		text, err := os.ReadFile(name)
		s.check(err)
		for _, m := range runID.FindAllStringSubmatch(string(text), -1) {
			if id := m[1]; !strings.HasPrefix(id, "00000000") && !slices.Contains(pairs, id) {
				pairs = append(pairs, id, fmt.Sprintf(format, len(pairs)/2+1))
			}
		}
	})
	return pairs
}

// walk goes through all files and directories but those of git.
func (s *scene) walk(see func(string, fs.FileInfo)) {
	s.t.Helper()
	s.check(filepath.WalkDir(s.root, func(name string, d fs.DirEntry, err error) error {
		if err != nil || d.Name() == ".git" {
			if err == nil && d.IsDir() {
				return fs.SkipDir
			}
			return err
		}
		info, err := d.Info()
		if err == nil {
			see(name, info)
		}
		return err
	}))
}

var (
	runID   = regexp.MustCompile(`"(?:id|run)": ?"([0-9a-f]{12})"`)
	token   = regexp.MustCompile(`\b[0-9a-f]{24}\b`)
	crumbID = regexp.MustCompile(`^([0-9a-f]{16})\.crumb\.json$`)
	crumbOf = regexp.MustCompile(`"user": "[^"]*"`)
	spaces  = regexp.MustCompile(`  +`)
)

// lost gives the ids of the breadcrumbs in the order of their names.
func (s *scene) lost() []string {
	var ids []string
	files, err := os.ReadDir(s.at("~/.local/state/gsd/crumbs"))
	if err != nil {
		return nil
	}
	for _, f := range files {
		if m := crumbID.FindStringSubmatch(f.Name()); m != nil {
			ids = append(ids, m[1])
		}
	}
	return ids
}

// ordered reports whether the breadcrumbs, whose ids begin with a sum of directory and user, come in the order of their users.
func (s *scene) ordered() bool {
	var all []string
	for _, id := range s.lost() {
		all = append(all, crumbOf.FindString(s.read("~/.local/state/gsd/crumbs/"+id+".crumb.json")))
	}
	return slices.IsSorted(all)
}

// normal names what differs from run to run.
func (s *scene) normal(text string, crumbs []string, wrote bool) string {
	var pairs []string
	if wrote {
		pairs = s.replaceIDs("new-run-%04d")
	}
	host, err := os.Hostname()
	s.check(err)
	program, err := os.Executable()
	s.check(err)
	pairs = append(pairs,
		s.root, "/frozen", program, "/bin/gsd", version(), "VERSION", "@"+host, "@lab", " on "+host, " on lab",
		`"host_name": "`+host, `"host_name": "lab`, "\x1b", "␛")
	if strings.HasPrefix(text, "{") && strings.Count(text, "\n") == 1 { // an envelope, of one line
		pairs = append(pairs, `\n`, "\\n\n")
	}
	for i, id := range crumbs {
		pairs = append(pairs, id, fmt.Sprintf("crumb-%010d", i+1))
	}
	for _, id := range s.lost() {
		if !slices.Contains(crumbs, id) {
			pairs = append(pairs, id, "crumb-of-this-run")
		}
	}
	if text = strings.NewReplacer(pairs...).Replace(text); s.agent != "" && strings.Contains(text, s.agent) {
		text = regexp.MustCompile(`\b`+s.agent+`\b`).ReplaceAllString(text, "PID")
		text = spaces.ReplaceAllString(text, "  ") // their widths depend on the number
	}
	text = timeOf().ReplaceAllString(text, "State of 2026-01-02 03:04:05 UTC")
	return token.ReplaceAllString(text, "token-000000000000000000")
}

// sections runs every command of a state.
func (s *scene) sections() (names, texts []string) {
	lines := frozenCommands + s.lines
	if s.alone {
		lines = s.lines
	}
	n := 0
	reads := reader{scene: s}
	for line := range strings.Lines(lines) {
		line = strings.TrimSpace(line)
		if line == "" {
			continue
		}
		every := 2
		if line[0] == '*' {
			every = 6
		}
		if n++; s.part > 0 && !s.alone && (n+s.part)%every != 0 {
			continue
		}
		command := strings.TrimLeft(line, "+*")
		crumbs := s.lost()
		if strings.Contains(command, "$LOST") {
			id := "ffffffffffffffff"
			if len(crumbs) > 0 {
				id = crumbs[0]
			}
			command = strings.ReplaceAll(command, "$LOST", id)
		}
		if line[0] == '*' {
			reads.check()
		} else {
			reads.add(line)
		}
		text, _ := s.gsd(command, line[0] == '+')
		text = s.normal(text, crumbs, line[0] == '*')
		if strings.HasSuffix(command, "--format html") && !slices.Contains(frozenPages, s.name) {
			text = fmt.Sprintf("sha256 %x\n", sha256.Sum256([]byte(text)))
		}
		names, texts = append(names, line), append(texts, text)
		if line[0] == '*' {
			s.putBack()
		}
	}
	for line := range strings.Lines(strings.TrimSpace(frozenReading)) {
		if n++; s.part > 0 && (n+s.part)%2 != 0 {
			continue
		}
		reads.add(strings.TrimSpace(line))
		s.gsd(strings.TrimSpace(line), false)
	}
	reads.check()
	return names, texts
}

func TestFrozen(t *testing.T) { // not beside others: the library's help flag is a shared variable
	known := golden{}
	if !*update {
		known.read(t)
	}
	for i, state := range frozenStates {
		s := state.make(t)
		for try := 0; !s.ordered(); try++ {
			if try > 40 {
				t.Fatalf("%s: %q", state.name, s.lost())
			}
			os.RemoveAll(s.root)
			s = state.make(t)
		}
		if !*thorough && !*update {
			s.part = i + 1
		}
		s.holdDoctor()
		names, texts := s.sections()
		var all strings.Builder
		for i, name := range names {
			text := texts[i]
			if !*update {
				known.compare(t, state.name, name, text)
				continue
			}
			fmt.Fprintf(&all, "-- gsd %s --\n%s", name, known.shorten(state.name, name, text))
		}
		if *update {
			s.check(os.WriteFile(filepath.Join(frozenDir, state.name+".txt"), []byte(all.String()), 0o644))
		}
		os.RemoveAll(s.root)
	}
	all, err := schemas()
	if err != nil {
		t.Fatal(err)
	}
	want := slices.Sorted(maps.Keys(all))
	want = slices.DeleteFunc(want, func(name string) bool { return name == "sync" || name == "summary" }) // which need a remote and complete tasks: sync.txtar, done_summary.txtar
	if got := slices.Sorted(maps.Keys(described)); !slices.Equal(got, want) {
		t.Errorf("the output of %q was checked, there are schemas for %q", got, want)
	}
	if files, err := os.ReadDir(frozenDir); err != nil || len(files) != len(frozenStates) {
		t.Errorf("%d files in %s for %d states: %v", len(files), frozenDir, len(frozenStates), err)
	}
}

// make makes the state.
func (f frozenState) make(t *testing.T) *scene {
	t.Helper()
	s := newScene(t, f.name)
	for _, act := range f.acts {
		act(s)
	}
	s.settle()
	return s
}

// golden is what the files hold: by state and command, what it printed.
type golden map[string]string

func (g golden) read(t *testing.T) {
	t.Helper()
	for _, state := range frozenStates {
		text, err := os.ReadFile(filepath.Join(frozenDir, state.name+".txt"))
		if err != nil {
			t.Fatal(err)
		}
		for section := range strings.SplitSeq("\n"+strings.TrimSuffix(string(text), "\n"), "\n-- gsd ") {
			name, text, _ := strings.Cut(section, " --\n")
			g[state.name+": "+name] = g.whole(name, text)
		}
	}
}

// shorten gives what stands in the file for what a command printed: where it is shorter, the difference from what the
// same command prints in the first state.
func (g golden) shorten(state, name, text string) string {
	text = strings.TrimSuffix(text, "\n")
	if state == frozenStates[0].name {
		g[state+": "+name] = text
		return text + "\n"
	}
	base, lines := g.base(name), strings.Split(text, "\n")
	common := make([][]int, len(base)+1) // lines that the rest of both have in common
	for i := range common {
		common[i] = make([]int, len(lines)+1)
	}
	for i := len(base) - 1; i >= 0; i-- {
		for j := len(lines) - 1; j >= 0; j-- {
			if common[i][j] = max(common[i+1][j], common[i][j+1]); base[i] == lines[j] {
				common[i][j] = common[i+1][j+1] + 1
			}
		}
	}
	var b strings.Builder
	b.WriteString(asInFirst)
	for i, j := 0, 0; i < len(base) || j < len(lines); {
		same, gone := 0, 0
		for ; i < len(base) && j < len(lines) && base[i] == lines[j]; i, j = i+1, j+1 {
			same++
		}
		for ; i < len(base) && (j == len(lines) || base[i] != lines[j] && common[i+1][j] >= common[i][j+1]); i++ {
			gone++
		}
		if same > 0 || gone > 0 {
			fmt.Fprintf(&b, "= %d, - %d\n", same, gone)
		}
		for ; j < len(lines) && (i == len(base) || base[i] != lines[j] && common[i+1][j] < common[i][j+1]); j++ {
			b.WriteString("+ " + lines[j] + "\n")
		}
	}
	if b.Len() < len(text) {
		return b.String()
	}
	return text + "\n"
}

// whole is what was printed where shorten gave text.
func (g golden) whole(name, text string) string {
	text, short := strings.CutPrefix(text, asInFirst)
	if !short {
		return text
	}
	base := g.base(name)
	var lines []string
	for line := range strings.Lines(text) {
		line = strings.TrimSuffix(line, "\n")
		if added, ok := strings.CutPrefix(line, "+ "); ok {
			lines = append(lines, added)
			continue
		}
		var same, gone int
		if n, err := fmt.Sscanf(line, "= %d, - %d", &same, &gone); n != 2 || err != nil || same+gone > len(base) {
			return "gsd " + name + ": " + line + " does not fit what it prints in the first state"
		}
		lines = append(lines, base[:same]...)
		base = base[same+gone:]
	}
	return strings.Join(lines, "\n")
}

// base is what a command prints in the first state.
func (g golden) base(name string) []string {
	return strings.Split(g[frozenStates[0].name+": "+name], "\n")
}

// asInFirst begins a section that is told by its difference from that of the first state: so many lines are the same, so
// many are not there, and after "+ " those that are there instead.
const asInFirst = "as in resume, but\n"

// compare holds what a command printed against its file.
func (g golden) compare(t *testing.T, state, name, got string) {
	t.Helper()
	want, ok := g[state+": "+name]
	if got = strings.TrimSuffix(got, "\n"); got != want || !ok {
		t.Errorf("%s: gsd %s\n%s", state, name, diff.Diff("want", []byte(want), "got", []byte(got)))
	}
}
