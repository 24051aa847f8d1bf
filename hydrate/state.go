package hydrate

import (
	"errors"
	"fmt"
	"path"
	"slices"
	"strings"

	"github.com/gsd-cli/gsd/internal/planref"

	"github.com/gsd-cli/gsd/internal/durable"
	"github.com/gsd-cli/gsd/roadmap"
	"github.com/gsd-cli/gsd/session"
)

// StateOptions says what to do with STATE.md. Without Write only one that is missing is written.
type StateOptions struct {
	User   string
	Write  bool // change one that is there
	DryRun bool // write nothing at all
}

// State is a project's position and what STATE.md says of it.
type State struct {
	Path     string // of STATE.md, relative to the project
	Position Position
	Status   string // in the words of STATE.md: Ready to plan, Ready to execute, In progress, Milestone complete
	Activity Activity
	Missing  bool        // there was none
	Written  bool        // it was made or changed
	Edits    []StateEdit // what is to be changed in one that is there, or was
	Text     []byte      // the whole of it, as it is or would be
	Warnings []Warning
}

// StateEdit is one value of STATE.md that is another now.
type StateEdit struct {
	Line     int
	Field    string
	Old, New string
}

// The warnings of State, beside those of Status.
const (
	StateDiffers = "state-differs" // STATE.md says another phase
	StateBroken  = "state-broken"  // a part of it cannot be read
)

// State gives the position for STATE.md. A missing one is made, in the form of upstream's template; one that is
// there is changed only where o.Write asks for it, and only in its position lines and position front matter.
func (p *Project) State(o StateOptions) (*State, error) {
	st, err := p.Status(StatusOptions{User: o.User})
	if err != nil {
		return nil, err
	}
	if st.Roadmap == "" && len(st.Phases) == 0 {
		return nil, fail(MissingInput, "write "+path.Join(st.Root, "ROADMAP.md")+" first", "there is no roadmap and no phase to tell a position from")
	}
	// Where another writes at the same moment, what it wrote is looked at, once or twice.
	for try := 1; ; try++ {
		s, err := p.state(st, o)
		if err == nil || try == 3 || !errors.Is(err, durable.ErrChanged) {
			return s, err
		}
	}
}

// maxState is how large a STATE.md may be, in bytes; the largest that we know has a tenth of it.
const maxState = 1 << 20

// state does it for a project that was surveyed.
func (p *Project) state(st *Status, o StateOptions) (*State, error) {
	s := &State{Path: path.Join(st.Root, "STATE.md"), Position: st.Position, Activity: st.Activity, Warnings: slices.Clone(st.Warnings)}
	pos := statePosition(st)
	s.Status = pos.Status
	src, was, err := p.budget.Read(p.root, s.Path, maxState)
	var differs *Warning
	switch {
	case errors.Is(err, durable.ErrTooLarge):
		return nil, &Error{Kind: Refused, Text: s.Path + " is larger than " + size(maxState), Hint: "it is a page that says where the project is; keep the rest elsewhere", Err: err}
	case isMissing(err):
		s.Missing = true
		s.Text = roadmap.RenderState(pos, p.stateExtras(st))
	case err != nil:
		return nil, readFailed(s.Path, p.Limit, err)
	default:
		differs = p.compareState(s, st, src, pos)
	}
	if !o.DryRun && (s.Missing || o.Write && len(s.Edits) > 0) {
		if err := session.WriteState(p.root, s.Path, s.Text, was); err != nil {
			return nil, writeFailed(s.Path, err)
		}
		s.Written = true
	}
	if differs != nil && !s.Written {
		s.Warnings = append(s.Warnings, *differs)
	}
	return s, nil
}

// compareState finds what in a STATE.md that is there is to be changed, and tells if it is another phase.
func (p *Project) compareState(s *State, st *Status, src []byte, pos roadmap.StatePosition) (differs *Warning) {
	facts := roadmap.ReadState(src)
	countsAll(&pos, st, facts)
	if phase, line := facts.Phase(); !phase.IsZero() && !pos.Phase.IsZero() && planref.Compare(phase, pos.Phase) != 0 {
		differs = &Warning{StateDiffers, fmt.Sprintf(
			"%s:%d: it says phase %s; by roadmap, summaries and commits it is phase %s", s.Path, line, phase, pos.Phase)}
	}
	for _, w := range facts.Warnings {
		at := s.Path
		if w.Line > 0 {
			at = fmt.Sprintf("%s:%d", s.Path, w.Line)
		}
		s.Warnings = append(s.Warnings, Warning{StateBroken, at + ": " + w.Detail})
	}
	s.Text = src
	if facts.Body.Phase.IsZero() && facts.Section > 0 && st.current() == nil {
		return nil // between milestones: people say so in their own words, and gsd knows no phase either
	}
	text, edits := roadmap.UpdateState(src, pos)
	s.Text = text
	for _, e := range edits {
		s.Edits = append(s.Edits, StateEdit(e))
	}
	return differs
}

// statePosition says a status in the terms of STATE.md.
func statePosition(st *Status) roadmap.StatePosition {
	p := st.Position
	pos := roadmap.StatePosition{
		PhaseName: p.PhaseName, Phases: p.Phases, Plan: p.Plan, Plans: p.Plans,
		DonePhases: p.PhasesDone, TotalPhases: p.Phases, DonePlans: p.AllDone, TotalPlans: p.AllPlans,
		LastActivity: st.Activity.When, LastWhat: st.Activity.What,
	}
	pos.Phase, _ = planref.ParseNumber(p.Phase)
	for _, m := range st.Milestones {
		if m.Current {
			pos.Milestone, pos.MilestoneName = m.Label, m.Name
		}
	}
	switch current := st.current(); {
	case st.over():
		pos.Status = roadmap.StateMilestoneComplete
		last := st.Phases[len(st.Phases)-1]
		pos.Phase, _ = planref.ParseNumber(last.Number)
		pos.PhaseName, pos.Plan, pos.Plans = last.Name, last.Total, last.Total
	case current == nil: // what is left is not known well enough to say
	case st.Next.Plan == "":
		pos.Status = roadmap.StateReadyToPlan
	case current.Status == PhaseInProgress || current.Done > 0:
		pos.Status = roadmap.StateInProgress
	default:
		pos.Status = roadmap.StateReadyToExecute
	}
	return pos
}

// over tells whether everything is done: there are phases, nothing comes next, and no plan is open.
func (st *Status) over() bool {
	if st.unread || len(st.Phases) == 0 || st.Next.Plan != "" || st.Next.Phase != "" || len(st.Next.AlsoReady) > 0 {
		return false
	}
	return !slices.ContainsFunc(st.Phases, func(ph Phase) bool { return ph.Status != PhaseComplete && ph.Status != PhaseDeferred })
}

// countsAll makes a position count the phases and plans of all milestones, where the file's own counts are
// nearer to those: some projects count through, others begin anew with each milestone. Where the file counts
// something else altogether, such as the phases of one version, its counts are left to its authors.
func countsAll(pos *roadmap.StatePosition, st *Status, facts roadmap.StateFacts) {
	var all roadmap.StatePosition
	for _, ph := range st.Phases {
		all.TotalPhases, all.TotalPlans, all.DonePlans = all.TotalPhases+1, all.TotalPlans+ph.Total, all.DonePlans+ph.Done
		if ph.Status == PhaseComplete {
			all.DonePhases++
		}
	}
	said := max(facts.Body.TotalPlans, facts.Front.TotalPlans)
	distance := func(total int) int { return max(said, total) - min(said, total) }
	if said > 0 && distance(all.TotalPlans) < distance(pos.TotalPlans) {
		pos.DonePlans, pos.TotalPlans = all.DonePlans, all.TotalPlans
		pos.DonePhases, pos.TotalPhases, pos.Phases = all.DonePhases, all.TotalPhases, all.TotalPhases
	}
	for _, pair := range [][2]int{
		{facts.Body.TotalPlans, pos.TotalPlans},
		{facts.Front.TotalPlans, pos.TotalPlans},
		{facts.Body.TotalPhases, pos.TotalPhases},
		{facts.Front.TotalPhases, pos.TotalPhases},
	} {
		if said, ours := pair[0], pair[1]; said > 0 && (3*ours > 4*said+6 || 3*said > 4*ours+6) {
			pos.DonePhases, pos.TotalPhases, pos.DonePlans, pos.TotalPlans, pos.Phases = 0, 0, 0, 0, 0
			return
		}
	}
}

// current is the current phase, nil where there is none.
func (st *Status) current() *Phase {
	for i := range st.Phases {
		if st.Phases[i].Current {
			return &st.Phases[i]
		}
	}
	return nil
}

// stateExtras gathers what a new STATE.md says beside the position.
func (p *Project) stateExtras(st *Status) roadmap.StateExtras {
	x := roadmap.StateExtras{Title: st.Project, Root: st.Root}
	if src, stamp, err := p.readStamped(path.Join(st.Root, "PROJECT.md")); err == nil {
		x.CoreValue, x.Updated = roadmap.CoreValue(src), stamp.ModTime()
	}
	for _, ph := range st.Phases {
		if n, ok := planref.ParseNumber(ph.Number); ok && ph.Total > 0 && !ph.Archived {
			x.ByPhase = append(x.ByPhase, roadmap.StatePhaseRow{Number: n, Name: ph.Name, Done: ph.Done, Total: ph.Total})
		}
	}
	for _, name := range p.names(path.Join(st.Root, "todos", "pending")) {
		if strings.HasSuffix(name, ".md") {
			x.Todos++
		}
	}
	if current := st.current(); current != nil && current.Dir != "" {
		for _, name := range slices.Sorted(slices.Values(p.names(current.Dir))) {
			if strings.HasPrefix(name, ".continue-here") {
				x.Resume = path.Join(current.Dir, name)
			}
		}
	}
	return x
}
