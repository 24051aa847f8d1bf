package gitlog

import (
	"os"
	"os/exec"
	"path/filepath"
	"testing"
)

func TestMayTrack(t *testing.T) {
	if _, err := exec.LookPath("git"); err != nil {
		t.Skip("there is no git")
	}
	const name = "a/b.txt"
	git := func(dir string, args ...string) {
		t.Helper()
		cmd := exec.Command("git", append([]string{"-C", dir, "-c", "user.name=a", "-c", "user.email=a@b.c"}, args...)...)
		cmd.Env = []string{"PATH=" + os.Getenv("PATH"), "HOME=" + dir, "GIT_CONFIG_NOSYSTEM=1"}
		if out, err := cmd.CombinedOutput(); err != nil {
			t.Fatalf("git %q: %v\n%s", args, err, out)
		}
	}
	want := func(dir string, want bool, when string) {
		t.Helper()
		if got := MayTrack(dir, name); got != want {
			t.Errorf("%s: %v", when, got)
		}
	}
	dir := t.TempDir()
	sub := filepath.Join(dir, "sub")
	noError(t, os.MkdirAll(filepath.Join(sub, "a"), 0o755))
	for _, file := range []string{"a/b.txt", "a/b.txt.more", "other"} {
		noError(t, os.WriteFile(filepath.Join(sub, file), nil, 0o644))
	}
	want(sub, false, "without a repository")
	git(dir, "init", "-q", "--template=", ".")
	want(sub, false, "without an index")
	git(dir, "add", "sub/other", "sub/a/b.txt.more")
	want(sub, false, "other files are tracked")
	git(dir, "add", "sub/a/b.txt")
	want(sub, true, "it is tracked")
	git(dir, "commit", "-qm", "all")
	git(dir, "worktree", "add", "-q", filepath.Join(dir, "tree"))
	git(dir, "rm", "-q", "--cached", "sub/a/b.txt")
	want(sub, false, "no longer tracked")
	want(filepath.Join(dir, "tree", "sub"), true, "in another working tree")
	git(dir, "update-index", "--index-version", "4")
	want(sub, true, "names are shortened")
}
