package answer

import (
	"bytes"
	"cmp"
	"regexp"
	"slices"
	"strings"
	"sync"

	"github.com/gsd-cli/gsd/internal/action"
)

// What only the author of a summary can say, as a draft has it. These very texts are looked for in a draft, because other brackets in
// it are the author's own.
const (
	DraftSentence   = "[One sentence: what there is now]"
	DraftSkipped    = "[Why it was skipped]"
	DraftDeviations = `[None - plan executed exactly as written. Or, below "### Auto-fixed Issues", each as **1. [Rule N - Category] What it is** with ` +
		`**Found during:**, **Issue:**, **Fix:**, **Files modified:**, **Verification:** and **Committed in:**]`
	DraftNext = "[What the next plan should know]"
	// DraftRequirements is for a plan of which tasks were skipped: nobody but its author knows what that leaves incomplete.
	DraftRequirements = "[Which of these requirements are complete without the skipped tasks, for requirements-completed above: "
	DraftPartial      = "[Not all of the history could be read: commits and files may be missing]"
)

// A Draft is the draft of a summary that waits to be written.
type Draft struct {
	Path    string        `json:"path"`                 // the file, relative to the project
	Left    []Placeholder `json:"left"`                 // what is still to be written in it
	Problem string        `json:"problem" empty:"null"` // why it cannot be read as it is; null if it can
}

// A Placeholder is a text that the author of a draft has to replace.
type Placeholder struct {
	Line int    `json:"line"` // from 1
	Text string `json:"text"` // what is to be said there, in brackets
}

// Written reports whether nothing in a draft is left to write.
func (d *Draft) Written() bool { return d.Problem == "" && len(d.Left) == 0 }

// draftBegins has the form in which each text of a draft begins: its first three words.
var draftBegins = sync.OnceValue(func() map[string]*regexp.Regexp {
	begins := map[string]*regexp.Regexp{}
	for _, text := range [...]string{DraftSentence, DraftSkipped, DraftDeviations, DraftNext, DraftPartial, DraftRequirements} {
		words := strings.Fields(text)[:3]
		for i := range words {
			words[i] = regexp.QuoteMeta(words[i])
		}
		begins[text] = regexp.MustCompile(`(?i)(^|[^\\])` + strings.Join(words, `\s+`))
	}
	return begins
})

// Placeholders returns what is left to write in a draft. Each is known by how it begins, since an editor may have wrapped it, or its
// author started to change it. A bracket that is escaped is of a name that the draft tells.
func Placeholders(src []byte) (left []Placeholder) {
	for text, begins := range draftBegins() {
		for _, at := range begins.FindAllIndex(src, -1) {
			bracket := at[0] + bytes.IndexByte(src[at[0]:at[1]], '[')
			left = append(left, Placeholder{1 + bytes.Count(src[:bracket], []byte("\n")), text})
		}
	}
	slices.SortFunc(left, func(a, b Placeholder) int { return cmp.Or(a.Line-b.Line, strings.Compare(a.Text, b.Text)) })
	return left
}

// Summarize returns what has the summary of the plan written, or makes its draft the summary; no action if there is nothing that a
// command could do for it.
func (r *Report) Summarize() (none action.Action) {
	switch {
	case r.Verdict != Finished || r.Summary == "" || r.Earlier:
		return none
	case r.Draft == nil:
		return action.Action{Kind: action.DraftSummary}
	case r.Draft.Written():
		return action.Action{Kind: action.FinishSummary}
	}
	return none
}
