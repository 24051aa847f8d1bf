package bench

import (
	"fmt"
	"path/filepath"
	"strings"
	"testing"
)

// BenchmarkRemote lists one user's refs at a remote that has those of 10,000, which is all that a sync does if nothing is new.
func BenchmarkRemote(b *testing.B) {
	const users = 10_000
	p := newProject(b, 3)
	bare := filepath.Join(b.TempDir(), "origin.git")
	p.run(b, "git", "init", "--quiet", "--bare", bare)
	p.run(b, "git", "remote", "add", "origin", bare)
	p.run(b, "git", "commit", "--quiet", "--allow-empty", "-m", "first")
	p.run(b, "git", "push", "--quiet", "origin", "HEAD:refs/heads/main")
	id := p.run(b, "git", "rev-parse", "HEAD")
	var refs strings.Builder
	refs.WriteString("# pack-refs with: peeled fully-peeled sorted \n")
	for n := range users {
		fmt.Fprintf(&refs, "%s refs/gsd/users/user-%05d-0123abcd\n", id, n)
	}
	write(b, filepath.Join(bare, "packed-refs"), refs.String())

	p.run(b, "git", "config", "user.email", "ada@example.com")
	p.gsd(b, "sync")
	expect(b, p.gsd(b, "sync"), "origin is up to date")
	synced := p.contender(b, "gsd sync, nothing to do", must(b, gsdBinary), "sync")

	program := must(b, refsBinary)
	expect(b, p.run(b, program, "users/user-05000-0123abcd"), "1")
	expect(b, p.run(b, program, "*"), fmt.Sprint(users))
	one := p.contender(b, "one user of 10,000", program, "users/user-05000-0123abcd")
	all := p.contender(b, "all", program, "*")
	git := p.contender(b, "git ls-remote origin 'refs/gsd/*'", "git", "ls-remote", "origin", "refs/gsd/*")
	r := raced(b, synced, one, all, git)
	atMost(b, r, synced, git, "sync/git", 1.3)
	atMost(b, r, one, git, "of-git", 1.3)
	atMost(b, r, all, git, "all/git", 2)
}
