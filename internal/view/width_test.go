package view

import (
	"strings"
	"testing"
	"unicode/utf8"

	"pgregory.net/rapid"

	"github.com/gsd-cli/gsd/internal/text"
)

func TestFit(t *testing.T) {
	for _, test := range []struct {
		text string
		n    int
		want string
	}{
		{"", 0, ""},
		{"ab", 2, "ab"},
		{"ab", 4, "ab  "},
		{"abc", 2, "a…"},
		{"abc", 1, "…"},
		{"abc", 0, ""},
		{"abc", -3, ""},
		{"粘土", 4, "粘土"},
		{"粘土", 3, "粘…"},
		{"粘土", 2, "… "},
		{"🔥🔥", 3, "🔥…"},
		{"⚡x", 3, "⚡x"},
		{"ｶﾀ", 2, "ｶﾀ"},
		{"e\u0301e\u0301e\u0301", 2, "e\u0301…"},
	} {
		if got := PadColumns(test.text, test.n); got != test.want {
			t.Errorf("%q in %d columns: %q, want %q", test.text, test.n, got, test.want)
		}
	}
}

// TestWrap: nothing is lost but the blanks between words.
func TestWrap(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		text := text.Line(rapid.String().Draw(t, "text"))
		n := rapid.IntRange(2, 20).Draw(t, "columns")
		lines := Wrap(text, n)
		for _, part := range lines {
			if Columns(part) > n {
				t.Fatalf("%q is wider than %d", part, n)
			}
			if !utf8.ValidString(part) {
				t.Fatalf("%q is torn", part)
			}
		}
		plain := strings.NewReplacer(" ", "")
		if got, want := plain.Replace(strings.Join(lines, "")), plain.Replace(text); got != want {
			t.Fatalf("%q became %q", want, got)
		}
	})
}
