package bench

import (
	"flag"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"testing"
)

var before = flag.String("before", "", "a commit, whose gsd BenchmarkBefore compares with this one's")

// BenchmarkBefore compares this gsd with that of an earlier commit, each in projects of its own:
//
//	go test -run '^$' -bench Before -benchtime 1x ./test/bench -args -before HEAD~20
//
// Both programs are copies, because a freshly linked file runs more slowly than its copy.
func BenchmarkBefore(b *testing.B) {
	if *before == "" {
		b.Skip("no -before COMMIT to compare with")
	}
	programs := []struct{ name, path string }{
		{"now", copied(b, must(b, gsdBinary))},
		{"before", copied(b, buildBefore(b, *before))},
	}
	var pairs [][]*contender
	for _, compared := range []struct {
		name string
		make func(b *testing.B) *project
		args func(run int) []string
	}{
		{"gsd --version", newEmpty, always("--version")},
		{"gsd hydrate", newThree, always("hydrate")},
		{"gsd next", newThree, always("next")},
		{"gsd mark", newThree, func(run int) []string { return []string{"mark", "2", toAndFro(run)} }},
		{"gsd mark in a run", newHeld, func(run int) []string { return []string{"mark", "2", toAndFro(run)} }},
	} {
		var pair []*contender
		for _, program := range programs {
			p, runs := compared.make(b), 0
			pair = append(pair, p.changing(b, compared.name+", "+program.name, program.path, func() []string {
				runs++
				return compared.args(runs)
			}))
		}
		pairs = append(pairs, pair)
	}

	race(b, manyRounds, slices.Concat(pairs...)...)

	r := newReport(b, timesHead)
	for _, pair := range pairs {
		r.times(pair...)
	}
}

func always(args ...string) func(int) []string { return func(int) []string { return args } }

func newEmpty(b *testing.B) *project { return newProject(b, 3) }
func newThree(b *testing.B) *project { return newSession(b, 3) }

// newHeld makes a session that a run works on.
func newHeld(b *testing.B) *project {
	p := newSession(b, 3)
	p.gsd(b, "run", "start", "--host", "claude", "--pid", strconv.Itoa(os.Getpid()))
	return p
}

func copied(b *testing.B, program string) string {
	b.Helper()
	to := filepath.Join(b.TempDir(), "gsd")
	if out, err := exec.Command("cp", program, to).CombinedOutput(); err != nil {
		b.Fatalf("%v: %s", err, out)
	}
	return to
}

// buildBefore builds gsd as it was at a commit, just as this one is built.
func buildBefore(b *testing.B, commit string) string {
	b.Helper()
	source := b.TempDir()
	archive := filepath.Join(source, "source.tar")
	for _, words := range [][]string{
		{"git", "-C", "../..", "archive", "--output", archive, commit},
		{"tar", "-x", "-C", source, "-f", archive},
		{"go", "build", "-C", source, "-trimpath", "-ldflags=-s -w", "-tags", "urfave_cli_no_docs", "-o", "gsd-before", "./cmd/gsd"},
	} {
		cmd := exec.Command(words[0], words[1:]...)
		cmd.Env = append(os.Environ(), "CGO_ENABLED=0")
		if out, err := cmd.CombinedOutput(); err != nil {
			b.Fatalf("%s: %v\n%s", words, err, out)
		}
	}
	return filepath.Join(source, "gsd-before")
}
