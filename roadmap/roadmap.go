package roadmap

// roadmap.go: ROADMAP.md says the same thing in several places that are not all kept up to date, so
// Parse only collects who says what on which line; Phases decides. What is read here is text
// that people and models wrote: no form is an error, and what is not understood is passed over.

import (
	"bytes"
	"cmp"
	"slices"
	"sync"

	"github.com/gsd-cli/gsd/internal/planref"
)

// Source is the kind of place that a fact stands in.
type Source int

// The kinds of places.
const (
	Heading   Source = iota + 1 // a phase's heading, or a Status: line below it
	Checkbox                    // the phase's check box
	Table                       // its row in a progress table
	PlanList                    // check boxes of its plans
	PlanCount                   // a Plans: line below its heading
	Release                     // the milestone that it belongs to, which is over
)

// Note is a text of the roadmap and where it stands; Line is 0 where there is none.
type Note struct {
	Text string
	Line int // 1-based
}

// Fact is what one line of the roadmap says of one phase.
type Fact struct {
	Number planref.Number
	Title  string // without number, markup, status and signs; "" where the line has none
	Status Status
	Line   int // 1-based
	Source Source
	// Done of Total plans, where the line counts them; Total is 0 where it does not, or does not know.
	Done, Total int
	// Milestone is the version that the fact belongs to, such as `1.10`; "" where none is told.
	Milestone string
	// Folded facts stand in a closed <details>, as upstream keeps milestones that are over.
	Folded bool
}

// Roadmap is a parsed ROADMAP.md. The zero value is an empty one.
type Roadmap struct {
	Title      Note        // of the document: Foo for `# Roadmap: Foo`
	Facts      []Fact      // in the order of their lines
	Milestones []Milestone // each version once, in the order of the versions
	Items      []Item      // each plan once, in the order of their lines
	Cut        int         // how many lines were read of a roadmap with more; else 0

	byPhase map[string][]int // indices in Facts by Number.key
	ranges  []phaseRange     // which phases a milestone is said to have, by first number

	weighing sync.Once
	underway []Phase // once weighed, the phases in progress
}

// maxLines is how many lines of a roadmap are read. The longest that we know has about 1,500; a hostile one has as many
// phases as fit into a file, and each costs memory and time wherever phases are looked at.
const maxLines = 20_000

// maxLine is how much of a line is read, in bytes: a hostile one is a table's row of a million cells.
const maxLine = 64 << 10

// Parse reads a roadmap. It takes any bytes, in time linear in their number. Of more than 20,000 lines it reads the
// first.
func Parse(src []byte) *Roadmap {
	p := parser{}
	head, cut := firstLines(src, maxLines)
	lines := visible(string(head))
	for i, l := range lines {
		lines[i].text = l.text[:min(len(l.text), maxLine)]
	}
	for i := 0; i < len(lines); i++ {
		if t, ok := tableHeader(lines[i:]); ok {
			i = p.table(t, lines, i+2) - 1
			continue
		}
		p.line(lines[i])
	}
	r := &Roadmap{Cut: cut, Title: p.title, Facts: p.facts, Items: mergeItems(p.items), byPhase: map[string][]int{}}
	slices.SortStableFunc(r.Facts, func(a, b Fact) int { return cmp.Compare(a.Line, b.Line) })
	for i, f := range r.Facts {
		r.byPhase[f.Number.Key()] = append(r.byPhase[f.Number.Key()], i)
	}
	r.Milestones, r.ranges = mergeMilestones(p.told, r.Facts)
	return r
}

// firstLines gives the first most lines of src, and most if it has more, else 0.
func firstLines(src []byte, most int) (head []byte, cut int) {
	end := 0
	for range most {
		n := bytes.IndexByte(src[end:], '\n')
		if n < 0 {
			return src, 0
		}
		end += n + 1
	}
	if end == len(src) {
		return src, 0
	}
	return src[:end], most
}
