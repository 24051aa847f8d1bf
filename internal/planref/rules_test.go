package planref

import (
	"fmt"
	"strings"
	"testing"
)

func TestCutNumber(t *testing.T) {
	for s, want := range map[string]string{
		"2":       "2|",
		"2-3":     "2|-3",
		"2. x":    "2|. x",
		"2.":      "2|.",
		"2 x":     "2| x",
		"A1":      "A1|",
		"Z1":      "Z1|",
		"2a":      "2a|",
		"2Z.1z x": "2Z.1z| x",
		"2z":      "2z|",
		"@1":      "none",
		"[1":      "none",
		"a1":      "none",
		"A":       "none",
		"2.x":     "none",
		"2ab":     "none",
		"2_":      "none",
		"2._":     "none",
		"AB-2-1":  "2|-1",
		"AB_2-2":  "2|",
		"A_2-2":   "none", // one letter is no project's code
		"AB@-2":   "none",
		"AB[-2":   "none",
		"AB-":     "none",
		"AB-x":    "none",
		"AB-B7-1": "B7|-1",
		"AB-b7":   "none",
		"AB-BC":   "none",
		"-2":      "none",

		strings.Repeat("9", 64):        strings.Repeat("9", 64) + "|",
		strings.Repeat("9", 65):        "none",
		strings.Repeat("A", 31) + "-2": "2|",
		strings.Repeat("A", 32) + "-2": "none",
	} {
		n, rest, ok := CutNumber(s)
		got := n.String() + "|" + rest
		if !ok {
			got = "none"
		}
		if got != want {
			t.Errorf("%q: %s, want %s", s, got, want)
		}
	}
}

func TestCutCustom(t *testing.T) {
	for s, want := range map[string]string{
		"AUTH": "AUTH|", "AUTH: x": "AUTH|: x", "AUTH-x": "AUTH|-x", "WEB_2-x": "WEB_2|-x", "A2": "none", "A": "none", "AZ": "AZ|",
		"AUTH-01": "none", "AUTH-B7": "none", "AUTH x": "none", "Auth": "none", "2A": "none", "A-x": "none", "AUTH.x": "none", "": "none",
		strings.Repeat("A", 31): strings.Repeat("A", 31) + "|", strings.Repeat("A", 32): "none",
	} {
		n, rest, ok := CutCustom(s)
		got := n.String() + "|" + rest
		if !ok {
			got = "none"
		}
		if got != want {
			t.Errorf("%q: %s, want %s", s, got, want)
		}
	}
}

func TestCutPhase(t *testing.T) {
	for s, want := range map[string]string{
		"2": "2|", "2-02: Core": "2-2|: Core", "2-10": "2|-10", "2-2": "2|-2", "2-002": "2|-002", "2-0": "2|-0", "2-02x y": "2-2x| y", "x": "|",
	} {
		n, rest, _ := CutPhase(s)
		if got := n.String() + "|" + rest; got != want && !(want == "|" && n.IsZero()) {
			t.Errorf("%q: %s, want %s", s, got, want)
		}
	}
}

// What a number says of its phase: whether upstream never counts it, and its padded form.
func TestNumberKinds(t *testing.T) {
	for s, want := range map[string]string{
		"0": "sentinel 00", "0.1": "sentinel 00.1", "999": "sentinel 999", "999.2": "sentinel 999.2",
		"1": "01", "10.1": "10.1", "99": "99", "9990": "9990", "3A": "03A", "12b.1": "12b.1", "B7": "B7",
	} {
		n := num(t, s)
		got := n.Padded()
		if n.IsSentinel() {
			got = "sentinel " + got
		}
		if got != want {
			t.Errorf("%s: %s, want %s", s, got, want)
		}
	}
}

func TestCutDirRules(t *testing.T) {
	for _, test := range []struct{ dir, file, want string }{
		{"03-auth", "", "3 auth"},
		{"03", "", "3 "},
		{"GSD.02-05-core", "", "5 core"},
		{"AZ.2-05", "", "5 "},
		{"AUTH-login", "", "AUTH login"},
		{"AUTH", "", "AUTH "},
		{"AUTH-01-login", "", "1 login"},
		{"GSD-B7-login", "", "B7 login"},
		{"gsd.02-05-core", "", "none"},
		{".02-05", "", "none"},
		{"G.-05", "", "none"},
		{"G.x-05", "", "none"},
		{"02-02-core", "", "2-2 core"},
		{"02-02", "", "2-2 "},
		{"02-002-core", "", "2 002-core"},
		{"02-02x-core", "", "2 02x-core"},
		{"02-02_x", "", "2 02_x"},
		{"02.1-02-core", "", "2.1 02-core"},
		{"02-10-core", "", "2 10-core"},
		{"02-10-core", "02-10-01-PLAN.md", "2-10 core"},
		{"02-10-core", "02-11-01-PLAN.md", "2 10-core"},
		{"02-10-core", "02-10-PLAN.md", "2 10-core"},
		{"02-10-core", "02-10-x-PLAN.md", "2 10-core"},
		{"03_auth", "", "none"},
		{"auth", "", "none"},
	} {
		n, slug, ok := CutDirOf("phases/" + test.dir + "/" + test.file)
		if test.file == "" {
			n, slug, ok = CutDir(test.dir)
		}
		got := n.String() + " " + slug
		if !ok {
			got = "none"
		}
		if got != test.want {
			t.Errorf("%s with %q: %s, want %s", test.dir, test.file, got, test.want)
		}
	}
}

func TestIsOther(t *testing.T) {
	for _, name := range []string{"ROADMAP.md", "state.md", "03-CONTEXT.md", "03-x-VERIFICATION.MD", "SUMMARY.md", "03-01-SUMMARY.md"} {
		if !IsOther(name) {
			t.Errorf("%s may be a plan", name)
		}
	}
	for _, name := range []string{"03-01-PLAN.md", "03-ROADMAP.md", "ROADMAP.txt", "README.md", "CONTEXTS.md", "03-CONTEXT-x.md", ""} {
		if IsOther(name) {
			t.Errorf("%s is known to be something else", name)
		}
	}
}

func TestDerivedFiles(t *testing.T) {
	for name, want := range map[string]bool{
		"5-PLAN-01.pre-bounce.md": false, "5-PLAN-01-OUTLINE.md": false, "5-PLAN-01-plan-review.md": false,
		"5-PLAN-DELTA-2026-05-05.md": true, "PLAN-DELTA-2026.md": false, "5-PLAN-DELTA.md": false, "PLAN-01.md": true, "PLAN-x.md": false,
		"5-PLAN-01-outlines.md": true, "5-PLANS-01.md": false, "5-XPLAN-01.md": false,
	} {
		if got := IsPlan(name); got != want {
			t.Errorf("%s: %v", name, got)
		}
	}
}

func TestSummaryName(t *testing.T) {
	for plan, want := range map[string]string{
		"PLAN.md": "SUMMARY.md", "a/03-01-PLAN.md": "03-01-SUMMARY.md", "PLAN-01-x.md": "SUMMARY-01-x.md", "3-PLAN-01-x.md": "3-PLAN-01-x-SUMMARY.md",
		"03-01-SUMMARY.md": "", "README.md": "",
	} {
		if got, ok := SummaryName(plan); got != want || ok != (want != "") {
			t.Errorf("%s: %q, %v", plan, got, ok)
		}
	}
	// Of several summaries of one plan the first by name.
	if got, _ := SummaryOf("03-01-PLAN.md", []string{"03-01-b-SUMMARY.md", "03-01-a-SUMMARY.md", "03-01-c-SUMMARY.md"}); got != "03-01-a-SUMMARY.md" {
		t.Error(got)
	}
}

func TestSubjectBounds(t *testing.T) {
	long := strings.Repeat("x", maxSubject-len("feat: "))
	for n, want := range map[string]int{long: len(long), long + "y": len(long), long[1:] + "ä": len(long) - 1} {
		if got := ParseSubject("feat: " + n); len(got.Text) != want {
			t.Errorf("%d bytes become %d, want %d", len(n), len(got.Text), want)
		}
	}
	var scope []string
	for i := range maxPlans + 1 {
		scope = append(scope, fmt.Sprintf("3-%d", i+1))
	}
	if got := len(ParseSubject("feat(" + strings.Join(scope, ",") + "): x").Plans); got != maxPlans {
		t.Errorf("%d plans of one line", got)
	}
	for line, want := range map[string]string{
		`Revert "x"`: "x", `Revert "x" (#12)`: "x", `Revert "say "x""`: `say "x"`, `Revert ""`: "", `Revert "`: "", `Revert x`: "",
		`Reapply "x"`: `Revert "x"`, `Reapply "x" (#12)`: `Revert "x"`, `Reapply ""`: "", `Reapply "`: "",
	} {
		if got := ParseSubject(line).Reverts; got != want {
			t.Errorf("%s takes back %q, want %q", line, got, want)
		}
	}
}

// Where a pair of numbers in prose is a plan.
func TestProse(t *testing.T) {
	for text, want := range map[string]string{
		"A-03-01": "[3-1]", "x 03-01-02": "", "x 03-01-": "[3-1]", "x 03-01-a": "[3-1]", "x3-01": "", "x.03-01": "", "x-03-01": "", "@03-01": "[3-1]", "AB-3-01": "[3-1]", "[03-01": "[3-1]",
		"Z7-01": "[Z7-1]", "A7-01": "[A7-1]", "plan 3-1": "[3-1]", "the plans: 3-1 and 3-2": "[3-1 3-2]", "plan 3-1, then 3-2": "[3-1]", "explan 3-1": "", "pages 3-1, 3-2": "", "10-12": "", "10-02": "[10-2]",
		"03-01 3-2": "[3-1]", "3-1 03-02": "[3-2]", "03-01, 3-2": "[3-1 3-2]", "0-1": "[0-1]",
	} {
		got := ""
		if s := ParseSubject(text); len(s.Plans) > 0 {
			got = fmt.Sprint(s.Plans)
		}
		if got != want {
			t.Errorf("%q: %s, want %s", text, got, want)
		}
	}
	for scope, want := range map[string]string{"3": "3", "3-x": "3", "3x y": "3x", "3:x": "", "phase-": "", "phases": "", "phase3": "3", "03-01,4": ""} {
		if got := ParseSubject("a(" + scope + "): b").Phase.String(); got != want {
			t.Errorf("scope %s: phase %q, want %q", scope, got, want)
		}
	}
}
