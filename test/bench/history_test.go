package bench

import (
	"bufio"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/gsd-cli/gsd/internal/replay"
)

// largest returns the largest replayed history: 876 commits, 820 files in .planning/, a roadmap with 59 phases.
func largest(b *testing.B) string { return filepath.Join(replay.Dir(b), "r10.bundle") }

// BenchmarkLargest runs `gsd hydrate` and `gsd next` on a checkout of the largest history.
func BenchmarkLargest(b *testing.B) {
	bundle := largest(b)
	p := newClone(b, bundle)
	p.gsd(b, "bootstrap", ".planning/phases/02-core-git-staging-commits/02-01-PLAN.md")
	done := newClone(b, bundle)
	done.gsd(b, "bootstrap", ".planning/phases/01-foundation/01-01-PLAN.md", "--again")
	write(b, filepath.Join(done.dir, ".planning/phases/01-foundation/01-01-SUMMARY.md"), "Done again.\n")
	fresh := newClone(b, bundle)
	expect(b, p.gsd(b, "hydrate", "--porcelain"), "1")
	expect(b, fresh.gsd(b, "hydrate", "--porcelain"), "NO_SESSION")
	expect(b, done.gsd(b, "hydrate", "--porcelain"), "STALE")
	gsd := must(b, gsdBinary)
	hydrate := p.contender(b, "gsd hydrate", gsd, "hydrate")
	stale := done.contender(b, "gsd hydrate, stale: with next", gsd, "hydrate")
	none := fresh.contender(b, "gsd hydrate, no session: with next", gsd, "hydrate")
	next := p.contender(b, "gsd next", gsd, "next")
	config := p.contender(b, "git config user.name", "git", "config", "user.name")
	log := p.contender(b, "git log -1", "git", "log", "-1")

	r := raced(b, hydrate, stale, none, next, p.contender(b, "gsd status", gsd, "status"), config, log)
	atMost(b, r, hydrate, config, "of-git", 2.4)
	atMost(b, r, none, config, "none/git", 5.5)
	atMost(b, r, next, log, "of-log", 4)
	atMost(b, r, stale, log, "stale/log", 5)
}

// BenchmarkDoctor runs `gsd doctor` on a checkout of the largest history in which nothing needs doing: gsd is in PATH and called
// by an agent's hooks, and there is a session.
func BenchmarkDoctor(b *testing.B) {
	bundle := largest(b)
	gsd := must(b, gsdBinary)
	p := newClone(b, bundle)
	path := "PATH=" + os.Getenv("PATH")
	p.env = append(slices.DeleteFunc(p.env, func(kv string) bool { return kv == path || strings.HasPrefix(kv, "SHELL=") }),
		"PATH="+filepath.Dir(gsd)+string(filepath.ListSeparator)+os.Getenv("PATH"))
	p.gsd(b, "bootstrap", ".planning/phases/02-core-git-staging-commits/02-01-PLAN.md")
	p.gsd(b, "install", "claude")
	if out := p.gsd(b, "doctor"); strings.Contains(out, "\n") {
		b.Fatal(out)
	}
	doctor := p.contender(b, "gsd doctor", gsd, "doctor")
	plans := p.contender(b, "gsd doctor --plans", gsd, "doctor", "--plans")
	config := p.contender(b, "git config user.name", "git", "config", "user.name")

	r := raced(b, doctor, plans, config)
	atMost(b, r, doctor, config, "of-git", 20)
}

// BenchmarkNext100000 runs `gsd next` on a repository of 100,000 commits in one pack.
func BenchmarkNext100000(b *testing.B) {
	p := newLongHistory(b, 100_000, 200)
	gsd := must(b, gsdBinary)
	expect(b, p.gsd(b, "hydrate", "--porcelain"), "NO_SESSION")
	next := p.contender(b, "gsd next, 100,000 commits", gsd, "next")
	log := p.contender(b, "git log -1", "git", "log", "-1")

	r := raced(b, next, log)
	atMost(b, r, next, log, "of-log", 10)
}

// BenchmarkPreview100000 runs `gsd bootstrap --dry-run` on a repository of 100,000 commits: for a plan of ten tasks that
// was added 200 commits ago, and for one that existed from the beginning, for which the walk ends at the limit. Fifty commits
// are the plan's, and there are three other plans.
func BenchmarkPreview100000(b *testing.B) {
	gsd := must(b, gsdBinary)
	young, old := newLongHistory(b, 100_000, 200), newLongHistory(b, 100_000, 99_999)
	for _, p := range []*project{young, old} {
		out := p.gsd(b, "bootstrap", "03-02", "--dry-run")
		if !strings.Contains(out, "10 of 10 tasks") || strings.Count(out, "(03-02): ") != planCommits {
			b.Fatal(out)
		}
	}
	a := young.contender(b, "gsd bootstrap --dry-run, a new plan", gsd, "bootstrap", "03-02", "--dry-run")
	c := old.contender(b, "gsd bootstrap --dry-run, an old plan", gsd, "bootstrap", "03-02", "--dry-run")
	log := young.contender(b, "git log -1", "git", "log", "-1")

	r := raced(b, a, c, log)
	atMost(b, r, a, log, "new/log", 15)
	atMost(b, r, c, log, "old/log", 15)
	limited := old.peak(b, gsd, func() []string { return []string{"bootstrap", "03-02", "--dry-run"} })
	b.ReportMetric(float64(limited)/1e6, "MB")
}

// newClone makes a project from a bundle.
func newClone(t testing.TB, bundle string) *project {
	t.Helper()
	home := t.TempDir()
	p := &project{dir: t.TempDir(), env: environment(home)}
	write(t, filepath.Join(home, ".gitconfig"), plainConfig)
	p.run(t, "git", "clone", "--quiet", "--branch", "main", bundle, ".")
	return p
}

// planCommits is the number of commits for one plan in a long history, five for each task; planParts are the subjects
// of its tasks.
const planCommits = 50

var planParts = []string{
	"login form", "session store", "password hash", "token check", "rate limit",
	"audit trail", "reset mail", "user import", "role table", "logout page",
}

// planFile returns the source file of a task of a plan, both counted from 1.
func planFile(plan, task int) string {
	return fmt.Sprintf("src/auth%d/%s", plan, strings.ReplaceAll(planParts[task-1], " ", "_"))
}

// planText returns a plan of ten tasks, each with a name and two files.
func planText(plan int) string {
	verb := []string{"Draft", "Build", "Style", "Document"}[plan-1]
	var text strings.Builder
	fmt.Fprintf(&text, "---\nwave: %d\n---\n", plan)
	for i, part := range planParts {
		file := planFile(plan, i+1)
		fmt.Fprintf(&text, "<task type=\"auto\">\n  <name>Task %d: %s the %s</name>\n  <files>%s.go, %s_test.go</files>\n</task>\n", i+1, verb, part, file, file)
	}
	return text.String()
}

// newLongHistory makes a repository of commits on 200 files, whose planning files were added planned commits before the
// end and last changed a hundred commits before it. Of the last 300 commits, or of those since the planning, every
// so many carries out the next part of 03-02.
func newLongHistory(t testing.TB, commits, planned int) *project {
	t.Helper()
	home := t.TempDir()
	p := &project{dir: t.TempDir(), env: environment(home)}
	write(t, filepath.Join(home, ".gitconfig"), plainConfig)
	p.run(t, "git", "init", "--quiet", "--initial-branch=main")
	cmd := exec.Command("git", "fast-import", "--quiet")
	cmd.Dir, cmd.Env, cmd.Stderr = p.dir, p.env, os.Stderr
	in, err := cmd.StdinPipe()
	noError(t, err)
	noError(t, cmd.Start())
	w := bufio.NewWriter(in)
	file := func(name, text string) { fmt.Fprintf(w, "M 100644 inline %s\ndata %d\n%s\n", name, len(text), text) }
	worked := min(planned, 300) // which is how many gsd reads
	every := worked / planCommits
	for n := range commits {
		subject := fmt.Sprintf("feat: answer request %d of part %d in its order", n, n%20)
		name := fmt.Sprintf("src/dir%d/file%d.go", n%20, n%200)
		if since := worked - (commits - n); since > 0 && since%every == every/2 {
			task := since/every*len(planParts)/planCommits + 1
			name = planFile(2, task)
			switch part := planParts[task-1]; since / every % 5 {
			case 0:
				subject, name = fmt.Sprintf("test(03-02): add failing tests for the %s", part), name+"_test.go"
			case 1:
				subject, name = fmt.Sprintf("feat(03-02): build the %s", part), name+".go"
			default:
				subject, name = fmt.Sprintf("refactor(03-02): simplify how to build the %s", part), name+".go"
			}
		}
		fmt.Fprintf(w, "commit refs/heads/main\ncommitter Bench <bench@example.com> %d +0000\ndata %d\n%s\n", 1_500_000_000+n*60, len(subject), subject)
		file(name, fmt.Sprintf("package dir // %d\n", n))
		switch n {
		case commits - planned:
			file(".planning/ROADMAP.md", roadmapText)
			for plan := 1; plan <= 4; plan++ {
				file(fmt.Sprintf(".planning/phases/03-auth/03-%02d-PLAN.md", plan), planText(plan))
			}
		case commits - 100:
			file(".planning/phases/03-auth/03-01-SUMMARY.md", "done\n")
		}
	}
	noError(t, w.Flush())
	noError(t, in.Close())
	noError(t, cmd.Wait())
	p.run(t, "git", "checkout", "--quiet", "main")
	return p
}
