package page

import (
	"bytes"
	"crypto/sha256"
	"encoding/base64"
	"flag"
	"os"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/beevik/etree"
	"pgregory.net/rapid"

	"github.com/gsd-cli/gsd/internal/answer"
	"github.com/gsd-cli/gsd/internal/next"
	"github.com/gsd-cli/gsd/internal/overview"
	"github.com/gsd-cli/gsd/internal/project"
	"github.com/gsd-cli/gsd/internal/run"
	"github.com/gsd-cli/gsd/internal/status"
	"github.com/gsd-cli/gsd/internal/testenv"
	"github.com/gsd-cli/gsd/internal/text"
	"github.com/gsd-cli/gsd/internal/view"
)

var updatePage = flag.Bool("update-page", false, "write testdata/page.html again")

func renderedPage(t testing.TB, s *status.Status) string {
	t.Helper()
	var b bytes.Buffer
	if err := Write(&b, s, now); err != nil {
		t.Fatal(err)
	}
	return b.String()
}

// parsedPage parses strictly, as XML: each element is closed, each attribute quoted, each entity known.
func parsedPage(t *testing.T, s *status.Status) *etree.Element {
	t.Helper()
	doc := etree.NewDocument()
	doc.ReadSettings = etree.ReadSettings{PreserveDuplicateAttrs: true}
	if err := doc.ReadFromString(renderedPage(t, s)); err != nil {
		t.Fatalf("the page is not well-formed: %v", err)
	}
	return doc.Root()
}

// words is the text in an element, its children's included, with its white space made single.
func words(e *etree.Element) string {
	var b strings.Builder
	var walk func(e *etree.Element)
	walk = func(e *etree.Element) {
		for _, token := range e.Child {
			switch token := token.(type) {
			case *etree.CharData:
				b.WriteString(token.Data)
			case *etree.Element:
				walk(token)
			}
		}
	}
	walk(e)
	return strings.Join(strings.Fields(b.String()), " ")
}

// descendants are the elements in an element, in the order of the text; etree's own paths go level by level.
func descendants(e *etree.Element) []*etree.Element {
	var all []*etree.Element
	for _, c := range e.ChildElements() {
		all = append(append(all, c), descendants(c)...)
	}
	return all
}

// section is the words of one section of the page, empty where there is none.
func section(t *testing.T, id string, s *status.Status) string {
	t.Helper()
	if e := parsedPage(t, s).FindElement("//section[@id='" + id + "']"); e != nil {
		return words(e)
	}
	return ""
}

// TestPage compares the page of a project, but for its style sheet.
func TestPage(t *testing.T) {
	before, after, ok := strings.Cut(renderedPage(t, pageSamples()["small"]), pageCSS)
	if !ok {
		t.Fatal("no style sheet")
	}
	_, before, _ = strings.Cut(before, "viewport") // the policy changes with the style sheet
	const golden = "testdata/page.html"
	if got := before + after; *updatePage {
		if err := os.WriteFile(golden, []byte(got), 0o644); err != nil {
			t.Fatal(err)
		}
	} else if want, err := os.ReadFile(golden); err != nil || string(want) != got {
		t.Errorf("%v; go test ./internal/page -run TestPage -args -update-page; the page is\n%s", err, got)
	}
}

// TestPageLaws holds the page of every sample to what page.go promises.
func TestPageLaws(t *testing.T) {
	for name, s := range pageSamples() {
		t.Run(name, func(t *testing.T) {
			if testing.Short() && name == "big" {
				t.Skip("thousands of texts")
			}
			src := renderedPage(t, s)
			if again := renderedPage(t, s); again != src {
				t.Error("the same status gives another page")
			}
			if !strings.HasPrefix(src, "<!doctype html>\n<html lang=\"en\">") {
				t.Errorf("it begins with %q", src[:40])
			}
			root := parsedPage(t, s)
			for _, r := range words(root) {
				if text.Hidden(r) {
					t.Errorf("a hidden character: %U", r)
				}
			}
			for _, e := range root.FindElements("//bdi") {
				if n := len([]rune(words(e))); n > view.LongestName {
					t.Errorf("a text of %d characters", n)
				}
			}
			checkNothingAsked(t, root)
			checkOutline(t, root)
			checkTables(t, root)
			checkReferences(t, root)
		})
	}
}

// pageElements is all that the page is made of, with the attributes they have.
var pageElements = map[string]string{
	"html": "lang", "head": "", "meta": "charset http-equiv content name", "title": "", "style": "", "body": "",
	"header": "", "main": "", "footer": "", "section": "", "nav": "", "div": "tabindex role",
	"h1": "", "h2": "", "h3": "", "p": "", "ul": "", "li": "", "dl": "", "dt": "", "dd": "", "details": "open", "summary": "",
	"table": "", "caption": "", "thead": "", "tbody": "", "tr": "", "th": "scope", "td": "",
	"a": "href", "bdi": "", "code": "", "span": "", "strong": "", "time": "datetime", "wbr": "",
	"svg": "width height role", "symbol": "viewBox", "use": "href", "line": "x1 x2 y1 y2", "rect": "width height rx",
	"circle": "cx cy r", "path": "d", "text": "x y",
}

// checkNothingAsked: only harmless elements and attributes, no reference out of the page, and a policy that allows the one
// style sheet alone.
func checkNothingAsked(t *testing.T, root *etree.Element) {
	for _, e := range root.FindElements("//*") {
		allowed, ok := pageElements[e.Tag]
		if !ok {
			t.Errorf("there is a <%s>", e.Tag)
		}
		common := []string{"id", "class", "aria-hidden", "aria-label", "aria-labelledby", "aria-current"}
		for _, a := range e.Attr {
			if !slices.Contains(strings.Fields(allowed), a.Key) && !slices.Contains(common, a.Key) {
				t.Errorf("<%s> has %s=%q", e.Tag, a.Key, a.Value)
			}
			if a.Key == "href" && !strings.HasPrefix(a.Value, "#") {
				t.Errorf("a link out of the page: %q", a.Value)
			}
		}
	}
	css := root.FindElement("//style").Text()
	if strings.Contains(css, "url(") || strings.Contains(css, "@import") || strings.ContainsAny(css, "<&") {
		t.Error("the style sheet asks for something, or is no XML")
	}
	checkPolicy(t, root, css)
}

// checkPolicy: the page has one policy, before all that it is about, with each of these directives and no other. What is expected is
// written here, and not asked of the code that makes it.
func checkPolicy(t *testing.T, root *etree.Element, css string) {
	t.Helper()
	sum := sha256.Sum256([]byte(css))
	want := map[string]string{
		"default-src": "'none'", // scripts, images, fonts, frames, objects, and connections
		"style-src":   "'sha256-" + base64.StdEncoding.EncodeToString(sum[:]) + "'",
		"base-uri":    "'none'", // of these, default-src says nothing
		"form-action": "'none'",
	}
	var policies, styles []string
	for _, e := range root.FindElements("head/*") {
		switch {
		case strings.EqualFold(e.SelectAttrValue("http-equiv", ""), "Content-Security-Policy"):
			policies = append(policies, e.SelectAttrValue("content", ""))
			if len(styles) > 0 {
				t.Error("the policy comes after what it is about")
			}
		case e.Tag != "meta":
			styles = append(styles, e.Tag)
		}
	}
	if len(policies) != 1 || len(root.FindElements("//meta[@http-equiv]")) != 1 {
		t.Fatalf("the policies are %q", policies)
	}
	directives := strings.Split(policies[0], "; ")
	if len(directives) != len(want) {
		t.Errorf("the policy is %s", policies[0])
	}
	for _, d := range directives {
		if name, value, _ := strings.Cut(d, " "); want[name] != value {
			t.Errorf("%s is %s, want %s", name, value, want[name])
		}
	}
}

// checkOutline: one h1, and no level is left out.
func checkOutline(t *testing.T, root *etree.Element) {
	level := 0
	for _, e := range descendants(root) {
		if at := slices.Index([]string{"", "h1", "h2", "h3"}, e.Tag); at > 0 {
			if at > level+1 || at == 1 && level > 0 || words(e) == "" {
				t.Errorf("<%s> %q after level %d", e.Tag, words(e), level)
			}
			level = at
		}
	}
	for _, name := range []string{"h1", "header", "main", "footer", "nav"} {
		if n := len(root.FindElements("//" + name)); n != 1 {
			t.Errorf("%d <%s>", n, name)
		}
	}
}

func checkTables(t *testing.T, root *etree.Element) {
	for _, table := range root.FindElements("//table") {
		columns := len(table.FindElements("thead/tr/th[@scope]"))
		if columns == 0 || table.FindElement("caption") == nil {
			t.Error("a table without a caption or a heading")
		}
		for _, row := range table.FindElements("tbody/tr") {
			if len(row.ChildElements()) != columns {
				t.Errorf("a row of %d cells under %d headings", len(row.ChildElements()), columns)
			}
		}
	}
}

// checkReferences: each id is there once, and what refers to one finds it.
func checkReferences(t *testing.T, root *etree.Element) {
	count := map[string]int{}
	for _, e := range root.FindElements("//*[@id]") {
		count[e.SelectAttrValue("id", "")]++
	}
	for _, name := range []string{"id", "href", "aria-labelledby"} {
		for _, e := range root.FindElements("//*[@" + name + "]") {
			if id := strings.TrimPrefix(e.SelectAttrValue(name, ""), "#"); count[id] != 1 {
				t.Errorf("%d elements have the id %s", count[id], id)
			}
		}
	}
}

// TestPageTakesAnyText: whatever the texts are, the page is well-formed and made of the same elements.
func TestPageTakesAnyText(t *testing.T) {
	rapid.Check(testenv.Laws(t), func(rt *rapid.T) {
		bytes := rapid.Map(rapid.SliceOf(rapid.Byte()), func(b []byte) string { return string(b) })
		text := rapid.OneOf(rapid.String(), bytes)
		checkNothingAsked(t, parsedPage(t, statusOf(3, func() string { return text.Draw(rt, "text") })))
	})
}

func TestPageText(t *testing.T) {
	long := strings.Repeat("x", 300)
	for _, test := range []struct{ got, want string }{
		{pageText("z" + strings.Repeat("\u0301", 9) + "z\u0301"), "z" + strings.Repeat("\u0301", 4) + "z\u0301"},
		{pageText(long), long[:199] + "…"},
		{pageName(long), long[:47] + "…"},
		{milestoneName(&overview.Milestone{Label: "v1.2", Name: "v1.2 Payments"}), "v1.2 Payments"},
		{milestoneName(&overview.Milestone{Label: "v1.2", Name: "v1.2"}), "v1.2"},
		{milestoneName(&overview.Milestone{Label: "v1.2", Name: "v1.20 Payments"}), "v1.2 v1.20 Payments"},
		{milestoneName(&overview.Milestone{Name: "Payments"}), "Payments"},
		{milestoneName(&overview.Milestone{}), "Unnamed milestone"},
		{iso(time.Unix(1<<40, 0)), ""},
		{newBar(0, 3).Percent, "0"},
		{newBar(7, 3).Percent, "100"},
		{newBar(1, 3).Percent, "33.33"},
		{newBar(1, 8).Percent, "12.5"},
	} {
		if test.got != test.want {
			t.Errorf("%q, want %q", test.got, test.want)
		}
	}
}

func TestPageOfNothing(t *testing.T) {
	root := parsedPage(t, &status.Status{})
	var got []string
	for _, id := range []string{"next", "sessions", "phases", "timeline"} {
		got = append(got, words(root.FindElement("//section[@id='"+id+"']")))
	}
	want := []string{
		"Next The next plan is unknown.", "Sessions Nobody has a session.",
		"Phases There is neither a roadmap nor a phase directory.",
		"Timeline No work on a plan has been committed, so there is nothing to show.",
	}
	if !slices.Equal(got, want) {
		t.Errorf("it says %q", got)
	}
	header := words(root.FindElement("//header"))
	if !strings.HasPrefix(header, "Project status Unnamed project Nothing is planned yet") {
		t.Errorf("the header says %q", header)
	}
	phases := section(t, "phases", &status.Status{Roadmap: "ROADMAP.md"})
	if !strings.Contains(phases, "The roadmap has no phases, and there are no phase directories.") {
		t.Errorf("of a roadmap it says %q", phases)
	}
}

// TestPageGroups: the current milestone is open, else the first that is not complete.
func TestPageGroups(t *testing.T) {
	for _, test := range []struct {
		milestones []overview.Milestone
		open       int
	}{
		{[]overview.Milestone{{Status: overview.PhaseComplete}, {Status: overview.PhasePlanned}, {Status: overview.PhasePlanned}}, 1},
		{[]overview.Milestone{{Status: overview.PhasePlanned}, {Current: true}}, 1},
		{[]overview.Milestone{{Status: overview.PhaseComplete, Current: true}, {Status: overview.PhasePlanned}}, 0},
		{[]overview.Milestone{{Status: overview.PhaseComplete}}, -1},
	} {
		all := groups(&status.Status{Milestones: test.milestones})
		if got := slices.IndexFunc(all, func(g group) bool { return g.Open }); got != test.open {
			t.Errorf("%+v: %d is open", test.milestones, got)
		}
	}
}

func TestPagePosition(t *testing.T) {
	for _, test := range []struct {
		at   overview.Position
		want string
	}{
		{overview.Position{Phases: 2, PhasesDone: 2}, "Every phase is complete: 2 of 2 phases complete"},
		{overview.Position{Phases: 2, PhasesDone: 1, AllPlans: 2, AllDone: 2}, "There is no current phase: "},
		{overview.Position{AllPlans: 2, AllDone: 2}, "Every plan is done: "},
		{overview.Position{AllPlans: 2, AllDone: 1}, "There is no current phase: "},
		{overview.Position{}, "Nothing is planned yet: "},
		{overview.Position{Phase: "7.1", PhaseIndex: 2, Phases: 3}, "the 2nd of 3 phases; no plan in it yet; 0 of 3 phases complete"},
		{overview.Position{Phase: "2", Plans: 3, PlansDone: 3}, "all its plans are done"},
		{overview.Position{Phase: "2", Plans: 3, PlansDone: 2}, ""},
		{overview.Position{Phase: "2", Plans: 3, Plan: 2}, "plan 2 of 3"},
	} {
		got := strings.Join(facts(test.at), "; ")
		if test.at.Phase == "" {
			got = view.NoPhase(test.at) + ": " + got
		}
		if got != test.want {
			t.Errorf("%+v: %q, want %q", test.at, got, test.want)
		}
	}
	header := words(parsedPage(t, &status.Status{Position: overview.Position{AllPlans: 1, Percent: -1}}).FindElement("//header"))
	if !strings.Contains(header, "no current phase 0 of 1 plan done") {
		t.Errorf("without a share the header says %s", header)
	}
}

func TestPageNext(t *testing.T) {
	for _, test := range []struct {
		next *answer.Next
		want string
	}{
		{&answer.Next{Because: []next.Reason{{Code: next.AllDone}}}, "Next No plans left. every plan has its summary"},
		{&answer.Next{Because: []next.Reason{{Code: next.NoPlanYet}}}, "Next No plans yet. no phase has a plan yet"},
		{&answer.Next{AlsoReady: make([]answer.PlanRef, 1)}, "Next There is no next plan. Left open ."},
		{&answer.Next{Phase: "4"}, "Next Phase 4 has yet to be planned."},
		{&answer.Next{Phase: "4", Verification: "gaps_found"}, "Next Phase 4 is not finished: its verification did not pass."},
		{&answer.Next{Phase: "4", Verification: "testing", Because: []next.Reason{{Code: next.NotTested, Phase: "4", Verification: "testing"}}}, "Next Phase 4 is not finished: its UAT is open. phase 4 has no open plan, and its UAT says testing"},
		{&answer.Next{Plan: ".planning/quick/x-PLAN.md"}, "Next x-PLAN.md .planning/quick/x-PLAN.md"},
		{&answer.Next{Plan: "p", AlsoReady: make([]answer.PlanRef, 5)}, "Next p p Also ready . . . . ."},
		{&answer.Next{Plan: "p", AlsoReady: make([]answer.PlanRef, 6)}, "Next p p Also ready . . . . 2 more. ."},
		{&answer.Next{LeftOver: []answer.LeftOver{{Plan: "p"}}}, "Next There is no next plan. Left over p p"},
		{&answer.Next{Plan: "p", AlsoReady: []answer.PlanRef{{ID: "04-02", Plan: "q", TakenBy: "bo"}}}, "Next p p Also ready 04-02 q taken by bo"},
		{&answer.Next{Phase: "4", AlsoReady: []answer.PlanRef{{Plan: "p"}}, LeftOver: []answer.LeftOver{{Plan: "p"}}}, "Next Phase 4 has yet to be planned. Left over p p"},
		{&answer.Next{Plan: "p", LeftOver: make([]answer.LeftOver, 6)}, "Next p p Left over . . . . 2 more. ."},
		{&answer.Next{Plan: "p", LeftOver: []answer.LeftOver{{Plan: "p"}}}, "Next p p"},
	} {
		if got := section(t, "next", &status.Status{Next: test.next}); got != test.want {
			t.Errorf("%+v: %q, want %q", test.next, got, test.want)
		}
	}
}

// TestPageUnfinished: the part is there only where there is something of it, and says no more than there is.
func TestPageUnfinished(t *testing.T) {
	runs := func(state run.State, users ...string) status.Status {
		var s status.Status
		for _, user := range users {
			s.Runs = append(s.Runs, runOf(user, state, "claude", 7, "", time.Hour, time.Hour))
		}
		return s
	}
	for _, test := range []struct {
		status status.Status
		want   string // empty for no such part
	}{
		{runs(run.StateActive, "ada"), ""},
		{runs(run.StateUnknown, "ada"), ""},
		{status.Status{Lost: 1}, "Unfinished 1 1 lost session: gsd restore --list"},
		{runs(run.StateCrashed, "ada", "ada", "bo", "cy", "di"), "Unfinished 5 5 runs crashed: gsd run sweep by ada, bo, cy, di"},
		{runs(run.StateCrashed, "a", "b", "c", "d", ""), "Unfinished 5 5 runs crashed: gsd run sweep by a, b, c and 2 more"},
		{runs(run.StateCrashed, ""), "Unfinished 1 1 run crashed: gsd run sweep by Unnamed user"},
		{
			status.Status{Incomplete: []answer.Incomplete{{Kind: answer.BegunPlan, Path: "a/03-01-PLAN.md"}}},
			"Unfinished 1 Plan 03-01-PLAN.md has commits, but neither a session nor a summary a/03-01-PLAN.md",
		},
		{
			status.Status{Incomplete: []answer.Incomplete{{Kind: answer.HandOffJSON, Path: "a/HANDOFF.json", Role: "reviewer", Detail: "look"}}},
			"Unfinished 1 A hand-off note for reviewer, next: look a/HANDOFF.json",
		},
		{
			status.Status{Incomplete: []answer.Incomplete{{Kind: answer.DebugSession, ID: "login", Path: "a/login.md", Status: "fixing", Detail: "look"}}},
			"Unfinished 1 Debug session login is fixing, next: look a/login.md",
		},
	} {
		if got := section(t, "unfinished", &test.status); got != test.want {
			t.Errorf("it says %q, want %q", got, test.want)
		}
		linked := parsedPage(t, &test.status).FindElement("//a[@href='#unfinished']") != nil
		if linked != (test.want != "") {
			t.Errorf("linked: %v, but it says %q", linked, test.want)
		}
	}
}

// TestPageClaim: another session's claim on a phase is said beside what comes next.
func TestPageClaim(t *testing.T) {
	s := &status.Status{Next: &answer.Next{Plan: "a/03-01-PLAN.md", ID: "03-01"}, PhaseClaim: &project.PhaseClaim{Phase: "3", Session: "codex-1", Renewed: now}}
	if got := section(t, "next", s); !strings.Contains(got, "Phase 3 is claimed by gsd-core's session codex-1, ") {
		t.Errorf("it says %q", got)
	}
	s.PhaseClaim = nil
	if got := section(t, "next", s); strings.Contains(got, "claimed") {
		t.Errorf("it says %q", got)
	}
}

// TestPageMarked: when the tasks were in work, below the timeline, the latest first, and folded where there are many.
func TestPageMarked(t *testing.T) {
	s := &status.Status{}
	for i := range 8 {
		began := now.Add(time.Duration(-i) * time.Hour)
		s.Marked = append(s.Marked, status.Marked{User: "ada", ID: "01-02", TaskTimes: run.TaskTimes{Plan: "p", Number: i + 1, Started: began}})
	}
	s.Marked[1].Ended, s.Marked[1].Took = now, time.Hour
	s.Marked[2].Started, s.Marked[2].Ended = time.Time{}, now.Add(-2*time.Hour)
	got := section(t, "timeline", s)
	want := "Tasks, as runs marked them 01-02 task 1 of ada since 2026-03-20 15:04 UTC 01-02 task 2 of ada 2026-03-20 14:04 UTC – 2026-03-20 15:04 UTC, 1h00m " +
		"01-02 task 3 of ada ended 2026-03-20 13:04 UTC "
	if !strings.Contains(got, want) || !strings.Contains(got, " 2 more01-02 task 7 of ada ") {
		t.Errorf("it says %q, want %q", got, want)
	}
}

// TestPageSide: what fills the left column of a project in which nobody has a session.
func TestPageSide(t *testing.T) {
	finished := func(id string, days int) status.Span {
		return status.Span{ID: id, Path: id + "-PLAN.md", First: now, Last: now, Done: true, Finished: now.AddDate(0, 0, -days)}
	}
	s := &status.Status{
		Timeline: []status.Span{finished("01-01", 9), finished("01-02", 2), {ID: "01-03"}, finished("02-01", 2), finished("02-02", 3), finished("02-03", 1), finished("02-04", 8)},
		Phases: []overview.Phase{
			{Number: "1", Name: "Mud", Milestone: -1, Verification: "gaps_found", Plans: []overview.StatusPlan{{Path: "02-01-PLAN.md", Title: "Fire it"}}},
			{Number: "2", Milestone: -1, Verification: "passed", Plans: []overview.StatusPlan{{ID: "03-02", Status: overview.PlanOpen, WaitsFor: []string{"03-01", "x-PLAN.md"}}}},
			{Number: "3", Milestone: -1, Verification: "human_needed"},
			{Number: "4", Milestone: -1, Verification: "passed", UAT: "testing"},
		},
	}
	for id, want := range map[string]string{
		"lately": "Finished last 02-03 24 hours ago 2026-03-19 15:04 UTC 02-01 Fire it 2 days ago 2026-03-18 15:04 UTC " +
			"01-02 2 days ago 2026-03-18 15:04 UTC 02-02 3 days ago 2026-03-17 15:04 UTC 02-04 8 days ago 2026-03-12 15:04 UTC",
		"waiting":      "Waiting 1 03-02 waits for 03-01, x-PLAN.md",
		"verification": "Verification 3 1 Mud: gaps_found 3 human_needed 4 UAT: testing",
	} {
		if got := section(t, id, s); got != want {
			t.Errorf("it says %q, want %q", got, want)
		}
		if parsedPage(t, s).FindElement("//a[@href='#"+id+"']") == nil || section(t, id, &status.Status{}) != "" {
			t.Errorf("%s is not linked, or is there without anything in it", id)
		}
	}
}

// TestPageRuns: each run stands with its user, what may live first, and the many that died are folded away.
func TestPageRuns(t *testing.T) {
	s := &status.Status{Sessions: []answer.Session{{User: "ada", Verdict: answer.Finished}, {User: "bo", Verdict: answer.Corrupt}}}
	add := func(user string, state run.State, host string) {
		r := status.UserRun{User: user}
		r.State, r.Host, r.Expired = state, host, true
		s.Runs = append(s.Runs, r)
	}
	for _, host := range []string{"dead-0", "dead-1", "dead-2", "dead-3"} {
		add("bo", run.StateCrashed, host)
	}
	add("bo", run.StateActive, "first")
	add("cy", run.StateIdle, "idle")
	add("cy", run.StateActive, "alone")
	add("cy", run.StateUnknown, "elsewhere")
	const died = " Its process is gone, and no end was recorded."
	want := "Sessions 2 ada Summary is due bo Corrupt At work: first Crashed: dead-3" + died + " Crashed: dead-2" + died +
		" 2 more runsCrashed: dead-1" + died + " Crashed: dead-0" + died +
		" cy No session At work: alone May have ended: elsewhere It cannot be checked from here whether it is alive, and its time to live has expired." +
		" Idle: idle It is alive, but does not hold the lease."
	if got := section(t, "sessions", s); got != want {
		t.Errorf("got  %s\nwant %s", got, want)
	}
	if s.Runs[0].Host != "dead-0" {
		t.Error("the status was changed")
	}
}

// TestPageCrowded: many sessions stand below the phases.
func TestPageCrowded(t *testing.T) {
	for n, want := range map[int]string{8: "", 9: "whole"} {
		var s status.Status
		for range n {
			s.Sessions = append(s.Sessions, answer.Session{Verdict: answer.Finished})
		}
		if got := parsedPage(t, &s).FindElement("//section[@id='sessions']").SelectAttrValue("class", ""); got != want {
			t.Errorf("%d sessions: class %q", n, got)
		}
	}
}

// TestSkippedTasks: the page counts them, and the bar is full when nothing is left to do.
func TestSkippedTasks(t *testing.T) {
	session := answer.Session{User: "ada", Plan: "p", Verdict: answer.Finished, Done: 1, Skipped: 2, Total: 3}
	page := renderedPage(t, &status.Status{Sessions: []answer.Session{session}})
	if !strings.Contains(page, "1 of 3 tasks, 2 skipped") || !strings.Contains(page, `width="100%"`) {
		t.Error(page)
	}
}

// TestWhole: ids do not break after their hyphens, and paths do after their slashes.
func TestWhole(t *testing.T) {
	const open, end = `<span class="whole-word">`, "</span>"
	for text, want := range map[string]string{
		"":                            "",
		"a task of a <plan>":          "a task of a &lt;plan&gt;",
		"waits for 03-01 & 3":         "waits for " + open + "03-01" + end + " &amp; 3",
		"quick/260322-14r":            "quick/<wbr />" + open + "260322-14r" + end,
		".planning/phases/":           ".planning/<wbr />phases/",
		"a-very-long-name/03-01.md b": "a-very-long-name/<wbr />" + open + "03-01.md" + end + " b",
		"ünÿ-ünÿ-ün":                  open + "ünÿ-ünÿ-ün" + end, // ten characters
		"x-<b>":                       open + "x-&lt;b&gt;" + end,
	} {
		if got := string(whole(10, text)); got != want {
			t.Errorf("%q: %s, want %s", text, got, want)
		}
	}
}
