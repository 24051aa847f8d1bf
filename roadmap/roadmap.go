package roadmap

// roadmap.go: ROADMAP.md says the same thing in several places that are not all kept up to date, so the parser only
// collects who says what on which line, and the facts are weighed afterwards (phases.go). What is read here is text that
// people and models wrote: no form is an error, and what is not understood is ignored. Which form comes from where is in
// the table of ablate_test.go.

import (
	"bytes"
	"cmp"
	"errors"
	"strings"

	"github.com/gsd-cli/gsd/internal/planref"
)

// Roadmap is a parsed ROADMAP.md. The zero value is an empty one.
type Roadmap struct {
	Title      string      // of the document: Foo for `# Roadmap: Foo`
	Milestones []Milestone // each version once, in the order of the versions
	Named      string      // the version that STATE.md names as the current milestone; "" for none
	Cut        int         // how many lines were read of a roadmap with more; else 0

	phases []Phase
	last   map[string]Phase  // by number, of those that started again the last
	titles map[planID]string // of plans
	ranges []phaseRange      // which phases a milestone is said to have
}

// maxLines is how many lines of a roadmap are read. The longest that we know has about 1,500; a hostile one has as many
// phases as fit into a file, and each costs memory and time wherever phases are looked at.
const maxLines = 20_000

// maxLine is how much of a line is read, in bytes: a hostile one is a table's row of a million cells.
const maxLine = 64 << 10

// ErrEncoding says that a roadmap is not UTF-8 text, so nothing in it can be told.
var ErrEncoding = errors.New("it is not UTF-8 text, maybe UTF-16; save it as UTF-8")

// Check reports whether a roadmap can be read: ErrEncoding for one in UTF-16, with a byte order mark or without.
func Check(src []byte) error {
	const enough = 4 << 10
	if bytes.HasPrefix(src, []byte("\xff\xfe")) || bytes.HasPrefix(src, []byte("\xfe\xff")) || bytes.IndexByte(src[:min(len(src), enough)], 0) >= 0 {
		return ErrEncoding
	}
	return nil
}

// Parse reads a roadmap. named is what STATE.md has in its front matter as `milestone:`, such as `v1.2`; "" for none.
// It takes any bytes, in time linear in their number. Of more than 20,000 lines it reads the first.
func Parse(src []byte, named string) *Roadmap {
	named = strings.TrimSpace(named)
	r := &Roadmap{Named: cmp.Or(versionAt(named), versionAt("v"+named), named), last: map[string]Phase{}}
	text := string(src)
	rest, more := text, true
	for n := 0; n < maxLines && more; n++ {
		_, rest, more = strings.Cut(rest, "\n")
	}
	if rest != "" && more {
		r.Cut, text = maxLines, text[:len(text)-len(rest)]
	}
	p := parser{titles: map[planID]string{}}
	for no, line := range Visible(text) {
		p.line(no, line[:min(len(line), maxLine)])
	}
	r.Title, r.titles = p.title, p.titles
	r.Milestones, r.ranges = mergeMilestones(p.milestones, p.facts)
	r.phases = r.weighAll(p.facts)
	for _, ph := range r.phases {
		r.last[ph.Number.Key()] = ph
	}
	return r
}

// planID names a plan of the roadmap: ids start again with each milestone.
type planID struct{ milestone, id string }

// PlanTitle is what the roadmap calls a plan: the text behind its id in the list of its milestone, else in one of no
// milestone; "" where it lists none.
func (r *Roadmap) PlanTitle(milestone, id string) string {
	return cmp.Or(r.titles[planID{milestone, id}], r.titles[planID{"", id}])
}

// source is the kind of place that a fact stands in.
type source int

// The kinds of places, the one whose count of plans is best kept last.
const (
	planList  source = iota + 1 // check boxes of its plans
	planCount                   // a Plans: line below its heading
	heading                     // a phase's heading, or a Status: line below it
	checkbox                    // the phase's item in a list
	tableRow                    // its row in a progress table
)

// fact is what one line of the roadmap says of one phase.
type fact struct {
	number planref.Number
	title  string // without number, markup, status and signs; "" where the line has none
	status Status
	line   int // 1-based
	source source
	// done of total plans, where the line counts them; total is 0 where it does not, or does not know.
	done, total int
	milestone   string // the version that the fact belongs to, such as `1.10`; "" where none is told
	retired     bool   // struck through: the phase was given up (upstream #1514)
}
