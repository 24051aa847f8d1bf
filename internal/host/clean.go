package host

import (
	"strings"
	"unicode"
	"unicode/utf8"
)

// Anybody may have written what is in .planning/. Before it reaches a terminal or an agent, whatever could act there or
// is invisible is removed: escape sequences, control, bidirectional and zero-width characters, Unicode tags. What is
// left is valid UTF-8 and reads as it looks. What it says is the concern of defang.go.

// Clean cleans a text of one or more lines. Escape sequences are removed whole, including a hyperlink's address; every
// kind of line end becomes a line feed; an invalid byte becomes U+FFFD; [Hidden] characters are removed. That joins the
// text around them, so clean a text before searching it. Printable ASCII is unchanged, and Clean is idempotent.
func Clean(s string) string {
	n := plain(s)
	if n == len(s) {
		return s
	}
	var b strings.Builder
	b.Grow(len(s))
	for {
		b.WriteString(s[:n])
		if s = s[n:]; s == "" {
			return b.String()
		}
		r, size := next(s)
		if r != nothing {
			b.WriteRune(r)
		}
		s = s[size:]
		n = plain(s)
	}
}

// plain returns the length of the prefix of s that is printable ASCII, tabs and line feeds.
func plain(s string) int {
	for i := range len(s) {
		if c := s[i]; c >= 0x7f || c < ' ' && c != '\n' && c != '\t' {
			return i
		}
	}
	return len(s)
}

// nothing is what [next] returns for what is removed.
const nothing rune = -1

// next returns the first character of a non-empty text, cleaned, and the number of bytes it takes there.
func next(s string) (rune, int) {
	r, n := utf8.DecodeRuneInString(s)
	switch {
	case r == '\r':
		if strings.HasPrefix(s[n:], "\n") {
			return nothing, n // the line feed follows
		}
		return '\n', n
	case r == '\u0085', r == '\u2028', r == '\u2029':
		return '\n', n
	case r == 0x1b, r >= 0x80 && r <= 0x9f:
		return nothing, escapeSequence(s)
	case Hidden(r):
		return nothing, n
	}
	return r, n // U+FFFD for an invalid byte
}

// Hidden reports whether a character acts on the program that shows it, or cannot be seen: controls except line feed and
// tab, format characters, variation selectors, fillers and other blanks that are not white space, noncharacters,
// plane 14, and private use. Without its selectors and joiners an emoji is still one or more emoji.
func Hidden(r rune) bool {
	switch {
	case r < ' ':
		return r != '\n' && r != '\t'
	case r < 0x300:
		return r >= 0x7f && r < 0xa0 || r == 0xad
	case r > 0x3164 && r < 0xd800:
		return false // Han, Hangul, Yi and such, for speed: nothing is hidden there
	case r&0xfffe == 0xfffe, r >= 0xfdd0 && r <= 0xfdef:
		return true // noncharacters
	case r >= 0xe0000:
		return true // tags, selectors, what may become such, private use
	case r == '\u2800', r == '\U00016fe4', r == '\U0001d159':
		return true // Braille without a dot, the Khitan filler, a note without a head: blank, but no white space
	}
	return unicode.In(r, unicode.Cf, unicode.Co, unicode.Variation_Selector, unicode.Other_Default_Ignorable_Code_Point)
}

// escapeSequence returns the length of the terminal sequence that s begins with, which is at least that of the control
// itself: ESC, or one of U+0080 to U+009F, which are ESC and a letter in one. CSI extends to its final byte, OSC and its
// like to BEL or ST. A sequence that is broken off ends where a terminal gives up, one that is never closed at the end
// of its line.
func escapeSequence(s string) int {
	kind, n := byte(0), 1
	switch {
	case s[0] != 0x1b:
		kind, n = s[1]-0x40, 2 // U+009B is C2 9B, and ESC [
	case len(s) > 1:
		kind, n = s[1], 2
	}
	switch kind {
	case '[':
		for ; n < len(s) && s[n] >= 0x20 && s[n] <= 0x7e; n++ {
			if s[n] >= 0x40 {
				return n + 1
			}
		}
		return n
	case ']', 'P', 'X', '^', '_':
		return n + controlString(s[n:])
	}
	if s[0] != 0x1b {
		return n
	}
	n = 1
	for n < len(s) && s[n] >= 0x20 && s[n] <= 0x2f {
		n++
	}
	if n < len(s) && s[n] >= 0x30 && s[n] <= 0x7e {
		n++
	}
	return n
}

// controlString returns the length of the content of an OSC or its like, including what closes it.
func controlString(s string) int {
	for i := 0; i < len(s); i++ {
		switch s[i] {
		case 0x07:
			return i + 1
		case 0x1b:
			if strings.HasPrefix(s[i:], "\x1b\\") {
				return i + 2
			}
			return i
		case 0xc2:
			if strings.HasPrefix(s[i:], "\u009c") {
				return i + 2
			}
		case '\n', '\r', 0x18, 0x1a:
			return i
		}
	}
	return len(s)
}
