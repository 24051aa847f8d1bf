package page

import (
	"cmp"
	"slices"
	"strings"
	"time"

	"github.com/gsd-cli/gsd/internal/planref"
	"github.com/gsd-cli/gsd/internal/status"
	"github.com/gsd-cli/gsd/internal/view"
)

// timeline is the plans by their commits, grouped by phase in the order of the phases. Places are in
// percent of the time that is shown, for SVG.
type timeline struct {
	From, To  string // days; empty where no commit has a date
	Ticks     []tick
	Groups    []spans
	ShowsOpen bool // some plan is not finished: the legend explains how that looks
	ShowsTill bool // some summary came later than the last other commit
}

type tick struct {
	X           string
	Label, Over string // Over is the larger unit, if it changes here
}

// spans are those of one phase.
type spans struct {
	Number, Name string
	Rows         []row
}

// row is a span with its position, which is empty if it has no date.
type row struct {
	status.Span
	X1, X2 string
	Till   string // where the summary came later than the last other commit
	phase  int    // its rank
}

// newTimeline returns nil if there is nothing to draw.
func newTimeline(s *status.Status) *timeline {
	if len(s.Timeline) == 0 {
		return nil
	}
	rank := phaseRanks(s)
	rows := make([]row, len(s.Timeline))
	for i, span := range s.Timeline {
		rows[i] = row{Span: inOrder(span), phase: rank(span)}
	}
	slices.SortStableFunc(rows, func(a, b row) int {
		return cmp.Or(cmp.Compare(a.phase, b.phase), planref.ComparePlans(a.Path, b.Path))
	})
	from, to := reach(rows)
	a := newAxis(from, to)
	line := &timeline{}
	if !from.IsZero() {
		line.From, line.To, line.Ticks = day(from), day(to), a.ticks()
	}
	last := -1
	for _, r := range rows {
		if r.phase != last {
			last = r.phase
			group := spans{Number: r.Phase}
			if last < len(s.Phases) {
				group.Number, group.Name = s.Phases[last].Number, s.Phases[last].Name
			}
			line.Groups = append(line.Groups, group)
		}
		if !r.First.IsZero() {
			r.X1, r.X2 = a.place(r.First), a.place(r.Last)
			if r.Finished.After(r.Last) {
				r.Till, line.ShowsTill = a.place(r.Finished), true
			}
		}
		line.ShowsOpen = line.ShowsOpen || !r.Done
		group := &line.Groups[len(line.Groups)-1]
		group.Rows = append(group.Rows, r)
	}
	return line
}

// inOrder returns a span whose first commit is not after its last: clocks differ, and a commit may have none.
func inOrder(s status.Span) status.Span {
	s.First, s.Last, s.Finished = view.InCalendar(s.First), view.InCalendar(s.Last), view.InCalendar(s.Finished)
	switch {
	case s.First.IsZero():
		s.First = s.Last
	case s.Last.IsZero():
		s.Last = s.First
	case s.Last.Before(s.First):
		s.First, s.Last = s.Last, s.First
	}
	return s
}

// reach returns the times of the first and the last commit; zero if none has a date.
func reach(rows []row) (from, to time.Time) {
	for _, r := range rows {
		if r.First.IsZero() {
			continue
		}
		if from.IsZero() || r.First.Before(from) {
			from = r.First
		}
		for _, t := range []time.Time{r.Last, r.Finished} {
			if t.After(to) {
				to = t
			}
		}
	}
	return from, to
}

// phaseRanks returns a function from a span to the index of its phase, by the plan's path and else by the phase's number;
// those of unknown phases come behind, as they first appear.
func phaseRanks(s *status.Status) func(status.Span) int {
	byPath, byNumber := map[string]int{}, map[string]int{}
	for i, ph := range s.Phases {
		for _, p := range ph.Plans {
			byPath[p.Path] = i
		}
		if _, ok := byNumber[bare(ph.Number)]; !ok {
			byNumber[bare(ph.Number)] = i
		}
	}
	unknown := len(s.Phases)
	return func(span status.Span) int {
		rank, ok := byPath[span.Path]
		if !ok {
			rank, ok = byNumber[bare(span.Phase)]
		}
		if !ok {
			rank, unknown = unknown, unknown+1
			byNumber[bare(span.Phase)] = rank
		}
		return rank
	}
}

func bare(number string) string { return strings.TrimLeft(number, "0") }

// spanTitle is the accessible name of a span.
func spanTitle(s status.Span) string {
	commits := "without a date"
	if !s.First.IsZero() {
		commits = "on " + exact(s.First)
	}
	if !s.First.Equal(s.Last) {
		commits = "from " + exact(s.First) + " to " + exact(s.Last)
	}
	state := "not finished"
	if s.Done {
		state = "finished"
		if !s.Finished.IsZero() {
			state += " " + exact(s.Finished)
		}
	}
	return label(s.ID, s.Path) + ": " + view.Count(s.Commits, "commit") + " " + commits + ", " + state
}

// markedWords says when a task began and ended, and how long that took.
func markedWords(m status.Marked) string {
	began, ended := view.InCalendar(m.Started), view.InCalendar(m.Ended)
	switch {
	case began.IsZero() && ended.IsZero():
		return "no date"
	case ended.IsZero():
		return "since " + exact(began)
	case began.IsZero():
		return "ended " + exact(ended) // complete or skipped
	}
	return exact(began) + " – " + exact(ended) + ", " + view.Lasted(m.Took)
}

func day(t time.Time) string { return t.UTC().Format("2 Jan 2006") }

// period is from when to when a span is, and says nothing twice.
func period(s status.Span) string {
	from, to := s.First.UTC(), s.Last.UTC()
	switch {
	case from.IsZero():
		return "no date"
	case day(from) != day(to) && from.Year() != to.Year():
		return day(from) + " – " + day(to)
	case day(from) != day(to):
		return from.Format("2 Jan") + " – " + day(to)
	case from.Format("15:04") != to.Format("15:04"):
		return day(from) + ", " + from.Format("15:04") + " – " + to.Format("15:04")
	}
	return day(from) + ", " + from.Format("15:04")
}
