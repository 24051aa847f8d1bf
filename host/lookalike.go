package host

import (
	"unicode"
	"unicode/utf8"
)

// A name in markup is read as its reader sees it: without regard to case, to letters that look like those of ASCII, and
// to the marks on them.

// markupName is the name of a tag, a token or a key.
type markupName struct {
	letters  buffer // without its separators: system-reminder and SystemReminder are both systemreminder
	compound bool   // a separator stands between two of its words
	size     int    // in bytes
}

// buffer holds a name for comparison. What is longer than any that is looked for equals none of them.
type buffer struct {
	text [40]byte
	n    int
}

func (b *buffer) add(c byte) {
	if b.n < len(b.text) {
		b.text[b.n] = c
	}
	b.n++
}

func (b *buffer) bytes() []byte {
	if b.n > len(b.text) {
		return nil
	}
	return b.text[:b.n]
}

// readName reads the name that s begins with: a letter, then letters, digits, their marks, dashes, underscores, colons,
// and dots with a letter or a digit behind them. The size is 0 where there is none.
func readName(s string) markupName {
	var name markupName
	separated := false
	for name.size < len(s) {
		r, n := utf8.DecodeRuneInString(s[name.size:])
		c := fold(r)
		if name.size == 0 && !isLetter(r, c) {
			break
		}
		if c == '.' {
			after, _ := utf8.DecodeRuneInString(s[name.size+n:])
			if a := fold(after); a == 0 || a == '.' || a == separator || a == mark {
				break
			}
		}
		if c == 0 {
			break
		}
		name.size += n
		switch c {
		case separator:
			separated = true
		case mark:
		default:
			name.compound = name.compound || separated
			name.letters.add(c)
		}
	}
	return name
}

// isLetter reports whether a character, which folds to c, may begin a name.
func isLetter(r rune, c byte) bool {
	return c >= 'a' && c <= 'z' || c == foreign && unicode.IsLetter(r)
}

// isToken tells the names that are tokens in square brackets. There have to be few: [user] is in many a file.
func isToken(name []byte) bool {
	switch string(name) {
	case "inst", "systemprompt", "systemmessage", "systemreminder", "availabletools", "toolcalls", "toolresults",
		"toolcontent":
		return true
	}
	return false
}

// isKey tells the keys of what hooks answer. Those that are ordinary words are not here: decision, continue, reason.
func isKey(name []byte) bool {
	switch string(name) {
	case "hookspecificoutput", "hookeventname", "additionalcontext", "systemmessage", "permissiondecision",
		"permissiondecisionreason", "suppressoutput", "stopreason", "updatedinput", "updatedmcptooloutput",
		"initialusermessage", "sessiontitle", "watchpaths", "reloadskills", "usermessage", "agentmessage",
		"followupmessage":
		return true
	}
	return false
}

// What fold makes of characters that are no letter of ASCII.
const (
	separator = '-'
	mark      = 1
	foreign   = 2 // a letter that is no letter of ASCII
)

// fold is the lower letter or the digit of ASCII that a character looks like, a dot, separator, mark, foreign, or
// 0 for what is no part of a name.
func fold(r rune) byte {
	switch {
	case r >= 'a' && r <= 'z', r >= '0' && r <= '9', r == '.':
		return byte(r)
	case r >= 'A' && r <= 'Z':
		return byte(r) | 0x20
	case r == '-', r == '_', isColon(r):
		return separator
	case r < 0xaa:
		return 0
	case r >= 'Ａ' && r <= 'Ｚ':
		return 'a' + byte(r-'Ａ')
	case r >= 'ａ' && r <= 'ｚ':
		return 'a' + byte(r-'ａ')
	case r >= '⒜' && r <= '⒵':
		return 'a' + byte(r-'⒜')
	case r >= 'Ⓐ' && r <= 'ⓩ':
		return 'a' + byte((r-'Ⓐ')%26)
	case r >= '🄐' && r <= '🆉' && (r-'🄐')%32 < 26: // in parentheses, squares, black circles and black squares
		return 'a' + byte((r-'🄐')%32)
	case r >= '🇦' && r <= '🇿': // two of them are a flag
		return 'a' + byte(r-'🇦')
	case r >= '𝐀' && r <= '𝚣':
		return 'a' + byte((r-'𝐀')%26) // thirteen alphabets of mathematics, each A to z
	}
	if c := lookalike(r); c != 0 {
		return c
	}
	switch {
	case unicode.In(r, unicode.Pd, unicode.Pc), r == '▁', r == '−':
		return separator
	case unicode.In(r, unicode.Mn, unicode.Me):
		return mark
	case isOpener(r), isCloser(r): // some are letters
		return 0
	case unicode.IsLetter(r), unicode.IsNumber(r), unicode.Is(unicode.Mc, r):
		return foreign
	}
	return 0
}

// lookalike is the letter of ASCII that a Cyrillic, Greek, small or other letter is taken for.
func lookalike(r rune) byte {
	switch r {
	case 'а', 'А', 'α', 'Α', 'ɑ', 'ᴀ':
		return 'a'
	case 'В', 'Β', 'ʙ', 'ℬ':
		return 'b'
	case 'с', 'С', 'ϲ', 'Ϲ', 'ⅽ', 'Ⅽ', 'ᴄ', 'ℂ':
		return 'c'
	case 'ԁ', 'ⅾ', 'Ⅾ', 'ᴅ':
		return 'd'
	case 'е', 'Е', 'Ε', 'ᴇ', 'ℯ', 'ℰ':
		return 'e'
	case 'ɡ', 'ɢ', 'ℊ':
		return 'g'
	case 'һ', 'Н', 'Η', 'ʜ', 'ℎ', 'ℋ':
		return 'h'
	case 'і', 'І', 'ι', 'Ι', 'ı', 'ɪ', 'ⅰ', 'Ⅰ', 'ӏ', 'ℐ':
		return 'i'
	case 'ј', 'Ј', 'ϳ':
		return 'j'
	case 'К', 'к', 'Κ', 'κ', '\u212a', 'ᴋ':
		return 'k'
	case 'ⅼ', 'Ⅼ', 'ʟ', 'ℓ', 'Ӏ', 'ǀ':
		return 'l'
	case 'М', 'м', 'Μ', 'ⅿ', 'Ⅿ', 'ᴍ', 'ℳ':
		return 'm'
	case 'Ν', 'ɴ', 'п', 'ո', 'ℕ':
		return 'n'
	case 'о', 'О', 'ο', 'Ο', 'ᴏ', 'օ', 'ℴ':
		return 'o'
	case 'р', 'Р', 'ρ', 'Ρ', 'ᴘ', 'ℙ':
		return 'p'
	case 'ԛ', 'ℚ':
		return 'q'
	case 'ʀ', 'ℝ', 'ℛ', 'г':
		return 'r'
	case 'ѕ', 'Ѕ', 'ſ', 'ꜱ', 'ƨ':
		return 's'
	case 'Т', 'т', 'Τ', 'τ', 'ᴛ':
		return 't'
	case 'υ', 'ᴜ', 'ս', 'ц':
		return 'u'
	case 'ν', 'ѵ', 'ⅴ', 'Ⅴ', 'ᴠ':
		return 'v'
	case 'ѡ', 'ԝ', 'ω', 'ᴡ':
		return 'w'
	case 'х', 'Х', 'χ', 'Χ', 'ⅹ', 'Ⅹ':
		return 'x'
	case 'у', 'У', 'γ', 'Υ', 'ү', 'Ү', 'ʏ':
		return 'y'
	case 'Ζ', 'ᴢ', 'ℤ':
		return 'z'
	}
	return 0
}

// isColon tells a colon and what is taken for one.
func isColon(r rune) bool {
	switch r {
	case ':', '：', '﹕', '∶', 'ː', '꞉', '︓':
		return true
	}
	return false
}

// isOpener reports whether r is the less-than sign, a bracket that is taken for one (Unicode's confusables.txt and what
// looks like an angle), or two of them in one character. ‹ is none: it is what they are replaced by.
func isOpener(r rune) bool {
	switch r {
	case '<', '＜', '﹤', '˂', '\u2329', '\u3008', '⟨', '❬', '❮', '❰', '⧼', '⦑', 'ᐸ', 'ᚲ', '𝈶', '≺', '⋖', '⪻',
		'«', '\u300a', '≪', '⟪', '⋘', '⪡':
		return true
	}
	return false
}

// isCloser reports whether r is the greater-than sign or its like, ›, by which it is replaced, among them.
func isCloser(r rune) bool {
	switch r {
	case '>', '＞', '﹥', '›', '˃', '\u232a', '\u3009', '⟩', '❭', '❯', '❱', '⧽', '⦒', 'ᐳ', '𖼿', '𝈷', '≻', '⋗', '⪼',
		'»', '\u300b', '≫', '⟫', '⋙', '⪢':
		return true
	}
	return false
}

// isSlash tells what may stand before the name of a closing tag: `<\/a>` is how JSON writes it.
func isSlash(r rune) bool {
	switch r {
	case '/', '\\', '／', '＼', '⁄', '∕', '╱', '⧸':
		return true
	}
	return false
}

// isBar tells the bar of <|im_start|>. DeepSeek's are wide.
func isBar(r rune) bool {
	switch r {
	case '|', '｜', '│', '∣', '❘', '￨', '¦', 'ǀ', '︱':
		return true
	}
	return false
}
