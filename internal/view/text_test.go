package view

import (
	"os/exec"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/gsd-cli/gsd/internal/action"
	"github.com/gsd-cli/gsd/internal/doctor"
	"github.com/gsd-cli/gsd/internal/printer"
	"github.com/gsd-cli/gsd/internal/problem"
	"github.com/gsd-cli/gsd/internal/text"
)

func TestTitle(t *testing.T) {
	t.Parallel()
	for _, test := range []struct{ text, want string }{
		{"short", "short"},
		{strings.Repeat("é", 200), strings.Repeat("é", 200)},
		{strings.Repeat("é", 201), strings.Repeat("é", 199) + "…"},
		{strings.Repeat("a\x1b[m", 200), strings.Repeat("a", 200)},
	} {
		if got := Title(test.text); got != test.want {
			t.Errorf("Title(%+q) = %+q", test.text, got)
		}
	}
	for _, test := range []struct {
		name string
		n    int
		want string
	}{
		{"Task 2: List notes", 2, "List notes"},
		{"Task 2: List notes", 1, "List notes"},
		{"Task 2:", 2, "Task 2:"},
		{"Task 20: x", 2, "x"},
		{"Task 2", 3, "Task 3"},
		{"Task 2", 2, "Task 2"},
		{"List notes", 2, "List notes"},
		{"Task 2 [BLOCKING]: List", 2, "[BLOCKING]: List"},
		{"task 2 (TDD): List", 2, "(TDD): List"},
		{"Task 3 [BLOCKING]: List", 2, "[BLOCKING]: List"},
		{"Task 2 of 4", 2, "Task 2 of 4"},
		{"\x1b[31mTask 2:\x1b[0m List", 2, "List"},
	} {
		if got := TaskTitle(test.name, test.n); got != test.want {
			t.Errorf("TaskTitle(%q, %d) = %q, want %q", test.name, test.n, got, test.want)
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
		if got := text.ShellWord(test.text); got != test.want {
			t.Errorf("text.ShellWord(%q) = %q, want %q", test.text, got, test.want)
		}
	}
	sh, err := exec.LookPath("sh")
	if err != nil {
		t.Skip("no shell")
	}
	for _, test := range quoted {
		out, err := exec.Command(sh, "-c", "printf %s "+text.ShellWord(test.text)).Output()
		if err != nil || string(out) != test.text {
			t.Errorf("%q is %q to a shell: %v", test.text, out, err)
		}
	}
}

// FuzzShapes holds the law of text.go: whatever comes in, what goes out has its shape, acts on nothing, and in that
// shape again is the same.
func FuzzShapes(f *testing.F) {
	for _, seed := range []string{
		"", "plain", "a\x1b[31mred\x1b[0m", "\x1b]8;;http://x\x1b\\y\x1b]8;;\x07", "\x1b", "\r\n\r", "\u202e\u200b\u2028\U000e0041\U0001f600\ufe0f",
		"\u034f\xff\xfe\x9b1m", "it's $(x)", strings.Repeat("é\x00", 300),
	} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, s string) {
		one := text.Line(s)
		if strings.ContainsAny(one, "\n\t") || strings.TrimSpace(one) != one || text.Line(one) != one || strings.ContainsFunc(one, text.Hidden) {
			t.Errorf("text.Line(%+q) = %+q", s, one)
		}
		name := Title(s)
		if utf8.RuneCountInString(name) > LongestName || strings.ContainsFunc(name, text.Hidden) || Title(name) != name {
			t.Errorf("Title(%+q) = %+q", s, name)
		}
		want := strings.NewReplacer("\n", " ", "\t", " ").Replace(text.Clean(s))
		if word, ok := unquote(text.ShellWord(s)); !ok || word != want {
			t.Errorf("text.ShellWord(%+q) = %+q, which is %+q to a shell", s, text.ShellWord(s), word)
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

// TestCommandOfAnotherFile: a command whose words are changed before they are printed could remove another file than the one it is
// about.
func TestCommandOfAnotherFile(t *testing.T) {
	t.Parallel()
	for name, want := range map[string]bool{
		"01-02-PLAN.md":         true,
		"01-02 it's $x-PLAN.md": true,
		"01-02-é-PLAN.md":       true,
		"01-02\u200b-PLAN.md":   false,
		"01-02\u202e-PLAN.md":   false,
		"01-02\n-PLAN.md":       false,
		"01-02\t-PLAN.md":       false,
		"01-02\x1b[m-PLAN.md":   false,
		"01-02\xff-PLAN.md":     false,
		"01-02<task>-PLAN.md":   false,
	} {
		suggested := action.Action{Kind: action.ArchiveNote, ID: name}
		var out printer.Buffer
		p := Printer{Writer: printer.NewWriter(&out, printer.Style{}, 0)}
		p.Try(suggested)
		p.Diagnosis(&doctor.Diagnosis{Findings: []doctor.Finding{{Warning: problem.Warning{Code: "a", Says: "it is old"}, Fix: suggested}}})
		if got := strings.Count(out.String(), "gsd archive"); got != 2 && want || got != 0 && !want {
			t.Errorf("%q: %q", name, out.String())
		}
	}
}
