package identity

import (
	"strings"
	"testing"
)

// What stands before a bad place still counts, for a machine without git; the bad place is a doubt.
func TestReadConfigGoesOn(t *testing.T) {
	for _, c := range []struct{ text, name, doubt string }{
		{"[user]\nname = Ann\ngarbage!\nname = Bob\n", "Ann", "a malformed line"},
		{"[user]\nname = Ann\n[user\n", "Ann", "a malformed section header"},
		{"[include]\npath = x\n[user]\nname = Ann\n", "Ann", "an include section"},
		{"\xef\xbb\xbf[user]\nname = Ann\n", "Ann", "a byte order mark"},
		{"[user]\nname = A\\tB\n", "A\tB", "user.name: a control character"},
		{"[user]\nname = A\tB\n", "A B", "user.name: a tab inside the value"},
		{"[user]\nname = A\\\nB\n", "AB", "user.name: a continued line"},
		{"[user]\nname\n", "", "user.name: no value"},
		{"[a.b]\n[user]\nname = Ann\n", "Ann", "an old-style subsection"},
		{"[user]\nname = Ann\n[extensions]\nx = y\n", "Ann", "a section [extensions]"},
		{"[user]\nname = Ann\n[core]\nbare = true\n", "Ann", "core.bare is not false"},
		{"[user]\nname = Ann\n[core]\nbare = \"fal\\\nse\"\n", "Ann", ""},
	} {
		r := readConfig([]byte(c.text))
		if r.name != c.name || r.doubt != c.doubt {
			t.Errorf("%q: %+v, want %q with doubt %q", c.text, r, c.name, c.doubt)
		}
	}
}

func FuzzConfig(f *testing.F) {
	for _, text := range []string{
		"", "[user]\nname = Ann\n", "[user]\r\nname = \"A # B\" ; c\r\n", "[user \"x\"]\nname = y", "[user]\nname = A\\",
		"[include]\npath = x\n", "[a.b]\nc", "\xef\xbb\xbf[user]\nname = \\t\\n\\b\\q", "[core]\nbare\n[user]\nname", "[\"", "[x \"\\",
		"[user]\nname = A\bB\n",
	} {
		f.Add([]byte(text))
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		before := string(data)
		r := readConfig(data)
		if string(data) != before {
			t.Fatal("the reader changed its input")
		}
		if again := readConfig(data); again != r {
			t.Fatalf("read twice: %+v and %+v", r, again)
		}
		if !r.named && r.name != "" {
			t.Fatalf("a name that is not there: %+v", r)
		}
		if r.doubt != "" {
			return
		}
		// What is understood without a doubt has these laws in every version of git.
		low := strings.ToLower(before)
		// A backspace may also stand there as it is, and git takes it; the others cannot.
		if strings.ContainsAny(r.name, "\x00\r\n") || strings.Contains(r.name, "\b") && !strings.Contains(before, "\b") {
			t.Fatalf("a sure name with a control character that needs an escape: %q", r.name)
		}
		if r.named && (!strings.Contains(low, "user") || !strings.Contains(low, "name")) {
			t.Fatalf("a name from nowhere: %+v", r)
		}
		if strings.Contains(before, "\x00") || strings.HasPrefix(before, "\xef\xbb\xbf") {
			t.Fatal("no doubt about a NUL or a byte order mark")
		}
		// Lines may end either way.
		if crlf := readConfig([]byte(strings.ReplaceAll(strings.ReplaceAll(before, "\r\n", "\n"), "\n", "\r\n"))); !strings.Contains(before, "\r") && crlf != r {
			t.Fatalf("with CRLF %+v, with LF %+v", crlf, r)
		}
		// What follows on a line of its own is stronger, and a broken tail is a doubt that keeps the name.
		if more := readConfig([]byte(before + "\n[user]\nname = \"Later\"\n")); !endsOpen(before) && (more.name != "Later" || more.doubt != "") {
			t.Fatalf("with a later name: %+v", more)
		}
		if broken := readConfig([]byte(before + "\n[")); !endsOpen(before) && (broken.doubt == "" || broken.name != r.name) {
			t.Fatalf("with a broken tail: %+v, before %+v", broken, r)
		}
	})
}

// endsOpen: a last line that is continued into nothing goes on when something follows.
func endsOpen(text string) bool { return strings.HasSuffix(text, "\\") }

// TestConfigGrowth: what is read twice takes no more memory, and every byte is looked at about once.
func TestConfigGrowth(t *testing.T) {
	for _, line := range []string{"\tx = y\n", "[a \"b\"]\n", "# comment\n", "\tname = a \\\n", "\tlong = \"" + strings.Repeat("x", 500) + "\"\n"} {
		var allocs []float64
		for _, n := range []int{1000, 2000, 4000} {
			data := []byte("[core]\n" + strings.Repeat(line, n))
			allocs = append(allocs, testing.AllocsPerRun(3, func() { readConfig(data) }))
		}
		// A growing buffer is doubled, so twice the lines are one more of these.
		if allocs[1] > allocs[0]+2 || allocs[2] > allocs[1]+2 {
			t.Errorf("%q: %v allocations for 1,000, 2,000 and 4,000 lines", line, allocs)
		}
	}
}
