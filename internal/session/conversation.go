package session

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"io/fs"
	"math"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"time"

	"github.com/gofrs/flock"

	"github.com/gsd-cli/gsd/internal/durable"
)

// A Conversation of an agent is known by up to three kinds of files, conversations/HASH.KIND below the state directory:
//
//	HASH.due    a brief is due: it is to be given with the next prompt
//	HASH.EVENT  a brief was given at that event, or of that plan, when the file was last changed
//	HASH.lock   is locked while a brief is made and given
//
// HASH is of the host and its conversation's id. The files are empty, and nobody reads what is in them. A prompt hook with
// nothing due looks up one name. They are expendable: where they cannot be written, briefs are given as if there were none.
type Conversation struct {
	state StateDir
	stem  string // of its files' names
}

const (
	conversationsDir = "conversations"
	dueSuffix        = ".due"
	lockSuffix       = ".lock"

	// conversationLife is how long the files of a conversation are kept whose end was not reported.
	conversationLife = 30 * 24 * time.Hour
	// hashBytes is how much of a hash is in a name.
	hashBytes = 8
	// maxSwept is how many files are looked at when one conversation's are made.
	maxSwept = 1000

	// A hook's twin, for the same event, has given its brief at most that long before or after the hook was started.
	twinBefore, twinAfter = 500 * time.Millisecond, 10 * time.Second
)

// Conversation returns a host's conversation. Without an id, or a state directory, nothing is known of it.
func (s StateDir) Conversation(host, id string) Conversation {
	if s == "" || id == "" {
		return Conversation{}
	}
	return Conversation{s, shortHash(host, id)}
}

func shortHash(words ...string) string {
	sum := sha256.Sum256([]byte(strings.Join(words, "\x00")))
	return hex.EncodeToString(sum[:hashBytes])
}

// Due reports whether a brief is due. It opens nothing.
func (c Conversation) Due() bool {
	_, due := c.stamp(dueSuffix)
	return due
}

// Briefed reports whether a hook has given the conversation a brief, or was about to.
func (c Conversation) Briefed() bool {
	_, is := c.stamp(lockSuffix)
	return is
}

// Of is the event of [Conversation.Take] at which a conversation reads how far a plan is.
func Of(plan string) []string { return []string{"plan", plan} }

// Told reports whether the conversation has read how far a plan is.
func (c Conversation) Told(plan string) bool {
	_, told := c.stamp("." + shortHash(Of(plan)...))
	return told
}

// SetDue records that a brief is due, or no longer.
func (c Conversation) SetDue(due bool, now time.Time) error {
	switch {
	case due:
		return c.in(true, func(dir *os.Root) error { return touch(dir, c.stem+dueSuffix, now) })
	case !c.Due():
		return nil
	}
	return c.in(false, func(dir *os.Root) error { return dir.Remove(c.stem + dueSuffix) })
}

// Forget removes what is known of a conversation, because it is over.
func (c Conversation) Forget() error {
	return c.in(false, func(dir *os.Root) error {
		names, err := durable.Names(dir, ".")
		for _, name := range names {
			if strings.HasPrefix(name, c.stem+".") {
				err = errors.Join(err, dir.Remove(name))
			}
		}
		return err
	})
}

// A Turn is the right to give a conversation a brief at one event, until Done.
type Turn struct {
	Conversation
	event string       // the suffix of its record; empty for none
	dir   *os.Root     // nil if it cannot be written
	lock  *flock.Flock // nil then, too
}

// Take returns the turn of a hook that was started at began to give a brief at an event of the conversation, or nil if
// another hook has just done so. The event is described by the words of its host, and the process that the host runs in;
// without a description, which is for events that come again and again, Take only waits for other hooks.
//
// Where gsd is installed twice, as a plugin and in a project say, two hooks run for one event, and one brief is enough. But
// none must get lost for it, so in doubt there are two. A hook is silent only if another one gave its brief at the same event
// after this hook was started, or half a second before. It waits for one that is about to. One that is killed before it has
// given its brief frees the lock and leaves no record. After another /clear it is another conversation; after a crash it is
// another process, or, with a server that continues (Codex), takes more than half a second; and the end of a conversation
// removes the record.
func (c Conversation) Take(ctx context.Context, event []string, began time.Time, wait time.Duration) *Turn {
	t := &Turn{Conversation: c}
	if len(event) > 0 {
		t.event = "." + shortHash(event...)
	}
	if c.stem == "" {
		return t
	}
	dir, err := c.state.conversations(true)
	if err != nil {
		return t
	}
	t.dir = dir
	if t.makeLock(began) != nil {
		return t
	}
	t.lock = flock.New(c.path(lockSuffix), flock.SetFlag(os.O_RDONLY|openFlags))
	if ok, err := t.lock.TryLock(); !ok && err == nil {
		ctx, cancel := context.WithTimeout(ctx, wait)
		defer cancel()
		_, _ = t.lock.TryLockContext(ctx, maxPause) // without it, there may be two
	}
	if given, ok := c.stamp(t.event); ok && t.event != "" && given.After(began.Add(-twinBefore)) && given.Before(began.Add(twinAfter)) {
		t.Done(false, began)
		return nil
	}
	return t
}

// Tells records that the brief of the turn says how far a plan is. It comes before Done.
func (t *Turn) Tells(plan string, now time.Time) {
	if t.dir != nil {
		_ = touch(t.dir, t.stem+"."+shortHash(Of(plan)...), now)
	}
}

// Done ends the turn. given says whether the brief was given.
func (t *Turn) Done(given bool, now time.Time) {
	if given && t.event != "" && t.dir != nil {
		_ = touch(t.dir, t.stem+t.event, now)
	}
	if t.lock != nil {
		_ = t.lock.Close()
	}
	if t.dir != nil {
		_ = t.dir.Close()
	}
}

func (t *Turn) makeLock(now time.Time) error {
	_, err := t.dir.Lstat(t.stem + lockSuffix)
	if !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	sweepConversations(t.dir, now, false, maxSwept)
	return touch(t.dir, t.stem+lockSuffix, now)
}

// SweepConversations removes the files of conversations that were not changed for 30 days, and returns how many.
// With dryRun it only counts them.
func (s StateDir) SweepConversations(now time.Time, dryRun bool) (n int) {
	dir, err := s.conversations(false)
	if err != nil {
		return 0
	}
	defer dir.Close()
	return sweepConversations(dir, now, dryRun, math.MaxInt)
}

// sweepConversations is SweepConversations, but looks at so many files at most. Each time they are others: a directory has always
// the same order.
func sweepConversations(dir *os.Root, now time.Time, dryRun bool, most int) (n int) {
	names, _ := durable.Names(dir, ".")
	rand.Shuffle(len(names), func(i, j int) { names[i], names[j] = names[j], names[i] })
	for _, name := range names[:min(len(names), most)] {
		info, err := dir.Lstat(name)
		if err == nil && now.Sub(info.ModTime()) > conversationLife && isConversation(name) && (dryRun || dir.Remove(name) == nil) {
			n++
		}
	}
	return n
}

// isConversation reports whether a file of a conversation has that name.
func isConversation(name string) bool {
	stem, _, ok := strings.Cut(name, ".")
	return ok && len(stem) == 2*hashBytes && strings.Trim(stem, "0123456789abcdef") == ""
}

func (c Conversation) path(suffix string) string {
	return filepath.Join(string(c.state), conversationsDir, c.stem+suffix)
}

// stamp returns when a file of the conversation was last changed, and reports whether there is one.
func (c Conversation) stamp(suffix string) (time.Time, bool) {
	if c.stem == "" {
		return time.Time{}, false
	}
	info, err := os.Lstat(c.path(suffix))
	if err != nil || !info.Mode().IsRegular() {
		return time.Time{}, false
	}
	return info.ModTime(), true
}

// in calls do with the directory of all conversations. Unless it is to be made, a missing one is no error.
func (c Conversation) in(create bool, do func(dir *os.Root) error) error {
	if c.stem == "" {
		return nil
	}
	dir, err := c.state.conversations(create)
	switch {
	case !create && errors.Is(err, fs.ErrNotExist):
		return nil
	case err != nil:
		return err
	}
	defer dir.Close()
	return do(dir)
}

// conversations opens the directory of all conversations.
func (s StateDir) conversations(create bool) (*os.Root, error) {
	open := s.open
	if create {
		open = s.openOrMake
	}
	state, err := open()
	if err != nil {
		return nil, err
	}
	defer state.Close()
	dir, err := durable.OpenRoot(state, conversationsDir)
	if create && errors.Is(err, fs.ErrNotExist) {
		if err := durable.MkdirAll(state, conversationsDir, privateDirPerm); err != nil {
			return nil, err
		}
		dir, err = durable.OpenRoot(state, conversationsDir)
	}
	return dir, err
}

// touch makes an empty file, unless there is a file of that name, and dates it.
func touch(dir *os.Root, name string, now time.Time) error {
	info, err := dir.Lstat(name)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		var f *os.File
		if f, err = dir.OpenFile(name, os.O_WRONLY|os.O_CREATE|os.O_EXCL, privateFilePerm); err == nil {
			err = f.Close()
		}
		if errors.Is(err, fs.ErrExist) { // another hook has just made it
			err = nil
		}
	case err == nil && !info.Mode().IsRegular():
		err = &fs.PathError{Op: "open", Path: name, Err: durable.ErrNotRegular}
	}
	if err != nil {
		return err
	}
	return dir.Chtimes(name, now, now)
}
