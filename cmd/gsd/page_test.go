package main

import (
	"bytes"
	"crypto/sha256"
	"encoding/base64"
	"encoding/xml"
	"errors"
	"io"
	"maps"
	"slices"
	"strings"
	"testing"
	"time"

	"pgregory.net/rapid"

	"github.com/gsd-cli/gsd/host"
	"github.com/gsd-cli/gsd/hydrate"
)

func renderedPage(t testing.TB, s *hydrate.Status) string {
	t.Helper()
	var b bytes.Buffer
	if err := renderPage(&b, s, pageNow); err != nil {
		t.Fatal(err)
	}
	return b.String()
}

// element is one element of a parsed page; text is what stands in it, its children's included.
type element struct {
	name     string
	attr     map[string]string
	children []*element
	text     strings.Builder
}

func (e *element) all(name string) []*element {
	var found []*element
	for _, c := range e.children {
		if c.name == name {
			found = append(found, c)
		}
		found = append(found, c.all(name)...)
	}
	return found
}

func (e *element) byID(t *testing.T, id string) *element {
	t.Helper()
	for _, c := range e.all("section") {
		if c.attr["id"] == id {
			return c
		}
	}
	t.Fatalf("no section %s", id)
	return nil
}

// words is the text with its white space made single.
func (e *element) words() string { return strings.Join(strings.Fields(e.text.String()), " ") }

// parsePage parses strictly, as XML: each element is closed, each attribute quoted, each entity known.
func parsePage(t *testing.T, src string) *element {
	t.Helper()
	d := xml.NewDecoder(strings.NewReader(src))
	root := &element{}
	open := []*element{root}
	for {
		token, err := d.Token()
		if errors.Is(err, io.EOF) {
			return root
		}
		if err != nil {
			t.Fatalf("the page is not well-formed: %v", err)
		}
		switch token := token.(type) {
		case xml.StartElement:
			e := &element{name: token.Name.Local, attr: map[string]string{}}
			for _, a := range token.Attr {
				if _, twice := e.attr[a.Name.Local]; twice {
					t.Errorf("<%s> has %s twice", e.name, a.Name.Local)
				}
				e.attr[a.Name.Local] = a.Value
			}
			up := open[len(open)-1]
			up.children = append(up.children, e)
			open = append(open, e)
		case xml.EndElement:
			open = open[:len(open)-1]
		case xml.CharData:
			for _, e := range open {
				e.text.Write(token)
			}
		}
	}
}

// TestPageLaws holds the page of every sample to what page.go promises.
func TestPageLaws(t *testing.T) {
	for name, s := range pageSamples() {
		t.Run(name, func(t *testing.T) {
			src := renderedPage(t, s)
			if again := renderedPage(t, s); again != src {
				t.Error("the same status gives another page")
			}
			if !strings.HasPrefix(src, "<!doctype html>\n<html lang=\"en\">") {
				t.Errorf("it begins with %q", src[:40])
			}
			root := parsePage(t, src)
			checkNothingAsked(t, root)
			checkPolicy(t, root)
			checkOutline(t, root)
			checkTables(t, root)
			checkReferences(t, root)
			for _, r := range root.text.String() {
				if host.Hidden(r) {
					t.Errorf("a hidden character: %U", r)
				}
			}
		})
	}
}

// pageElements is all that the page is made of, with the attributes they have.
var pageElements = map[string]string{
	"html": "lang", "head": "", "meta": "charset http-equiv content name", "title": "", "style": "", "body": "",
	"header": "", "main": "", "footer": "", "section": "", "nav": "", "div": "tabindex role",
	"h1": "", "h2": "", "h3": "", "p": "", "ul": "", "li": "", "dl": "", "dt": "", "dd": "", "details": "open", "summary": "",
	"table": "", "caption": "", "thead": "", "tbody": "", "tr": "", "th": "scope", "td": "",
	"a": "href", "bdi": "", "code": "", "span": "", "strong": "", "time": "datetime",
	"svg": "width height role", "symbol": "viewBox", "use": "href", "line": "x1 x2 y1 y2", "rect": "width height rx",
	"circle": "cx cy r", "path": "d", "text": "x y",
}

// checkNothingAsked: only harmless elements and attributes, and no reference out of the page.
func checkNothingAsked(t *testing.T, root *element) {
	var walk func(e *element)
	walk = func(e *element) {
		for _, c := range e.children {
			allowed, ok := pageElements[c.name]
			if !ok {
				t.Errorf("there is a <%s>", c.name)
			}
			for name, value := range c.attr {
				common := []string{"id", "class", "aria-hidden", "aria-label", "aria-labelledby", "aria-current"}
				if !slices.Contains(strings.Fields(allowed), name) && !slices.Contains(common, name) {
					t.Errorf("<%s> has %s=%q", c.name, name, value)
				}
				if name == "href" && !strings.HasPrefix(value, "#") {
					t.Errorf("a link out of the page: %q", value)
				}
			}
			walk(c)
		}
	}
	walk(root)
	css := root.all("style")[0].text.String()
	if strings.Contains(css, "url(") || strings.Contains(css, "@import") || strings.ContainsAny(css, "<&") {
		t.Error("the style sheet asks for something, or is no XML")
	}
}

// checkPolicy: the policy allows the one style sheet that is there, and nothing else.
func checkPolicy(t *testing.T, root *element) {
	sum := sha256.Sum256([]byte(root.all("style")[0].text.String()))
	want := "default-src 'none'; style-src 'sha256-" + base64.StdEncoding.EncodeToString(sum[:]) +
		"'; base-uri 'none'; form-action 'none'"
	for _, m := range root.all("meta") {
		if m.attr["http-equiv"] == "Content-Security-Policy" {
			if m.attr["content"] != want {
				t.Errorf("the policy is %s\nwant %s", m.attr["content"], want)
			}
			return
		}
	}
	t.Error("no policy")
}

// checkOutline: one h1, and no level is left out.
func checkOutline(t *testing.T, root *element) {
	level := 0
	var walk func(e *element)
	walk = func(e *element) {
		for _, c := range e.children {
			if len(c.name) == 2 && c.name[0] == 'h' && c.name[1] >= '1' && c.name[1] <= '6' {
				at := int(c.name[1] - '0')
				if at > level+1 || at == 1 && level > 0 {
					t.Errorf("<%s> %q after level %d", c.name, cut(c.words(), 40), level)
				}
				if c.words() == "" {
					t.Errorf("<%s> is empty", c.name)
				}
				level = at
			}
			walk(c)
		}
	}
	walk(root)
	if level == 0 {
		t.Error("no headings")
	}
	for _, name := range []string{"header", "main", "footer", "nav"} {
		if len(root.all(name)) != 1 {
			t.Errorf("%d <%s>", len(root.all(name)), name)
		}
	}
}

func checkTables(t *testing.T, root *element) {
	for _, table := range root.all("table") {
		if len(table.all("caption")) != 1 {
			t.Error("a table without a caption")
		}
		columns := len(table.all("thead")[0].all("th"))
		for _, row := range table.all("tr") {
			if len(row.children) != columns {
				t.Errorf("a row of %d cells under %d headings", len(row.children), columns)
			}
		}
		for _, th := range table.all("th") {
			if th.attr["scope"] == "" {
				t.Error("a heading without a scope")
			}
		}
	}
}

// checkReferences: each id is there once, and what refers to one finds it.
func checkReferences(t *testing.T, root *element) {
	ids, wanted := map[string]bool{}, map[string]bool{}
	var walk func(e *element)
	walk = func(e *element) {
		for _, c := range e.children {
			if id := c.attr["id"]; id != "" {
				if ids[id] {
					t.Errorf("id %s is there twice", id)
				}
				ids[id] = true
			}
			if href := c.attr["href"]; href != "" {
				wanted[strings.TrimPrefix(href, "#")] = true
			}
			if id := c.attr["aria-labelledby"]; id != "" {
				wanted[id] = true
			}
			walk(c)
		}
	}
	walk(root)
	for _, id := range slices.Sorted(maps.Keys(wanted)) {
		if !ids[id] {
			t.Errorf("nothing has the id %s", id)
		}
	}
}

func TestPageOfHostileTexts(t *testing.T) {
	src := renderedPage(t, hostileStatus())
	for _, never := range []string{"<script", "<img", "\x1b", "\u202e", "\u200b", "\U000e0041", "\x00", "\uffff", "{{.CSS}} \""} {
		if strings.Contains(src, never) {
			t.Errorf("the page has %q", never)
		}
	}
	if strings.Count(src, "</style>") != 1 || strings.Count(src, "<title>") != 1+12 { // the page's and the spans'
		t.Errorf("%d style, %d title elements", strings.Count(src, "</style>"), strings.Count(src, "<title>"))
	}
	for _, e := range parsePage(t, src).all("bdi") {
		if n := len([]rune(e.text.String())); n > longestName {
			t.Errorf("a text of %d characters", n)
		}
	}
}

// TestPageTakesAnyText: whatever the texts are, the page is well-formed and made of the same elements.
func TestPageTakesAnyText(t *testing.T) {
	rapid.Check(t, func(rt *rapid.T) {
		any := rapid.OneOf(rapid.String(), rapid.Map(rapid.SliceOf(rapid.Byte()), func(b []byte) string { return string(b) }))
		text := func() string { return any.Draw(rt, "text") }
		plan := hydrate.StatusPlan{ID: text(), Path: text(), Title: text(), Status: text()}
		src := renderedPage(t, &hydrate.Status{
			Project: text(), Root: text(), Roadmap: text(), Quick: []hydrate.StatusPlan{plan},
			Latest:     hydrate.Activity{When: pageNow, What: text()},
			Position:   hydrate.Position{Milestone: text(), Phase: "1" + text(), PhaseName: text()},
			Milestones: []hydrate.Milestone{{Label: text(), Name: text(), Status: text()}},
			Phases:     []hydrate.Phase{{Number: text(), Name: text(), Status: text(), Dir: text(), Plans: []hydrate.StatusPlan{plan}}},
			Sessions:   []hydrate.Session{{User: "x" + text(), Plan: text(), Verdict: hydrate.Resume, Resume: 1, ResumeName: text()}},
			Timeline:   []hydrate.Span{{ID: text(), Path: text(), Phase: text(), First: pageNow, Last: pageNow}},
			Next:       &hydrate.Next{Plan: text(), ID: text(), Because: []string{text()}},
			Warnings:   []hydrate.Warning{{Code: text(), Detail: text()}},
			Runs:       []hydrate.UserRun{openRun(text(), hydrate.RunState(text()), text(), 1, text(), 0, 0), openRun(text(), hydrate.RunOrphaned, "", 0, "", 0, 0)},
			Incomplete: []hydrate.Incomplete{{Kind: text(), ID: text(), Path: text()}, {Kind: hydrate.WorkItem, ID: text(), Path: text(), Detail: text()}},
		})
		checkNothingAsked(t, parsePage(t, src))
	})
}

func TestPageTellsTheFacts(t *testing.T) {
	root := parsePage(t, renderedPage(t, smallStatus()))
	for _, want := range []string{
		"Fieldnotes", "Phase 3 Sign-in with passkeys", "v1.1 Together", "phase 3 of 5", "plan 3 of 4",
		"2 of 5 phases complete", "63 %", "7 of 11 plans done",
		"Latest commit 03-03: rotate the session key, 25 minutes ago 2026-03-20 14:39 UTC",
	} {
		if got := root.all("header")[0].words(); !strings.Contains(got, want) {
			t.Errorf("the header does not say %q: %s", want, got)
		}
	}
	for id, wants := range map[string][]string{
		"next": {
			"03-03 Session hardening", ".planning/phases/03-sign-in/03-03-PLAN.md", "phase 3 is in progress (roadmap, line 17)",
			"wave 2", "Also ready 03-04 Audit of the sign-in flow", "04-01 Invitations",
		},
		"sessions": {
			"ada-lovelace you", "2 of 5 tasks", "Task 3, interrupted: Rotate the session key on every change of rights",
			"It is to be run again from its beginning.",
			"12 minutes ago 2026-03-20 14:52 UTC", "Begun 5 hours ago", "grace-hopper", "Stale",
			"plan is done: .planning/phases/02-storage/02-03-SUMMARY.md is there", "9 days ago",
			"Sessions 2 ada-lovelace", // katherine has none
			"At work: claude 4711@lab-3 begun 2 hours ago 2026-03-20 13:04 UTC Idle: codex 4021@lab-3 It lives, and does not hold the session.",
			"Its run died: gemini 312@mark-1 Its process is gone, and it never ended. begun 9 days ago 2026-03-11 15:04 UTC last seen 8 days ago",
			"katherine No session May be at work: somebody Nobody here can tell whether it lives. begun 40 minutes ago",
		},
		"unfinished": {
			"Unfinished 6 1 run died without an end: gsd sweep by grace-hopper 2 lost sessions: gsd orphans",
			"A note to go on from .planning/phases/03-sign-in/.continue-here.md",
			"Work item E2-014 is still in implement docs/work/active/E2-014/WORK.md",
			"Plan 04-02 has commits and neither a session nor a summary .planning/phases/04-sharing/04-02-PLAN.md",
		},
		"warnings": {"the roadmap says that phase 2 has 2 plans, and there are 3 roadmap-lags"},
		"phases": {
			".planning/ROADMAP.md", "v1.0 Alone complete 1/1 phases 2/2 plans",
			"v1.1 Together current in progress 1/4 phases 5/9 plans", "1 Foundations 2/2 plans complete",
			"3 Sign-in with passkeys current 2/4 plans in progress", "roadmap line 17",
			"03-04 Audit of the sign-in flow ready", "5 Polish – not planned",
			"v2.0 Everywhere not planned No phase of it is known.",
		},
		"quick":       {"q1 Mend the typo on the start page done", "q2 .planning/quick/002-icon/002-PLAN.md open"},
		"workstreams": {"mobile .planning/workstreams/mobile 3/8"},
		"timeline": {
			"8 plans by their commits, 2 Feb 2026 to 3 Mar 2026, UTC", "Phase 1 Foundations",
			"01-01: 3 commits on 2026-02-02 09:30 UTC, finished 2026-02-02 09:30 UTC",
			"03-03: 7 commits from 2026-02-28 15:30 UTC to 2026-03-03 17:30 UTC, not finished",
		},
	} {
		got := root.byID(t, id).words()
		for _, want := range wants {
			if !strings.Contains(got, want) {
				t.Errorf("%s does not say %q: %s", id, want, got)
			}
		}
	}
	got := root.all("footer")[0].words()
	if !strings.Contains(got, "Made 2026-03-20 15:04 UTC") ||
		!strings.Contains(got, "gsd status --format html > status.html") {
		t.Errorf("the footer says %s", got)
	}
	var open []string
	for _, d := range root.all("details") {
		if _, ok := d.attr["open"]; ok {
			open = append(open, d.children[0].words()[:2])
		}
	}
	if !slices.Equal(open, []string{"v1", "3 "}) {
		t.Errorf("open are %q", open)
	}
	for _, e := range root.all("time") {
		if _, err := time.Parse(time.RFC3339, e.attr["datetime"]); err != nil {
			t.Error(err)
		}
	}
}

func TestPageOfNothing(t *testing.T) {
	root := parsePage(t, renderedPage(t, &hydrate.Status{}))
	for id, want := range map[string]string{
		"next":     "Next Which plan comes next is not known.",
		"sessions": "Sessions Nobody has a session.",
		"phases":   "Phases There is no roadmap, and no directory of a phase.",
		"timeline": "Timeline No commits that belong to a plan were found, so there is nothing to draw.",
	} {
		if got := root.byID(t, id).words(); got != want {
			t.Errorf("%s says %q", id, got)
		}
	}
	if got := root.all("h1")[0].words(); got != "A project without a name" {
		t.Errorf("the title is %q", got)
	}
	if got := root.all("header")[0].words(); !strings.Contains(got, "Nothing is planned yet") {
		t.Errorf("the header says %q", got)
	}
}

func TestPagePosition(t *testing.T) {
	for _, test := range []struct {
		at   hydrate.Position
		want string
	}{
		{hydrate.Position{}, "Nothing is planned yet"},
		{hydrate.Position{Phases: 2, PhasesDone: 2}, "Every phase is complete"},
		{hydrate.Position{Phases: 2, PhasesDone: 1}, "No phase is the current one"},
		{hydrate.Position{AllPlans: 2, AllDone: 2}, "Every plan is done"},
		{hydrate.Position{AllPlans: 2, AllDone: 1}, "No phase is the current one"},
		{hydrate.Position{Phase: "7.1", PhaseIndex: 2, Phases: 3}, "7.1 phase 2 of 3; no plan in it yet; 0 of 3 phases complete"},
		{hydrate.Position{Phase: "2", Plans: 3, PlansDone: 3}, "2 all its plans are done"},
		{hydrate.Position{Phase: "2", Plans: 3, Plan: 2}, "2 plan 2 of 3"},
	} {
		v := newPosition(&hydrate.Status{Position: test.at})
		got := v.Says
		if got == "" {
			got = v.Number + " " + strings.Join(v.Facts, "; ")
		}
		if got != test.want {
			t.Errorf("%+v: %q, want %q", test.at, got, test.want)
		}
	}
}

func TestPageNext(t *testing.T) {
	many := make([]hydrate.PlanRef, 30)
	for _, test := range []struct {
		next *hydrate.Next
		want string
	}{
		{nil, "Which plan comes next is not known."},
		{&hydrate.Next{Because: []string{"every plan has its summary"}}, "No plan is left to do. every plan has its summary"},
		{&hydrate.Next{AlsoReady: many[:1]}, "No plan is up next. Left open"},
		{&hydrate.Next{Phase: "4"}, "Phase 4 is to be planned."},
		{&hydrate.Next{Plan: ".planning/quick/x-PLAN.md"}, "x-PLAN.md .planning/quick/x-PLAN.md"},
		{&hydrate.Next{Plan: "p", ID: "1", AlsoReady: many}, "26 more"},
	} {
		got := parsePage(t, renderedPage(t, &hydrate.Status{Next: test.next})).byID(t, "next").words()
		if !strings.Contains(got, test.want) {
			t.Errorf("%+v: %q", test.next, got)
		}
	}
}

func TestPageMilestoneName(t *testing.T) {
	for _, test := range []struct{ label, name, want string }{
		{"v1.2", "Payments", "v1.2 Payments"},
		{"v1.2", "v1.2 Payments", "v1.2 Payments"},
		{"v1.2", "v1.2", "v1.2"},
		{"v1.2", "v1.20 Payments", "v1.2 v1.20 Payments"},
		{"", "Payments", "Payments"},
		{"", "", "A milestone without a name"},
	} {
		if got := milestoneName(hydrate.Milestone{Label: test.label, Name: test.name}); got != test.want {
			t.Errorf("%q %q: %q", test.label, test.name, got)
		}
	}
}

func TestPageTime(t *testing.T) {
	if got := newPageTime(time.Unix(1<<40, 0), pageNow); got.ISO != "" {
		t.Errorf("a time of no calendar: %+v", got)
	}
}

func BenchmarkPage(b *testing.B) {
	for name, s := range pageSamples() {
		b.Run(name, func(b *testing.B) {
			for b.Loop() {
				if err := renderPage(io.Discard, s, pageNow); err != nil {
					b.Fatal(err)
				}
			}
			b.ReportMetric(float64(len(renderedPage(b, s))), "bytes/page")
		})
	}
}
