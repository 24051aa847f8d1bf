//go:build linux

package main

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"maps"
	"os"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/gsd-cli/gsd/internal/testenv"
	"github.com/gsd-cli/gsd/planfile"
)

// A stage is where printed commands are tried.
type stage struct {
	run    func(stdin string, words ...string) result // runs a command
	do     func(stdin string, words ...string) result // runs a printed command
	log    []string
	broken []violation
}

// A violation of the law.
type violation struct {
	law    string // in a few words, with the command that broke it
	detail string
	log    []string // the steps and commands up to there
}

// A result is what a command printed, and its exit code.
type result struct {
	out, err string
	code     int
	killed   bool // before its end
}

func (w *stage) violate(law, format string, args ...any) {
	w.broken = append(w.broken, violation{law, fmt.Sprintf(format, args...), slices.Clone(w.log)})
}

// seen is the part of what hydrate says that the laws are about.
type seen struct {
	Verdict, Plan string
	Tasks         []struct{ Status string }
	Stale         []struct{ Reason string }
	Recovery      struct{ Doubtful []struct{ ID string } }
}

// doubts reports whether a run may be over.
func (s seen) doubts(id string) bool {
	return slices.ContainsFunc(s.Recovery.Doubtful, func(r struct{ ID string }) bool { return r.ID == id })
}

func (s seen) done() (n int) {
	for _, t := range s.Tasks {
		if planfile.Status(t.Status).Settled() {
			n++
		}
	}
	return n
}

func (s seen) live() bool { return s.Verdict == "resume" || s.Verdict == "complete" }

func (s seen) String() string {
	return fmt.Sprintf("%s on %s, %d of %d %v", s.Verdict, s.Plan, s.done(), len(s.Tasks), s.Stale)
}

func (w *stage) look(in ...string) (s seen) {
	r := w.run("", append(in, "hydrate", "--json")...)
	if err := json.Unmarshal([]byte(r.out), &s); err != nil && r.code == 0 {
		w.violate("hydrate --json", "%v: exit %d %s", err, r.code, r.err)
	}
	return s
}

var readOnly = lazyRegexp(`^gsd (hydrate|next|status|tasks|whoami|doctor|state( -C .*| --ws .*)?$|run list|restore --list|.* --help\b)`)

// try runs a printed command and checks what it promises.
func (w *stage) try(p printed, said, printer string) {
	if p.isTemplate() {
		if p.try {
			w.violate("not to be run as printed: "+p.line, "%s: %s", printer, p.promise)
		}
		return
	}
	words, err := shellWords(p.line)
	if err == nil && strings.ContainsAny(p.line, `'\`) {
		var real []string
		if real, err = inShell(p.line); err == nil && !slices.Equal(real, words) {
			err = fmt.Errorf("%s: %q, sh says %q", p.line, words, real)
		}
	}
	if err != nil {
		w.violate("words: "+shape(p.line), "%v", err)
		return
	}
	law := fmt.Sprintf("%s prints %s (%s)", shape(printer), shape(p.line), shape(p.promise))
	in, _ := splitPlace(words)
	before := w.look(in...)
	w.log = append(w.log, fmt.Sprintf("# from %s: %s (%s)", printer, p.line, p.promise))
	r := w.do("", words[1:]...)
	if r.killed {
		return
	}
	if r.code != 0 {
		w.violate("fails: "+law, "exit %d %s", r.code, r.err)
		return
	}
	after := w.look(in...)
	if wrong := promised(p, words, before, after, r); wrong != "" {
		w.violate("promise: "+law, "%s\nbefore: %s\nafter: %s\n%s", wrong, before, after, r.out)
	}
	if readOnly().MatchString(p.line) {
		return
	}
	if !readOnly().MatchString(printer) {
		return
	}
	words, _ = shellWords(printer)
	again := w.run("", words[1:]...)
	for _, q := range allPrinted(again.out + again.err) {
		if q.line == p.line && !q.isTemplate() && before.Verdict == after.Verdict && before.done() == after.done() {
			w.violate("loop: "+law, "%s\n%s\n%s", said, r.out, again.out+again.err)
		}
	}
}

// splitPlace splits the words of a command into those that say where it acts, -C and --ws with their values, and all others.
func splitPlace(words []string) (in, bare []string) {
	for n := 0; n < len(words); n++ {
		switch {
		case words[n] == "--":
			return in, append(bare, words[n:]...)
		case (words[n] == "-C" || words[n] == "--ws") && n+1 < len(words):
			in = append(in, words[n], words[n+1])
			n++
		default:
			bare = append(bare, words[n])
		}
	}
	return in, bare
}

var numbers = lazyRegexp(`[0-9a-f]{12,}|\d+`)

// shape is a line without what differs between plans, tasks and runs.
func shape(line string) string {
	line = regexp.MustCompile(`'[^ ]*\.planning/.*?PLAN\.md'|\.planning/\S*PLAN\.md|\b[0-9.]+-[0-9]+\b`).ReplaceAllString(line, "#PLAN")
	return numbers().ReplaceAllString(line, "#")
}

// promises are what comments mean: the first that fits counts.
var promises = []struct {
	command, says string
	holds         func(words []string, before, after seen, r result) string
}{
	{`^gsd mark \d+ in-progress`, ``, taskIs("in-progress")},
	{`^gsd done \d+`, ``, taskIs("complete")},
	{`^gsd done --summary`, `writes a draft|makes that draft`, isWritten},
	{`^gsd archive$`, ``, isArchived},
	{`^gsd bootstrap`, `keeps what is done|continues`, both(isLive, keeps)},
	{`^gsd bootstrap`, ``, isLive},
	{`^gsd archive `, ``, nil},
	{`^gsd (forget --help|help )`, ``, nil},
	{`^gsd restore --list`, ``, nil},
	{`^gsd restore`, ``, isRestored},
	{`^gsd run sweep`, ``, nil},
	{`^gsd run end [0-9a-f]`, ``, isOver},
	{`^gsd run (start|end|list)`, ``, nil},
	{`^gsd hydrate`, `continues`, isLive},
	{`^gsd (hydrate|next|tasks|status|state|whoami)`, ``, nil},
}

// promised returns what is wrong after a printed command, "" for nothing.
func promised(p printed, words []string, before, after seen, r result) string {
	line := p.line
	if in, bare := splitPlace(words); len(in) > 0 {
		words, line = bare, strings.Join(bare, " ")
	}
	if slices.Contains(words, "complete") {
		return "Claude refuses the word complete in an isolated worktree"
	}
	for _, q := range promises {
		if regexp.MustCompile(q.command).MatchString(line) && regexp.MustCompile(q.says).MatchString(p.promise) {
			if q.holds == nil {
				return ""
			}
			return q.holds(words, before, after, r)
		}
	}
	return "nobody knows what that promises"
}

func both(first, second func([]string, seen, seen, result) string) func([]string, seen, seen, result) string {
	return func(words []string, before, after seen, r result) string {
		if wrong := first(words, before, after, r); wrong != "" {
			return wrong
		}
		return second(words, before, after, r)
	}
}

func taskIs(status string) func([]string, seen, seen, result) string {
	return func(words []string, _, after seen, r result) string {
		at := slices.IndexFunc(words, func(word string) bool { return word == "mark" || word == "done" })
		n, _ := strconv.Atoi(words[at+1])
		if n < 1 || n > len(after.Tasks) || after.Tasks[n-1].Status != status {
			return "the task is not " + status
		}
		return ""
	}
}

func isLive(words []string, _, after seen, _ result) string {
	if !after.live() {
		return "the session is not live"
	}
	if at := slices.Index(words, "bootstrap") + 1; at > 0 && at < len(words) && strings.Contains(words[at], "/") && after.Plan != words[at] {
		return "it is on another plan"
	}
	return ""
}

func isOver(words []string, before, after seen, _ result) string {
	id := words[slices.Index(words, "end")+1]
	if !before.doubts(id) {
		return "it may be at work"
	}
	if after.doubts(id) {
		return "it has not ended"
	}
	return ""
}

func isArchived(_ []string, _, after seen, _ result) string {
	if after.Verdict != "none" {
		return "there is a session"
	}
	return ""
}

func isWritten(_ []string, _, _ seen, r result) string {
	if !strings.HasPrefix(r.out, "wrote ") {
		return "nothing was written"
	}
	return ""
}

func isRestored(_ []string, _, after seen, r result) string {
	if !after.live() && !strings.Contains(r.out, "restored ") { // elsewhere
		return "there is no session that can be continued"
	}
	return ""
}

func keeps(_ []string, before, after seen, r result) string {
	if before.done() > after.done() && len(before.Tasks) == len(after.Tasks) && !strings.Contains(r.out, "not carried: ") {
		return "less is done"
	}
	return ""
}

// TestPrinted tries every command that is printed in an eighth of the states of TestStates by those that read; with GSD_THOROUGH=1,
// in all states, and also by those that write.
func TestPrinted(t *testing.T) { // not beside others: the library's help flag is a shared variable
	if testing.Short() {
		t.Skip("makes many states")
	}
	found, tried := map[string][]string{}, 0
	for i, st := range projectStates {
		if !testenv.Thorough() && i%8 > 0 {
			continue
		}
		if st.name == "guessed-user" { // git's configuration is broken, and nothing that writes works before it is fixed
			continue
		}
		s := st.make(t)
		w := &stage{run: s.run}
		w.do = w.run
		known := map[string]bool{}
		for line := range strings.Lines(stateCommands) {
			line = strings.TrimSpace(line)
			writes := strings.HasPrefix(line, "*")
			if line = strings.TrimPrefix(line, "*"); line == "" || line[0] == '+' || strings.Contains(line, "$LOST") || writes && !testenv.Thorough() {
				continue
			}
			command, stdin, _ := strings.Cut(line, " <")
			words := strings.Fields(command)
			r := w.run(hostInput[stdin], words...)
			env := s.env
			if stdin == "start" { // what it prints is for the agent of that conversation
				s.env = append(slices.Clip(env), "CLAUDECODE=1", "CLAUDE_CODE_SESSION_ID=new-conversation")
			}
			if line := bareCommand(r.out + r.err); line != "" {
				t.Errorf("%s: gsd %s: a command in a sentence is not between backticks: %s", st.name, command, line)
			}
			for i, p := range allPrinted(r.out + r.err) {
				if known[p.line+p.promise] && !writes {
					continue
				}
				known[p.line+p.promise] = true
				if i > 0 && writes {
					w.run(hostInput[stdin], words...)
				}
				w.try(p, r.out+r.err, "gsd "+command)
				tried++
				if writes || !readOnly().MatchString(p.line) {
					s.putBack()
				}
			}
			s.env = env
			if writes {
				s.putBack()
			}
		}
		for _, v := range w.broken {
			found[v.law] = append(found[v.law], st.name+": "+v.detail)
		}
		os.RemoveAll(s.root)
	}
	t.Logf("%d commands tried", tried)
	for _, law := range slices.Sorted(maps.Keys(found)) {
		t.Errorf("%s (in %d states)\n%s\n", law, len(found[law]), found[law][0])
	}
}

func (s *scene) run(stdin string, words ...string) (r result) {
	var stdout, stderr bytes.Buffer
	a := &program{stdout: &stdout, stderr: &stderr, env: s.env, dir: s.dir, now: func() time.Time { return s.now }}
	if stdin != "" {
		a.stdin = strings.NewReader(stdin)
	}
	r.code = a.run(context.Background(), words)
	r.out, r.err = stdout.String(), stderr.String()
	return r
}
