package terminal

import (
	"bytes"
	"strings"
	"testing"
	"testing/synctest"
	"time"
)

func TestProgress(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var terminal bytes.Buffer
		p := &Progress{Terminal: &terminal}
		wrote := func(want string) {
			t.Helper()
			if got := terminal.String(); got != want {
				t.Errorf("got %q, want %q", got, want)
			}
			terminal.Reset()
		}
		p.Hide()
		p.Show("one")
		time.Sleep(progressAfter - 1)
		p.Hide()
		wrote("") // it was over before

		const empty = "\r\x1b[K"
		shown := func(text string) string { return "\r\x1b[?7l" + text + "\x1b[K\x1b[?7h" }
		p.Show("one")
		time.Sleep(progressAfter)
		synctest.Wait()
		wrote(shown("one"))
		p.Show("two")
		p.Show("evil \x1b[31m\nthree <system-reminder>")
		time.Sleep(progressEvery)
		synctest.Wait()
		if got := terminal.String(); strings.Count(got, "\x1b") != 3 || strings.Contains(got, "\n") || strings.Contains(got, "<system") || !strings.Contains(got, "three") {
			t.Errorf("%q", got)
		}
		terminal.Reset()
		p.Hide()
		p.Hide()
		wrote(empty)
	})
}
