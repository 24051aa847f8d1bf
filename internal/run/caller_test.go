package run

import (
	"strings"
	"testing"
)

// TestCaller: what a caller is to a run, in the words of [Caller].
func TestCaller(t *testing.T) {
	conv := conversationToken("conv")
	process := Caller{PID: 200, Owner: ownerAt(200)}.tokens()[0]
	run := func(token, host string, owner Owner) Start {
		s := startOf("r", owner)
		s.Token, s.Host = token, host
		return s
	}
	other, parent, nobody := ownerAt(200), ownerAt(100), with(here, func(o *Owner) { o.PID, o.StartTime = 0, "" })
	for _, tt := range []struct {
		name   string
		caller Caller
		run    Start
		want   string
	}{
		{"nobody", Caller{}, run("t", "claude", other), "anonymous"},
		{"of a host only", Caller{Host: "claude"}, run("t", "claude", other), "anonymous"},
		{"nobody below its process", Caller{}, run("t", "claude", parent), "owns part anonymous"},
		{"of another host below it", Caller{Host: "codex"}, run("t", "claude", parent), "owns anonymous"},
		{"another conversation below it", Caller{Host: "claude", Conversation: "new"}, run(conv, "claude", parent), "owns"},
		{"another conversation of another host below it", Caller{Host: "codex", Conversation: "new"}, run(conv, "claude", parent), ""},
		{"another process below it", Caller{PID: 900, Sure: true}, run("t", "claude", parent), "owns"},
		{"its token", Caller{Token: "t"}, run("t", "claude", other), "shows is owns"},
		{"its token, of another host", Caller{Token: "t", Host: "codex"}, run("t", "claude", other), "shows is owns"},
		{"its token, of another host for sure", Caller{Token: "t", Host: "codex", SureHost: true}, run("t", "claude", other), ""},
		{"its token, of its host for sure", Caller{Token: "t", Host: "claude", SureHost: true}, run("t", "claude", other), "shows is owns"},
		{"its token, of a host for sure, and it has none", Caller{Token: "t", Host: "codex", SureHost: true}, run("t", "", other), "shows is owns"},
		{"its token with a conversation", Caller{Token: "t", Conversation: "x"}, run("t", "claude", other), "shows is owns"},
		{"its conversation", Caller{Host: "claude", Conversation: "conv"}, run(conv, "claude", other), "shows is owns"},
		{"its conversation, from nowhere", Caller{Conversation: "conv"}, run(conv, "claude", other), "shows is owns"},
		{"its conversation, of no host", Caller{Host: "claude", Conversation: "conv"}, run(conv, "", other), "shows is owns"},
		{"its conversation, of another host", Caller{Host: "codex", Conversation: "conv"}, run(conv, "claude", other), ""},
		{"its process by name", Caller{PID: 200}, run(process, "claude", other), "shows is owns"},
		{"its process", Caller{PID: 200}, run("t", "claude", other), "is owns leaves"},
		{"its process in another conversation", Caller{PID: 200, Conversation: "new"}, run(conv, "claude", other), "owns leaves"},
		{"its process, gone", Caller{PID: 300, Sure: true}, run("t", "claude", ownerAt(300)), "is owns missing"},
		{"its process, gone, by the environment", Caller{PID: 300}, run("t", "claude", ownerAt(300)), "anonymous"},
		{"another, gone", Caller{PID: 301, Sure: true}, run("t", "claude", ownerAt(300)), "missing"},
		{"now with a process", Caller{PID: 200, Conversation: "conv"}, run(conv, "claude", nobody), "shows is owns leaves"},
		{"now with a process, by its token", Caller{PID: 200, Token: "t", Host: "claude"}, run("t", "claude", nobody), "shows is owns leaves"},
		{"now with a process of another host", Caller{PID: 200, Token: "t", Host: "codex"}, run("t", "claude", nobody), "shows is owns"},
		{"another with a process", Caller{PID: 200}, run("t", "claude", nobody), ""},
		{"still without a process", Caller{Token: "t"}, run("t", "claude", nobody), "shows is owns"},
	} {
		m := newMachine()
		c := tt.caller.Find(m)
		r := assess(&Record{Start: tt.run}, Facts{Now: now, Processes: m, Caller: c})
		var got []string
		for _, relation := range []struct {
			name  string
			holds bool
		}{
			{"shows", c.shows(&r)},
			{"is", c.is(&r)},
			{"owns", r.Own},
			{"part", c.part(&r)},
			{"leaves", c.leaves(&r)},
			{"anonymous", c.Anonymous()},
			{"missing", c.Missing()},
		} {
			if relation.holds {
				got = append(got, relation.name)
			}
		}
		if got := strings.Join(got, " "); got != tt.want {
			t.Errorf("%s: %q, want %q", tt.name, got, tt.want)
		}
		if again := c.Find(&probe{}); again.Owner != c.Owner || again.PID != c.PID {
			t.Errorf("%s: looked for twice: %+v", tt.name, again)
		}
	}
	if c := (Caller{}).Find(newMachine()); c != (Caller{}) {
		t.Errorf("a caller without a process has %+v", c)
	}
	// The token of a new run: that of the conversation, else of the process, else the given one.
	for c, want := range map[Caller]string{
		{}: "", {Token: "t"}: "t", {Conversation: "conv", Owner: other, Token: "t"}: conv, {Owner: other, Token: "t"}: process,
		{Owner: Owner{PID: 200}}: "", {Owner: Owner{StartTime: "2000"}}: "",
	} {
		if all := append(c.tokens(), ""); all[0] != want {
			t.Errorf("%+v has the tokens %q, want %q", c, all, want)
		}
	}
}
