package roadmap_test

// ablate_test.go: every heuristic about roadmaps and the order of plans, with its origin and the source change that switches it off. So the code
// needs no switches, and the table cannot describe code that no longer exists. `task ablate` builds the tests with each change in turn and prints
// its effect: on the readings of all versions of the replayed projects' roadmaps with the files beside them, on the moments of next in four of
// them, and on the answers that .ci/run upstream compares (with GSD_CORE). -run 'TestAblate/fold_ends' measures one rule,
// -together 'fold;fold ends' a set: one rule may make the dead end that another repairs. A rule without any effect that comes from no real project
// and no form of upstream's is removed.

import (
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"iter"
	"maps"
	"os"
	"os/exec"
	"path"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/gsd-cli/gsd/internal/answer"
	"github.com/gsd-cli/gsd/internal/frontmatter"
	"github.com/gsd-cli/gsd/internal/next"
	"github.com/gsd-cli/gsd/internal/replay"
	"github.com/gsd-cli/gsd/internal/roadmap"
	_ "github.com/gsd-cli/gsd/testdata/memory" // sync is slow on a disk
)

var (
	ablate   = flag.Bool("ablate", false, "switch off each rule in turn, and print the effect")
	together = flag.String("together", "", "switch off these rules at once; their names are separated by semicolons")
	readings = flag.String("readings", "", "write the readings of the replayed projects' roadmaps to this file")
)

// rule is a heuristic; without replaces code to switch it off.
type rule struct{ name, from, file, code, without string }

var rules = []rule{
	// The lines.
	{"fences", "CommonMark: examples are no phases", "../markdown/visible.go", "if v.skip(closes, &v.openFence) {", "if false && v.skip(closes, &v.openFence) {"},
	{"comments", "CommonMark", "../markdown/visible.go", "if !found {", "if found = false; !found {"},
	{"plan: id", "r04: `5-10 users` in lists of what must be true", "document.go", "(isRange(file) || unicode.IsLetter(next))", "(isRange(file) || unicode.IsLetter(next) && false)"},
	{"plan: name", "r09, r10, r13, r15, r16: a status behind the title", "document.go", "cutText(readTitle(title).name)", "cutText(plain(title))"},
	{"bold phase", "upstream's BULLET_PHASE_LINE_PATTERN", "document.go", "(boxed || p.within == 0 && ", "(boxed || false && "},
	{"bold, but of another phase", "a real project: `- **Phase 1 — X:**` among a phase's deliverables", "document.go", "p.within == 0 && strings", "p.within >= 0 && strings"},
	{"heading ends", "r02, r03, r06, r10, upstream's milestone sections", "document.go", "ok || level <= p.level {", "ok {"},
	{"fold", "r03, r06, r08, r10, r14, upstream's complete-milestone", "document.go", "ok && p.folds == 1", "ok && p.folds < 0"},
	{"fold ends", "r03", "document.go", "p.section, p.within = p.outer, 0", "p.within = 0"},
	{"title's count", "r03, r10: `(2/4 plans)`", "title.go", `== "(" {`, `== "-" {`},
	{"Status:", "r03, r16, r17, r18, r22, r30", "document.go", "case &t.status:", "case nil:"},
	{"Plans:", "r01, r11, r12, r15, r16, upstream's template", "document.go", "case &t.plans:", "case nil:"},
	{"document: roadmap", "upstream's template; r04: `X Roadmap`", "document.go", `roadmapWord().ReplaceAllString(plain(text), "")`, "plain(text)"},
	// Tables.
	{"table: first column", "r16; upstream's PHASE_LISTING_HEADER_RE", "table.go", ` && head != "#" &&`, " &&"},
	{"table: name", "r03", "table.go", `case "phase", "name", "phase name",`, "case"},
	{"table: milestone", "r06, upstream's template", "table.go", `case "milestone",`, "case"},
	{"table: plans", "11 projects, upstream's template", "table.go", `case "plans complete", "plans",`, "case"},
	{"table: phase of a word", "r04: `Phase 3: Name`", "table.go", "f, ok := phaseTitle(cell)", "f, ok := fact{}, false"},
	{"a range is no phase", "r10", "title.go", "!ok || isRange(rest) ||", "!ok ||"},
	// Milestones.
	{"milestone: list", "r03, r06, r10, r13", "document.go", "rank != listRank || len(m.ranges) > 0", "rank != listRank"},
	{"milestone: words before", "r10, r13, r16: `Current Milestone:`", "milestone.go", `w != "milestone" && w != "roadmap" && words()[w] == Unknown`, `w != "-"`},
	{"milestone: bracket", "upstream, ADR-612", "milestone.go", `version != "" {`, "false {"},
	{"milestone: shipped anywhere", "upstream's MILESTONE_CLOSED_MARKER_PATTERN", "milestone.go", "cmp.Or(milestoneStatus(text), ", "cmp.Or("},
	{"milestone: status of a part", "r03, r05, r06, r10, r13, r14", "milestone.go", "t.status, statusIn", "statusIn"},
	{"milestone: status before", "r16: `Current`; r03, upstream's 🚧", "milestone.go", ", statusIn(before+lead))", ", statusIn((before+lead)[:0]))"},
	{"milestone: v1.0 is v1", "13 projects", "milestone.go", `for strings.HasSuffix(version, ".0") {`, "for false {"},
	{"milestone: ranges", "r10, r13; a real project: `55-64 + 55.1, 57.8`", "milestone.go", "for ok && len(all) < limit {", "for false {"},
	{"milestone: of a phase", "upstream's bracket ids", "document.go", `if f.milestone != "" {`, "if false {"},
	{"milestone: better place", "r03, r08, r10", "milestone.go", "if other.rank > m.rank {", "if false {"},
	{"milestone: status of another place", "r06, r10, r13, r16; a real project: `### 🚧 v1.2 (In Progress)` below `✅ v1.2 SHIPPED`", "milestone.go", "m.Status = other.Status", ""},
	{"milestone: archive", "r04: `## V1 Archive`; upstream's current milestone", "milestone.go", `strings.EqualFold(m.Name, "archive")`, "false"},
	{"milestone: the only one that is not over", "a real project: milestones/v1.7-phases, no sign and no STATE.md", "disk.go", " && slices.ContainsFunc(r.Milestones, isOther) {", " && (true || slices.ContainsFunc(r.Milestones, isOther)) {"},
	{"milestone: folded", "a real project: a folded v1.0 without a sign", "current.go", "m.folded() && m.Version != r.Named", "false"},
	{"milestone: phases of another place", "r10", "milestone.go", "m.ranges = other.ranges", ""},
	// Phases.
	{"phase of a shipped milestone", "upstream: what is shipped is complete", "phases.go", "ok && ph.Status == Unknown &&", "false &&"},
	{"numbers that start again", "r06", "phases.go", "if !restarted {", "if true {"},
	{"the last word", "16 projects: progress is written below the plan", "phases.go", "if f.status != Unknown {", "if f.status != Unknown && ph.Status == Unknown {"},
	{"a heading's title", "r01, r16, r19, r32", "phases.go", "|| f.source == heading", ""},
	{"what is done", "r06, r16", "phases.go", "f.done <= min(ph.Total, f.total)", "true"},
	{"complete, all done", "upstream counts a ticked phase", "phases.go", "ph.Status == Complete && ph.Done == 0", "false"},
	{"retired", "upstream #1514", "phases.go", "ph.Retired && ph.Status != Complete", "false"},
	{"disputed", "r10, r12: rows left in progress", "phases.go", "ph.Disputed = ph.Disputed || f.status == Complete", ""},
	// What counts.
	{"unbounded", "r02, r03; upstream's milestoneBounded", "current.go", `Unbounded: r.Named != "" && len(r.Milestones) > 0`, "Unbounded: false"},
	{"named milestone", "r03, r06, r08, upstream's STATE.md", "current.go", "s.Unbounded, s.Milestone = false, r.Named", "s.Unbounded = false"},
	{"named, but over", "no share of what is over while the next plan lies elsewhere (principle 5)", "current.go", " || s.over[s.Milestone])", ")"},
	{"marked milestone", "upstream's 🚧", "current.go", "cmp.Or(marked, first, last, ", "cmp.Or(first, last, "},
	{"first open milestone", "upstream cases", "current.go", "cmp.Or(marked, first, last, ", "cmp.Or(marked, last, "},
	{"last milestone", "r04", "current.go", "cmp.Or(marked, first, last, ", "cmp.Or(marked, first, "},
	{"loose phases", "r04", "current.go", `s.Milestone != "" && !has[s.Milestone]`, "false"},
	{"sentinels", "upstream's isSentinelPhaseId", "current.go", "case n.IsSentinel():", "case false:"},
	{"all plans done", "r01, r02, r03, r06, r10, r15", "../answer/advanced.go", "case ph.Total > 0 && ph.Done == ph.Total:", "case false:"},
	{"begun", "r15", "../answer/advanced.go", "case ph.Done > 0, ph.Status == roadmap.InProgress:", "case false:"},
	{"own in progress", "r02, r05, r06, r15", "../answer/advanced.go", "before == 0 && a.Own.Status != roadmap.InProgress", "before == 0"},
	// With the disk.
	{"directories alone", "r05, r06, r10, r13, r16", "position.go", "		if dir.hasPlans() {", "		if false {"},
	{"a directory with the phase's name", "r06: several milestones in one phases/", "position.go", "	if named {\n", "	if named && false {\n"},
	{"a directory with plans", "r13: one with a context only", "position.go", "dir.hasPlans() == planned && ", "planned && "},
	{"one directory of a number", "r06, r13, r16, r28; upstream #2445", "position.go", "case has[at]:", "case false:"},
	{"not mentioned", "r17: left in phases/ by a former milestone", "position.go", `e.Milestone == "" && listed && !loose`, "listed && false && loose"},
	{"archived, by its name", "an archived phase that was never ticked", "position.go", "(e.Status == Complete || named)", "e.Status == Complete"},
	{"finished, and the files are gone", "r16: some summaries are left", "position.go", "max(e.Done, listed)", "max(e.Done, min(listed, e.Done))"},
	{"the archive is not open", "a milestone that was archived with an open plan, and never marked", "current.go", " && !e.IsArchived()", ""},
	{"the archive is over", "archives of milestones that the roadmap does not list", "position.go", ` && (!e.IsArchived() || s.Milestone != "" && e.Milestone == s.Milestone)`, ""},
	{"summaries without plans", "r01, r04, r10, r13, r15, r16, r32", "disk.go", "range found.Orphans(plans) {", "range found.Orphans(plans)[:0] {"},
	{"an index beside plans", "a real project: PLAN.md beside 01-01-PLAN.md", "disk.go", `else if indexed && n.Stem == "" {`, "else if false && indexed {"},
	{"plans that are only listed", "upstream counts files", "position.go", "		e.Total = e.Done\n", ""},
	{"their place", "r05, r10, r13", "position.go", "if !e.Number.IsZero() {", "if false {"},
	{"their milestone", "r06, r13", "position.go", "e.Milestone = j.all[at-1].Milestone", ""},
	{"not of one that is over", "r10, r13", "position.go", " && !j.over[j.all[at-1].Milestone] {", " {"},
	{"directory that names its milestone", "upstream, ADR-612: GSD.02-05-core", "position.go", "bracketVersion(tag))", "tag[:0])"},
	{"archived, of its milestone", "r03, r06", "position.go", `milestone != "" && e.Milestone == milestone`, `milestone == "-"`},
	{"archived, complete", "upstream cases", "position.go", `|| e.Milestone == "" && (`, `|| false && (`},
	{"all plans on disk are done", "13 projects", "position.go", "case e.Total > 0 && e.Done >= e.Total &&", "case false &&"},
	{"more plans are to come", "r04, r06", "position.go", "e.Done >= e.Total && planned <= e.Total", "e.Done >= e.Total && planned >= 0"},
	{"some are done", "11 projects", "position.go", "case e.Done > 0:", "case false:"},
	{"verification", "upstream's isPhaseComplete", "position.go", `e.Status == Complete && dir.Unverified() != ""`, "false"},
	// Commits.
	{"look far enough", "r16", "../next/evidence.go", "ev.Seen >= enoughCommits && about >= enoughAbout || ", ""},
	{"active by files", "r06", "../next/evidence.go", "!n.IsZero() {", "!n.IsZero() && false {"},
	{"active by id", "r02, r06, r09, r16", "../next/evidence.go", "if ev.Active.IsZero() {\n\t\t\t\tev.Active, ev.By, ev.ActiveAge = n", "if false {\n\t\t\t\tev.Active, ev.By, ev.ActiveAge = n"},
	{"the plan was there", "r06", "../next/evidence.go", "!c.Has(p.Path) || ", ""},
	{"elsewhere", "monorepos and upstream's workstreams repeat ids", "../next/evidence.go", "c.Elsewhere(root) || ", ""},
	{"closed", "r02, r16; upstream's executor: `docs(03-01): complete … plan`", "../next/evidence.go", "w.Closed || s.Closes()", "false"},
	{"left behind", "r05, r10, r12, r19, r22, r29", "../next/left.go", "newest.Age < own.Age &&", "false &&"},
	{"not where the project is", "r06, r15", "../next/left.go", " && planref.Compare(e.Number, n.Evidence.Active) != 0", ""},
	{"left, yet nothing else to do", "r06, r15", "../next/next.go", "!last.IsZero() && (e == nil ||", "false && (e == nil ||"},
	{"in the current milestone", "r13, r19: a plan of a milestone whose percentage is not shown", "../next/left.go", "&& !n.isElsewhere(p.Phase) ||", "||"},
	{"a person verifies", "22 moments at rest", "../next/next.go", "return !ended && e.Dir.Tested == \"\" && !needsPerson(unverified(e))", "return !ended && e.Dir.Tested == \"\""},
	{"completed as it is", "r10", "../next/next.go", "return !ended &&", "return"},
	{"a phase was completed", "r12, r16, r29; upstream's execute-phase: `docs(phase-05): complete phase execution`", "../next/left.go", "ended && 0 < end.Age && end.Age < age", "false"},
	{"a milestone was completed", "r10, r19; upstream's complete-milestone: `chore: archive v1.2 milestone`", "../next/left.go", "end != nil && end.Age < age && !(isListed", "false && !(isListed"},
	{"a phase is prepared", "r10, r12, r18, r19, r24, r29, r32; upstream's discuss-phase and research-phase", "../next/next.go", "deed != nil && len(n.inFlight) == 0", "false && deed != nil"},
	{"added to what is over", "r13, upstream's plan-phase --gaps", "../next/left.go", "n.Entries[at].Dir.Done() > 0 || n.Meta(p).Gaps", "n.Entries[at].Dir.Done() > 0"},
	{"written since it was over", "r18", "../next/left.go", "n.Evidence.Written[p.Path] && ", "false && "},
	{"at work in phase 0", "r32", "../next/next.go", "phase.IsSentinel() && planref.Compare(phase, n.Evidence.Active) != 0", "phase.IsSentinel()"},
	{"gone files", "r16", "../next/evidence.go", "change.Kind == gitlog.Removed || ", ""},
}

// The code of each rule occurs exactly once.
func TestRules(t *testing.T) {
	for _, r := range rules {
		src, err := os.ReadFile(r.file)
		if n := strings.Count(string(src), r.code); err != nil || n != 1 {
			t.Errorf("%s: %q occurs %d times in %s, %v", r.name, r.code, n, r.file, err)
		}
	}
}

func TestAblate(t *testing.T) {
	if !*ablate {
		t.Skip("-ablate measures the rules; each takes a quarter of a minute")
	}
	dir := t.TempDir()
	base := measure(t, dir, nil, nil)
	sets := map[string][]rule{}
	for _, r := range rules {
		if name := r.name; *together == "" {
			sets[name] = []rule{r}
		} else if slices.Contains(strings.Split(*together, ";"), name) {
			sets[*together] = append(sets[*together], r)
		}
	}
	for name, set := range sets {
		t.Run(name, func(t *testing.T) {
			m := measure(t, dir, set, base)
			projects := map[string]int{}
			moved := missing(base.readings, m.readings)
			for _, line := range moved {
				name, _, _ := strings.Cut(line, " ")
				projects[name]++
			}
			t.Logf("%5d readings %v, %d moments, upstream %q", len(moved), projects, m.moments, missing(m.upstream, base.upstream))
			for kind, lines := range harm(base.readings, m.readings) {
				t.Logf("%s: %d, such as %s", kind, len(lines), lines[0])
			}
		})
	}
}

// harm returns the readings with open work called complete, with a phase that is not seen, and with another percentage.
func harm(base, now []string) map[string][]string {
	all, is := map[string][]string{}, map[string]string{}
	for _, line := range now {
		key, text, _ := strings.Cut(line, ": ")
		is[key] = text
	}
	for _, line := range base {
		key, was, _ := strings.Cut(line, ": ")
		_, entry, _ := strings.Cut(key, " phase ")
		text, seen := is[key]
		var kind string
		switch {
		case entry != "" && !seen:
			kind = "not seen"
		case entry != "" && strings.HasPrefix(text, "complete") && !strings.HasPrefix(was, "complete"):
			kind = "open called complete"
		case strings.HasSuffix(key, " percent") && was != text:
			kind = "percentage"
		default:
			continue
		}
		all[kind] = append(all[kind], line)
	}
	return all
}

// measures is what a rule can affect. upstream is only measured for rules that come from it or have no other effect.
type measures struct {
	readings, upstream []string
	moments            int // moments of next with a different answer
}

var tallied = regexp.MustCompile(`^(\d+  \S|[a-z ]+ +\d+ +\d+ +\d+$)`)

// measure builds the tests without a rule.
func measure(t *testing.T, dir string, set []rule, base *measures) *measures {
	t.Helper()
	m := &measures{}
	sources, changes, from := map[string]string{}, map[string]string{}, ""
	overlay, readings := filepath.Join(dir, "overlay.json"), filepath.Join(dir, "readings")
	for i, r := range set {
		if sources[r.file] == "" {
			src, err := os.ReadFile(r.file)
			if err != nil {
				t.Fatal(err)
			}
			sources[r.file] = string(src)
		}
		without := strings.ReplaceAll(r.without, `"-"`, strconv.Quote(fmt.Sprint("-", i))) // of a switch, no two cases are equal
		if strings.Count(sources[r.file], r.code) != 1 {
			t.Fatalf("%s cannot be switched off together with the rules before it", r.name)
		}
		sources[r.file], from = strings.Replace(sources[r.file], r.code, without, 1), from+r.from
	}
	for name, src := range sources {
		file, err := filepath.Abs(name)
		changed := filepath.Join(dir, filepath.Base(name))
		changes[file] = changed
		if err := errors.Join(err, os.WriteFile(changed, []byte(src), 0o600)); err != nil {
			t.Fatal(err)
		}
	}
	data, _ := json.Marshal(map[string]any{"Replace": changes})
	if err := os.WriteFile(overlay, data, 0o600); err != nil {
		t.Fatal(err)
	}
	run := func(pkg, test string, args ...string) iter.Seq[string] {
		cmd := exec.Command("go", append([]string{"test", "-vet=off", "-count=1", "-v", "-overlay", overlay, "-run", test, pkg, "-args"}, args...)...)
		out, _ := cmd.CombinedOutput() // tests fail where the rule matters
		if strings.Contains(string(out), "build failed") {
			t.Fatalf("%s", out)
		}
		return strings.Lines(string(out))
	}
	run(".", "^TestReadings$", "-readings", readings)
	data, _ = os.ReadFile(readings)
	m.readings = strings.Split(string(data), "\n")
	for line := range run("../app", "^TestReplayMoments$") {
		if strings.Contains(line, ": + ") {
			m.moments++
		}
	}
	moved := base != nil && m.moments+len(missing(base.readings, m.readings)) > 0
	if os.Getenv("GSD_CORE") != "" && (!moved || strings.Contains(from, "upstream")) {
		for line := range run("../test/upstream", "^TestUpstream$", "-survey", "1", "-projects", "500") {
			if line = strings.TrimSpace(line); tallied.MatchString(line) {
				m.upstream = append(m.upstream, line)
			}
		}
	}
	return m
}

// missing returns the lines that only the first list has.
func missing(all, others []string) (lines []string) {
	others = slices.Sorted(slices.Values(others))
	for _, line := range all {
		if _, ok := slices.BinarySearch(others, line); !ok {
			lines = append(lines, line)
		}
	}
	return lines
}

// TestReadings writes the reading of each version of each roadmap, with the files beside it.
func TestReadings(t *testing.T) {
	if *readings == "" {
		t.Skip("needs -readings FILE")
	}
	var b strings.Builder
	bundles, _ := filepath.Glob(filepath.Join(replay.Dir(t), "*", "r*.bundle"))
	for _, file := range bundles {
		file, _ = filepath.Rel(replay.Dir(t), strings.TrimSuffix(file, ".bundle"))
		g := replay.Open(t, file)
		commit, seen := "", map[string]bool{}
		for line := range strings.Lines(g.Git("log", "--all", "--format=commit %H", "--name-only", "--", "*"+roadmap.FileName)) {
			line = strings.TrimSpace(line)
			if id, ok := strings.CutPrefix(line, "commit "); ok {
				commit = id
			}
			root, name := path.Split(line)
			src, ok := g.Get(commit + ":" + line)
			if name != roadmap.FileName || !ok || !strings.Contains(root, ".planning/") || strings.Contains(root, "milestones/") {
				continue
			}
			key := fmt.Sprintf("%s %.8s %s", path.Base(file), commit, root)
			tree := g.Git("ls-tree", "-d", commit, strings.TrimSuffix(root, "/"))
			if seen[tree] {
				continue
			}
			seen[tree] = true
			state, _ := g.Get(commit + ":" + root + "STATE.md")
			writeReading(&b, key, g, commit, path.Clean(root), roadmap.Parse(src, roadmap.NamedMilestone(state)))
		}
	}
	if err := os.WriteFile(*readings, []byte(b.String()), 0o600); err != nil {
		t.Fatal(err)
	}
}

// writeReading writes the reading of a roadmap and the files of its root in a commit, a line a fact.
func writeReading(b *strings.Builder, key string, g *replay.Objects, commit, root string, r *roadmap.Roadmap) {
	names, blobs := map[string]map[string]bool{}, map[string]string{}
	for line := range strings.Lines(g.Git("ls-tree", "-r", commit, root+"/")) {
		head, file, _ := strings.Cut(strings.TrimSpace(line), "\t")
		blobs[file] = strings.Fields(head)[2]
		for ; file != "."; file = path.Dir(file) {
			if dir := path.Dir(file); names[dir] == nil {
				names[dir] = map[string]bool{}
			}
			names[path.Dir(file)][path.Base(file)] = true
		}
	}
	d := roadmap.ScanPhases(func(dir string) []string { return slices.Sorted(maps.Keys(names[dir])) }, root)
	d.Activate(r)
	d.Read(func(file string) string {
		src, _ := g.Get(blobs[file])
		return frontmatter.Read(src).Status
	}, r)
	entries := roadmap.Join(d, r)
	scope := r.Scope(entries)
	var p roadmap.Progress
	times := map[string]int{}
	for i := range entries {
		e := &entries[i]
		if scope.Has(e) {
			p.Add(e)
		}
		number := e.Number.String()
		times[number]++
		fmt.Fprintf(b, "%s phase %s#%d: %s %d/%d %s %s %q\n", key, number, times[number], e.Status, e.Done, e.Total, e.Milestone, e.Left, e.Title)
	}
	percent, known := p.Percent()
	a := next.Order(next.Question{
		Disk: d, Roadmap: r, Entries: entries, Meta: func(*roadmap.Plan) frontmatter.Meta { return frontmatter.Meta{} }, Tasks: func(*roadmap.Plan) int { return 0 },
	})
	fmt.Fprintf(b, "%s percent: %d %v %s\n%s next: %s\n", key, percent, known, roadmap.ScopeText(r), key, a.Phase)
	for line := range strings.Lines(roadmap.ReadText(r)) {
		fmt.Fprintf(b, "%s reads %s", key, line)
	}
	for _, ph := range r.Phases() {
		a := answer.Advanced(r, ph.Number, "")
		fmt.Fprintln(b, key, "past", ph.Number, a.Advanced, a.Lagging, answer.RecordedPhase(r, ph.Number))
	}
}
