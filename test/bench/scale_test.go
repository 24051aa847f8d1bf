package bench

import (
	"fmt"
	"math"
	"runtime"
	"strconv"
	"testing"
)

// BenchmarkScale runs `gsd hydrate` and `gsd mark` on sessions far larger than any real one: the time must be linear in
// the number of tasks, and the memory a small multiple of the file.
func BenchmarkScale(b *testing.B) {
	sizes := []int{10_000, 30_000, 100_000}
	kinds := []string{"hydrate", "mark", "hydrate, plan edited"}
	type measured struct {
		*contender
		tasks       int
		size, bytes int64 // of the session, and of memory at most; 0 if unknown
	}
	runs := map[string][]*measured{}
	var all []*contender
	for _, tasks := range sizes {
		p, edited := newSession(b, tasks), newSession(b, tasks)
		middle := strconv.Itoa(tasks / 2)
		edited.writePlan(b, tasks-1) // so that it is stale
		expect(b, edited.gsd(b, "hydrate", "--porcelain"), "STALE")
		times := 0
		mark := func() []string {
			times++
			return []string{"mark", middle, toAndFro(times)}
		}
		for _, kind := range kinds {
			in, args := p, func() []string { return []string{"hydrate"} }
			switch kind {
			case "mark":
				args = mark
			case "hydrate, plan edited":
				in = edited
			}
			m := &measured{
				contender: in.changing(b, kind, must(b, gsdBinary), args),
				tasks:     tasks,
				size:      fileSize(b, in.path(sessionName)),
				bytes:     in.peak(b, must(b, gsdBinary), args),
			}
			runs[kind] = append(runs[kind], m)
			all = append(all, m.contender)
		}
	}

	race(b, fewRounds, all...)

	r := newReport(b, "\ttasks\tMB\tmedian\tmin\tper task\tpeak MB\tof the file\truns")
	for _, kind := range kinds {
		for _, m := range runs[kind] {
			r.row(kind, m.tasks, megabytes(m.size), millis(m.median()), millis(m.least()),
				fmt.Sprintf("%.2f µs", float64(m.median().Nanoseconds())/1e3/float64(m.tasks)),
				megabytes(m.bytes), fmt.Sprintf("%.2f", float64(m.bytes)/float64(m.size)), len(m.times))
		}
	}
	for _, kind := range kinds[:2] {
		small, large := runs[kind][0], runs[kind][len(sizes)-1]
		// Of the minima, where the noise of the machine is least; what is there for no task at all makes it smaller
		// than 1.
		exponent := math.Log(float64(large.least())/float64(small.least())) / math.Log(float64(large.tasks)/float64(small.tasks))
		b.ReportMetric(exponent, kind+"-exponent")
		r.bar(b, fmt.Sprintf("%s grows with the number of tasks to the power of %.2f", kind, exponent), "at most 1.1", exponent <= 1.1)
		if large.bytes == 0 {
			continue
		}
		times := float64(large.bytes) / float64(large.size)
		b.ReportMetric(times, kind+"-peak/file")
		r.bar(b, fmt.Sprintf("%s of %d tasks has at most %.2f times its file in memory", kind, large.tasks, times), "at most 4.0", times <= 4)
	}
}

// peak returns the peak resident memory of a program in bytes, 0 if unknown. It is the maximum of a few runs, because
// it depends on the garbage collector.
func (p *project) peak(b *testing.B, program string, args func() []string) (most int64) {
	b.Helper()
	if runtime.GOOS == "windows" {
		return 0
	}
	for range fewRounds {
		out := p.run(b, must(b, peakBinary), append([]string{program}, args()...)...)
		n, err := strconv.ParseInt(out, 10, 64)
		noError(b, err)
		most = max(most, n)
	}
	return most
}

func megabytes(n int64) string { return fmt.Sprintf("%.1f", float64(n)/1e6) }
