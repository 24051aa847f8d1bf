package planref

// dispatch.go: prompts of agents that other agents start.

import (
	"path"
	"regexp"
	"slices"
	"strings"
	"sync"
)

// A Dispatch is what the prompt of an agent says of the plan that it is to carry out. Whether there is such a plan, the caller knows.
type Dispatch struct {
	ID      string   // what the request calls it: 01-02, or the name of its file
	Number  Number   // its number in a phase that the request does not name
	File    string   // the path of its file, where the request names that
	Paths   []string // all files of plans that the prompt names, in the order of the text and without repetition
	Project string   // the directory that the prompt names as the project or to work in, an absolute path; empty for none
}

const (
	// requestBytes is how much of a prompt is looked at for the request: it comes first, and a prompt may be as long as a book.
	requestBytes = 2000
	// maxMentions is how many plans and files of plans are looked at.
	maxMentions = 200
)

// ParseDispatch reports whether a prompt asks to carry out a plan, all that is left of it, and what it says of the plan. Upstream marks such
// prompts on a line of their own (gsd-core 1.14, hooks/lib/dispatch-identity.js), but not those for quick tasks; without the mark, a line of the
// request has to begin with a verb that means so, its object has to be the plan, and the sentence has to end after it or go on in one of few ways:
// a brief of a plan's next task given to an agent that is to review the plan, or to carry out one task of it, would lead it to work on the rest.
// Every rule here is one that a prompt of testdata/prompts.txt needs.
func ParseDispatch(prompt string) (d Dispatch, ok bool) {
	before, mark, marked := strings.Cut(prompt, dispatchMark) // the prompt of every conversation comes here, and to compile takes longer
	if marked && strings.TrimSpace(before[strings.LastIndexByte(before, '\n')+1:]) == "" {
		of := map[string]string{}
		mark, _, _ = strings.Cut(mark, "]")
		for _, pair := range dispatchPair().FindAllStringSubmatch(mark, maxMentions) {
			of[pair[1]] = pair[2]
		}
		d.ID, _, _ = dispatchID(of["phase"], of["plan"])
	}
	request := prompt[:min(len(prompt), requestBytes)]
	ok = d.ID != ""
	said, started := "", false // a line that introduces the paragraph after it, which is a task or a quotation
	for line := range strings.Lines(strings.TrimLeft(request, "-* \t\r\n")) {
		if strings.TrimSpace(line) == "" {
			if started {
				said, started = "", false
			}
			continue
		}
		line, started = said+line, said != ""
		if verb := dispatchVerb().FindStringIndex(line); !ok && verb != nil {
			ok = d.setObject(line[verb[1]:])
		}
		if introduces := strings.TrimRight(line, "* \t\r\n"); strings.HasSuffix(introduces, ":") {
			said, started = introduces+" ", false
		}
	}
	if !ok {
		return Dispatch{}, false
	}
	if m := dispatchProject().FindStringSubmatch(request); m != nil && d.Project == "" {
		d.Project = m[1]
	}
	for _, file := range planFile().FindAllString(prompt, maxMentions) {
		if !slices.Contains(d.Paths, file) {
			d.Paths = append(d.Paths, file)
		}
	}
	return d, true
}

// setObject sets the plan that is the object of a request, what follows its verb. It reports whether all of a plan is the object.
func (d *Dispatch) setObject(object string) bool {
	m := dispatchObject().FindStringSubmatch(object)
	if m == nil || dispatchPart().MatchString(m[7]) || dispatchPart().MatchString(m[9]) {
		return false
	}
	file, phase, plan, quick := m[1], m[2]+m[5], m[3]+m[4], m[6]
	switch {
	case strings.ContainsAny(file, `/\`):
		d.File = file
	case file != "":
		d.ID = file
	case quick != "":
		d.ID = "quick/" + quick
	case plan != "":
		var ok bool
		if d.ID, d.Number, ok = dispatchID(phase, plan); !ok {
			return false
		}
	}
	d.Project = m[8]
	return true
}

// dispatchID returns the id of a plan by what it is called: by its number with that of its phase, after which its slug may stand, or by an id of
// its own. For a number without a phase it returns that. ok reports whether that is what a plan may be called.
func dispatchID(phase, plan string) (id string, number Number, ok bool) {
	n, rest, isNumber := CutNumber(plan)
	of, _, hasPhase := CutPhase(phase)
	switch {
	case isNumber && strings.HasPrefix(rest, "-"), customRef(plan) != Ref{}:
		return plan, Number{}, true
	case isNumber && rest == "" && hasPhase:
		return of.Padded() + "-" + n.Padded(), Number{}, true
	case isNumber && rest == "":
		return "", n, true
	}
	return "", Number{}, false
}

// Means reports whether a plan at a path has the number by which a request calls its plan.
func (d Dispatch) Means(plan string) bool {
	n, _ := ParseName(path.Base(plan))
	own, _ := PhaseOfPlan(plan)
	return d.Number.IsZero() || Compare(n.In(own).Plan, d.Number) == 0
}

// dispatchMark begins the mark of upstream's dispatches, and dispatchPair matches what is in it.
const dispatchMark = "[gsd:dispatch "

var dispatchPair = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`\b([a-z]+)="([^"\r\n]*)"`) })

// What a request consists of. Tags, bold type and polite words may come before its verb, but no mark of a quotation.
var (
	dispatchVerb = sync.OnceValue(func() *regexp.Regexp {
		return regexp.MustCompile(`(?i)^(?:\s|\*\*|<[^<>]*>)*(?:(?:[\w ]+, )?please |(?:could|can) you |your task:[\s*-]*|you are |[/$]gsd[:-])?` +
			`(?:execut(?:e-plan|e|ing)|carry out|work on|continue|resume|finish|implement|run|start)\b`)
	})
	// dispatchObject matches the plan and what may follow it. The plan is the path of a file, `plan 01 of phase 02.1-auth`, `phase 2, plan 1`,
	// 02.1-01, or one that only a path further down names; a noun after it would make it an attribute of something else, a review or a task.
	dispatchObject = sync.OnceValue(func() *regexp.Regexp {
		const (
			name   = "[`*]*([0-9A-Za-z](?:[0-9A-Za-z._-]*[0-9A-Za-z])?)\\b[`*]*"
			id     = `([0-9][0-9.]*-[0-9][0-9A-Za-z_-]*(?:\.[0-9A-Za-z_-]+)*)`
			phase  = `phase\s+` + name
			leads  = "(?:[\\s:`*]|\\b(?:executing|execution|of|with|gsd|the|plan|PLAN\\.md at|at|in)\\b)*"
			called = leads + `(?:((?-i:` + planFilePattern + `))|(?:\b` + phase + `,?\s+)?(?:plan\s+` + name + `|` + id + `))(?:,?\s+(?:(?:of|for|in)\s+)?` + phase + `)?`
			quick  = `\s+quick(?: task|-batch item)\s+` + name
			title  = "[`*]*(?:\\s+execution)?(?:\\s+(\\([^()]*\\)))?"
			end    = `\s*(?:$|<)|[.?!:;…][\s.<]|[.?!…]$|\s+[-–—]\s`
			where  = "in\\s+(?:this|(?:the\\s+|an?\\s+|isolated\\s+|git\\s+)*worktree|`?\\S*\\.planning/\\S*)"
			of     = `(?:in|of|for)\s+(?:the\s+)?(?:(?:project|repo|repository)\s+)?` + directory
			more   = `now|then|and|autonomous|from(?:\s+task\s+\d+)?|per|using|on|as\s+part|including|` + where + `|` + of
		)
		return regexp.MustCompile(`(?i)^(?:` + called + `|` + quick + `|\s+gsd plan)` + title + `(?:` + end + `|,?\s+(?:` + more + `)(?:\s|$|[.,]))(.*)`)
	})
	// dispatchPart matches what makes a part of the plan of it: `, task 3 only`.
	dispatchPart = sync.OnceValue(func() *regexp.Regexp {
		return regexp.MustCompile(`(?i)\bonly\b|\btasks?\s+\d|\bdry[ -]run\b|^(?:plan\s+)?\d`)
	})
	// dispatchProject matches the directory that a prompt names as the project, or to work in.
	dispatchProject = sync.OnceValue(func() *regexp.Regexp {
		return regexp.MustCompile(`(?i)\b(?:project|repo|repository|working dir(?:ectory)?|cwd|cd|work in)(?: path)?:?\s+` + directory)
	})
)

// directory is the pattern of an absolute path.
const directory = "`?((?:[a-z]:)?[/\\\\](?:[^\\s\"'`<>]*[^\\s\"'`<>.,:;)])?)`?"

// planFilePattern matches the name of a file that may be a plan's, with the directories before it. A variable's closing brace ends what comes
// before it: ${PROJECT_ROOT}/.planning/…
const planFilePattern = "[^\\s\"'`<>()\\[\\]{}|,;=]*PLAN[^\\s\"'`<>()\\[\\]{}|,;=/\\\\]*\\.md\\b"

var planFile = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(planFilePattern) })
