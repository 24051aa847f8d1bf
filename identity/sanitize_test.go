package identity

import (
	"bytes"
	"math/rand/v2"
	"os/exec"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"github.com/gsd-cli/gsd/internal/testenv"
)

func TestSanitize(t *testing.T) {
	long := strings.Repeat("a", 100)
	for _, c := range []struct{ raw, want string }{
		{"John Doe", "john-doe"},
		{"Admin@Work", "adminwork"},
		{"José García", "jos-garca"},
		{"user_123", "user123"},

		{"", ""},
		{".", ""},
		{"..", ""},
		{"日本語", ""},
		{"---", ""},
		{" - ", ""},
		{"-a-", "a"},
		{"a  -  b", "a-b"},
		{"a\tb\nc", "abc"},
		{"a\x00b", "ab"},
		{"../../etc/passwd", "etcpasswd"},
		{`..\..\x`, "x"},
		{"Łukasz É", "ukasz"},
		{"\xe9t\xe9", "t"},
		{"- é -x", "x"},

		{long, long},
		{long + "-", long},
		{long + "b", strings.Repeat("a", 91) + "-d89d25f6"},
		{long + "c", strings.Repeat("a", 91) + "-46f3eb12"},
		{strings.Repeat("x", 90) + "-" + strings.Repeat("y", 90), strings.Repeat("x", 90) + "-db79557e"}, // not --

		{"CON", "con-user"},
		{"nul", "nul-user"},
		{"A.U.X", "aux-user"},
		{" prn ", "prn-user"},
		{"COM1", "com1-user"},
		{"com 1", "com-1"},
		{"lpt9", "lpt9-user"},
		{"com0", "com0"},
		{"com10", "com10"},
		{"CONIN$", "conin"},
		{"connie", "connie"},
	} {
		if got := Sanitize(c.raw); got != c.want {
			t.Errorf("Sanitize(%q) = %q, want %q", c.raw, got, c.want)
		}
	}
}

// broken names the law that Sanitize breaks for raw, "" if none.
func broken(raw string) string {
	name := Sanitize(raw)
	switch {
	case strings.Trim(name, "abcdefghijklmnopqrstuvwxyz0123456789-") != "":
		return "has a foreign byte"
	case strings.HasPrefix(name, "-"), strings.HasSuffix(name, "-"), strings.Contains(name, "--"):
		return "has a stray hyphen"
	case len(name) > 100:
		return "is too long"
	case isDevice(name):
		return "is a device"
	case Sanitize(name) != name:
		return "is not stable"
	case Sanitize(strings.ToUpper(name)) != name:
		return "depends on case"
	case (name == "") != (strings.Trim(squeeze(raw), "-") == ""):
		return "is empty or not for no reason"
	}
	return ""
}

func TestSanitizeLaws(t *testing.T) {
	words := rapid.SampledFrom([]string{"con", "COM1", "lpt9", "nul", "-", "--", " ", ".", "é", "日", "_", "Ab", "\xff", "\t", "$", strings.Repeat("long ", 30)})
	rapid.Check(testenv.Laws(t), func(t *rapid.T) {
		raw := rapid.OneOf(
			rapid.String(),
			rapid.Map(rapid.SliceOf(rapid.Byte()), func(b []byte) string { return string(b) }),
			rapid.Map(rapid.SliceOf(words), func(s []string) string { return strings.Join(s, "") }),
		).Draw(t, "raw")
		if law := broken(raw); law != "" {
			t.Fatalf("Sanitize(%q) = %q %s", raw, Sanitize(raw), law)
		}
	})
}

// The shell pipeline that the rule comes from is the oracle. One process sanitises many names.
func TestSanitizeAsThePipeline(t *testing.T) {
	for _, tool := range []string{"sh", "tr", "sed"} {
		if _, err := exec.LookPath(tool); err != nil {
			t.Skipf("no %s to compare with", tool)
		}
	}
	// The names are separated by newlines, so the set of tr -cd has the newline added.
	const pipeline = `tr '[:upper:]' '[:lower:]' | tr ' ' '-' | tr -cd 'a-z0-9\n-' | sed 's/--*/-/g' | sed 's/^-//;s/-$//'`
	names := []string{"John Doe", "Admin@Work", "José García", "user_123", "", "-", "--a--", "日本語", "\xff\xfe", "- é -"}
	pieces := []string{" ", "  ", "-", "--", "é", "日", "A", "Zz", "9", "$(x)"}
	for c := byte(1); c < 255; c++ {
		if c != '\n' {
			pieces = append(pieces, string([]byte{c}), " ", "-")
		}
	}
	rng := rand.New(rand.NewPCG(1, 2))
	for range 5000 {
		name := ""
		for range rng.IntN(12) {
			name += pieces[rng.IntN(len(pieces))]
		}
		names = append(names, name)
	}
	cmd := exec.Command("sh", "-c", pipeline)
	cmd.Env = []string{"LC_ALL=C", "PATH=/usr/bin:/bin:/usr/local/bin"}
	cmd.Stdin = strings.NewReader(strings.Join(names, "\n") + "\n")
	out, err := cmd.Output()
	if err != nil {
		t.Fatal(err)
	}
	lines := bytes.Split(bytes.TrimSuffix(out, []byte("\n")), []byte("\n"))
	if len(lines) != len(names) {
		t.Fatalf("%d names in, %d out", len(names), len(lines))
	}
	for i, raw := range names {
		if got, want := squeeze(raw), string(lines[i]); got != want {
			t.Errorf("squeeze(%q) = %q, the pipeline says %q", raw, got, want)
		}
	}
}
