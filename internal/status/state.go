package status

import (
	"errors"
	"path"
	"slices"
	"strings"

	"github.com/gsd-cli/gsd/internal/action"
	"github.com/gsd-cli/gsd/internal/app"
	"github.com/gsd-cli/gsd/internal/durable"
	"github.com/gsd-cli/gsd/internal/history"
	"github.com/gsd-cli/gsd/internal/overview"
	"github.com/gsd-cli/gsd/internal/planref"
	"github.com/gsd-cli/gsd/internal/problem"
	"github.com/gsd-cli/gsd/internal/project"
	"github.com/gsd-cli/gsd/internal/roadmap"
	"github.com/gsd-cli/gsd/internal/session"
	"github.com/gsd-cli/gsd/internal/statefile"
	"github.com/gsd-cli/gsd/internal/verdict"
	"github.com/gsd-cli/gsd/planfile"
)

// StateOptions says what to do with STATE.md.
type StateOptions struct {
	User  string // whose session determines the root; nothing else depends on it
	Write bool   // create it, or change what differs
}

// State is a project's position, compared with STATE.md.
type State struct {
	User     string            `json:"user"`                       // who asks: the name that gsd whoami prints
	Path     string            `json:"state"`                      // STATE.md, relative to the project, whether it exists or not
	Missing  bool              `json:"missing"`                    // there was no STATE.md
	Written  bool              `json:"written"`                    // it was created or changed
	Status   statefile.Status  `json:"status" empty:"null"`        // the status for STATE.md; null if no plan is left and a phase is open
	Position overview.Position `json:"position"`                   // where the project stands
	Activity overview.Activity `json:"last_activity" empty:"null"` // the latest commit about a plan; null if there is none
	Edits    []statefile.Edit  `json:"edits"`                      // the values that would be changed, or were changed
	Left     []statefile.Left  `json:"left"`                       // the values that differ from the position and stay as they are
	Text     string            `json:"text"`                       // the whole of STATE.md, as it is now or would be; empty if there is none and none can be made
	Warnings []problem.Warning `json:"warnings"`                   // what a person should know

	Says       Stated            `json:"says"`                    // what STATE.md itself states
	NoSection  bool              `json:"no_section"`              // there is no section Current Position to compare
	Conflicted bool              `json:"conflicted"`              // it has conflict markers, so nothing was compared
	Unwritable string            `json:"unwritable" empty:"null"` // why gsd state --write would fail; null if it would not
	Do         []action.Action   `json:"do"`                      // what can be run next
	Unlisted   []problem.Warning `json:"-"`                       // the Warnings that Edits and Left do not cover in more detail
}

// Stated is what STATE.md states of the position.
type Stated struct {
	Phase     string `json:"phase" empty:"null"`    // the phase; null if it states none
	DonePlans int    `json:"plans_done" empty:"-1"` // how many plans are done; null if it does not say
	Percent   int    `json:"percent" empty:"-1"`    // how much is done; null if it does not say
}

// The codes of the warnings of State, besides those of Status.
const (
	StateDiffers = "state-differs" // STATE.md says another phase
	StateBroken  = "state-broken"  // a part of it cannot be read
)

// StateOf returns the position for STATE.md, from the roadmap, the summaries and the commits; it does not depend on sessions. If
// o.Write, a missing file is created from upstream's template, and an existing one is changed by package statefile.
func StateOf(p *app.Project, o StateOptions) (*State, error) {
	v := p.Planning.Survey(p.Planning.DiskFor(p.Base(), p.Look(o.User).Plan.Path), p.Progress)
	view := overview.Of(v, nil, nil, nil)
	warned := append(v.Warnings, p.Planning.Warned()...)
	if view.Roadmap == "" && len(view.Phases) == 0 {
		return nil, problem.Fail(problem.MissingInput, "write "+path.Join(view.Root, "ROADMAP.md")+" first",
			"there is no roadmap and no phase, so there is no position")
	}
	if at := slices.IndexFunc(warned, problem.Warning.IsConflict); at >= 0 && o.Write { // what such a file says would be missing in it
		return nil, problem.Fail(problem.BadData, problem.HowToMerge, "%s %s", warned[at].Path, warned[at].Says)
	}
	pos := view.StatePosition()
	pos.Head = func() string { return headOf(p) }
	warned = append(warned, history.PositionClaimWarnings(p.Project, o.User, view.Root, pos.Phase)...)
	for try := 1; ; try++ { // another program may write at the same moment
		s, err := stateWith(p, view, pos, warned, o)
		if err == nil || try == verdict.MaxTries || !errors.Is(err, durable.ErrChanged) {
			return s, err
		}
	}
}

// stateWith compares a position with STATE.md, and writes it.
func stateWith(p *app.Project, view *overview.Overview, pos statefile.Position, warned []problem.Warning, o StateOptions) (*State, error) {
	s := &State{
		User: o.User, Path: path.Join(view.Root, "STATE.md"), Position: view.Position, Status: pos.Status, Activity: view.Activity,
		Says: Stated{DonePlans: -1, Percent: -1},
	}
	warned = slices.Clone(warned)
	src, was, err := p.Planning.Budget().Read(p.Planning.Root(), s.Path, statefile.MaxSize)
	switch {
	case errors.Is(err, durable.ErrTooLarge):
		text := s.Path + " is larger than " + problem.Size(statefile.MaxSize)
		return nil, &problem.Error{Kind: problem.Refused, Text: text, Hint: "it should only say where the project is; move the rest elsewhere", Err: err}
	case problem.IsMissing(err) && view.Unread():
		// A new file would say 0 %.
		s.Missing, s.Unwritable = true, "no phase of the roadmap could be read, so how much is done is not known"
		if o.Write {
			return nil, problem.Fail(problem.BadData, "`gsd status` says why", "cannot create %s: %s", s.Path, s.Unwritable)
		}
	case problem.IsMissing(err):
		s.Missing = true
		s.Text = string(statefile.New(pos, stateExtras(p, view)))
	case err != nil:
		return nil, problem.ReadFailed(s.Path, p.Planning.Limit, err)
	default:
		if err := roadmap.Check(src); errors.Is(err, roadmap.ErrEncoding) {
			return nil, &problem.Error{Kind: problem.BadData, Text: s.Path + " is not UTF-8 text", Hint: "save it as UTF-8", Err: err}
		}
		if err := planfile.CheckConflict(src); err != nil {
			if o.Write {
				return nil, problem.ReadFailed(s.Path, p.Planning.Limit, err)
			}
			s.Conflicted, s.Text = true, string(src)
			s.Warnings = p.Warnings(warned, []problem.Warning{problem.UnreadWarning(StateBroken, s.Path, p.Planning.Limit, err)})
			s.Unlisted = s.Warnings
			return s, nil
		}
		var text []byte
		f := statefile.Read(src)
		s.Says = Stated{f.Phase.String(), f.DonePlans, f.Percent}
		text, s.Edits, s.Left = statefile.Update(src, pos)
		s.Text = string(text)
	}
	differs := s.Missing && s.Unwritable == "" || len(s.Edits) > 0
	if _, err := durable.StampOf(p.Planning.Root(), s.Path); err != nil && differs { // a link
		if s.Missing {
			return nil, verdict.WriteFailed(s.Path, err)
		}
		s.Unwritable = verdict.WriteFailed(s.Path, err).Text
	} else if err := session.CheckDirectory(p.Planning.Root(), path.Dir(s.Path)); err != nil && differs {
		s.Unwritable = verdict.WriteFailed(s.Path, err).Text
	}
	if o.Write && differs {
		if err := p.WriteTracked(s.Path, s.Text, was); err != nil {
			return nil, verdict.WriteFailed(s.Path, err)
		}
		s.Written = true
		src = []byte(s.Text)
	}
	switch {
	case !differs || s.Written || s.Unwritable != "":
	case s.Missing:
		s.Do = []action.Action{{Kind: action.WriteState}}
	default:
		s.Do = []action.Action{{Kind: action.UpdateState}}
	}
	var facts statefile.Facts
	if !s.Missing {
		facts = statefile.Read(src)
		for _, fault := range facts.Problems {
			s.NoSection = s.NoSection || fault.Line == 0
			warned = append(warned, problem.Warning{Code: StateBroken, Path: s.Path, Line: fault.Line, Says: fault.Detail})
		}
	}
	s.Warnings, s.Unlisted = p.Warnings(warned), p.Warnings(warned)
	if !facts.Phase.IsZero() && !pos.Phase.IsZero() && planref.Compare(facts.Phase, pos.Phase) != 0 {
		s.Warnings = p.Warnings(warned,
			[]problem.Warning{{Code: StateDiffers, Path: s.Path, Line: facts.PhaseLine, Phase: pos.Phase.String(), Other: facts.Phase.String()}})
	}
	listed := slices.ContainsFunc(s.Edits, func(e statefile.Edit) bool { return e.Line == facts.PhaseLine }) ||
		slices.ContainsFunc(s.Left, func(l statefile.Left) bool { return l.Line == facts.PhaseLine })
	if !listed {
		s.Unlisted = s.Warnings
	}
	return s, nil
}

// stateExtras gathers what a new STATE.md says beside the position.
func stateExtras(p *app.Project, view *overview.Overview) statefile.Extras {
	x := statefile.Extras{Title: title(p, view), Root: view.Root}
	if src, stamp, err := p.Planning.Budget().Read(p.Planning.Root(), path.Join(view.Root, "PROJECT.md"), p.Planning.Limit); err == nil {
		x.CoreValue, x.Updated = roadmap.CoreValue(src), stamp.ModTime()
	}
	for _, name := range p.Planning.Names(path.Join(view.Root, "todos", "pending")) {
		if strings.HasSuffix(name, ".md") {
			x.Todos++
		}
	}
	if current := view.Current(); current != nil && current.Dir != "" {
		for _, name := range slices.Sorted(slices.Values(p.Planning.Names(current.Dir))) {
			if project.IsHandOff(name) {
				x.Resume = path.Join(current.Dir, name)
			}
		}
	}
	return x
}
