// Package roadmap reads a project as it is planned: ROADMAP.md, the tree of phases and plans, and the position of the
// project. It does no I/O: callers pass in bytes, and functions that list and read files.
package roadmap

// roadmap.go: ROADMAP.md states the same fact in several places, which are not all kept up to date. So the parser only
// collects the facts with their lines, and phases.go merges them afterwards. People and models write this text, so
// nothing in it is an error, and what is not understood is ignored. The table in ablate_test.go lists the origin of
// each form.

import (
	"bytes"
	"cmp"
	"errors"
	"strings"

	"github.com/gsd-cli/gsd/internal/markdown"
	"github.com/gsd-cli/gsd/internal/planref"
	"github.com/gsd-cli/gsd/planfile"
)

// Roadmap is a parsed ROADMAP.md. The zero value is an empty one.
type Roadmap struct {
	Title      string      // of the document: Foo for `# Roadmap: Foo`
	Milestones []Milestone // each version once, sorted by version
	Named      string      // the version that STATE.md names as the current milestone; "" for none
	Cut        int         // if not all lines were read, the number of those that were; else 0

	phases []Phase
	titles map[planID]string // of plans
	ranges []phaseRange      // the phases of milestones
}

// maxLines is the number of lines of a roadmap that are read. The longest known one has about 1,500; a hostile one may
// have as many phases as fit into a file, each of which costs memory and time.
const maxLines = 20_000

// maxLine is the number of bytes of a line that are read: a hostile table may have a million cells in a row.
const maxLine = 64 << 10

// The reasons why a file is no roadmap.
var (
	ErrEncoding = errors.New("it is not UTF-8 text, maybe UTF-16; save it as UTF-8")
	ErrEmpty    = errors.New("it is empty")
)

// Check returns ErrEncoding for a roadmap that is not text as a plan is, and ErrEmpty for one without any: what is left of a file
// after a crash says nothing about phases, while no file says that there are none. For one with conflict markers it returns a
// *planfile.ConflictError.
func Check(src []byte) error {
	if len(bytes.TrimSpace(src)) == 0 {
		return ErrEmpty
	}
	if !planfile.IsText(src) {
		return ErrEncoding
	}
	return planfile.CheckConflict(src)
}

// Parse parses a roadmap. named is the `milestone:` in the front matter of STATE.md, such as `v1.2`; "" for none. Parse
// accepts any input, takes linear time, and reads the first 20,000 lines.
func Parse(src []byte, named string) *Roadmap {
	named = strings.TrimSpace(named)
	r := &Roadmap{Named: cmp.Or(versionAt(named), versionAt("v"+named), named)}
	p := parseText(string(src))
	if len(p.src) < len(src) {
		r.Cut = maxLines
	}
	if len(p.facts) == 0 {
		// Of one in another language. In others, such words have a meaning of their own.
		if english := phaseWords().ReplaceAllString(p.src, "${1}Phase $2"); english != p.src {
			p = parseText(english)
		}
	}
	r.Title, r.titles = p.title, p.titles
	r.Milestones, r.ranges = mergeMilestones(p.milestones)
	r.phases = r.weighAll(p.facts)
	return r
}

// IsUnrecognized reports whether nothing in a roadmap was recognised: neither a phase nor a milestone.
func (r *Roadmap) IsUnrecognized() bool { return len(r.phases)+len(r.Milestones)+len(r.ranges) == 0 }

// parseText parses the lines that are read, as they are.
func parseText(text string) *parser {
	rest, more := text, true
	for n := 0; n < maxLines && more; n++ {
		_, rest, more = strings.Cut(rest, "\n")
	}
	p := &parser{src: strings.TrimSuffix(text, rest), titles: map[planID]string{}}
	for no, line := range markdown.Visible(p.src) {
		p.line(no, line[:min(len(line), maxLine)])
	}
	return p
}

// planID identifies a plan of the roadmap; ids may restart with each milestone.
type planID struct{ milestone, id string }

// PlanTitle returns the title of a plan: the text after its id in a list of its milestone, else in one without a
// milestone, else "".
func (r *Roadmap) PlanTitle(milestone, id string) string {
	return cmp.Or(r.titles[planID{milestone, id}], r.titles[planID{"", id}])
}

// source is the kind of place that states a fact.
type source int

// The sources, in ascending order of how well their counts of plans are kept.
const (
	planList  source = iota + 1 // the check boxes of a phase's plans
	planCount                   // a Plans: line below its heading
	heading                     // the heading, or a Status: line below it
	checkbox                    // a list item
	tableRow                    // a row of a progress table
)

// fact is what one line of the roadmap states about one phase.
type fact struct {
	number planref.Number
	title  string // without number, markup, status and emoji; "" if the line has none
	status Status
	line   int // 1-based
	source source
	// done of total plans; total is 0 if the line does not count them.
	done, total int
	milestone   string // the version that the fact belongs to, such as `1.10`, or ""
	retired     bool   // struck through: the phase was given up (upstream #1514)
}
