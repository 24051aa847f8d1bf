package gitlog

// edges_test.go: where a history ends before its root, and what is no history at all.

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

func TestShallow(t *testing.T) {
	t.Parallel()
	origin := newRepo(t, "", true)
	dir := filepath.Join(t.TempDir(), "clone")
	git(t, origin, "", "clone", "-q", "--no-checkout", "--depth=12", "file://"+filepath.ToSlash(origin), dir)
	want := gitLog(t, origin, "")
	edge := len(gitLog(t, dir, "")) - 1 // side branches count for the depth too

	r, err := Open(dir, ".planning", nil)
	if err != nil {
		t.Fatal(err)
	}
	defer r.Close()
	n := 0
	for c, err := range r.Log(context.Background()) {
		if c == nil {
			if !errors.Is(err, ErrTruncated) || n != edge+1 {
				t.Errorf("after %d commits: %v, want ErrTruncated after %d", n, err, edge+1)
			}
			n = -1
			continue
		}
		got, err := entryOf(c)
		if n == edge {
			if !errors.Is(err, ErrTruncated) || got.Changes != nil {
				t.Errorf("at the edge: %v, %v", got.Changes, err)
			}
		} else if diff := cmp.Diff(want[n], got); diff != "" || err != nil {
			t.Error(diff, err)
		}
		n++
	}
	if n != -1 {
		t.Error("ended as if there were no more")
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
	r, err := Open(treeless, ".planning", nil)
	if err != nil {
		t.Fatal(err)
	}
	defer r.Close()
	n := 0
	for c, err := range r.Log(context.Background()) {
		if err != nil || c.ID != want[n].ID {
			t.Fatal(c, err)
		}
		n++
		if _, err := c.Changes(); n == 1 && !errors.Is(err, ErrTruncated) {
			t.Errorf("changes of %s: %v, want ErrTruncated", c.ID, err)
		}
	}
	if n != len(want) {
		t.Errorf("%d commits, want %d", n, len(want))
	}
}

// A commit that is gone ends the log; everything newer is there, and what it takes from the packs of
// several places.
func TestMissingCommit(t *testing.T) {
	t.Parallel()
	dir := newRepo(t, "", false)
	want := gitLog(t, dir, "")
	id := want[20].ID
	if err := os.Remove(filepath.Join(dir, ".git", "objects", id[:2], id[2:])); err != nil {
		t.Fatal(err)
	}
	got, err := ourLog(t, dir)
	if !errors.Is(err, ErrTruncated) || !strings.Contains(err.Error(), id) {
		t.Errorf("%v, want ErrTruncated with %s", err, id)
	}
	if diff := cmp.Diff(want[:19], got); diff != "" {
		t.Error(diff)
	}
}

// A repository that is repacked while it is read.
func TestRepackMeanwhile(t *testing.T) {
	t.Parallel()
	dir := newRepo(t, "", true)
	git(t, dir, "", "commit", "-q", "--allow-empty", "-m", "loose")
	want := gitLog(t, dir, "")
	r, err := Open(dir, ".planning", nil)
	if err != nil {
		t.Fatal(err)
	}
	defer r.Close()
	var got []entry
	for c, err := range r.Log(context.Background()) {
		if err != nil {
			t.Fatal(err)
		}
		if len(got) == 0 {
			r.objects.inPacks(r.head) // the packs are listed, none is open
			for _, p := range r.objects.packs {
				p.close()
				*p = pack{store: p.store, path: p.path}
			}
			git(t, dir, "", "repack", "-adfq", "--depth=1")
		}
		e, err := entryOf(c)
		if err != nil {
			t.Fatal(err)
		}
		got = append(got, e)
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Error(diff)
	}
}

func TestLogStops(t *testing.T) {
	t.Parallel()
	r, err := Open(newRepo(t, "", true), ".planning", nil)
	if err != nil {
		t.Fatal(err)
	}
	defer r.Close()
	ctx, cancel := context.WithCancel(context.Background())
	defer cancel()
	var errs []error
	for _, err := range r.Log(ctx) {
		errs = append(errs, err)
		cancel()
	}
	if len(errs) != 2 || errs[0] != nil || !errors.Is(errs[1], context.Canceled) {
		t.Error(errs)
	}
	for range r.Log(context.Background()) {
		break
	}
}

func TestOpenRefuses(t *testing.T) {
	t.Parallel()
	needGit(t)
	initIn := func(t *testing.T, args ...string) string {
		dir := t.TempDir()
		git(t, dir, "", slices.Concat([]string{"init", "-q", "-b", "main"}, args)...)
		return dir
	}
	write := func(t *testing.T, dir, name, content string) string {
		path := filepath.Join(dir, name)
		if err := os.MkdirAll(filepath.Dir(path), 0o777); err != nil {
			t.Fatal(err)
		}
		replace(t, path, []byte(content))
		return dir
	}
	const sha256 = "0123456789012345678901234567890123456789012345678901234567890123"
	for name, c := range map[string]struct {
		dir  func(t *testing.T) string
		want error
	}{
		"no repository": {func(t *testing.T) string { return t.TempDir() }, ErrNone},
		"no commit":     {func(t *testing.T) string { return initIn(t) }, ErrNone},
		"a .git that is empty": {func(t *testing.T) string {
			dir := t.TempDir()
			return write(t, dir, ".git/x", "")
		}, ErrNone},
		"a .git that leads nowhere": {func(t *testing.T) string { return write(t, t.TempDir(), ".git", "gitdir: gone\n") }, ErrNone},
		"a .git that says nothing":  {func(t *testing.T) string { return write(t, t.TempDir(), ".git", "x") }, ErrNone},
		"packed, another branch": {func(t *testing.T) string {
			return write(t, initIn(t), ".git/packed-refs", "# pack-refs with: peeled fully-peeled sorted \n"+sha256[:40]+" refs/heads/a/refs/heads/main")
		}, ErrNone},
		"SHA-256":         {func(t *testing.T) string { return write(t, initIn(t), ".git/HEAD", sha256+"\n") }, ErrUnsupported},
		"SHA-256, branch": {func(t *testing.T) string { return write(t, initIn(t), ".git/refs/heads/main", sha256+"\n") }, ErrUnsupported},
		"SHA-256, packed": {func(t *testing.T) string {
			return write(t, initIn(t), ".git/packed-refs", sha256+" refs/heads/main\n")
		}, ErrUnsupported},
		"SHA-256, by git": {func(t *testing.T) string {
			dir := initIn(t, "--object-format=sha256")
			git(t, dir, "", "commit", "-q", "--allow-empty", "-m", "x")
			return dir
		}, ErrUnsupported},
		"reftable":                  {func(t *testing.T) string { return write(t, initIn(t), ".git/HEAD", "ref: refs/heads/.invalid\n") }, ErrUnsupported},
		"HEAD of zeros":             {func(t *testing.T) string { return write(t, initIn(t), ".git/HEAD", strings.Repeat("0", 40)) }, errCorrupt},
		"an empty HEAD":             {func(t *testing.T) string { return write(t, initIn(t), ".git/HEAD", "") }, errCorrupt},
		"HEAD in a circle":          {func(t *testing.T) string { return write(t, initIn(t), ".git/refs/heads/main", "ref: refs/heads/main") }, errCorrupt},
		"HEAD out of the directory": {func(t *testing.T) string { return write(t, initIn(t), ".git/HEAD", "ref: refs/../../x") }, errCorrupt},
		"HEAD of another kind":      {func(t *testing.T) string { return write(t, initIn(t), ".git/HEAD", "ref: config") }, errCorrupt},
		"no such directory":         {func(t *testing.T) string { return filepath.Join(t.TempDir(), "x") }, os.ErrNotExist},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			if r, err := Open(c.dir(t), ".planning", nil); !errors.Is(err, c.want) {
				t.Errorf("%v, %v, want %v", r, err, c.want)
			}
		})
	}
}

// HEAD may come to a tag, and to something that is no commit.
func TestHeadOfAnotherKind(t *testing.T) {
	t.Parallel()
	dir := newRepo(t, "", false)
	git(t, dir, "", "tag", "-a", "-m", "x", "one")
	git(t, dir, "", "tag", "-a", "-m", "x", "two", "one")
	want := gitLog(t, dir, "")
	head := filepath.Join(dir, ".git", "HEAD")
	replace(t, head, []byte(git(t, dir, "", "rev-parse", "two")))
	if got, err := ourLog(t, dir); err != nil || !cmp.Equal(want, got) {
		t.Error(err, cmp.Diff(want, got))
	}
	replace(t, head, []byte(git(t, dir, "", "rev-parse", "main^{tree}")))
	if got, err := ourLog(t, dir); !errors.Is(err, errCorrupt) || len(got) > 0 {
		t.Error(got, err)
	}
}
