package verdict

import (
	"context"
	"errors"
	"path"
	"time"

	"github.com/gsd-cli/gsd/internal/answer"
	"github.com/gsd-cli/gsd/internal/durable"
	"github.com/gsd-cli/gsd/internal/problem"
	"github.com/gsd-cli/gsd/internal/run"
	"github.com/gsd-cli/gsd/internal/session"
)

// Locked is the session of a user while this process holds its guard.
type Locked struct {
	Guard   *session.Guard
	RunFile *run.File
	Report  *answer.Report // parsed but not judged
	Was     durable.Stamp  // the version of the session that the report is on
}

func (p *Project) lock(ctx context.Context, user string, wait time.Duration) (*Locked, error) {
	dir := p.Session(user)
	g, err := dir.Lock(ctx, wait)
	if err != nil {
		return nil, err
	}
	p.Forget()
	return &Locked{Guard: g, RunFile: run.Open(run.Dir{Root: g.Root(), Path: dir.Path(), Writer: p.Write})}, nil
}

// ReadLocked reads the session again, under its guard.
func (p *Project) ReadLocked(l *Locked, user string) {
	src, was, err := l.Guard.Read(p.Planning.Limit)
	l.Was, l.Report = was, p.begin(user, l.RunFile, src, was, err)
}

// Change calls do with the guard of a user's session held. An editor that ignores the guard may still change the session
// meanwhile: then nothing is written, and do is called again with what the editor wrote.
func (p *Project) Change(ctx context.Context, user string, wait time.Duration, do func(*Locked) error) error {
	dir := p.Session(user)
	l, err := p.lock(ctx, user, wait)
	if err != nil {
		return WriteFailed(dir.File(), err)
	}
	defer func() {
		_ = l.RunFile.Flush() // the session counts: of the runs, less is known then
		_ = l.Guard.Unlock()  // a lock that cannot be released ends with this process
		p.Planning.Wrote(dir.Path())
		l.RunFile.Release(dir.WithFile, p.Planning.Budget())
	}()
	for range MaxTries {
		p.ReadLocked(l, user)
		if err = do(l); !errors.Is(err, durable.ErrChanged) {
			break
		}
	}
	if _, own := errors.AsType[*problem.Error](err); err != nil && !own {
		return WriteFailed(dir.File(), err)
	}
	return err
}

// MaxTries is how often a change is tried that an editor was faster than.
const MaxTries = 3

// CheckSize refuses to write a session that could not be read again.
func (p *Project) CheckSize(name string, chunks [][]byte) error {
	var bytes int64
	for _, chunk := range chunks {
		bytes += int64(len(chunk))
	}
	if bytes <= p.Planning.Limit {
		return nil
	}
	return problem.Fail(problem.Refused, "set GSD_MAX_FILE_MIB to allow larger files", "%s would be larger than %s", name, problem.Size(p.Planning.Limit))
}

// A RunChange is a locked session and the assessment of its runs.
type RunChange struct {
	run.Assessment
	*Locked
	Warned []problem.Warning
	// Then is called once the records are written, with the guard held: what names a run comes after its record. Nil for nothing.
	Then func()
}

// WithRuns calls do with the guard of a user's session held, to change the records of its runs. They are written once do returns, even with
// an error. If that fails and nothing was written, a file without records stays in its place, so that the next command tells of it.
func (p *Project) WithRuns(
	ctx context.Context, user string, wait time.Duration, do func(*RunChange) error,
) error {
	dir := p.Session(user)
	l, err := p.lock(ctx, user, wait)
	if err != nil {
		return WriteFailed(dir.RunsFile(), err)
	}
	defer func() {
		_ = l.Guard.Unlock() // a lock that cannot be released ends with this process
		p.Planning.Wrote(dir.Path())
	}()
	p.ReadLocked(l, user) // runs are recorded even if the session cannot be read
	c := &RunChange{Locked: l}
	aside, err := l.RunFile.PutAside()
	if err != nil {
		return WriteFailed(dir.RunsFile(), err)
	}
	if aside != "" {
		c.Warned = []problem.Warning{{Code: answer.RunsMoved, Path: dir.RunsFile(), Other: aside}}
	}
	records, err := l.RunFile.Records()
	if err != nil {
		return problem.ReadFailed(dir.RunsFile(), p.Planning.Limit, err)
	}
	c.Assessment = run.Assess(p.facts(l.Report, records))
	err = do(c)
	if failed := l.RunFile.Flush(); failed != nil && err == nil {
		err = failed
		if stamp, lost := l.Guard.Stamp(); lost == nil && !stamp.Equal(l.Was) {
			failure := WriteFailed(pathIn(failed, dir.RunsFile()), failed)
			failure.Hint = "the session was changed, but not what is known of its runs; see what is wrong with the disk. `gsd hydrate` says how the session is now"
			return failure
		}
	} else if failed == nil && c.Then != nil {
		c.Then()
	}
	if err != nil {
		l.RunFile.PutBack(aside)
	}
	if _, own := errors.AsType[*problem.Error](err); err != nil && !own {
		return WriteFailed(pathIn(err, dir.RunsFile()), err)
	}
	return err
}

// WriteTracked makes text the content of a file of the project that git tracks. What killed writers of the file have left goes.
func (p *Project) WriteTracked(name, text string, was durable.Stamp) error {
	durable.SweepTempsOf(p.Planning.Root(), path.Dir(name), path.Base(name), time.Now().Add(-durable.TempLife))
	w := p.Write
	w.Shared = true
	p.Planning.Wrote(path.Dir(name))
	return w.Replace(p.Planning.Root(), name, [][]byte{[]byte(text)}, 0o666, was)
}
