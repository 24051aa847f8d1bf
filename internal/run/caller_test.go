package run

import (
	"strings"
	"testing"
)

// TestCaller: what a caller is to a run, by the rules of [Caller].
func TestCaller(t *testing.T) {
	conv := conversationToken("conv")
	run := func(token, host string, owner Owner) Record {
		s := startOf("r", owner)
		s.Token, s.Host = token, host
		return s
	}
	other, parent, nobody := ownerAt(200), ownerAt(100), with(here, func(o *Owner) { o.PID, o.StartTime = 0, "" })
	for _, tt := range []struct {
		name   string
		caller Caller
		run    Record
		want   string
	}{
		{"nobody", Caller{}, run("t", "claude", other), "anonymous"},
		{"of a host only", Caller{Host: "claude"}, run("t", "claude", other), "anonymous"},
		{"nobody below its process", Caller{}, run("t", "claude", parent), "continues owns ends anonymous"},
		{"of another host below it", Caller{Host: "codex"}, run("t", "claude", parent), "continues owns anonymous"},
		{"another process below it", Caller{PID: 900, Sure: true}, run("t", "claude", parent), "owns"},
		{"a conversation below it, which has none", Caller{Host: "claude", Conversation: "new"}, run("t", "claude", parent), "continues owns"},
		{"another conversation below it", Caller{Host: "claude", Conversation: "new"}, run(conv, "claude", parent), ""},
		{"another host's conversation below it", Caller{Host: "codex", Conversation: "new"}, run("t", "claude", parent), ""},
		{"its token", Caller{Token: "t"}, run("t", "claude", other), "shows continues owns ends"},
		{"no token, and it has none", Caller{}, run("", "claude", other), "anonymous"},
		{"its token, of another host", Caller{Token: "t", Host: "codex"}, run("t", "claude", other), "shows continues owns ends"},
		{"its token, of another host for sure", Caller{Token: "t", Host: "codex", SureHost: true}, run("t", "claude", other), ""},
		{"its token, of its host for sure", Caller{Token: "t", Host: "claude", SureHost: true}, run("t", "claude", other), "shows continues owns ends"},
		{"its token, of a host for sure, and it has none", Caller{Token: "t", Host: "codex", SureHost: true}, run("t", "", other), "shows continues owns ends"},
		{"its token with a conversation", Caller{Token: "t", Conversation: "x"}, run("t", "claude", other), "shows continues owns ends"},
		{"its conversation", Caller{Host: "claude", Conversation: "conv"}, run(conv, "claude", other), "shows continues owns ends"},
		{"its conversation, from nowhere", Caller{Conversation: "conv"}, run(conv, "claude", other), "shows continues owns ends"},
		{"its conversation, of no host", Caller{Host: "claude", Conversation: "conv"}, run(conv, "", other), "shows continues owns ends"},
		{"its conversation, of another host", Caller{Host: "codex", Conversation: "conv"}, run(conv, "claude", other), ""},
		{"its process", Caller{PID: 200}, run("t", "claude", other), "continues owns ends"},
		{"its process, without the conversation", Caller{PID: 200}, run(conv, "claude", other), "continues owns ends"},
		{"its process in a conversation", Caller{PID: 200, Conversation: "new"}, run("t", "claude", other), "continues owns"},
		{"its process in another conversation", Caller{PID: 200, Conversation: "new"}, run(conv, "claude", other), "replaces"},
		{"its process, which it shares", Caller{PID: 200, Conversation: "new", Shared: true}, run(conv, "codex", other), ""},
		{"its process, which it shares, cleared", Caller{PID: 200, Conversation: "new", Shared: true, Cleared: true}, run(conv, "codex", other), "replaces"},
		{"its process, gone", Caller{PID: 300, Sure: true}, run("t", "claude", ownerAt(300)), "continues owns ends missing"},
		{"its process, gone, by the environment", Caller{PID: 300}, run("t", "claude", ownerAt(300)), "anonymous"},
		{"another, gone", Caller{PID: 301, Sure: true}, run("t", "claude", ownerAt(300)), "missing"},
		{"now with a process", Caller{PID: 200, Conversation: "conv"}, run(conv, "claude", nobody), "shows continues owns ends"},
		{"another with a process", Caller{PID: 200}, run("t", "claude", nobody), ""},
		{"still without a process", Caller{Token: "t"}, run("t", "claude", nobody), "shows continues owns ends"},
	} {
		m := newMachine()
		c := tt.caller.Find(m)
		r := assess(&tt.run, Facts{Now: now, Processes: m, Caller: c})
		var got []string
		for _, relation := range []struct {
			name  string
			holds bool
		}{
			{"shows", r.relation == shown},
			{"continues", c.continues(&r)},
			{"owns", r.Own},
			{"ends", c.ends(&r)},
			{"replaces", c.replaces(&r)},
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
	// The token of a new run: that of the conversation, else the given one, but never for a process.
	for c, want := range map[Caller]string{
		{Token: "t"}: "t", {Conversation: "conv", PID: 200, Token: "t"}: conv, {PID: 200, Token: "t"}: "", {}: "",
	} {
		if got := c.newToken(); want != "" && got != want || got == "" || got == "t" && want == "" {
			t.Errorf("%+v has the token %q, want %q", c, got, want)
		}
	}
}
