package gitlog

import (
	"fmt"
	"os/exec"
	"strings"
	"testing"
)

// walk opens the repository in dir and reads the first n commits, like a command that starts.
func walk(b *testing.B, dir string, n int) {
	b.ReportAllocs()
	for b.Loop() {
		r, err := Find(dir).Open(nil)
		noError(b, err)
		left := n
		for c, err := range r.Log(b.Context()) {
			noError(b, err)
			if _, err := c.Changes(); err != nil {
				b.Fatal(err)
			}
			if left--; left == 0 {
				break
			}
		}
		noError(b, r.Close())
	}
}

// runGit runs git, for comparison.
func runGit(b *testing.B, dir string) {
	for b.Loop() {
		noError(b, exec.Command("git", "-C", dir, "log", "-1").Run())
	}
}

// BenchmarkLogReplay reads fifty commits of a real history of 876.
func BenchmarkLogReplay(b *testing.B) {
	needGit(b)
	dir := cloned(b, "../../../shared/replay/r10.bundle")
	b.Run("50", func(b *testing.B) { walk(b, dir, 50) })
	b.Run("all", func(b *testing.B) { walk(b, dir, -1) })
	b.Run("git-log-1", func(b *testing.B) { runGit(b, dir) })
}

// BenchmarkLogBig reads fifty commits of 100,000, of which one in ten touches the plan; all 330,000 objects are in one
// pack.
func BenchmarkLogBig(b *testing.B) {
	var s strings.Builder
	for i := range 100_000 {
		message := fmt.Sprintf("commit %d", i)
		fmt.Fprintf(&s, "commit refs/heads/main\ncommitter C <c@x> %d +0000\ndata %d\n%s\n", 1600000000+i, len(message), message)
		fmt.Fprintf(&s, "M 100644 inline f%d.txt\ndata %d\n%s\n", i%100, len(message), message)
		if i%10 == 0 {
			fmt.Fprintf(&s, "M 100644 inline .planning/phases/%02d-x/%02d-%02d-SUMMARY.md\ndata %d\n%s\n",
				i/1000, i/1000, i/10%100, len(message), message)
		}
	}
	dir := written(b, s.String())
	git(b, dir, "", "repack", "-adq")
	b.Run("50", func(b *testing.B) { walk(b, dir, 50) })
	b.Run("git-log-1", func(b *testing.B) { runGit(b, dir) })
}

// BenchmarkLogManyPacks reads a history in twelve packs.
func BenchmarkLogManyPacks(b *testing.B) {
	dir := newRepo(b, "", false)
	manyPacks(b, dir)
	walk(b, dir, -1)
}

// BenchmarkLoose reads a history that was never packed.
func BenchmarkLoose(b *testing.B) {
	walk(b, newRepo(b, "", false), -1)
}
