package planfile

import (
	"bytes"
	"strings"
	"testing"
)

func FuzzParse(f *testing.F) {
	for _, seed := range []string{
		"",
		"<tasks>\n<task type=\"auto\">\n  <name>A</name>\n</task>\n</tasks>\n",
		"<task type='a>b' status=\"complete\" status='x'>\r\n</task>",
		"\xef\xbb\xbf---\nphase: 1\n---\n\n<task>x</task>\n",
		"<!-- note -->\n---\nphase: 1\n---\n## Task 1: a\n```\n## Task 9\n```\n### Task 2\n# end",
		"<feature>\n<name>F</name>\n</feature>",
		"```xml\n<task>\n</task>\n```\n<task/>\n```\n<task>\n",
		"<!--\n<task>\n</task>\n-->\n<task a=\">\n",
		"# Title\n\nsome text",
		"<!-- Plan: a -->\n\n<task status>\n~~~\n</task>\n",
		"# T\n```\n<!-- Plan: a -->\n```\n<!-- x -->\n\n<!-- Plan: b -->\n---\nc: <task>\n---\n<task status='pending'>\n</task>\n<!-- Plan: d -->\n",
		"<task><verify><automated>a && b</automated>\n<manual>c</manual>x</verify><o><p id='1'><q/></p></o>\n```\n<b>x</b>\n```<!-- y --></task>",
		"<task type=\"auto\"\n  status = pending>\n<task>\n</task>",
		"# P\n## Tasks\n### 1. A\n```\n### 9. b\n```\n### 2. B\n#### 1. c\n## X\n### T-01: C\n### T-02: D",
		"## Implementation Steps\r\n\r\n1. [x] A\r\n   ```\r\n2. B\r\n   ```\r\n3) C\r\n<verification>",
		"## Tasks\n- [ ] **A**\n  text\n* [X] B\n</task>\n- [ ] C\n## Tarefa 1: D",
		"---\na: b\n---\n<objective>\nx\n</objective>\n<context>\n@a\n</context>\n## Objective\n<task/>",
	} {
		f.Add([]byte(seed))
	}
	f.Fuzz(func(t *testing.T, src []byte) {
		before := bytes.Clone(src)
		p := Parse(src)
		if !bytes.Equal(p.Bytes(), before) {
			t.Fatal("Parse then Bytes is not the identity")
		}
		if (Check(src) == nil) != (len(p.Tasks) > 0) && Check(src) != ErrBinary {
			t.Fatalf("Check says %v, but %d tasks", Check(src), len(p.Tasks))
		}
		for _, part := range []string{p.Preface().Part("objective"), strings.Join(p.Preface().References(), "")} {
			if len(part) > len(src) {
				t.Fatalf("%q is longer than the plan", part)
			}
		}
		if s := ParseSession(src); !bytes.Equal(s.Bytes(), before) || p.Header.Plan != "" && s.Header != p.Header {
			t.Fatalf("as a session it has the header %+v, as a plan %+v", s.Header, p.Header)
		}
		lines, end := 1+bytes.Count(src, []byte("\n")), offset(0)
		for i, task := range p.Tasks {
			if task.Number != i+1 || task.Line < 1 || task.Line > lines {
				t.Fatalf("task %d: number %d, line %d of %d", i, task.Number, task.Line, lines)
			}
			if task.tag.from < end || task.tag.to < task.tag.from || task.inner.to < task.inner.from || task.end < task.inner.to || int(task.end) > len(src) {
				t.Fatalf("task %d: offsets out of order: %+v", i, task)
			}
			end = task.end
			p.Name(task.Number)
			children, err := p.Children(task.Number)
			if err != nil {
				t.Fatal(err)
			}
			for _, c := range children {
				if label := c.Label(); strings.ContainsAny(label, "\r\n") || c.Name == "" && label != "" {
					t.Fatalf("task %d: a child with the label %q", i, label)
				}
			}
		}
		p.Problems()
		p.UnclosedParts()
		if Check(src) == nil && checkSessionLaws(t, p) != nil {
			return // no session is possible, and nothing else is promised
		}
		for _, status := range []Status{Complete, Pending} {
			checkSetStatus(t, p, status, func(n int) bool { return n <= 40 && n%3 != len(src)%3 }) // quadratic in the tasks
		}
	})
}
