package team

// background.go: when to sync without being asked, one at a time, and who is told if that fails.

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"time"

	"github.com/gofrs/flock"

	"github.com/gsd-cli/gsd/internal/durable"
	"github.com/gsd-cli/gsd/internal/gitremote"
	"github.com/gsd-cli/gsd/internal/project"
	"github.com/gsd-cli/gsd/internal/text"
	"github.com/gsd-cli/gsd/internal/verdict"
)

// autoEvery is how often marks start a sync at most.
const autoEvery = time.Minute

// SyncsItself reports whether git config gsd.sync is auto: bootstrap claims plans, and marks are followed by a sync.
func SyncsItself(ctx context.Context, p *verdict.Project, o SyncOptions) bool {
	repo, err := gitremote.Open(p.Dir, o.Git, o.Env)
	return err == nil && repo.Auto(ctx)
}

// SyncDue reports whether to start a sync in the background, which the caller then does: if git config gsd.sync is auto, and
// none was started within the last minute, or last, at the end of work.
func SyncDue(ctx context.Context, p *verdict.Project, o SyncOptions, last bool) bool {
	repo, err := gitremote.Open(p.Dir, o.Git, o.Env)
	if err != nil || !repo.Auto(ctx) {
		return false
	}
	stamp := filepath.Join(repo.Store(), "auto")
	if info, err := os.Lstat(stamp); err == nil && !last && o.Now.Sub(info.ModTime()).Abs() < autoEvery {
		return false
	}
	if durable.MkdirAllAt(repo.Store(), 0o777) != nil {
		return false
	}
	f, err := os.OpenFile(stamp, os.O_CREATE|os.O_WRONLY, 0o666)
	if err != nil {
		return false
	}
	f.Close() // nothing was written
	_ = os.Chtimes(stamp, o.Now, o.Now)
	return true
}

// BackgroundSync is Sync if no other one that was started in the background is at work once wait is over.
func BackgroundSync(ctx context.Context, p *verdict.Project, o SyncOptions, wait time.Duration) error {
	repo, err := gitremote.Open(p.Dir, o.Git, o.Env)
	if err != nil {
		return err
	}
	if err := durable.MkdirAllAt(repo.Store(), 0o777); err != nil {
		return err
	}
	limited, cancel := context.WithTimeout(ctx, wait)
	defer cancel()
	lock := flock.New(filepath.Join(repo.Store(), "auto.lock"))
	if ok, err := lock.TryLockContext(limited, 100*time.Millisecond); !ok {
		return err
	}
	defer lock.Unlock() // it ends with this process
	if _, err = Sync(ctx, p, o); err != nil {
		keepFailure(p, repo.Store(), err)
	}
	return err
}

// Nobody sees what a sync in the background prints. Why one failed is a note in the repository's store until a sync succeeds,
// under the second name once a hook has told it to an agent.
const (
	failureFile = "failed"
	toldFile    = "failed.told"
	maxFailure  = 600 // characters
)

// keepFailure notes why a sync in the background failed, unless the next one may succeed as it is, or the note is there.
func keepFailure(p *verdict.Project, store string, failed error) {
	why := failed.Error()
	var its *project.Error
	if errors.As(failed, &its) {
		if its.Kind == project.Busy {
			return
		}
		if its.Hint != "" {
			why += "; " + its.Hint
		}
	}
	why = text.Cut(text.Line(why), maxFailure)
	if known, _ := SyncFailure(p); known == why || errors.Is(failed, context.Canceled) {
		return
	}
	root, err := os.OpenRoot(store)
	if err != nil {
		return
	}
	defer root.Close()
	was, _ := durable.StampOf(root, failureFile)
	if p.Write.Replace(root, failureFile, [][]byte{[]byte(why)}, 0o666, was) == nil {
		_ = root.Remove(toldFile)
	}
}

// forgetFailure removes the note: a sync has succeeded.
func forgetFailure(store string) {
	for _, name := range []string{failureFile, toldFile} {
		_ = os.Remove(filepath.Join(store, name))
	}
}

// SyncFailure returns why the syncs in the background fail, on one line with what to do, and since when; "" if the last sync
// succeeded or nothing is known.
func SyncFailure(p *verdict.Project) (why string, since time.Time) {
	if why, since = failure(p, failureFile); why == "" {
		why, since = failure(p, toldFile)
	}
	return why, since
}

// failure reads the note of that name.
func failure(p *verdict.Project, name string) (why string, since time.Time) {
	file := inStore(p, name)
	info, err := os.Lstat(file) // of "", there is none
	if err != nil {
		return "", time.Time{}
	}
	src, err := (*durable.Budget)(nil).ReadAt(file, 4*maxFailure)
	if err != nil {
		return "", time.Time{}
	}
	return text.Cut(text.Line(string(src)), maxFailure), info.ModTime()
}

// SyncWarnings say why the syncs in the background fail, unless a hook has said it before (TellFailure).
func SyncWarnings(p *verdict.Project) []project.Warning {
	text, since := failure(p, failureFile)
	if text == "" {
		return nil
	}
	return []project.Warning{{Code: verdict.SyncProblem, Detail: "since " + verdict.Minute(since) + ", every sync in the background fails: " + text}}
}

// TellFailure records that a hook says why the syncs in the background fail, so that no other one does. It reports whether that is
// so: false if another has just said it.
func TellFailure(p *verdict.Project) bool {
	return !errors.Is(os.Rename(inStore(p, failureFile), inStore(p, toldFile)), os.ErrNotExist)
}
