package gitremote

// fetch.go: receiving commits and reading their files. Anybody who may push can push what is too large to be received or read, and
// a megabyte on the wire becomes a gigabyte. So git dies at the first object that is larger than all that we write, before it
// inflates it; and what cannot be received together is received in halves, until it is known whose commit is to blame.

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/gsd-cli/gsd/internal/durable"
	"github.com/gsd-cli/gsd/internal/gitlog"
)

// The most that is read of one commit; package share writes no more.
var limits = gitlog.FileLimits{Entries: 10_000, Bytes: 16 << 20, Depth: 16, Work: 32 << 20}

// readBudget is the most that is read of all commits together.
const readBudget = 512 << 20

// Tree is what a commit holds: the content of its files by their paths with slashes.
type Tree struct {
	Files map[string][]byte
	Err   error // why there are no files
}

// Later reports whether the commit may be read the next time. Otherwise it cannot be received, or it is not what we write, and
// that is known by its id.
func (t *Tree) Later() bool {
	var failure *Error
	return errors.As(t.Err, &failure) && failure.Kind != Unusable && failure.Kind != Slow || errors.Is(t.Err, durable.ErrBudget)
}

// Read returns the trees of commits, in the same order. It fetches what is not in the repository, if a remote is given, in one
// connection as long as no commit is too large. A commit that cannot be read is an error of its tree only. An error of kind Moved
// means that the remote no longer has one of the commits: list its refs again.
func (r *Repo) Read(ctx context.Context, rm *Remote, ids []string) ([]Tree, error) {
	trees := r.read(durable.NewBudget(readBudget), ids)
	var missing []string
	for i, t := range trees {
		if errors.Is(t.Err, gitlog.ErrTruncated) && validID(ids[i]) {
			missing = append(missing, ids[i])
		}
	}
	if rm == nil || len(missing) == 0 {
		return trees, nil
	}
	failed, err := r.fetch(ctx, rm, missing)
	if err != nil {
		return nil, err
	}
	received := r.read(durable.NewBudget(readBudget), missing)
	for i, id := range ids {
		if n := slices.Index(missing, id); n >= 0 {
			if trees[i] = received[n]; failed[id] != nil {
				trees[i] = Tree{Err: failed[id]}
			}
		}
	}
	return trees, nil
}

func (r *Repo) read(budget *durable.Budget, ids []string) []Tree {
	objects := gitlog.OpenObjects(r.place(), budget)
	defer objects.Close()
	trees := make([]Tree, len(ids))
	for i, id := range ids {
		trees[i].Files, trees[i].Err = objects.Files(id, limits)
	}
	return trees
}

// leastTime is how long git needs at least for a connection.
const leastTime = 200 * time.Millisecond

// fetch receives commits. If they cannot be received together, it tries halves of them, and halves of those, for as long again as
// one connection may take; each may take half of what is left of that. failed has what was not received, with the reason: of kind
// Unusable or Slow if the commit alone is to blame.
func (r *Repo) fetch(ctx context.Context, rm *Remote, ids []string) (failed map[string]error, err error) {
	type group struct {
		ids   []string
		err   error
		limit time.Duration // how long it was given
	}
	whole := rm.timeout()
	err = r.fetchOnce(ctx, rm, whole, ids)
	if err == nil || !mayBeOneOf(err) {
		return nil, err
	}
	failed = map[string]error{}
	end := time.Now().Add(whole)
	for groups := []group{{ids, err, whole}}; len(groups) > 0; groups = groups[1:] {
		g := groups[0]
		if len(g.ids) == 1 {
			if kindOf(g.err) == TimedOut && g.limit >= whole/3 { // the first halves get a little less than half of it
				g.err = &Error{Kind: Slow, Remote: rm.String(), Sentence: fmt.Sprintf("commit %.12s takes too long to be received from %s", g.ids[0], rm)}
			}
			failed[g.ids[0]] = g.err
			continue
		}
		for half := range slices.Chunk(g.ids, (len(g.ids)+1)/2) {
			limit := time.Until(end) / 2
			if limit < leastTime {
				for _, id := range half {
					failed[id] = &Error{Kind: TimedOut, Remote: rm.String(), Sentence: fmt.Sprintf("%s did not send all in time, the next sync tries again", rm)}
				}
				continue
			}
			if err := r.fetchOnce(ctx, rm, limit, half); ctx.Err() != nil {
				return nil, err
			} else if err != nil {
				groups = append(groups, group{half, err, limit})
			}
		}
	}
	return failed, nil
}

// mayBeOneOf reports whether one of several commits may be the reason that all were not received.
func mayBeOneOf(err error) bool {
	return slices.Contains([]Kind{Other, Unreachable, TimedOut, Unusable}, kindOf(err))
}

func kindOf(err error) Kind {
	var failure *Error
	if errors.As(err, &failure) {
		return failure.Kind
	}
	return NoRemote
}

// allocLimit makes git refuse to allocate more at once, and so to receive a larger object, twice as large as all that is read of
// a commit. It knows the size before it inflates an object, unless it is above bigFileThreshold and needs no memory.
const allocLimit = "GIT_ALLOC_LIMIT=32m"

func bigFileThreshold() string {
	if strconv.IntSize == 32 || runtime.GOOS == "windows" { // git's unsigned long has 32 bits there
		return "core.bigFileThreshold=4294967295"
	}
	return "core.bigFileThreshold=9223372036854775807"
}

// fetchOnce receives commits in one connection. No ref is written, and no FETCH_HEAD.
func (r *Repo) fetchOnce(ctx context.Context, rm *Remote, limit time.Duration, ids []string) error {
	began := time.Now()
	within := *rm
	within.Timeout = limit
	receive := func(env ...string) (output, error) {
		return r.remote(ctx, &within, env, []byte(strings.Join(ids, "\n")+"\n"), 1<<20,
			"fetch", "--quiet", "--no-write-fetch-head", "--no-tags", "--no-prune", "--no-recurse-submodules",
			"--no-auto-maintenance", "--no-show-forced-updates", "--no-filter", "--stdin", alias)
	}
	out, err := receive(allocLimit)
	if err != nil && strings.Contains(out.stderr, "remote: fatal: attempting to allocate") {
		_, err = receive() // a remote on this machine has the limit, too, and needs more for a large repository
	}
	if err != nil {
		r.removeTemps(began)
	}
	return err
}

// removeTemps removes the packs that git had started to receive when it failed: they may be large.
func (r *Repo) removeTemps(began time.Time) {
	dir := filepath.Join(r.place(), "objects", "pack")
	names, _ := durable.NamesAt(dir)
	for _, name := range names {
		file := filepath.Join(dir, name)
		if info, err := os.Lstat(file); err == nil && strings.HasPrefix(name, "tmp_") && info.ModTime().After(began.Add(-time.Second)) {
			_ = os.Remove(file) // the next sweep tries again
		}
	}
}
