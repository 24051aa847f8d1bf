package bench

import (
	"bufio"
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
)

// BenchmarkHydrateRuns runs `gsd hydrate` on a session with everything that may accompany it: a lease with a live
// holder, a journal, its own breadcrumb and those of other projects.
func BenchmarkHydrateRuns(b *testing.B) {
	p := newSession(b, 3)
	bare := p.contender(b, "gsd hydrate, no runs yet", must(b, gsdBinary), "hydrate")
	q := newSession(b, 3)
	for n := range 20 { // runs that ended
		q.gsd(b, "run", "start", "--host", "claude", "--id", fmt.Sprintf("c%d", n), "--pid", strconv.Itoa(os.Getpid()))
		q.gsd(b, "run", "end", "--id", fmt.Sprintf("c%d", n), "--host", "claude", "--status", "success")
	}
	q.gsd(b, "run", "start", "--host", "claude", "--id", "now", "--pid", strconv.Itoa(os.Getpid()))
	for range 20 { // crumbs of other projects
		other := newProject(b, 3)
		other.env = q.env
		other.gsd(b, "bootstrap", "03-01")
	}
	q.gsd(b, "mark", "1", "complete")
	expect(b, q.gsd(b, "hydrate", "--porcelain"), "2")
	runs := q.contender(b, "gsd hydrate, lease, journal and crumbs", must(b, gsdBinary), "hydrate")
	git := q.contender(b, "git config user.name", "git", "config", "user.name")

	race(b, manyRounds, bare, runs, git)

	r := newReport(timesHead)
	r.times(bare, runs, git)
	atMost(b, r, runs, git, "of-git", 2.4)
	r.print(b)
}

// BenchmarkHydrateJournal runs `gsd hydrate` on the longest journal before gsd rotates it, and on one of 100,000 runs
// that was never rotated.
func BenchmarkHydrateJournal(b *testing.B) {
	none, short, long := newSession(b, 3), newSession(b, 3), newSession(b, 3)
	short.writeJournal(b, 28)
	long.writeJournal(b, 100_000)
	contenders := []*contender{
		none.contender(b, "gsd hydrate, no journal", must(b, gsdBinary), "hydrate"),
		short.contender(b, "gsd hydrate, 28 runs", must(b, gsdBinary), "hydrate"),
		long.contender(b, "gsd hydrate, 100,000 runs", must(b, gsdBinary), "hydrate"),
	}

	race(b, manyRounds, contenders...)

	r := newReport(timesHead)
	r.times(contenders...)
	atMost(b, r, contenders[1], contenders[0], "short/none", 1.3)
	atMost(b, r, contenders[2], contenders[0], "long/none", 4.5)
	r.print(b)
}

// writeJournal records the given number of ended runs as gsd does, by repeating the lines of one run with other ids.
func (p *project) writeJournal(t testing.TB, runs int) {
	t.Helper()
	p.gsd(t, "run", "start", "--host", "claude", "--id", "c", "--pid", strconv.Itoa(os.Getpid()))
	p.gsd(t, "run", "end", "--host", "claude", "--id", "c", "--status", "success")
	name := filepath.Join(p.dir, ".planning", "sessions", userDir, "journal.jsonl")
	src, err := os.ReadFile(name)
	noError(t, err)
	_, id, _ := strings.Cut(string(src), `"id":"`)
	id, _, found := strings.Cut(id, `"`)
	if !found {
		t.Fatalf("no run in %s", src)
	}
	f, err := os.Create(name)
	noError(t, err)
	defer f.Close()
	w := bufio.NewWriter(f)
	for n := range runs {
		fmt.Fprint(w, strings.ReplaceAll(string(src), id, fmt.Sprintf("%012x", n)))
	}
	noError(t, w.Flush())
}

// BenchmarkMarkInRun compares `gsd mark` with a lease to renew and without one.
func BenchmarkMarkInRun(b *testing.B) {
	free, held := newSession(b, 3), newSession(b, 3)
	held.gsd(b, "run", "start", "--host", "claude", "--pid", strconv.Itoa(os.Getpid()))
	turn := map[*project]int{}
	mark := func(p *project) func() []string {
		return func() []string {
			turn[p]++
			return []string{"mark", "1", []string{"complete", "in-progress"}[turn[p]%2]}
		}
	}
	without := free.changing(b, "gsd mark, no run", must(b, gsdBinary), mark(free))
	within := held.changing(b, "gsd mark, in a run", must(b, gsdBinary), mark(held))

	race(b, manyRounds, without, within)

	r := newReport(timesHead)
	r.times(within, without)
	r.print(b)
}
