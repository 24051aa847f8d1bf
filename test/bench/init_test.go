package bench

import (
	"cmp"
	"fmt"
	"os"
	"os/exec"
	"regexp"
	"slices"
	"strconv"
	"testing"
)

// initLine matches the runtime's trace of a package: "init io @0.1 ms, 0.002 ms clock, …".
var initLine = regexp.MustCompile(`(?m)^init (\S+) @\S+ ms, (\S+) ms clock`)

// BenchmarkInit lists what each package's initialisation costs before any command begins, the median of many starts.
// Every command pays for it, so a package that costs more than most has to be one that every command needs.
func BenchmarkInit(b *testing.B) {
	const starts, least, most = 31, 0.008, 0.05 // milliseconds
	costs := map[string][]float64{}
	for range starts {
		cmd := exec.Command(must(b, gsdBinary), "--version")
		cmd.Env = append(os.Environ(), "GODEBUG=inittrace=1")
		out, err := cmd.CombinedOutput()
		noError(b, err)
		for _, line := range initLine.FindAllStringSubmatch(string(out), -1) {
			cost, err := strconv.ParseFloat(line[2], 64)
			noError(b, err)
			costs[line[1]] = append(costs[line[1]], cost)
		}
	}
	if len(costs) == 0 {
		b.Fatal("the runtime traced nothing")
	}
	type cost struct {
		name string
		ms   float64
	}
	var all []cost
	total := 0.0
	for name, times := range costs {
		slices.Sort(times)
		all = append(all, cost{name, times[len(times)/2]})
		total += times[len(times)/2]
	}
	slices.SortFunc(all, func(a, b cost) int { return cmp.Or(cmp.Compare(b.ms, a.ms), cmp.Compare(a.name, b.name)) })
	r := newReport(b, "package\tms")
	for _, c := range all {
		if c.ms >= least {
			r.row(c.name, fmt.Sprintf("%.3f", c.ms))
		}
	}
	r.row("all", fmt.Sprintf("%.3f", total))
	for _, c := range all {
		if c.ms > most {
			r.bar(b, c.name+" is initialised at every start", fmt.Sprintf("at most %v ms, or used by every command", most), everyCommand[c.name])
		}
	}
}

// everyCommand are the packages that every command needs.
var everyCommand = map[string]bool{"runtime": true, "internal/godebug": true, "os": true, "github.com/urfave/cli/v2": true}
