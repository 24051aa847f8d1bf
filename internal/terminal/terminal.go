// Package terminal uses a terminal for what is not text to keep: progress and notifications.
package terminal

import (
	"slices"
	"strings"
)

// Notification returns what a terminal takes for a notification with a text: OSC 9 or 777 where it is known to have that, or else
// the bell.
func Notification(getenv func(string) string, text string) string {
	program, term := getenv("TERM_PROGRAM"), getenv("TERM")
	switch {
	case slices.Contains([]string{"iTerm.app", "WezTerm", "ghostty"}, program), strings.HasPrefix(term, "xterm-kitty"), getenv("ConEmuANSI") == "ON":
		return "\x1b]9;gsd: " + text + "\a"
	case strings.HasPrefix(term, "rxvt"):
		return "\x1b]777;notify;gsd;" + text + "\a"
	}
	return "\a"
}
