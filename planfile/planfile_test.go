package planfile

import (
	"bytes"
	"errors"
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/yuin/goldmark"
	"github.com/yuin/goldmark/ast"
	"github.com/yuin/goldmark/text"
	"pgregory.net/rapid"

	"github.com/gsd-cli/gsd/internal/testenv"
)

func TestParse(t *testing.T) {
	tests := []struct {
		name    string
		src     string
		dialect Dialect
		lines   []int // of the tasks
		names   []string
	}{
		{"elements", "<tasks>\n<task type=\"auto\">\n<name>A</name>\n</task>\n\n<task>\n<name>B</name>\n</task>\n</tasks>\n", DialectTask, []int{2, 6}, []string{"A", "B"}},
		{"indented", "  <task>\n    <name>A</name>\n  </task>\n", DialectTask, []int{1}, []string{"A"}},
		{"on one line", `<task type="auto"><name>A</name></task>`, DialectTask, []int{1}, []string{"A"}},
		{"all on two lines", "<tasks><!-- x -->\n<task><name>A</name></task></tasks>", DialectTask, []int{2}, []string{"A"}},
		{"list and task on one line", "<tasks><task type=\"auto\">\n<name>A</name>\n</task> <task>\n<name>B</name>\n</task></tasks>\n", DialectTask, []int{1, 3}, []string{"A", "B"}},
		{"all on one line", "<tasks kind=\"x\"> <task><name>A</name></task><task\n><name>B</name></task> <task name='C'/> </tasks> after", DialectTask, []int{1, 1, 2}, []string{"A", "B", "C"}},
		{"list of two lists", "<tasks>\n<task>\n<name>A</name>\n</tasks><tasks>\n<task>\n<name>B</name>\n</task>\n</tasks>", DialectTask, []int{2, 5}, []string{"A", "B"}},
		{"list that is never closed", "<tasks <task>\n<task>\n<name>A</name>\n</task>", DialectTask, []int{2}, []string{"A"}},
		{"end tag and a sentence", "<task>\n<name>A</name>\n</task> and then <task> comes\n<task>\n<name>B</name>\n</task>", DialectTask, []int{1, 4}, []string{"A", "B"}},
		{"upper case", "<TASKS>\n<TASK NAME=\"A\" TYPE=\"auto\">\n</TASK>\n<Task>\n<NAME>B</NAME>\n</task>\n</TASKS>", DialectTask, []int{2, 4}, []string{"A", "B"}},
		{"plain plan with a task without a type", "# Plan\n\nSome text.\n\n<task>\nDo it.\n</task>\n", DialectTask, []int{5}, []string{"Do it."}},
		{"self-closing", "<task name='A'/>\n<task name=\"B\" />\n", DialectTask, []int{1, 2}, []string{"A", "B"}},
		{"tag over lines", "<task\n  type=\"auto\"\n  name=\"A\">\n</task>\n<task>\n<name>B</name>\n</task>", DialectTask, []int{1, 5}, []string{"A", "B"}},
		{"bracket in quotes", "<task when=\"a > b\" name='c > d'>\n</task>\n", DialectTask, []int{1}, []string{"c > d"}},
		{"quote not closed", "<task type=\"auto>\n<name>A</name>\n</task>\n<task type=\"auto\">\n<name>B</name>\n</task>\n", DialectTask, []int{1, 4}, []string{"A", "B"}},
		{"end tag missing", "<task>\n<name>A</name>\n<task>\n<name>B</name>\n</task>\n", DialectTask, []int{1, 3}, []string{"A", "B"}},
		{"last end tag missing", "<tasks>\n<task>\n<name>A</name>\n</task>\n<task>\n<name>B</name>\n</tasks>\nrest", DialectTask, []int{2, 5}, []string{"A", "B"}},
		{"end tag twice", "<task>\n<name>A</name>\n</task>\n</task>\n<task>\n<name>B</name>\n</task>\n", DialectTask, []int{1, 5}, []string{"A", "B"}},
		{"task in a task", "<task>\n<name>A</name>\n<action>\n  <task>\n  </task>\n</action>\n</task>\n", DialectTask, []int{1}, []string{"A"}},
		{"other elements", "<tasks>\n<task_commit>x</task_commit>\n<TaskCard>\n<task-list/>\n<task>\n<name>A</name>\n</task>\n</tasks>", DialectTask, []int{5}, []string{"A"}},
		{"talk about tasks", "see <task> and `</task>`\n<task>\n<name>A</name>\nuntil `</task>`\nor </task> in a line\n<done>x</done></task>\n", DialectTask, []int{2}, []string{"A"}},
		{"comment", "<!--\n<task>\n</task>\n-->\n<task>\n<name>A</name>\n</task>\n", DialectTask, []int{5}, []string{"A"}},
		{"comment on one line", "<task>\n<name>A</name>\nx <!-- </task> <task> --> y\n</task>\n", DialectTask, []int{1}, []string{"A"}},
		{"comment right before an end tag", "<tasks>\n<task>\n<name>A</name><!-- x --></task></tasks>\n<task>\n<name>B</name>\n</task>\n", DialectTask, []int{2, 4}, []string{"A", "B"}},
		{"comment on a tag's line", "<tasks> <!-- two\n<task>\n</task>\n-->\n<task>\n<name>A</name>\n</task> <!-- three\n<task>\n</task>\n-->", DialectTask, []int{5}, []string{"A"}},
		{"comment that cuts tasks", "<task>\n<name>A</name>\n<!-- open\n</task>\n<task>\n<name>B</name>\nclose -->\n</task>\n", DialectTask, []int{1, 5}, []string{"A", "B"}},
		{"front matter", "---\nnote: |\n  <task>\n  </task>\n---\n<task>\n<name>A</name>\n</task>\n", DialectTask, []int{6}, []string{"A"}},
		{"front matter not closed", "---\nphase: 1\n\n<task>\n<name>A</name>\n</task>\n---\n", DialectTask, []int{4}, []string{"A"}},
		{"fence", "```xml\n<task>\n</task>\n```\n<task>\n<name>A</name>\n</task>\n", DialectTask, []int{5}, []string{"A"}},
		{"all tasks in one fence", "# Plan\n\n```xml\n<task>\n<name>A</name>\n```sh\n```\n</task>\n<task>\n<name>B</name>\n</task>\n```\n\n```\ncode\n```\n", DialectTask, []int{4, 9}, []string{"A", "B"}},
		{"all tasks in two fences", "Examples\n```\n<task>\n</task>\n```\n```\n<task>\n</task>\n```\n", DialectPlan, []int{1}, []string{"Examples"}},
		{"headings beside a fence", "## Task 1: A\n```\n<task>\n</task>\n```\n", DialectHeading, []int{1}, []string{"Task 1: A"}},
		{"feature beside a fence", "<feature>\n<name>F</name>\n</feature>\n```\n<task>\n</task>\n```\n", DialectFeature, []int{1}, []string{"F"}},
		{"fence in a task", "<task>\n<name>A</name>\n```xml\n<task>\n</task>\n```\n</task>\n<task>\n<name>B</name>\n</task>\n", DialectTask, []int{1, 8}, []string{"A", "B"}},
		{"fence left open", "<task>\n<name>A</name>\n```go\n</task>\n<task>\n<name>B</name>\n```go\n```\n</task>\n", DialectTask, []int{1, 5}, []string{"A", "B"}},
		{"fence closed twice", "```go\n```\n```\n<task>\n<name>A</name>\n</task>\n```sh\n```\n", DialectTask, []int{4}, []string{"A"}},
		{"fence nested", "<task>\n<name>A</name>\n```markdown\n```sh\n```\n<task>\n</task>\n```\n</task>\n<task>\n<name>B</name>\n</task>\n", DialectTask, []int{1, 10}, []string{"A", "B"}},
		{"longer fence", "````\n```\n<task>\n</task>\n````\n<task>\n<name>A</name>\n</task>\n", DialectTask, []int{6}, []string{"A"}},
		{"tildes", "~~~\n<task>\n</task>\n```\n~~~\n<task>\n<name>A</name>\n</task>\n", DialectTask, []int{6}, []string{"A"}},
		{"inline code is not a fence", "```not a fence``` x\n<task>\n<name>A</name>\n</task>\n", DialectTask, []int{2}, []string{"A"}},
		{"feature", "<feature>\n<name>F</name>\n</feature>\n", DialectFeature, []int{1}, []string{"F"}},
		{"task before feature", "<feature>\n</feature>\n<task>\n<name>A</name>\n</task>\n", DialectTask, []int{3}, []string{"A"}},
		{"headings", "# Plan\n## Task 0: A\ntext\n### TASK 1 - B\n#### task 2\n", DialectHeading, []int{2, 4, 5}, []string{"Task 0: A", "TASK 1 - B", "task 2"}},
		{"headings that are not tasks", "## Tasks\n## Task Description\n# Task 1: x\n##### Task 2: x\n##Task 3\n", DialectPlan, []int{1}, []string{"Tasks"}},
		{"heading after broken fences", "```\n</task>\n```\n## Task 1: A\nx\n## Task 2: B\n```\n", DialectPlan, []int{1}, []string{"Task 1: A"}},
		{"heading in a fence", "## Task 1: A\n```sh\n## Task 2: no\n```\n## Verification\n", DialectHeading, []int{1}, []string{"Task 1: A"}},
		{"whole plan", "---\nphase: 1\n---\n\n# The plan\n\ntext\n", DialectPlan, []int{4}, []string{"The plan"}},
		{"objective", "<objective>\nDo it\n</objective>\n", DialectPlan, []int{1}, []string{"Do it"}},
		{"nothing but front matter", "---\nphase: 1\n---\n", DialectPlan, []int{4}, []string{"Task 1"}},
		{"CRLF", "<task>\r\n<name>A</name>\r\n</task>\r\n", DialectTask, []int{1}, []string{"A"}},
		{"BOM", "\xef\xbb\xbf---\nphase: 1\n---\n<task>\n<name>A</name>\n</task>\n", DialectTask, []int{4}, []string{"A"}},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			f := Parse([]byte(test.src))
			var lines []int
			var names []string
			for _, task := range f.Tasks {
				lines, names = append(lines, task.Line), append(names, f.Name(task.Number))
			}
			if f.Dialect != test.dialect {
				t.Errorf("dialect is %s, want %s", f.Dialect, test.dialect)
			}
			if diff := cmp.Diff(test.lines, lines); diff != "" {
				t.Errorf("lines (-want +got):\n%s", diff)
			}
			if diff := cmp.Diff(test.names, names); diff != "" {
				t.Errorf("names (-want +got):\n%s", diff)
			}
			if err := checkSessionLaws(t, f); err != nil {
				t.Error(err)
			}
		})
	}
}

func TestCheck(t *testing.T) {
	for _, test := range []struct {
		src  string
		want error
	}{
		{"", ErrEmpty},
		{" \n\t\r\n", ErrEmpty},
		{"\xef\xbb\xbf\n", ErrEmpty},
		{"<task>\x00", ErrBinary},
		{"\x00<task>", ErrBinary},
		{"x", nil},
		{"caf\xe9", ErrBinary},
		{"\xff\xfe" + strings.Repeat("<\x00", 9), ErrBinary},
		{"\xfe\xff" + strings.Repeat("x", 1000), ErrBinary},
		{strings.Repeat("x", 198) + "\x00\x07", nil},
		{strings.Repeat("x", 197) + "\x00\x07", ErrBinary},
		{strings.Repeat("x", 99) + "\x7f", nil},
		{strings.Repeat("x", 98) + "\x7f", ErrBinary},
		{strings.Repeat("x", 99) + "\xe9", nil},
		{strings.Repeat("x", 198) + "\xe9\x00", nil},
		{strings.Repeat("\t\r\n\f\ufffdé", 9), nil},
	} {
		if err := Check([]byte(test.src)); !errors.Is(err, test.want) {
			t.Errorf("Check(%q) = %v, want %v", test.src, err, test.want)
		}
	}
}

func TestName(t *testing.T) {
	for _, test := range []struct{ task, want string }{
		{"<task name=\"attr\">\n<name>child</name>\n</task>", "child"},
		{"<task title=\"t\" name=\"n\">\n</task>", "n"},
		{"<task title=\"t\">\n<action>x</action>\n</task>", "t"},
		{"<task>\n<title>Add x</title>\n</task>", "Add x"},
		{"<task type=\"checkpoint:decision\">\n<decision>Which?</decision>\n<options>\n<option id=\"a\"><name>Alpha</name></option>\n</options>\n</task>", "Which?"},
		{"<task type=\"checkpoint:human-verify\">\n<what-built>\n\nA thing\nand more\n</what-built>\n</task>", "A thing"},
		{"<task type=\"checkpoint:human-action\">\n<action>Log in</action>\n</task>", "Log in"},
		{"<task type=\"checkpoint:human-verify\">\n<how-to-verify>Look</how-to-verify>\n<what-built>A thing</what-built>\n</task>", "A thing"},
		{"<task>\n\n### Build it\ntext\n</task>", "Build it"},
		{"<task>\n<action>\nDo **this**\n</action>\n</task>", "Do **this**"},
		{"<task>\n<name>  a\n  b  </name>\n</task>", "a b"},
		{"<task>\n<name>a &lt; b &amp;&amp; c</name>\n</task>", "a < b && c"},
		{"<task>\n<name></name>\n</task>", "Task 1"},
		{"<task>\n<action>write <name>x</name> there</action>\n<name>real</name>\n</task>", "real"},
		{"<task>\n</task>", "Task 1"},
	} {
		if got := Parse([]byte(test.task)).Name(1); got != test.want {
			t.Errorf("%s\nis named %q, want %q", test.task, got, test.want)
		}
	}
}

func TestTestFirst(t *testing.T) {
	for src, want := range map[string]bool{
		`<task type="auto" tdd="true"><name>A</name></task>`:                 true,
		`<task tdd='True' type='auto'><name>A</name></task>`:                 true,
		`<task when="a > b" tdd="true"><name>A</name></task>`:                true,
		`<task type="tdd"><name>A</name></task>`:                             true,
		"<feature><name>A</name></feature>":                                  true,
		`<task tdd="false"><name>A</name></task>`:                            false,
		`<task tdd><name>A</name></task>`:                                    false,
		`<task name='tdd="true"'></task>`:                                    false,
		`<task type="auto"><name>A</name><action>tdd="true"</action></task>`: false,
		"## Task 1: tdd=\"true\"\n":                                          false,
	} {
		if got := Parse([]byte(src)).TestFirst(1); got != want {
			t.Errorf("%s: %v", src, got)
		}
	}
	if Parse(nil).TestFirst(1) {
		t.Error("a task that does not exist is test-driven")
	}
}

// A text that is no status, which could add attributes to the tag, is refused wherever a status is written.
func TestRefusedStatus(t *testing.T) {
	t.Parallel()
	const src = "<task status=\"pending\">\n</task>\n"
	for _, s := range []Status{"", "banana", "Complete", "complete ", "x\" status=\"complete", "complete\">\n<task>", "\x1b[31mcomplete"} {
		f := Parse([]byte(src))
		if chunks, err := f.SetStatus(s, 1); chunks != nil || !errors.Is(err, ErrStatus) {
			t.Errorf("SetStatus(%q) = %q, %v", s, chunks, err)
		}
		if err := f.Record(1, s); !errors.Is(err, ErrStatus) || f.Tasks[0].Status != Pending {
			t.Errorf("Record(1, %q): %v, and the task is %s", s, err, f.Tasks[0].Status)
		}
		if made, err := f.Session(Header{User: "ada", Plan: "a-PLAN.md"}, func(Task) Status { return s }); made != nil || !errors.Is(err, ErrStatus) {
			t.Errorf("Session with %q: %v", s, err)
		}
		if _, err := ParseStatus(string(s)); s != "Complete" && !errors.Is(err, ErrStatus) {
			t.Errorf("ParseStatus(%q): %v", s, err)
		}
		if string(f.Bytes()) != src {
			t.Errorf("%q changed the file", s)
		}
	}
	for _, n := range []int{0, -1, 2, 1 << 40} {
		f := Parse([]byte(src))
		if chunks, err := f.SetStatus(Complete, n); chunks != nil || !errors.Is(err, ErrTask) {
			t.Errorf("SetStatus(complete, %d) = %q, %v", n, chunks, err)
		}
		if err := f.Record(n, Complete); !errors.Is(err, ErrTask) {
			t.Errorf("Record(%d, complete): %v", n, err)
		}
	}
}

// TestSetStatuses: several at once change nothing but those, and none changes nothing.
func TestSetStatuses(t *testing.T) {
	const src = "<task type=\"auto\" status=\"pending\">a</task>\n<task type=\"auto\" status=\"pending\">b</task>\n<task type=\"auto\" status=\"complete\">c</task>\n"
	f := ParseSession([]byte(src))
	got, err := f.SetStatuses(map[int]Status{1: Complete, 2: InProgress, 3: Complete})
	want := strings.Replace(strings.Replace(src, "pending", "complete", 1), "pending", "in-progress", 1)
	if err != nil || string(got.Bytes()) != want || got.Tasks[1].Status != InProgress || string(f.Bytes()) != src {
		t.Errorf("%v, %s", err, got.Bytes())
	}
	for _, same := range []map[int]Status{nil, {3: Complete}} {
		if got, err := f.SetStatuses(same); got != f || err != nil {
			t.Errorf("%v: %v, %v", same, got, err)
		}
	}
	for _, bad := range []map[int]Status{{4: Complete}, {1: "done"}} {
		if got, err := f.SetStatuses(bad); got != nil || err == nil {
			t.Errorf("%v: %v", bad, got)
		}
	}
}

func TestSetStatus(t *testing.T) {
	for _, test := range []struct{ src, want string }{
		{`<task type="auto" status="pending">`, `<task type="auto" status="complete">`},
		{`<task status='pending' type="auto">`, `<task status='complete' type="auto">`},
		{`<task status=pending>`, `<task status=complete>`},
		{`<task status = "pending">`, `<task status = "complete">`},
		{`<task status="">`, `<task status="complete">`},
		{`<task status>`, `<task status="complete">`},
		{`<task>`, `<task status="complete">`},
		{`<task/>`, `<task status="complete"/>`},
		{`<task id="1" type="auto" gate="blocking">`, `<task id="1" type="auto" status="complete" gate="blocking">`},
		{`<task type= >`, `<task status="complete" type= >`},
		{`<task type>`, `<task status="complete" type>`},
		{`<task type="">`, `<task type="" status="complete">`},
		{`<task type="a" type="b">`, `<task type="a" status="complete" type="b">`},
		{`<task type type="b">`, `<task type type="b" status="complete">`},
		{`<task status=a TYPE='b'>`, `<task status=complete TYPE='b'>`},
		{`<task type='auto' data-status="pending">`, `<task type='auto' status="complete" data-status="pending">`},
		{`<task type="auto>`, `<task type="auto status=complete>`},
		{`<task note="x status>`, `<task note="x status=complete>`},
		{"<task\n\ttype=\"auto\"\n\tstatus=\"pending\"\n>", "<task\n\ttype=\"auto\"\n\tstatus=\"complete\"\n>"},
	} {
		chunks, err := Parse([]byte(test.src+"\n</task>")).SetStatus(Complete, 1)
		if got := string(bytes.Join(chunks, nil)); err != nil || got != test.want+"\n</task>" {
			t.Errorf("%s becomes %s, %v; want %s", test.src, got, err, test.want)
		}
	}

	f := Parse([]byte("<task status=\"complete\">\n</task>\n<task status=\"a\" status=\"b\">\n</task>\n"))
	if chunks, err := f.SetStatus(Complete, 1); chunks != nil || err != nil {
		t.Errorf("a status that is already set: %q, %v", chunks, err)
	}
	if _, err := f.SetStatus(Complete, 2); !errors.Is(err, ErrDuplicateStatus) {
		t.Errorf("two statuses: %v", err)
	}
	for _, n := range []int{-1, 0, 3} {
		if _, err := f.SetStatus(Complete, n); err == nil || err.Error() != fmt.Sprintf("no task %d: there are 2 tasks", n) {
			t.Errorf("task %d: %v", n, err)
		}
	}
	for _, tag := range []string{"<task/a=\">", "<task status/a=\">", "<task a='b status='<>"} {
		f := Parse([]byte("\n<task>\n</task>\n" + tag + "\n</task>\n"))
		if chunks, err := f.SetStatus(Complete, 1, 2); !errors.Is(err, ErrOpenQuote) || !strings.Contains(err.Error(), "line 4") {
			t.Errorf("%s: %q, %v", tag, chunks, err)
		}
	}
	if _, err := Parse([]byte("## Task 1: x\n")).SetStatus(Complete, 1); err == nil || !strings.Contains(err.Error(), "not a <task> element") {
		t.Errorf("a heading: %v", err)
	}
}

func TestParseStatus(t *testing.T) {
	for word, want := range map[string]Status{
		"complete": Complete, "completed": Complete, "done": Complete, "DONE": Complete,
		"in-progress": InProgress, "in_progress": InProgress, "started": InProgress,
		"pending": Pending, "todo": Pending, "skipped": Skipped, "Skip": Skipped,
	} {
		if got, err := ParseStatus(word); got != want || err != nil {
			t.Errorf("ParseStatus(%q) = %q, %v", word, got, err)
		}
	}
	for _, word := range []string{"", "finished", "complete ", "in progress"} {
		if _, err := ParseStatus(word); err == nil {
			t.Errorf("ParseStatus(%q): %v", word, err)
		}
	}
}

// Only what is complete or skipped is over, so that an unknown word in a file never lets a plan count as done.
func TestStatus(t *testing.T) {
	for status, want := range map[Status]struct{ known, over bool }{
		Pending: {true, false}, InProgress: {true, false}, Complete: {true, true}, Skipped: {true, true}, "": {}, "SKIPPED": {}, "done": {},
	} {
		if status.Known() != want.known || status.Settled() != want.over {
			t.Errorf("%q: Known() = %v, Settled() = %v", status, status.Known(), status.Settled())
		}
	}
	f := Parse([]byte("<task status=\"skipped\">\n</task>\n<task status=\"complete\">\n</task>\n<task status=\"skipped\">\n</task>\n<task>\n</task>\n"))
	if got := f.Count(Skipped); got != 2 || f.Count(Complete) != 1 || f.Count(InProgress) != 0 {
		t.Errorf("%d are skipped", got)
	}
	if problems := f.Problems(); len(problems) != 1 || problems[0].Task != 4 {
		t.Errorf("problems: %v", problems)
	}
}

// The case "after the type" is the original specification's example, plus the header's Plan-Digest line.
func TestSession(t *testing.T) {
	head := Header{User: "john-doe", Plan: ".planning/phases/03-x/03-01-PLAN.md", Started: "2026-02-03T10:00:00Z", Digest: "sha256:ab"}
	const headText = `<!-- Session progress for john-doe -->
<!-- Plan: .planning/phases/03-x/03-01-PLAN.md -->
<!-- Started: 2026-02-03T10:00:00Z -->
<!-- Plan-Digest: sha256:ab -->

`
	for _, test := range []struct{ name, plan, want string }{
		{"after the type", "<task type=\"auto\">\n  <name>Task 1: Create schema</name>\n</task>\n", "<task type=\"auto\" status=\"pending\">\n  <name>Task 1: Create schema</name>\n</task>\n"},
		{"no type", "<task id=\"1\">\n</task>", "<task status=\"pending\" id=\"1\">\n</task>"},
		{"a status in the plan", "<task status=\"complete\" type=\"auto\">\n</task>\n", "<task status=\"pending\" type=\"auto\">\n</task>\n"},
		{"a status and a lone quote", "<TASK Status\">\n</TASK>\n", "<TASK Status=\"pending\"\">\n</TASK>\n"},
		{"a quote left open before it on the line", "<task a=\"><task>\n", "<task status=pending a=\"><task status=pending>\n"},
		{"a tag left open before it on the line", "<task a=\" </task><task>\n", "<task a=\" </task><task status=pending>\n"},
		{"an example is not changed", "```\n<task type=\"auto\">\n</task>\n```\n<task>\n</task>\n", "```\n<task type=\"auto\">\n</task>\n```\n<task status=\"pending\">\n</task>\n"},
		{"feature", "<feature>\nx\n</feature>\n", "<feature status=\"pending\">\nx\n</feature>\n"},
		{"headings", "# P\n## Task 1: a\nx\n## Task 2: b\ny\n## End\n", "# P\n<task type=\"auto\" status=\"pending\">\n## Task 1: a\nx\n</task>\n<task type=\"auto\" status=\"pending\">\n## Task 2: b\ny\n</task>\n## End\n"},
		{"a heading that is indented", "  ## Task 1: a\nx\n", "<task type=\"auto\" status=\"pending\">\n  ## Task 1: a\nx\n</task>\n"},
		{"headings, CRLF, no final newline", "## Task 1: a\r\nx", "<task type=\"auto\" status=\"pending\">\r\n## Task 1: a\r\nx\r\n</task>"},
		{"whole plan", "---\na: b\n---\n# P\nx\n", "---\na: b\n---\n<task type=\"auto\" status=\"pending\">\n# P\nx\n</task>\n"},
		{"BOM", "\xef\xbb\xbf<task>\n</task>\n", "\xef\xbb\xbf<task status=\"pending\">\n</task>\n"},
	} {
		t.Run(test.name, func(t *testing.T) {
			got, err := Parse([]byte(test.plan)).Session(head, func(Task) Status { return Pending })
			if err != nil {
				t.Fatal(err)
			}
			if diff := cmp.Diff(headText+test.want, string(got.Bytes())); diff != "" {
				t.Errorf("(-want +got):\n%s", diff)
			}
		})
	}
}

func TestSessionRefused(t *testing.T) {
	for src, want := range map[string]error{
		"<task>\n</task>\n<task status='a' type=\"auto\" status=\"b\">\n</task>\n": ErrDuplicateStatus,
		"```\n## Task 1\n</task>\n```\n```\n## Task 2\n</task>\n```\n":             ErrUnbalanced,
	} {
		_, err := Parse([]byte(src)).Session(Header{Plan: "p"}, func(Task) Status { return Pending })
		if !errors.Is(err, want) || errors.Is(err, ErrDuplicateStatus) && !strings.Contains(err.Error(), "line 3") {
			t.Errorf("%q: %v, want %v", src, err, want)
		}
	}
}

func TestHeader(t *testing.T) {
	const plan = "<task status=\"pending\">\n</task>\n"
	for _, test := range []struct {
		name, src string
		want      Header
	}{
		{"the seed's", "<!-- Session progress for a -->\n<!-- Plan: p -->\n<!-- Started: t -->\n\n" + plan, Header{User: "a", Plan: "p", Started: "t"}},
		{
			"all lines",
			"<!-- Plan: p -->\n<!-- Plan-Digest: d -->\n<!-- Roadmap-Phase: 2.1 -->\n<!-- Summary-Digest: s -->\n<!-- Fresh: true -->\n\n" + plan,
			Header{Plan: "p", Digest: "d", Phase: "2.1", Summary: "s", Fresh: true},
		},
		{"a word of another version", "<!-- Plan: p -->\n<!-- Fresh: maybe -->\n\n" + plan, Header{Plan: "p"}},
		{"unknown lines are ignored", "<!-- Host: x -->\n<!-- Plan: p -->\n\n" + plan, Header{Plan: "p"}},
		{"the first counts", "<!-- Plan: p -->\n<!-- Plan: q -->\n\n" + plan, Header{Plan: "p"}},
		{"only leading lines", "<!-- Plan: p -->\n\n<!-- Started: t -->\n" + plan, Header{Plan: "p"}},
		{"not after other text", "# x\n<!-- Plan: p -->\n\n" + plan, Header{}},
		{"CRLF and BOM", "\xef\xbb\xbf<!-- Plan: p -->\r\n\r\n" + plan, Header{Plan: "p"}},
		{"not closed", "<!-- Plan: p\n-->\n" + plan, Header{}},
		{"arrow in the value", "<!-- Plan: a --> b -->\n\n" + plan, Header{Plan: "a --> b"}},
	} {
		t.Run(test.name, func(t *testing.T) {
			if diff := cmp.Diff(test.want, Parse([]byte(test.src)).Header); diff != "" {
				t.Errorf("(-want +got):\n%s", diff)
			}
		})
	}
	for _, value := range []string{"a-->b", "a\nb", "\x1bb", " a", "a\u0085"} {
		if (Header{Plan: value}).Check() == nil {
			t.Errorf("%q is accepted", value)
		}
	}
	if err := (Header{Plan: ".planning/phases/01 ä/PLAN.md"}).Check(); err != nil {
		t.Error(err)
	}
}

func TestProblems(t *testing.T) {
	f := Parse([]byte("<task status=\"done\">\n</task>\n<task>\n</task>\n<task status=\"a\" status=\"b\">\n</task>\n<task status=\"complete\">\n"))
	var got []string
	for _, p := range f.Problems() {
		got = append(got, fmt.Sprintf("%d %s: %s", p.Line, p.Code, p.Detail))
	}
	if found := Parse([]byte("<task status=\"pending\">x</task></tasks>")).Problems(); found != nil {
		t.Errorf("end tags on one line: %v", found)
	}
	want := []string{
		`1 status-unknown: task 1 has the status "done"`,
		`3 status-missing: task 2 has no status`,
		`5 status-duplicate: task 3 has 2 status attributes`,
		`7 task-unclosed: task 4 has no </task>`,
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}

func TestChildren(t *testing.T) {
	for _, test := range []struct {
		name, body string
		want       []Child
	}{
		{"XML", "<files>a.go</files>\n<verify><automated>go test</automated></verify>\n", []Child{{"files", "", "a.go"}, {"verify", "automated", "go test"}}},
		{"entities", "<done>a &lt; b</done>", []Child{{"done", "", "a < b"}}},
		{"not XML", "<action>if a < b && c</action>\n<done>x &amp; y</done>", []Child{{"action", "", "if a < b && c"}, {"done", "", "x & y"}}},
		{"indentation", "<action>\n    if x {\n      y\n    }\n</action>", []Child{{"action", "", "if x {\n  y\n}"}}},
		{"end tag missing", "<action>a < b\n<done>x</done>", []Child{{"", "", "<action>a < b"}, {"done", "", "x"}}},
		{"text between, not XML", "First.\n<done>x</done>\n  a < b\n    c\n<done>y</done>\nLast.", []Child{{"", "", "First."}, {"done", "", "x"}, {"", "", "a < b\n  c"}, {"done", "", "y"}, {"", "", "Last."}}},
		{"no elements", "## Task 1\n\nDo it.", []Child{{"", "", "## Task 1\n\nDo it."}}},
		{"elements alone", "<verify>\n  <automated>go test</automated>\n  <manual>look</manual>\n</verify>", []Child{{"verify", "automated", "go test"}, {"verify", "manual", "look"}}},
		{"code", "<action>\nWrite <Link to=\"/\"><b>home</b></Link> and <hr/>.\n</action>", []Child{{"action", "", `Write <Link to="/"><b>home</b></Link> and <hr/>.`}}},
		{"empty", "<files/>a < b", []Child{{"files", "", ""}, {"", "", "a < b"}}},
		{"upper case, XML", "<Files>a.go</Files>", []Child{{"files", "", "a.go"}}},
		{"in a line", "- <files>a.go</files> and <b>x</b>", []Child{{"", "", "- <files>a.go</files> and <b>x</b>"}}},
		{"comments", "<!-- <name>no</name>\n<files>b</files> --><files>a < b</files>\n<!-- x --><done >x</done >\n<!-- y", []Child{{"files", "", "a < b"}, {"done", "", "x"}, {"", "", "<!-- y"}}},
		{"not XML, in an element", "<verify>\n  <automated>cd x && go test</automated>\n</verify>", []Child{{"verify", "automated", "cd x && go test"}}},
		{"in one line", "<verify><automated>a && b</automated><manual>c &amp; d</manual></verify>", []Child{{"verify", "automated", "a && b"}, {"verify", "manual", "c & d"}}},
		{"text after", "<verify>\n<automated>a && b</automated>\nPlus c.\n</verify>", []Child{{"verify", "automated", "a && b"}, {"verify", "", "Plus c."}}},
		{"a list", "<read_first>\n<file>a</file>\n<file>b</file>\n</read_first>\n<done>x</done>\n<done>y</done>", []Child{{"read_first", "file", "a\nb"}, {"done", "", "x"}, {"done", "", "y"}}},
		{"attributes", "<options>\n<option id=\"a\">\n<name>A & B</name>\n<cons/>\n</option>\n<option\n  id=\"b\"/>\n</options>", []Child{{"options", "option id=\"a\", name", "A & B"}, {"options", "option id=\"a\", cons", ""}, {"options", "option id=\"b\"", ""}}},
		{"deep", "<a><b><c><d><e><f>x</f></e></d></c></b></a>", []Child{{"a", "b, c, d, e", "<f>x</f>"}}},
		{"prose with a tag", "<done><b>All</b> of a && b</done>\n<verify>run <automated>x</automated></verify>\n<action>in <phase> && List<String>\n<div>\n</div></action>", []Child{{"done", "", "<b>All</b> of a && b"}, {"verify", "", "run <automated>x</automated>"}, {"action", "", "in <phase> && List<String>\n<div>\n</div>"}}},
		{"no end tag", "<verify>\n<automated>a && b\n</verify>", []Child{{"verify", "", "<automated>a && b"}}},
		{"fenced code", "```tsx\nreturn (\n<div>\n<p>x</p>\n</div>\n```\n<done>y</done>", []Child{{"", "", "```tsx\nreturn (\n<div>\n<p>x</p>\n</div>\n```"}, {"done", "", "y"}}},
		{"a stray fence", "```\n<files>a</files>\n<b>x</b>\n```", []Child{{"", "", "```"}, {"files", "", "a"}, {"b", "", "x"}, {"", "", "```"}}},
		{"an open fence", "```\n<b>x</b>", []Child{{"", "", "```"}, {"b", "", "x"}}},
		{"upper case", "<VERIFY>a < b</verify>", []Child{{"verify", "", "a < b"}}},
	} {
		t.Run(test.name, func(t *testing.T) {
			got, err := Parse([]byte("<task>\n" + test.body + "\n</task>\n")).Children(1)
			if err != nil {
				t.Fatal(err)
			}
			if diff := cmp.Diff(test.want, got); diff != "" {
				t.Errorf("(-want +got):\n%s", diff)
			}
		})
	}
}

// If fences are well-formed, the examples are what CommonMark calls fenced code, with goldmark as the oracle.
func TestFencesAgainstGoldmark(t *testing.T) {
	rapid.Check(testenv.Laws(t), func(t *rapid.T) {
		var doc strings.Builder
		for range rapid.IntRange(1, 6).Draw(t, "blocks") {
			char := rapid.SampledFrom([]string{"`", "~"}).Draw(t, "char")
			run := rapid.IntRange(3, 6).Draw(t, "run")
			fence := strings.Repeat(char, run)
			if rapid.Bool().Draw(t, "fenced") {
				doc.WriteString(fence + rapid.SampledFrom([]string{"", "go", " xml "}).Draw(t, "info") + "\n")
				for range rapid.IntRange(0, 4).Draw(t, "lines") {
					other := map[string]string{"`": "~~~", "~": "```"}[char]
					doc.WriteString(rapid.SampledFrom([]string{"<task>\nx\n</task>\n", "text\n", "\n", other + "\n", strings.Repeat(char, run-1) + "\n"}).Draw(t, "line"))
				}
				doc.WriteString(fence + rapid.SampledFrom([]string{"", char, " "}).Draw(t, "close") + "\n\n")
			} else {
				doc.WriteString("<task>\nreal\n</task>\n\n")
			}
		}
		src := []byte(doc.String())

		hidden := make([]bool, len(src))
		err := ast.Walk(goldmark.DefaultParser().Parse(text.NewReader(src)), func(n ast.Node, entering bool) (ast.WalkStatus, error) {
			if block, ok := n.(*ast.FencedCodeBlock); ok && entering {
				for i := range block.Lines().Len() {
					s := block.Lines().At(i)
					for at := s.Start; at < s.Stop; at++ {
						hidden[at] = true
					}
				}
			}
			return ast.WalkContinue, nil
		})
		if err != nil {
			t.Fatal(err)
		}
		var want, got []int
		for at := range src {
			if bytes.HasPrefix(src[at:], []byte("<task>")) && !hidden[at] {
				want = append(want, at)
			}
		}
		for _, task := range lex(src, 0, "task").elements() {
			got = append(got, int(task.tag.from))
		}
		if diff := cmp.Diff(want, got); diff != "" {
			t.Fatalf("(-goldmark +ours):\n%s\n%s", diff, src)
		}
	})
}

// Plans assembled from everything that goes wrong in real ones. A fuzzer rarely finds such a document, because each
// piece has many bytes.
func TestLawsOfBrokenPlans(t *testing.T) {
	pieces := []string{
		"```\n", "```go\n", "````\n", "~~~ x\n", "~~~\n", "<task type=\"auto\">\n", "</task>\n", "<tasks>\n", "</tasks>\n",
		"<task type=\"a\" status=pending/>\n", "<task>\n", "x</task>\n", "## Task 1: A\n", "### Task 2 - b\n", "#### Task 3\n", "# Title\n",
		"## Other\n", "<!--\n", "-->\n", "<!-- x -->\n", "<name>N</name>\n", "<title>T</title>\n", "<objective>O</objective>\n", "text\n", "\n",
		"---\n", "<task type=\"auto\n", "<feature>\n", "</feature>\n", "  <task>\r\n", "<tasks><task>", "</task> <task>\n", "<TASK TYPE=\"auto\">\n", "</Task> x\n", "<!-- <task> --> </task>\n", "`<!--` and `</task>`\n",
	}
	rapid.Check(testenv.Laws(t), func(t *rapid.T) {
		src := strings.Join(rapid.SliceOfN(rapid.SampledFrom(pieces), 1, 14).Draw(t, "pieces"), "")
		if Check([]byte(src)) != nil {
			return
		}
		f := Parse([]byte(src))
		if len(f.Tasks) == 0 {
			t.Fatalf("no task in %q", src)
		}
		_ = checkSessionLaws(t, f) // an error breaks no law
	})
}

func BenchmarkParse(b *testing.B) {
	for _, n := range []int{3, 1000, 100_000} {
		var doc strings.Builder
		doc.WriteString("---\nphase: 1\n---\n\n<tasks>\n")
		for i := range n {
			fmt.Fprintf(&doc, "<task type=\"auto\">\n  <name>Task %d: Do it</name>\n  <files>a.go, b.go</files>\n  <action>\n%s  </action>\n  <verify>go test ./...</verify>\n  <done>It works</done>\n</task>\n\n", i+1, strings.Repeat("    some words that say what to do here\n", 4))
		}
		doc.WriteString("</tasks>\n")
		src := []byte(doc.String())
		b.Run(fmt.Sprint(n), func(b *testing.B) {
			b.SetBytes(int64(len(src)))
			b.ReportAllocs()
			for b.Loop() {
				if len(Parse(src).Tasks) != n {
					b.Fatal("tasks are missing")
				}
			}
		})
	}
}

// The text of a task may be kept in a tracker, but never that of a checkpoint.
func TestTracker(t *testing.T) {
	t.Parallel()
	f := Parse([]byte("<task type=\"auto\" tracker-id=\"gh:12\">a</task>\n<task type=\"checkpoint:human-verify\" tracker-id=\"gh:13\">b</task>\n" +
		"<task tracker-id='x\n y'>c</task>\n<task>d</task>\n"))
	for n, want := range map[int]string{1: "gh:12", 2: "", 3: "x y", 4: "", 5: "", 0: ""} {
		if got := f.Tracker(n); got != want {
			t.Errorf("task %d: %q, want %q", n, got, want)
		}
	}
	if got := Parse([]byte("## Task 1: a\n\ntracker-id=\"x\"\n")).Tracker(1); got != "" {
		t.Errorf("a heading has %q", got)
	}
}

// TestHeaderBelow: a session's header may stand below a title or front matter, but not in an example or behind the first task.
func TestHeaderBelow(t *testing.T) {
	const (
		head  = "<!-- Session progress for ada -->\n<!-- Plan: p -->\n<!-- Started: s -->\n"
		front = "---\na: 1\n---\n"
		tasks = "<objective>\nx\n</objective>\n<task status=\"pending\">\n</task>\n"
	)
	for _, test := range []struct {
		name, session string
		found         bool
		plan          string // whose text it has
	}{
		{"at the top", head + "\n" + front + tasks, true, front + tasks},
		{"after blank lines", "\n \n" + head + tasks, true, tasks},
		{"below a title", "# Session\n\n" + head + "\n" + front + tasks, true, front + tasks},
		{"below another comment", "<!-- mine -->\n\n" + head + tasks, true, tasks},
		{"below front matter", front + head + "\n" + tasks, true, front + tasks},
		{"below front matter and a title", front + "# Session\n" + head + tasks, true, front + tasks},
		{"with CRLF", strings.ReplaceAll("# Session\n\n"+head+tasks, "\n", "\r\n"), true, tasks},
		{"after an example", "```\n<!-- Plan: q -->\n```\n" + head + tasks, true, tasks},
		{"the first of two", "# Session\n" + head + tasks + "<!-- Plan: q -->\n", true, tasks + "<!-- Plan: q -->\n"},
		{"whose front matter has a tag", "# Session\n" + head + "---\na:\n  - x <task>\n---\n" + tasks, true, "---\na:\n  - x <task>\n---\n" + tasks},
		{"behind the first task", tasks + head, false, ""},
		{"in the first task", "<task status=\"pending\">\n" + head + "</task>\n", false, ""},
		{"in an example", "```\n" + head + "```\n" + tasks, false, ""},
		{"in a line", "# Session\nas in <!-- Plan: p -->\n" + tasks, false, ""},
		{"indented", "# Session\n    <!-- Plan: p -->\n" + tasks, false, ""},
	} {
		s := ParseSession([]byte(test.session))
		want := Header{User: "ada", Plan: "p", Started: "s"}
		if !test.found {
			want = Header{}
		}
		if s.Header != want || len(s.Tasks) != 1 || s.Tasks[0].Status != Pending {
			t.Errorf("%s: %+v, %d tasks", test.name, s.Header, len(s.Tasks))
		}
		if test.found && !s.HasTextOf(Parse([]byte(test.plan))) {
			t.Errorf("%s: it has another text than its plan", test.name)
		}
	}
	if s := ParseSession([]byte("# Session\n" + head)); s.Header.Plan != "p" { // its beginning alone was read
		t.Errorf("without a task: %+v", s.Header)
	}
}
