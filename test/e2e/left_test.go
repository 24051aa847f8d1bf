//go:build e2e && unix

package e2e

import (
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
)

// TestLeft: a person starts a second and a third conversation in one terminal. The ones that were left are not at work, also where all of
// them are in one process, and the agent that the model sends to carry out a plan there is told how far that is.
func TestLeft(t *testing.T) {
	t.Parallel()
	gsd := build(t)
	for _, c := range clients() {
		if !slices.Contains([]string{"codex", "copilot", "opencode"}, c.host) {
			continue
		}
		t.Run(c.host, func(t *testing.T) {
			t.Parallel()
			w := newWorld(t, c, gsd)
			w.gsd(t, "install", c.host)
			p := &play{client: c, w: w, model: startStandIn(), tmux: startTmux(t, w)}
			t.Cleanup(p.model.Close)
			p.configure(t)
			s := p.open(t, "one")
			p.say(s, "Begin.")
			for _, next := range []string{"Help.", "Go on."} {
				before := s.text()
				s.enter(p.ui.clear)
				s.until("the old conversation is still there", func() bool {
					return s.text() != before && !s.shows("Answer to: Begin.") && !s.shows("Answer to: Help.")
				})
				p.model.on("Execute the plan .planning", reply{text: "Done."})
				asked := p.ask(s, next, p.ui.subagent("Execute the plan .planning/phases/01-larch/01-01-PLAN.md."))
				told(t, asked, 1, 1)
				if text := asked.strings(); strings.Contains(text, "At work on this session") {
					t.Errorf("nobody else is at work, but the model reads\n%s", text)
				}
				s.waitFor("Answer to: " + next)
			}
			told(t, p.model.prompted(t, "Execute the plan .planning"), 1, 1)
			s.until("not one of three runs is open", func() bool {
				runs := p.runs(t)
				return len(runs) == 3 && len(slices.DeleteFunc(runs, func(r run) bool { return r.Ended != nil })) == 1
			})
		})
	}
}

// TestWorktreeLeft: Claude removes the worktree that it has made for a conversation when that is left, and with it the session there, which
// git ignores. The main checkout says so, and brings it back.
func TestWorktreeLeft(t *testing.T) {
	t.Parallel()
	gsd := build(t)
	c := clients()[0]
	w := newWorld(t, c, gsd)
	w.gsd(t, "archive")
	w.gsd(t, "install", c.host, "--scope", "user")
	p := &play{client: c, w: w, model: startStandIn(), tmux: startTmux(t, w)}
	t.Cleanup(p.model.Close)
	p.configure(t)
	s := p.open(t, "one", append(slices.Clone(c.ui.delegating), "--allowedTools", "Bash(gsd:*)", "--worktree", "fox")...)
	p.say(s, "Begin.", reply{shell: "gsd bootstrap 01-01"}, reply{shell: "gsd done 1"})
	tree := filepath.Join(w.project, ".claude", "worktrees", "fox")
	if out := w.gsd(t, "-C", tree, "hydrate"); !strings.Contains(out, "1 of 3 tasks complete") {
		t.Fatalf("nothing was marked in the worktree:\n%s", out)
	}
	p.quit(s)
	if _, err := os.Stat(tree); err == nil {
		t.Fatal("the worktree is still there")
	}
	out := w.gsd(t, "hydrate")
	if !strings.Contains(out, "1 of 3 tasks complete; its worktree "+tree+" was removed") {
		t.Fatalf("the main checkout does not say what was lost:\n%s", out)
	}
	if strings.Contains(out, "crashed") {
		t.Errorf("the conversation ended as it should, but:\n%s", out)
	}
	id := regexp.MustCompile(`try: gsd restore ([0-9a-f]{16}) `).FindStringSubmatch(out)
	if id == nil {
		t.Fatalf("no command brings it back:\n%s", out)
	}
	w.gsd(t, "restore", id[1])
	told(t, p.ask(p.open(t, "two"), "Go on."), 2, 1)
}
