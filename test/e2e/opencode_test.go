//go:build e2e && unix

package e2e

import (
	"encoding/json"
	"strings"
	"testing"
)

// TestBriefedOnce lets OpenCode's model mark tasks nine times and somebody else once: the system messages of all questions are the same
// bytes, which the model's host may have in its cache, and what has changed is in the person's next message.
func TestBriefedOnce(t *testing.T) {
	t.Parallel()
	c := opencode()
	w := newWorld(t, c, build(t))
	w.gsd(t, "install", c.host)
	p := &play{client: c, w: w, model: startStandIn(), tmux: startTmux(t, w)}
	t.Cleanup(p.model.Close)
	p.configure(t)
	s := p.open(t, "one")

	var marks []reply
	for _, to := range []string{"2 skipped", "3 skipped", "2 pending", "3 pending", "1 in-progress", "1 skipped", "1 pending", "1 in-progress", "1 complete"} {
		marks = append(marks, reply{shell: "gsd mark " + to})
	}
	p.say(s, "Begin.", marks...)
	if tasks := w.gsd(t, "tasks"); !strings.Contains(tasks, "1  complete") {
		t.Fatalf("the task is not marked:\n%s", tasks)
	}
	w.gsd(t, "mark", "2", "complete")
	last := p.ask(s, "Go on.")
	told(t, last, 3, 1)

	first := ""
	for _, r := range p.model.all() {
		if r.talk == nil || len(r.talk.tools) == 0 {
			continue
		}
		system := inRole(t, r, "system")
		if first == "" {
			first = system
		}
		if system != first {
			t.Errorf("the system messages are not those of the first question, %s\nbut %s", first, system)
		}
	}
	if !strings.Contains(first, resume[1]) {
		t.Errorf("the brief is not in the system messages: %s", first)
	}
	if user := inRole(t, last, "user"); !strings.Contains(user, resume[3]) {
		t.Errorf("the mark made elsewhere is not in the person's messages: %s", user)
	}
}

// inRole returns the messages of one role in a question in the dialect of chat completions, as they are.
func inRole(t *testing.T, r request, role string) string {
	t.Helper()
	var asked struct {
		Messages []json.RawMessage `json:"messages"`
	}
	if err := json.Unmarshal(r.body, &asked); err != nil {
		t.Fatal(err)
	}
	var all strings.Builder
	for _, message := range asked.Messages {
		var answer struct {
			Role string `json:"role"`
		}
		if err := json.Unmarshal(message, &answer); err != nil {
			t.Fatal(err)
		}
		if answer.Role == role {
			all.Write(message)
		}
	}
	return all.String()
}
