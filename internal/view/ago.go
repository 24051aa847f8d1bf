package view

import (
	"fmt"
	"time"
)

// Ago returns the age of t at now, in the largest unit that makes it two or more.
func Ago(t, now time.Time) string {
	seconds := now.Unix() - t.Unix() // a Duration would end at 292 years
	form := "%s ago"
	if seconds < 0 { // another machine's clock is ahead
		seconds, form = -seconds, "%s from now"
	}
	for _, unit := range []struct {
		seconds int64
		name    string
	}{
		{365 * 86400, "year"},
		{30 * 86400, "month"},
		{7 * 86400, "week"},
		{86400, "day"},
		{3600, "hour"},
		{60, "minute"},
	} {
		if n := seconds / unit.seconds; n >= 2 || n == 1 && unit.seconds == 60 {
			return fmt.Sprintf(form, Count(int(n), unit.name))
		}
	}
	return "just now"
}
