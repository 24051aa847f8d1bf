//go:build e2e && unix

package e2e

import (
	"path/filepath"
	"slices"
	"testing"
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
	// clear, compact and quit are what a person types to begin anew, to compact the conversation and to leave.
	clear, compact, quit string
	// asks is on the screen while the client asks whether a command may run, and yes is the key that allows it.
	asks, yes string
	// subagent makes the client give a prompt to a subagent.
	subagent func(prompt string) reply
	// lacks says of a situation, by its name, why the client does not have it.
	lacks map[string]string
}

// situation is something that people do with a client. The function returns what is to be seen in the table, if it is
// more than that it works.
type situation struct {
	name, what string
	play       func(t *testing.T, p *play) string
}

var situations = []situation{
	{"start", "the brief reaches the model at the start", func(t *testing.T, p *play) string {
		s := p.open(t, "one")
		told(t, p.ask(s, "Begin."), 1, 1)
		return ""
	}},
}

// play is a client in a terminal, with a model.
type play struct {
	client
	w     *world
	model *standIn
	tmux  *tmux
}

// open starts the client in the project and waits until it takes a prompt.
func (p *play) open(t *testing.T, name string, args ...string) *screen {
	t.Helper()
	s := p.tmux.open(t, name, p.w.project, p.w.env(p.env(p.w, p.model.URL)...), p.w.client, append(slices.Clone(p.ui.args), args...)...)
	s.waitFor(p.ui.ready)
	return s
}

// ask enters a prompt, to which the model answers with the script, and returns the first question to the model that it
// leads to. Prompts of one test differ.
func (p *play) ask(s *screen, prompt string, script ...reply) request {
	s.t.Helper()
	p.model.on(prompt, script...)
	s.enter(prompt)
	return p.model.prompted(s.t, prompt, 0)
}

// TestInteractive plays every situation with every client.
func TestInteractive(t *testing.T) {
	gsd := build(t)
	for _, c := range clients() {
		if c.ui.ready == "" {
			continue
		}
		t.Run(c.host, func(t *testing.T) {
			for _, one := range situations {
				t.Run(one.name, func(t *testing.T) {
					t.Parallel()
					if why := c.ui.lacks[one.name]; why != "" {
						t.Skip("not available: " + why)
					}
					w := newWorld(t, c, gsd)
					w.gsd(t, "install", c.host)
					p := &play{c, w, startStandIn(), startTmux(t, w)}
					t.Cleanup(p.model.Close)
					for name, text := range c.config(w, p.model.URL) {
						write(t, filepath.Join(w.home, name), text)
					}
					if c.ui.config != nil {
						for name, text := range c.ui.config(w) {
							write(t, filepath.Join(w.home, name), text)
						}
					}
					one.play(t, p)
				})
			}
		})
	}
}
