package page

import (
	"fmt"
	"html/template"
	"path"
	"strconv"
	"strings"
	"time"
	"unicode"
	"unicode/utf8"

	"github.com/gsd-cli/gsd/internal/answer"
	"github.com/gsd-cli/gsd/internal/overview"
	"github.com/gsd-cli/gsd/internal/run"
	"github.com/gsd-cli/gsd/internal/status"
	"github.com/gsd-cli/gsd/internal/text"
	"github.com/gsd-cli/gsd/internal/view"
)

// pageText returns a text of .planning/ for the page: one line of at most 200 characters, without letters that
// pile up marks over other lines.
func pageText(s string) string {
	const mostMarks = 4
	marks := 0
	return text.Cut(strings.Map(func(r rune) rune {
		if !unicode.In(r, unicode.Mn, unicode.Me) {
			marks = 0
		} else if marks++; marks > mostMarks {
			return -1
		}
		return r
	}, text.Line(s)), view.LongestName)
}

// pageName is pageText for a narrow column: an id or a number.
func pageName(s string) string {
	const longest = 48
	return text.Cut(pageText(s), longest)
}

// label returns the id of a plan, or else its file name.
func label(id, file string) string {
	if id = pageName(id); id != "" {
		return id
	}
	return pageName(path.Base(file))
}

// fileName returns the name of a plan's file, where its directory is said nearby.
func fileName(plan string) string { return pageText(path.Base(plan)) }

// whole returns a text as HTML in which words with a hyphen, such as ids, are not broken: a browser breaks lines after hyphens, and 03-
// at the end of a line is no id. A path may be broken after each slash, and a word or part of a path with more than most characters as
// the browser likes: most is what fits into the narrowest place where the text is shown.
func whole(most int, s string) template.HTML {
	var b strings.Builder
	for i, word := range strings.Split(s, " ") {
		if i > 0 {
			b.WriteByte(' ')
		}
		for j, part := range strings.SplitAfter(word, "/") {
			if j > 0 && part != "" {
				b.WriteString("<wbr />")
			}
			if text := template.HTMLEscapeString(part); strings.Contains(part, "-") && utf8.RuneCountInString(part) <= most {
				b.WriteString(`<span class="whole-word">` + text + "</span>")
			} else {
				b.WriteString(text)
			}
		}
	}
	return template.HTML(b.String()) //nolint:gosec // every part is escaped
}

// userName returns a user's name.
func userName(name string) string {
	if name = pageName(name); name == "" {
		return "Unnamed user"
	}
	return name
}

// milestoneName returns a milestone's version and name, without repeating the version.
func milestoneName(m *overview.Milestone) string {
	version, name := pageText(m.Label), pageText(m.Name)
	if rest, ok := strings.CutPrefix(name, version); ok && (rest == "" || rest[0] == ' ') {
		version = ""
	}
	if name = strings.TrimSpace(version + " " + name); name == "" {
		return "Unnamed milestone"
	}
	return text.Cut(name, view.LongestName)
}

// iso returns a time for programs, "" for none.
func iso(t time.Time) string {
	if t = view.InCalendar(t); t.IsZero() {
		return ""
	}
	return t.UTC().Format(time.RFC3339)
}

func exact(t time.Time) string { return t.UTC().Format("2006-01-02 15:04 UTC") }

// bar is a share to draw.
type bar struct {
	Percent string
	Full    bool
}

// newBar shows how much of a total, which is not zero, is done.
func newBar(done, total int) bar {
	return bar{Percent: decimal(100 * float64(min(done, total)) / float64(total)), Full: done >= total}
}

func overallBar(p overview.Position) bar { return newBar(view.Overall(p)) }

func decimal(f float64) string {
	return strings.TrimSuffix(strings.TrimRight(strconv.FormatFloat(f, 'f', 2, 64), "0"), ".")
}

// icons names the symbol in the template for a state of a phase, a plan or a session; the default is the
// empty circle.
var icons = map[any]string{
	overview.PhaseComplete:   "done",
	overview.PhaseInProgress: "half",
	overview.PhaseDone:       "half",
	overview.PhaseDeferred:   "bar",
	overview.PlanDone:        "done",
	overview.PlanDue:         "half",
	overview.PlanInProgress:  "half",
	overview.PlanReady:       "next",
	answer.Finished:          "done",
	answer.Resume:            "half",
	answer.Stale:             "stale",
	answer.Corrupt:           "stale",
}

func icon(state any) string {
	if name, ok := icons[state]; ok {
		return name
	}
	return "open"
}

// facts describes how far the project and its phase are.
func facts(at overview.Position) []string {
	var all []string
	if at.Phase != "" && at.PhaseIndex > 0 {
		all = append(all, "the "+view.Ordinal(at.PhaseIndex)+" of "+view.Count(at.Phases, "phase"))
	}
	switch {
	case at.Phase == "":
	case at.Plan > 0:
		all = append(all, fmt.Sprintf("plan %d of %d", at.Plan, at.Plans))
	case at.Plans == 0:
		all = append(all, "no plan in it yet")
	case at.PlansDone >= at.Plans:
		all = append(all, "all its plans are done")
	}
	if at.Phases > 0 && at.AllPlans == 0 { // else see view.Shares
		all = append(all, view.PhaseShare(at))
	}
	return all
}

// noPlan says what to do if there is no next plan.
func noPlan(n *answer.Next) string {
	switch {
	case n.Verification != "" && view.IsUntested(n):
		return "Phase " + pageName(n.Phase) + " is not finished: its UAT is open."
	case n.Verification != "":
		return "Phase " + pageName(n.Phase) + " is not finished: its verification did not pass."
	case n.Phase != "":
		return "Phase " + pageName(n.Phase) + " has yet to be planned."
	case len(n.AlsoReady)+len(n.LeftOver) > 0: // left behind by the roadmap
		return "There is no next plan."
	case view.IsUnplanned(n):
		return "No plans yet."
	case view.IsPartial(n):
		return "No plan is left of those that were read."
	}
	return "No plans left."
}

// verdictWords is view.SessionState with a capital letter.
func verdictWords(s answer.Session) string {
	says := view.SessionState(s)
	first, n := utf8.DecodeRuneInString(says)
	return string(unicode.ToUpper(first)) + says[n:]
}

// task returns the name of a session's current task.
func task(s answer.Session) string { return pageText(view.TaskTitle(s.Resume.Name, s.Resume.Number)) }

// processName returns the process and the machine of a run, "" if unknown.
func processName(r status.UserRun) string {
	if where := view.RunWhere(&r.Run); where != "-" {
		return pageText(where)
	}
	return ""
}

// lastSeen is when a run was last active, or zero if it is known to be alive.
func lastSeen(r status.UserRun) time.Time {
	if r.Seen.Equal(r.Started) || r.State != run.StateUnknown && r.State != run.StateCrashed {
		return time.Time{}
	}
	return r.Seen
}

// runSays is the state of an open run in words, with a note.
type runSays struct{ Icon, State, Note string }

func runWords(r status.UserRun) runSays {
	switch {
	case r.State == run.StateActive:
		return runSays{"next", "At work", ""}
	case r.State == run.StateIdle:
		return runSays{"open", "Idle", "It is alive, but does not hold the lease."}
	case r.State == run.StateCrashed:
		return runSays{"stale", "Crashed", "Its process is gone, and no end was recorded."}
	case r.Expired:
		return runSays{"bar", "May have ended", "It cannot be checked from here whether it is alive, and its time to live has expired."}
	}
	return runSays{"bar", "May be at work", "It cannot be checked from here whether it is alive."}
}
