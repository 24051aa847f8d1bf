//go:build e2e && unix

package e2e

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/gsd-cli/gsd/internal/testenv"
)

// interactive_test.go tries the clients as people use them: in a terminal, with the host's own approvals.

// ui is how a client is used in a terminal.
type ui struct {
	// config is what its first start would ask for, as files below HOME that are not in client.config.
	config func(w *world) map[string]string
	// args start a conversation, and these and resume the latest one again.
	args, resume []string
	// ready is on the screen when the client takes a prompt.
	ready string
	// first is what the first start asks, whatever the configuration: a text of each question, and the keys that answer
	// it.
	first [][]string
	// clear, compact and quit are what a person types to start another conversation, to compact the conversation and to leave, and
	// compacted is then on the screen. If late is set, the client says only some time later that it was left.
	clear, compact, compacted, quit, late string
	// asks is on the screen while the client asks whether a command may run, and yes is the key that allows it.
	asks, yes string
	// resumesTwice is set if the brief may reach the model twice when a conversation is resumed.
	resumesTwice bool
	// mute is set if the client shows the person no message of a hook.
	mute bool
	// userStatusLine is set if only a user, not a project, can have a status line.
	userStatusLine bool
	// delegating are further arguments for a client that is to start subagents, and subagent makes it give one a prompt.
	delegating []string
	subagent   func(prompt string) reply
	// lacks is what to say of a situation, by its name, that the client does not have.
	lacks map[string]string
}

// situation is something that people do with a client. The function returns what is to be seen in the table, if it is
// more than that it works.
type situation struct {
	name, what string
	play       func(t *testing.T, p *play) string
	only       string // the host that has it, if it is of one
}

// worktree is the situation of a client that makes a worktree for the conversation. notTried is said of the others that can.
const worktree, notTried = "worktree of its own", "tried with Claude only"

// chains are the situations, of which those of a chain follow one another in one project, and mostly in one terminal: what costs most is to
// start a client.
var chains = slices.Concat([][]situation{
	{
		{name: "start", what: "the brief reaches the model", play: func(t *testing.T, p *play) string {
			s := p.open(t, "one")
			told(t, p.ask(s, "Begin."), 1, 1)
			s.waitFor("Answer to: Begin.")
			return ""
		}},
		{name: "first mark", what: "the agent's first gsd mark runs", play: func(t *testing.T, p *play) string {
			asks := p.act(p.at(t, "one"), "Mark it.", "gsd mark 1 complete")
			if !strings.Contains(p.w.gsd(t, "hydrate"), "1 of 3 tasks complete") {
				t.Errorf("the task is not marked:\n%s", p.at(t, "one").text())
			}
			if asks {
				return "asks first"
			}
			return "without asking"
		}},
		{name: "clear", what: "the brief reaches the model again, and shows the progress since", play: func(t *testing.T, p *play) string {
			s := p.at(t, "one")
			p.clear(s, "Mark it.")
			told(t, p.ask(s, "Go on."), 2, 1)
			s.waitFor("Answer to: Go on.")
			return ""
		}},
		{name: "compaction by hand", what: "the brief reaches the model again, and shows the progress since", play: func(t *testing.T, p *play) string {
			s := p.at(t, "one")
			p.say(s, "Think.")
			p.w.gsd(t, "mark", "2", "complete")
			s.enter(p.ui.compact)
			s.waitFor(p.ui.compacted)
			told(t, p.ask(s, "Finish."), 3, 1)
			s.waitFor("Answer to: Finish.")
			return ""
		}},
		{name: "resume", what: "the brief reaches the model again, and shows the progress since", play: func(t *testing.T, p *play) string {
			p.quit(p.at(t, "one"))
			p.w.gsd(t, "mark", "1", "pending") // of which this conversation has read nothing
			s := p.open(t, "two", p.ui.resume...)
			asked := p.ask(s, "Once more.")
			if !p.ui.resumesTwice || strings.Count(asked.strings(), resume[1]) != 2 {
				told(t, asked, 1, 1) // Gemini restores the conversation while the hook runs: mostly that replaces the hook's text
			}
			s.waitFor("Answer to: Once more.")
			return ""
		}},
		{name: "quit", what: "the run ends", play: func(t *testing.T, p *play) string {
			s := p.at(t, "two")
			p.untilOpen(s, 1)
			p.quit(s)
			late := p.openRuns(t) > 0
			p.untilOpen(s, 0)
			for _, r := range p.runs(t) {
				if r.State != "success" && r.State != "cancelled" { // by the /clear
					t.Errorf("the conversation is over, but gsd run list lists %+v", r)
				}
			}
			if late {
				return p.ui.late
			}
			return ""
		}},
	},
	{
		{name: "done in two terminals", what: "the second cannot finish the first one's task, and the first does", play: func(t *testing.T, p *play) string {
			one, two := p.open(t, "one"), p.open(t, "two")
			p.act(one, "Begin.", "gsd mark 1 in-progress")
			p.act(two, "Help.", "gsd done")
			if tasks := p.w.gsd(t, "tasks"); !strings.Contains(tasks, "1  in progress") {
				t.Errorf("the second terminal's gsd done changed the first one's task:\n%s", tasks)
			}
			p.act(one, "Go on.", "gsd done")
			if tasks := p.w.gsd(t, "tasks"); !strings.Contains(tasks, "1  complete") {
				t.Errorf("gsd done did not finish its own task:\n%s", tasks)
			}
			return ""
		}},
		{name: "two terminals", what: "each has its run, and one goes on when the other is left", play: func(t *testing.T, p *play) string {
			one, two := p.at(t, "one"), p.at(t, "two")
			p.untilOpen(two, 2)
			p.quit(two)
			p.say(one, "Think.")
			if !slices.ContainsFunc(p.runs(t), func(r run) bool { return r.Ended == nil && len(r.Tasks) > 0 }) {
				t.Error("the first run does not go on")
			}
			return ""
		}},
		{name: "kill and restart", what: "the model and the person are told that the task was interrupted", play: func(t *testing.T, p *play) string {
			s := p.at(t, "one")
			p.act(s, "Finish.", "gsd mark 2 in-progress")
			p.w.killAll()
			s.ended()
			s = p.open(t, "three")
			if asked := p.ask(s, "Once more.").strings(); !strings.Contains(asked, "it was interrupted") {
				t.Errorf("the model was not told of the interruption:\n%s", asked)
			}
			if p.ui.mute {
				return "but only the model"
			}
			s.waitFor("gsd: task 2 of 01-01 was interrupted: Water the larch")
			return ""
		}},
	},
	{
		{name: "three conversations in one window", what: "none is told of another at work", play: func(t *testing.T, p *play) string {
			s := p.open(t, "one", p.ui.delegating...)
			p.say(s, "Begin.")
			for _, prompts := range [][2]string{{"Begin.", "Go on."}, {"Go on.", "Finish."}} {
				p.clear(s, prompts[0])
				asked := p.ask(s, prompts[1])
				told(t, asked, 1, 1)
				s.waitFor("Answer to: " + prompts[1])
				if text := asked.strings(); strings.Contains(text, "at work: ") {
					t.Errorf("somebody is said to be at work:\n%s", text)
				}
			}
			s.until("not one of three runs is open", func() bool { return len(p.runs(t)) == 3 && p.openRuns(t) == 1 })
			return ""
		}},
		{name: "commands with arguments", what: "the model reads what was typed", play: func(t *testing.T, p *play) string {
			s := p.at(t, "one")
			for _, c := range [][2]string{ // what is typed, and what the command says
				{"hydrate", "That is what gsd knows about the current plan"},
				{"bootstrap 01-01", "Run `gsd bootstrap PLAN`"},
				{"mark 3 in-progress", "and `gsd mark N STATUS` if STATUS is in-progress"},
				{"status", "Run `gsd status`"},
			} {
				name, arguments, _ := strings.Cut(c[0], " ")
				word := "larch-" + name
				p.model.on(word)
				s.enter(strings.Replace(p.command, "hydrate", name, 1) + " " + strings.TrimLeft(arguments+" "+word, " "))
				asked := p.model.prompted(t, word).strings()
				if !strings.Contains(asked, c[1]) || !strings.Contains(asked, arguments) {
					t.Errorf("the model did not read %q for %s:\n%s", c[1], c[0], asked)
				}
				s.waitFor("Answer to: " + word)
			}
			return ""
		}},
		{name: "subagent", what: "it belongs to the run", play: func(t *testing.T, p *play) string {
			s := p.at(t, "one")
			p.model.on("Look around.")
			p.say(s, "Delegate.", p.ui.subagent("Look around."))
			p.model.prompted(t, "Look around.")
			if all := p.runs(t); len(all) != 3 || p.openRuns(t) != 1 {
				t.Errorf("it has a run of its own: %+v", all)
			}
			return ""
		}},
		{name: "subagent sent to a plan", what: "it reads how far the plan is, and the task to go on with", play: func(t *testing.T, p *play) string {
			const prompt = "Execute the plan .planning/phases/01-larch/01-01-PLAN.md."
			p.w.gsd(t, "mark", "1", "complete")
			p.model.on(prompt)
			p.say(p.at(t, "one"), "Have it done.", p.ui.subagent(prompt))
			told(t, p.model.prompted(t, prompt), 2, 1)
			return ""
		}},
	},
}, alone([]situation{
	{name: "login shell without gsd", what: "the command that the brief names runs", play: func(t *testing.T, p *play) string {
		for _, name := range []string{".profile", ".bash_profile", ".zprofile"} {
			write(t, filepath.Join(p.w.home, name), "PATH=/usr/local/bin:/usr/bin:/bin\n")
		}
		p.w.gsd(t, "install", p.host, "--remove")
		p.w.gsd(t, "install", p.host, "--scope", "user")
		s := p.open(t, "one")
		brief := p.ask(s, "Begin.").strings()
		s.waitFor("Answer to: Begin.")
		command := regexp.MustCompile("`([^`]*gsd\"? mark 1 in-progress)`").FindStringSubmatch(brief)
		if command == nil {
			t.Fatalf("the brief names no command:\n%s", brief)
		}
		p.act(s, "Mark it.", command[1])
		if tasks := p.w.gsd(t, "tasks"); !strings.Contains(tasks, "1  in progress") {
			t.Errorf("%s did not run:\n%s", command[1], s.text())
		}
		return ""
	}},
	{name: worktree, what: "the agent is briefed and marks there, and what it marked outlives the worktree", play: func(t *testing.T, p *play) string {
		for _, args := range [][]string{{"add", "."}, {"commit", "-q", "-m", "gsd"}} {
			p.w.run(t, p.w.project, p.w.env(), "git", args...)
		}
		p.w.gsd(t, "archive")
		s := p.open(t, "one", "-w", "larch")
		if asked := p.ask(s, "Begin.").strings(); !strings.Contains(asked, "`gsd bootstrap 01-01`") {
			t.Errorf("no brief in the worktree:\n%s", asked)
		}
		s.waitFor("Answer to: Begin.")
		p.act(s, "Start it.", "gsd bootstrap 01-01")
		p.act(s, "Mark it.", "gsd done 1")
		p.quit(s)
		if _, err := os.Stat(filepath.Join(p.w.project, ".claude", "worktrees", "larch")); err == nil {
			t.Errorf("the worktree is still there:\n%s", s.text())
		}
		said := p.w.gsd(t, "hydrate")
		restore := regexp.MustCompile(`try: gsd restore ([0-9a-f]{16}) `).FindStringSubmatch(said)
		if restore == nil || !strings.Contains(said, "was removed") || strings.Contains(said, "crashed") {
			t.Fatalf("gsd hydrate in the main checkout does not say what was lost:\n%s", said)
		}
		p.w.gsd(t, "restore", restore[1])
		told(t, p.ask(p.open(t, "two"), "Go on."), 2, 1)
		return ""
	}},
	{name: "status line", what: "it follows a mark from outside", play: func(t *testing.T, p *play) string {
		args := []string{"install", p.host, "--statusline"}
		if p.ui.userStatusLine {
			args = append(args, "--scope", "user")
		}
		p.w.gsd(t, args...)
		s := p.open(t, "one")
		s.waitFor("0/3")
		p.w.gsd(t, "mark", "1", "complete")
		s.waitFor("1/3")
		return ""
	}},
}), alone(waysIn))

// situations are those of all chains.
var situations = slices.Concat(chains...)

// alone returns chains of one situation each.
func alone(all []situation) (chains [][]situation) {
	for _, s := range all {
		chains = append(chains, []situation{s})
	}
	return chains
}

// play is a client in a terminal, with a model.
type play struct {
	client
	w     *world
	model *standIn
	tmux  *tmux
	// questions are those of ui.first that have not been answered yet.
	questions [][]string
}

// open starts the client in the project and waits until it takes a prompt. One that ends before that is started again:
// Codex does if it is slow ("timed out discarding buffered terminal input").
func (p *play) open(t *testing.T, name string, args ...string) *screen {
	t.Helper()
	for left := tries - 1; ; left-- {
		s := p.tmux.open(t, name, p.w.project, p.w.env(p.env(p.w, p.model.URL)...), p.w.client, append(slices.Clone(p.ui.args), args...)...)
		for ; len(p.questions) > 0 && !s.dead(); p.questions = p.questions[1:] {
			question := p.questions[0]
			s.until(fmt.Sprintf("the screen does not show %q", question[0]), func() bool { return s.shows(question[0]) || s.dead() })
			s.press(question[0], question[1:]...)
		}
		s.until(fmt.Sprintf("the screen does not show %q", p.ui.ready), func() bool { return s.shows(p.ui.ready) || s.dead() })
		if !s.dead() {
			return s
		}
		if left == 0 {
			t.Fatalf("the client ended at its start:\n%s", s.text())
		}
		t.Logf("started again because it ended at its start:\n%s", s.text())
		if _, err := s.run("kill-session", "-t", name); err != nil {
			t.Fatal(err)
		}
		p.configure(t)
	}
}

// at returns the terminal of that name, which is open.
func (p *play) at(t *testing.T, name string) *screen { return &screen{p.tmux, t, name} }

// configure writes the client's configuration, of which it then asks everything again.
func (p *play) configure(t *testing.T) {
	t.Helper()
	for name, text := range p.config(p.w, p.model.URL) {
		write(t, filepath.Join(p.w.home, name), text)
	}
	if p.ui.config != nil {
		for name, text := range p.ui.config(p.w) {
			write(t, filepath.Join(p.w.home, name), text)
		}
	}
	p.questions = p.ui.first
}

// ask enters a prompt, to which the model answers with the script, and returns the first question to the model that it
// leads to. Prompts of one test differ.
func (p *play) ask(s *screen, prompt string, script ...reply) request {
	s.t.Helper()
	p.model.on(prompt, script...)
	s.enter(prompt)
	pressed := time.Now()
	s.until(fmt.Sprintf("%q did not reach the model", prompt), func() bool {
		if slices.ContainsFunc(p.model.all(), func(r request) bool { return r.begins(prompt) }) {
			return true
		}
		if time.Since(pressed) > 15*time.Second { // Gemini drops an Enter while it restores a conversation
			s.keys("Enter")
			pressed = time.Now()
		}
		return false
	})
	return p.model.prompted(s.t, prompt)
}

// say is ask, and waits for the answer on the screen.
func (p *play) say(s *screen, prompt string, script ...reply) {
	s.t.Helper()
	p.ask(s, prompt, script...)
	s.waitFor("Answer to: " + prompt)
}

// act is say for a prompt to which the model answers with a command. It allows that command, and reports whether the client asked.
func (p *play) act(s *screen, prompt, command string) (asks bool) {
	s.t.Helper()
	p.ask(s, prompt, reply{shell: command})
	s.until(command+" neither ran nor was asked for", func() bool {
		asks = s.shows(p.ui.asks)
		return asks || s.shows("Answer to: "+prompt)
	})
	if asks {
		s.keys(p.ui.yes)
	}
	s.waitFor("Answer to: " + prompt)
	return asks
}

// clear starts another conversation, when the answer to a prompt is on the screen, which is then gone.
func (p *play) clear(s *screen, prompt string) {
	s.t.Helper()
	s.enter(p.ui.clear)
	s.until("the old conversation is still there", func() bool { return !s.shows("Answer to: " + prompt) })
}

// quit leaves the client.
func (p *play) quit(s *screen) {
	s.t.Helper()
	s.enter(p.ui.quit)
	entered := time.Now()
	s.until("the program has not ended", func() bool {
		if s.dead() {
			return true
		}
		if time.Since(entered) > 15*time.Second { // Copilot puts what comes while it works into a queue, and may leave it there
			s.keys("-l", p.ui.quit)
			time.Sleep(6 * poll)
			s.keys("Enter")
			entered = time.Now()
		}
		return false
	})
}

// runs returns the runs of the project.
func (p *play) runs(t *testing.T) []run {
	t.Helper()
	cmd := exec.Command(filepath.Join(p.w.bin, "gsd"), "run", "list", "--json")
	cmd.Dir, cmd.Env = p.w.project, p.w.env()
	out, err := cmd.Output()
	if err != nil {
		t.Fatal(err)
	}
	return runsIn(t, string(out))
}

// openRuns returns how many runs of the project have not ended, and untilOpen waits until it is so many.
func (p *play) openRuns(t *testing.T) (open int) {
	t.Helper()
	for _, r := range p.runs(t) {
		if r.Ended == nil {
			open++
		}
	}
	return open
}

func (p *play) untilOpen(s *screen, open int) {
	s.t.Helper()
	s.until(fmt.Sprintf("not %d runs are open", open), func() bool { return p.openRuns(s.t) == open })
}

// TestInteractive plays the situations with every client, and compares docs/tried.md with what was found. Unless it is to be thorough, most
// clients play only the first chain: it takes as long as all else to start each of them seven times.
func TestInteractive(t *testing.T) {
	t.Parallel()
	gsd, found := build(t), newTable(clients())
	t.Cleanup(func() { found.compare(t) }) // when all parallel tests are over
	for _, c := range clients() {
		if c.ui.ready == "" {
			continue
		}
		t.Run(c.host, func(t *testing.T) {
			t.Parallel()
			found.version(c, c.version(t))
			for i, chain := range chains {
				if i > 0 && !testenv.Thorough() && c.host != "claude" && c.host != "codex" {
					continue
				}
				var plays []situation
				var names []string
				for _, one := range chain {
					switch why := c.ui.lacks[one.name]; {
					case one.only != "" && one.only != c.host:
					case why != "":
						found.add(c, one, why)
						t.Logf("%s: %s", one.name, why)
					default:
						plays, names = append(plays, one), append(names, one.name)
					}
				}
				if plays == nil {
					continue
				}
				t.Run(strings.Join(names, ", "), func(t *testing.T) {
					t.Parallel()
					w := newWorld(t, c, gsd)
					w.gsd(t, "install", c.host)
					p := &play{client: c, w: w, model: startStandIn(), tmux: startTmux(t, w)}
					t.Cleanup(p.model.Close)
					p.configure(t)
					for _, one := range plays {
						cell := "yes"
						if detail := one.play(t, p); detail != "" {
							cell += ", " + detail
						}
						if t.Failed() {
							return
						}
						found.add(c, one, cell)
						t.Logf("%s: %s", one.name, cell)
					}
				})
			}
		})
	}
}
