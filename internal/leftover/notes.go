package leftover

// notes.go: where the hand-off notes are that upstream leaves, and which of them are over.

import (
	"cmp"
	"path"
	"slices"
	"strings"
	"time"

	"github.com/gsd-cli/gsd/internal/answer"
	"github.com/gsd-cli/gsd/internal/frontmatter"
	"github.com/gsd-cli/gsd/internal/gitlog"
	"github.com/gsd-cli/gsd/internal/planref"
	"github.com/gsd-cli/gsd/internal/project"
	"github.com/gsd-cli/gsd/internal/session"
)

const (
	continueHere = ".continue-here.md"

	maxNotes    = 50       // notes that are read
	maxNoteDirs = 100      // directories in which notes of other kinds of work are looked for, for each kind
	noteHead    = 64 << 10 // bytes of a note that are read; real ones have ten thousand
	noteCommits = 300      // commits that are searched for the end of a phase
)

// Notes finds the hand-off notes of the project. Those of phases have been found already.
func (r *Reader) Notes(ofPhases ...string) []answer.Incomplete {
	p := r.Project
	names := p.Names(planref.Planning)
	found := append(notesIn(planref.Planning, names), ofPhases...)
	var keyed []string
	for _, name := range names {
		if isHandOffJSON(name) {
			keyed = append(keyed, path.Join(planref.Planning, name))
		}
	}
	slices.Sort(keyed)
	found = append(found, keyed[:min(len(keyed), maxNotes)]...)
	found = append(found, continueHere)
	for _, kind := range [...]string{"spikes", "sketches", "deliberations"} {
		if !slices.Contains(names, kind) {
			continue
		}
		dir := path.Join(planref.Planning, kind)
		below := p.Names(dir)
		found = append(found, notesIn(dir, below)...)
		slices.Sort(below)
		for _, name := range below[max(0, len(below)-maxNoteDirs):] {
			found = append(found, path.Join(dir, name, continueHere))
		}
	}
	return r.Read(found)
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
func NotesBeside(p *project.Project, plan string) []string {
	dir := path.Dir(plan)
	if dir == "." || dir == planref.Planning {
		return nil
	}
	return notesIn(dir, p.Names(dir))
}

// Read reads those notes that are files, and leaves out those that are older than the end of their phase.
func (r *Reader) Read(notes []string) (found []answer.Incomplete) {
	p := r.Project
	notes = slices.Compact(slices.Sorted(slices.Values(notes)))
	notes = slices.DeleteFunc(notes, func(name string) bool { // a link may lead anywhere
		info, err := p.Lstat(name)
		return err != nil || !info.Mode().IsRegular()
	})
	for i, name := range notes {
		w := answer.Incomplete{Kind: answer.ContinueHere, Path: name, Stuck: session.CheckDirectory(p.Root(), path.Dir(name)) != nil}
		if isHandOffJSON(path.Base(name)) {
			w.Kind = answer.HandOffJSON
		}
		w.Role, w.Claimed = keyOf(path.Base(name))
		w.Mine = w.Claimed != "" && w.Claimed == project.SessionToken(r.Conversation) || project.IsToken(p.SessionKey, w.Claimed)
		if i < maxNotes {
			src, stamp, err := p.Budget().Head(p.Root(), name, noteHead)
			p.OverBudget(err, name)
			if err == nil {
				h := readHandOff(src)
				w.Role = cmp.Or(w.Role, h.Role)
				w.Phase, w.Plan, w.Task, w.Detail, w.Written = h.Phase, h.Plan, h.Task, h.Next, stamp.ModTime()
				// A model may write a time of tomorrow.
				if !h.Written.IsZero() && h.Written.Before(w.Written) {
					w.Written = h.Written
				}
				w.Age = r.Now.Sub(w.Written)
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
func isOver(p *project.Project, note string, h *handOff, written time.Time) bool {
	dir := phaseOf(p, note, h)
	if dir == "" {
		return false
	}
	names, plans := p.Names(dir), 0
	var summaries []string
	var end time.Time
	for _, name := range names {
		plan := path.Join(dir, name)
		if !planref.IsPlan(name) || p.StatusOf(plan) == frontmatter.Superseded {
			continue
		}
		plans++
		summary, ok := planref.SummaryOf(plan, names)
		if !ok || p.StatusOf(path.Join(dir, summary)) == frontmatter.Blocked {
			return false
		}
		summaries = append(summaries, path.Join(dir, summary))
		if info, err := p.Lstat(path.Join(dir, summary)); err == nil && info.ModTime().After(end) {
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
func phaseOf(p *project.Project, note string, h *handOff) string {
	dir := path.Dir(note)
	if !planref.PhaseOfDir(dir).IsZero() {
		return dir
	}
	if dir != planref.Planning && dir != "." { // a spike's
		return ""
	}
	if at, ok := p.InPlanning(h.Dir); ok && h.Dir != "" && at != planref.Planning {
		return at
	}
	phases := path.Join(planref.Planning, "phases")
	number, _, ok := planref.CutDir(h.Phase)
	if !ok {
		return ""
	}
	for _, name := range p.Names(phases) {
		if at := path.Join(phases, name); planref.Compare(planref.PhaseOfDir(at), number) == 0 {
			return at
		}
	}
	return ""
}

// committed returns when the newest commit that changed one of the files was made, zero if that is unknown.
func committed(p *project.Project, names []string) time.Time {
	log, err := p.Log(nil)
	if err != nil || log == nil {
		return time.Time{}
	}
	looked := 0
	for c := range log.Commits() {
		if looked++; looked > noteCommits {
			break
		}
		if slices.ContainsFunc(c.Changes(), func(change gitlog.Change) bool { return slices.Contains(names, change.Path) }) {
			return c.When
		}
	}
	return time.Time{}
}

// IsNote reports whether a path is one at which a hand-off note may be: another program's file may be called HANDOFF.json.
func IsNote(name string) bool {
	base, dir := path.Base(name), path.Dir(name)
	switch inside := dir == planref.Planning || strings.HasPrefix(dir, planref.Planning+"/"); {
	case isHandOffJSON(base):
		return dir == planref.Planning
	case project.IsHandOff(base):
		return inside || name == continueHere
	}
	return false
}
