package main

import (
	"testing"

	"github.com/gsd-cli/gsd/internal/status"
	"github.com/gsd-cli/gsd/internal/verdict"
)

func TestNotification(t *testing.T) {
	t.Parallel()
	for _, test := range []struct{ name, value, want string }{
		{"TERM", "xterm-256color", "\a"},
		{"TERM_PROGRAM", "WezTerm", "\x1b]9;gsd: 01-02 waits for you\a"},
		{"TERM", "xterm-kitty", "\x1b]9;gsd: 01-02 waits for you\a"},
		{"TERM", "rxvt-unicode", "\x1b]777;notify;gsd;01-02 waits for you\a"},
	} {
		getenv := func(name string) string {
			if name == test.name {
				return test.value
			}
			return ""
		}
		if got := notification(getenv, "01-02 waits for you"); got != test.want {
			t.Errorf("%s=%s: %q, want %q", test.name, test.value, got, test.want)
		}
	}
}

func TestWaitingIn(t *testing.T) {
	t.Parallel()
	waits := verdict.ResumeTask{Resume: 3, Checkpoint: true}
	st := &status.Status{Sessions: []verdict.Session{
		{User: "bob", ResumeTask: waits}, {User: "ada", Own: true, Machine: "laptop", ResumeTask: waits}, {User: "ada", Own: true},
	}}
	if its := waitingIn(st); its != nil {
		t.Errorf("%+v waits for somebody else, or elsewhere", its)
	}
	st.Sessions[2].ResumeTask = waits
	if its := waitingIn(st); its != &st.Sessions[2] {
		t.Errorf("%+v", its)
	}
}
