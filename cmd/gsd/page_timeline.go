package main

import (
	"cmp"
	"slices"
	"strings"
	"time"

	"github.com/gsd-cli/gsd/hydrate"
)

// timelineView is the plans by their commits, grouped by phase in the order of the phases. Places are in
// percent of the time that is shown, for SVG.
type timelineView struct {
	Plans     int
	From, To  string
	Ticks     []tickView
	Groups    []timelineGroup
	ShowsOpen bool // some plan is not finished: the legend explains how that looks
	ShowsTill bool // some summary came later than the last other commit
}

type tickView struct {
	X           string
	Label, Over string // Over is the larger unit, where it changes
}

type timelineGroup struct {
	Number, Name string
	Rows         []spanView
}

type spanView struct {
	ID, Title  string // Title is the row's accessible name
	Dated      bool
	X1, X2     string
	Till       string // where the summary came later than the last other commit
	Done       bool
	When, Work string
}

func newTimeline(s *hydrate.Status) *timelineView {
	if len(s.Timeline) == 0 {
		return nil
	}
	spans := make([]hydrate.Span, len(s.Timeline))
	for i, span := range s.Timeline {
		spans[i] = inOrder(span)
	}
	from, to, dated := reach(spans)
	a := newAxis(from, to)
	v := &timelineView{Plans: len(spans)}
	if dated {
		v.From, v.To, v.Ticks = day(from), day(to), a.ticks()
	}
	rank := phaseRanks(s, spans)
	order := make([]int, len(spans))
	for i := range order {
		order[i] = i
	}
	slices.SortStableFunc(order, func(i, j int) int {
		a, b := spans[i], spans[j]
		return cmp.Or(cmp.Compare(rank[i], rank[j]), a.First.Compare(b.First), cmp.Compare(a.ID, b.ID))
	})
	last := -1
	for _, i := range order {
		if rank[i] != last {
			last = rank[i]
			g := timelineGroup{Number: pageName(spans[i].Phase)}
			if last < len(s.Phases) {
				g.Number, g.Name = pageName(s.Phases[last].Number), pageText(s.Phases[last].Name)
			}
			v.Groups = append(v.Groups, g)
		}
		g := &v.Groups[len(v.Groups)-1]
		row := newSpan(spans[i], a)
		g.Rows = append(g.Rows, row)
		v.ShowsOpen, v.ShowsTill = v.ShowsOpen || !row.Done, v.ShowsTill || row.Till != ""
	}
	return v
}

// inOrder gives a span whose first commit is not after its last: clocks differ, and a commit may have none.
func inOrder(s hydrate.Span) hydrate.Span {
	s.First, s.Last, s.Finished = inCalendar(s.First), inCalendar(s.Last), inCalendar(s.Finished)
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

// reach is from the first commit of all to the last.
func reach(spans []hydrate.Span) (from, to time.Time, dated bool) {
	for _, s := range spans {
		if s.First.IsZero() {
			continue
		}
		if !dated || s.First.Before(from) {
			from = s.First
		}
		for _, t := range []time.Time{s.Last, s.Finished} {
			if !dated || t.After(to) {
				to, dated = t, true
			}
		}
	}
	return from, to, dated
}

// phaseRanks gives for each span the index of its phase, by the plan's path and else by the phase's number;
// those of unknown phases come behind, as they first appear.
func phaseRanks(s *hydrate.Status, spans []hydrate.Span) []int {
	byPath, byNumber := map[string]int{}, map[string]int{}
	for i, ph := range s.Phases {
		for _, p := range ph.Plans {
			byPath[p.Path] = i
		}
		if _, ok := byNumber[bare(ph.Number)]; !ok {
			byNumber[bare(ph.Number)] = i
		}
	}
	ranks := make([]int, len(spans))
	unknown := len(s.Phases)
	for i, span := range spans {
		rank, ok := byPath[span.Path]
		if !ok {
			rank, ok = byNumber[bare(span.Phase)]
		}
		if !ok {
			rank, unknown = unknown, unknown+1
			byNumber[bare(span.Phase)] = rank
		}
		ranks[i] = rank
	}
	return ranks
}

func bare(number string) string { return strings.TrimLeft(number, "0") }

func newSpan(s hydrate.Span, a axis) spanView {
	v := spanView{ID: pageName(s.ID), Done: s.Done, Work: count(s.Commits, "commit")}
	if v.ID == "" {
		v.ID = newPlan(hydrate.StatusPlan{Path: s.Path}).ID
	}
	state := "not finished"
	if s.Done {
		state = "finished"
		if !s.Finished.IsZero() {
			state += " " + exact(s.Finished)
		}
	}
	if s.First.IsZero() {
		v.When = "no date"
		v.Title = v.ID + ": " + v.Work + " without a date, " + state
		return v
	}
	v.Dated, v.X1, v.X2, v.When = true, a.place(s.First), a.place(s.Last), when(s.First, s.Last)
	span := "on " + exact(s.First)
	if !s.First.Equal(s.Last) {
		span = "from " + exact(s.First) + " to " + exact(s.Last)
	}
	v.Title = v.ID + ": " + v.Work + " " + span + ", " + state
	if s.Finished.After(s.Last) {
		v.Till = a.place(s.Finished)
	}
	return v
}

func day(t time.Time) string { return t.UTC().Format("2 Jan 2006") }

// when says from when to when, and nothing twice.
func when(from, to time.Time) string {
	from, to = from.UTC(), to.UTC()
	switch {
	case day(from) != day(to) && from.Year() != to.Year():
		return day(from) + " – " + day(to)
	case day(from) != day(to):
		return from.Format("2 Jan") + " – " + day(to)
	case from.Format("15:04") != to.Format("15:04"):
		return day(from) + ", " + from.Format("15:04") + " – " + to.Format("15:04")
	}
	return day(from) + ", " + from.Format("15:04")
}
