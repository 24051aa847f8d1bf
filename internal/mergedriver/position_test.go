package mergedriver

import (
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"github.com/gsd-cli/gsd/internal/planref"
)

// stateAfter is a STATE.md after so many plans of three.
func stateAfter(plans int, what string) string {
	return "# Project State\n\n## Current Position\n\nPhase: 1 of 1 (Kiln)\nPlan: " + strconv.Itoa(plans) + " of 3\nStatus: In progress\n" +
		"Last activity: 2026-01-0" + strconv.Itoa(1+plans) + " — " + what + "\n\nProgress: [░░░░░░░░░░] 0%\n\n## Decisions\n\n- none\n"
}

// TestMergePosition: two sides that finished a plan each are at the third, as the merged tree shows.
func TestMergePosition(t *testing.T) {
	m := newMergeRepo(t)
	o, theirs := m.diverged()
	o.Path = planref.Planning + "/STATE.md"
	versions := map[string]string{"base": stateAfter(0, "Planned"), "ours": stateAfter(1, "Fired"), "theirs": stateAfter(1, "Glazed")}
	commit := func(version, from string) string {
		m.git("", "checkout", "-q", from)
		m.write(o.Path, versions[version])
		m.git("", "add", "-A")
		m.git("", "commit", "-q", "--no-gpg-sign", "--amend", "--no-edit")
		m.write("../"+version, versions[version])
		return m.git("", "rev-parse", "HEAD")
	}
	base := commit("base", m.git("", "merge-base", "main", "theirs"))
	m.git("", "rebase", "-q", "--onto", base, "main^", "main")
	ours := commit("ours", "main")
	m.git("", "rebase", "-q", "--onto", base, theirs+"^", "theirs")
	picked := commit("theirs", "theirs")
	m.git("", "checkout", "-q", "main")
	o.Env = append(o.Env, "GITHEAD_"+picked+"=theirs")
	if got := m.merged(o); !strings.Contains(got, "Plan: 3 of 3 in current phase\n") {
		t.Errorf("after a merge of %s and %s:\n%s", ours, picked, got)
	}
	// Without the commits, the values are merged one by one.
	o.Env = m.env
	m.write("../ours", versions["ours"])
	m.git("", "checkout", "-q", "--detach", base)
	if got := m.merged(o); !strings.Contains(got, "Plan: 1 of 3\n") {
		t.Errorf("got %s", got)
	}
}

// TestConflictNames: conflicts have git's markers, and the names that git would give them.
func TestConflictNames(t *testing.T) {
	m := newMergeRepo(t)
	name := planref.Planning + "/STATE.md"
	write := func(version, text string) {
		m.write(name, text)
		m.write("../"+version, text)
	}
	write("base", "one\n")
	base := m.commit("docs: base")
	m.git("", "checkout", "-q", "-b", "theirs")
	write("theirs", "two\n")
	theirs := m.commit("docs: theirs")
	m.git("", "checkout", "-q", "main")
	write("ours", "three\n")
	m.commit("docs: ours")
	o := Options{Dir: m.dir, Env: append(m.env, "GITHEAD_"+theirs+"=theirs"), Base: "../base", Ours: "../ours", Theirs: "../theirs", Path: name, MarkerSize: 9}
	if conflicts, err := Merge(t.Context(), o); err != nil || !conflicts {
		t.Fatalf("conflicts: %t, %v", conflicts, err)
	}
	text, err := os.ReadFile(filepath.Join(m.dir, o.Ours))
	want := "<<<<<<<<< HEAD\nthree\n=========\ntwo\n>>>>>>>>> theirs\n"
	if err != nil || string(text) != want {
		t.Errorf("%v, base %s: got\n%s", err, base, text)
	}
	o.Base = "../gone"
	if _, err := Merge(t.Context(), o); err == nil {
		t.Error("a file that is missing was merged")
	}
}
