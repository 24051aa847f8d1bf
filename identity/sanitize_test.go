package identity

import (
	"bytes"
	"math/rand/v2"
	"os/exec"
	"regexp"
	"strings"
	"testing"

	"pgregory.net/rapid"
)

func TestSanitize(t *testing.T) {
	long := strings.Repeat("a", 100)
	for _, c := range []struct{ raw, want string }{
		// The seed's own examples.
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
		{long + "b", strings.Repeat("a", 91) + "-" + "d89d25f6"},

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

// Two long names that differ only behind the cut stay two, and a hyphen at the cut does not double.
func TestSanitizeLong(t *testing.T) {
	a, b := Sanitize(strings.Repeat("x", 200)+"1"), Sanitize(strings.Repeat("x", 200)+"2")
	if a == b || len(a) != 100 || len(b) != 100 {
		t.Errorf("got %q and %q", a, b)
	}
	c := Sanitize(strings.Repeat("x", 90) + "-" + strings.Repeat("y", 90))
	if !regexp.MustCompile(`^x{90}-[0-9a-f]{8}$`).MatchString(c) {
		t.Errorf("got %q", c)
	}
}

// lawful says which law of Sanitize the name breaks, "" if none.
func lawful(raw string) string {
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
	rapid.Check(t, func(t *rapid.T) {
		raw := rapid.OneOf(
			rapid.String(),
			rapid.Map(rapid.SliceOf(rapid.Byte()), func(b []byte) string { return string(b) }),
			rapid.Map(rapid.SliceOf(words), func(s []string) string { return strings.Join(s, "") }),
		).Draw(t, "raw")
		if broken := lawful(raw); broken != "" {
			t.Fatalf("Sanitize(%q) = %q %s", raw, Sanitize(raw), broken)
		}
	})
}

// The seed's pipeline is the oracle. One process sanitises many names: each is fed through the pipeline
// between two marks that it lets through, a line of its own each.
func TestSanitizeAsTheSeed(t *testing.T) {
	for _, tool := range []string{"sh", "tr", "sed"} {
		if _, err := exec.LookPath(tool); err != nil {
			t.Skipf("no %s to compare with", tool)
		}
	}
	// The names of one batch are separated by newlines, so a name has none here; the seed's tr -cd would
	// delete them, therefore the pipeline's own set has the newline added, and nothing else is changed.
	const pipeline = `tr '[:upper:]' '[:lower:]' | tr ' ' '-' | tr -cd 'a-z0-9\n-' | sed 's/--*/-/g' | sed 's/^-//;s/-$//'`
	rng := rand.New(rand.NewPCG(1, 2))
	names := []string{"John Doe", "Admin@Work", "José García", "user_123", "", "-", "--a--", "日本語", "\xff\xfe", "- é -"}
	pieces := []string{" ", "  ", "-", "--", "_", "é", "日", "\t", "\r", "\x01", "\xff", "A", "Zz", "9", ".", "/", "\\", "'", `"`, "$(x)", "`"}
	for range 5000 {
		var b strings.Builder
		for range rng.IntN(12) {
			if rng.IntN(3) == 0 {
				if c := byte(rng.IntN(256)); c != 0 && c != '\n' {
					b.WriteByte(c)
				}
				continue
			}
			b.WriteString(pieces[rng.IntN(len(pieces))])
		}
		names = append(names, b.String())
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
			t.Errorf("squeeze(%q) = %q, the seed's pipeline says %q", raw, got, want)
		}
	}
}

// The pipeline exactly as the seed has it, one name at a time.
func TestSanitizeAsTheSeedVerbatim(t *testing.T) {
	for _, tool := range []string{"sh", "tr", "sed"} {
		if _, err := exec.LookPath(tool); err != nil {
			t.Skipf("no %s to compare with", tool)
		}
	}
	for _, raw := range []string{"José  García\n", "a\nb", "\n-\nx-\n", "-n", "Tab\there", "ends with -\n"} {
		cmd := exec.Command("sh", "-c", `tr '[:upper:]' '[:lower:]' | tr ' ' '-' | tr -cd 'a-z0-9-' | sed 's/--*/-/g' | sed 's/^-//;s/-$//'`)
		cmd.Env = []string{"LC_ALL=C", "PATH=/usr/bin:/bin:/usr/local/bin"}
		cmd.Stdin = strings.NewReader(raw)
		out, err := cmd.Output()
		if err != nil {
			t.Fatal(err)
		}
		if want := strings.TrimSuffix(string(out), "\n"); Sanitize(raw) != want {
			t.Errorf("Sanitize(%q) = %q, the seed's pipeline says %q", raw, Sanitize(raw), want)
		}
	}
}

func FuzzSanitize(f *testing.F) {
	for _, raw := range []string{"", "John Doe", "日本語", "con", "COM1", "--a--", strings.Repeat("ab-", 60), "\xff"} {
		f.Add(raw)
	}
	f.Fuzz(func(t *testing.T, raw string) {
		if broken := lawful(raw); broken != "" {
			t.Fatalf("Sanitize(%q) = %q %s", raw, Sanitize(raw), broken)
		}
	})
}
