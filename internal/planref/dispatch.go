package planref

// dispatch.go: prompts of agents that other agents start.

import (
	"path"
	"regexp"
	"slices"
	"strings"
	"sync"
)

// A Dispatch is what the prompt of an agent that another one starts says of the plan that it is to carry out. Each list is in the order
// of the text, without repetition. Which of the plans exist, the caller knows.
type Dispatch struct {
	IDs    []string // what the request calls the plan: 01-02, or the stem of its file
	Chosen []string // the plan files that the request names, or that a list of files calls the plan
	Paths  []string // all plan files that the prompt names, those of Chosen included
}

const (
	// requestBytes is how much of a prompt is looked at for the request: it comes first, and what upstream puts in after it speaks of
	// carrying out plans as well.
	requestBytes = 2000
	// maxMentions is how many plan files of a prompt are looked at.
	maxMentions = 200
)

// ParseDispatch reports whether a prompt asks to carry something out, not just to look at it, and what it says of the plan. Upstream
// marks such prompts (gsd-core 1.14, hooks/lib/dispatch-identity.js), but not those for quick tasks; without the mark, a sentence of the
// request has to begin with a verb that means so. A brief of a plan's next task given to an agent that is to review the plan would lead
// it to work on that.
func ParseDispatch(prompt string) (d Dispatch, ok bool) {
	for _, mark := range dispatchMark().FindAllStringSubmatch(prompt, maxMentions) {
		of := map[string]string{}
		for _, pair := range dispatchPair().FindAllStringSubmatch(mark[1], -1) {
			of[pair[1]] = pair[2]
		}
		ok = d.addID(of["phase"], of["plan"]) || ok
	}
	var asked []string
	for _, line := range strings.Split(prompt[:min(len(prompt), requestBytes)], "\n") {
		for _, sentence := range strings.SplitAfter(line, ". ") {
			if verb := dispatchVerb().FindStringIndex(sentence); verb != nil && !looksOn(sentence[verb[1]:]) {
				asked, ok = append(asked, sentence), true
			}
		}
	}
	if !ok {
		return Dispatch{}, false
	}
	for _, sentence := range asked {
		for _, m := range dispatchWords().FindAllStringSubmatch(sentence, maxMentions) {
			d.addID(m[2], m[1])
		}
		add(&d.Chosen, planFiles(sentence)...)
	}
	for _, at := range planFile().FindAllStringIndex(prompt, -1) {
		file := prompt[at[0]:at[1]]
		if !isPlanFile(file) {
			continue
		}
		if add(&d.Paths, file); strings.HasPrefix(strings.TrimLeft(prompt[at[1]:], " `"), "(Plan)") {
			add(&d.Chosen, file)
		}
	}
	return d, true
}

// addID adds what a plan is called: a plan's number with that of its phase, after which its slug may stand, or an id of its own. It
// reports whether that is an id.
func (d *Dispatch) addID(phase, plan string) bool {
	plan = strings.TrimSuffix(strings.TrimRight(plan, ".,:;"), "-PLAN")
	n, rest, isNumber := CutNumber(plan)
	of, _, hasPhase := CutPhase(phase)
	switch {
	case isNumber && rest == "" && hasPhase:
		add(&d.IDs, of.Padded()+"-"+n.Padded())
	case isNumber && strings.HasPrefix(rest, "-"):
		add(&d.IDs, plan)
	case customRef(plan) != Ref{}:
		add(&d.IDs, plan)
	case hasPhase && isSlug(plan):
		add(&d.IDs, of.Padded()+"-"+plan)
	default:
		return false
	}
	return true
}

func add(list *[]string, values ...string) {
	for _, v := range values {
		if len(*list) < maxMentions && !slices.Contains(*list, v) {
			*list = append(*list, v)
		}
	}
}

// planFiles returns the plan files that a text names.
func planFiles(text string) []string {
	return slices.DeleteFunc(planFile().FindAllString(text, maxMentions), func(file string) bool { return !isPlanFile(file) })
}

func isPlanFile(file string) bool { return !strings.Contains(file, "*") && IsPlan(path.Base(file)) }

// The mark of upstream's dispatches, and what is in it.
var (
	dispatchMark = sync.OnceValue(func() *regexp.Regexp {
		return regexp.MustCompile(`\[gsd:dispatch((?:\s+[A-Za-z][A-Za-z0-9_-]{0,31}="[^"\]\r\n]{0,200}")+)\s*\]`)
	})
	dispatchPair = sync.OnceValue(func() *regexp.Regexp {
		return regexp.MustCompile(`([A-Za-z][A-Za-z0-9_-]{0,31})="([^"\]\r\n]{0,200})"`)
	})
)

// looksOn reports whether what a request calls for, which follows its verb, is a look at a plan: `a review of plan 01-02`. What it says
// after the plan does not count: an executor may have to verify what it did.
func looksOn(object string) bool {
	for _, plan := range []*regexp.Regexp{dispatchWords(), planFile()} {
		if at := plan.FindStringIndex(object); at != nil {
			object = object[:at[0]]
		}
	}
	return dispatchLook().MatchString(object)
}

var dispatchLook = sync.OnceValue(func() *regexp.Regexp {
	return regexp.MustCompile(`(?i)\b(?:review|audit|verif|validat|critique|critici|analy[sz]|assess|inspect|evaluat|check(?:s|ing)?\b)`)
})

// dispatchVerb matches a sentence that asks to carry something out. Tags, marks of lists and polite words may come first, but no mark of a
// quotation.
var dispatchVerb = sync.OnceValue(func() *regexp.Regexp {
	const before = `^(?:\s|[-*#•\d.)]|<[^<>]*>)*(?:\*\*)?(?:(?:your )?(?:task|objective|goal)s?:(?:\*\*)?\s*)?` +
		`(?:(?:please|now|then|next|your (?:task|job|goal) is to|you (?:are to|will|must|should)|i (?:need|want) you to),?\s+)*`
	const verbs = `execute|implement|carry out|continue|resume|finish|complete|pick up|work (?:on|through)`
	return regexp.MustCompile(`(?i)` + before + `(?:` + verbs + `)\b`)
})

// dispatchWords matches a plan in a request: `plan 01 of phase 02.1-auth`, `plan 02.1-01`.
var dispatchWords = sync.OnceValue(func() *regexp.Regexp {
	return regexp.MustCompile(`(?i)\bplan\s+([0-9A-Za-z][0-9A-Za-z._-]{0,79})(?:\s+(?:of|in)\s+phase\s+([0-9A-Za-z][0-9A-Za-z._-]{0,199}))?`)
})

// planFile matches the name of a file that may be a plan's, with the directories before it. A variable's closing brace ends what comes
// before it: ${PROJECT_ROOT}/.planning/…
var planFile = sync.OnceValue(func() *regexp.Regexp {
	return regexp.MustCompile("[^\\s\"'`<>()\\[\\]{}|,;=]*PLAN[^\\s\"'`<>()\\[\\]{}|,;=/\\\\]*\\.md\\b")
})
