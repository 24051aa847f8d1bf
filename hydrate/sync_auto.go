package hydrate

// sync_auto.go: when to sync without being asked, and one at a time.

import (
	"context"
	"os"
	"path/filepath"
	"time"

	"github.com/gofrs/flock"

	"github.com/gsd-cli/gsd/internal/durable"
	"github.com/gsd-cli/gsd/internal/gitremote"
)

// autoEvery is how often marks start a sync at most.
const autoEvery = time.Minute

// SyncsItself reports whether git config gsd.sync is auto: bootstrap claims plans, and marks are followed by a sync.
func (p *Project) SyncsItself(ctx context.Context, o SyncOptions) bool {
	repo, err := gitremote.Open(p.Dir, o.Git, o.Env)
	return err == nil && repo.Auto(ctx)
}

// SyncDue reports whether to start a sync in the background, which the caller then does: if git config gsd.sync is auto, and
// none was started within the last minute, or last, at the end of work.
func (p *Project) SyncDue(ctx context.Context, o SyncOptions, last bool) bool {
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
func (p *Project) BackgroundSync(ctx context.Context, o SyncOptions, wait time.Duration) error {
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
	_, err = p.Sync(ctx, o)
	return err
}
