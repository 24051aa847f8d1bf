package text

import (
	"strings"
	"testing"
	"unicode"
	"unicode/utf8"
)

func TestClean(t *testing.T) {
	t.Parallel()
	for _, test := range []struct{ text, want string }{
		{"", ""},
		{"plain text\nof two lines\tand a tab", "plain text\nof two lines\tand a tab"},
		// Escape sequences go whole: CSI, OSC with BEL or ST, DCS, SOS, PM, APC, and what is only started.
		{"a\x1b[31mred\x1b[0mb", "aredb"},
		{"a\x1b]0;title\x07b", "ab"},
		{"a\x1b]8;;http://x\x1b\\link\x1b]8;;\x1b\\b", "alinkb"},
		{"a\x1b]8;id=é;http://x/ü\x1b\\link\x1b]8;;\x1b\\b", "alinkb"},
		{"a\x1bPq\x1b\\b", "ab"},
		{"a\x1b(Bb\x1b#8c\x1b %Gd", "abcd"}, // a charset, a test pattern, one with two in between
		{"a\x1b", "a"},
		{"a\x1b[31", "a"},
		{"a\x1b]0;never closed\nnext line", "a\nnext line"},
		{"a\x1b]0;never closed\r\nnext line", "a\nnext line"},
		{"a\x1b]0;cancelled\x18b\x1bPsubstituted\x1ac", "a·b·c"},
		{"a\x1b[31\nb", "a\nb"},
		{"a\x1b\nb\x1b\u00e9c", "a\nbéc"},
		{"a\x1b]0;x\x1b[31my\x07b", "ay·b"},
		// The same in one character of two bytes, with what belongs to it.
		{"a\u009b31mb", "ab"},
		{"a\u009d8;;http://x\u009clink\u009d8;;\u009cb", "alinkb"},
		{"a\u0090q\u009cb\u0098x\x1b\\c\u009ex\u009cd\u009fx\u009ce", "abcde"},
		{"a\x1b]0;x\u009cb", "ab"},
		{"a\u009d0;never closed\nb", "a\nb"},
		// Controls and line ends.
		{"a\x00\a\b\v\f\x7fb", "a······b"},
		{"a\r\nb\rc", "a\nb\nc"},
		// What nobody sees.
		{"a\u202eb\u202cc\u2066d\u2069e\u200ff", "abcdef"},
		{"a\u200bb\u200cc\u200dd\u2060e\ufefff\u00adg", "abcdefg"},
		{"a\U000e0001\U000e0061\U000e007fb", "ab"},
		{"a\U000e0100b\U000e1000c\U000eabcdd", "abcd"},
		{"a\u3164b\u115fc\u1160d\uffa0e\u2800f", "abcdef"},
		{"a\u034fb\u17b4c\u17b5d\u180be\u180ff\u180eg", "abcdefg"},
		{"a\U00016fe4b\U0001d159c\U0001d173d", "abcd"},
		{"a\ue000b\U000f0000c\U0010fffdd", "abcd"},
		{"a\ufdd0b\ufffec\uffffd\U0001fffee\U0010fffff", "abcdef"},
		{"<sys\u200btem-re\u00adminder>", "<system-reminder>"},
		// Emoji lose their selectors and fall into their parts.
		{"☺\ufe0f ❤\ufe0f 👩\u200d💻 🇩🇪 👍🏽 1\ufe0f\u20e3", "☺ ❤ 👩💻 🇩🇪 👍🏽 1\u20e3"},
		// Bytes that are no UTF-8.
		{"a\x9b31mb", "a\ufffd31mb"},
		{"a\xc0\x9bb", "a\ufffd\ufffdb"},
		{"a\xed\xa0\x80b", "a\ufffd\ufffd\ufffdb"},
		{"a\xc2\x1b[mb", "a\ufffdb"},
	} {
		if got := Clean(test.text); got != test.want {
			t.Errorf("Clean(%+q) = %+q, want %+q", test.text, got, test.want)
		}
	}
}

// TestHidden asks for every character what Unicode says, without the shortcuts that Hidden takes.
func TestHidden(t *testing.T) {
	t.Parallel()
	for r := rune(0); r <= unicode.MaxRune; r++ {
		want := unicode.In(r, unicode.Cc, unicode.Cf, unicode.Co, unicode.Noncharacter_Code_Point, unicode.Variation_Selector,
			unicode.Other_Default_Ignorable_Code_Point)
		switch {
		case r == '\n', r == '\t', r >= 0xd800 && r <= 0xdfff: // halves of pairs are no characters of UTF-8
			continue
		case r >= 0xe0000, r == 0x2800, r == 0x16fe4, r == 0x1d159:
			want = true
		}
		if got := Hidden(r); got != want {
			t.Errorf("Hidden(%U) = %t", r, got)
		}
	}
}

// checkClean says what a text should not hold that was cleaned.
func checkClean(t interface{ Errorf(string, ...any) }, s string) {
	if !utf8.ValidString(s) {
		t.Errorf("not UTF-8: %+q", s)
	}
	if strings.ContainsFunc(s, acts) {
		t.Errorf("something acts or hides in %+q", s)
	}
}

var hostile = []string{
	"", "plain", "a\x1b[31mred\x1b[0m", "\x1b]8;;http://x\x1b\\y\x1b]8;;\x07", "\x1b", "\x1b[", "\x1b\x1b[m[31m", "\x1b]\x1b[31m\x07",
	"\r\n\r", "\u202e\u200b\u2028\U000e0041\U0001f600\ufe0f", "\u034f\xff\xfe\x9b1m", "\xc2", "\xe2\x80", "\u009b31m\u009d8;;x\u009c", "\x1b(B\x1b%G",
	strings.Repeat("é\x00", 300), "\ufdd0\ufffe\ue000\u2800", "\x1bP\x18\x1b_\x1a\u0085",
}

// acts reports whether r must not be in a text that was cleaned.
func acts(r rune) bool { return Hidden(r) || strings.ContainsRune("\r\u0085\u2028\u2029", r) }

// checkCleaned checks that nothing acts or hides in what was cleaned, and that cleaning it again changes nothing.
func checkCleaned(t interface{ Errorf(string, ...any) }, s string) {
	got := Clean(s)
	checkClean(t, got)
	if again := Clean(got); again != got || len(got) > 3*len(s) {
		t.Errorf("Clean(%+q) = %+q, and again %+q", s, got, again)
	}
	if utf8.ValidString(s) && !strings.ContainsFunc(s, acts) && got != s {
		t.Errorf("Clean(%+q) = %+q", s, got)
	}
}
