package roadmap

// state_activity.go: the value of `Last activity:`, `2026-01-18 — Completed 03-01-PLAN.md`, with any dash, with a
// time, with no words, or with the date behind: `Phase 7 reviewed (2026-01-18)`.

import (
	"strings"
	"time"
)

// stateActivity is the value in parts.
type stateActivity struct {
	date  time.Time
	clock string // what follows the date at once: ` 14:30`, `T14:30:00Z`
	dash  string // ` — `
	what  string
	last  bool // the date stands behind, in a bracket
}

// cutStateActivity reads a value; false where it has no date.
func cutStateActivity(s string) (stateActivity, bool) {
	var v stateActivity
	var ok bool
	if v.date, ok = stateDate(s); !ok {
		open := strings.LastIndex(s, " (")
		if open < 0 || !strings.HasSuffix(s, ")") || len(s)-open != len(" (2006-01-02)") {
			return v, false
		}
		v.date, ok = stateDate(s[open+2:])
		v.what, v.last = s[:open], true
		return v, ok
	}
	rest := s[10:]
	end := strings.IndexByte(rest, ' ')
	switch {
	case strings.HasPrefix(rest, "T"):
		if end < 0 {
			end = len(rest)
		}
		v.clock, rest = rest[:end], rest[end:]
	case len(rest) >= 6 && rest[0] == ' ' && digits(rest[1:]) == 2 && rest[3] == ':' && digits(rest[4:]) == 2:
		end = 6
		if len(rest) >= 9 && rest[6] == ':' && digits(rest[7:]) == 2 {
			end = 9
		}
		v.clock, rest = rest[:end], rest[end:]
	}
	if dash, what, ok := cutStateDash(rest); ok {
		v.dash, v.what = dash, what
		return v, true
	}
	if strings.HasPrefix(rest, ": ") {
		v.dash, v.what = ": ", rest[2:]
		return v, true
	}
	if rest != "" && rest[0] != ' ' {
		return v, false
	}
	if v.what = strings.TrimLeft(rest, " "); v.what != "" {
		v.dash = rest[:len(rest)-len(v.what)]
	}
	return v, true
}

// stateDate reads the date at the start of s.
func stateDate(s string) (time.Time, bool) {
	if len(s) < 10 || len(s) > 10 && isWord(s[10]) && s[10] != 'T' {
		return time.Time{}, false
	}
	t, err := time.Parse(time.DateOnly, s[:10])
	return t, err == nil
}

// activity is the rule of `Last activity:`. A file that knows of one as late is right.
func (u stateUpdate) activity(old string) string {
	p := u.p
	year := p.LastActivity.Year()
	if p.LastActivity.IsZero() || year < 1000 || year > 9999 {
		return old
	}
	date := p.LastActivity.Format(time.DateOnly)
	v, ok := cutStateActivity(old)
	if !ok {
		if !statePlaceholder(old) {
			return old
		}
		if p.LastWhat != "" {
			date += " — " + p.LastWhat
		}
		return date
	}
	day, _ := time.Parse(time.DateOnly, date)
	if !v.date.Before(day) {
		return old // of the same day what somebody wrote says more than a commit's subject
	}
	switch {
	case v.last && p.LastWhat != "":
		return p.LastWhat + " (" + date + ")"
	case v.last, v.what == "" && v.clock == "":
		return date
	}
	date += stateClock(p.LastActivity, v.clock)
	if v.what == "" || p.LastWhat == "" {
		return date // the old words are about another day
	}
	if strings.TrimSpace(v.dash) == "" {
		v.dash = " — "
	}
	return date + v.dash + p.LastWhat
}

// stateClock writes the time of day as its predecessor was written.
func stateClock(t time.Time, like string) string {
	switch {
	case like == "":
		return ""
	case like[0] == 'T' && strings.HasSuffix(like, "Z"):
		if t.UTC().Format(time.DateOnly) != t.Format(time.DateOnly) {
			return "" // the date is that of its own time zone
		}
		return t.UTC().Format("T15:04:05Z")
	case like[0] == 'T':
		return t.Format("T15:04:05Z07:00")
	case len(like) == 9:
		return t.Format(" 15:04:05")
	}
	return t.Format(" 15:04")
}
