package worktree

import (
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
)

// TestIgnore: what git ignores may be ignored here, too; the patterns are git's own documentation's, and such as are read otherwise by
// others.
func TestIgnore(t *testing.T) {
	for _, tt := range []struct {
		pattern, name string
		want          bool
	}{
		{"*.log", "a/b.log", true},
		{"*.log", "b.logs", false},
		{"build/", "build/out", true},
		{"build/", "build", false}, // it is a file
		{"build", "a/build/out", true},
		{"/build", "a/build", false},
		{"doc/frotz", "doc/frotz", true},
		{"doc/frotz", "a/doc/frotz", false},
		{"**/foo/bar", "a/b/foo/bar", true},
		{"**/foo/bar", "foo/bar", true},
		{"abc/**", "abc/x/y", true},
		{"a/**/b", "a/b", true},
		{"a/**/b", "a/x/y/b", true},
		{"a/*/b", "a/x/y/b", false},
		{"a**b.go", "axxb.go", true},
		{"[!a].go", "b.go", true},
		{"[]-]x", "]x", true},
		{"[[:alpha:]]x", "ax", true},
		{`\#x`, "#x", true},
		{`\!x`, "!x", true},
		{"#x", "#x", false},
		{"!x", "x", false},
		{"x  ", "x", true},
		{`x\ `, "x ", true},
		{"x\r", "x", true},
		{"X.Go", "x.go", true},
		{"?.go", "ab.go", false},
		{"", "x", false},
		{"/", "x", false},
		{strings.Repeat("*a", 200), strings.Repeat("a", 300), true},
	} {
		if got := matchesAny([]string{tt.pattern}, tt.name); got != tt.want {
			t.Errorf("%q, %q: %v", tt.pattern, tt.name, got)
		}
	}
}

// TestIgnoresLikeGit: random patterns ignore whatever git ignores by them.
func TestIgnoresLikeGit(t *testing.T) {
	r := newRepo(t)
	rnd := rand.New(rand.NewPCG(1, 2))
	parts := []string{"a", "b", "*", "**", "?", "[ab]", "[!a]", "a*", "*b", `\a`, "A", "[a-c", "", "[[:alpha:]]", "***", "a]"}
	var names []string
	for _, name := range []string{"a", "b", "ab", "c"} {
		names = append(names, name, "a/"+name, "b/a/"+name, "ab/b/"+name)
	}
	agree := 0
	for range 150 {
		var pattern strings.Builder
		for i := range 1 + rnd.IntN(4) {
			if i > 0 && rnd.IntN(3) > 0 {
				pattern.WriteString("/")
			}
			pattern.WriteString(parts[rnd.IntN(len(parts))])
		}
		if rnd.IntN(4) == 0 {
			pattern.WriteString("/")
		}
		r.write(".gitignore", pattern.String()+"\n")
		ignored := strings.Split(r.feed(strings.NewReader(strings.Join(names, "\x00")), "check-ignore", "--stdin", "-z", "--no-index"), "\x00")
		for _, name := range names {
			is, may := slices.Contains(ignored, name), matchesAny([]string{pattern.String()}, name)
			if is && !may {
				t.Errorf("%q ignores %q", &pattern, name)
			}
			if is == may {
				agree++
			}
		}
	}
	if all := 150 * len(names); agree < all*2/3 {
		t.Errorf("%d of %d", agree, all)
	}
}
