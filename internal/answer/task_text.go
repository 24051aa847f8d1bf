package answer

import (
	"fmt"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/gsd-cli/gsd/planfile"
)

// maxTaskText is how many bytes of a task an agent gets to read. Of 280 real tasks, the longest has 6.3 kB.
const maxTaskText = 6000

// trackerID is the attribute of a task whose text upstream takes from somewhere else. It is shown like a child, before the others, because
// that text takes the place of theirs.
const trackerID = "tracker-id"

// ShownChildren returns what is shown of task n, which has to be there: all that the plan says about it but its name.
func ShownChildren(f *planfile.File, n int) []planfile.Child {
	children, _ := f.Children(n)
	children = slices.DeleteFunc(children, func(c planfile.Child) bool { return c.Name == "name" })
	if len(children) > 0 && children[0].Name == "" { // the text of a task without a tag begins with its heading
		if line, rest, _ := strings.Cut(children[0].Text, "\n"); strings.TrimLeft(line, "# ") == f.Name(n) {
			children[0].Text = strings.TrimSpace(rest)
		}
	}
	children = slices.DeleteFunc(children, func(c planfile.Child) bool { return c.Text == "" })
	if id := f.Tracker(n); id != "" {
		children = slices.Insert(children, 0, planfile.Child{Name: trackerID, Text: id})
	}
	return children
}

// shorten returns the children of a task, cut so that their labels and texts have no more than that many bytes, and whether
// any was cut. The longest are cut: how a task is verified is a few lines, and comes after pages of what to do. A cut
// text ends in a line that counts what is left out.
func shorten(children []planfile.Child, most int) (kept []planfile.Child, cut bool) {
	size := func(c planfile.Child) int { return len(c.Label()) + len(c.Text) }
	sizes := make([]int, len(children))
	for i, c := range children {
		sizes[i] = size(c)
	}
	slices.Sort(sizes)
	limit, left := most, most
	for i, size := range sizes {
		if limit = left / (len(sizes) - i); size > limit {
			break
		}
		limit, left = most, left-size
	}
	for _, c := range children {
		if size(c) > limit {
			cut = true
			if c.Text = head(c.Text, limit-len(c.Label())); c.Text == "" {
				continue
			}
		}
		kept = append(kept, c)
	}
	return kept, cut
}

// head returns the first lines of a text, with a last line that counts the others, or "" if there is no room. It is at most
// that many bytes long.
func head(text string, most int) string {
	most -= len("\n(4294967296 more lines)")
	if most <= 0 {
		return ""
	}
	end := strings.LastIndexByte(text[:most+1], '\n')
	if end < most/2 { // a long line
		for end = most; !utf8.RuneStart(text[end]); {
			end--
		}
	}
	more := Counted(1+strings.Count(strings.TrimPrefix(text[end:], "\n"), "\n"), "more line", "more lines")
	return fmt.Sprintf("%s\n(%s)", text[:end], more)
}
