package bench

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

const timesHead = "\tmedian\tmin\tratio\tof minima\truns"

// BenchmarkHydrate compares `gsd hydrate` on a session of three tasks with `git config user.name`, which any other
// program would have to call just to know the user, and with the shell script of the original specification.
func BenchmarkHydrate(b *testing.B) {
	p := newSession(b, 3)
	p.gsd(b, "mark", "1", "complete")
	gsd := p.contender(b, "gsd hydrate", must(b, gsdBinary), "hydrate")
	git := p.contender(b, "git config user.name", "git", "config", "user.name")
	included, archived := p.withInclude(b), newSession(b, 3)
	for range 50 {
		archived.gsd(b, "bootstrap", "03-01", "--fresh")
	}
	archived.gsd(b, "mark", "1", "complete")
	archives := archived.contender(b, "gsd hydrate, 50 archives", must(b, gsdBinary), "hydrate")
	contenders := []*contender{
		gsd, archives,
		included.contender(b, "gsd hydrate, git asked", must(b, gsdBinary), "hydrate"),
		p.contender(b, "gsd --version", must(b, gsdBinary), "--version"),
		p.contender(b, "empty Go program", must(b, emptyBinary)),
	}
	expect(b, p.gsd(b, "hydrate", "--porcelain"), "2")
	expect(b, included.gsd(b, "hydrate", "--porcelain"), "2")
	var seed *contender
	if script := seedScript(); script != "" {
		seed = p.contender(b, "the seed's shell", "bash", script)
		contenders = append(contenders, seed)
		expect(b, p.run(b, "bash", script), "2") // it comes to an end, too
	} else {
		b.Log("../../../shared/bench/seed-hydrate.sh is missing: not compared with the seed's shell")
	}
	contenders = append(contenders, git)

	r := raced(b, contenders...)
	atMost(b, r, gsd, git, "of-git", 1.8)
	atMost(b, r, archives, gsd, "of-none", 1.05)
	if seed != nil {
		faster := compare(seed, gsd)
		b.ReportMetric(faster.medians, "seed/gsd")
		r.bar(b, fmt.Sprintf("%s is %.1f times as fast as %s (minima %.1f)", gsd.name, faster.medians, seed.name, faster.minima), "at least 7", faster.medians >= 7)
	}
}

// seedScript returns the path of that script, "" if it is missing: it is beside the repository, not in it.
func seedScript() string {
	script, err := filepath.Abs("../../../shared/bench/seed-hydrate.sh")
	if err != nil {
		return ""
	}
	if _, err := os.Stat(script); err != nil {
		return ""
	}
	return script
}

// BenchmarkHydrate1000 is BenchmarkHydrate on a session of 1,000 tasks.
func BenchmarkHydrate1000(b *testing.B) {
	p := newSession(b, 1000)
	p.gsd(b, "mark", "1", "complete")
	expect(b, p.gsd(b, "hydrate", "--porcelain"), "2")
	gsd := p.contender(b, "gsd hydrate, 1,000 tasks", must(b, gsdBinary), "hydrate")
	git := p.contender(b, "git config user.name", "git", "config", "user.name")

	r := raced(b, gsd, git)
	atMost(b, r, gsd, git, "of-git", 2.2)
}

// BenchmarkHydrateDrift compares a session with five commits since its start, which are compared with its statuses,
// with one without commits. The statuses agree with the commits.
func BenchmarkHydrateDrift(b *testing.B) {
	p, still := newCommitted(b), newCommitted(b)
	for n, subject := range []string{
		"test(03-01): add tests for task 1", "feat(03-01): task 1, handle the login form", "fix: read the form only once",
		"test(03-01): add tests for task 2", "feat(03-01): task 2, handle the login form",
	} {
		write(b, p.path("src/auth/login.go"), fmt.Sprintf("package auth // %d\n", n))
		p.run(b, "git", "add", "--all")
		p.run(b, "git", "commit", "--quiet", "--message", subject)
	}
	p.gsd(b, "mark", "1", "complete")
	if out := p.gsd(b, "hydrate"); !strings.Contains(out, "task 2, handle the login form") { // the commits are read
		b.Fatal(out)
	}
	p.gsd(b, "mark", "2", "complete")
	expect(b, p.gsd(b, "hydrate", "--porcelain"), "3")
	drift := p.contender(b, "gsd hydrate, five commits since", must(b, gsdBinary), "hydrate")
	none := still.contender(b, "gsd hydrate, no commit since", must(b, gsdBinary), "hydrate")
	git := p.contender(b, "git config user.name", "git", "config", "user.name")

	r := raced(b, drift, none, git)
	atMost(b, r, drift, git, "of-git", 2.8)
}

// BenchmarkHydrateShared compares a session that is synced and claimed by itself, in a team of 100, with one that is not.
func BenchmarkHydrateShared(b *testing.B) {
	p, alone := newCommitted(b), newCommitted(b)
	bare := filepath.Join(b.TempDir(), "origin.git")
	p.run(b, "git", "init", "--quiet", "--bare", bare)
	p.run(b, "git", "remote", "add", "origin", bare)
	for _, each := range []*project{p, alone} {
		each.gsd(b, "mark", "1", "complete")
	}
	p.gsd(b, "sync")
	p.gsd(b, "sync", "--auto", "on") // now that nothing starts a sync any more
	file := p.teamFile(b)
	team, err := os.ReadFile(file)
	noError(b, err)
	if !strings.Contains(string(team), "\nclaim\t") {
		b.Fatalf("no claim: %s", team)
	}
	for n := range 100 {
		team = fmt.Appendf(team, "user\tuser-%d-0123abcd\t%040x\non\tphases/03-auth/03-01-PLAN.md\tw%d\tlaptop\t1\t2\t3\t1\t1\n", n, n, n)
	}
	write(b, file, string(team))
	for _, each := range []*project{p, alone} {
		expect(b, each.gsd(b, "hydrate", "--porcelain"), "2")
	}
	shared := p.contender(b, "gsd hydrate, synced", must(b, gsdBinary), "hydrate")
	none := alone.contender(b, "gsd hydrate, not synced", must(b, gsdBinary), "hydrate")

	r := raced(b, shared, none)
	atMost(b, r, shared, none, "of-alone", 1.1)
}

// BenchmarkHydrateBranches compares a repository with 300 branches that are not merged with one that has none: with the refs in files of
// their own, and packed, and with the work of an agent on the session's plan among them, which is named.
func BenchmarkHydrateBranches(b *testing.B) {
	none, loose, packed, told := newCommitted(b), newCommitted(b), newCommitted(b), newCommitted(b)
	for _, p := range []*project{none, loose, packed, told} {
		main, on := strings.TrimSpace(p.run(b, "git", "symbolic-ref", "--short", "HEAD")), []string{"--detach"}
		if p != none {
			p.branches(b, 300, "feature/%d", "feat(02-%d): more")
			on = []string{"feature/7", "feature/200", "feature/42"}
		}
		for _, name := range append(on, main) { // HEAD has moved in all of them
			p.run(b, "git", "checkout", "--quiet", name)
		}
	}
	packed.run(b, "git", "pack-refs", "--all")
	told.branches(b, 1, "worktree-agent-%d", "feat(03-01): task 1, handle the login form (%d)")
	contenders := []*contender{}
	for _, test := range []struct {
		name string
		*project
	}{{"gsd hydrate, no branches", none}, {"gsd hydrate, 300 branches", loose}, {"gsd hydrate, 300 packed", packed}, {"gsd hydrate, work on one", told}} {
		if out := test.gsd(b, "hydrate"); strings.Contains(out, "worktree-agent-") != (test.project == told) {
			b.Fatal(out)
		}
		contenders = append(contenders, test.contender(b, test.name, must(b, gsdBinary), "hydrate"))
	}

	r := raced(b, contenders...)
	atMost(b, r, contenders[1], contenders[0], "of-none", 1.2)
	atMost(b, r, contenders[2], contenders[0], "packed/none", 1.2)
}

// branches adds branches of three commits each to the history of a project.
func (p *project) branches(b *testing.B, n int, name, subject string) {
	b.Helper()
	head := strings.TrimSpace(p.run(b, "git", "rev-parse", "HEAD"))
	var in strings.Builder
	for i := range n {
		ref := fmt.Sprintf("refs/heads/"+name, i)
		for k := range 3 {
			message := fmt.Sprintf(subject, i%9+1)
			fmt.Fprintf(&in, "commit %s\ncommitter A <a@x> %d +0000\ndata %d\n%s\n", ref, 1_700_000_000+60*i+k, len(message), message)
			if k == 0 {
				fmt.Fprintf(&in, "from %s\n", head)
			}
			fmt.Fprintf(&in, "M 100644 inline src/auth/login-%d.go\ndata 2\n%d\n\n", i, k)
		}
	}
	_, err := p.tryWith(strings.NewReader(in.String()), "git", "fast-import", "--quiet")
	noError(b, err)
}

// newCommitted makes a project of three tasks, commits it and starts a session on its plan. The commit is dated in the
// past, because one in the same second would count as newer than the session.
func newCommitted(t testing.TB) *project {
	t.Helper()
	p := newProject(t, 3)
	old := &project{dir: p.dir, env: slices.Concat(p.env, []string{"GIT_COMMITTER_DATE=2026-01-02T03:04:05Z"})}
	old.run(t, "git", "add", "--all")
	old.run(t, "git", "commit", "--quiet", "--message", "docs(03): plan the phase")
	p.gsd(t, "bootstrap", "03-01")
	return p
}

func expect(b *testing.B, got, want string) {
	b.Helper()
	if got != want {
		b.Fatalf("got %q, want %q", got, want)
	}
}
