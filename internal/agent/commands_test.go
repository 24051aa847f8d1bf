package agent

import (
	"os"
	"regexp"
	"testing"
)

// TestNothingToComplete: Claude refuses a command that has the word complete in it, a builtin of shells, in an isolated worktree.
// So no text for an agent names such a command.
func TestNothingToComplete(t *testing.T) {
	t.Parallel()
	refused := regexp.MustCompile("`[^`\n]*gsd [^`\n]*\\bcomplete\\b[^`\n]*`")
	for _, host := range Names() {
		for _, f := range filesOf(host, "gsd") {
			if at := refused.FindString(f.text); at != "" {
				t.Errorf("%s: %s has %s", host, f.path, at)
			}
		}
	}
	snippets, err := os.ReadFile("../../docs/build-on-gsd.md")
	noError(t, err)
	if at := refused.Find(snippets); at != nil {
		t.Errorf("docs/build-on-gsd.md has %s", at)
	}
}
