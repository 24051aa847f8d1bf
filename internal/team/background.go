package team

// background.go: when to sync without being asked, one at a time, and who sees it if that fails.

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"time"

	"github.com/gofrs/flock"

	"github.com/gsd-cli/gsd/internal/action"
	"github.com/gsd-cli/gsd/internal/durable"
	"github.com/gsd-cli/gsd/internal/gitremote"
	"github.com/gsd-cli/gsd/internal/problem"
	"github.com/gsd-cli/gsd/internal/text"
	"github.com/gsd-cli/gsd/internal/verdict"
)

// autoEvery is how often marks start a sync at most.
const autoEvery = time.Minute

// The files in the directory that gsd's own state has for the clone.
const (
	autoFile    = "auto"      // the address that a person lets gsd sync with by itself, and a newline
	startedFile = "started"   // when a sync in the background was last started
	autoLock    = "auto.lock" // is locked by the sync in the background
	remoteDir   = "remote.git"

	maxAddress = 8 << 10
	filePerm   = 0o600
)

// autoAddress returns the address that a person lets gsd sync with by itself, empty if none.
func autoAddress(p *verdict.Project) string {
	text, err := (*durable.Budget)(nil).ReadAt(inStore(p, autoFile), maxAddress) // of "", there is none
	if err != nil {
		return ""
	}
	return strings.TrimSuffix(string(text), "\n")
}

// SyncsItself reports whether a person let gsd sync this clone by itself: bootstrap claims plans, and marks are followed by a sync. It
// runs nothing; whether the remote is still the same is found out before it is reached.
func SyncsItself(p *verdict.Project) bool { return autoAddress(p) != "" }

// SetAuto lets gsd sync this clone by itself from now on, with the remote as it is configured now, or no longer. A person has to ask for
// it: what is in the repository may have come with it. Errors are as those of Sync.
func SetAuto(ctx context.Context, p *verdict.Project, o SyncOptions, on bool) (*Synced, error) {
	done := &Synced{User: o.User, Turned: true, Auto: on}
	if on {
		done.Do = []action.Action{{Kind: action.EndSyncs}}
	}
	if !on {
		err := os.Remove(inStore(p, autoFile))
		if file := inStore(p, autoFile); err != nil && file != "" && !problem.IsMissing(err) {
			return nil, verdict.WriteFailed(file, err)
		}
		forgetFailure(p)
		return done, nil
	}
	s, err := Begin(ctx, p, o)
	if err != nil {
		return nil, err
	}
	store, err := p.StateDir.MakeClone(p.Planning.GitDir())
	if err != nil {
		return nil, verdict.WriteFailed(store, err)
	}
	if err := s.keep(store, autoFile, []byte(s.remote.Address()+"\n")); err != nil {
		return nil, err
	}
	forgetFailure(p)
	done.Remote, done.Ref, done.Address = s.remote.String(), s.ref, gitremote.Shown(s.remote.Address())
	return done, nil
}

// checkAuto returns why a sync that nobody asked for must not reach a remote: that is another one than the person has seen.
func checkAuto(p *verdict.Project, remote *gitremote.Remote) error {
	switch autoAddress(p) {
	case remote.Address():
		return nil
	case "":
		return problem.Fail(problem.Refused, "`gsd sync --auto on` turns it on", "background sync is off in this clone")
	}
	return problem.Fail(problem.Refused, "nothing was sent there",
		"the address of %s has changed since background sync was turned on, so it stops; a person can turn it on for %s with `gsd sync --auto on`",
		remote, gitremote.Shown(remote.Address()))
}

// SyncDue reports whether to start a sync in the background, which the caller then does: if a person let gsd sync by itself, and
// none was started within the last minute, or last, at the end of work.
func SyncDue(p *verdict.Project, last bool) bool {
	if !SyncsItself(p) {
		return false
	}
	stamp := inStore(p, startedFile)
	if info, err := os.Lstat(stamp); err == nil && !last && p.Now.Sub(info.ModTime()).Abs() < autoEvery {
		return false
	}
	f, err := os.OpenFile(stamp, os.O_CREATE|os.O_WRONLY, filePerm)
	if err != nil {
		return false
	}
	f.Close() // nothing was written
	_ = os.Chtimes(stamp, p.Now, p.Now)
	return true
}

// BackgroundSync is Sync if no other one that was started in the background is at work once wait is over.
func BackgroundSync(ctx context.Context, p *verdict.Project, o SyncOptions, wait time.Duration) error {
	store, err := p.StateDir.MakeClone(p.Planning.GitDir())
	if err != nil {
		return verdict.WriteFailed(store, err)
	}
	limited, cancel := context.WithTimeout(ctx, wait)
	defer cancel()
	lock := flock.New(filepath.Join(store, autoLock))
	if ok, err := lock.TryLockContext(limited, 100*time.Millisecond); !ok {
		return err
	}
	defer lock.Unlock() // it ends with this process
	o.Unasked = true
	if _, err = Sync(ctx, p, o); err != nil {
		keepFailure(p, store, err)
	}
	return err
}

// Nobody sees what a sync in the background prints. Why one failed is a note in the clone's directory until a sync succeeds,
// under the second name once a hook has shown it to an agent.
const (
	failureFile = "failed"
	toldFile    = "failed.told"
	maxFailure  = 600 // characters
)

// keepFailure notes why a sync in the background failed, unless the next one may succeed as it is, or the note is there.
func keepFailure(p *verdict.Project, store string, failed error) {
	why := failed.Error()
	var failure *problem.Error
	if errors.As(failed, &failure) {
		if failure.Kind == problem.Busy {
			return
		}
		if failure.Hint != "" {
			why += "; " + failure.Hint
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
	if p.Write.Replace(root, failureFile, [][]byte{[]byte(why)}, filePerm, was) == nil {
		_ = root.Remove(toldFile)
	}
}

// forgetFailure removes the note: a sync has succeeded.
func forgetFailure(p *verdict.Project) {
	for _, name := range []string{failureFile, toldFile} {
		_ = os.Remove(inStore(p, name))
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
func SyncWarnings(p *verdict.Project) []problem.Warning {
	text, since := failure(p, failureFile)
	if text == "" {
		return nil
	}
	return []problem.Warning{{Code: SyncFailing, Since: since, Says: text}}
}

// TellFailure records that a hook says why the syncs in the background fail, so that no other one does. It reports whether that is
// so: false if another has just said it.
func TellFailure(p *verdict.Project) bool {
	return !errors.Is(os.Rename(inStore(p, failureFile), inStore(p, toldFile)), os.ErrNotExist)
}
