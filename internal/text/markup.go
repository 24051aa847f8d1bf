package text

import (
	"strings"
	"unicode"
	"unicode/utf8"
)

// readName returns the length of the name of a tag that s begins with: a letter, then letters, digits, marks, dashes,
// underscores, colons, and dots with a letter or digit after them; 0 if there is none. compound reports whether a
// separator is between two of its words.
func readName(s string) (size int, compound bool) {
	separated := false
	for size < len(s) {
		r, n := utf8.DecodeRuneInString(s[size:])
		c := classOf(r)
		if c == other || size == 0 && !isLetter(r) {
			break
		}
		if c == dot {
			after, _ := utf8.DecodeRuneInString(s[size+n:])
			if classOf(after) != wordy {
				break
			}
		}
		size += n
		separated = separated || c == separator
		compound = compound || separated && c != separator && c != mark
	}
	return size, compound
}

// class is what a character is in a name.
type class int

const (
	other class = iota // it is in none
	wordy              // a letter or a digit
	dot
	separator
	mark
)

func classOf(r rune) class {
	switch {
	case r >= 'a' && r <= 'z', r >= 'A' && r <= 'Z', r >= '0' && r <= '9':
		return wordy
	case r == '.':
		return dot
	case r == '-', r == '_', isColon(r):
		return separator
	case r < 0xaa:
		return other
	case unicode.In(r, unicode.Pd, unicode.Pc), r == '▁', r == '−':
		return separator
	case unicode.In(r, unicode.Mn, unicode.Me):
		return mark
	case isOpener(r), isCloser(r): // some are letters
		return other
	case isLetter(r), unicode.IsNumber(r), unicode.Is(unicode.Mc, r):
		return wordy
	}
	return other
}

// isLetter reports whether r is a letter, or one in a circle, parentheses or a square, but not taken for a bracket.
func isLetter(r rune) bool {
	return (unicode.IsLetter(r) || r >= '⒜' && r <= 'ⓩ' || r >= '🄐' && r <= '🇿') && !isOpener(r) && !isCloser(r)
}

// isColon reports whether r is a colon or taken for one.
func isColon(r rune) bool { return strings.ContainsRune(":：﹕∶ː꞉︓", r) }

// isOpener reports whether r is the less-than sign, a bracket that is taken for one (Unicode's confusables.txt and what
// looks like an angle), or two of them in one character. ‹ is not: it is the replacement.
func isOpener(r rune) bool {
	return strings.ContainsRune("<＜﹤˂\u2329\u3008⟨❬❮❰⧼⦑ᐸᚲ𝈶≺⋖⪻«\u300a≪⟪⋘⪡", r)
}

// isCloser reports whether r is the greater-than sign or its like, including the replacement ›.
func isCloser(r rune) bool {
	return strings.ContainsRune(">＞﹥›˃\u232a\u3009⟩❭❯❱⧽⦒ᐳ𖼿𝈷≻⋗⪼»\u300b≫⟫⋙⪢", r)
}

// isBracket reports whether r is an angle bracket, or was made of one.
func isBracket(r rune) bool { return isOpener(r) || isCloser(r) || r == '‹' }

// isSlash reports whether r may be before the name of a closing tag: `<\/a>` is how JSON writes it.
func isSlash(r rune) bool { return strings.ContainsRune(`/\／＼⁄∕╱⧸`, r) }

// isBar reports whether r may be the bar of <|im_start|>. DeepSeek's are wide.
func isBar(r rune) bool { return strings.ContainsRune("|｜│∣❘￨¦ǀ︱", r) }
