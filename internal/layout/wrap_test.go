package layout

import (
	"runtime"
	"strings"
	"testing"
	"unicode/utf8"

	"pgregory.net/rapid"

	"github.com/gsd-cli/gsd/internal/testenv"
	"github.com/gsd-cli/gsd/internal/text"
)

func TestWrapLine(t *testing.T) {
	t.Parallel()
	for _, test := range []struct {
		name, line string
		n          int
		want       string
	}{
		{"it fits", "one two three", 13, "one two three"},
		{"any width", "one two three", 0, "one two three"},
		{"at a word", "one two three", 12, "one two\n  three"},
		{"its indent", "  one two three", 12, "  one two\n    three"},
		{"a path is not broken", "see .planning/phases/01-notes/01-02-PLAN.md now", 20, "see\n  .planning/phases/01-notes/01-02-PLAN.md\n  now"},
		{"nor one with blanks", "see " + Unbroken("my notes/01-02-PLAN.md") + " now", 20, "see\n  my notes/01-02-PLAN.md\n  now"},
		{"colours take no room", "\x1b[33mone\x1b[0m two", 7, "\x1b[33mone\x1b[0m two"},
		{"the end of a colour stays with it", "\x1b[1mone two \x1b[0m " + Unbroken("try: rm x"), 12, "\x1b[1mone\n  two \x1b[0m try: rm x"},
		{"a row", "  --again  start a session even if it has a summary", 36, "  --again  start a session even if\n           it has a summary"},
		{"a row with a wide first cell", "a-rather-long-name-of-a-flag  says what it does", 36, "a-rather-long-name-of-a-flag  says\n  what it does"},
		{"a row of cells", " 2  pending  auto  Print the notes of a day", 40, " 2  pending  auto  Print the notes of a\n                   day"},
		{"a command in a sentence", "write it; `gsd done --summary` makes it the summary", 24, "write it;\n  `gsd done --summary`\n  makes it the summary"},
		{"at the end of one", "write it (`gsd done --summary`), and go on", 22, "write it\n  (`gsd done --summary`),\n  and go on"},
		{"quoted code", "resume at task 1: `rm -rf /` is not run", 24, "resume at task 1:\n  `rm -rf /` is not run"},
		{"a backtick alone", "resume at task 1: ` is one", 22, "resume at task 1: ` is\n  one"},
		{"two blanks in it", "there: `gsd bootstrap 01-02 -C 'a  b'` takes it up", 22, "there:\n  `gsd bootstrap 01-02 -C 'a  b'`\n  takes it up"},
		{"wide letters", "粘土 粘土 粘土", 10, "粘土 粘土\n  粘土"},
	} {
		if got := Wrap(test.line, test.n); got != test.want {
			t.Errorf("%s: %q, want %q", test.name, got, test.want)
		}
	}
}

// TestWrapEffort: a line of twice the length takes twice the memory, also if it is one command, or one quoted text.
func TestWrapEffort(t *testing.T) { // not in parallel: it counts what the process allocates
	for _, begins := range []string{"a` ", ""} {
		var took []uint64
		for _, n := range []int{10_000, 40_000} {
			line := begins + strings.Repeat("1 ", n) + "`'"
			var before, after runtime.MemStats
			runtime.ReadMemStats(&before)
			Wrap(line, 80)
			runtime.ReadMemStats(&after)
			took = append(took, after.TotalAlloc-before.TotalAlloc)
		}
		if took[1] > 8*took[0] {
			t.Errorf("%q: four times the words take %d bytes instead of %d", begins, took[1], took[0])
		}
	}
}

// TestWrapKeeps: nothing but blanks is lost or added, and a line is wider than the rest only if it cannot be broken.
func TestWrapKeeps(t *testing.T) {
	t.Parallel()
	rapid.Check(testenv.Laws(t), func(t *rapid.T) {
		line := text.Line(rapid.String().Draw(t, "text"))
		n := rapid.IntRange(2, 40).Draw(t, "columns")
		got := Wrap(line, n)
		if !utf8.ValidString(got) {
			t.Fatalf("%q is torn", got)
		}
		blanks := strings.NewReplacer(" ", "", "\n", "", glue, "")
		if blanks.Replace(got) != blanks.Replace(line) {
			t.Fatalf("%q became %q", line, got)
		}
		for part := range strings.SplitSeq(got, "\n") {
			pieces := piecesOf(part)
			last := pieces[len(pieces)-1].text
			if Columns(part) > n && Columns(part)-Columns(last) > hangingIndent(piecesOf(line), n) {
				t.Fatalf("%q of %q is wider than %d", part, got, n)
			}
		}
	})
}
