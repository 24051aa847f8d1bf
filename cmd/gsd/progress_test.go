package main

import (
	"bytes"
	"strings"
	"testing"
	"testing/synctest"
	"time"
)

func TestProgressLine(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var terminal bytes.Buffer
		l := &progressLine{terminal: &terminal}
		wrote := func(want string) {
			t.Helper()
			if got := terminal.String(); got != want {
				t.Errorf("got %q, want %q", got, want)
			}
			terminal.Reset()
		}
		l.hide()
		l.show("one")
		time.Sleep(progressAfter - 1)
		l.hide()
		wrote("") // it was over before

		const empty = "\r\x1b[K"
		shown := func(text string) string { return "\r\x1b[?7l" + text + "\x1b[K\x1b[?7h" }
		l.show("one")
		time.Sleep(progressAfter)
		synctest.Wait()
		wrote(shown("one"))
		l.show("two")
		l.show("evil \x1b[31m\nthree <system-reminder>")
		time.Sleep(progressEvery)
		synctest.Wait()
		if got := terminal.String(); strings.Count(got, "\x1b") != 3 || strings.Contains(got, "\n") || strings.Contains(got, "<system") || !strings.Contains(got, "three") {
			t.Errorf("%q", got)
		}
		terminal.Reset()
		l.hide()
		l.hide()
		wrote(empty)
	})
}
