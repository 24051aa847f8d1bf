package planfile

import (
	"strings"
	"testing"
)

func TestPart(t *testing.T) {
	const task = "<task type=\"auto\">\n<name>A</name>\n<objective>not this</objective>\n</task>\n"
	for _, c := range []struct{ name, src, want string }{
		{"an element", "<objective>\nNotes.\n\nPurpose: more.\n</objective>\n\n<tasks>\n" + task, "Notes.\n\nPurpose: more."},
		{"on one line", "<objective>Notes.</objective>\n" + task, "Notes."},
		{"with an attribute", "  <objective id=\"x\">Notes.</objective>\n" + task, "Notes."},
		{"CRLF", "<objective>\r\nNotes.\r\nMore.\r\n</objective>\r\n" + task, "Notes.\nMore."},
		{"after front matter and a header", "<!-- Session progress for a -->\n<!-- Plan: p -->\n\n---\nobjective: x\n---\n<objective>Notes.</objective>\n" + task, "Notes."},
		{"the first", "<objective>One.</objective>\n<objective>Two.</objective>\n" + task, "One."},
		{"an example", "```\n<objective>No.</objective>\n```\n<!-- <objective>No.</objective> -->\n<objective>Notes.</objective>\n" + task, "Notes."},
		{"in a sentence", "See <objective>No.</objective>\n" + task, ""},
		{"of a task", task, ""},
		{"after the tasks", task + "<objective>Late.</objective>\n", ""},
		{"without an end", "<objective>\nNotes.\n" + task, ""},
		{"another's name", "<objectives>No.</objectives>\n" + task, ""},
		{"a section", "# Plan\n\n## Objective\n\nNotes.\n\nMore.\n\n## Tasks\n\n### Task 1: A\n\nDo it.\n", "Notes.\n\nMore."},
		{"an empty section", "## Objective\n## Context\nx\n## Task 1: A\n", ""},
		{"a hash tag", "#Objective\nNo.\n" + task, ""},
		{"far away", strings.Repeat("x\n", maxPreface) + "<objective>No.</objective>\n" + task, ""},
		{"the whole is one task", "<objective>No.</objective>\n", ""},
		{"nothing", "", ""},
	} {
		if got := Parse([]byte(c.src)).Preface().Part("objective"); got != c.want {
			t.Errorf("%s: %q, want %q", c.name, got, c.want)
		}
	}
}

func TestReferences(t *testing.T) {
	const plan = "<context>\n@.planning/PROJECT.md\n- @a/b.go\n* `@c.md`\n@d.ts (lines 10-20)\n@e.ts, as above\n# @no.md\n@.planning/PROJECT.md\n@\nmail@x.org\n" +
		"<interfaces>\n```ts\n@Decorator()\n```\n</interfaces>\n</context>\n<task>\n<name>A</name>\n</task>\n"
	if got := strings.Join(Parse([]byte(plan)).Preface().References(), "|"); got != ".planning/PROJECT.md|a/b.go|c.md|d.ts|e.ts" {
		t.Error(got)
	}
	if got := Parse([]byte("<task/>")).Preface().References(); got != nil {
		t.Error(got)
	}
}
