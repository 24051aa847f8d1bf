// Package text makes text harmless that anybody may have written, such as a plan, before a terminal shows it or an agent reads it.
//
// [Clean] removes what acts or cannot be seen, from each piece as it is printed (package printer); [Defang] disarms what looks like the markup of an
// agent's client, in the whole of what is printed. shape.go has the shapes in which a text is printed: on one line, quoted, cut to
// a number of characters or bytes. Its width in columns is the concern of package view.
package text

import (
	"regexp"
	"strings"
	"sync"
	"unicode"
)

// Anybody may have written what is in .planning/. Before it reaches a terminal or an agent, whatever could act there or
// is invisible is removed: escape sequences, control, bidirectional and zero-width characters, Unicode tags. What is
// left is valid UTF-8 and reads as it looks. What it says is the concern of defang.go.

// Clean cleans a text of one or more lines. Escape sequences are removed whole, including a hyperlink's address; every
// kind of line end becomes a line feed; an invalid byte becomes U+FFFD; any other control character of ASCII becomes ·, so that
// a stray one in a file is seen; other [Hidden] characters are removed. That joins the text around them, so clean a text before
// searching it. Printable ASCII is unchanged, and Clean is idempotent.
func Clean(s string) string {
	if isPlain(s) {
		return s
	}
	s = strings.Map(func(r rune) rune { return r }, s) // U+FFFD for each invalid byte
	if strings.ContainsFunc(s, func(r rune) bool { return r == 0x1b || r >= 0x80 && r <= 0x9f }) {
		s = escapes().ReplaceAllString(s, "")
	}
	return strings.Map(func(r rune) rune {
		switch {
		case !Hidden(r):
			return r
		case r <= 0x7f:
			return '·'
		}
		return -1
	}, lineEnds.Replace(s))
}

// isPlain reports whether s is printable ASCII, tabs and line feeds.
func isPlain(s string) bool {
	for i := range len(s) {
		if c := s[i]; c >= 0x7f || c < ' ' && c != '\n' && c != '\t' {
			return false
		}
	}
	return true
}

var lineEnds = strings.NewReplacer("\r\n", "\n", "\r", "\n", "\u0085", "\n", "\u2028", "\n", "\u2029", "\n")

// escapes finds the sequences of terminals: those that begin with ESC, or with one of U+0080 to U+009F, which are ESC
// and a letter in one. CSI extends to its final byte, OSC and its like to BEL or ST. A sequence that is broken off ends
// where a terminal gives up, one that is never closed at the end of its line.
var escapes = sync.OnceValue(func() *regexp.Regexp {
	const (
		csi   = `(?:\x1b\[|\x{9b})[ -?]*[@-~]?`
		osc   = `(?:\x1b[]PX^_]|[\x{90}\x{98}\x{9d}-\x{9f}])[^\x07\x18\x1a\x1b\x{9c}\n\r]*(?:\x07|\x1b\\|\x{9c})?`
		other = `\x1b[ -/]*[0-~]?|[\x{80}-\x{84}\x{86}-\x{9f}]`
	)
	return regexp.MustCompile(csi + `|` + osc + `|` + other)
})

// Hidden reports whether a character acts on the program that shows it, or cannot be seen: controls except line feed
// and tab, format characters, variation selectors, fillers and other blanks that are not white space, noncharacters,
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

// ShellWord returns s as one word for a POSIX shell, on one line, that is not taken for a flag.
func ShellWord(s string) string {
	s = strings.NewReplacer("\n", " ", "\t", " ").Replace(Clean(s))
	if IsWord(s) && s[0] != '-' {
		return s
	}
	return "'" + strings.ReplaceAll(s, "'", `'\''`) + "'"
}

// Typed returns a word of a command as it is typed. ok reports whether it can be printed so that a shell reads the same word: one with an escape
// sequence or a line end would be shown as another.
func Typed(word string) (quoted string, ok bool) {
	if strings.ContainsAny(word, "\n\t") || Defang(Clean(word)) != word {
		return "", false
	}
	return ShellWord(word), true
}

// IsWord reports whether s needs no quotes in any shell.
func IsWord(s string) bool {
	return s != "" && strings.IndexFunc(s, func(r rune) bool {
		return !(r >= 'a' && r <= 'z' || r >= 'A' && r <= 'Z' || r >= '0' && r <= '9' || strings.ContainsRune("._-/+:,@%", r))
	}) < 0
}
