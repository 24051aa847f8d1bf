package bench

import (
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"testing"
)

// BenchmarkMark compares `gsd mark` with a program that only replaces a file by the same bytes, just as safely. Each
// run of either writes, because the status alternates. In a run, with eighty others recorded, the start of the program is left out.
func BenchmarkMark(b *testing.B) {
	p, held := newSession(b, 3), newSession(b, 3)
	for n := range eightyRuns {
		words := []string{"run", "start", "--host", "claude", "--pid", strconv.Itoa(os.Getpid()), "--id", strconv.Itoa(n)}
		if held.gsd(b, words...); n < eightyRuns-1 {
			held.gsd(b, "run", "end", "--status", "success")
		}
	}
	marking := func(p *project, name string) *contender {
		runs := 0
		return p.changing(b, name, must(b, gsdBinary), func() []string {
			runs++
			return []string{"mark", "2", toAndFro(runs)}
		})
	}
	gsd, inRun := marking(p, "gsd mark"), marking(held, "gsd mark in a run")
	start := p.contender(b, "gsd --version", must(b, gsdBinary), "--version")
	// Beside the session, so on the same file system and in a folder as small. gsd run sweeps up the temporaries that have
	// its own names; this one's have another.
	target := p.path(filepath.Dir(sessionName) + "/bare.md")
	write(b, target, string(p.session(b)))
	bare := p.contender(b, "bare replacement", must(b, replaceBinary), target, p.path(sessionName))

	r := raced(b, gsd, inRun, start, bare)
	atMost(b, r, gsd, bare, "of-bare", 1.8)
	net := float64(inRun.median()-start.median()) / float64(bare.median())
	b.ReportMetric(net, "in-run/bare")
	r.bar(b, fmt.Sprintf("in a run, less the program's start, it takes %.1f times as long", net), "at most 4", net <= 4)
}

const eightyRuns = 80

// toAndFro returns arguments with alternating statuses.
func toAndFro(run int) string {
	if run%2 == 1 {
		return "in-progress"
	}
	return "pending"
}
