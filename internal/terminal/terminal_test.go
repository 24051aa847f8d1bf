package terminal

import "testing"

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
		if got := Notification(getenv, "01-02 waits for you"); got != test.want {
			t.Errorf("%s=%s: %q, want %q", test.name, test.value, got, test.want)
		}
	}
}
