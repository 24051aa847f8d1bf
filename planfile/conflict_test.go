package planfile_test

import (
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/gsd-cli/gsd/planfile"
)

const markers = "<<<<<<< HEAD\nours\n=======\ntheirs\n>>>>>>> a\n"

func TestConflicts(t *testing.T) {
	for _, c := range []struct {
		name, src string
		line      int
	}{
		{"none", "# Plan\n", 0},
		{"first", markers, 1},
		{"below", "# Plan\n\n" + markers, 3},
		{"a byte order mark", "\ufeff" + markers, 1},
		{"line ends of Windows", strings.ReplaceAll("one\n"+markers, "\n", "\r\n"), 2},
		{"without labels", "<<<<<<<\na\n=======\nb\n>>>>>>>\n", 1},
		{"diff3", "<<<<<<< a\n1\n||||||| base\n2\n=======\n3\n>>>>>>> b\n", 1},
		{"nested in the base of a criss-cross merge", "<<<<<<< a\n||||||| base\n<<<<<<<<< x\n=========\n>>>>>>>>> y\n=======\n>>>>>>> b\n", 1},
		{"in front matter", "---\n" + markers + "---\n", 2},
		{"around front matter", "<<<<<<< a\n---\nstatus: complete\n---\n=======\n---\nstatus: blocked\n---\n>>>>>>> b\n", 1},
		{"in a comment", "<!--\n" + markers + "-->\n", 2},
		{"in a fence that it cuts in two", "```\n<<<<<<< a\none\n```\n=======\ntwo\n```\n>>>>>>> b\n", 2},
		{"a fence in one half alone", "<<<<<<< a\n```\n=======\n>>>>>>> b\n", 1},
		{"after a fence", "```\ncode\n```\n" + markers, 4},
		{"after an example", "```\n" + markers + "```\n" + markers, 8},
		{"in a fence that is never closed", "```\n" + markers, 2},
		{"after the beginning of an example", "```\n<<<<<<< a\n```\n" + markers, 4},

		{"an example", "Look for:\n\n```\n" + markers + "```\n", 0},
		{"an example in tildes, indented", "  ~~~~ text\n" + markers + "  ~~~~\n", 0},
		{"two examples in one fence", "```\n" + markers + markers + "```\n", 0},
		{"an example that is indented", "    <<<<<<< HEAD\n    =======\n    >>>>>>> a\n", 0},
		{"in a sentence", "a line with <<<<<<< HEAD\n=======\nand >>>>>>> a\n", 0},
		{"a heading", "Title\n=======\n", 0},
		{"a quotation", ">>>>>>> deep\n", 0},
		{"half", "<<<<<<< HEAD\n=======\n", 0},
		{"no divider", "<<<<<<< HEAD\n>>>>>>> a\n", 0},
		{"a longer line", "<<<<<<<<<< \n==========\n>>>>>>>>>>\n", 0},
	} {
		line := 0
		if err := planfile.CheckConflict([]byte(c.src)); err != nil {
			var conflict *planfile.ConflictError
			if !errors.As(err, &conflict) {
				t.Fatalf("%s: %v is not a ConflictError", c.name, err)
			}
			line = conflict.Line
		}
		if line != c.line {
			t.Errorf("%s: line %d, want %d", c.name, line, c.line)
		}
		if err := planfile.Check([]byte(c.src)); (err != nil) != (c.line > 0) {
			t.Errorf("%s: Check says %v", c.name, err)
		}
	}
}

// What git itself writes is found, in each of its styles.
func TestConflictsOfGit(t *testing.T) {
	dir := t.TempDir()
	for name, text := range map[string]string{"base": "# R\n\n- [ ] one\n", "ours": "# R\n\n- [x] one\n", "theirs": "# R\n\n- [ ] one (1/2)\n"} {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	for _, style := range []string{"--diff-algorithm=myers", "--diff3", "--zdiff3"} {
		cmd := exec.Command("git", "merge-file", "-p", style, "ours", "base", "theirs")
		cmd.Dir = dir
		out, err := cmd.Output()
		if exit := new(exec.ExitError); !errors.As(err, &exit) || exit.ExitCode() != 1 {
			t.Skipf("git merge-file %s: %v", style, err)
		}
		var conflict *planfile.ConflictError
		if !errors.As(planfile.CheckConflict(out), &conflict) || conflict.Line != 3 {
			t.Errorf("%s: not found in\n%s", style, out)
		}
	}
}

func FuzzConflict(f *testing.F) {
	f.Add(markers)
	f.Add("```\n" + markers + "```\n")
	f.Fuzz(func(t *testing.T, src string) {
		var conflict *planfile.ConflictError
		if !errors.As(planfile.CheckConflict([]byte(src)), &conflict) {
			return
		}
		lines := strings.Split(strings.TrimPrefix(src, "\ufeff"), "\n")
		if conflict.Line < 1 || conflict.Line > len(lines) || !strings.HasPrefix(lines[conflict.Line-1], "<<<<<<<") {
			t.Errorf("line %d of %q is no marker", conflict.Line, src)
		}
		if text := fmt.Sprint(conflict); strings.ContainsAny(text, "\n\x1b") {
			t.Errorf("%q", text)
		}
	})
}
