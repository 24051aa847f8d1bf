package app

import (
	"context"
	"io/fs"
	"path"
	"time"

	"github.com/gsd-cli/gsd/internal/action"
	"github.com/gsd-cli/gsd/internal/durable"
	"github.com/gsd-cli/gsd/internal/leftover"
	"github.com/gsd-cli/gsd/internal/problem"
	"github.com/gsd-cli/gsd/internal/session"
	"github.com/gsd-cli/gsd/internal/verdict"
)

// An ArchivedNote is the answer of gsd archive NOTE.
type ArchivedNote struct {
	Note     string `json:"note"`     // the hand-off note that was archived, relative to the project
	Archived string `json:"archived"` // where it is kept, relative to the project
}

// ArchiveNote moves a hand-off note, named by its path relative to dir or to the project, into the user's session directory. Upstream
// deletes it once the work has been resumed; but somebody wrote it.
func (p *Project) ArchiveNote(ctx context.Context, user, dir, name string, wait time.Duration) (*ArchivedNote, error) {
	for _, candidate := range p.Planning.Places(dir, name) {
		at, _ := p.Planning.InPlanning(candidate)
		if !leftover.IsNote(at) {
			continue
		}
		info, err := p.Planning.Root().Lstat(at)
		switch {
		case problem.IsMissing(err):
			continue
		case err != nil:
			return nil, problem.ReadFailed(at, p.Planning.Limit, err)
		case !info.Mode().IsRegular():
			return nil, problem.Fail(problem.BadData, "remove it by hand", "%s is not a file", at)
		}
		if err := session.CheckDirectory(p.Planning.Root(), path.Dir(at)); err != nil {
			return nil, verdict.WriteFailed(at, err)
		}
		kept, err := p.keepNote(ctx, user, at, info.Mode().Perm(), wait)
		if err != nil {
			return nil, err
		}
		return &ArchivedNote{at, kept}, nil
	}
	return nil, problem.Fail(problem.MissingInput, "", "no hand-off note %s in the project", name).Try(action.Action{Kind: action.ShowSession})
}

// keepNote moves a note into a user's session directory, and returns where it is then.
func (p *Project) keepNote(ctx context.Context, user, note string, perm fs.FileMode, wait time.Duration) (kept string, err error) {
	err = p.Change(ctx, user, wait, func(l *verdict.Locked) error {
		text, was, err := durable.Read(p.Planning.Root(), note, p.Planning.Limit)
		if err != nil {
			return problem.ReadFailed(note, p.Planning.Limit, err)
		}
		if kept, err = l.Guard.Keep(path.Base(note), text, perm, p.Now); err != nil {
			return err
		}
		if is, err := durable.StampOf(p.Planning.Root(), note); err != nil || !is.Equal(was) {
			return problem.Fail(problem.Busy, "read it again", "%s was changed at the same moment", note)
		}
		if err := p.Write.Remove(p.Planning.Root(), note); err != nil {
			return &problem.Error{Kind: problem.IO, Text: "cannot remove " + problem.Cause(note, err), Hint: "check that its directory is writable", Err: err}
		}
		return nil
	})
	return kept, err
}
