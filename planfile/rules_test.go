package planfile

import (
	"bytes"
	"errors"
	"fmt"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/google/go-cmp/cmp"
)

// rest is the text after the start tag.
func TestStartTag(t *testing.T) {
	for _, test := range []struct{ src, attrs, rest string }{
		{">x", "", "x"},
		{" >x", "", "x"},
		{"/>x", "empty", "x"},
		{" a=\"1\" b='2'>x", "a[1] b[2]", "x"},
		{"\n\ta = \"1\"\n>x", "a[1]", "x"},
		{" a=\"x > y\">z", "a[x > y]", "z"},
		{" a='\"'>z", "a[\"]", "z"},
		{" a=\"x\ny\">z", "a[x\ny]", "z"},
		{" a=\"\">z", "a[]", "z"},
		{" a>z", "a-", "z"},
		{" a b=1>z", "a- b[1]", "z"},
		{" a\n=1>z", "a[1]", "z"},
		{" a=1/>z", "a[1] empty", "z"},
		{" a=1/2>z", "a[1/2]", "z"},
		{" a=1/2/ b>z", "a[1/2/] b-", "z"},
		{" a= >z", "a[]", "z"},
		{" a=/>z", "a[] empty", "z"},
		{" a/b>z", "a- b-", "z"},
		{" / = \" ' a=1 //>z", "a[1] empty", "z"},
		{" a/ >z", "a-", "z"},
		{"", "none", ""},
		{" a", "none", ""},
		{" a=", "none", ""},
		{" a=1", "none", ""},
		{" a <b>", "none", ""},
		{" a=\"1\" <b>", "none", ""},
		// A quote that is not closed: the tag ends on its line, and quotes are ordinary characters.
		{" a=\"1>z", "a[1] broken", "z"},
		{" a=1\">z", "a[1\"]", "z"},
		{" a=\"1 b=2'>z\n", "a[1] b[2] broken", "z\n"},
		{" a=\"''>z", "a[] broken", "z"},
		{" a=\"1\n>z", "none", ""},
		{" a=\"1 \n=2>z", "none", ""},
		{" a=\"1\nb>z", "none", ""},
		{" a=\"1>z\n\n\"", "a[1] broken", "z\n\n\""},
		{" a=\"1>z\n \t\r\n\"", "a[1] broken", "z\n \t\r\n\""},
		{" a=\"1>z\n <b>\"", "a[1] broken", "z\n <b>\""},
		{" a=\"1>z\nb\">y", "a[1>z\nb]", "y"},
		{" a=\"1>z\n\">y", "a[1>z\n]", "y"},
		{" a=\"<b>\">y", "a[<b>]", "y"},
	} {
		src := []byte("<t" + test.src)
		var got []string
		b, ok := startTag(src, len("<t"), func(a attr) {
			value := "-"
			if a.hasValue() {
				value = "[" + string(a.value.of(src)) + "]"
			}
			got = append(got, string(a.name.of(src))+value)
			if whole := string(a.whole.of(src)); !strings.Contains(whole, string(a.name.of(src))) || strings.ContainsAny(whole, "<") != strings.ContainsAny(value, "<") {
				t.Errorf("%q: the whole of %s is %q", test.src, a.name.of(src), whole)
			}
		})
		if b.empty {
			got = append(got, "empty")
		}
		if b.broken {
			got = append(got, "broken")
		}
		rest := ""
		if !ok {
			got = []string{"none"}
		} else {
			rest = string(src[b.end:])
		}
		if strings.Join(got, " ") != strings.TrimSpace(test.attrs) || rest != test.rest {
			t.Errorf("%q: %q and %q, want %q and %q", test.src, strings.Join(got, " "), rest, test.attrs, test.rest)
		}
	}
	many := strings.Repeat(" a", maxAttributes-1)
	for tag, want := range map[string]int32{many + " status=x": 1, many + " a status=x": 0} {
		if f := Parse([]byte("<task" + tag + ">\n")); f.Tasks[0].statuses != want {
			t.Errorf("%d bytes: %d statuses", len(tag), f.Tasks[0].statuses)
		}
	}
}

func TestHasStatus(t *testing.T) {
	for src, want := range map[string]bool{
		"": false, "<task>\n</task>": false, "<task>\n</task>\n<task status>\n</task>": true, "<feature status='x'/>": true, "## Task 1: status=x": false,
	} {
		if Parse([]byte(src)).HasStatus() != want {
			t.Errorf("%q: %v", src, !want)
		}
	}
}

func TestIsName(t *testing.T) {
	for text, want := range map[string]bool{
		"task": true, "TASK": true, "tAsK": true, "tas": false, "tasks": false, "": false, "tbsk": false,
		"Tas\x0b": false, "\x14ask": false, "@ask": false, "[ask": false,
	} {
		if isName([]byte(text), "task") != want {
			t.Errorf("%q: %v", text, !want)
		}
	}
	if !isName([]byte("AZ"), "az") || isName([]byte("az"), "AZ") || isName([]byte("`z"), "@z") || isName([]byte("[z"), "{z") || isName([]byte("@z"), "`z") {
		t.Error("something other than a letter was case-folded")
	}
}

// want lists the lines of the tasks that fences and comments do not hide.
func TestHide(t *testing.T) {
	const real = "<task>\n</task>\n" // so that an example is not taken for the plan's only task
	for _, test := range []struct {
		name, src string
		want      string
	}{
		{"a block", "```\n<task/>\n```\n", "[]"},
		{"a longer end", "```\n<task/>\n````\n", "[]"},
		{"a shorter end", "````\n<task/>\n```\n", "[4]"},
		{"an end of twelve for one of ten", strings.Repeat("`", 10) + "\n<task/>\n" + strings.Repeat("`", 12) + "\n", "[]"},
		{"an end of eight for one of nine", strings.Repeat("`", 9) + "\n<task/>\n" + strings.Repeat("`", 8) + "\n", "[4]"},
		{"an end with an info string", "```\n<task/>\n```go\n", "[4]"},
		{"another character", "```\n<task/>\n~~~\n", "[4]"},
		{"the first end counts", "```\n```\n<task/>\n```\n", "[5]"},
		{"two blocks", "```\n<task/>\n```\n<task/>\n~~~\n<task/>\n~~~\n", "[6]"},
		{"a block in a task", "<task>\n```\ncode\n```\n</task>\n", "[3]"},
		{"an end tag first", "<task>\n```\n</task>\n<task>\n```\n</task>\n", "[3 6]"},
		{"more start tags", "```\n<task>\n```\n</task>\n", "[4]"},
		{"more end tags", "```\n<task>\n</task>\n</task>\n```\n", "[4]"},
		{"a comment", "<!--\n<task/>\n-->\n", "[]"},
		{"a comment that ends before a tag", "<!--\n--><task/>\n<task/>", "[5]"},
		{"a comment that ends after a tag", "<!-- x\n<task/> --> y\n<task/>", "[5]"},
		{"a comment after one on its line", "<!-- a --> <!-- b\n<task/>\n-->\n", "[]"},
		{"a comment in a fence", "```\n<!--\n```\n<task/>\n-->\n", "[6]"},
		{"a comment that is never closed", "<!--\n<task/>\n", "[4]"},
		{"a comment without its bracket", "!--\n<task/>\n-->\n", "[4]"},
		{"a comment that ends at once", "<!-->\n<task/>\n-->\n", "[]"},
	} {
		got := []int{}
		for _, task := range Parse([]byte(real + test.src)).Tasks[1:] {
			got = append(got, task.Line)
		}
		if fmt.Sprint(got) != test.want {
			// The numbers count the two lines of the real task.
			t.Errorf("%s: tasks in lines %v, want %s", test.name, got, test.want)
		}
	}
}

func TestTaskHeadings(t *testing.T) {
	for line, want := range map[string]bool{
		"## Task 1": true, "## task 12: x": true, "##\tTASK  1": true, "### Task 1a": true, "#### Task1": true, "##   Task 0": true,
		"# Task 1": false, "##### Task 1": false, "##Task 1": false, "## Tasks 1": false, "## Task": false, "## Task x": false, "## Tas": false, "##": false, "## A task 1": false,
	} {
		if got := Parse([]byte("a\n"+line)).Dialect == DialectHeading; got != want {
			t.Errorf("%q: %v", line, got)
		}
	}
	f := Parse([]byte("## Task 1\na\n### More\nb\n##### Task 9\n## Task 2\nc\n#\n### Task 3\nd\n## Other\ne\n### Task 4\nf\n</tasks>\ng\n## Task 5\nh\n## End\ni\n## Task 6"))
	var got []string
	for _, task := range f.Tasks {
		got = append(got, f.Body(task.Number))
	}
	want := []string{"## Task 1 a ### More b ##### Task 9", "## Task 2 c", "### Task 3 d", "### Task 4 f", "## Task 5 h", "## Task 6"}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
	if f := Parse([]byte("####### Task 1\n## Task 1\n####### no heading\n")); f.Body(1) != "## Task 1 ####### no heading" {
		t.Error(f.Body(1))
	}
}

func TestTidy(t *testing.T) {
	for text, want := range map[string]string{
		"":                           "",
		"  a  ":                      "a",
		"a\n    b\n  c\n":            "a\n  b\nc",
		"a\r\n\tb\r\n\t\tc \r\n":     "a\nb\n\tc",
		"  a\n b":                    "a\nb",
		"\n  a\n\n   \n    b\n":      "a\n\n\n  b",
		"\n    a\n  b\n      c\n   ": "a\nb\n    c",
		"a\nb\n  c":                  "a\nb\n  c",
	} {
		if got := tidy(text); got != want {
			t.Errorf("%q: %q, want %q", text, got, want)
		}
	}
}

func TestFirstLine(t *testing.T) {
	for text, want := range map[string]string{
		"":                                 "",
		"\n\n  a b \nc":                    "a b",
		"## A\nb":                          "A",
		"```go\na":                         "a",
		"~~~\na":                           "a",
		"---\na":                           "a",
		"<b>\n</b>\nc":                     "c",
		"<b>c</b>":                         "c",
		"<a><b>c</b></a>":                  "c",
		"</a> <b/> c":                      "c",
		"<b> c > d":                        "c > d",
		"x <b>":                            "x <b>",
		"x </b c>":                         "x </b c>",
		"a <b>c</b>":                       "a <b>c",
		"<b c":                             "<b c",
		"</>\ny":                           "y",
		"< b>":                             "< b>",
		"<>":                               "<>",
		"</>x":                             "</>x",
		"<my-tag_2 a=\"x>y\">z</my-tag_2>": "z",
		"#\nx":                             "x",
	} {
		if got := firstLine([]byte(text)); got != want {
			t.Errorf("%q: %q, want %q", text, got, want)
		}
	}
}

// A tag's name ends at the first byte that is not valid in a name.
func TestTagName(t *testing.T) {
	for c := range 256 {
		want := "a"
		if strings.IndexByte("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_", byte(c)) >= 0 {
			want = string([]byte{'a', byte(c)})
		}
		if got := tagName([]byte{'a', byte(c), ' '}); got != want {
			t.Errorf("byte %#x: %q", c, got)
		}
	}
}

// The unclosed start tags and the children of a body are limited.
func TestChildBounds(t *testing.T) {
	count := func(body string) int { return len(cutChildren([]byte(body))) }
	const child = "<a>x</a>\n"
	if got := count(strings.Repeat("<b>\n", 63) + child); got != 1 {
		t.Errorf("after 63 open tags: %d children", got)
	}
	if got := count(strings.Repeat("<b>\n", 64) + child); got != 0 {
		t.Errorf("after 64 open tags: %d children", got)
	}
	if got := count(strings.Repeat("b\n", 1000) + child); got != 1 {
		t.Errorf("after 1000 lines: %d children", got)
	}
	if got := count(strings.Repeat(child, 1001)); got != 1000 {
		t.Errorf("%d of 1001 children", got)
	}
	for body, want := range map[string]int{
		"<a>x</a><b>y</b>": 2, "<a>x</a> y <b>z</b>": 1, "y <a>x</a>": 0, "<a/><b>y</b>": 2, "<a>x</a": 0, "<a>x</ab></a>": 1, "<a><b>x</b></a>": 1, "< a>x</a>": 0, "<a": 0, "<": 0,
	} {
		if got := count(body); got != want {
			t.Errorf("%s: %d children, want %d", body, got, want)
		}
	}
	large := "<a>" + strings.Repeat("x", maxXML-len("<a></a>")) + "</a>"
	if parseXML([]byte(large)) == nil || parseXML([]byte(large+" ")) != nil {
		t.Error("the limit of XML is off")
	}
	if parseXML([]byte("x</x><x>y")) != nil {
		t.Error("a fragment with two roots is read as XML")
	}
}

// A long name is cut off, between two characters.
func TestMaxName(t *testing.T) {
	for n, want := range map[int]int{maxName - 1: maxName - 1, maxName: maxName, maxName + 1: maxName} {
		if got := oneLine(bytes.Repeat([]byte("x"), n)); len(got) != want {
			t.Errorf("%d bytes: %d", n, len(got))
		}
	}
	if name := oneLine([]byte("x" + strings.Repeat("ä", maxName))); name != "x"+strings.Repeat("ä", maxName/2-1) {
		t.Errorf("%d bytes, valid %v", len(name), utf8.ValidString(name))
	}
}

// A large file that is nearly all tags is refused, because parsing it would take many times its size.
func TestDense(t *testing.T) {
	const small, limit = 1 << 20, 300_000
	marks := func(mark string, n int, more string) string {
		return strings.Repeat(mark, n) + strings.Repeat(" ", small) + more
	}
	type source struct {
		text string
		want error
	}
	sources := []source{
		{strings.Repeat("# ", small/2), nil},
		{strings.Repeat("# ", small/2) + " ", ErrDense},
		{marks("# ", limit, "<tas"), nil},
		{marks("# ", limit, "<featur"), nil},
		{marks("# ", limit, "<task"), ErrDense},
		{marks("# ", limit, "</feature"), ErrDense},
		{marks("words and more words\n", limit+1, ""), nil},
		{strings.Repeat("<task><name>A</name></task>", limit/2+1), ErrDense},
	}
	for _, mark := range []string{"<task\n", "<TASK\n", "</task\n", "<feature\n", "</feature\n", "# ", "```\n", "~~~\n", "<!--\n"} {
		sources = append(sources, source{marks(mark, limit, ""), nil}, source{marks(mark, limit+1, ""), ErrDense})
	}
	if testing.Short() { // each is a file of megabytes
		sources = sources[:5]
	}
	for _, s := range sources {
		src := []byte(s.text)
		if err := Check(src); !errors.Is(err, s.want) {
			t.Errorf("%.12q, %d bytes: %v, want %v", src, len(src), err, s.want)
		}
		if tasks := len(Parse(src).Tasks); (tasks == 0) != (s.want != nil) {
			t.Errorf("%.12q, %d bytes: %d tasks", src, len(src), tasks)
		}
	}
}

// Reading a file that is cut off at any byte does not go past its end.
func TestTruncated(t *testing.T) {
	src := "<!-- Plan: p -->\n\n---\na: 1\n---\n<tasks a='b'><task type=\"auto\" status='x' tdd=true title=\"a\nb\"> <!-- a\n b --> `x`\n<name>A</name>\n" +
		"```go\n</task >\n```\n<!-- c --> </task></tasks>\n## Task 1: b\n<task/>\n<task a=\"b c='d'>\n</task\t> </tasks >\n~~~"
	for from := range src {
		for _, src := range []string{src[:from], src[from:]} {
			f := Parse([]byte(src)[:len(src):len(src)])
			for _, task := range f.Tasks {
				f.Name(task.Number)
				f.TestFirst(task.Number)
				if _, err := f.Children(task.Number); err != nil {
					t.Fatal(err)
				}
			}
			if Check([]byte(src)) == nil {
				_ = checkSessionLaws(t, f)
			}
		}
	}
}

func TestSplitLabel(t *testing.T) {
	t.Parallel()
	for name, want := range map[string]string{
		"Task 3: Add x": "3|Add x", "task 12:x": "12|x", "Task 3": "3|", "TASK 3 - Add": "3|Add", "Task 3. Add": "3|Add", "Task 3) Add": "3|Add", "Task  3 — Add": "3|Add", "Task 3 [BLOCKING]: Add": "3|[BLOCKING]: Add", "task 3 (TDD): Add": "3|(TDD): Add",
		"Task 2.1: Add": "2.1|Add", "Task 2.10.3 – Add": "2.10.3|Add", "Task 1a: Add": "1a|Add", "Task A: Add": "A|Add", "Task P1.2 — Add": "P1.2|Add",
		"Task T-01: Add": "T-01|Add", "T-01: Add": "T-01|Add", "T1: Add": "T1|Add", "P1.1 — Add": "P1.1|Add", "1.1: Add": "1.1|Add", "2b) Add": "2b|Add",
		// No label: a name's first words.
		"Add x": "|Add x", "Task: Add": "|Task: Add", "Task 3 of it: x": "|Task 3 of it: x", "Task three: x": "|Task three: x", "Task a: x": "|Task a: x", "A: x": "|A: x",
		"3: x": "|3: x", "2 tests: x": "|2 tests: x", "Step 3: x": "|Step 3: x", "Tasks 3: x": "|Tasks 3: x", "1.1 Add": "|1.1 Add", "OAuth2: x": "|OAuth2: x",
		"Task 3x9: x": "|Task 3x9: x", "Task 1.: x": "|Task 1.: x", "Task 1.2.: x": "|Task 1.2.: x", "Task -1: x": "|Task -1: x", "Task 3é: x": "|Task 3é: x", "": "|", "Task ": "|Task ", "P1.1": "|P1.1",
	} {
		label, rest := SplitLabel(name)
		if got := label + "|" + rest; got != want {
			t.Errorf("%q: %q, want %q", name, got, want)
		}
	}
}

func TestTitle(t *testing.T) {
	for name, want := range map[string]string{
		"Task 2: Add x":                  "Task 2: Add x", // its own number
		"Task 3: Add x":                  "Add x",
		"TASK 03 - Add x":                "Add x",
		"Task 3 [BLOCKING]: Add x":       "[BLOCKING]: Add x",
		"task 1) Add x":                  "Add x",
		"Task 1 — Add x":                 "Add x",
		"Task 3":                         "Task 2",
		"Task 3:":                        "Task 2",
		"Task 3 of 4":                    "Task 3 of 4",
		"Task 1.2: Add x":                "Task 1.2: Add x",
		"Task 3rd: Add x":                "Task 3rd: Add x",
		"Tasks 3: Add x":                 "Tasks 3: Add x",
		"Task 99999999999999999999: Add": "Task 99999999999999999999: Add",
	} {
		if got := Parse([]byte("<task/>\n<task><name>" + name + "</name></task>\n")).Title(2); got != want {
			t.Errorf("Title of %q is %q, want %q", name, got, want)
		}
	}
}
