package page

import "time"

// axis is the time that the timeline shows, in seconds since 1970: a Duration would end at 292 years, and a
// commit may be of any year.
type axis struct{ from, to int64 }

// newAxis returns an axis that extends a little beyond both ends, and spans at least five minutes.
func newAxis(from, to time.Time) axis {
	a := axis{from.Unix(), to.Unix()}
	if least := int64(5 * 60); a.to-a.from < least {
		a.from -= (least - (a.to - a.from)) / 2
		a.to = a.from + least
	}
	margin := max((a.to-a.from)/100, 1)
	return axis{a.from - margin, a.to + margin}
}

// place returns the position of t, in percent.
func (a axis) place(t time.Time) string {
	return decimal(100 * float64(t.Unix()-a.from) / float64(a.to-a.from))
}

// unit is the unit of the distance between ticks.
type unit int64

const (
	second unit = iota
	month
)

// scales are the distances between ticks, the smallest first, with the layouts of their labels and of the larger unit.
var scales = []struct {
	label, over string
	unit        unit
	steps       []int64
}{
	{"15:04", "2 Jan 2006", second, []int64{60, 5 * 60, 15 * 60, 30 * 60, 3600, 3 * 3600, 6 * 3600, 12 * 3600}},
	{"2 Jan", "2006", second, []int64{86400, 2 * 86400, 7 * 86400, 14 * 86400}},
	{"Jan", "2006", month, []int64{1, 3, 6}},
	{"2006", "", month, []int64{12, 24, 60, 120, 240, 600, 1200, 2400, 6000, 12000, 24000}}, // a calendar has 10,000 years
}

// ticks are at round times, with the smallest step that gives at most mostTicks.
func (a axis) ticks() []tick {
	for _, s := range scales {
		for _, step := range s.steps {
			var ticks []tick
			over := ""
			for _, t := range a.round(s.unit, step) {
				v := tick{X: a.place(t), Label: t.Format(s.label)}
				if larger := t.Format(s.over); larger != over {
					v.Over, over = larger, larger
				}
				ticks = append(ticks, v)
			}
			if ticks != nil {
				return ticks
			}
		}
	}
	return nil
}

// mostTicks is how many labels fit into the narrowest timeline.
const mostTicks = 7

// round returns the times that are a multiple of step units, or none if they are too many.
func (a axis) round(u unit, step int64) []time.Time {
	var all []time.Time
	for n := u.count(a.from) / step * step; u.time(n).Unix() <= a.to; n += step {
		if u.time(n).Unix() < a.from {
			continue
		}
		if all = append(all, u.time(n)); len(all) > mostTicks {
			return nil
		}
	}
	return all
}

// monday is the first one of 1970: weeks begin on a Monday. It is a multiple of the steps that are shorter than a week.
const monday = 4 * 86400

// count returns how many units lie between the unit's own beginning and a time.
func (u unit) count(seconds int64) int64 {
	if u == second {
		return seconds - monday
	}
	t := time.Unix(seconds, 0).UTC()
	return int64(12*t.Year()) + int64(t.Month()-time.January)
}

// time is the inverse of count.
func (u unit) time(n int64) time.Time {
	if u == second {
		return time.Unix(n+monday, 0).UTC()
	}
	return time.Date(0, time.January+time.Month(n), 1, 0, 0, 0, 0, time.UTC)
}
