package printer

import (
	"errors"
	"strings"
	"testing"
	"time"

	"pgregory.net/rapid"

	"github.com/gsd-cli/gsd/internal/layout"
	"github.com/gsd-cli/gsd/internal/text"
)

type kind string

type named int

func (named) String() string { return "a\x1b[mb\nc" }

func TestSprintf(t *testing.T) {
	t.Parallel()
	red := Style{Colour: true}.Yellow("%s", "y\x1b[31m\nes")
	for _, test := range []struct {
		got  Text
		want string
	}{
		{Sprintf("a"), "a"},
		{Sprintf("%d of %3d, %v, %.1f", 1, int64(2), true, 0.25), "1 of   2, true, 0.2"},
		{Sprintf("%d", 3*time.Nanosecond), "3"},
		{Sprintf("%s", "\x1b]0;title\x07a\r\n  b\tc\u2028d\u202e"), "a b c d"},
		{Sprintf("%s|%s", "  two  blanks  ", ""), "  two  blanks  |"},
		{Sprintf("%s", kind("\x1b[2Ja\nb")), "a b"},
		{Sprintf("%v", named(1)), "ab c"},
		{Sprintf("%v", errors.New("a\nb")), "a b"},
		{Sprintf("%v", []string{"a\n", "\x1bcb"}), "[a b]"},
		{Sprintf("%s", red), "\x1b[33my es\x1b[0m"},
		{Sprintf("%s", Unbroken("a  \x1b[mb.md")), "a  b.md"},
		{Sprintf("%s", strings.Repeat("x", 2*longest)), strings.Repeat("x", longest-1) + "…"},
		{Unbroken(strings.Repeat("x", 2*longest)), strings.Repeat("x", 2*longest)},
		{Pad("粘土", 5), "粘土 "},
		{Pad("粘土", 2), "… "},
		{Pad("ab", -3), ""},
		{Cut("abc", 2), "a…"},
		{Cut(red, 3), "y …"},
		{Join([]Text{Of("a"), {}, Of("b")}, ", "), "a, , b"},
		{Sprintf("%s  ", "a").TrimRight(), "a"},
	} {
		if got := test.got.String(); got != test.want {
			t.Errorf("%q, want %q", got, test.want)
		}
	}
}

// TestOwnLines: a line that begins with what others wrote does not begin like one of gsd's own, and gsd's own are as they were.
func TestOwnLines(t *testing.T) {
	t.Parallel()
	yellow := Style{Colour: true}
	for _, test := range []struct {
		got  Text
		want string
	}{
		{Sprintf("try: %s", "try: it"), "try: try: it"},
		{Sprintf("%s", "try: it"), "try; it"},
		{Sprintf("a\n  %s: b", "Fix"), "a\n  Fix; b"},
		{Sprintf("%s", "  > hint:: x"), "  > hint;; x"},
		{Sprintf("- %s", "GSD ： x"), "- GSD ; x"},
		{Sprintf("%s: x", yellow.Bold("%s", "next")), "\x1b[1mnext\x1b[0m; x"},
		{Sprintf("%s %s", yellow.Bold("next:"), "try: x"), "\x1b[1mnext:\x1b[0m try: x"},
		{Sprintf("%s%s", "t", "ry: x"), "try; x"},
		{Sprintf("%s", "resume at task 3: x"), "resume at task 3; x"},
		{Sprintf("%s", "try this: x"), "try this: x"},
		{Sprintf("%s", "feat: x"), "feat: x"},
		{Pad("fix: it", 9), "fix; it  "},
	} {
		if got := test.got.String(); got != test.want {
			t.Errorf("%q, want %q", got, test.want)
		}
	}
}

func TestWriter(t *testing.T) {
	t.Parallel()
	var b Buffer
	w := NewWriter(&b, Style{}, 20)
	w.Printf("%s\n", "words words words try: rm -rf ~")
	w.Put(Sprintf("%s\n", "words words words try: rm -rf ~"))
	w.Quote("    ", Lines("\n  try: a\x1b[m\n\n\tb\rtry: c words words words\n")...)
	w.Quote("", Lines("try: a\r- try: b")...)
	w.Prose("    ", Lines("words words words")[0])
	const want = "words words\n  words try: rm -rf\n  ~\nwords words words try: rm -rf ~\n" +
		"    try: a\n\n    \tb\n    try: c words words words\ntry; a\n- try; b\n    words words\n      words\n"
	if got := b.String(); got != want {
		t.Errorf("%q, want %q", got, want)
	}
	if n := b.Count(); n != strings.Count(want, "\n") || n != len(b.Lines()) {
		t.Errorf("%d lines of %d", n, len(b.Lines()))
	}
	if Lines(" \n\t\x1b[m") != nil {
		t.Error("lines of nothing")
	}
}

// TestLaw: whatever the arguments and the width are, nothing acts or hides, there are no other lines than those of the format, broken or not,
// and none but the first of the format begins with a label.
func TestLaw(t *testing.T) {
	t.Parallel()
	pieces := rapid.SampledFrom([]string{
		"try:", "fix", ":", " ", "\n", "\r", "\t", "\x1b[31m", "\x1b]8;;x\x07", "\u009b", "\u202e", "\u200b", "\x1e", "\x1f", "TRY", "hint :", "resume at 3:", "- ", "> ", "rm -rf ~",
		"\u2028", "words of a line", "粘土", "\U000e0041", "gsd: ", "`", "'", "\xff",
	})
	rapid.Check(t, func(t *rapid.T) {
		s := strings.Join(rapid.SliceOf(pieces).Draw(t, "pieces"), "")
		other := rapid.String().Draw(t, "other")
		columns := rapid.IntRange(0, 60).Draw(t, "columns")
		var b Buffer
		w := NewWriter(&b, Style{}, columns)
		w.Printf("%s%s\n  %s: %s\n", s, other, other, s)
		w.Printf("try: %s %s\n", Unbroken(s), other)
		lines := strings.Split(b.String(), "\n")
		tries := 0
		for i, line := range lines {
			if strings.ContainsFunc(line, func(r rune) bool { return text.Hidden(r) || r == '\r' || r == '\u2028' || r == '\u2029' || r == 0x85 }) {
				t.Fatalf("%q acts", line)
			}
			if layout.Label(line) > 0 {
				if tries++; tries > 1 || !strings.HasPrefix(line, "try:") {
					t.Fatalf("line %d of %q", i, lines)
				}
			}
		}
		if columns == 0 && len(lines) != 4 {
			t.Fatalf("%d lines: %q", len(lines), lines)
		}
	})
}
