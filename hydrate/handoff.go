package hydrate

import (
	"context"
	"fmt"
	"io/fs"
	"path"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/gsd-cli/gsd/internal/durable"
	"github.com/gsd-cli/gsd/internal/planref"
	"github.com/gsd-cli/gsd/internal/session"
	"github.com/gsd-cli/gsd/roadmap"
)

// Hand-off notes are what upstream's pause-work leaves for whoever goes on: HANDOFF.json in the planning directory, and
// .continue-here.md there, in the directory of a phase, a spike, a sketch or the deliberations, or in the project's own
// (workflows/resume-project.md finds them there). Upstream deletes them when the work has been resumed, or the phase is
// complete; if it has forgotten to, a note that is older than the end of its phase is not shown.

const (
	handOffJSON  = "HANDOFF.json"
	continueHere = ".continue-here.md"

	maxNotes    = 50       // notes that are read
	maxNoteDirs = 100      // directories in which notes of other kinds of work are looked for, for each kind
	noteHead    = 64 << 10 // bytes of a note that are read; real ones have ten thousand
	noteCommits = 300      // commits that are searched for the end of a phase
)

// isHandOff reports whether a file of that name is a hand-off note in any directory.
func isHandOff(name string) bool {
	return strings.HasPrefix(name, ".continue-here") && strings.HasSuffix(name, ".md")
}

// handOffs finds the hand-off notes of the project. Those of phases have been found already.
func (p *Project) handOffs(now time.Time, ofPhases ...string) []Incomplete {
	names := p.names(planning)
	found := append(notesIn(planning, names), ofPhases...)
	if slices.Contains(names, handOffJSON) {
		found = append(found, path.Join(planning, handOffJSON))
	}
	found = append(found, continueHere)
	for _, kind := range [...]string{"spikes", "sketches", "deliberations"} {
		if !slices.Contains(names, kind) {
			continue
		}
		dir := path.Join(planning, kind)
		below := p.names(dir)
		found = append(found, notesIn(dir, below)...)
		slices.Sort(below)
		for _, name := range below[max(0, len(below)-maxNoteDirs):] {
			found = append(found, path.Join(dir, name, continueHere))
		}
	}
	return p.readHandOffs(found, now)
}

func notesIn(dir string, names []string) (notes []string) {
	for _, name := range names {
		if isHandOff(name) {
			notes = append(notes, path.Join(dir, name))
		}
	}
	return notes
}

// notesBeside finds the notes in the directory of a session's plan.
func (p *Project) notesBeside(plan string) []string {
	switch dir := path.Dir(plan); dir {
	case ".", planning:
		return nil
	case p.siblings.dir:
		return notesIn(dir, p.siblings.names)
	default:
		return notesIn(dir, p.names(dir))
	}
}

// readHandOffs reads those notes that are files, and leaves out those that are older than the end of their phase.
func (p *Project) readHandOffs(notes []string, now time.Time) (found []Incomplete) {
	notes = slices.Compact(slices.Sorted(slices.Values(notes)))
	notes = slices.DeleteFunc(notes, func(name string) bool { // a link may lead anywhere
		info, err := p.lstat(name)
		return err != nil || !info.Mode().IsRegular()
	})
	for i, name := range notes {
		w := Incomplete{Kind: WorkHandOff, Path: name, stuck: session.CheckDirectory(p.root, path.Dir(name)) != nil}
		if path.Base(name) == handOffJSON {
			w.Kind = WorkHandOffJSON
		}
		if i < maxNotes {
			src, stamp, err := p.budget.Head(p.root, name, noteHead)
			p.overBudget(err, name)
			if err == nil {
				h := roadmap.ReadHandOff(src)
				w.Phase, w.Plan, w.Task, w.Detail, w.Written = h.Phase, h.Plan, h.Task, h.Next, stamp.ModTime()
				// A model may write a time of tomorrow.
				if !h.Written.IsZero() && h.Written.Before(w.Written) {
					w.Written = h.Written
				}
				w.Age = now.Sub(w.Written)
				if p.isOver(name, &h, w.Written) {
					continue
				}
			}
		}
		found = append(found, w)
	}
	return found
}

// isOver reports whether the phase that a note is about ended after the note was written: every plan of the phase has its
// summary, and the newest of them is younger.
func (p *Project) isOver(note string, h *roadmap.HandOff, written time.Time) bool {
	dir := p.phaseOf(note, h)
	if dir == "" {
		return false
	}
	names, plans := p.names(dir), 0
	var summaries []string
	var end time.Time
	for _, name := range names {
		plan := path.Join(dir, name)
		if !planref.IsPlan(name) || p.meta(plan).Status == roadmap.Superseded {
			continue
		}
		plans++
		summary, ok := planref.SummaryOf(plan, names)
		if !ok || p.meta(path.Join(dir, summary)).Status == roadmap.Blocked {
			return false
		}
		summaries = append(summaries, path.Join(dir, summary))
		if info, err := p.lstat(path.Join(dir, summary)); err == nil && info.ModTime().After(end) {
			end = info.ModTime()
		}
	}
	if plans == 0 || !end.After(written) {
		return false
	}
	if committed := p.committed(summaries); !committed.IsZero() && committed.Before(end) {
		end = committed // the files were checked out later
	}
	return end.After(written)
}

// phaseOf returns the directory of the phase that a note is about, "" if that is unknown.
func (p *Project) phaseOf(note string, h *roadmap.HandOff) string {
	dir := path.Dir(note)
	if !planref.PhaseOfDir(dir).IsZero() {
		return dir
	}
	if dir != planning && dir != "." { // a spike's
		return ""
	}
	if at, ok := p.inPlanning(h.Dir); ok && h.Dir != "" && at != planning {
		return at
	}
	phases := path.Join(planning, "phases")
	number, _, ok := planref.CutDir(h.Phase)
	if !ok {
		return ""
	}
	for _, name := range p.names(phases) {
		if at := path.Join(phases, name); planref.Compare(planref.PhaseOfDir(at), number) == 0 {
			return at
		}
	}
	return ""
}

// committed returns when the newest commit that changed one of the files was made, zero if that is unknown.
func (p *Project) committed(names []string) time.Time {
	repo, err := p.history()
	if err != nil || repo == nil {
		return time.Time{}
	}
	defer repo.Close() // it was only read
	looked := 0
	for c, err := range repo.Reachable(context.Background()) {
		if looked++; err != nil || looked > noteCommits {
			break
		}
		if slices.ContainsFunc(names, func(name string) bool { is, err := c.Touches(name); return is && err == nil }) {
			return c.When
		}
	}
	return time.Time{}
}

// IsNote reports whether what is to be dismissed is a hand-off note's path, and not the ID of a lost session.
func IsNote(name string) bool {
	base := path.Base(filepath.ToSlash(name))
	return base == handOffJSON || isHandOff(base)
}

// DismissNote moves a hand-off note, named by its path relative to dir or to the project, into the user's session directory. Upstream
// deletes it once the work has been resumed; but somebody wrote it.
func (p *Project) DismissNote(ctx context.Context, user, dir, name string, now time.Time, wait time.Duration) (*Dismissed, error) {
	for _, candidate := range p.places(dir, name) {
		at, inside := p.inPlanning(candidate)
		if !IsNote(at) || !inside && at != continueHere || path.Base(at) == handOffJSON && path.Dir(at) != planning {
			continue // another program's file may be called HANDOFF.json
		}
		info, err := p.root.Lstat(at)
		switch {
		case isMissing(err):
			continue
		case err != nil:
			return nil, readFailed(at, p.Limit, err)
		case !info.Mode().IsRegular():
			return nil, fail(BadData, "remove it by hand", "%s is not a file", at)
		}
		if err := session.CheckDirectory(p.root, path.Dir(at)); err != nil {
			return nil, writeFailed(at, err)
		}
		kept, err := p.putAway(ctx, user, at, info.Mode().Perm(), now, wait)
		if err != nil {
			return nil, err
		}
		return &Dismissed{Note: at, Kept: kept}, nil
	}
	return nil, fail(MissingInput, "gsd hydrate shows the notes", "no hand-off note %s in the project", name)
}

// putAway moves a note into a user's session directory, and returns where it is then.
func (p *Project) putAway(ctx context.Context, user, note string, perm fs.FileMode, now time.Time, wait time.Duration) (kept string, err error) {
	err = p.change(ctx, user, wait, func(l *locked) error {
		text, was, err := durable.Read(p.root, note, p.Limit)
		if err != nil {
			return readFailed(note, p.Limit, err)
		}
		if kept, err = l.guard.Keep(path.Base(note), text, perm, now); err != nil {
			return err
		}
		if is, err := durable.Look(p.root, note); err != nil || !is.Equal(was) {
			return fail(Busy, "read it again", "%s was changed at the same moment", note)
		}
		if err := p.write.Remove(p.root, note); err != nil {
			return &Error{IO, "cannot remove " + cause(note, err), "check that its directory is writable", err}
		}
		return nil
	})
	return kept, err
}

// dismiss returns the command that puts a note away, nil if the work is no note or the note cannot be moved.
func (w *Incomplete) dismiss() *Command {
	if w.stuck || w.Kind != WorkHandOff && w.Kind != WorkHandOffJSON {
		return nil
	}
	return &Command{[]string{"gsd", "restore", "--dismiss", w.Path}, "puts that note away, once you have read it"}
}

// Position says where the work stopped, in a note's words.
func (w *Incomplete) Position() string {
	var words []string
	for _, part := range [...]struct{ name, text string }{{"phase", w.Phase}, {"plan", w.Plan}, {"task", w.Task}} {
		if part.text != "" {
			words = append(words, fmt.Sprintf("%s %s", part.name, part.text))
		}
	}
	return strings.Join(words, ", ")
}
