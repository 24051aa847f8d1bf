package bench

import (
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
)

// BenchmarkHydrateRuns runs `gsd hydrate` on a session with everything that may accompany it: a live holder of the
// lease, runs that ended, its own breadcrumb and those of other projects.
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
	runs := q.contender(b, "gsd hydrate, lease, runs and crumbs", must(b, gsdBinary), "hydrate")
	git := q.contender(b, "git config user.name", "git", "config", "user.name")

	r := raced(b, bare, runs, git)
	atMost(b, r, runs, git, "of-git", 2.4)
}

// BenchmarkHydrateRecords runs `gsd hydrate` on as many runs that ended as gsd keeps at most.
func BenchmarkHydrateRecords(b *testing.B) {
	none, most := newSession(b, 3), newSession(b, 3)
	most.writeRuns(b, 64)
	without := none.contender(b, "gsd hydrate, no runs", must(b, gsdBinary), "hydrate")
	within := most.contender(b, "gsd hydrate, 64 runs", must(b, gsdBinary), "hydrate")

	r := raced(b, without, within)
	atMost(b, r, within, without, "most/none", 1.3)
}

// writeRuns records the given number of ended runs as gsd does, by repeating the line of one run with other ids.
func (p *project) writeRuns(t testing.TB, runs int) {
	t.Helper()
	p.gsd(t, "run", "start", "--host", "claude", "--id", "c", "--pid", strconv.Itoa(os.Getpid()))
	p.gsd(t, "run", "end", "--host", "claude", "--id", "c", "--status", "success")
	name := filepath.Join(p.dir, ".planning", "sessions", userDir, "runs.json")
	src, err := os.ReadFile(name)
	noError(t, err)
	lines := strings.Split(string(src), "\n")
	_, id, _ := strings.Cut(lines[2], `"id":"`)
	id, _, found := strings.Cut(id, `"`)
	if !found {
		t.Fatalf("no run in %s", src)
	}
	all := make([]string, runs)
	for n := range all {
		all[n] = strings.ReplaceAll(lines[2], id, fmt.Sprintf("%012x", n))
	}
	lines[2] = strings.Join(all, ",\n")
	noError(t, os.WriteFile(name, []byte(strings.Join(lines, "\n")), 0o666))
	if list := p.gsd(t, "run", "list"); strings.Count(list, "success") != runs {
		t.Fatal(list)
	}
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

	r := newReport(b, timesHead)
	r.times(within, without)
}
