package frontmatter

import (
	"fmt"
	"reflect"
	"slices"
	"strings"
	"testing"
)

// shown formats dependencies as the tables write them: text|reference.
func shown(deps []Dependency) string {
	var all []string
	for _, d := range deps {
		switch {
		case d.IsPhase:
			all = append(all, d.Text+"|phase "+d.Number.String())
		case !d.Number.IsZero():
			all = append(all, d.Text+"|"+d.Number.String())
		default:
			all = append(all, d.Text+"|"+d.Ref.String())
		}
	}
	return strings.Join(all, "; ")
}

func TestReadDependsOn(t *testing.T) {
	for _, c := range []struct{ value, want string }{
		// what real plans have
		{" []", ""},
		{"", ""},
		{` ["01-01"]`, "01-01|1-1"},
		{" [01-01, 01-02]", "01-01|1-1; 01-02|1-2"},
		{" [01-01,01-02] # both", "01-01|1-1; 01-02|1-2"},
		{"\n  - 02.1-03\n  - \"02.1-04\" # why", "02.1-03|2.1-3; 02.1-04|2.1-4"},
		{"\n  - Phase 67", "Phase 67|phase 67"},
		{" 01", "01|1"},
		{"\n  - 01", "01|1"},
		{" [1, 2]", "1|1; 2|2"},
		// forms of the same
		{" 03-01", "03-01|3-1"},
		{" 01-01, 01-02", "01-01|1-1; 01-02|1-2"},
		{"\n- 01-01\n\n- 01-02\nfiles_modified:\n- 09-09", "01-01|1-1; 01-02|1-2"},
		{" [\n  01-01,\n  01-02\n]", "01-01|1-1; 01-02|1-2"},
		{" [\n\"01-01\",\n\"01-02\"\n]\n\"wave\": 1", "01-01|1-1; 01-02|1-2"},
		{" 02.10", "02.10|2.10"},
		{" [phase-61, phase_0, Phase61]", "phase-61|phase 61; phase_0|phase 0; Phase61|phase 61"},
		{" ABC-03-01", "ABC-03-01|3-1"},
		{" 02-01-03", "02-01-03|2-1-3"},
		// the names of files
		{" [03-01-PLAN.md, 03-01-PLAN]", "03-01-PLAN.md|3-1; 03-01-PLAN|3-1"},
		{" 03-01-SUMMARY.md", "03-01-SUMMARY.md|3-1"},
		{" 03-01-auth", "03-01-auth|3-1-AUTH"},
		{" [11-fix-auth-PLAN.md, 01-A]", "11-fix-auth-PLAN.md|11-FIX-AUTH; 01-A|1-A"},
		{" 3-PLAN-01-setup.md", "3-PLAN-01-setup.md|3-1"},
		{" .planning/phases/03-x/03-01-PLAN.md", ".planning/phases/03-x/03-01-PLAN.md|3-1"},
		{" PLAN-03", "PLAN-03|3"},
		{" 03-01 (schema)", "03-01 (schema)|3-1"},
		// not understood
		{" [none, N/A, null, ~, auth, {{ deps }}, *all, '#12', quick/001]", ""},
		{" .planning/quick/001-fix/001-PLAN.md", ""},
		{" the schema must be there", ""},
		{" Phase three", ""},
		// broken
		{" [01-01, 01-02", "01-01|1-1; 01-02|1-2"},
		{" [\"01-01, 01-02]", "01-01|1-1; 01-02|1-2"},
		{"\n\t- 01-01\n\t- 01-02 # 09-09", "01-01|1-1; 01-02|1-2"},
		{"[01-01]", "01-01|1-1"},
		{" [\x00 01-01]", "01-01|1-1"},
	} {
		t.Run(c.value, func(t *testing.T) {
			m := Read([]byte("---\ndepends_on:" + c.value + "\n---\n\nSee 08-08.\n"))
			if got := shown(m.DependsOn); got != c.want {
				t.Errorf("got  %s\nwant %s", got, c.want)
			}
		})
	}
}

func TestReadMore(t *testing.T) {
	m := Read([]byte(metaSample))
	if !slices.Equal(m.Files, []string{"internal/store/store.go", "internal/store/store_test.go"}) || m.Manual || m.Gaps {
		t.Errorf("%+v", m)
	}
	m = Read([]byte("---\nautonomous: false\ngap_closure: true\nfiles_modified: [a.go, 'b.go']\n---\n"))
	if !slices.Equal(m.Files, []string{"a.go", "b.go"}) || !m.Manual || !m.Gaps {
		t.Errorf("%+v", m)
	}
	m = Read([]byte("---\nfiles_modified: [app/[id]/page.tsx, \"app/[...all]\", [x.go], y[1]]\n---\n"))
	if !slices.Equal(m.Files, []string{"app/[id]/page.tsx", "app/[...all]", "x.go", "y[1]"}) {
		t.Errorf("brackets in paths: %q", m.Files)
	}
	m = Read([]byte("---\nfiles_modified:\n  - app/[id]/page.tsx # the page\n  - b.go\n---\n"))
	if !slices.Equal(m.Files, []string{"app/[id]/page.tsx", "b.go"}) {
		t.Errorf("brackets in the paths of lines: %q", m.Files)
	}
	m = Read([]byte("---\nfiles_modified:" + strings.Repeat("\n - a.go", maxValue/8+1) + "\n---\n"))
	if len(m.Files) != maxValue/8 {
		t.Errorf("%d files of a value that is too long", len(m.Files))
	}
}

func TestReadWave(t *testing.T) {
	for value, want := range map[string]int{
		"1": 1, `"2"`: 2, "'3' # three": 3, "0": 0, "00": 0, "010": 10, "Wave 2": 2, "wave-3": 3, "2a": 2, "2.0": 2,
		"1 (parallel with 2)": 1, "\n  4": 4, "2, 3": 2, "1\r": 1,
		"": -1, "none": -1, "~": -1, "-1": -1, "one": -1, "1st": -1, "0x10": -1, "1234567": -1, "{{ n }}": -1, "# 1": -1, "\"": -1,
	} {
		m := Read([]byte("---\nphase: 03-x\nwave: " + value + "\n---\n"))
		got := m.Wave
		if !m.HasWave {
			got = -1
		}
		if got != want {
			t.Errorf("wave: %s is %d, want %d", value, got, want)
		}
	}
}

func TestReadStatus(t *testing.T) {
	for value, want := range map[string]string{
		"superseded": "superseded", "Halted": "halted", `"blocked"`: "blocked", " complete  # by design": "complete", "superseded\t# by 03": "superseded",
		"halted#nospace": "halted#nospace", "": "", "\n  nested: 1": "nested: 1",
	} {
		if got := Read([]byte("---\nphase: 03-x\nstatus: " + value + "\n---\nstatus: other\n")).Status; got != want {
			t.Errorf("status: %s is %q, want %q", value, got, want)
		}
	}
	if got := Read([]byte("---\nx: 1\nmilestone: \"v1.2\" # the second\nmilestone_name: Base\n---\n")).Milestone; got != "v1.2" {
		t.Errorf("the milestone is %q", got)
	}
	if got := Read([]byte("---\nmilestone:\n  version: v1.2\n---\n")).Milestone; got != "" {
		t.Errorf("the milestone is %q of a map", got)
	}
	if got := Read([]byte("---\nx:\n  status: halted\n---\n")).Status; got != "" {
		t.Errorf("the status of something else is %q", got)
	}
}

// Only the front matter is read, and if it is broken nothing well-formed in it is lost.
func TestReadBlock(t *testing.T) {
	const both = "2 01-01|1-1"
	for _, c := range []struct{ name, src, want string }{
		{"plain", "---\nphase: 1\nwave: 2\ndepends_on: [01-01]\n---\n", both},
		{"byte order mark", "\ufeff---\nphase: 1\nwave: 2\ndepends_on: [01-01]\n---\n", both},
		{"trailing blanks", "--- \t\nphase: 1\nwave: 2\ndepends_on: [01-01]\n--- \n", both},
		{"document end", "---\nphase: 1\nwave: 2\ndepends_on: [01-01]\n...\nwave: 3\n", both},
		{"not at the first byte", "\n---\nphase: 1\nwave: 2\ndepends_on: [01-01]\n---\n", "-"},
		{"a longer rule", "----\nphase: 1\nwave: 2\n----\n", "-"},
		{"the first block alone", "---\nphase: 1\nwave: 2\ndepends_on: [01-01]\n---\n\n---\nwave: 3\ndepends_on: []\n---\n", both},
		{"indented keys are others'", "---\nx:\n  wave: 1\n\twave: 1\n---\n", "-"},
		{"other spellings", "---\n# order\n\"wave\" : 2\nDepends-On: [01-01]\n---\n", both},
		{"camel case", "---\n\nwave:2\ndependsOn: [01-01]\n---\n", both},
		{"other keys", "---\nwave_count: 9\nwaves: 9\nmy_depends_on: [02-02]\n- wave: 1\n---\n", "-"},
		{"of two the last, as upstream", "---\nwave: 1\nwave: 2\ndepends_on: [01-01]\ndepends_on:\n---\n", "2 "},
		{"of two the last understood", "---\nphase: 1\nwave: 2\nwave: {{ n }}\ndepends_on: []\n---\n", "2 "},
		{"quote, colon and tab elsewhere", "---\ntitle: \"a\nwave: 2\ndepends_on: [01-01]\nnote: a: b: c\n\tmust_haves: [\n---\n", both},
		{"merge conflict", "---\n>>>>>>> theirs\nwave: 2\ndepends_on: [01-01]\n=======\n---\n", both},
		{"no end line", "---\nphase: 1\nwave: 2\ndepends_on: [01-01]\n\n# Plan\nwave: 3\n", both},
		{"no end line before a tag", "---\nphase: 1\nwave: 2\ndepends_on: [01-01]\n<objective>\nwave: 3\n---\n", both},
		{"no end of the last line", "---\nphase: 1\nwave: 2\ndepends_on: [01-01]", both},
		{"unclosed list", "---\nphase: 1\nwave: 2\ndepends_on: [01-01\nfiles_modified: [09-09]\n---\n", both},
		{"a folded text", "---\nphase: 1\nwave: 2\ndepends_on: >-\n  01-01\nnote: >\n  wave: 3\n---\n", both},
		{"line breaks of yaml alone", "---\nnote: a\u2028b\u0085c\rd\nwave: 2\ndepends_on: [01-01]\n---\n", both},
		{"80 kB before the wave", "---\nphase: 1\nmust_haves:\n" + strings.Repeat("  - a truth\n", 80_000/12) + "\nwave: 2\ndepends_on: [01-01]\n---\n", both},
		{"too long", "---\nphase: 1\nwave: 2\ndepends_on: [01-01]\n\n" + strings.Repeat("x: y\n", MaxSize) + "---\n", both},
		{"nothing", "", "-"},
		{"only the first line", "---", "-"},
	} {
		t.Run(c.name, func(t *testing.T) {
			m := Read([]byte(c.src))
			got := "-"
			if m.HasWave || len(m.DependsOn) > 0 {
				got = fmt.Sprintf("%d %s", m.Wave, shown(m.DependsOn))
			}
			if got != c.want {
				t.Errorf("got %q, want %q", got, c.want)
			}
			crlf := Read([]byte(strings.ReplaceAll(c.src, "\n", "\r\n")))
			if c.name != "too long" && !reflect.DeepEqual(m, crlf) {
				t.Errorf("with CRLF %+v, want %+v", crlf, m)
			}
		})
	}
}

const metaSample = `---
phase: 03-storage
plan: 02
type: execute
wave: 2
depends_on: ["03-01", "02-03"]
files_modified:
  - internal/store/store.go
  - internal/store/store_test.go
autonomous: true
requirements: [STORE-01, STORE-02]

must_haves:
  truths:
    - "A record that was written is read again after a restart"
    - "Two writers do not lose a record"
    - "An old file is read: its version is told"
  artifacts:
    - path: "internal/store/store.go"
      provides: "Open, Put, Get"
      min_lines: 80
  key_links:
    - from: "cmd/app/main.go"
      to: "internal/store/store.go"
      via: "store.Open"
---

<objective>
Keep the records.
</objective>
`

func TestItems(t *testing.T) {
	for front, want := range map[string]string{
		"requirements: [A-01, \"b c\"]": "A-01|b c", "Requirements:\n  - A-01 # one\n  - 'B'\nwave: 1": "A-01|B", "requirements: A-01, B": "A-01|B",
		"requirements: []": "", "wave: 1": "", "requirements: [A]\nrequirements: [B]": "B", "must_haves:\n  requirements: [A]": "",
	} {
		if got := strings.Join(Items([]byte("---\n"+front+"\n---\n"), "requirements"), "|"); got != want {
			t.Errorf("%q: %s, want %s", front, got, want)
		}
	}
}

func TestLine(t *testing.T) {
	t.Parallel()
	src := []byte("\xef\xbb\xbf---\r\nwave: 1\r\ndepends-on: []\r\ndependsOn:\r\n  - 01-01\r\n---\r\nautonomous: true\r\n")
	for key, want := range map[string]int{"wave": 2, "depends_on": 4, "autonomous": 0, "files_modified": 0} {
		if got := Line(src, key); got != want {
			t.Errorf("%s is on line %d, want %d", key, got, want)
		}
	}
	if got := Line([]byte("wave: 1\n"), "wave"); got != 0 {
		t.Errorf("a file without front matter has a line %d", got)
	}
}

func TestFaults(t *testing.T) {
	t.Parallel()
	for _, test := range []struct{ text, want string }{
		{"wave: 2\ndepends_on: [01-01]\nfiles_modified:\n  - a\n---\n", ""},
		{"wave: Wave 2\ndepends_on: []\nmust_haves: [\n---\n", ""},
		{"wave:\ndepends_on:\n---\n", ""},
		{"depends_on: [\n  01-01,\n  01-02\n]\n---\n", ""},
		{"wave: soon\nwave: 1\n---\n", ""},
		{"wave: [\n---\n", "2: the wave is not a number: ["},
		{"phase: 1\nwave: soon # \n---\n", "3: the wave is not a number: soon"},
		{"depends_on: [01-01\nwave: 1\n---\n", "2: a list begins with [ and has no ]"},
		{"files-modified:\n  [\n  a,\n---\n", "2: a list begins with [ and has no ]"},
		{"phase: 1\nwave: 1\n\n# Text\n", "4: the front matter has no line --- at its end"},
		{"wave: 1\n<task>\n", "3: the front matter has no line --- at its end"},
		{"A rule, then text: of any kind\n", ""},
	} {
		var got []string
		for _, f := range Faults([]byte("---\n" + test.text)) {
			got = append(got, fmt.Sprintf("%d: %s", f.Line, f.Detail))
		}
		if strings.Join(got, "\n") != test.want {
			t.Errorf("%q: %q, want %q", test.text, got, test.want)
		}
	}
}
