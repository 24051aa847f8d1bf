package main

import (
	"strconv"
	"strings"
	"time"
	"unicode"
	"unicode/utf8"

	"github.com/gsd-cli/gsd/hydrate"
)

// pageText is a text of .planning/ as it stands on the page: one line of at most 200 characters, without
// noncharacters, which XML knows nothing of, and without letters that pile up marks over other lines.
func pageText(s string) string {
	const mostMarks = 4
	marks := 0
	return cut(strings.Map(func(r rune) rune {
		if r&0xfffe == 0xfffe || r >= 0xfdd0 && r <= 0xfdef {
			return -1
		}
		if !unicode.In(r, unicode.Mn, unicode.Me) {
			marks = 0
		} else if marks++; marks > mostMarks {
			return -1
		}
		return r
	}, line(s)), longestName)
}

// pageName is what stands in a narrow column: an id, a number, a state.
func pageName(s string) string {
	const longest = 48
	return cut(pageText(s), longest)
}

// pageTime is a moment for a <time> element; ISO is empty where there is none.
type pageTime struct{ ISO, Exact, Ago string }

func newPageTime(t, now time.Time) pageTime {
	if t = inCalendar(t); t.IsZero() {
		return pageTime{}
	}
	t = t.UTC()
	return pageTime{ISO: t.Format(time.RFC3339), Exact: exact(t), Ago: ago(t, now)}
}

// inCalendar gives no time for one that a calendar does not have: git and file systems keep any number.
func inCalendar(t time.Time) time.Time {
	if year := t.UTC().Year(); year < 1 || year > 9999 {
		return time.Time{}
	}
	return t
}

func exact(t time.Time) string { return t.UTC().Format("2006-01-02 15:04 UTC") }

// percent is done of total for a width in SVG, from 0 to 100.
func percent(done, total int) string {
	if total <= 0 || done <= 0 {
		return "0"
	}
	return decimal(100 * float64(min(done, total)) / float64(total))
}

func decimal(f float64) string {
	return strings.TrimSuffix(strings.TrimRight(strconv.FormatFloat(f, 'f', 2, 64), "0"), ".")
}

// icons names the symbol in the template that repeats a state; what is not in it has the empty circle.
var icons = map[string]string{
	hydrate.PhaseComplete:   "done",
	hydrate.PhaseInProgress: "half",
	hydrate.PhaseDeferred:   "bar",
	hydrate.PlanDone:        "done",
	hydrate.PlanInFlight:    "half",
	hydrate.PlanReady:       "next",
}

func icon(state string) string {
	if name, ok := icons[state]; ok {
		return name
	}
	return "open"
}

// milestoneName is a milestone's version as it is written and its name; no name says its version twice.
func milestoneName(m hydrate.Milestone) string {
	version, name := pageText(m.Label), pageText(m.Name)
	if rest, ok := strings.CutPrefix(name, version); ok && (rest == "" || rest[0] == ' ') {
		version = ""
	}
	if name = strings.TrimSpace(version + " " + name); name == "" {
		return "A milestone without a name"
	}
	return cut(name, longestName)
}

// sentence begins with a capital letter, as texts of the page do.
func sentence(s string) string {
	first, n := utf8.DecodeRuneInString(s)
	if n == 0 {
		return s
	}
	return string(unicode.ToUpper(first)) + s[n:]
}
