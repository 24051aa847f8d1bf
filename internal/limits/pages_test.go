package limits

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// What a reader is asked to read, in lines, and for the design in words.
const (
	maxReadme = 110
	maxPages  = 1050
	maxDesign = 5000
)

// apart are the pages that are only looked at for one purpose: what another system does and what to type instead, questions, the design.
var apart = []string{"coming-from.md", "gsd-core.md", "questions.md", "design.md"}

func TestPages(t *testing.T) {
	read := func(name string) string {
		text, err := os.ReadFile(filepath.Join("..", "..", name))
		if err != nil {
			t.Fatal(err)
		}
		return string(text)
	}
	pages, err := filepath.Glob("../../docs/*.md")
	if err != nil || len(pages) < 10 {
		t.Fatalf("found only %d pages: %v", len(pages), err)
	}
	lines := 0
	for _, page := range pages {
		if name := filepath.Base(page); !slices.Contains(apart, name) {
			lines += strings.Count(read("docs/"+name), "\n")
		}
	}
	for _, size := range []struct {
		what    string
		n, most int
	}{
		{"lines in README.md", strings.Count(read("README.md"), "\n"), maxReadme},
		{"lines in docs, but for " + strings.Join(apart, ", "), lines, maxPages},
		{"words in docs/design.md", len(strings.Fields(read("docs/design.md"))), maxDesign},
	} {
		t.Logf("%d %s, of %d", size.n, size.what, size.most)
		if size.n > size.most {
			t.Errorf("%d %s, more than %d", size.n, size.what, size.most)
		}
	}
}
