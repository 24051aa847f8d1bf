package hydrate

import (
	"context"
	"errors"
	"time"

	"github.com/gsd-cli/gsd/internal/durable"
	"github.com/gsd-cli/gsd/internal/project"
	"github.com/gsd-cli/gsd/internal/run"
	"github.com/gsd-cli/gsd/internal/session"
)

// locked is the session of a user while this process holds its guard.
type locked struct {
	guard  *session.Guard
	files  *run.Files
	report *Report       // parsed but not judged; it has only the user and the path if the session cannot be read
	was    durable.Stamp // the version of the session that the report is on
	unread error         // why the session cannot be read
}

func (p *Project) lock(ctx context.Context, user string, wait time.Duration) (*locked, error) {
	p.project.CloseDirs() // a directory may have been replaced since
	dir := p.session(user)
	g, err := dir.Lock(ctx, wait)
	if err != nil {
		return nil, err
	}
	return &locked{guard: g, files: run.Open(run.Dir{Root: g.Root(), Path: dir.Path(), Writer: p.write})}, nil
}

func (p *Project) readLocked(l *locked, user string) {
	src, was, err := l.guard.Read(p.project.Limit)
	l.was = was
	if l.report, l.unread = p.report(user, src, err); l.unread != nil {
		l.report = &Report{User: user, Path: p.session(user).File()}
	}
	l.report.files, l.report.Changed = l.files, was.ModTime()
}

// change calls do with the guard of a user's session held. An editor that ignores the guard may still change the session
// meanwhile: then nothing is written, and do is called again with what the editor wrote.
func (p *Project) change(ctx context.Context, user string, wait time.Duration, do func(*locked) error) error {
	dir := p.session(user)
	l, err := p.lock(ctx, user, wait)
	if err != nil {
		return writeFailed(dir.File(), err)
	}
	defer func() {
		_ = l.guard.Unlock() // a lock that cannot be released ends with this process
		l.files.Release(dir.Look, p.project.Budget())
	}()
	for range maxTries {
		p.readLocked(l, user)
		if err = do(l); !errors.Is(err, durable.ErrChanged) {
			break
		}
	}
	if _, own := errors.AsType[*Error](err); err != nil && !own {
		return writeFailed(dir.File(), err)
	}
	return err
}

const maxTries = 3

// checkSize refuses to write a session that could not be read again.
func (p *Project) checkSize(name string, chunks [][]byte) error {
	var bytes int64
	for _, chunk := range chunks {
		bytes += int64(len(chunk))
	}
	if bytes <= p.project.Limit {
		return nil
	}
	return project.Fail(Refused, "set GSD_MAX_FILE_MIB to allow larger files", "%s would be larger than %s", name, project.Size(p.project.Limit))
}

// A runChange is a locked session and the assessment of its runs.
type runChange struct {
	run.Assessment
	*locked
	journal *run.Journal
	warned  []Warning
}

// withRuns calls do with the guard of a user's session held, to change the records of its runs.
func (p *Project) withRuns(
	ctx context.Context, user string, wait time.Duration, now time.Time, do func(*runChange) error,
) error {
	dir := p.session(user)
	l, err := p.lock(ctx, user, wait)
	if err != nil {
		return writeFailed(dir.LeaseFile(), err)
	}
	defer l.guard.Unlock() // a lock that cannot be released ends with this process
	p.readLocked(l, user)  // runs are recorded even if the session cannot be read
	odd, err := l.files.ClearJournal()
	if err != nil {
		return writeFailed(dir.JournalFile(), err)
	}
	c := &runChange{locked: l}
	if c.journal, err = l.files.Journal(); err != nil {
		return project.ReadFailed(dir.JournalFile(), p.project.Limit, err)
	}
	c.Assessment = run.Assess(p.facts(l.files, c.journal, now))
	c.warned = p.runWarnings(user, &c.Assessment, l.files, c.journal)
	if odd {
		c.warned = append(c.warned, Warning{Code: JournalProblem, Detail: dir.JournalFile() + " was not a regular file, and was moved aside"})
	}
	err = do(c)
	if _, own := errors.AsType[*Error](err); err != nil && !own {
		return writeFailed(pathIn(err, dir.LeaseFile()), err)
	}
	return err
}
