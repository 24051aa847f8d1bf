package answer

import (
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/google/go-cmp/cmp"

	"github.com/gsd-cli/gsd/internal/progress"
	"github.com/gsd-cli/gsd/planfile"
)

// TestAddText: what the plan says about the task to resume, whatever it is written in.
func TestAddText(t *testing.T) {
	t.Parallel()
	child := func(name, text string) planfile.Child { return planfile.Child{Name: name, Text: text} }
	for name, test := range map[string]struct {
		session string
		want    []planfile.Child
	}{
		"elements": {
			"<task status=\"pending\">\n<name>A</name>\n<files>a.go</files>\n<read_first>\n- b.go\n</read_first>\n<action>\nif a < b\n</action>\n<empty/>\n<acceptance_criteria>\n- x\n- y\n</acceptance_criteria>\n<done>z</done>\n</task>\n",
			[]planfile.Child{child("files", "a.go"), child("read_first", "- b.go"), child("action", "if a < b"), child("acceptance_criteria", "- x\n- y"), child("done", "z")},
		},
		"text and elements": {
			"<task status=\"pending\">\n<name>A</name>\nDo it.\n<verify>go test</verify>\n</task>\n",
			[]planfile.Child{child("", "Do it."), child("verify", "go test")},
		},
		"a heading": {
			"<task type=\"auto\" status=\"pending\">\n## Task 1: A\n\nDo it.\n\n### How\n\nWell.\n</task>\n",
			[]planfile.Child{child("", "Do it.\n\n### How\n\nWell.")},
		},
		"kept elsewhere": {
			"<task type=\"auto\" status=\"pending\" tracker-id=\"gh:\n123\">\n<name>A</name>\n<done>z</done>\n</task>\n",
			[]planfile.Child{child("tracker-id", "gh: 123"), child("done", "z")},
		},
		"a checkpoint":       {"<task type=\"checkpoint:decision\" status=\"pending\" tracker-id=\"gh:123\"><done>z</done></task>\n", []planfile.Child{child("done", "z")}},
		"nothing but a name": {"<task status=\"pending\"><name>A</name></task>\n", nil},
	} {
		r := &Report{Facts: Facts{Session: planfile.Parse([]byte(test.session))}, Resume: &ResumePoint{PlannedTask: PlannedTask{Task: progress.Task{Number: 1}}}}
		r.AddText()
		if diff := cmp.Diff(test.want, r.Resume.Children); diff != "" || r.Resume.Cut {
			t.Errorf("%s: cut %v (-want +got):\n%s", name, r.Resume.Cut, diff)
		}
	}
}

// TestShorten: at most that many bytes are left, the longest texts are cut, and each cut is marked.
func TestShorten(t *testing.T) {
	t.Parallel()
	lines := strings.Repeat("0123456789\n", 100) + "end"
	for name, test := range map[string]struct {
		children []planfile.Child
		want     []string // their beginnings and ends
	}{
		"all fit":           {[]planfile.Child{{Name: "action", Text: lines[:900]}, {Name: "done", Text: "x"}}, []string{"01", "x"}},
		"the longest":       {[]planfile.Child{{Name: "action", Text: lines}, {Name: "done", Text: "x"}}, []string{"0123456789\n(14 more lines)", "x"}},
		"two":               {[]planfile.Child{{Name: "action", Text: lines}, {Name: "", Text: "y"}, {Name: "behavior", Text: lines}}, []string{"0123456789\n(59 more lines)", "y", "0123456789\n(59 more lines)"}},
		"one line":          {[]planfile.Child{{Text: strings.Repeat("é", 1000)}}, []string{"é\n(1 more line)"}},
		"no room for words": {[]planfile.Child{{Name: strings.Repeat("n", 2000), Text: "x"}, {Name: "done", Text: "y"}}, []string{"y"}},
	} {
		kept, cut := shorten(test.children, 1000)
		total := 0
		for i, c := range kept {
			total += len(c.Name) + len(c.Text)
			if i < len(test.want) && !strings.HasSuffix(c.Text, test.want[i]) && !strings.HasPrefix(c.Text, test.want[i]) || !utf8.ValidString(c.Text) {
				t.Errorf("%s: child %d ends in %q", name, i, c.Text[max(0, len(c.Text)-40):])
			}
		}
		if len(kept) != len(test.want) || total > 1000 || cut != (name != "all fit") {
			t.Errorf("%s: %d children of %d bytes, cut %v", name, len(kept), total, cut)
		}
	}
}
