//go:build linux

package hostile

// meter_test.go: running gsd and measuring its peak memory, bytes read, system calls and processor time.

import (
	"bytes"
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"slices"
	"strconv"
	"strings"
	"sync"
	"time"
)

// usage is the meter's report on one run (testdata/meter).
type usage struct {
	Exit      int
	Hung      bool
	Wall, CPU time.Duration
	Peak      int64
	Read      int64
	Reads     int64
	Calls     int64
	Problem   string

	out, errs head
}

// head keeps the beginning of what is written to it and counts all bytes.
type head struct {
	text []byte
	size int64
}

const mostKept = 1 << 20

func (h *head) Write(p []byte) (int, error) {
	h.text = append(h.text, p[:min(len(p), mostKept-len(h.text))]...)
	h.size += int64(len(p))
	return len(p), nil
}

// manner says how to run a command; its zero value means without limits, as the user of the test.
type manner struct {
	stdin    string
	held     bool          // standard input is not closed
	limited  bool          // under the limit of address space
	most     time.Duration // of work or of waiting, after which it is ended and counts as hung; zero for a minute
	uid, gid int           // to run it as; zero for the test's own
	umask    string
	calls    bool // count system calls, and nothing else
	env      []string
}

// run runs gsd in the project. A failure of the meter ends the test; one of gsd is part of the result.
func (p *project) run(how manner, args ...string) usage {
	p.t.Helper()
	meter, gsd := must[string](p.t)(meterProgram()), must[string](p.t)(gsdProgram())
	var flags []string
	if how.limited {
		flags = append(flags, "-space", strconv.FormatUint(must[uint64](p.t)(addressSpace()), 10))
	}
	if how.most > 0 {
		flags = append(flags, "-time", how.most.String())
	}
	if how.uid > 0 {
		flags = append(flags, "-uid", strconv.Itoa(how.uid), "-gid", strconv.Itoa(how.gid))
	}
	if how.umask != "" {
		flags = append(flags, "-umask", how.umask)
	}
	if how.calls {
		flags = append(flags, "-calls")
	}
	u, err := metered(meter, append(append(flags, gsd), args...), p.dir, append(slices.Clone(p.env), how.env...), how.stdin, how.held)
	if err == nil && u.Problem != "" {
		err = fmt.Errorf("meter: %s", u.Problem)
	}
	if err != nil {
		p.t.Fatalf("gsd %s: %v", strings.Join(args, " "), err)
	}
	return u
}

func metered(meter string, args []string, dir string, env []string, stdin string, held bool) (u usage, err error) {
	report, write, err := os.Pipe()
	if err != nil {
		return u, err
	}
	defer report.Close()
	cmd := exec.Command(meter, args...)
	cmd.Dir, cmd.Env, cmd.Stdin = dir, env, strings.NewReader(stdin)
	if held {
		read, hold, err := os.Pipe()
		if err != nil {
			return u, err
		}
		defer read.Close()
		defer hold.Close()
		if _, err := hold.WriteString(stdin); err != nil {
			return u, err
		}
		cmd.Stdin = read
	}
	cmd.Stdout, cmd.Stderr, cmd.ExtraFiles = &u.out, &u.errs, []*os.File{write}
	err = cmd.Start()
	write.Close()
	if err != nil {
		return u, err
	}
	failed := json.NewDecoder(report).Decode(&u)
	if err := cmd.Wait(); err != nil {
		return u, fmt.Errorf("meter: %w\n%s", err, u.errs.text)
	}
	return u, failed
}

// room is the address space that gsd may have beyond that of a Go program that does nothing. Any Go program reserves
// some 700 MB at its start (mostly the page summary of its allocator, which is never touched) and could not start with
// `ulimit -v` of 256 MB, so the limit is relative. The heap grows in arenas of 64 MiB until the limit is reached and
// the runtime ends the program with exit status 2 and a dump of all goroutines.
const room = 256 << 20

// addressSpace returns the limit in bytes: the minimum with which an empty program starts, rounded to 16 MiB, plus
// room.
var addressSpace = sync.OnceValues(func() (uint64, error) {
	meter, err := meterProgram()
	if err != nil {
		return 0, err
	}
	empty, err := emptyProgram()
	if err != nil {
		return 0, err
	}
	starts := func(space uint64) bool {
		for range 3 { // it takes a thread more or less each time
			u, err := metered(meter, []string{"-space", strconv.FormatUint(space, 10), empty}, "/", []string{"GOTRACEBACK=none"}, "", false)
			if err != nil || u.Exit != 0 {
				return false
			}
		}
		return true
	}
	const step = 16 << 20
	low, high := uint64(0), uint64(256) // in steps: it starts with high, and not with low
	if !starts(high * step) {
		return 0, fmt.Errorf("an empty program does not start within %d MiB", high*step>>20)
	}
	for low+1 < high {
		if middle := (low + high) / 2; starts(middle * step) {
			high = middle
		} else {
			low = middle
		}
	}
	return high*step + room, nil
})

// crashed reports whether the Go runtime ended the program, and returns the first line of its message.
func (u *usage) crashed() (string, bool) {
	for _, sign := range []string{"fatal error:", "panic:", "runtime: out of memory", "goroutine 1 ["} {
		if at := bytes.Index(u.errs.text, []byte(sign)); at >= 0 {
			line, _, _ := strings.Cut(string(u.errs.text[at:]), "\n")
			return line, true
		}
	}
	return "", false
}

// where returns the functions of gsd that were running when it was killed or crashed, innermost first.
func (u *usage) where() string {
	var names []string
	for line := range strings.Lines(string(u.errs.text)) {
		name, ok := strings.CutPrefix(line, "github.com/gsd-cli/gsd/")
		if !ok {
			name, ok = strings.CutPrefix(line, "main.")
		}
		// history.place.objects({{0x5a, …: what it was called with says nothing here.
		for _, arguments := range []string{"({", "(0x", "(...", "()"} {
			name, _, _ = strings.Cut(name, arguments)
		}
		if name = strings.TrimSpace(name); ok && len(names) < 4 && !slices.Contains(names, name) {
			names = append(names, name)
		}
	}
	return strings.Join(names, " < ")
}

func (u *usage) String() string {
	return fmt.Sprintf("exit %d, %s MB at most, %s MB in %d reads, %s of CPU, %s by the clock",
		u.Exit, megabytes(u.Peak), megabytes(u.Read), u.Reads, u.CPU.Round(time.Millisecond), u.Wall.Round(time.Millisecond))
}

func megabytes(n int64) string { return fmt.Sprintf("%.1f", float64(n)/1e6) }

// table is printed by TestMain at the very end, because parallel tests would mix their lines.
type table struct {
	mu   sync.Mutex
	head []string
	rows [][]string
}

func (t *table) row(cells ...string) {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.rows = append(t.rows, cells)
}

var tables []*table

func newTable(head ...string) *table {
	t := &table{head: head}
	tables = append(tables, t)
	return t
}

// printTables prints the tables that have rows, with the first column left-aligned and the figures right-aligned.
func printTables() {
	for _, t := range tables {
		if len(t.rows) == 0 {
			continue
		}
		all := append([][]string{t.head}, t.rows...)
		wide := make([]int, len(t.head))
		for _, row := range all {
			for i, cell := range row {
				wide[i] = max(wide[i], len(cell))
			}
		}
		fmt.Println()
		for _, row := range all {
			var line strings.Builder
			for i, cell := range row {
				if i == 0 || i == len(row)-1 {
					fmt.Fprintf(&line, "%-*s  ", wide[i], cell)
				} else {
					fmt.Fprintf(&line, "%*s  ", wide[i], cell)
				}
			}
			fmt.Println(strings.TrimRight(line.String(), " "))
		}
	}
}
