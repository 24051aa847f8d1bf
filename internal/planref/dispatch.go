package planref

// dispatch.go: prompts of agents that other agents start.

import (
	"regexp"
	"slices"
	"strings"
	"sync"
)

// A Dispatch is what the prompt of an agent says of the plan that it is to carry out. Whether there is such a plan, the caller knows.
type Dispatch struct {
	ID      string   // what the request calls it: 01-02, or the stem of its file
	File    string   // its file, where the request names that
	Paths   []string // all files of plans that the prompt names, in the order of the text and without repetition
	Project string   // the directory of the project that the prompt names, an absolute path; empty for none
}

const (
	// requestBytes is how much of a prompt is looked at for the request: it comes first, and a prompt may be as long as a book.
	requestBytes = 2000
	// maxMentions is how many plans and files of plans are looked at.
	maxMentions = 200
)

// ParseDispatch reports whether a prompt asks to carry out a plan, all that is left of it, and what it says of the plan. Upstream marks such
// prompts (gsd-core 1.14, hooks/lib/dispatch-identity.js), but not those for quick tasks; without the mark, a line of the request has to begin
// with a verb that means so, and its object has to be the plan, not something about it: a brief of a plan's next task given to an agent that is
// to review the plan, or to carry out one task of it, would lead it to work on the rest. Every rule here is one that a prompt of
// testdata/prompts.txt needs.
func ParseDispatch(prompt string) (d Dispatch, ok bool) {
	if _, mark, marked := strings.Cut(prompt, dispatchMark); marked { // the prompt of every conversation comes here, and to compile takes longer
		of := map[string]string{}
		mark, _, _ = strings.Cut(mark, "]")
		for _, pair := range dispatchPair().FindAllStringSubmatch(mark, maxMentions) {
			of[pair[1]] = pair[2]
		}
		d.ID, _ = dispatchID(of["phase"], of["plan"])
	}
	request := prompt[:min(len(prompt), requestBytes)]
	ok = d.ID != ""
	for line := range strings.Lines(request) {
		if verb := dispatchVerb().FindStringIndex(line); !ok && verb != nil {
			ok = d.setObject(line[verb[1]:])
		}
	}
	if !ok {
		return Dispatch{}, false
	}
	if m := dispatchProject().FindStringSubmatch(request); m != nil {
		d.Project = m[1]
	}
	for _, file := range planFile().FindAllString(prompt, maxMentions) {
		if !slices.Contains(d.Paths, file) {
			d.Paths = append(d.Paths, file)
		}
	}
	return d, true
}

// setObject sets the plan that is the object of a request, what follows its verb. It reports whether a plan is the object: the first that is named
// there.
func (d *Dispatch) setObject(object string) bool {
	from, to := len(object), len(object)
	var id, file string
	for _, m := range dispatchWords().FindAllStringSubmatchIndex(object, maxMentions) {
		group := func(n int) string { return object[max(m[2*n], 0):max(m[2*n+1], 0)] }
		called, ok := dispatchID(group(1)+group(4), group(2)+group(3))
		if ok {
			from, to, id = m[0], m[1], called
			break
		}
	}
	if at := planFile().FindStringIndex(object); at != nil && at[0] < from {
		from, to, id, file = at[0], at[1], "", object[at[0]:at[1]]
	}
	switch {
	case from == len(object):
		return dispatchOther().MatchString(object)
	case !dispatchLeads().MatchString(object[:from]) || dispatchPart().MatchString(object[to:]):
		return false
	}
	d.ID, d.File = id, file
	return true
}

// dispatchID returns the id of a plan by what it is called: by its number with that of its phase, after which its slug may stand, or by an id of
// its own. It is empty for a number without a phase. ok reports whether that is what a plan may be called.
func dispatchID(phase, plan string) (id string, ok bool) {
	plan = strings.TrimRight(plan, ".,:;")
	n, rest, isNumber := CutNumber(plan)
	of, _, hasPhase := CutPhase(phase)
	switch {
	case isNumber && strings.HasPrefix(rest, "-"), customRef(plan) != Ref{}:
		return plan, true
	case isNumber && rest == "" && hasPhase:
		return of.Padded() + "-" + n.Padded(), true
	}
	return "", isNumber && rest == ""
}

// dispatchMark begins the mark of upstream's dispatches, and dispatchPair matches what is in it.
const dispatchMark = "[gsd:dispatch "

var dispatchPair = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`\b([a-z]+)="([^"\r\n]*)"`) })

// What a request consists of. Tags and polite words may come before its verb, but no mark of a quotation.
var (
	dispatchVerb = sync.OnceValue(func() *regexp.Regexp {
		return regexp.MustCompile(`(?i)^(?:\s|<[^<>]*>)*(?:(?:[\w ]+, )?please |could you |you are |[/$]gsd[:-])?` +
			`(?:execut(?:e-plan|e|ing)|continue|resume|finish|implement|run|start)\b`)
	})
	// dispatchLeads matches what may stand between the verb and the plan.
	dispatchLeads = sync.OnceValue(func() *regexp.Regexp {
		return regexp.MustCompile("(?i)^(?:[\\s:`]|\\b(?:executing|execution|of|with|gsd|the|plan|at)\\b)*$")
	})
	// dispatchWords matches a plan in a request: `plan 01 of phase 02.1-auth`, `phase 2, plan 1`, and 02.1-01 after the verb.
	dispatchWords = sync.OnceValue(func() *regexp.Regexp {
		const phase = `phase\s+([0-9A-Za-z][0-9A-Za-z._-]*)`
		return regexp.MustCompile("(?i)(?:\\b" + phase + ",?\\s+)?(?:\\bplan\\s+`?([0-9A-Za-z][0-9A-Za-z._-]*)`?|^\\s+([0-9][0-9.]*-[0-9][0-9A-Za-z._-]*))" +
			`(?:,?\s+(?:(?:of|for)\s+)?` + phase + `)?`)
	})
	// dispatchPart matches what makes a part of the plan of it: `, task 3 only`.
	dispatchPart = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`(?i)^,?\s+(?:task\s|§)`) })
	// dispatchOther matches an object that is a plan which only a path further down names.
	dispatchOther = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`(?i)^\s+(?:quick[ -]|gsd plan in\b)`) })
	// dispatchProject matches the project that a prompt names by its directory.
	dispatchProject = sync.OnceValue(func() *regexp.Regexp {
		return regexp.MustCompile("(?i)\\bproject(?: path:)?\\s+((?:[a-z]:)?[/\\\\][^\\s\"'`<>]*)")
	})
)

// planFile matches the name of a file that may be a plan's, with the directories before it. A variable's closing brace ends what comes
// before it: ${PROJECT_ROOT}/.planning/…
var planFile = sync.OnceValue(func() *regexp.Regexp {
	return regexp.MustCompile("[^\\s\"'`<>()\\[\\]{}|,;=]*PLAN[^\\s\"'`<>()\\[\\]{}|,;=/\\\\]*\\.md\\b")
})
