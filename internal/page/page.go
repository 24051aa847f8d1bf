// Package page writes the web page that "gsd status --format html" prints. Its rules:
//
//   - It is one self-contained file: no scripts, fonts, images or links to anything else. Its policy forbids all
//     of them, and allows the one style sheet by its hash, so that even a style attribute that was smuggled in
//     would have no effect.
//   - Texts of .planning/ are cleaned (pageText), escaped by html/template, and isolated in <bdi>.
//   - State is given in words; colour and shape only repeat it. Bars are SVG, which can be printed.
//   - It is well-formed XML, too; the tests parse it as such.
//   - The same status and time give the same bytes; times are UTC.
package page

import (
	"cmp"
	"crypto/sha256"
	_ "embed"
	"encoding/base64"
	"fmt"
	"html/template"
	"io"
	"slices"
	"time"

	"github.com/gsd-cli/gsd/internal/answer"
	"github.com/gsd-cli/gsd/internal/overview"
	"github.com/gsd-cli/gsd/internal/problem"
	"github.com/gsd-cli/gsd/internal/run"
	"github.com/gsd-cli/gsd/internal/status"
	"github.com/gsd-cli/gsd/internal/view"
)

//go:embed page.html.tmpl
var pageTemplate string

//go:embed page.css
var pageCSS string

// Write writes the page that shows a status. Ages are as of now.
func Write(w io.Writer, s *status.Status, now time.Time) error {
	titles, spans := planTitles(s), map[string]*status.Span{}
	for i := range s.Timeline {
		spans[s.Timeline[i].Path] = &s.Timeline[i]
	}
	functions := template.FuncMap{
		"now": func() time.Time { return now },
		"ago": func(t time.Time) string { return view.Ago(t, now) },
		"iso": iso, "exact": exact, "marked": markedWords,
		"text": pageText, "name": pageName, "label": label, "file": fileName, "whole": whole, "user": userName, "milestone": milestoneName, "count": view.Count,
		"planState":  func(plan overview.StatusPlan) string { return pageText(view.PlanState(plan)) },
		"planDates":  func(plan overview.StatusPlan) dates { return planDates(spans[plan.Path]) },
		"phaseDates": func(ph overview.Phase) dates { return phaseDates(&ph, spans) },
		"date":       date, "tasks": func(session answer.Session) []taskRow { return sessionTasks(s, &session) }, "inFlight": inFlight,
		"title":   func(plan string) string { return pageText(titles[plan]) },
		"state":   func(is any) string { return view.StateWord(fmt.Sprint(is)) },
		"because": view.Because,
		"icon":    icon, "bar": newBar, "overall": overallBar, "shares": view.Shares, "shown": shown,
		"noPhase": view.NoPhase, "coreSession": view.CoreSession, "notCounted": func(ph overview.Phase) string { return view.NotCounted(&ph) }, "facts": facts, "noPlan": noPlan, "alsoReady": view.AlsoReady, "leftBehind": view.LeftBehind, "far": view.FarWords, "wave": wave,
		"warning": func(w problem.Warning) string { return pageText(view.WarningText(&w).String()) },
		"verdict": verdictWords, "task": task, "stale": view.StaleWord, "staleDetail": view.StaleDetail,
		"run": runWords, "where": processName, "lastSeen": lastSeen, "users": users,
		"spanTitle": spanTitle, "period": period,
	}
	// Parsed here, because at init every command would pay for it.
	t, err := template.New("page").Funcs(functions).Parse(pageTemplate)
	if err != nil {
		return err
	}
	return t.Execute(w, newPage(s))
}

// page is what the template shows: a status, and what is derived from it.
type page struct {
	*status.Status
	CSS     template.CSS
	Policy  string
	Groups  []group
	People  []person
	Crashed []status.UserRun
	Lately  []status.Span // the plans that were finished last, the latest first
	Chart   *timeline     // nil if there is nothing to draw

	Waiting    []overview.StatusPlan // the plans of the current phase that wait for others
	Unverified []overview.Phase      // the phases whose verification did not pass, or whose UAT is open
}

func newPage(s *status.Status) *page {
	p := &page{
		Status: s, CSS: template.CSS(pageCSS), Policy: pagePolicy(pageCSS),
		Groups: groups(s), People: people(s), Lately: lately(s), Chart: newTimeline(s),
	}
	for _, ph := range s.Phases {
		if ph.Unverified() != "" || ph.UAT != "" {
			p.Unverified = append(p.Unverified, ph)
		}
		for _, plan := range ph.Plans {
			if view.Waits(plan) {
				p.Waiting = append(p.Waiting, plan)
			}
		}
	}
	for _, r := range s.Runs {
		if r.State == run.StateCrashed {
			p.Crashed = append(p.Crashed, r)
		}
	}
	return p
}

// lately returns the plans that were finished last, the latest first.
func lately(s *status.Status) []status.Span {
	const most = 5
	done := slices.DeleteFunc(slices.Clone(s.Timeline), func(span status.Span) bool { return view.InCalendar(span.Finished).IsZero() })
	slices.Reverse(done) // of those that were finished at once, the one that was begun last comes first
	slices.SortStableFunc(done, func(a, b status.Span) int { return b.Finished.Compare(a.Finished) })
	return done[:min(len(done), most)]
}

// pagePolicy forbids everything but this style sheet.
func pagePolicy(css string) string {
	sum := sha256.Sum256([]byte(css))
	return "default-src 'none'; style-src 'sha256-" + base64.StdEncoding.EncodeToString(sum[:]) +
		"'; base-uri 'none'; form-action 'none'"
}

// Crowded reports whether there are too many people to fit next to the phases.
func (p *page) Crowded() bool { return len(p.People) > 8 }

// Unfinished returns how many things were left unfinished.
func (p *page) Unfinished() int { return p.Lost + len(p.Crashed) + len(p.Incomplete) }

// shown returns how many entries of a list are shown. The others are folded, unless there is only one.
func shown(most, length int) int {
	if length > most+1 {
		return most
	}
	return length
}

// group is the phases of a milestone, or those without one.
type group struct {
	Milestone *overview.Milestone
	Open      bool
	Phases    []overview.Phase
}

// groups puts the phases under their milestones. The current milestone is expanded; if there is none, the first
// that is not complete.
func groups(s *status.Status) []group {
	all := make([]group, len(s.Milestones), len(s.Milestones)+1)
	open := slices.IndexFunc(s.Milestones, func(m overview.Milestone) bool { return m.Current })
	if open < 0 {
		open = slices.IndexFunc(s.Milestones, func(m overview.Milestone) bool { return m.Status != overview.PhaseComplete })
	}
	for i := range s.Milestones {
		all[i] = group{Milestone: &s.Milestones[i], Open: i == open}
	}
	var rest group
	for _, ph := range s.Phases {
		in := &rest
		if ph.Milestone >= 0 {
			in = &all[ph.Milestone]
		}
		in.Phases = append(in.Phases, ph)
	}
	if len(rest.Phases) > 0 {
		all = append(all, rest)
	}
	return all
}

// person is a user with a session, with open runs, or with both.
type person struct {
	answer.Session
	Runs []status.UserRun
}

// runStates are the states of an open run, the most likely alive first.
var runStates = []run.State{run.StateActive, run.StateUnknown, run.StateIdle, run.StateCrashed}

// people adds the open runs to their users' sessions, likely alive first, latest first. After them come the
// users who have runs and no session.
func people(s *status.Status) []person {
	var all []person
	at := map[string]int{} // by the name on disk: two may look alike
	for i, session := range s.Sessions {
		if session.IsHere() { // open runs are only known of this one
			at[session.User] = i
		}
		all = append(all, person{Session: session})
	}
	runs := slices.Clone(s.Runs)
	slices.Reverse(runs)
	slices.SortStableFunc(runs, func(a, b status.UserRun) int {
		return cmp.Compare(slices.Index(runStates, a.State), slices.Index(runStates, b.State))
	})
	for _, r := range runs {
		i, known := at[r.User]
		if !known {
			i = len(all)
			at[r.User] = i
			all = append(all, person{Session: answer.Session{User: r.User, Verdict: answer.None}})
		}
		all[i].Runs = append(all[i].Runs, r)
	}
	return all
}

// users returns the names of the users of some runs, each once.
func users(runs []status.UserRun) []string {
	var names []string
	for _, r := range runs {
		if name := userName(r.User); !slices.Contains(names, name) {
			names = append(names, name)
		}
	}
	return names
}

// planTitles returns the titles of all plans by path.
func planTitles(s *status.Status) map[string]string {
	titles := map[string]string{}
	for _, plan := range s.Quick {
		titles[plan.Path] = plan.Title
	}
	for _, ph := range s.Phases {
		for _, plan := range ph.Plans {
			titles[plan.Path] = plan.Title
		}
	}
	return titles
}

// wave is the wave of a plan, 0 if it has none.
func wave(stated *int) int {
	if stated == nil {
		return 0
	}
	return *stated
}
