package statefile

// values.go: the forms of values in the template and of those that upstream's commands write (state-transition.cjs). A
// value in another form is its author's own: it is read as far as it begins with a known form, and never replaced.

import (
	"regexp"
	"slices"
	"strconv"
	"strings"
	"sync"
	"unicode/utf8"

	"github.com/gsd-cli/gsd/internal/planref"
)

// value is a parsed value; each kind of line has some of the fields.
type value struct {
	own   bool           // its author's own: in another form, or continued on the next line
	none  bool           // not filled in yet
	phase planref.Number // of a phase, or of a status that names one
	title string         // of the phase
	stage stage          // of a status
	plans []int          // that a status names

	phases []planref.Number // that a status names
	date   string           // of an activity
	what   string           // the activity on that date
	n      int              // a plan, a count or a percentage; -1 if unknown
	total  int              // of the phases or plans; -1 if a command wrote TBD
	width  int              // of a percentage's bar
}

// unfilled are the values that are not filled in, in lower case: the template's own, and those that commands reset to.
var unfilled = []string{
	"", "none", "not started", beginMilestone, "—", "[x] of [y] ([phase name])", "[a] of [b] in current phase",
	"[ready to plan / planning / ready to execute / in progress / phase complete]", "[yyyy-mm-dd] — [what happened]",
}

// beginMilestone is what upstream's command for a new milestone writes as the phase, in lower case.
const beginMilestone = "not started (defining requirements)"

// maxValue is the maximum length in bytes of a value that is parsed; the longest real one has 564.
const maxValue = 4 << 10

// form is the regular expression of a form. Its groups are named like the fields of value; own is text beyond the form.
type form func() *regexp.Regexp

func newForm(expr string) form {
	return sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(expr) })
}

var (
	// `2 of 5 (Core)` and `2 (Core) — EXECUTING`. The number is of a form that upstream reads in full (phase-id.cjs,
	// parsePhaseFromProse).
	phaseForm = newForm(`^(?P<own>(?i)phase )?(?P<phase>\d+[A-Za-z]?(?:\.\d+)*)\b(?: of (?P<total>\d{1,6})\b)?` +
		`(?: \((?P<title>[^()]+)\))?(?: — (?:EXECUTING|READY TO EXECUTE|COMPLETE))?(?P<own>.*)$`)
	// `1 of 3 in current phase`, `1 of 3`, `1`; agents end it as upstream ends the phase
	planForm = newForm(`^(?P<n>\d{1,6})(?: of (?P<total>\d{1,6}\b|TBD|\?))?(?: in current phase)?(?: — COMPLETE)?(?P<own>.*)$`)
	// `2026-01-18 — Completed 03-01-PLAN.md`, or only the date
	activityForm = newForm(`^(?P<date>\d{4}-\d\d-\d\d)(?: (?:—|--|-) (?P<what>.+))?(?P<own>.*)$`)
	// `[████░░░░░░] 40%`, `40%`, or a percentage after other text
	progressForm = newForm(`^(?:\[(?P<bar>█*░*)\] |(?P<own>.*?[^\d.]))?(?P<n>\d{1,3})%(?P<own>.*)$`)
	countForm    = newForm(`^(?P<n>\d{1,6})(?P<own>.*)$`)
	// any text; some begin with a time or a date
	textForm = newForm(`^(?P<date>\d{4}-\d\d-\d\d(?:[ T]\d\d:\d\d\S*)?)?`)
	// `phase 4`, `plan 1`, in a status in lower case
	namesForm = newForm(`\b(phase|plan) (\d{1,6}(?:[a-z]?(?:\.\d+)*\b))`)
	// a line that upstream adds to a list when a plan is finished: a decision, or the time of the plan (state.cjs, add-decision and
	// record-metric)
	listed = newForm(`^(?:- \[Phase [^\]]+\]: |\| Phase [^|\s]+ P\S*\d \|)(?s:.*)\n$`)
	// a commit's hash, of any length that upstream reads
	headForm = newForm(`^(?:[0-9a-fA-F]{4,40}$)?(?P<own>.*)$`)
)

// read parses a value.
func (f form) read(s string) value {
	var groups []string
	if slices.Contains(unfilled, strings.ToLower(s)) {
		return value{none: true, width: 10}
	} else if len(s) <= maxValue {
		groups = f().FindStringSubmatch(s)
	}
	if groups == nil {
		return value{own: true, n: -1, width: 10}
	}
	text := map[string]string{}
	for i, name := range f().SubexpNames() {
		text[name] += groups[i]
	}
	phase, _ := planref.ParseNumber(text["phase"])
	return value{
		own: text["own"] != "", phase: phase, title: text["title"], date: strings.Replace(text["date"], "T", " ", 1), what: text["what"],
		n: integer(text["n"]), total: integer(text["total"]), width: utf8.RuneCountInString(text["bar"]),
	}
}

// integer parses s; it returns 0 if s is empty and -1 if it is not a number.
func integer(s string) int {
	n, err := strconv.Atoi(s)
	if err != nil && s != "" {
		return -1
	}
	return n
}

// drawProgress draws a bar as upstream does. Only 100 % is a full one.
func drawProgress(percent, width int) string {
	text := strconv.Itoa(percent) + "%"
	if width == 0 {
		return text
	}
	n := (percent*width + 50) / 100
	if percent < 100 {
		n = min(n, width-1)
	}
	return "[" + strings.Repeat("█", n) + strings.Repeat("░", width-n) + "] " + text
}

// stage is the progress that a status states. Later stages are greater.
type stage int

const (
	ownWords stage = iota // a status that neither the template nor a command has
	unstated
	toPlan
	toExecute
	running
	checking // the phase is done except for the work of people
	closed
	paused // or discussed: only people know when that is over
)

// stages maps the statuses of the template and of upstream's commands, in lower case and without the phase's number
// (state-document.cjs, STATUS_EXACT_TOKENS and STATUS_ANCHORED_PATTERNS), and those of front matter to their stages.
var stages = map[string]stage{
	"unknown":       unstated,
	"ready to plan": toPlan, "planning": toPlan, "planning phase": toPlan, "defining requirements": toPlan,
	"planning complete": toExecute, "ready to execute": toExecute,
	"in progress": running, "executing": running, "executing phase": running, "active": running,
	"verifying": checking, "verifying phase": checking, "phase complete": checking, "phase complete — ready for verification": checking,
	"complete": checking, "completed": checking, "done": checking, "complete ✓": checking, "complete ✅": checking,
	"all phases complete": closed, "milestone complete": closed, "awaiting next milestone": closed,
	"paused": paused, "stopped": paused, "discussing": paused,
}

// readStatus parses the value of `Status:` or of the key status.
func readStatus(s string) value {
	s = strings.ToLower(s)
	if slices.Contains(unfilled, s) {
		return value{none: true, stage: unstated}
	}
	var v value
	for _, name := range namesForm().FindAllStringSubmatch(s[:min(len(s), maxValue)], -1) {
		if n, ok := planref.ParseNumber(name[2]); name[1] == "phase" && ok {
			v.phases = append(v.phases, n)
		} else if name[1] == "plan" {
			v.plans = append(v.plans, integer(name[2]))
		}
	}
	if len(v.phases) > 0 {
		v.phase = v.phases[0]
	}
	v.stage = stages[namesForm().ReplaceAllString(s, "$1")]
	if version, ok := strings.CutSuffix(s, " milestone complete"); ok && !strings.Contains(version, " ") {
		v.stage = closed
	}
	v.own = v.stage == ownWords
	return v
}

// implied are the facts that a status of a stage states besides itself: the plans are done, or all that the milestone counts is.
var implied = map[stage]fact{checking: ofPlan, closed: ofPlan | ofCounts}

// tokens maps the stages of the statuses of a Position to upstream's tokens for front matter (state-md-schema.cjs,
// STATUS_LIFECYCLE_ENUM).
var tokens = map[stage]string{ownWords: "unknown", toPlan: "planning", toExecute: "executing", running: "executing", closed: "completed"}
