package planref

import (
	"fmt"
	"strings"
	"testing"
	"unicode/utf8"
)

// text shows what a subject says: type, plans or phase, and text.
func (s Subject) text() string {
	var plans []string
	for _, ref := range s.Plans {
		plans = append(plans, ref.String())
	}
	if !s.Phase.IsZero() {
		plans = append(plans, s.Phase.String())
	}
	names := strings.Join(plans, " ")
	if s.Scoped {
		names = "(" + names + ")"
	}
	return strings.TrimSpace(fmt.Sprintf("%s %s: %s", s.Type, names, s.Text))
}

func TestParseSubject(t *testing.T) {
	for line, want := range map[string]string{
		// scopes
		"feat(03-02): add the queue":     "feat (3-2): add the queue",
		"Feat(3-2)!: add":                "feat (3-2): add",
		"fix(02.1-03): a":                "fix (2.1-3): a",
		"fix(3A-01b): a":                 "fix (3A-1B): a",
		"feat(ABC-03-01): a":             "feat (3-1): a",
		"feat(02-02-01): in a milestone": "feat (2-2-1): in a milestone",
		"docs(03-01, 03-02): a":          "docs (3-1 3-2): a",
		"docs(06.1-01,02): a":            "docs (6.1-1 6.1-2): a",
		"docs(03-01/02): a":              "docs (3-1 3-2): a",
		"docs(03-01+04-01): a":           "docs (3-1 4-1): a",
		"docs(03-01, 03-01): once":       "docs (3-1): once",
		"docs(phase-03): a":              "docs 3: a",
		"docs(phase 03): a":              "docs 3: a",
		"docs(Phase-02.1): a":            "docs 2.1: a",
		"docs(03): a":                    "docs 3: a",
		"docs(03-foundation): a":         "docs 3: a",
		"docs(03,04): the first":         "docs 3: the first",
		"docs(B7-01): a":                 "docs (B7-1): a",
		"docs(quick-001): a":             "docs (QUICK-1): a",
		"docs(quick-260322-14r): a":      "docs (QUICK-260322-14R): a",
		"docs(#125): a":                  "docs : a",
		"feat(1.2.3-4): a":               "feat (1.2.3-4): a",
		"feat(queue): a":                 "feat : a",
		"feat: a":                        "feat : a",
		"feat(03-02):a":                  "feat (3-2): a",
		"feat(03-02) a":                  "3-2: feat(03-02) a", // no conventional commit
		"feat(03-02: a":                  "3-2: feat(03-02: a",
		"feat(03-02): after 03-01":       "feat (3-2): after 03-01",
		// prose
		"feat(queue): what 03-02 asks for":    "feat 3-2: what 03-02 asks for",
		"03-02":                               "3-2: 03-02",
		"execute plans 3-1, 3-2":              "3-1 3-2: execute plans 3-1, 3-2",
		"plans 3-1, 3-2 and 3-3, in 2-3 days": "3-1 3-2 3-3: plans 3-1, 3-2 and 3-3, in 2-3 days",
		"merge 03-01/03-02":                   "3-1 3-2: merge 03-01/03-02",
		"create 03-02-PLAN.md":                "3-2: create 03-02-PLAN.md",
		"done with 3-02.":                     "3-2: done with 3-02.",
		"äöü 03-02":                           "3-2: äöü 03-02",
		"fix: wait 2-3 seconds":               "fix : wait 2-3 seconds",
		"room for 10-20 users":                ": room for 10-20 users",
		"on 2026-03-06":                       ": on 2026-03-06",
		"on 06-03-2026":                       ": on 06-03-2026",
		"v1.2-03 is out":                      ": v1.2-03 is out",
		"x03-02":                              ": x03-02",
		"a-03-02":                             ": a-03-02",
		"03-2nd":                              ": 03-2nd",
		"03-02_x":                             ": 03-02_x",
		"explan 3-2":                          ": explan 3-2",
		"03 - 02":                             ": 03 - 02",
		"03-":                                 ": 03-",
		"-":                                   ": -",
		"":                                    ":",
		"(3-1) x":                             ": (3-1) x",
	} {
		if got := ParseSubject(line).text(); got != want {
			t.Errorf("%q: %q, want %q", line, got, want)
		}
	}
	if s := ParseSubject("feat(03-01): " + strings.Repeat("ä", maxSubject)); len(s.Text) > maxSubject || !utf8.ValidString(s.Text) {
		t.Errorf("%d bytes of a long line", len(s.Text))
	}
	if s := ParseSubject("docs(" + strings.Repeat("03-01,", 10) + strings.Repeat("1-1 ", 10) + "): x"); len(s.Plans) != 2 {
		t.Errorf("plans named twice: %v", s.Plans)
	}
	var many strings.Builder
	for i := range 2 * maxPlans {
		fmt.Fprintf(&many, "03-%02d ", i)
	}
	if s := ParseSubject("plans " + many.String()); len(s.Plans) != maxPlans {
		t.Errorf("%d plans of one line, want %d", len(s.Plans), maxPlans)
	}
}

func TestReverts(t *testing.T) {
	for line, want := range map[string]string{
		`Revert "feat(03-01): a"`:            `feat(03-01): a`,
		`Revert "feat(03-01): a" (#12)`:      `feat(03-01): a`,
		`Revert "Revert "feat(03-01): a""`:   `Revert "feat(03-01): a"`,
		`Revert "say "hi" twice"`:            `say "hi" twice`,
		`Reapply "feat(03-01): a"`:           `Revert "feat(03-01): a"`,
		`revert "feat(03-01): a"`:            "", // not git's words
		`Revert "feat(03-01): a`:             "",
		`Revert ""`:                          "",
		`Reapply ""`:                         "",
		`fix(03-01): revert to the old form`: "",
	} {
		if got := ParseSubject(line).Reverts; got != want {
			t.Errorf("%s takes back %q, want %q", line, got, want)
		}
	}
}

func TestCloses(t *testing.T) {
	for subject, want := range map[string]bool{
		"docs(03-02): complete queue plan": true,
		"docs(03-02): Complete":            true,
		"docs(03-02): COMPLETED":           true,
		"docs(03-02): complete summary":    true,
		"docs(03-02): complete the plans":  true,
		"docs(03-02): add summary":         false,
		"docs(03-02): completed research":  false,
		"docs(03-02): completeness":        false,
		"feat(03-02): complete the plan":   false,
		"docs(03-02) complete":             false,
		"":                                 false,
	} {
		if got := ParseSubject(subject).Closes(); got != want {
			t.Errorf("%q closes: %v, want %v", subject, got, want)
		}
	}
	for subject, want := range map[string]bool{"docs: a": true, "chore(x): a": true, "wip: a": true, "feat: a": false, "docs": false} {
		if got := ParseSubject(subject).Writes(); got != want {
			t.Errorf("%q writes about work: %v, want %v", subject, got, want)
		}
	}
}

func TestParseID(t *testing.T) {
	for id, want := range map[string]string{
		"03-01": "3-1 3", "3-1": "3-1 3", "02.1-03": "2.1-3 2.1", "ABC-03-01": "3-1 3", "02-01-03": "2-1-3 2-1", "03": "- 3",
		"quick/001": "QUICK-1 ", "quick/260322-14r": "QUICK-260322-14R ",
		"": "- ", "03-01-PLAN.md": "- ", "../03-01": "- ", "03-": "- ", "x": "- ", "quick/": "- ", "quick/x": "- ",
	} {
		if ref, phase := ParseID(id); ref.String()+" "+phase.String() != want {
			t.Errorf("%q is %s %s, want %s", id, ref, phase, want)
		}
	}
	for _, same := range [][2]string{{"03-01", "3-1"}, {"03", "3"}, {"quick/001", "quick/1"}, {"12a-1", "12A-01"}, {"AUTH-01", "AUTH-1"}, {"AUTH", "AUTH"}} {
		if !SameID(same[0], same[1]) {
			t.Errorf("%s is not %s", same[0], same[1])
		}
	}
	for _, other := range [][2]string{
		{"03-01", "03-010"},
		{"03", "03-01"},
		{"", ""},
		{"x", "x"},
		{"quick/1", "1"},
		{"3", "4"},
		{"AUTH-01", "1"},
		{"AUTH-01", "API-01"},
		{"AUTH-01", "AUTH-02"},
		{"AUTH-x", "AUTH"},
		{"AUTH", "AUTH-x"},
		{"AUTH-01", "AUTH"},
	} {
		if SameID(other[0], other[1]) {
			t.Errorf("%q is %q", other[0], other[1])
		}
	}
}

func TestCutDir(t *testing.T) {
	for dir, want := range map[string]string{
		"03-auth": "3 auth", "02.1-fix": "2.1 fix", "03": "3 ", "ABC-04-api": "4 api", "12A-ui": "12A ui", "B7-x": "B7 x",
		"02-02-core": "2-2 core", "02-02": "2-2 ", "GSD.02-05-slug": "5 slug", "14-2026-photos": "14 2026-photos", "46-6-rs": "46 6-rs",
		"02.1-02-x": "2.1 02-x", "05-80-20-rule": "5 80-20-rule", "02-14r-x": "2 14r-x",
		"auth": "none", "2nd-try": "none", "": "none", "3.x": "none",
	} {
		n, slug, ok := CutDir(dir)
		got := n.String() + " " + slug
		if !ok {
			got = "none"
		}
		if got != want {
			t.Errorf("%q is %q, want %q", dir, got, want)
		}
	}
}

func TestCutDirOf(t *testing.T) {
	for file, want := range map[string]string{
		"02-10-core/02-10-01-PLAN.md": "2-10 core", "02-01-core/PLAN.md": "2-1 core", "05-80-20-rule/05-01-PLAN.md": "5 80-20-rule",
		"02-10-core/02-10-PLAN.md": "2 10-core", "02-10-core/02-11-01-PLAN.md": "2 10-core", "02-10-core/notes.md": "2 10-core",
	} {
		if n, slug, ok := CutDirOf(file); !ok || n.String()+" "+slug != want {
			t.Errorf("%s is %s %s, want %s", file, n, slug, want)
		}
		if n, _ := PhaseOfPlan("phases/" + file); strings.HasSuffix(file, "PLAN.md") && n.String() != want[:strings.Index(want, " ")] {
			t.Errorf("the phase of %s is %s", file, n)
		}
	}
	for text, want := range map[string]string{"2-02: Core": "2-2|: Core", "2-10: x": "2|-10: x", "3-4": "3|-4", "12": "12|", "2-020": "2|-020", "2-02x": "2-2x|"} {
		if n, rest, ok := CutPhase(text); !ok || n.String()+"|"+rest != want {
			t.Errorf("%s is %s|%s, want %s", text, n, rest, want)
		}
	}
}

// FuzzSubject: any line is read, its text is valid and no longer than it was, and what it names can be named.
func FuzzSubject(f *testing.F) {
	for _, s := range []string{"feat(03-01): x", `Revert "feat(03-01): x"`, "plans 3-1, 3-2", "docs(quick-1): a", "é(03-01): x", "docs(02-02-01,03): x"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, line string) {
		s := ParseSubject(line)
		if len(s.Text) > len(line) || utf8.ValidString(line) && !utf8.ValidString(s.Text) {
			t.Fatalf("%q became %q", line, s.Text)
		}
		if len(s.Plans) > maxPlans || s.Scoped && len(s.Plans) == 0 || len(s.Plans) > 0 && !s.Phase.IsZero() {
			t.Fatalf("%q: %+v", line, s)
		}
		for _, ref := range s.Plans {
			if again := ParseSubject("feat(" + ref.String() + "): x"); ref.PhaseKey() != "QUICK" && (len(again.Plans) != 1 || again.Plans[0] != ref) {
				t.Fatalf("%q names %s, which is read as %v", line, ref, again.Plans)
			}
		}
	})
}
