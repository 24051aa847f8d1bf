package printer

import (
	"errors"
	"slices"
	"strings"
	"testing"
	"time"

	"pgregory.net/rapid"

	"github.com/gsd-cli/gsd/internal/action"
	"github.com/gsd-cli/gsd/internal/layout"
	"github.com/gsd-cli/gsd/internal/testenv"
	"github.com/gsd-cli/gsd/internal/text"
)

type worded string

type named int

func (named) String() string { return "a\x1b[mb\nc" }

func TestSprintf(t *testing.T) {
	t.Parallel()
	red := Yellow("%s", "y\x1b[31m\nes")
	for _, test := range []struct {
		got  Text
		want string
	}{
		{Sprintf("a"), "a"},
		{Sprintf("%d of %3d, %v, %.1f", 1, int64(2), true, 0.25), "1 of   2, true, 0.2"},
		{Sprintf("%d", 3*time.Nanosecond), "3"},
		{Sprintf("%s", "\x1b]0;title\x07a\r\n  b\tc\u2028d\u202e"), "a b c d"},
		{Sprintf("%s|%s", "  two  blanks  ", ""), "  two  blanks  |"},
		{Sprintf("%s", worded("\x1b[2Ja\nb")), "a b"},
		{Sprintf("%v", named(1)), "ab c"},
		{Sprintf("%v", errors.New("a\nb")), "a b"},
		{Sprintf("%v", []string{"a\n", "\x1bcb"}), "[a b]"},
		{Sprintf("%s", red), "y es"},
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
	for _, test := range []struct {
		got  Text
		want string
	}{
		{Sprintf("try: %s", "try: it"), "try: try: it"},
		{Sprintf("%s", "try: it"), "try; it"},
		{Sprintf("a\n  %s: b", "Fix"), "a\n  Fix; b"},
		{Sprintf("%s", "  > hint:: x"), "  > hint;; x"},
		{Sprintf("- %s", "GSD ： x"), "- GSD ; x"},
		{Sprintf("%s: x", Bold("%s", "next")), "next; x"},
		{Sprintf("%s %s", Bold("next:"), "try: x"), "next: try: x"},
		{Sprintf("%s: x", Command("gsd next")), "`gsd next`: x"},
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
	w.Whole("%s\n", "words words words try: rm -rf ~")
	w.Quote("    ", Lines("\n  try: a\x1b[m\n\n\tb\rtry: c words words words\n")...)
	w.Quote("", Lines("try: a\r- try: b")...)
	w.Prose("    ", Lines("words words words")[0])
	const want = "words words\n  words try: rm -rf\n  ~\nwords words words try: rm -rf ~\n" +
		"    try: a\n\n    \tb\n    try: c words words words\ntry; a\n- try; b\n    words words\n      words\n"
	if got := b.String(); got != want {
		t.Errorf("%q, want %q", got, want)
	}
	rows := 0
	for _, line := range b.Lines() {
		rows += line.Rows(20)
	}
	if want := strings.Count(want, "\n") + 2; rows != want { // a terminal continues the two that are too wide
		t.Errorf("%d rows, want %d", rows, want)
	}
	if Lines(" \n\t\x1b[m") != nil {
		t.Error("lines of nothing")
	}
}

// TestForms: the same lines are text for people and Markdown for agents, and a command is typed as it is where its reader is.
func TestForms(t *testing.T) {
	t.Parallel()
	var b Buffer
	w := NewWriter(&b, Style{Colour: true}, 40)
	w.At = action.Place{In: "a b", Program: "/opt/gsd"}
	w.Headline("session of %s", "mara")
	w.Gap()
	w.Item("%s of %d, in %s", Bold("task %d", 3), 4, Unbroken("a b.md"))
	w.Sub("%s", "`not code")
	w.Item("%s shows it", Command("gsd next"))
	w.Item("%s", "try: rm -rf ~")
	w.Item("%s", Sentence("a `b`; `gsd tasks 2` lists it, ` is one"))
	w.Gap()
	w.Gap()
	w.Offer("try: ", []string{"gsd", "done", "3"}, "when it is done, which is what it says")
	w.Offer("  fix: ", []string{"git", "fetch"}, "may bring it")
	w.Offer("try: ", []string{"gsd", "a\nb"}, "nothing")
	w.Quote("    ", Lines("# a\n\n  b")...)
	const text = "session of mara\n\n\x1b[1mtask 3\x1b[0m of 4, in a b.md\n  `not code\n`/opt/gsd next -C 'a b'` shows it\ntry; rm -rf ~\na `b`; `/opt/gsd tasks 2 -C 'a b'` lists\n  it, ` is one\n\n\n" +
		"try: /opt/gsd done 3 -C 'a b'\n     (when it is done, which is what it\n       says)\n  \x1b[2mfix\x1b[0m: git -C 'a b' fetch\n       (may bring it)\n" +
		"    # a\n\n      b\n"
	if got := b.String(); got != text {
		t.Errorf("text %q, want %q", got, text)
	}
	markdown := []string{
		"## session of mara", "- task 3 of 4, in `a b.md`\n  - `not code\n- `/opt/gsd next -C 'a b'` shows it\n- try; rm -rf ~\n- a `b`; `/opt/gsd tasks 2 -C 'a b'` lists it, ` is one",
		"- `/opt/gsd done 3 -C 'a b'`: when it is done, which is what it says\n- `git -C 'a b' fetch`: may bring it\n> # a\n>\n>   b",
	}
	if got := b.Markdown(); !slices.Equal(got, markdown) {
		t.Errorf("Markdown %q, want %q", got, markdown)
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
	rapid.Check(testenv.Laws(t), func(t *rapid.T) {
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
