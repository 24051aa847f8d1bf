package roadmap

// current.go: the current milestone of a roadmap (docs/design.md, roadmap).

import (
	"bytes"
	"cmp"
	"slices"

	"github.com/gsd-cli/gsd/internal/frontmatter"
	"github.com/gsd-cli/gsd/internal/markdown"
	"github.com/gsd-cli/gsd/internal/planref"
)

// NamedMilestone returns the milestone that a STATE.md names, such as v1.2: in its front matter, else, if it has none, on the first
// line that begins with `milestone:`, as upstream reads it (getMilestoneInfo, roadmap-parser.cjs); "" for none.
func NamedMilestone(src []byte) string {
	if block, _, _ := markdown.CutFrontMatter(src); block != nil {
		return frontmatter.Read(src).Milestone
	}
	for line := range bytes.Lines(src) {
		if bytes.HasPrefix(line, []byte("milestone:")) {
			return frontmatter.Read(slices.Concat([]byte("---\n"), line, []byte("\n---\n"))).Milestone
		}
	}
	return ""
}

// Scope is the part of a roadmap that counts now.
type Scope struct {
	Milestone string // the version of the current milestone; "" if there is none
	// Unbounded is set if STATE.md names a milestone that is not among the roadmap's. Then its phases are unknown, and
	// no percentage of them is reported (upstream's milestoneBounded, state.cjs).
	Unbounded bool

	loose bool            // the current milestone has no phases of its own, so those without a milestone count
	over  map[string]bool // by milestone
}

// Scope finds the current milestone, given the entries of Join. It is the one that STATE.md names, unless that is over
// and another is not, because everything would be done while the next plan is elsewhere; else the first that is marked
// as in progress, as upstream reads 🚧 (roadmap-parser.cjs); else the first that is not over and has an open phase; else
// the last that is not over. One that is only in a fold, without a status, comes last.
func (r *Roadmap) Scope(entries []Entry) Scope {
	s := Scope{Unbounded: r.Named != "" && len(r.Milestones) > 0, over: map[string]bool{}}
	has, open := map[string]bool{}, map[string]bool{}
	for _, e := range entries {
		has[e.Milestone] = true
		open[e.Milestone] = open[e.Milestone] || e.Status != Complete && e.Status != Deferred && !e.Number.IsSentinel() && !e.IsArchived()
	}
	marked, first, last, folded := "", "", "", ""
	for _, m := range r.Milestones {
		s.over[m.Version] = m.Closed()
		if m.Version == r.Named {
			s.Unbounded, s.Milestone = false, r.Named
		}
		if m.Closed() {
			continue
		}
		if m.folded() && m.Version != r.Named {
			folded = cmp.Or(folded, m.Version)
			continue
		}
		if m.Status == InProgress {
			marked = cmp.Or(marked, m.Version)
		}
		if open[m.Version] {
			first = cmp.Or(first, m.Version)
		}
		if has[m.Version] || last == "" {
			last = m.Version
		}
	}
	if !s.Unbounded && (s.Milestone == "" || s.over[s.Milestone]) {
		s.Milestone = cmp.Or(marked, first, last, folded, s.Milestone)
	}
	s.loose = s.Milestone != "" && !has[s.Milestone]
	return s
}

// Counts reports whether a phase of a milestone counts: one of the current milestone or, if there is none, of any that
// is not over. Upstream's reserved numbers 0.x and 999.x never count (isSentinelPhaseId, phase-id.cjs).
func (s Scope) Counts(milestone string, n planref.Number) bool {
	switch {
	case n.IsSentinel():
		return false
	case s.Milestone == "":
		return !s.over[milestone]
	}
	return milestone == s.Milestone || s.loose && milestone == ""
}

// IsOver reports whether a milestone was shipped or given up.
func (s Scope) IsOver(milestone string) bool { return s.over[milestone] }
