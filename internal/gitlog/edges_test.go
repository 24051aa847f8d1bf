package gitlog

// edges_test.go: histories that end before their root, and directories without a history.

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/gsd-cli/gsd/internal/durable"
)

// The changes of the boundary commit of a shallow clone are unknown; those of the next commit are known.
func TestShallow(t *testing.T) {
	t.Parallel()
	origin := newRepo(t, "", true)
	dir := filepath.Join(t.TempDir(), "clone")
	git(t, origin, "", "clone", "-q", "--no-checkout", "--depth=12", "file://"+filepath.ToSlash(origin), dir)
	want := gitLog(t, origin, "")
	edge := len(gitLog(t, dir, "")) - 1 // side branches count for the depth too
	n := 0
	for c, err := range mustOpen(t, dir).Log(t.Context()) {
		if c == nil {
			if !errors.Is(err, ErrTruncated) || n != edge+1 {
				t.Errorf("after %d commits: %v, want ErrTruncated after %d", n, err, edge+1)
			}
			n = -1
			continue
		}
		got, err := entryOf(c)
		_, _, outside := c.Outside()
		_, files := c.Files()
		if n == edge {
			if !errors.Is(err, ErrTruncated) || got.Changes != nil || !errors.Is(outside, ErrTruncated) || !errors.Is(files, ErrTruncated) {
				t.Errorf("at the boundary: %v, %v, %v", got.Changes, err, outside)
			}
		} else if diff := cmp.Diff(want[n], got); diff != "" || err != nil || outside != nil || files != nil {
			t.Error(diff, err, outside, files)
		}
		n++
	}
	if n != -1 {
		t.Error("the log ended without ErrTruncated")
	}
	var ids []string
	var err error
	for c, failed := range mustOpen(t, dir).Reachable(t.Context()) {
		if err = failed; err == nil {
			ids = append(ids, c.ID)
		}
	}
	if all := strings.Fields(git(t, dir, "", "rev-list", "HEAD")); !errors.Is(err, ErrTruncated) || len(ids) != len(all) {
		t.Errorf("%d commits are reachable, git has %d: %v", len(ids), len(all), err)
	}
}

func TestPartialClone(t *testing.T) {
	t.Parallel()
	origin := newRepo(t, "", true)
	git(t, origin, "", "config", "uploadpack.allowFilter", "true")
	url := "file://" + filepath.ToSlash(origin)

	blobless := filepath.Join(t.TempDir(), "clone")
	git(t, origin, "", "clone", "-q", "--no-checkout", "--filter=blob:none", url, blobless)
	agree(t, blobless, "")

	treeless := filepath.Join(t.TempDir(), "clone")
	git(t, origin, "", "clone", "-q", "--no-checkout", "--filter=tree:0", url, treeless)
	want := gitLog(t, origin, "")
	for n, c := range all(t, mustOpen(t, treeless).Log(t.Context())) {
		if c.ID != want[n].ID {
			t.Fatal(c)
		}
		if _, err := c.Changes(); n == 0 && !errors.Is(err, ErrTruncated) {
			t.Errorf("changes of %s: %v, want ErrTruncated", c.ID, err)
		}
	}
}

// A missing commit ends the log; everything newer is read.
func TestMissingCommit(t *testing.T) {
	t.Parallel()
	dir := newRepo(t, "", false)
	want := gitLog(t, dir, "")
	id := want[20].ID
	noError(t, os.Remove(filepath.Join(dir, ".git", "objects", id[:2], id[2:])))
	got, err := ourLog(t, dir)
	if !errors.Is(err, ErrTruncated) || !strings.Contains(err.Error(), id) {
		t.Errorf("%v, want ErrTruncated with %s", err, id)
	}
	if diff := cmp.Diff(want[:19], got); diff != "" {
		t.Error(diff)
	}
	replace(t, filepath.Join(dir, ".git", "HEAD"), []byte(git(t, dir, "", "rev-parse", "HEAD^{tree}")))
	if got, err := ourLog(t, dir); !errors.Is(err, errCorrupt) || len(got) > 0 {
		t.Error("a tree is read as a commit:", got, err)
	}
}

// The repository is repacked while it is read.
func TestRepackMeanwhile(t *testing.T) {
	t.Parallel()
	dir := newRepo(t, "", true)
	git(t, dir, "", "commit", "-q", "--allow-empty", "-m", "loose")
	want := gitLog(t, dir, "")
	r := mustOpen(t, dir)
	var got []entry
	for c, err := range r.Log(t.Context()) {
		noError(t, err)
		if len(got) == 0 {
			r.objects.inPacks(r.head) // the packs are listed, none is open
			for _, p := range r.objects.packs {
				p.close()
				*p = pack{store: p.store, path: p.path}
			}
			git(t, dir, "", "repack", "-adfq", "--depth=1")
		}
		e, err := entryOf(c)
		noError(t, err)
		got = append(got, e)
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Error(diff)
	}
}

func TestLogStops(t *testing.T) {
	t.Parallel()
	r := mustOpen(t, newRepo(t, "", true))
	ctx, cancel := context.WithCancel(t.Context())
	defer cancel()
	var errs []error
	for _, err := range r.Log(ctx) {
		errs = append(errs, err)
		cancel()
	}
	if len(errs) != 2 || errs[0] != nil || !errors.Is(errs[1], context.Canceled) {
		t.Error(errs)
	}
	for range r.Log(t.Context()) {
		break
	}
}

func TestOpenRefuses(t *testing.T) {
	t.Parallel()
	needGit(t)
	const sha256 = "0123456789012345678901234567890123456789012345678901234567890123"
	const sorted = "# pack-refs with: peeled fully-peeled sorted \n"
	for name, c := range map[string]struct {
		init, file, text string // how the repository is made, if it is, and what is written there
		want             error
	}{
		"no repository":             {"", "x", "", ErrNone},
		"a .git that is empty":      {"", ".git/x", "", ErrNone},
		"a .git that leads nowhere": {"", ".git", "gitdir: gone\n", ErrNone},
		"a .git that says nothing":  {"", ".git", "x", ErrNone},
		"no commit":                 {"init", "x", "", ErrNone},
		"packed, another branch":    {"init", ".git/packed-refs", sorted + sha256[:40] + " refs/heads/a/refs/heads/main", ErrNone},
		"packed, too many":          {"init", ".git/packed-refs", sorted + strings.Repeat("x", 33<<20), durable.ErrTooLarge},
		"SHA-256":                   {"init", ".git/HEAD", sha256 + "\n", ErrUnsupported},
		"SHA-256, branch":           {"init", ".git/refs/heads/main", sha256 + "\n", ErrUnsupported},
		"SHA-256, packed":           {"init", ".git/packed-refs", sha256 + " refs/heads/main\n", ErrUnsupported},
		"SHA-256, by git":           {"init --object-format=sha256", "x", "", ErrUnsupported},
		"reftable":                  {"init", ".git/HEAD", "ref: refs/heads/.invalid\n", ErrUnsupported},
		"HEAD of zeros":             {"init", ".git/HEAD", strings.Repeat("0", 40), errCorrupt},
		"an empty HEAD":             {"init", ".git/HEAD", "", errCorrupt},
		"HEAD in a circle":          {"init", ".git/refs/heads/main", "ref: refs/heads/main", errCorrupt},
		"HEAD out of the directory": {"init", ".git/HEAD", "ref: refs/../../x", errCorrupt},
		"HEAD of another kind":      {"init", ".git/HEAD", "ref: config", errCorrupt},
	} {
		t.Run(name, func(t *testing.T) {
			if testing.Short() && len(c.text) > 1<<20 {
				t.Skip("writes many megabytes")
			}
			t.Parallel()
			dir := t.TempDir()
			if c.init != "" {
				git(t, dir, "", append(strings.Fields(c.init), "-q", "-b", "main")...)
				if strings.Contains(c.init, "sha256") {
					git(t, dir, "", "commit", "-q", "--allow-empty", "-m", "x")
				}
			}
			path := filepath.Join(dir, c.file)
			noError(t, os.MkdirAll(filepath.Dir(path), 0o777))
			replace(t, path, []byte(c.text))
			if r, err := Find(dir).Open(nil); !errors.Is(err, c.want) {
				t.Errorf("%v, %v, want %v", r, err, c.want)
			}
		})
	}
}
