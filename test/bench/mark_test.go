package bench

import (
	"path/filepath"
	"testing"
)

// BenchmarkMark compares `gsd mark` with a program that only replaces a file by the same bytes, just as safely. Each
// run of either writes, because the status alternates.
func BenchmarkMark(b *testing.B) {
	p := newSession(b, 3)
	runs := 0
	gsd := p.changing(b, "gsd mark", must(b, gsdBinary), func() []string {
		runs++
		return []string{"mark", "2", toAndFro(runs)}
	})
	// Beside the session, so on the same file system and in a folder as small. gsd run sweeps up the temporaries that have
	// its own names; this one's have another.
	target := p.path(filepath.Dir(sessionName) + "/bare.md")
	write(b, target, string(p.session(b)))
	bare := p.contender(b, "bare replacement", must(b, replaceBinary), target, p.path(sessionName))

	race(b, manyRounds, gsd, bare)

	r := newReport(timesHead)
	r.times(gsd, bare)
	atMost(b, r, gsd, bare, "of-bare", 1.8)
	r.print(b)
}

// toAndFro returns arguments with alternating statuses.
func toAndFro(run int) string {
	if run%2 == 1 {
		return "in-progress"
	}
	return "pending"
}
