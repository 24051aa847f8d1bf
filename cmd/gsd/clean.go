package main

import (
	"fmt"
	"strings"
	"unicode"
	"unicode/utf8"
)

// What stands in .planning/ may have been written by anybody. Before it is printed it loses whatever
// could act on a terminal or be invisible to its reader: escape sequences, control characters,
// bidirectional and zero-width ones, Unicode tags. What is left is valid UTF-8 and reads as it looks.

const longestName = 200

// line cleans a text that is to stand on one line.
func line(s string) string { return strings.Join(strings.Fields(clean(s)), " ") }

// title cleans a task's name: one line of at most 200 characters.
func title(s string) string { return cut(line(s), longestName) }

// cut shortens a text that nobody reads to its end.
func cut(s string, most int) string {
	if utf8.RuneCountInString(s) <= most {
		return s
	}
	return string([]rune(s)[:most-1]) + "…"
}

// taskTitle is the name of task n without the "Task n:" that most begin with, to stand behind "task n".
func taskTitle(name string, n int) string {
	name = title(name)
	if rest, ok := strings.CutPrefix(name, fmt.Sprintf("Task %d:", n)); ok && strings.TrimSpace(rest) != "" {
		return strings.TrimSpace(rest)
	}
	return name
}

// clean cleans a text of several lines.
func clean(s string) string {
	if isPlain(s) {
		return s
	}
	var b strings.Builder
	b.Grow(len(s))
	for i := 0; i < len(s); {
		if n := escapeSequence(s[i:]); n > 0 {
			i += n
			continue
		}
		r, n := utf8.DecodeRuneInString(s[i:])
		i += n
		switch {
		case r == '\r' && i < len(s) && s[i] == '\n': // the line feed that follows says it
		case r == '\r', r == '\u2028', r == '\u2029':
			b.WriteByte('\n')
		case isHidden(r):
		default:
			b.WriteRune(r) // an invalid byte becomes U+FFFD
		}
	}
	return b.String()
}

func isPlain(s string) bool {
	for i := 0; i < len(s); i++ {
		if c := s[i]; c >= 0x7f || c < ' ' && c != '\n' && c != '\t' {
			return false
		}
	}
	return true
}

// isHidden tells a character that acts, or that nobody sees and text can be smuggled in.
func isHidden(r rune) bool {
	if r == '\n' || r == '\t' {
		return false
	}
	return unicode.In(r, unicode.Cc, unicode.Cf, unicode.Variation_Selector, unicode.Other_Default_Ignorable_Code_Point)
}

// escapeSequence gives the length of the terminal escape sequence that s begins with, 0 for none: CSI
// and its like up to the final byte, OSC and its like up to BEL or ST.
func escapeSequence(s string) int {
	if s[0] != 0x1b {
		return 0
	}
	if len(s) == 1 {
		return 1
	}
	switch s[1] {
	case '[':
		for i := 2; i < len(s); i++ {
			if s[i] >= 0x40 && s[i] <= 0x7e {
				return i + 1
			}
			if s[i] < 0x20 || s[i] > 0x7e {
				return i
			}
		}
		return len(s)
	case ']', 'P', 'X', '^', '_':
		for i := 2; i < len(s); i++ {
			switch {
			case s[i] == 0x07:
				return i + 1
			case s[i] == '\n': // never closed: give the rest of the text back
				return i
			case s[i] == 0x1b:
				if i+1 < len(s) && s[i+1] == '\\' {
					return i + 2
				}
				return i
			}
		}
		return len(s)
	}
	return 1
}

// quote makes a text one word for a POSIX shell, on one line, and no flag.
func quote(s string) string {
	s = strings.NewReplacer("\n", " ", "\t", " ").Replace(clean(s))
	if isWord(s) && s[0] != '-' {
		return s
	}
	return "'" + strings.ReplaceAll(s, "'", `'\''`) + "'"
}

// isWord tells a text that every shell takes as it stands.
func isWord(s string) bool {
	return s != "" && strings.IndexFunc(s, func(r rune) bool {
		return !(r >= 'a' && r <= 'z' || r >= 'A' && r <= 'Z' || r >= '0' && r <= '9' || strings.ContainsRune("._-/+:,@%", r))
	}) < 0
}
