package main

import (
	"math"
	"time"
)

// axis is the time that the timeline shows, in seconds since 1970: a Duration would end at 292 years, and a
// commit may be of any year.
type axis struct{ from, to int64 }

// newAxis reaches a little beyond both ends, and over five minutes at least.
func newAxis(from, to time.Time) axis {
	a := axis{from.Unix(), to.Unix()}
	if least := int64(5 * 60); a.to-a.from < least {
		a.from -= (least - (a.to - a.from)) / 2
		a.to = a.from + least
	}
	margin := max((a.to-a.from)/100, 1)
	return axis{a.from - margin, a.to + margin}
}

// place is where t stands, in percent.
func (a axis) place(t time.Time) string {
	f := 100 * float64(t.Unix()-a.from) / float64(a.to-a.from)
	return decimal(math.Min(math.Max(f, 0), 100))
}

// step is a distance between ticks: seconds, months or years, the other two being 0.
type step struct {
	seconds     int64
	months      int
	years       int
	label, over string // layouts of time.Format; over is the larger unit
}

const (
	clock  = "15:04"
	inDay  = "2 Jan 2006"
	inYear = "2006"
)

var steps = []step{
	{seconds: 60, label: clock, over: inDay},
	{seconds: 5 * 60, label: clock, over: inDay},
	{seconds: 15 * 60, label: clock, over: inDay},
	{seconds: 30 * 60, label: clock, over: inDay},
	{seconds: 3600, label: clock, over: inDay},
	{seconds: 3 * 3600, label: clock, over: inDay},
	{seconds: 6 * 3600, label: clock, over: inDay},
	{seconds: 12 * 3600, label: clock, over: inDay},
	{seconds: 86400, label: "2 Jan", over: inYear},
	{seconds: 2 * 86400, label: "2 Jan", over: inYear},
	{seconds: 7 * 86400, label: "2 Jan", over: inYear},
	{seconds: 14 * 86400, label: "2 Jan", over: inYear},
	{months: 1, label: "Jan", over: inYear},
	{months: 3, label: "Jan", over: inYear},
	{months: 6, label: "Jan", over: inYear},
}

// mostTicks is how many labels stand side by side in the narrowest timeline.
const mostTicks = 7

// ticks are at round times: the smallest step of which there are not too many.
func (a axis) ticks() []tickView {
	for _, s := range steps {
		if at := a.at(s); at != nil {
			return a.views(s, at)
		}
	}
	for power := 1; ; power *= 10 { // a calendar's 10,000 years end it
		for _, n := range []int{1, 2, 5} {
			s := step{years: n * power, label: inYear}
			if at := a.at(s); at != nil {
				return a.views(s, at)
			}
		}
	}
}

// at gives the ticks of a step, nil where they are too many.
func (a axis) at(s step) []time.Time {
	at := []time.Time{}
	for t := s.first(a.from); t.Unix() <= a.to; t = s.after(t) {
		if t.Unix() < a.from {
			continue
		}
		if at = append(at, t); len(at) > mostTicks {
			return nil
		}
	}
	return at
}

// first is a round time not after from, or the one behind it.
func (s step) first(from int64) time.Time {
	t := time.Unix(from, 0).UTC()
	switch {
	case s.years > 0:
		return time.Date(t.Year()-t.Year()%s.years, 1, 1, 0, 0, 0, 0, time.UTC)
	case s.months > 0:
		return time.Date(t.Year(), t.Month()-(t.Month()-1)%time.Month(s.months), 1, 0, 0, 0, 0, time.UTC)
	}
	const monday = 4 * 86400 // the first of 1970 is the Thursday's fifth day: weeks begin on a Monday
	shift := int64(0)
	if s.seconds%(7*86400) == 0 {
		shift = monday
	}
	return time.Unix((from-shift)/s.seconds*s.seconds+shift, 0).UTC()
}

func (s step) after(t time.Time) time.Time {
	if s.seconds > 0 {
		return t.Add(time.Duration(s.seconds) * time.Second)
	}
	return t.AddDate(s.years, s.months, 0)
}

func (a axis) views(s step, at []time.Time) []tickView {
	var all []tickView
	over := ""
	for _, t := range at {
		v := tickView{X: a.place(t), Label: t.Format(s.label)}
		if s.over != "" && t.Format(s.over) != over {
			over = t.Format(s.over)
			v.Over = over
		}
		all = append(all, v)
	}
	return all
}
