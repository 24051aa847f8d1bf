package main

import (
	"os"
	"strings"
	"testing"

	"github.com/gsd-cli/gsd/internal/mergedriver"
	"github.com/gsd-cli/gsd/internal/replay"
	"github.com/gsd-cli/gsd/internal/testenv"
)

// TestMergeReplay merges STATE.md and ROADMAP.md as in every merge of real histories whose sides both changed them, and counts the
// conflicts with and without gsd. The commits are not known here, so values are only merged one by one. There are never more
// conflicts than without gsd.
func TestMergeReplay(t *testing.T) {
	testenv.OnlyThorough(t)
	names := []string{".planning/STATE.md", ".planning/ROADMAP.md"}
	merges, alone, left := map[string]int{}, map[string]int{}, map[string]int{}
	for _, bundle := range replay.Files(t, "full") {
		m := &merging{t: t, dir: t.TempDir(), env: os.Environ(), day: 1}
		m.must("git", "clone", "--quiet", "--bare", bundle, ".")
		blob := func(commit, name string) (string, bool) {
			out, err := m.run("git", "cat-file", "blob", commit+":"+name)
			return out, err == nil
		}
		for line := range strings.Lines(m.must("git", "log", "--all", "--merges", "--full-history", "--format=%H %P", "--", names[0], names[1])) {
			commits := strings.Fields(line)
			if len(commits) != 3 {
				continue
			}
			out, err := m.run("git", "merge-base", "--all", commits[1], commits[2])
			bases := strings.Fields(out)
			if err != nil || len(bases) != 1 {
				continue
			}
			for _, name := range names {
				base, ok0 := blob(bases[0], name)
				ours, ok1 := blob(commits[1], name)
				theirs, ok2 := blob(commits[2], name)
				if !ok0 || !ok1 || !ok2 || base == ours || base == theirs || ours == theirs {
					continue
				}
				m.write("base", base)
				m.write("ours", ours)
				m.write("theirs", theirs)
				merges[name]++
				if _, err := m.run("git", "merge-file", "-p", "ours", "base", "theirs"); err != nil {
					alone[name]++
				}
				conflicts, err := mergedriver.Merge(t.Context(), mergedriver.Options{
					Dir: m.dir, Env: m.env, Base: "base", Ours: "ours", Theirs: "theirs", Path: name,
				})
				if err != nil {
					t.Errorf("%s: %v", bundle, err)
				}
				if conflicts {
					left[name]++
				}
			}
		}
	}
	for name, n := range merges {
		t.Logf("%s: %d merges, %d with conflicts in git alone, %d with gsd", name, n, alone[name], left[name])
		if left[name] > alone[name] {
			t.Errorf("%s: more conflicts than without gsd", name)
		}
	}
}
