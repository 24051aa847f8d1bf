package main

import (
	"fmt"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/gsd-cli/gsd/internal/mergedriver"
	"github.com/gsd-cli/gsd/internal/testenv"
)

// merging is a repository with gsd's merge driver, in which plans are finished as upstream's commands and gsd state --write do.
type merging struct {
	t   *testing.T
	dir string
	env []string
	day int

	notes bool // every plan adds a decision to STATE.md
}

func (m *merging) run(name string, args ...string) (string, error) {
	cmd := exec.Command(name, args...)
	date := fmt.Sprintf("2026-01-%02d 12:00:00 +0000", m.day)
	cmd.Dir, cmd.Env = m.dir, append(m.env[:len(m.env):len(m.env)], "GIT_AUTHOR_DATE="+date, "GIT_COMMITTER_DATE="+date)
	out, err := cmd.CombinedOutput()
	return string(out), err
}

func (m *merging) must(name string, args ...string) string {
	m.t.Helper()
	out, err := m.run(name, args...)
	if err != nil {
		m.t.Fatalf("%s %v: %v\n%s", name, args, err, out)
	}
	return out
}

func (m *merging) write(name, text string) {
	file := filepath.Join(m.dir, filepath.FromSlash(name))
	if err := os.MkdirAll(filepath.Dir(file), 0o755); err != nil {
		m.t.Fatal(err)
	}
	if err := os.WriteFile(file, []byte(text), 0o644); err != nil {
		m.t.Fatal(err)
	}
}

func (m *merging) read(name string) string {
	text, err := os.ReadFile(filepath.Join(m.dir, filepath.FromSlash(name)))
	if err != nil {
		m.t.Fatal(err)
	}
	return string(text)
}

// planDone is one plan to finish.
type planDone struct{ phase, plan int }

// newMerging makes a project whose phases have these numbers of plans.
func newMerging(t *testing.T, dir, planning string, phases []int) *merging {
	home := filepath.Join(dir, "home")
	m := &merging{t: t, dir: filepath.Join(dir, "repo"), day: 1, env: []string{
		"PATH=" + os.Getenv("PATH"), "HOME=" + home, "XDG_STATE_HOME=" + home,
		"GIT_CONFIG_NOSYSTEM=1", "GIT_CONFIG_GLOBAL=" + os.DevNull, "GIT_AUTHOR_NAME=Ada", "GIT_AUTHOR_EMAIL=a", "GIT_COMMITTER_NAME=Ada",
		"GIT_COMMITTER_EMAIL=a", "GIT_EDITOR=true", "LC_ALL=C",
	}}
	roadmap, detail, rows := "# Roadmap: Kiln\n\n", "", ""
	for i, plans := range phases {
		n := i + 1
		roadmap += fmt.Sprintf("- [ ] **Phase %d: Part %d** - about it\n", n, n)
		detail += fmt.Sprintf("\n### Phase %d: Part %d\n\n**Plans:** 0/%d plans executed\n\nPlans:\n", n, n, plans)
		rows += fmt.Sprintf("| %d. Part %d | 0/%d | Planned    |  |\n", n, n, plans)
		for p := range plans {
			detail += fmt.Sprintf("- [ ] %02d-%02d-PLAN.md — do it\n", n, p+1)
			m.write(fmt.Sprintf("%s/phases/%02d-part-%d/%02d-%02d-PLAN.md", planning, n, n, n, p+1), "<task>do it</task>\n")
		}
	}
	m.write(planning+"/ROADMAP.md", roadmap+detail+"\n## Progress\n\n| Phase | Plans Complete | Status | Completed |\n|---|---|---|---|\n"+rows)
	m.must("git", "init", "--quiet", "-b", "main")
	m.must("git", "config", "core.autocrlf", "false")
	m.must("git", "config", "merge.gsd.driver", mergedriver.Command)
	m.write(".gitattributes", mergedriver.Attributes)
	m.state(planning)
	m.commit("docs: plan everything")
	return m
}

func (m *merging) state(planning string) {
	m.must("git", "add", "-A")
	if name := filepath.Base(planning); name != ".planning" {
		m.env = append(m.env, "GSD_WORKSTREAM="+name)
		defer func() { m.env = m.env[:len(m.env)-1] }()
	}
	m.must("gsd", "state", "--write")
}

func (m *merging) commit(subject string) {
	m.must("git", "add", "-A")
	m.must("git", "commit", "--quiet", "--allow-empty", "-m", subject)
}

// finish finishes a plan, as upstream's roadmap update-plan-progress and gsd state --write do, in one commit.
func (m *merging) finish(planning string, d planDone) {
	id := fmt.Sprintf("%02d-%02d", d.phase, d.plan)
	dir := fmt.Sprintf("%s/phases/%02d-part-%d", planning, d.phase, d.phase)
	m.write(dir+"/"+id+"-SUMMARY.md", "done\n")
	count := func(kind string) int {
		names, _ := filepath.Glob(filepath.Join(m.dir, filepath.FromSlash(dir), "*-"+kind+".md"))
		return len(names)
	}
	done, plans := count("SUMMARY"), count("PLAN")
	status, date, word := "In Progress", "  ", "executed"
	text := strings.Replace(m.read(planning+"/ROADMAP.md"), "- [ ] "+id, "- [x] "+id, 1)
	if done == plans {
		today := fmt.Sprintf("2026-01-%02d", m.day)
		status, date, word = "Complete", " "+today+" ", "complete"
		text = regexp.MustCompile(fmt.Sprintf(`- \[ \] (\*\*Phase %d:.*)`, d.phase)).ReplaceAllString(text, "- [x] $1 (completed "+today+")")
	}
	text = regexp.MustCompile(fmt.Sprintf(`(?m)^(\| %d\. [^|]*)\|.*$`, d.phase)).
		ReplaceAllString(text, fmt.Sprintf("$1| %d/%d | %-11s|%s|", done, plans, status, date))
	text = regexp.MustCompile(fmt.Sprintf(`(### Phase %d:.*\n\n\*\*Plans:\*\*) .*`, d.phase)).
		ReplaceAllString(text, fmt.Sprintf("$1 %d/%d plans %s", done, plans, word))
	m.write(planning+"/ROADMAP.md", text)
	m.commit("docs(" + id + "): complete plan")
	m.state(planning) // which looks at the commits
	if m.notes {
		before, after, _ := strings.Cut(m.read(planning+"/STATE.md"), "\n### Pending Todos\n")
		before = strings.TrimSuffix(before, "None yet.\n") // of the decisions, which are before it
		m.write(planning+"/STATE.md", before+fmt.Sprintf("- [Phase %d]: decided in %s\n", d.phase, id)+"\n### Pending Todos\n"+after)
	}
	m.must("git", "add", "-A")
	m.must("git", "commit", "--quiet", "--amend", "--no-edit", "--allow-empty")
}

// mergeCase is a project and what is finished in it on two branches.
type mergeCase struct {
	planning     string
	phases       []int // the number of plans of each
	before       []planDone
	ours, theirs []planDone
	day          int // of theirs
	how          string
	notes        bool
}

// randomMerge does without rapid: initializing it takes a millisecond, and the scripts start this program as gsd some thousand times.
func randomMerge(seed int) mergeCase {
	random := rand.New(rand.NewPCG(uint64(seed), 18))
	some := func() bool { return random.IntN(2) == 0 }
	pick := func(of ...string) string { return of[random.IntN(len(of))] }
	c := mergeCase{
		planning: pick(".planning", ".planning/workstreams/api"),
		day:      1 + random.IntN(2),
		how:      pick("merge", "rebase", "cherry-pick"),
		notes:    some(),
	}
	var all []planDone
	for i := range 1 + random.IntN(3) {
		c.phases = append(c.phases, 1+random.IntN(3))
		for p := range c.phases[i] {
			all = append(all, planDone{i + 1, p + 1})
		}
	}
	if some() {
		random.Shuffle(len(all), func(i, j int) { all[i], all[j] = all[j], all[i] })
	}
	before := random.IntN(len(all))
	c.before = all[:before]
	for _, d := range all[before : before+random.IntN(len(all)-before+1)] {
		if some() {
			c.ours = append(c.ours, d)
		} else {
			c.theirs = append(c.theirs, d)
		}
	}
	return c
}

// TestMergeLaw finishes plans on two branches in real git, and merges, rebases or cherry-picks them: there is no conflict, and
// STATE.md and ROADMAP.md have the bytes that they have if the plans are finished one after the other: first ours, then theirs, as
// git puts them on top. The other order may give other bytes, such as those of a list to which both added.
//
// It does not hold for STATE.md in one of some hundred cases: if plans of later phases were finished first, the position goes back
// to an earlier phase in the end. As nothing in the file goes backwards, its lines then keep what some step before had written, and
// which steps there were on each side, the three versions do not say.
func TestMergeLaw(t *testing.T) {
	if testing.Short() {
		t.Skip("runs git a thousand times")
	}
	merges := 3
	if testenv.Thorough() {
		merges = 20
	}
	if _, err := exec.LookPath("git"); err != nil {
		t.Skip("no git program")
	}
	for seed := range merges {
		t.Run(fmt.Sprint(seed), func(t *testing.T) {
			t.Parallel()
			checkMerge(t, randomMerge(seed))
		})
	}
}

func checkMerge(t *testing.T, c mergeCase) {
	m := newMerging(t, t.TempDir(), c.planning, c.phases)
	m.notes = c.notes
	finish := func(day int, plans []planDone) {
		m.day = day
		for _, d := range plans {
			m.finish(c.planning, d)
		}
	}
	names := []string{"STATE.md", "ROADMAP.md"}
	finish(1, c.before)
	m.must("git", "branch", "theirs")
	start := strings.TrimSpace(m.must("git", "rev-parse", "HEAD"))
	finish(1, c.ours)
	m.must("git", "checkout", "--quiet", "theirs")
	finish(c.day, c.theirs)
	texts := func() map[string]string {
		is := map[string]string{}
		for _, name := range names {
			is[name] = m.read(c.planning + "/" + name)
		}
		return is
	}
	m.must("git", "checkout", "--quiet", "--detach", start)
	finish(1, c.ours)
	finish(c.day, c.theirs)
	want := texts()
	m.must("git", "checkout", "--quiet", "main")
	state := ":" + c.planning + "/STATE.md"
	same := len(c.ours) > 0 && len(c.theirs) > 0 && m.must("git", "rev-parse", "main"+state) == m.must("git", "rev-parse", "theirs"+state)
	m.day = max(m.day, c.day)
	var out string
	var err error
	switch c.how {
	case "merge":
		out, err = m.run("git", "merge", "--quiet", "--no-edit", "theirs")
	case "rebase":
		m.must("git", "checkout", "--quiet", "theirs")
		out, err = m.run("git", "rebase", "--quiet", "main")
	default:
		for commit := range strings.FieldsSeq(m.must("git", "rev-list", "--reverse", "main..theirs")) {
			if out, err = m.run("git", "cherry-pick", commit); err != nil {
				break
			}
		}
	}
	if err != nil {
		t.Fatalf("%+v: %v\n%s%s", c, err, out, m.must("git", "diff"))
	}
	if same { // git does not call a driver for versions that are the same, although two plans are done and not one
		m.state(c.planning)
		m.must("git", "commit", "--quiet", "--allow-empty", "-am", "docs: state")
	}
	got := texts()
	if rest := m.must("git", "status", "--porcelain", "--untracked-files=no"); rest != "" {
		t.Errorf("left behind: %s", rest)
	}
	for _, name := range names {
		if got[name] != want[name] {
			m.write("got", got[name])
			m.write("want", want[name])
			diff, _ := m.run("git", "diff", "--no-index", "want", "got")
			t.Errorf("%+v: %s:\n%s", c, name, diff)
		}
	}
}
