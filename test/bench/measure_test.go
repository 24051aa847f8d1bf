package bench

// measure_test.go: contenders take turns, and the ratios of their medians are reported.

import (
	"fmt"
	"os"
	"os/exec"
	"slices"
	"strings"
	"testing"
	"text/tabwriter"
	"time"
)

// Rounds that are run whatever -benchtime says: enough for a median, and for a minimum in a quiet moment.
const (
	manyRounds = 100 // of runs that take milliseconds
	fewRounds  = 5
)

// contender is a program to compare, and the times of its runs.
type contender struct {
	name  string
	times []time.Duration

	path    string
	args    func() []string // of the next run, without the program's name
	input   string          // the file that is its standard input; empty for none
	process os.ProcAttr
}

// contender prepares runs of a program in the project. Everything that can be done once is done here, so that a run is
// one fork and exec for every contender.
func (p *project) contender(b *testing.B, name, program string, args ...string) *contender {
	return p.changing(b, name, program, func() []string { return args })
}

// changing is contender with different arguments for each run.
func (p *project) changing(b *testing.B, name, program string, args func() []string) *contender {
	b.Helper()
	path, err := exec.LookPath(program)
	if err != nil {
		b.Skipf("there is no %s here", program)
	}
	null, err := os.OpenFile(os.DevNull, os.O_RDWR, 0)
	noError(b, err)
	b.Cleanup(func() { null.Close() })
	return &contender{
		name: name, path: path, args: args,
		process: os.ProcAttr{Dir: p.dir, Env: p.env, Files: []*os.File{null, null, null}},
	}
}

// run runs the program once and records the time.
func (c *contender) run(b *testing.B) {
	b.Helper()
	argv := append([]string{c.path}, c.args()...)
	if c.input != "" {
		in, err := os.Open(c.input)
		noError(b, err)
		defer in.Close()
		c.process.Files[0] = in
	}
	begin := time.Now()
	process, err := os.StartProcess(c.path, argv, &c.process)
	noError(b, err)
	state, err := process.Wait()
	took := time.Since(begin)
	noError(b, err)
	if !state.Success() {
		b.Fatalf("%s: %s", c.name, state)
	}
	c.times = append(c.times, took)
}

func (c *contender) median() time.Duration {
	times := slices.Sorted(slices.Values(c.times))
	return times[len(times)/2]
}

func (c *contender) least() time.Duration { return slices.Min(c.times) }

// race lets the contenders take turns for at least the given number of rounds and the duration of -benchtime. The first
// round does not count, and each begins with another contender, so that none always runs after the same one.
func race(b *testing.B, least int, contenders ...*contender) {
	b.Helper()
	for _, c := range contenders {
		c.run(b)
		c.times = c.times[:0]
	}
	rounds := 0
	round := func() {
		for i := range contenders {
			contenders[(i+rounds)%len(contenders)].run(b)
		}
		rounds++
	}
	for b.Loop() {
		round()
	}
	for rounds < least {
		round()
	}
	b.ReportMetric(0, "ns/op") // one round of everybody: nothing to know
}

// raced races contenders for many rounds, and reports their times.
func raced(b *testing.B, contenders ...*contender) *report {
	b.Helper()
	race(b, manyRounds, contenders...)
	r := newReport(b, timesHead)
	r.times(contenders...)
	return r
}

// ratio returns how many times longer one contender takes than another.
type ratio struct{ medians, minima float64 }

func compare(c, with *contender) ratio {
	return ratio{
		medians: float64(c.median()) / float64(with.median()),
		minima:  float64(c.least()) / float64(with.least()),
	}
}

// atMost reports the ratio of two contenders and compares it with a limit.
func atMost(b *testing.B, r *report, c, with *contender, unit string, bar float64) {
	b.Helper()
	got := compare(c, with)
	b.ReportMetric(got.medians, unit)
	r.bar(b, fmt.Sprintf("%s takes %.2f times as long as %s (minima %.2f)", c.name, got.medians, with.name, got.minima),
		fmt.Sprintf("at most %.1f", bar), got.medians <= bar)
}

// reports are printed by TestMain at the very end: package testing cuts off a benchmark's log after ten lines, and a
// line printed in between would break its own output.
var reports []string

// report is the text that a benchmark prints.
type report struct {
	table, bars strings.Builder
	columns     *tabwriter.Writer
}

// newReport begins a report, which is complete at the end of the benchmark.
func newReport(b *testing.B, head string) *report {
	b.Helper()
	r := &report{}
	b.Cleanup(func() {
		r.columns.Flush()
		reports = append(reports, fmt.Sprintf("%s, %s\n%s%s", b.Name(), load(), &r.table, &r.bars))
	})
	r.columns = tabwriter.NewWriter(&r.table, 0, 0, 2, ' ', tabwriter.AlignRight)
	fmt.Fprintln(r.columns, head+"\t")
	return r
}

func (r *report) row(cells ...any) {
	for _, cell := range cells {
		fmt.Fprintf(r.columns, "%v\t", cell)
	}
	fmt.Fprintln(r.columns)
}

// times adds a row for each contender, compared with the last.
func (r *report) times(contenders ...*contender) {
	base := contenders[len(contenders)-1]
	for _, c := range contenders {
		got := compare(c, base)
		r.row(c.name, millis(c.median()), millis(c.least()), fmt.Sprintf("%.2f", got.medians), fmt.Sprintf("%.2f", got.minima), len(c.times))
	}
}

func (r *report) bar(b *testing.B, what, bar string, met bool) {
	b.Helper()
	verdict := "met"
	if !met {
		verdict = "MISSED"
		if *strict {
			b.Errorf("%s: the bar is %s", what, bar)
		}
	}
	fmt.Fprintf(&r.bars, "%s: bar %s, %s\n", what, bar, verdict)
}

// load returns how busy the machine is, if known.
func load() string {
	text, err := os.ReadFile("/proc/loadavg")
	if fields := strings.Fields(string(text)); err == nil && len(fields) >= 3 {
		return "load average " + strings.Join(fields[:3], " ")
	}
	return "load average unknown"
}

func millis(d time.Duration) string {
	return fmt.Sprintf("%.2f ms", float64(d)/float64(time.Millisecond))
}
