package bench

import (
	"fmt"
	"os"
	"path/filepath"
	"testing"
)

const timesHead = "\tmedian\tmin\tratio\tof minima\truns"

// BenchmarkHydrate runs `gsd hydrate` on a session of three tasks beside `git config user.name`, which any
// other program would have to call just to know whose session to look for, and beside the seed's own shell.
func BenchmarkHydrate(b *testing.B) {
	p := newSession(b, 3)
	p.gsd(b, "mark", "1", "complete")
	gsd := p.contender(b, "gsd hydrate", must(b, gsdBinary), "hydrate")
	git := p.contender(b, "git config user.name", "git", "config", "user.name")
	included := p.withInclude(b)
	contenders := []*contender{
		gsd,
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
		b.Log("../../shared/bench/seed-hydrate.sh is missing: not compared with the seed's shell")
	}
	contenders = append(contenders, git)

	race(b, manyRounds, contenders...)

	r := newReport(timesHead)
	r.times(contenders...)
	atMost(b, r, gsd, git, "of-git", 2.0)
	if seed != nil {
		faster := compare(seed, gsd)
		b.ReportMetric(faster.medians, "seed/gsd")
		r.bar(b, fmt.Sprintf("%s is %.1f times as fast as %s (minima %.1f)", gsd.name, faster.medians, seed.name, faster.minima), "at least 7", faster.medians >= 7)
	}
	r.print(b)
}

// seedScript gives the seed's shell, "" where it is missing: it lies beside the repository, not in it.
func seedScript() string {
	script, err := filepath.Abs("../../shared/bench/seed-hydrate.sh")
	if err != nil {
		return ""
	}
	if _, err := os.Stat(script); err != nil {
		return ""
	}
	return script
}

// BenchmarkHydrate1000 does so on a session of 1,000 tasks.
func BenchmarkHydrate1000(b *testing.B) {
	p := newSession(b, 1000)
	p.gsd(b, "mark", "1", "complete")
	expect(b, p.gsd(b, "hydrate", "--porcelain"), "2")
	gsd := p.contender(b, "gsd hydrate, 1,000 tasks", must(b, gsdBinary), "hydrate")
	git := p.contender(b, "git config user.name", "git", "config", "user.name")

	race(b, manyRounds, gsd, git)

	r := newReport(timesHead)
	r.times(gsd, git)
	atMost(b, r, gsd, git, "of-git", 3.0)
	r.print(b)
}

func expect(b *testing.B, got, want string) {
	b.Helper()
	if got != want {
		b.Fatalf("got %q, want %q", got, want)
	}
}
