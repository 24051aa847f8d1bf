package work

// notes.go: the hand-off notes that upstream leaves.

import (
	"cmp"
	"context"
	"io/fs"
	"path"
	"slices"
	"time"

	"github.com/gsd-cli/gsd/internal/action"
	"github.com/gsd-cli/gsd/internal/durable"
	"github.com/gsd-cli/gsd/internal/frontmatter"
	"github.com/gsd-cli/gsd/internal/planref"
	"github.com/gsd-cli/gsd/internal/project"
	"github.com/gsd-cli/gsd/internal/session"
	"github.com/gsd-cli/gsd/internal/verdict"
)

const (
	continueHere = ".continue-here.md"

	maxNotes    = 50       // notes that are read
	maxNoteDirs = 100      // directories in which notes of other kinds of work are looked for, for each kind
	noteHead    = 64 << 10 // bytes of a note that are read; real ones have ten thousand
	noteCommits = 300      // commits that are searched for the end of a phase
)

// Left lists what other programs left unfinished: hand-off notes, of which those of phases have been found already, and work items.
func Left(p *verdict.Project, now time.Time, ofPhases ...string) []verdict.Incomplete {
	return append(Notes(p, now, ofPhases...), Items(p)...)
}

// Notes finds the hand-off notes of the project. Those of phases have been found already.
func Notes(p *verdict.Project, now time.Time, ofPhases ...string) []verdict.Incomplete {
	names := p.Planning.Names(project.Planning)
	found := append(notesIn(project.Planning, names), ofPhases...)
	var keyed []string
	for _, name := range names {
		if isHandOffJSON(name) {
			keyed = append(keyed, path.Join(project.Planning, name))
		}
	}
	slices.Sort(keyed)
	found = append(found, keyed[:min(len(keyed), maxNotes)]...)
	found = append(found, continueHere)
	for _, kind := range [...]string{"spikes", "sketches", "deliberations"} {
		if !slices.Contains(names, kind) {
			continue
		}
		dir := path.Join(project.Planning, kind)
		below := p.Planning.Names(dir)
		found = append(found, notesIn(dir, below)...)
		slices.Sort(below)
		for _, name := range below[max(0, len(below)-maxNoteDirs):] {
			found = append(found, path.Join(dir, name, continueHere))
		}
	}
	return ReadNotes(p, found, now)
}

func notesIn(dir string, names []string) (notes []string) {
	for _, name := range names {
		if project.IsHandOff(name) {
			notes = append(notes, path.Join(dir, name))
		}
	}
	return notes
}

// NotesBeside finds the notes in the directory of a session's plan.
func NotesBeside(p *verdict.Project, plan string) []string {
	dir := path.Dir(plan)
	if dir == "." || dir == project.Planning {
		return nil
	}
	return notesIn(dir, p.Planning.Names(dir))
}

// ReadNotes reads those notes that are files, and leaves out those that are older than the end of their phase.
func ReadNotes(p *verdict.Project, notes []string, now time.Time) (found []verdict.Incomplete) {
	notes = slices.Compact(slices.Sorted(slices.Values(notes)))
	notes = slices.DeleteFunc(notes, func(name string) bool { // a link may lead anywhere
		info, err := p.Planning.Lstat(name)
		return err != nil || !info.Mode().IsRegular()
	})
	for i, name := range notes {
		w := verdict.Incomplete{Kind: verdict.WorkHandOff, Path: name, Stuck: session.CheckDirectory(p.Planning.Root(), path.Dir(name)) != nil}
		if isHandOffJSON(path.Base(name)) {
			w.Kind = verdict.WorkHandOffJSON
		}
		w.Role, w.Claimed = keyOf(path.Base(name))
		w.Mine = w.Claimed != "" && w.Claimed == project.SessionToken(p.Caller.Conversation) || project.IsToken(p.Planning.SessionKey, w.Claimed)
		if i < maxNotes {
			src, stamp, err := p.Planning.Budget().Head(p.Planning.Root(), name, noteHead)
			p.Planning.OverBudget(err, name)
			if err == nil {
				h := ReadHandOff(src)
				w.Role = cmp.Or(w.Role, h.Role)
				w.Phase, w.Plan, w.Task, w.Detail, w.Written = h.Phase, h.Plan, h.Task, h.Next, stamp.ModTime()
				// A model may write a time of tomorrow.
				if !h.Written.IsZero() && h.Written.Before(w.Written) {
					w.Written = h.Written
				}
				w.Age = now.Sub(w.Written)
				if isOver(p, name, &h, w.Written) {
					continue
				}
			}
		}
		found = append(found, w)
	}
	return found
}

// isOver reports whether the phase that a note is about ended after the note was written: every plan of the phase has its
// summary, and the newest of them is younger, by its file's time and, if there is one, by its commit's, because a checkout makes
// files younger.
func isOver(p *verdict.Project, note string, h *HandOff, written time.Time) bool {
	dir := phaseOf(p, note, h)
	if dir == "" {
		return false
	}
	names, plans := p.Planning.Names(dir), 0
	var summaries []string
	var end time.Time
	for _, name := range names {
		plan := path.Join(dir, name)
		if !planref.IsPlan(name) || p.Planning.StatusOf(plan) == frontmatter.Superseded {
			continue
		}
		plans++
		summary, ok := planref.SummaryOf(plan, names)
		if !ok || p.Planning.StatusOf(path.Join(dir, summary)) == frontmatter.Blocked {
			return false
		}
		summaries = append(summaries, path.Join(dir, summary))
		if info, err := p.Planning.Lstat(path.Join(dir, summary)); err == nil && info.ModTime().After(end) {
			end = info.ModTime()
		}
	}
	if plans == 0 || !end.After(written) {
		return false
	}
	if committed := committed(p, summaries); !committed.IsZero() && committed.Before(end) {
		end = committed // the files were checked out later
	}
	return end.After(written)
}

// phaseOf returns the directory of the phase that a note is about, "" if that is unknown.
func phaseOf(p *verdict.Project, note string, h *HandOff) string {
	dir := path.Dir(note)
	if !planref.PhaseOfDir(dir).IsZero() {
		return dir
	}
	if dir != project.Planning && dir != "." { // a spike's
		return ""
	}
	if at, ok := p.Planning.InPlanning(h.Dir); ok && h.Dir != "" && at != project.Planning {
		return at
	}
	phases := path.Join(project.Planning, "phases")
	number, _, ok := planref.CutDir(h.Phase)
	if !ok {
		return ""
	}
	for _, name := range p.Planning.Names(phases) {
		if at := path.Join(phases, name); planref.Compare(planref.PhaseOfDir(at), number) == 0 {
			return at
		}
	}
	return ""
}

// committed returns when the newest commit that changed one of the files was made, zero if that is unknown.
func committed(p *verdict.Project, names []string) time.Time {
	repo, err := p.Planning.History()
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

// isNote reports whether a path has the name of a hand-off note.
func isNote(name string) bool {
	base := path.Base(name)
	return isHandOffJSON(base) || project.IsHandOff(base)
}

// An ArchivedNote is the answer of gsd archive NOTE.
type ArchivedNote struct {
	Note     string `json:"note"`     // the hand-off note that was put away, relative to the project
	Archived string `json:"archived"` // where it is kept, relative to the project
}

// ArchiveNote moves a hand-off note, named by its path relative to dir or to the project, into the user's session directory. Upstream
// deletes it once the work has been resumed; but somebody wrote it.
func ArchiveNote(ctx context.Context, p *verdict.Project, user, dir, name string, now time.Time, wait time.Duration) (*ArchivedNote, error) {
	for _, candidate := range p.Planning.Places(dir, name) {
		at, inside := p.Planning.InPlanning(candidate)
		if !isNote(at) || !inside && at != continueHere || isHandOffJSON(path.Base(at)) && path.Dir(at) != project.Planning {
			continue // another program's file may be called HANDOFF.json
		}
		info, err := p.Planning.Root().Lstat(at)
		switch {
		case project.IsMissing(err):
			continue
		case err != nil:
			return nil, project.ReadFailed(at, p.Planning.Limit, err)
		case !info.Mode().IsRegular():
			return nil, project.Fail(project.BadData, "remove it by hand", "%s is not a file", at)
		}
		if err := session.CheckDirectory(p.Planning.Root(), path.Dir(at)); err != nil {
			return nil, verdict.WriteFailed(at, err)
		}
		kept, err := putAway(ctx, p, user, at, info.Mode().Perm(), now, wait)
		if err != nil {
			return nil, err
		}
		return &ArchivedNote{at, kept}, nil
	}
	return nil, project.Fail(project.MissingInput, "", "no hand-off note %s in the project", name).Try(action.Action{Kind: action.ShowSession})
}

// putAway moves a note into a user's session directory, and returns where it is then.
func putAway(ctx context.Context, p *verdict.Project, user, note string, perm fs.FileMode, now time.Time, wait time.Duration) (kept string, err error) {
	err = p.Change(ctx, user, wait, func(l *verdict.Locked) error {
		text, was, err := durable.Read(p.Planning.Root(), note, p.Planning.Limit)
		if err != nil {
			return project.ReadFailed(note, p.Planning.Limit, err)
		}
		if kept, err = l.Guard.Keep(path.Base(note), text, perm, now); err != nil {
			return err
		}
		if is, err := durable.StampOf(p.Planning.Root(), note); err != nil || !is.Equal(was) {
			return project.Fail(project.Busy, "read it again", "%s was changed at the same moment", note)
		}
		if err := p.Write.Remove(p.Planning.Root(), note); err != nil {
			return &project.Error{Kind: project.IO, Text: "cannot remove " + project.Cause(note, err), Hint: "check that its directory is writable", Err: err}
		}
		return nil
	})
	return kept, err
}
