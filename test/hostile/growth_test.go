//go:build linux

package hostile

import (
	"cmp"
	"fmt"
	"math"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/gsd-cli/gsd/internal/testenv"
)

// growth is something that may occur any number of times, and a command that reads it.
type growth struct {
	what    string
	command string
	stdin   func(n int) string // of a hook; nil for none
	make    func(p *project, n int)
	from    int // the number that is tried first; 0 means 1,000
	most    int // the limit for 4n: a file or a disk has no more space, or a limit is known
	resets  func(p *project)
}

const (
	// mostExponent is the limit: work that grows with a higher power of the number is not linear. On an idle machine what is linear
	// stays below 1.15; what runs beside the tests adds up to 0.1, and even the root of n as one more factor is 1.5.
	mostExponent = 1.3
	// enough is the processor time that n must take above none for a reliable figure; little suffices if a limit keeps
	// it from getting there, and less than that is noise.
	enough = 15 * time.Millisecond
	little = 3 * time.Millisecond
	// noise is the error of the minimum of some runs: small times can seem to grow faster than they do. Quadratic
	// growth is still far above the limit.
	noise = time.Millisecond
	// levelling is the largest factor from n to 2n at which a limit must have been reached, and falling the one at
	// which input that is too large is refused.
	levelling, falling = 1.3, 0.8
	// growthPatience is how long a command may take at 4n.
	growthPatience = time.Minute
)

var growthTable = newTable("growth of", "n", "none", "n", "2n", "4n", "exponent", "with")

// growthRuns is how often each size is run, in turns, until the exponent is below the limit; the minimum of all runs
// counts, when the machine was idle.
var growthRuns = []int{2, 4, 8, 16}

// TestGrowth measures how the processor time of commands grows with their input: at n, 2n and 4n, less the time without
// any of it. Processor time, user and system together, is available everywhere; the kernel counts it to the nanosecond,
// and even on a busy machine the minimum of some runs varies by a few per cent only. The garbage collector is off,
// because its cost grows in steps. n is doubled until the command takes long enough that a product of two counts cannot
// hide behind the constant costs. If the time stops growing before that, a limit has been reached, and the three sizes
// are taken from below it. What is above the limit is measured once more, at twice the sizes: other processes change the figures by more than
// noise, and rarely twice.
func TestGrowth(t *testing.T) {
	for _, g := range growths {
		t.Run(g.what, func(t *testing.T) {
			testenv.OnlyThorough(t)
			t.Parallel()
			g.test(t)
		})
	}
}

func (g *growth) test(t *testing.T) {
	none := g.at(t, 0)
	none.sample(3)
	sizes, bound := g.sizes(t, none)
	exponent := exponentOf(sizes, none)
	if last := sizes[2].n; exponent > mostExponent && bound == 0 && 2*last <= g.most { // what is not linear is not at twice the size, either
		sizes = append(sizes[1:], g.at(t, 2*last))
		exponent = exponentOf(sizes, none)
	}
	n := sizes[0].n
	told := fmt.Sprintf("%.2f", exponent)
	switch {
	case sizes[0].above(none) < little.Seconds() && sizes[2].above(none) < 4*little.Seconds():
		told = "too fast"
	case exponent > mostExponent:
		told += " !"
		t.Errorf("%s, read by gsd %s: %d, %d and %d of them take %v, %v and %v, where none take %v: an exponent of %.2f, at most %v is linear",
			g.what, g.command, n, 2*n, 4*n, sizes[0].time(), sizes[1].time(), sizes[2].time(), none.time(), exponent, mostExponent)
	}
	if bound > 0 {
		told += fmt.Sprintf(", bounded below %d", bound)
	}
	t.Logf("n = %d: %s", n, told)
	growthTable.row(g.what, fmt.Sprint(n), millis(none.time()), millis(sizes[0].time()), millis(sizes[1].time()), millis(sizes[2].time()), told, "gsd "+g.command)
}

// exponentOf runs the sizes in turns, until the exponent is below the limit or they were run often enough.
func exponentOf(sizes []*measured, none *measured) (exponent float64) {
	for _, runs := range growthRuns {
		for range runs {
			for _, m := range append(sizes, none) {
				m.sample(1)
			}
		}
		exponent = math.Log((sizes[2].above(none)-noise.Seconds())/(sizes[0].above(none)+noise.Seconds())) / math.Log(4)
		if exponent <= mostExponent {
			break
		}
	}
	return exponent
}

// sizes makes the projects of n, 2n and 4n, and returns the number at which a limit was reached, or 0.
func (g *growth) sizes(t *testing.T, none *measured) (sizes []*measured, bound int) {
	var all []*measured // each twice the one before
	add := func(n int) {
		m := g.at(t, n)
		m.sample(2)
		all = append(all, m)
	}
	// level reports whether that many of the last grew no more than by this.
	level := func(by float64, last int) bool {
		for i := len(all) - last; i < len(all); i++ {
			if i < 1 || all[i-1].above(none) < little.Seconds() || all[i].above(none) > all[i-1].above(none)*by {
				return false
			}
		}
		return true
	}
	for n := max(min(cmp.Or(g.from, 1000), g.most/4), 1); ; n *= 2 {
		add(n)
		var first int // that is level
		switch end := 2*n > g.most; {
		case level(levelling, 2): // once may be chance
			first = len(all) - 2
		case level(falling, 1), end && level(levelling, 1):
			first = len(all) - 1
		case len(all) >= 3 && !level(levelling, 1) && (end || all[len(all)-3].above(none) >= enough.Seconds()):
			return all[len(all)-3:], 0
		default:
			continue
		}
		bound = all[first].n
		for ; first < 4; first++ {
			all = slices.Insert(all, 0, g.at(t, max(all[0].n/2, 1)))
		}
		return all[first-4 : first-1], bound // the one before the first may have met the bound, too
	}
}

// measured is a project of one size, and the processor time of its command.
type measured struct {
	*project
	n     int
	g     *growth
	stdin string
	times []time.Duration
}

func (g *growth) at(t *testing.T, n int) *measured {
	t.Helper()
	p := newProject(t)
	g.make(p, n)
	m := &measured{project: p, n: n, g: g}
	if g.stdin != nil {
		m.stdin = g.stdin(n)
	}
	m.run() // the first run reads from the disk
	m.times = nil
	return m
}

func (m *measured) run() {
	if m.g.resets != nil {
		m.g.resets(m.project)
	}
	how := manner{stdin: m.stdin, most: growthPatience, env: []string{"GOMAXPROCS=1", "GOGC=off", "GOMEMLIMIT=1GiB"}}
	u := m.project.run(how, strings.Fields(m.g.command)...)
	if why, crashed := u.crashed(); u.Hung || crashed {
		m.t.Fatalf("gsd %s: %s %v, in %s", m.g.command, why, &u, u.where())
	}
	m.times = append(m.times, u.CPU)
}

func (m *measured) sample(runs int) {
	for range runs {
		m.run()
	}
}

func (m *measured) time() time.Duration { return slices.Min(m.times) }

// above returns how many seconds more it takes than with none.
func (m *measured) above(none *measured) float64 { return (m.time() - none.time()).Seconds() }

func millis(d time.Duration) string {
	return fmt.Sprintf("%.1f ms", float64(d)/float64(time.Millisecond))
}
