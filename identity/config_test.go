package identity

import (
	"os"
	"strings"
	"testing"
)

// ordinary is what a developer's file looks like.
func ordinary(t testing.TB) string {
	t.Helper()
	data, err := os.ReadFile("testdata/ordinary.gitconfig")
	if err != nil {
		t.Fatal(err)
	}
	return string(data)
}

func FuzzConfig(f *testing.F) {
	for _, text := range []string{
		"", "[user]\nname = Ann\n", "[user]\r\nname = \"A # B\" ; c\r\n", "[user \"x\"]\nname = y", "[user]\nname = A\\",
		"[include]\npath = x\n", "[a.b]\nc", "\xef\xbb\xbf[user]\nname = \\t\\n\\b\\q", "[core]\nbare\n[user]\nname", "[\"", "[x \"\\",
		"[user]\nname = A\bB\n", "[user]\nname = \"x\\", "a", "[user]\nname",
	} {
		f.Add(text)
	}
	f.Fuzz(func(t *testing.T, text string) {
		r := readConfig(text)
		if !r.named && r.name != "" {
			t.Fatalf("a name that is not there: %+v", r)
		}
		if r.doubt != "" {
			return
		}
		// What is understood without a doubt has these laws in every version of git.
		if strings.ContainsAny(r.name, "\x00\r\n\t\"\\") || r.named && r.name == "" {
			t.Fatalf("a name that needs git's rules: %q", r.name)
		}
		if r.named && !strings.Contains(text, r.name) {
			t.Fatalf("a name from nowhere: %+v", r)
		}
		// Lines may end either way.
		if crlf := readConfig(strings.ReplaceAll(text, "\n", "\r\n")); !strings.Contains(text, "\r") && crlf != r {
			t.Fatalf("with CRLF %+v, with LF %+v", crlf, r)
		}
		if strings.HasSuffix(text, "\\") {
			return // what follows would continue the last line
		}
		// A later name takes precedence, and a broken tail is a doubt that keeps the name.
		if more := readConfig(text + "\n[user]\nname = \"Later\"\n"); more.name != "Later" || more.doubt != "" {
			t.Fatalf("with a later name: %+v", more)
		}
		if broken := readConfig(text + "\n["); broken.doubt == "" || broken.name != r.name {
			t.Fatalf("with a broken tail: %+v, before %+v", broken, r)
		}
	})
}
