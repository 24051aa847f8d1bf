package app_test

// replay_golden_test.go holds what is answered on the replayed histories against golden files, so that a change of a
// rule shows each answer that it moves. The lines have ids, hashes and numbers, and no word of the authors'.

import (
	"crypto/sha256"
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/gsd-cli/gsd/internal/answer"
	"github.com/gsd-cli/gsd/internal/app"
	"github.com/gsd-cli/gsd/internal/evidence"
)

var update = flag.Bool("update", false, "rewrite the golden files of the replayed bundles")

// digestOf stands for a text.
func digestOf(text string) string { return fmt.Sprintf("%x", sha256.Sum256([]byte(text)))[:8] }

// goldenWord is a plan's id, or a digest of its path where it has none.
func goldenWord(plan, id string) string {
	switch {
	case id != "":
		return id
	case plan == "":
		return "-"
	}
	return digestOf(plan)
}

// nextLine is an answer of next in one line: bundle, commit, plan, phase, wave, the plans that are ready as well.
func nextLine(bundle, commit string, n *answer.Next) string {
	wave := "-"
	if n.Wave != nil {
		wave = fmt.Sprint(*n.Wave)
	}
	also := []string{}
	for _, p := range n.AlsoReady {
		also = append(also, goldenWord(p.Plan, p.ID))
	}
	return fmt.Sprintf("%s %.8s %s phase=%s wave=%s also=%s", bundle, commit, goldenWord(n.Plan, n.ID), n.Phase, wave, strings.Join(also, ","))
}

// recoverLine is an answer of recover in one line: bundle, commit, plan, each task with its status and its commits with
// their confidence in hundredths, and those of no task.
func recoverLine(bundle, commit string, r *app.Preview) string {
	line := fmt.Sprintf("%s %.8s %s", bundle, commit, goldenWord(r.Plan, r.ID))
	commits := func(all []evidence.Evidence) string {
		var text strings.Builder
		for _, e := range all {
			fmt.Fprintf(&text, ",%.8s@%.0f", e.ID, 100*e.Confidence)
		}
		return text.String()
	}
	for i, t := range r.Tasks {
		line += fmt.Sprintf(" %d=%s%s", t.Number, t.Status, commits(r.Evidence[i].Commits))
	}
	if len(r.Unassigned) > 0 {
		line += " none" + commits(r.Unassigned)
	}
	return line
}

// holdGolden compares lines that begin with their bundle to those of its bundles in a golden file, or rewrites these.
func holdGolden(t *testing.T, name string, got []string) {
	t.Helper()
	name = filepath.Join("..", "..", "testdata", "replay", name+".golden")
	data, err := os.ReadFile(name)
	if err != nil && !*update {
		t.Fatal(err)
	}
	bundle := func(line string) string { bundle, _, _ := strings.Cut(line, " "); return bundle }
	replayed := map[string]bool{}
	for _, line := range got {
		replayed[bundle(line)] = true
	}
	var want, others []string
	for line := range strings.Lines(string(data)) {
		if line = strings.TrimSuffix(line, "\n"); replayed[bundle(line)] {
			want = append(want, line)
		} else {
			others = append(others, line)
		}
	}
	slices.Sort(got)
	got = slices.Compact(got) // two plans may be closed by one commit
	if !*update {
		slices.Sort(want)
		for _, line := range changed(want, got) {
			t.Error(line)
		}
		return
	}
	all := append(others, got...)
	slices.Sort(all)
	if err := os.MkdirAll(filepath.Dir(name), 0o777); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(name, []byte(strings.Join(all, "\n")+"\n"), 0o666); err != nil {
		t.Fatal(err)
	}
}

// changed lists the lines that only one of two sorted lists has.
func changed(want, got []string) (lines []string) {
	for _, line := range want {
		if _, ok := slices.BinarySearch(got, line); !ok {
			lines = append(lines, "- "+line)
		}
	}
	for _, line := range got {
		if _, ok := slices.BinarySearch(want, line); !ok {
			lines = append(lines, "+ "+line)
		}
	}
	slices.SortStableFunc(lines, func(a, b string) int { return strings.Compare(a[2:], b[2:]) })
	return lines
}
