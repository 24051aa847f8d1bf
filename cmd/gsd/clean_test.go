package main

import (
	"os/exec"
	"strings"
	"testing"
	"unicode/utf8"
)

func TestClean(t *testing.T) {
	t.Parallel()
	for _, test := range []struct{ text, want string }{
		{"", ""},
		{"plain text\nof two lines\tand a tab", "plain text\nof two lines\tand a tab"},
		{"größer 日本語 🚀", "größer 日本語 🚀"},
		// Escape sequences go whole: CSI, OSC with BEL or ST, DCS, SOS, PM, APC, and what is only begun.
		{"a\x1b[31mred\x1b[0mb", "aredb"},
		{"a\x1b[1;2;3Hb", "ab"},
		{"a\x1b[?25lb", "ab"},
		{"a\x1b]0;title\x07b", "ab"},
		{"a\x1b]8;;http://x\x1b\\link\x1b]8;;\x1b\\b", "alinkb"},
		{"a\x1bPq\x1b\\b", "ab"},
		{"a\x1b_x\x1b\\\x1b^x\x1b\\\x1bXx\x1b\\b", "ab"},
		{"a\x1bcb", "acb"},
		{"a\x1b", "a"},
		{"a\x1b[", "a"},
		{"a\x1b[31", "a"},
		{"a\x1b]0;never closed\nnext line", "a\nnext line"},
		{"a\x1b[31\nb", "a\nb"},
		// Controls, in one byte and in two.
		{"a\x00\a\b\v\f\x7fb", "ab"},
		{"a\u009b31mb\u0085", "a31mb"},
		{"a\r\nb\rc", "a\nb\nc"},
		{"a\u2028b\u2029c", "a\nb\nc"},
		// What nobody sees.
		{"a\u202eb\u202cc\u2066d\u2069e\u200ff", "abcdef"},
		{"a\u200bb\u200cc\u200dd\u2060e\ufefff\u00adg", "abcdefg"},
		{"a\U000e0001\U000e0061\U000e007fb", "ab"},
		{"a\U000e0100b", "ab"},
		{"a\u3164b\u115fc\u1160d\uffa0e", "abcde"},
		{"a\u034fb\u17b4c\u17b5d\u180be\u180ff", "abcdef"},
		// Bytes that are no UTF-8.
		{"a\xffb", "a\ufffdb"},
		{"a\x9b31mb", "a\ufffd31mb"},
		{"a\xc0\x9bb", "a\ufffd\ufffdb"},
		{"a\xed\xa0\x80b", "a\ufffd\ufffd\ufffdb"},
	} {
		if got := clean(test.text); got != test.want {
			t.Errorf("clean(%+q) = %+q, want %+q", test.text, got, test.want)
		}
	}
}

func TestLine(t *testing.T) {
	t.Parallel()
	for _, test := range []struct{ text, want string }{
		{"", ""},
		{"  a\n\tb \r\n c  ", "a b c"},
		{"a\u00a0b\u3000c", "a b c"},
		{"a\u2028b", "a b"},
		{"\x1b[31m\n\x1b[0m", ""},
	} {
		if got := line(test.text); got != test.want {
			t.Errorf("line(%+q) = %+q, want %+q", test.text, got, test.want)
		}
	}
}

func TestTitle(t *testing.T) {
	t.Parallel()
	for _, test := range []struct{ text, want string }{
		{"short", "short"},
		{strings.Repeat("é", 200), strings.Repeat("é", 200)},
		{strings.Repeat("é", 201), strings.Repeat("é", 199) + "…"},
		{strings.Repeat("a\x1b[m", 200), strings.Repeat("a", 200)},
	} {
		if got := title(test.text); got != test.want {
			t.Errorf("title(%+q) = %+q", test.text, got)
		}
	}
	for _, test := range []struct {
		name string
		n    int
		want string
	}{
		{"Task 2: List notes", 2, "List notes"},
		{"Task 2: List notes", 1, "Task 2: List notes"}, // misnumbered: the reader should see it
		{"Task 2:", 2, "Task 2:"},
		{"Task 20: x", 2, "Task 20: x"},
		{"Task 2", 2, "Task 2"},
		{"List notes", 2, "List notes"},
		{"\x1b[31mTask 2:\x1b[0m List", 2, "List"},
	} {
		if got := taskTitle(test.name, test.n); got != test.want {
			t.Errorf("taskTitle(%q, %d) = %q, want %q", test.name, test.n, got, test.want)
		}
	}
}

var quoted = []struct{ text, want string }{
	{"", "''"},
	{"03-01", "03-01"},
	{".planning/phases/03-api/03-01-PLAN.md", ".planning/phases/03-api/03-01-PLAN.md"},
	{"-x", "'-x'"},
	{"~", "'~'"},
	{"~root/x", "'~root/x'"},
	{"a b", "'a b'"},
	{"it's", `'it'\''s'`},
	{"'", `''\'''`},
	{"$(touch x)`touch x`", "'$(touch x)`touch x`'"},
	{`"$HOME" \ ! & | ; < > * ? [a] {b,c} # = %`, `'"$HOME" \ ! & | ; < > * ? [a] {b,c} # = %'`},
	{"größer", "'größer'"},
	{"a=b", "'a=b'"},
}

func TestQuote(t *testing.T) {
	t.Parallel()
	for _, test := range quoted {
		if got := quote(test.text); got != test.want {
			t.Errorf("quote(%q) = %q, want %q", test.text, got, test.want)
		}
	}
	sh, err := exec.LookPath("sh")
	if err != nil {
		t.Skip("no shell")
	}
	for _, test := range quoted {
		out, err := exec.Command(sh, "-c", "printf %s "+quote(test.text)).Output()
		if err != nil || string(out) != test.text {
			t.Errorf("%q is %q to a shell: %v", test.text, out, err)
		}
	}
}

// FuzzClean holds the law of clean.go: whatever comes in, what goes out is valid UTF-8 in which nothing
// acts or hides, and cleaning it again changes nothing.
func FuzzClean(f *testing.F) {
	for _, seed := range []string{
		"", "plain", "a\x1b[31mred\x1b[0m", "\x1b]8;;http://x\x1b\\y\x1b]8;;\x07", "\x1b", "\x1b[", "\x1b\x1b[m[31m", "\x1b]\x1b[31m\x07",
		"\r\n\r", "\u202e\u200b\u2028\U000e0041\U0001f600\ufe0f", "\u034f\xff\xfe\x9b1m", "\xc2", "\xe2\x80", "it's $(x)", strings.Repeat("é\x00", 300),
	} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, s string) {
		got := clean(s)
		if bad := unsafeRune(got); bad != "" {
			t.Errorf("clean(%+q) has %s", s, bad)
		}
		for _, r := range got {
			if isHidden(r) {
				t.Errorf("clean(%+q) keeps %U", s, r)
			}
		}
		if again := clean(got); again != got {
			t.Errorf("clean(%+q) = %+q, and again %+q", s, got, again)
		}
		one := line(s)
		if strings.ContainsAny(one, "\n\t") || strings.TrimSpace(one) != one || line(one) != one || unsafeRune(one) != "" {
			t.Errorf("line(%+q) = %+q", s, one)
		}
		name := title(s)
		if utf8.RuneCountInString(name) > longestName || unsafeRune(name) != "" || title(name) != name {
			t.Errorf("title(%+q) = %+q", s, name)
		}
		want := strings.NewReplacer("\n", " ", "\t", " ").Replace(got)
		if word, ok := unquote(quote(s)); !ok || word != want {
			t.Errorf("quote(%+q) = %+q, which is %+q to a shell", s, quote(s), word)
		}
	})
}

// unquote reads one word as a POSIX shell does that knows single quotes and \'; false where the word holds
// anything else that a shell would act on.
func unquote(word string) (string, bool) {
	var b strings.Builder
	for word != "" {
		switch {
		case word[0] == '\'':
			inner, rest, ok := strings.Cut(word[1:], "'")
			if !ok {
				return "", false
			}
			b.WriteString(inner)
			word = rest
		case strings.HasPrefix(word, `\'`):
			b.WriteByte('\'')
			word = word[2:]
		case strings.IndexByte(" \t\n\\\"$`&|;<>*?[]{}()#!~=^", word[0]) >= 0:
			return "", false
		default:
			b.WriteByte(word[0])
			word = word[1:]
		}
	}
	return b.String(), true
}
