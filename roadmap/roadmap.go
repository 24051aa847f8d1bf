package roadmap

// roadmap.go: ROADMAP.md says the same thing in several places that are not all kept up to date, so the parser only
// collects who says what on which line, and the facts are weighed afterwards. What is read here is text that people
// and models wrote: no form is an error, and what is not understood is ignored.

import (
	"bytes"
	"cmp"
	"errors"
	"slices"
	"strings"

	"github.com/gsd-cli/gsd/internal/planref"
)

// Source is the kind of place that a fact stands in.
type Source int

// The kinds of places, the one whose count of plans is best kept last.
const (
	PlanList  Source = iota + 1 // check boxes of its plans
	PlanCount                   // a Plans: line below its heading
	Heading                     // a phase's heading, or a Status: line below it
	Checkbox                    // the phase's item in a list
	Table                       // its row in a progress table
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
	// Retired facts are struck through: the phase was given up (upstream #1514).
	Retired bool
	// Folded facts stand in a closed <details>, as upstream keeps milestones that are over.
	Folded bool
}

// Roadmap is a parsed ROADMAP.md. The zero value is an empty one.
type Roadmap struct {
	Title      Note        // of the document: Foo for `# Roadmap: Foo`
	Facts      []Fact      // in the order of their lines
	Milestones []Milestone // each version once, in the order of the versions
	Items      []Item      // each plan once, in the order of their lines
	Named      string      // the version that STATE.md names as the current milestone; "" for none
	Cut        int         // how many lines were read of a roadmap with more; else 0

	phases   []Phase
	last     map[string]Phase // by number, of those that started again the last
	underway []Phase          // of these, those in progress that nothing calls complete
	ranges   ranges           // which phases a milestone is said to have
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

// Parse reads a roadmap by itself; see ParseNamed.
func Parse(src []byte) *Roadmap { return ParseNamed(src, "") }

// ParseNamed reads a roadmap. named is what STATE.md has in its front matter as `milestone:`, such as `v1.2`; "" for none.
// It takes any bytes, in time linear in their number. Of more than 20,000 lines it reads the first.
func ParseNamed(src []byte, named string) *Roadmap {
	named = strings.TrimSpace(named)
	p := parser{named: cmp.Or(versionAt(named), versionAt("v"+named), named)}
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
	r := &Roadmap{Cut: cut, Named: p.named, Title: p.title, Facts: p.facts, Items: mergeItems(p.items), last: map[string]Phase{}}
	slices.SortStableFunc(r.Facts, func(a, b Fact) int { return cmp.Compare(a.Line, b.Line) })
	r.Milestones, r.ranges = mergeMilestones(p.told, r.Facts)
	r.phases = r.weighAll()
	for _, ph := range r.phases {
		r.last[ph.Number.Key()] = ph
	}
	for _, ph := range r.phases {
		if ph.Status == InProgress && !ph.disputed && ph == r.last[ph.Number.Key()] {
			r.underway = append(r.underway, ph)
		}
	}
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
