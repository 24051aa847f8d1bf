package planfile

import (
	"strings"
	"testing"
)

// TestUnclosed closes what is unclosed where End says, and looks again.
func TestUnclosed(t *testing.T) {
	t.Parallel()
	const closed = "<task type=\"auto\">\n  <name>Task 1: A</name>\n  <action>\n    Do it\n  </action>\n  <done>x</done>\n</task>\n"
	for _, test := range []struct {
		name, text, code string
		line, end        int
	}{
		{"sound", closed, "", 0, 0},
		{"the task", strings.Replace(closed, "</task>\n", "", 1), "task-unclosed", 1, 6},
		{"the first of two", strings.Replace(closed, "</task>\n", "\n", 1) + closed, "task-unclosed", 1, 6},
		{"the last of the list", "<tasks>\n" + strings.Replace(closed, "</task>\n", "", 1) + "</tasks>\n\n<verification>\nx\n</verification>\n", "task-unclosed", 2, 7},
		{"a task without parts", "<task type=\"auto\">\nDo it.\n\n<task>\nx\n</task>", "task-unclosed", 1, 2},
		{"a part before another", strings.Replace(closed, "  </action>\n", "\n", 1), "part-unclosed", 3, 4},
		{"the last part", strings.Replace(closed, "</done>", "\n  later", 1), "part-unclosed", 6, 7},
		{"code", strings.Replace(closed, "Do it", "<Files className=\"x\" />\n<Name>", 1), "", 0, 0},
		{"lines of Windows", strings.ReplaceAll(strings.Replace(closed, "  </action>\n", "", 1), "\n", "\r\n"), "part-unclosed", 3, 4},
		{"not at the begin of a line", strings.Replace(closed, "Do it", "Close the <action> first", 1), "", 0, 0},
		{"another element", strings.Replace(closed, "Do it", "<details>", 1), "", 0, 0},
		{"a longer name", strings.Replace(closed, "Do it", "<doneness>", 1), "", 0, 0},
	} {
		unclosed := func(text string) []Problem {
			f := Parse([]byte(text))
			found := f.UnclosedParts()
			for _, p := range f.Problems() {
				if p.Code == "task-unclosed" {
					found = append(found, p)
				}
			}
			return found
		}
		found := unclosed(test.text)
		if test.code == "" {
			if len(found) > 0 {
				t.Errorf("%s: %v", test.name, found)
			}
			continue
		}
		if len(found) != 1 || found[0].Code != test.code || found[0].Line != test.line || found[0].End != test.end {
			t.Errorf("%s: %+v, want %s in line %d, to be closed in line %d", test.name, found, test.code, test.line, test.end)
			continue
		}
		lines := strings.Split(test.text, "\n")
		lines[test.end-1] = strings.TrimSuffix(lines[test.end-1], "\r") + "</" + found[0].Tag + ">"
		if left := unclosed(strings.Join(lines, "\n")); len(left) > 0 {
			t.Errorf("%s: closed in line %d, there is still %v", test.name, test.end, left)
		}
	}
}
