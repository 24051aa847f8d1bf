package planref

import (
	"fmt"
	"strings"
	"testing"
	"unicode/utf8"
)

// text formats a subject: type, plans or phase, and text.
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
	} else if s.Led {
		names = "^" + names
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
		"feat(03-cli-01): a":             "feat (3-1): a",
		"feat(03-cli-v2-12, 13): a":      "feat (3-12 3-13): a",
		"feat(phase-02.1-web-ui-02): a":  "feat (2.1-2): a",
		"fix(03-oauth-2): a":             "fix 3: a", // the slug's own number
		"fix(03-http-100): a":            "fix 3: a",
		"fix(cli-01): a":                 "fix : a",
		"docs(B7-01): a":                 "docs (B7-1): a",
		"docs(quick-001): a":             "docs (QUICK-1): a",
		"docs(quick-260322-14r): a":      "docs (QUICK-260322-14R): a",
		"docs(#125): a":                  "docs : a",
		"feat(1.2.3-4): a":               "feat (1.2.3-4): a",
		"feat(queue): a":                 "feat : a",
		"feat: a":                        "feat : a",
		"feat(03-02):a":                  "feat (3-2): a",
		"feat(03-02) a":                  "3-2: feat(03-02) a", // not a conventional commit
		"feat(03-02: a":                  "3-2: feat(03-02: a",
		"feat(03-02): after 03-01":       "feat (3-2): after 03-01",
		// prose
		"feat(queue): what 03-02 asks for":    "feat 3-2: what 03-02 asks for",
		"03-02":                               "^3-2: 03-02",
		"feat(app): 03-02 the queue":          "feat ^3-2: 03-02 the queue",
		"Phase 3 Plan 03-02 Task 1: a":        "^3-2: Phase 3 Plan 03-02 Task 1: a",
		"[Plan 3-2] a":                        "^3-2: [Plan 3-2] a",
		"feat: plan 3-2, not 03-01":           "feat ^3-2 3-1: plan 3-2, not 03-01",
		"execute plans 3-1, 3-2":              "3-1 3-2: execute plans 3-1, 3-2",
		"plans 3-1, 3-2 and 3-3, in 2-3 days": "^3-1 3-2 3-3: plans 3-1, 3-2 and 3-3, in 2-3 days",
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
		if got := ParseSubject(line, nil).text(); got != want {
			t.Errorf("%q: %q, want %q", line, got, want)
		}
	}
}

func TestReverts(t *testing.T) {
	for line, want := range map[string]string{
		`Revert "feat(03-01): a"`:             `feat(03-01): a`,
		`Revert "feat(03-01): a" (#12)`:       `feat(03-01): a`,
		`Revert "Revert "feat(03-01): a""`:    `Revert "feat(03-01): a"`,
		`Revert "say "hi" twice"`:             `say "hi" twice`,
		`Reapply "feat(03-01): a"`:            `Revert "feat(03-01): a"`,
		`Reapply "x" (#12)`:                   `Revert "x"`,
		`revert "feat(03-01): a"`:             `feat(03-01): a`, // not git's words
		`fix(03-01): revert "feat(03-01): a"`: `feat(03-01): a`,
		`revert: feat(03-01): a`:              `feat(03-01): a`,
		`revert(03-01): a`:                    "a",
		`fix(03-01): revert to the old form`:  "",
		`Revert "feat(03-01): a`:              "",
		`Revert x`:                            "",
		`Revert ""`:                           "",
		`Reapply ""`:                          "",
		`Revert "`:                            "",
		`Reapply "`:                           "",
	} {
		if got := ParseSubject(line, nil).Reverts; got != want {
			t.Errorf("%s reverts %q, want %q", line, got, want)
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
		if got := ParseSubject(subject, nil).Closes(); got != want {
			t.Errorf("%q closes: %v, want %v", subject, got, want)
		}
	}
	for subject, want := range map[string]bool{"docs: a": true, "chore(x): a": true, "wip: a": true, "plan(01-02): create x": true, "feat: a": false, "docs": false} {
		if got := ParseSubject(subject, nil).IsBookkeeping(); got != want {
			t.Errorf("%q is bookkeeping: %v, want %v", subject, got, want)
		}
	}
}

func TestSubjectBounds(t *testing.T) {
	long := strings.Repeat("x", maxSubject-len("feat: "))
	for n, want := range map[string]int{long: len(long), long + "y": len(long), long[1:] + "ä": len(long) - 1} {
		if got := ParseSubject("feat: "+n, nil); len(got.Text) != want {
			t.Errorf("%d bytes become %d, want %d", len(n), len(got.Text), want)
		}
	}
	var scope []string
	for i := range maxPlans + 1 {
		scope = append(scope, fmt.Sprintf("3-%d", i+1))
	}
	if got := len(ParseSubject("feat("+strings.Join(scope, ",")+"): x", nil).Plans); got != maxPlans {
		t.Errorf("%d plans of one line", got)
	}
	if s := ParseSubject("docs(03-01,03-01,1-1 1-1): x", nil); len(s.Plans) != 2 {
		t.Errorf("plans named twice: %v", s.Plans)
	}
}

// want lists the plans in a text.
func TestProse(t *testing.T) {
	for text, want := range map[string]string{
		"A-03-01": "[3-1]", "x 03-01-02": "", "x 03-01-": "[3-1]", "x 03-01-a": "[3-1]", "x3-01": "", "x.03-01": "", "x-03-01": "", "@03-01": "[3-1]", "AB-3-01": "[3-1]", "[03-01": "[3-1]",
		"Z7-01": "[Z7-1]", "A7-01": "[A7-1]", "plan 3-1": "[3-1]", "the plans: 3-1 and 3-2": "[3-1 3-2]", "plan 3-1, then 3-2": "[3-1]", "explan 3-1": "", "pages 3-1, 3-2": "", "10-12": "", "10-02": "[10-2]",
		"03-01 3-2": "[3-1]", "3-1 03-02": "[3-2]", "03-01, 3-2": "[3-1 3-2]", "0-1": "[0-1]",
	} {
		got := ""
		if s := ParseSubject(text, nil); len(s.Plans) > 0 {
			got = fmt.Sprint(s.Plans)
		}
		if got != want {
			t.Errorf("%q: %s, want %s", text, got, want)
		}
	}
	for scope, want := range map[string]string{"3": "3", "3-x": "3", "3x y": "3x", "3:x": "", "phase-": "", "phases": "", "phase3": "3", "03-01,4": ""} {
		if got := ParseSubject("a("+scope+"): b", nil).Phase.String(); got != want {
			t.Errorf("scope %s: phase %q, want %q", scope, got, want)
		}
	}
}

// The plans that exist decide what a word after a number is.
func TestSubjectWords(t *testing.T) {
	dir := NewSiblings("p/phases/11-voice", num(t, "11"), []string{
		"11-01-PLAN.md", "11-02-auth-PLAN.md", "11-2-db-PLAN.md", "11-03-mail-PLAN.md", "11-fix-auth-PLAN.md", "11-fix-PLAN.md", "A-PLAN.md", "11-A-SUMMARY.md",
	})
	for line, want := range map[string]string{
		"fix(11-fix-auth): a":               "fix (11-FIX-AUTH): a",
		"fix(11-fix): a":                    "fix (11-FIX): a",
		"fix(11-FIX-auth, 11-01): a":        "fix (11-FIX-AUTH 11-1): a",
		"fix(phase-11-fix): a":              "fix (11-FIX): a",
		"fix(11-fix-it): a":                 "fix 11: a",
		"fix(11-voice): a":                  "fix 11: a",
		"fix(12-fix): a":                    "fix 12: a",
		"fix(11-a): a":                      "fix (11-A): a",
		"feat(11-02-auth): a":               "feat (11-2-AUTH): a",
		"feat(11-02): a":                    "feat (11-2): a",
		"feat(11-03-mail): a":               "feat (11-3): a",
		"feat(11-03-post): a":               "feat (11-3): a",
		"fix: 11-fix-auth: a":               "fix ^11-FIX-AUTH: 11-fix-auth: a",
		"fix: as in 11-fix-auth and 11-fix": "fix 11-FIX-AUTH 11-FIX: as in 11-fix-auth and 11-fix",
		"fix: 11-fixed, 11-2-db.":           "fix 11-2-DB: 11-fixed, 11-2-db.",
	} {
		if got := ParseSubject(line, dir.Named()).text(); got != want {
			t.Errorf("%s\n got %s\nwant %s", line, got, want)
		}
	}
}

// FuzzSubject checks that Text is valid UTF-8 and no longer than the line, and that a scope can name each plan.
func FuzzSubject(f *testing.F) {
	for _, s := range []string{"feat(03-01): x", `Revert "feat(03-01): x"`, "plans 3-1, 3-2", "docs(quick-1): a", "é(03-01): x", "docs(02-02-01,03): x", "a(0-0 A0): x"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, line string) {
		s := ParseSubject(line, nil)
		if len(s.Text) > len(line) || utf8.ValidString(line) && !utf8.ValidString(s.Text) {
			t.Fatalf("%q became %q", line, s.Text)
		}
		if len(s.Plans) > maxPlans || s.Scoped && (len(s.Plans) == 0 || !s.Phase.IsZero()) {
			t.Fatalf("%q: %+v", line, s)
		}
		for _, ref := range s.Plans {
			if again := ParseSubject("feat("+ref.String()+"): x", nil); ref.PhaseKey() != "QUICK" && (len(again.Plans) != 1 || again.Plans[0] != ref) {
				t.Fatalf("%q names %s, which is read as %v", line, ref, again.Plans)
			}
		}
	})
}

func TestCompletes(t *testing.T) {
	for subject, want := range map[string]string{
		"docs(phase-05): complete phase execution": "phase", "docs(13): complete dedicated debug agent phase": "phase", "docs(phase-16): close Sheet phase (INV-3)": "phase",
		"chore: complete v1.1.0 milestone": "milestone", "chore(release): archive v1.2.0 milestone": "milestone", "docs(13): close phase 13 + v1.2 milestone": "phase milestone",
		"docs(13): create phase plan": "", "docs(13): mark phase as not complete": "", "docs(03-01): complete phase-wide plan": "",
		"docs(phase-15): close Phase 15 — Terms": "phase", "docs(phase-21): complete phase — verified 13/13": "phase", "docs(16): complete settings, onboarding & icons phase": "phase",
		"chore: archive v1.2 Video milestone — VERSION 1.1 → 1.2": "milestone", "chore: ship milestone v2.0": "milestone", "docs(02): complete phase.": "phase",
		"docs: complete v2.0 milestone research": "", "docs: complete milestone audit": "", "docs(01): complete phase research for plan 03": "", "docs(phase-01): complete phase 1 planning": "",
		"docs(01): close phase 1 open questions": "", "docs(phase-01): complete phase verification, gaps found": "", "docs(29): complete phase 29 documentation": "", "": "", "feat: x": "",
		`Revert "docs(13): complete phase"`: "",
	} {
		s, got := ParseSubject(subject, nil), []string{}
		for _, what := range []string{"phase", "milestone"} {
			if s.Completes(what) {
				got = append(got, what)
			}
		}
		if strings.Join(got, " ") != want {
			t.Errorf("%q completes %q, want %q", subject, got, want)
		}
	}
}
